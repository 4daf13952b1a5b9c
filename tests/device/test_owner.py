"""Commands on the appliance, typed by root, by the service's user, by anybody else."""

from __future__ import annotations

import json
import os
import pwd
import shlex
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

import device.commands.bundle
import device.commands.doctor
import device.commands.owner
import device.config
from device.cli import main
from device.commands.owner import own_state

ROOT = Path(__file__).parents[2]
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may become others")

PROGRAM = """
import pathlib, sys
import device.config
folder = pathlib.Path(sys.argv.pop(1))
device.config.SYSTEM_STATE = folder / "state"
device.config.SYSTEM_CONFIG = folder / "dicelight.toml"
import device.cli
sys.exit(device.cli.main())
"""


@pytest.fixture
def service() -> pwd.struct_passwd:
    return pwd.getpwnam("nobody")


@pytest.fixture
def machine(tmp_path: Path, service: pwd.struct_passwd) -> Path:
    """An installed Dicelight: its configuration, and state of the service's user."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.geteuid() and str(folder) != folder.root:
            folder.chmod(folder.stat().st_mode | 0o011)
    config = tmp_path / "dicelight.toml"
    config.write_text('[hardware]\ncamera = "none"\n')
    state = tmp_path / "state"
    state.mkdir(mode=0o750)
    os.chown(state, service.pw_uid, service.pw_gid)
    return tmp_path


def typed_by_root(machine: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, str(machine), *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment,
    )


@pytest.mark.parametrize(
    "words",
    [
        ("camera", "--save"),
        ("calibrate", "front edge", "--point", "0=8", "--point", "9=80", "--save"),
        ("calibrate", "front edge", "--light", "3"),
        ("doctor",),
        ("invite",),
        ("bundle", "-o", "a b.zip"),
        ("teach", "--dice", "mine", "--die", "red", "6=six.png"),
        ("teach", "--dice", "mine", "--test"),
        ("read", "--dice", "mine", "six.png"),
    ],
    ids=" ".join,
)
def test_somebody_else_is_told_the_line_to_type(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
) -> None:
    config = tmp_path / "dicelight.toml"
    config.write_text('[hardware]\ncamera = "none"\n')
    for module in (device.config, device.commands.doctor, device.commands.bundle):
        monkeypatch.setattr(module, "SYSTEM_CONFIG", config)
    monkeypatch.setattr(device.config, "SYSTEM_STATE", tmp_path)
    monkeypatch.delenv("DICELIGHT_STATE", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    monkeypatch.setattr(sys, "argv", ["dicelight", *words])
    before = sorted(tmp_path.iterdir())
    assert main() == 2
    said = capsys.readouterr()
    assert said.out == ""
    line = shlex.join(["sudo", "dicelight", *words])
    assert said.err == (f"dicelight: {tmp_path} belongs to the service; type: {line}\n")
    assert sorted(tmp_path.iterdir()) == before


@as_root
def test_what_root_measures_belongs_to_the_service(
    machine: Path, service: pwd.struct_passwd
) -> None:
    (machine / "dicelight.toml").write_text(
        "[[strip]]\nname = 'front edge'\npixels = 10\npitch_mm = 8\n"
        "first_pixel_mm = 4\nlimit_ma = 100\ndriver = 'simulated'\n"
    )
    points = ("--point", "0=4.5", "--point", "9=80")
    said = typed_by_root(machine, "calibrate", "front edge", *points, "--save")
    assert said.returncode == 0, said.stderr
    kept = machine / "state" / "strips.json"
    assert kept.stat().st_uid == service.pw_uid
    assert "front edge" in json.loads(kept.read_text())


BECOME = """
import json, os, pathlib, sys
import device.config
device.config.SYSTEM_STATE = pathlib.Path(sys.argv[1])
from device.commands.owner import own_state
own_state(appliance=True)
print(json.dumps([os.getresuid(), os.getresgid(), os.getcwd(), os.environ["HOME"]]))
"""


@as_root
def test_root_becomes_the_service_for_good(
    machine: Path, service: pwd.struct_passwd
) -> None:
    """So the doctor finds what the service may not do, and lgpio has where to write."""
    state = str(machine / "state")
    said = subprocess.run(
        [sys.executable, "-c", BECOME, state], capture_output=True, text=True, cwd=ROOT
    )
    users, groups, cwd, home = json.loads(said.stdout)
    assert users == [service.pw_uid] * 3 and groups == [service.pw_gid] * 3
    assert os.access(cwd, os.W_OK) and cwd != str(ROOT) and home == state


@as_root
def test_dice_taught_by_root_from_own_pictures_belong_to_the_service(
    machine: Path, service: pwd.struct_passwd
) -> None:
    mine = machine / "mine"
    mine.mkdir(mode=0o700)
    cv2.imwrite(str(mine / "grey.png"), np.full((60, 60, 3), 90, np.uint8))
    picture = f"6={mine / 'grey.png'}"
    said = typed_by_root(machine, "teach", "--dice", "mine", "--die", "red", picture)
    # No die is in that picture, but it was read, and the folder made is the service's.
    assert said.returncode == 2 and "grey.png" in said.stderr
    assert (machine / "state" / "dice").stat().st_uid == service.pw_uid


def test_a_laptop_and_a_named_folder_are_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("DICELIGHT_STATE", raising=False)
    assert own_state(appliance=False) == tmp_path / "dicelight"
    monkeypatch.setenv("DICELIGHT_STATE", str(tmp_path / "named"))
    assert own_state(appliance=True) == tmp_path / "named"


def test_a_file_of_the_service_is_not_for_everybody(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The state folder is closed to others: no traceback for who looks into it."""

    def closed(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    words = ["journal", "check", "/var/lib/dicelight/nights/1.journal"]
    monkeypatch.setattr(Path, "is_file", closed)
    monkeypatch.setattr(sys, "argv", ["dicelight", *words])
    assert main() == 2
    assert capsys.readouterr().err == (
        "dicelight: /var/lib/dicelight/nights/1.journal: Permission denied; type: "
        f"sudo dicelight {' '.join(words)}\n"
    )


@pytest.mark.parametrize(
    ("words", "what"),
    [(["camera"], "camera"), (["calibrate", "edge", "--light", "3"], "strip")],
)
def test_a_part_that_the_running_service_has_is_not_taken_from_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    what: str,
) -> None:
    config = tmp_path / "dicelight.toml"
    config.write_text(
        "[[strip]]\nname = 'edge'\npixels = 10\npitch_mm = 8\nfirst_pixel_mm = 4\n"
        "limit_ma = 100\ndriver = 'simulated'\n"
    )
    monkeypatch.setattr(device.commands.doctor, "SYSTEM_CONFIG", config)
    monkeypatch.setenv("DICELIGHT_STATE", str(tmp_path / "state"))
    monkeypatch.setattr(device.commands.owner, "service_status", lambda: "it runs")
    assert main(words) == 2
    assert capsys.readouterr().err == (
        f"dicelight: the service has the {what}; first: sudo systemctl stop dicelight\n"
    )
