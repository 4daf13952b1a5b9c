"""Range bands: named lengths, stepping to the next shorter one, adding them up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from device.errors import OutOfRange, UnknownTable
from device.rules.tables import row_of, rows_of

MM_PER_INCH = Fraction(254, 10)
"""Exact by definition of the international inch."""

CORNERS = ("top_left", "top_right", "bottom_left", "bottom_right")


@dataclass(frozen=True, slots=True)
class RangeBand:
    """A named interval of distance and how it is drawn and lit.

    Attributes:
        name: Key, e.g. `yellow`, `6in`.
        inches: Length in whole inches, > 0.
        length_mm: The same in millimetres, `inches` x 25.4 to the nearest float.
        marks: Square corners of its printed icon, for colour-blind players.
        colour: Screen colour, six hex digits RGB.
        light: Colour on the LED ruler, six hex digits RGB; never black.
        dash: Pattern between its first and last LED, `#` lit and `.` dark, repeated.
        verified: Whether the length is certain.
        source: Where the length comes from.

    Source: rulebook 2PB-002-111 §2.2 p.9; colours and dashes are a house rule.
    """

    name: str
    inches: int
    length_mm: float
    marks: tuple[str, ...]
    colour: str
    light: str
    dash: str
    verified: bool
    source: str


def range_bands(table: Mapping[str, Any], game: str) -> tuple[RangeBand, ...]:
    """Return the bands of a game, short to long, from a table (a TOML document).

    Raises:
        UnknownTable: A missing, unknown or ill-formed entry, named in the message.

    Source: house rule; the format of `device/data/bands.toml`.
    """
    bands = tuple(
        _band(row, f"bands of {game}, row {number}")
        for number, row in enumerate(rows_of(table, game, "bands"), 1)
    )
    for shorter, longer in pairwise(bands):
        if shorter.inches >= longer.inches:
            raise UnknownTable(f"bands of {game}: {longer.name} is out of order")
    for what in ("name", "dash"):
        values = [getattr(band, what) for band in bands]
        if len(set(values)) != len(values):
            raise UnknownTable(f"bands of {game}: two bands share a {what}")
    return bands


def find_band(bands: Iterable[RangeBand], name: str) -> RangeBand | None:
    """Return the band of this name, or None.

    Source: house rule.
    """
    return next((band for band in bands if band.name == name), None)


def next_shorter(
    bands: Sequence[RangeBand], name: str, steps: int = 1
) -> tuple[RangeBand, int]:
    """Return the band some steps shorter and the steps really taken.

    No distance gets shorter than the shortest band.

    Args:
        bands: Short to long.
        name: Where to start.
        steps: How many bands shorter, >= 0.

    Raises:
        UnknownTable: No band of this name.
        OutOfRange: A negative number of steps.

    Source: rulebook 2PB-002-111 §2.2 p.9 (order), §5.4 p.48 (floor).
    """
    if steps < 0:
        raise OutOfRange(f"cannot step {steps} bands shorter")
    names = [band.name for band in bands]
    if name not in names:
        raise UnknownTable(f"no band {name!r}; there are {', '.join(names)}")
    start = names.index(name)
    taken = min(steps, start)
    return bands[start - taken], taken


def inches_to_whole_mm(inches: int) -> int:
    """Return a length in millimetres, rounded to the nearest (half up).

    Source: the resolver's contract 4.1; 1 inch is 25.4 mm.
    """
    return int(inches * MM_PER_INCH + Fraction(1, 2))


_BAND_ROW = {
    "name": str,
    "inches": int,
    "colour": str,
    "light": str,
    "dash": str,
    "marks": list,
    "source": str,
    "verified": bool,
}


def _band(row: Mapping[str, Any], where: str) -> RangeBand:
    row = row_of(row, where, _BAND_ROW)
    for what in ("colour", "light"):
        digits = row[what]
        if len(digits) != 6 or set(digits) - set("0123456789abcdef"):
            raise UnknownTable(f"{where}: {what} is six hex digits, not {digits!r}")
    if row["inches"] <= 0:
        raise UnknownTable(f"{where}: a length is above 0, not {row['inches']}")
    if not row["dash"].startswith("#") or set(row["dash"]) - set("#."):
        raise UnknownTable(f"{where}: a dash is # and . from #, not {row['dash']!r}")
    if set(row["marks"]) - set(CORNERS):
        raise UnknownTable(f"{where}: marks are among {', '.join(CORNERS)}")
    return RangeBand(
        name=row["name"],
        inches=row["inches"],
        length_mm=float(row["inches"] * MM_PER_INCH),
        marks=tuple(row["marks"]),
        colour=row["colour"],
        light=row["light"],
        dash=row["dash"],
        verified=row["verified"],
        source=row["source"],
    )
