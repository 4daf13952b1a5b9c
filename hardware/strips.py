"""Strips as they are described in a file: where each LED is, and what it may draw."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from device.errors import ConfigError
from device.units import Millimetres
from hardware.pixels import ORDERS

DRIVERS: Final = ("apa102", "ws2812", "wled", "segments", "simulated")
"""What `hardware.parts.open_strip` knows; sk9822 is driven as apa102."""

MOST_PIXELS: Final = 5000
"""Eighty metres at 60 LEDs a metre; beyond it is a slip."""

LEAST_MA_PER_LED: Final = 2.0
"""1 mA that an LED draws when dark, and as much again to be seen at all."""

MOST_SIZE: Final = 1_000_000
"""Bytes of a strip file; a real one has a few hundred."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Extra distance between two LEDs, e.g. round a corner.

    Attributes:
        after: LED before the gap, counted from 0 at the cable.
        mm: Beyond the pitch; negative where the strip was cut short.
    """

    after: int
    mm: Millimetres


@dataclass(frozen=True, slots=True)
class Strip:
    """One strip of a ruler.

    Attributes:
        name: Of its own.
        pixels: LEDs, 1 or more.
        pitch_mm: From the centre of one LED to the next.
        first_pixel_mm: From the ruler's zero to the centre of LED 0, which is the one
            at the cable.
        limit_ma: Most milliamperes it may draw by our estimate.
        reversed: The LEDs run towards the ruler's zero.
        gaps: By `after`.
        order: Colour order on the wire, or "" for the driver's usual one.
        driver: One of `DRIVERS`.
        address: Where the driver finds it: ``"0.0"`` (SPI bus and device), a host
            name, or pins by BCM number; "" for the driver's usual place.
        gamma: Exponent from the eye's scale to light.
        white: Red, green and blue for white, 0..1, where blue is too strong etc.
        near_tray: Its light falls into the tray: dim while dice come to rest.
    """

    name: str
    pixels: int
    pitch_mm: Millimetres
    first_pixel_mm: Millimetres
    limit_ma: float
    reversed: bool = False
    gaps: tuple[Gap, ...] = ()
    order: str = ""
    driver: str = "apa102"
    address: str = ""
    gamma: float = 2.2
    white: tuple[float, float, float] = (1.0, 1.0, 1.0)
    near_tray: bool = False

    @property
    def is_dimmed(self) -> bool:
        """Whether its light flickers with the Pi's own PWM, at 100 Hz."""
        return self.driver == "segments" and self.address.split()[-1:] == ["pwm"]

    def positions_mm(self) -> NDArray[np.float64]:
        """Return where the centre of each LED is on the ruler, ``(pixels,)``."""
        return _positions_mm(self)


@lru_cache(maxsize=32)
def _positions_mm(strip: Strip) -> NDArray[np.float64]:
    """Compute `Strip.positions_mm` once: a moving ruler asks thirty times a second."""
    steps = np.full(strip.pixels, strip.pitch_mm)
    steps[0] = 0.0
    for gap in strip.gaps:
        steps[gap.after + 1] += gap.mm
    along = np.cumsum(steps)
    places = strip.first_pixel_mm + (-along if strip.reversed else along)
    places.setflags(write=False)
    return places


def load_strips(path: Path | str) -> tuple[Strip, ...]:
    """Return the strips described in a TOML file with ``[[strip]]`` tables.

    Raises:
        ConfigError: Unreadable, not TOML, or wrong; every mistake is listed.
    """
    source = Path(path)
    try:
        if source.stat().st_size > MOST_SIZE:
            raise ConfigError(f"{source}: larger than {MOST_SIZE} bytes")
        document = tomllib.loads(source.read_text(encoding="utf-8"))
    except OSError as error:
        why = error.strerror or str(error)
        raise ConfigError(f"{source}: {why}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{source}: not TOML: {error}") from error
    unknown = [f"{source}: unknown key {key!r}" for key in document if key != "strip"]
    try:
        strips = parse_strips(document.get("strip", []))
    except ConfigError as error:
        problems = [f"{source}: {problem}" for problem in error.problems]
        raise ConfigError(unknown + problems) from error
    if not strips:
        unknown.append(f"{source}: no [[strip]] in it")
    if unknown:
        raise ConfigError(unknown)
    return strips


def parse_strips(tables: object) -> tuple[Strip, ...]:
    """Return the strips that a list of tables describes, possibly none.

    Raises:
        ConfigError: Every mistake, each with the strip and the field.
    """
    if not isinstance(tables, list):
        raise ConfigError("strip: expected [[strip]] tables")
    problems: list[str] = []
    strips: list[Strip] = []
    for index, table in enumerate(tables):
        where = f"strip[{index}]"
        if not isinstance(table, Mapping):
            problems.append(f"{where}: expected a table")
            continue
        found = _problems(table)
        problems += [f"{where}.{problem}" for problem in found]
        if not found:
            strips.append(_strip(table))
    names = [strip.name for strip in strips]
    for name in sorted({name for name in names if names.count(name) > 1}):
        problems.append(f"strip: two strips are named {name!r}")
    if problems:
        raise ConfigError(problems)
    return tuple(strips)


def _is_number(value: object) -> bool:
    numeric = isinstance(value, (int, float)) and not isinstance(value, bool)
    return numeric and math.isfinite(value)  # type: ignore[arg-type]


def _within(least: float, most: float) -> Callable[[Any], bool]:
    return lambda value: _is_number(value) and least <= value <= most


def _is_whole(least: int, most: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and least <= value <= most


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 40 and value.isprintable()


def _is_white(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 3
        and all(_within(0, 1)(part) for part in value)
        and any(part > 0 for part in value)
    )


def _is_gap(value: object) -> bool:
    if isinstance(value, Mapping):
        value = [value.get("after"), value.get("mm")] if len(value) == 2 else None
    return (
        isinstance(value, list)
        and len(value) == 2
        and _is_whole(0, MOST_PIXELS)(value[0])
        and _within(-1000, 10_000)(value[1])
    )


_FIELDS: Final[dict[str, tuple[Callable[[Any], bool], str]]] = {
    "name": (_is_name, "a short text"),
    "pixels": (_is_whole(1, MOST_PIXELS), f"a whole number, 1 to {MOST_PIXELS}"),
    "pitch_mm": (_within(0.5, 1000), "a number, 0.5 to 1000"),
    "first_pixel_mm": (_within(-20_000, 20_000), "a number, -20000 to 20000"),
    "limit_ma": (_within(1, 1e6), "a number above 0"),
    "reversed": (lambda value: isinstance(value, bool), "true or false"),
    "gaps": (
        lambda value: isinstance(value, list) and all(map(_is_gap, value)),
        "a list of { after = LED, mm = MILLIMETRES }",
    ),
    "order": (lambda value: value in ORDERS, f"one of {', '.join(ORDERS)}"),
    "driver": (lambda value: value in DRIVERS, f"one of {', '.join(DRIVERS)}"),
    "address": (lambda value: isinstance(value, str), "a text"),
    "gamma": (_within(1, 4), "a number, 1 to 4"),
    "white": (_is_white, "three numbers, 0 to 1, not all 0"),
    "near_tray": (lambda value: isinstance(value, bool), "true or false"),
}
_NEEDED: Final = ("name", "pixels", "pitch_mm", "first_pixel_mm", "limit_ma")


def _problems(table: Mapping[str, Any]) -> list[str]:
    """Return all that is wrong with one table, each line beginning with a field."""
    problems = []
    for key, value in table.items():
        if key not in _FIELDS:
            near = get_close_matches(key, _FIELDS, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            problems.append(f"{key}: unknown key{hint}")
        elif not _FIELDS[key][0](value):
            problems.append(f"{key}: expected {_FIELDS[key][1]}, found {value!r}")
    problems += [f"{key}: missing" for key in _NEEDED if key not in table]
    return problems or _contradictions(table)


def _contradictions(table: Mapping[str, Any]) -> list[str]:
    """Return what is wrong between fields that are each right on their own."""
    problems = []
    pixels = table["pixels"]
    least_ma = math.ceil(pixels * LEAST_MA_PER_LED)
    if table["limit_ma"] < least_ma:
        problems.append(
            f"limit_ma: {table['limit_ma']:g} cannot light {pixels} LEDs, which draw "
            f"{pixels} mA when dark; at least {least_ma}"
        )
    seen = set()
    for gap in _gaps(table):
        if gap.after >= pixels - 1:
            problems.append(f"gaps: no LED comes after {gap.after}")
        if table["pitch_mm"] + gap.mm <= 0:
            problems.append(f"gaps: the one after {gap.after} turns back")
        if gap.after in seen:
            problems.append(f"gaps: two after LED {gap.after}")
        seen.add(gap.after)
    return problems


def _gaps(table: Mapping[str, Any]) -> tuple[Gap, ...]:
    pairs = [
        (gap["after"], gap["mm"]) if isinstance(gap, Mapping) else tuple(gap)
        for gap in table.get("gaps", [])
    ]
    return tuple(Gap(after, float(mm)) for after, mm in sorted(pairs))


def _strip(table: Mapping[str, Any]) -> Strip:
    red, green, blue = table.get("white", (1.0, 1.0, 1.0))
    return Strip(
        name=table["name"],
        pixels=table["pixels"],
        pitch_mm=float(table["pitch_mm"]),
        first_pixel_mm=float(table["first_pixel_mm"]),
        limit_ma=float(table["limit_ma"]),
        reversed=table.get("reversed", False),
        gaps=_gaps(table),
        order=table.get("order", ""),
        driver=table.get("driver", "apa102"),
        address=table.get("address", ""),
        gamma=float(table.get("gamma", 2.2)),
        white=(float(red), float(green), float(blue)),
        near_tray=table.get("near_tray", False),
    )
