"""The doctor looks at the parts: camera, strips and their bus, panel."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from device.config import Config
from device.doctor import calibration
from device.doctor.finding import Finding
from device.errors import HardwareError
from device.units import Seconds
from hardware import board, spi, wled, ws2812
from hardware.strips import Strip, parse_strips

LIST_S: Final[Seconds] = 20.0
"""Loading libcamera on a Zero 2 W takes some seconds."""

LIST_CAMERAS: Final = (
    "from picamera2 import Picamera2;"
    "[print(c.get('Model', '?'), c.get('Id', ''), sep='\\t')"
    " for c in Picamera2.global_camera_info()]"
)
"""In a process of its own: a driver that hangs or crashes does not take us along."""

PINS_S: Final[Seconds] = 10.0
TRY_PINS: Final = """
import sys
from device.errors import HardwareError
from hardware.pins import default_factory
try:
    factory = default_factory()
except HardwareError as error:
    sys.exit(print(error) or 1)
print(type(factory).__name__)
factory.close()
"""
"""In a folder of its own too: lgpio leaves a pipe where it runs."""

HERE: Final = Path(__file__).parents[2]
"""Where our packages lie."""

CLOCK_SLACK: Final = 0.1
"""WS2812 take pulses that are a tenth longer or shorter."""


def look(
    config: Config,
    root: Path,
    state: Path | None = None,
    opened: calibration.Opened | None = None,
) -> Iterator[Finding]:
    """Look at all of it; opens no camera and lights nothing.

    Args:
        config: Checked.
        root: Where the system's files lie.
        state: State folder; None leaves out what set-up has measured.
        opened: See `calibration.look`.
    """
    listed: list[tuple[str, str]] = []
    yield from _camera(config, listed)
    if state is not None:
        first = listed[0] if listed else None
        yield from calibration.look(config, state, opened, first)
    strips = parse_strips([dict(strip) for strip in config.strip])
    for strip in strips:
        yield _strip(strip)
    unclocked = [strip for strip in strips if strip.driver == "ws2812"]
    for strip in unclocked:
        yield _buffer(strip, root)
    if unclocked:
        yield from _clock(unclocked[0], root)
    if config.hardware.panel or any(s.driver == "segments" for s in strips):
        yield _pins()
    yield from _exposure(config, strips)


# --- Camera ------------------------------------------------------------------------


def _camera(config: Config, listed: list[tuple[str, str]]) -> Iterator[Finding]:
    """Look at the camera; ids and names that libcamera lists are added to `listed`."""
    kind = config.hardware.camera
    if kind == "picamera2":
        yield _picamera2(listed)
    elif kind == "v4l2":
        path = Path(config.camera.device)
        there = path.exists()
        allowed = there and os.access(path, os.R_OK | os.W_OK)
        yield Finding(
            "camera",
            "ok" if allowed else "missing",
            str(path) if there else f"no {path}",
            ""
            if allowed
            else f"no permission for {path}: is the user in the group video?"
            if there
            else "plug the camera in; `ls /dev/video*` lists them",
        )
    elif kind == "replay":
        there = Path(config.camera.path).exists()
        yield Finding(
            "camera",
            "ok" if there else "missing",
            config.camera.path,
            "" if there else "camera.path names no folder or video",
        )
    elif kind == "none":
        yield Finding("camera", "note", "none: faces are typed in")
    else:
        yield Finding("camera", "ok", "simulated: a drawn tray")


def _picamera2(listed: list[tuple[str, str]]) -> Finding:
    done = _python(LIST_CAMERAS, LIST_S)
    if done is None:
        return Finding(
            "camera",
            "missing",
            f"libcamera did not list its cameras within {LIST_S:g} s",
            "reseat the ribbon cable with the power off, then restart",
        )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no word"])[-1]
        lacks = "No module named" in last
        return Finding(
            "camera",
            "missing",
            "picamera2 is not installed" if lacks else f"picamera2: {last}",
            "sudo apt install python3-picamera2, or set hardware.camera"
            if lacks
            else "numpy from pip beside apt's picamera2 is the usual reason",
        )
    rows = (line.partition("\t") for line in done.stdout.splitlines() if line)
    listed += [(number or model, model) for model, _, number in rows]
    if listed:
        return Finding("camera", "ok", ", ".join(model for _, model in listed))
    if status := service_status():
        return Finding(
            "camera",
            "note",
            f"not listed while the service has it, which says: {status}",
            "for a closer look: sudo systemctl stop dicelight",
        )
    return Finding(
        "camera",
        "missing",
        "picamera2 is there, and sees no camera",
        "reseat the ribbon cable with the power off, blue side to the clip, then "
        "restart",
    )


def _exposure(config: Config, strips: tuple[Strip, ...]) -> Iterator[Finding]:
    dimmed = [strip.name for strip in strips if strip.is_dimmed]
    exposure_ms = config.camera.exposure_ms
    if dimmed and exposure_ms is not None and exposure_ms % 10:
        yield Finding(
            "exposure",
            "note",
            f"{exposure_ms:g} ms with dimmed lamps ({', '.join(dimmed)}): they band",
            "set camera.exposure_ms to a multiple of 10",
        )


# --- Strips ------------------------------------------------------------------------


def _strip(strip: Strip) -> Finding:
    name = f"strip {strip.name}"
    if strip.driver in ("apa102", "ws2812"):
        bus, device = spi.parse_address(strip.address.removesuffix("/8"))
        path = Path(f"/dev/spidev{bus}.{device}")
        if not path.exists():
            return Finding(
                name,
                "missing",
                f"no {path}",
                "sudo raspi-config nonint do_spi 0, then restart",
            )
        if not os.access(path, os.R_OK | os.W_OK):
            return Finding(
                name,
                "missing",
                f"no permission for {path}",
                "ask as the service does: sudo dicelight doctor",
            )
        return Finding(name, "ok", f"{strip.driver} on {path}")
    if strip.driver == "wled":
        try:
            count = wled.count_leds(strip.name, strip.address)
        except HardwareError as error:
            return Finding(name, "missing", str(error), "is it on, on this network?")
        return Finding(name, "ok", f"WLED at {strip.address}, {count} LEDs")
    return Finding(name, "ok", strip.driver)


def _buffer(strip: Strip, root: Path) -> Finding:
    needs = ws2812.bytes_needed(strip)
    takes = spi.buffer_size(root / str(spi.BUFSIZ_PATH).lstrip("/"))
    enough = needs <= takes
    return Finding(
        f"strip {strip.name} buffer",
        "ok" if enough else "missing",
        f"a picture has {needs} bytes, the kernel takes {takes} at once",
        "" if enough else ws2812.buffer_advice(needs),
    )


def _clock(strip: Strip, root: Path) -> Iterator[Finding]:
    """Look at the clock that times the bits of a WS2812 strip."""
    model = board.read_model(root)
    path, text = board.read_boot_config(root)
    asked_hz = ws2812.speed_hz(strip)
    core_hz = board.read_core_hz(root)
    if core_hz is not None and board.core_mhz(model) is not None:
        made_hz = board.spi_hz(core_hz, asked_hz)
        off = abs(made_hz / asked_hz - 1) > CLOCK_SLACK
        yield Finding(
            "spi clock",
            "note" if off else "ok",
            f"{made_hz / 1e6:.2f} MHz of {asked_hz / 1e6:.2f} asked for, from a core "
            f"clock of {core_hz / 1e6:.0f} MHz",
            "colours will be wrong" if off else "",
        )
    missing = board.core_lines_missing(model, text)
    if missing:
        yield Finding(
            "core clock",
            "note",
            f"not fixed on this {model}; the SPI clock follows it",
            f"add to {path or '/boot/firmware/config.txt'} and restart: "
            + " and ".join(missing),
        )
    elif board.core_mhz(model) is not None:
        yield Finding("core clock", "ok", f"fixed in {path}")


# --- Panel -------------------------------------------------------------------------


def _pins() -> Finding:
    with TemporaryDirectory() as folder:
        done = _python(TRY_PINS, PINS_S, folder)
    if done is None:
        return Finding("pins", "missing", "lgpio does not answer", "restart")
    said = (done.stdout.strip() or done.stderr.strip()).splitlines()
    if done.returncode:
        return Finding("pins", "missing", said[-1] if said else "lgpio crashed")
    return Finding("pins", "ok", f"gpiozero on {said[-1]}")


# --- Inside ------------------------------------------------------------------------


def service_status() -> str:
    """Return the running service's own line, "" where it does not run."""
    words = ["systemctl", "show", "dicelight", "-p", "ActiveState,StatusText"]
    try:
        said = subprocess.run(
            words, capture_output=True, text=True, timeout=PINS_S, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
    fields = dict(line.partition("=")[::2] for line in said.splitlines())
    if fields.get("ActiveState") != "active":
        return ""
    return fields.get("StatusText") or "it runs"


def _python(
    program: str, seconds: Seconds, folder: str | None = None
) -> subprocess.CompletedProcess[str] | None:
    """Run a program in this Python; None where it does not end in time."""
    try:
        return subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(HERE)},
        )
    except subprocess.TimeoutExpired:
        return None
