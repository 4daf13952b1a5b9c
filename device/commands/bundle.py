"""`dicelight bundle`: one zip file for whoever is to help."""

from __future__ import annotations

import argparse
import io
import json
import os
import platform
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, Final

from device.commands.owner import own_state
from device.config import SYSTEM_CONFIG
from device.errors import ConfigError, DicelightError

SECRET_WORDS: Final = ("secret", "password", "token", "key", "passphrase")
"""Config keys with one of these in their name are left out."""

JOURNAL_S: Final = 10
"""journalctl is given so long."""

DOCTOR_S: Final = 120
"""And the doctor, who lists cameras and tries pins."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        "Collects logs, the configuration without secrets, versions and the doctor's "
        "report. No photographs, no names of players, no keys."
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FILE", help="zip to write"
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration")


def run(options: argparse.Namespace) -> int:
    """Write the zip file."""
    own_state(appliance=_config_of(options.config) == SYSTEM_CONFIG, stay_root=True)
    draft = options.output.with_name(options.output.name + ".new")
    try:
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
            _fill(archive, options.config)
        draft.replace(options.output)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise ConfigError(f"{options.output}: {error.strerror}") from error
    sys.stdout.write(f"{options.output}: look into it before you send it\n")
    return 0


def bundle_bytes(path: Path | None, state: Path) -> bytes:
    """Return the bundle of a running Dicelight as the bytes of a zip file.

    Args:
        path: Its configuration, or None.
        state: Its state folder.
    """
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        _fill(archive, path, state)
    return file.getvalue()


def _fill(
    archive: zipfile.ZipFile, path: Path | None, state: Path | None = None
) -> None:
    for name, text in _contents(path, state):
        archive.writestr(name, text)


def _contents(path: Path | None, folder: Path | None) -> Iterator[tuple[str, str]]:
    from device.commands.doctor import find_config
    from device.doctor import examine

    yield "versions.txt", _versions()
    source = _config_of(path)
    appliance = source == SYSTEM_CONFIG
    if source is not None:
        yield "config.json", _config(source)
    state = folder or own_state(appliance=appliance, stay_root=True)
    if appliance and folder is None and os.geteuid() == 0:
        yield "doctor.json", _doctor_as_service()
    else:
        try:
            config, _ = find_config(path)
            report = [asdict(one) for one in examine(config, state)]
            yield "doctor.json", json.dumps(report, indent=1)
        except DicelightError as error:
            yield "doctor.json", json.dumps({"error": str(error)})
    for log in sorted((state / "log").glob("dicelight.log*")):
        yield f"log/{log.name}", log.read_text("utf-8", errors="replace")
    if appliance:
        yield "log/systemd.txt", _systemd_log()


def _config_of(path: Path | None) -> Path | None:
    return path or (SYSTEM_CONFIG if SYSTEM_CONFIG.exists() else None)


def _versions() -> str:
    lines = [f"Python {platform.python_version()}", platform.platform()]
    found = {one.metadata["Name"]: one.version for one in distributions()}
    return "\n".join([*lines, *(f"{name} {found[name]}" for name in sorted(found))])


def _config(path: Path) -> str:
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        return json.dumps({"error": str(error)})
    return json.dumps(_without_secrets(data), indent=1, default=str)


def _without_secrets(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: "(left out)"
            if any(word in key.lower() for word in SECRET_WORDS)
            else _without_secrets(item)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [_without_secrets(item) for item in value]
    return value


def _doctor_as_service() -> str:
    """Return the report of the command, which asks as the service's user does."""
    words = [sys.executable, "-m", "device.cli", "doctor", "--json"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=DOCTOR_S)
    except subprocess.TimeoutExpired as error:
        return json.dumps({"error": str(error)})
    return done.stdout or json.dumps({"error": done.stderr})


def _systemd_log() -> str:
    try:
        done = subprocess.run(
            ["journalctl", "-u", "dicelight", "-n", "2000", "--no-pager"],
            capture_output=True,
            text=True,
            timeout=JOURNAL_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return done.stdout
