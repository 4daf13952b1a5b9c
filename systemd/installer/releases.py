"""Releases: copies of the checkout, each with a Python environment of its own."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from . import places
from .actions import Refused

MARK: Final = ".release"
"""The file in a release that is written last: it is complete."""

LOCK: Final = ".ci/lock/base.txt"
LOCK_NOT_ON_PI: Final = ".ci/lock/not-on-pi.txt"
CODE: Final = ("device", "vision", "web", "hardware", "systemd")
"""Compiled now: the service may not write into its own code, and would compile anew
at each start."""

NOT_COPIED: Final = ("__pycache__", ".pyc", ".egg-info")
"""Ends of names: what Python makes by itself."""

ALWAYS: Final = ("numpy", "cv2", "gpiozero")
ON_PI: Final = ("numpy", "picamera2", "gpiozero", "lgpio", "spidev", "cv2")
"""Imported one after another in one process, as the service does."""

Call = Callable[[Sequence[str]], str]


def contents_of(source: Path) -> str:
    """Return a hash over names, modes and bytes of all that a release holds."""
    whole = hashlib.sha256()
    for path in sorted(_files(source)):
        executable = os.access(path, os.X_OK)
        name = path.relative_to(source).as_posix()
        whole.update(f"{name}\0{executable}\0".encode())
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def make_release(
    source: Path, folder: Path, *, on_pi: bool, call: Call, contents: str
) -> None:
    """Make a complete release; one that fails is removed again.

    Args:
        source: The checkout.
        folder: Of the release; anything there is thrown away.
        on_pi: See the system's packages from the environment.
        call: Runs a command and returns what it prints.
        contents: Hash of the checkout, kept in the mark.

    Raises:
        Refused: The packages of system and environment do not agree.
        CommandFailed: From `call`.
    """
    shutil.rmtree(folder, ignore_errors=True)
    try:
        _copy(source, folder)
        _make_environment(folder, on_pi=on_pi, call=call)
        python = str(folder / ".venv/bin/python")
        names = ON_PI if on_pi else ALWAYS
        script = str(folder / "systemd/installer/check_imports.py")
        report = json.loads(call([python, "-B", script, *names]))
        if problems := disagreements(report, folder / ".venv", on_pi=on_pi):
            raise Refused(*problems)
        call([python, "-m", "compileall", "-q", *(str(folder / c) for c in CODE)])
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    # All its bytes first, then the mark: a power cut must not leave a hollow release.
    sync = ["sync", "--file-system", str(folder)]
    call(sync)
    (folder / MARK).write_text(json.dumps({"contents": contents}), encoding="utf-8")
    call(sync)


def disagreements(
    report: Mapping[str, Mapping[str, Any]], environment: Path, *, on_pi: bool
) -> tuple[str, ...]:
    """Return what does not go together, naming the two versions.

    Args:
        report: From ``check_imports.py``: for each module its ``version``, its
            ``path``, and ``error`` where it does not import.
        environment: The release's own.
        on_pi: numpy must be the system's.
    """
    numpy = report.get("numpy", {})
    numpy_is = f"numpy {numpy.get('version') or '(none)'}"
    if numpy.get("path"):
        numpy_is += f" ({numpy['path']})"
    found = []
    if on_pi and str(numpy.get("path", "")).startswith(f"{environment}/"):
        found.append(
            f"{numpy_is} from pip hides the system's, which picamera2 "
            f"{_version(report, 'picamera2')} was built for; pip must not bring numpy"
        )
    for name, entry in report.items():
        error = entry.get("error")
        if not error:
            continue
        if name == "numpy" or "No module named" in error:
            found.append(f"{name} does not import: {error}")
        else:
            found.append(
                f"{name} {_version(report, name)} and {numpy_is} do not go together: "
                f"{error}"
            )
    return tuple(found)


def _version(report: Mapping[str, Mapping[str, Any]], name: str) -> str:
    return str(report.get(name, {}).get("version") or "(version unknown)")


def _files(source: Path) -> Iterator[Path]:
    for released in places.RELEASED:
        path = source / released
        if path.is_file():
            yield path
        for folder, folders, names in os.walk(path):
            folders[:] = [name for name in folders if not name.endswith(NOT_COPIED)]
            yield from (Path(folder) / n for n in names if not n.endswith(NOT_COPIED))


def _copy(source: Path, folder: Path) -> None:
    for file in _files(source):
        target = folder / file.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
        target.chmod(0o755 if os.access(file, os.X_OK) else 0o644)


def _make_environment(folder: Path, *, on_pi: bool, call: Call) -> None:
    environment = str(folder / ".venv")
    beside = ["--system-site-packages"] if on_pi else []
    call(["/usr/bin/python3", "-m", "venv", *beside, environment])
    pip = [f"{environment}/bin/python", "-m", "pip", "install", "--quiet"]
    # No cache and no dependencies: the lock is complete, and nothing is left in /root.
    pip += ["--no-cache-dir", "--disable-pip-version-check", "--no-deps"]
    locks = ["-r", str(folder / LOCK)]
    if not on_pi:
        locks += ["-r", str(folder / LOCK_NOT_ON_PI)]
    call([*pip, *locks])
    call([*pip, "--no-build-isolation", "-e", str(folder)])
