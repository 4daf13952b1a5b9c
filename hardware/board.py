"""What the board says of itself: model, power, heat, clocks. Reads files, asks nothing.

Every path is below `root`, so that a folder stands for a board in tests. Sources: the
Raspberry Pi kernel's ``firmware/raspberrypi.c`` (get_throttled) and
``spi/spi-bcm2835.c`` (the divider), Raspberry Pi's documentation of config.txt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path("/")
BOOT_CONFIGS: Final = ("boot/firmware/config.txt", "boot/config.txt")
MODEL: Final = "proc/device-tree/model"
THROTTLED: Final = "sys/devices/platform/soc*/*firmware/get_throttled"
CORE_CLOCKS: Final = (
    "sys/kernel/debug/clk/fw-clk-core/clk_rate",
    "sys/kernel/debug/clk/vpu/clk_rate",
)
"""Only root may look there."""

LITTLE_KB: Final = 700_000
POWER_BITS: Final = {
    "undervoltage": 1 << 0,
    "capped": 1 << 1,
    "throttled": 1 << 2,
    "hot": 1 << 3,
}
"""What holds now; the same 16 bits higher what has held since the machine's start."""

CORE_MHZ: Final = (
    (r"Raspberry Pi (3|Zero 2|Compute Module 3)", 250),
    (r"Raspberry Pi (4|400|Compute Module 4)", 500),
)
"""Boards whose SPI clock follows the core clock, and the one to fix it at."""


@dataclass(frozen=True, slots=True)
class Power:
    """How the board is fed and cooled.

    Attributes:
        now: Names of `POWER_BITS` that hold at this moment.
        before: Names that held at some time since the machine's start.
    """

    now: frozenset[str] = frozenset()
    before: frozenset[str] = frozenset()


def read_model(root: Path = ROOT) -> str:
    """Return the board's name, "" where the machine says none (not a Pi)."""
    return _text(root / MODEL).strip("\0\n ")


def read_power(root: Path = ROOT) -> Power | None:
    """Return what the firmware says of voltage and heat, None where it says nothing."""
    for path in sorted(root.glob(THROTTLED)):
        try:
            bits = int(_text(path), 16)
        except ValueError:
            continue
        return Power(
            now=frozenset(n for n, bit in POWER_BITS.items() if bits & bit),
            before=frozenset(n for n, bit in POWER_BITS.items() if bits >> 16 & bit),
        )
    # Kernels without that file have the voltage alone, as an alarm that stays.
    for folder in sorted(root.glob("sys/class/hwmon/hwmon*")):
        if _text(folder / "name").strip() == "rpi_volt":
            alarm = _text(folder / "in0_lcrit_alarm").strip() == "1"
            names = frozenset({"undervoltage"}) if alarm else frozenset[str]()
            return Power(now=names, before=names)
    return None


def has_little_memory(root: Path = ROOT) -> bool:
    """Return whether this is a board like the Zero 2 W, with half a gigabyte."""
    found = re.search(r"(?m)^MemTotal:\s*(\d+) kB", _text(root / "proc/meminfo"))
    return found is not None and int(found[1]) < LITTLE_KB


def read_core_hz(root: Path = ROOT) -> float | None:
    """Return the core clock as it runs now; None where it cannot be seen."""
    for path in CORE_CLOCKS:
        text = _text(root / path).strip()
        if text.isdigit() and int(text) > 0:
            return float(text)
    return None


def core_mhz(model: str) -> int | None:
    """Return the core clock that WS2812 over SPI needs fixed, None where none."""
    found = (mhz for pattern, mhz in CORE_MHZ if re.match(pattern, model))
    return next(found, None)


def core_lines_missing(model: str, config: str) -> tuple[str, ...]:
    """Return the lines that config.txt lacks for a steady SPI clock.

    Args:
        model: From `read_model`.
        config: Text of config.txt. Lines under a filter such as ``[pi4]`` count, as
            whoever wrote them meant this board or another of the same card.
    """
    mhz = core_mhz(model)
    if mhz is None:
        return ()
    set_to = dict(re.findall(r"(?m)^[ \t]*(core_freq(?:_min)?)=(\d+)", config))
    return tuple(
        f"{name}={mhz}"
        for name in ("core_freq", "core_freq_min")
        if set_to.get(name) != str(mhz)
    )


def spi_hz(core_hz: float, asked_hz: int) -> float:
    """Return the SPI clock that a Pi before the 5 makes: its divider is even."""
    divider = -(-int(core_hz) // asked_hz)
    return core_hz / max(2, divider + divider % 2)


def read_boot_config(root: Path = ROOT) -> tuple[str, str]:
    """Return path and text of the firmware's config.txt, "" and "" without one."""
    for path in BOOT_CONFIGS:
        if (root / path).is_file():
            return f"/{path}", _text(root / path)
    return "", ""


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
