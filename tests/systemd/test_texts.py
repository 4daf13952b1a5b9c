"""The files that the installer writes, the unit, and the check of the imports."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.commands.serving import AGAIN
from device.config import Config, ServerConfig, load_config
from tests.systemd.scratch import EXAMPLE, SYSTEMD, UNIT

from installer import places, texts  # isort: skip

DRIVERS = {"video4linux", "media", "dma_heap", "spi", "gpiochip", "drm"}
"""Names in /proc/devices, from the kernel's sources: spidev registers as "spi"."""

needs_analyze = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)


def test_leaving_safe_mode_starts_the_service_again() -> None:
    assert setting("Restart") == ["on-failure"]
    assert setting("RestartForceExitStatus") == [str(AGAIN)]
    assert setting("SuccessExitStatus") == [str(AGAIN)]


def setting(name: str) -> list[str]:
    return re.findall(rf"^{name}=(.*)$", UNIT, re.MULTILINE)


def test_the_first_configuration_is_the_defaults(tmp_path: Path) -> None:
    path = tmp_path / "dicelight.toml"
    path.write_text(texts.first_config(EXAMPLE, 80), encoding="utf-8")
    assert load_config(path) == Config(server=ServerConfig(port=80), source=path)


def test_the_first_configuration_still_shows_the_examples() -> None:
    config = texts.first_config(EXAMPLE, 80)
    assert "# [[strip]]" in config
    assert "# confirm_button_pin_bcm = 5" in config


@pytest.mark.parametrize(
    ("config", "port"),
    [
        ("[server]\nport = 8123\n", 8123),
        ("", 8080),
        ("[server]\nport = 70000\n", 8080),
        ("server = 3\n", 8080),
        ("nonsense = [\n", 8080),
    ],
)
def test_the_port_of_any_configuration(config: str, port: int) -> None:
    assert texts.port_of(config) == port


@pytest.mark.parametrize(
    ("line", "is_on"),
    [
        ("dtparam=spi=on", True),
        ("dtparam=i2c_arm=on,spi=on", True),
        ("dtparam=spi", True),
        ("#dtparam=spi=on", False),
        ("dtparam=spi=off", False),
        ("dtparam=spidev=on", False),
    ],
)
def test_spi_in_the_firmwares_configuration(line: str, is_on: bool) -> None:
    assert texts.has_spi(f"arm_64bit=1\n{line}\n") is is_on


@given(st.text(alphabet="ab=[]#\n", max_size=40))
def test_our_spi_lines_come_off_without_a_trace(before: str) -> None:
    assert texts.has_spi(texts.with_spi(before))
    assert texts.without_spi(texts.with_spi(before)) == before


def test_the_avahi_file_announces_the_port() -> None:
    root = ElementTree.fromstring(texts.avahi_service(8123))
    assert root.findtext("service/port") == "8123"
    assert root.findtext("service/type") == "_http._tcp"


# --- The unit ----------------------------------------------------------------------


def test_the_unit_names_the_places_that_the_installer_fills() -> None:
    (start,) = setting("ExecStart")
    assert start.split() == [
        f"{places.ENVIRONMENT}/bin/dicelight",
        "run",
        "--config",
        places.CONFIG,
    ]
    assert setting("EnvironmentFile") == [f"-{places.DEFAULTS}"]
    assert setting("User") == [places.NAME]
    assert sorted(setting("SupplementaryGroups")[0].split()) == sorted(places.GROUPS)


def test_the_unit_lets_in_the_drivers_by_their_names_in_the_kernel() -> None:
    allowed = [rule.split()[0] for rule in setting("DeviceAllow")]
    assert {
        a.removeprefix("char-") for a in allowed if a.startswith("char-")
    } == DRIVERS


def test_setcap_kills_opencv_so_port_80_comes_by_capability() -> None:
    assert setting("AmbientCapabilities") == ["CAP_NET_BIND_SERVICE"]
    assert setting("CapabilityBoundingSet") == ["CAP_NET_BIND_SERVICE"]
    scripts = [*SYSTEMD.rglob("*.py"), SYSTEMD / "install"]
    assert not [p for p in scripts if "setcap" in p.read_text(encoding="utf-8")]


@needs_analyze
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    # The program that it starts is not installed here; any other will do.
    unit = tmp_path / places.UNIT_NAME
    start = f"ExecStart={places.ENVIRONMENT}/bin/dicelight"
    unit.write_text(UNIT.replace(start, "ExecStart=/bin/true"), encoding="utf-8")
    said = subprocess.run(
        ["systemd-analyze", "verify", str(unit)], capture_output=True, text=True
    )
    assert (said.stdout, said.stderr, said.returncode) == ("", "", 0)


@needs_analyze
def test_the_units_exposure_is_at_most_2_5() -> None:
    options = ["--offline=true", "--threshold=25", "--no-pager"]
    unit = str(SYSTEMD / places.UNIT_NAME)
    said = subprocess.run(
        ["systemd-analyze", "security", *options, unit], capture_output=True, text=True
    )
    assert said.returncode == 0, said.stdout.splitlines()[-1]


# --- The check of the imports ------------------------------------------------------


def fare(modules: Path, *names: str) -> dict[str, dict[str, str]]:
    script = SYSTEMD / "installer/check_imports.py"
    said = subprocess.run(
        [sys.executable, "-B", str(script), *names],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(modules)},
    )
    found: dict[str, dict[str, str]] = json.loads(said.stdout)
    return found


def test_modules_are_imported_together_and_each_is_reported(tmp_path: Path) -> None:
    (tmp_path / "good_one.py").write_text("__version__ = '1.2'\n")
    (tmp_path / "built_for_another.py").write_text(
        "raise ValueError('numpy.dtype size changed')\n"
    )
    found = fare(tmp_path, "good_one", "built_for_another", "not_there")
    assert found["good_one"]["version"] == "1.2"
    assert found["good_one"]["path"] == str(tmp_path / "good_one.py")
    assert "numpy.dtype size changed" in found["built_for_another"]["error"]
    assert "No module named 'not_there'" in found["not_there"]["error"]


def test_the_real_numpy_and_opencv_go_together(tmp_path: Path) -> None:
    found = fare(tmp_path, "numpy", "cv2", "gpiozero")
    assert [entry["error"] for entry in found.values()] == ["", "", ""]
    assert found["cv2"]["version"].startswith("4.11")


# --- The programs ------------------------------------------------------------------


@pytest.mark.parametrize("program", ["install", "uninstall"])
def test_a_dry_run_says_what_it_would_do_and_does_nothing(program: str) -> None:
    if Path(places.HOME).exists():
        pytest.skip("Dicelight is installed on this machine")
    said = subprocess.run(
        [sys.executable, str(SYSTEMD / program), "--dry-run"],
        capture_output=True,
        text=True,
    )
    assert said.returncode == 0, said.stderr
    assert said.stderr == ""
    expected = "make release 1" if program == "install" else "nothing to do"
    assert expected in said.stdout
    assert not Path(places.HOME).exists()
