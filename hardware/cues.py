"""Cues: what a ruler shall light, in millimetres and names of bands."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final

from device.errors import BadInput
from device.rules.ranges import RangeBand, find_band
from device.units import Millimetres
from hardware.bars import Bars, parse_bars

MOST_BANDS: Final = 12
"""Bands end to end in one cue; the games lay two, sometimes three."""

LONGEST_MM: Final[Millimetres] = 20_000.0
"""Twenty metres: no table is longer, and a slip of a decimal is refused."""

KINDS: Final = ("bands", "band", "length_mm", "lengths_mm", "area", "bars", "off")


@dataclass(frozen=True, slots=True)
class Cue:
    """One thing to light. At most one of them and an origin is given.

    Attributes:
        bands: Names, nearest first, laid end to end from `origin_mm`.
        length_mm: One plain length from `origin_mm`, above 0, or None.
        lengths_mm: Plain lengths end to end from `origin_mm`, two looks in turn.
        bars: Level bars from `origin_mm`, or None.
        area_mm: From and to on the ruler, counted from `origin_mm`, or None.
        origin_mm: Where on the ruler the measuring starts.
    """

    bands: tuple[str, ...] = ()
    length_mm: Millimetres | None = None
    lengths_mm: tuple[Millimetres, ...] = ()
    bars: Bars | None = None
    area_mm: tuple[Millimetres, Millimetres] | None = None
    origin_mm: Millimetres = 0.0

    @property
    def is_off(self) -> bool:
        """Nothing shall be lit."""
        return self == Cue(origin_mm=self.origin_mm)

    def as_json(self) -> dict[str, Any]:
        """Return the cue as `parse_cue` takes it."""
        if self.is_off:
            return {"off": True}
        cue: dict[str, Any] = {"origin_mm": self.origin_mm}
        if self.bands:
            cue["bands"] = list(self.bands)
        elif self.length_mm is not None:
            cue["length_mm"] = self.length_mm
        elif self.lengths_mm:
            cue["lengths_mm"] = list(self.lengths_mm)
        elif self.bars is not None:
            cue["bars"] = self.bars.as_json()
        elif self.area_mm is not None:
            cue["area"] = {"from_mm": self.area_mm[0], "to_mm": self.area_mm[1]}
        return cue


OFF: Final = Cue()


def parse_cue(json: object, bands: Sequence[RangeBand]) -> Cue:
    """Return the cue that a JSON value describes.

    Args:
        json: One of ``{"bands": ["yellow", "green"]}``, ``{"band": "red"}``,
            ``{"length_mm": 203}``, ``{"lengths_mm": [203, 102]}`` (end to end),
            ``{"area": {"from_mm": 0, "to_mm": 203}}``, ``{"bars": {"steps": 10,
            "step_mm": 14, "gap_mm": 20, "lit": [3, 1]}}``, each with ``"origin_mm"``
            if wanted, or ``{"off": true}``.
        bands: Of the game.

    Raises:
        BadInput: Anything else; `field` names the place, e.g. ``bands[1]``.
    """
    if not isinstance(json, Mapping):
        raise BadInput(f"a cue is a JSON object, not {_shown(json)}")
    given = [kind for kind in KINDS if kind in json]
    for key in json:
        if key not in (*KINDS, "origin_mm"):
            raise BadInput(f"unknown field {key!r}{_hint(key)}", str(key))
    if len(given) != 1:
        found = ", ".join(given) or "none"
        raise BadInput(
            f"a cue has one of {', '.join(KINDS)}; found {found}",
            given[1] if given else "",
        )
    kind = given[0]
    if kind == "off":
        return _off(json)
    origin_mm = _number(json.get("origin_mm", 0.0), "origin_mm", -LONGEST_MM)
    if kind == "length_mm":
        length_mm = _length(json["length_mm"], "length_mm")
        return Cue(length_mm=length_mm, origin_mm=origin_mm)
    if kind == "lengths_mm":
        lengths_mm = _lengths(json["lengths_mm"])
        return Cue(lengths_mm=lengths_mm, origin_mm=origin_mm)
    if kind == "bars":
        return Cue(bars=parse_bars(json["bars"]), origin_mm=origin_mm)
    if kind == "area":
        return Cue(area_mm=_area(json["area"]), origin_mm=origin_mm)
    names = [json["band"]] if kind == "band" else json["bands"]
    return Cue(bands=_names(names, kind, bands), origin_mm=origin_mm)


def _off(json: Mapping[str, object]) -> Cue:
    if json["off"] is not True:
        raise BadInput(f"off is true or absent, not {_shown(json['off'])}", "off")
    if "origin_mm" in json:
        raise BadInput("off has no origin", "origin_mm")
    return OFF


def _names(names: object, kind: str, bands: Sequence[RangeBand]) -> tuple[str, ...]:
    if not isinstance(names, (list, tuple)) or not 1 <= len(names) <= MOST_BANDS:
        raise BadInput(f"bands is a list of 1 to {MOST_BANDS} names", "bands")
    for index, name in enumerate(names):
        field = "band" if kind == "band" else f"bands[{index}]"
        if not isinstance(name, str):
            raise BadInput(f"a band is a name, not {_shown(name)}", field)
        if find_band(bands, name) is None:
            known = ", ".join(band.name for band in bands) or "none"
            raise BadInput(f"no band {name!r}; there are {known}", field)
    return tuple(names)


def _area(area: object) -> tuple[Millimetres, Millimetres]:
    if not isinstance(area, Mapping):
        raise BadInput(f"area is an object, not {_shown(area)}", "area")
    for key in area:
        if key not in ("from_mm", "to_mm"):
            raise BadInput(f"unknown field {key!r}", f"area.{key}")
    for key in ("from_mm", "to_mm"):
        if key not in area:
            raise BadInput(f"area needs {key}", f"area.{key}")
    from_mm = _number(area["from_mm"], "area.from_mm", -LONGEST_MM)
    to_mm = _number(area["to_mm"], "area.to_mm", -LONGEST_MM)
    if to_mm <= from_mm:
        raise BadInput(f"to_mm {to_mm:g} is not beyond from_mm {from_mm:g}", "area")
    return from_mm, to_mm


def _lengths(values: object) -> tuple[Millimetres, ...]:
    if not isinstance(values, (list, tuple)) or not 1 <= len(values) <= MOST_BANDS:
        raise BadInput(f"lengths_mm is a list of 1 to {MOST_BANDS}", "lengths_mm")
    return tuple(
        _length(value, f"lengths_mm[{index}]") for index, value in enumerate(values)
    )


def _length(value: object, field: str) -> Millimetres:
    length_mm = _number(value, field, 0.0)
    if length_mm == 0:
        raise BadInput(f"{field} is above 0", field)
    return length_mm


def _number(value: object, field: str, least: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise BadInput(f"{field} is a number of millimetres", field)
    # Comparing first keeps huge whole numbers from overflowing in float().
    if not least <= value <= LONGEST_MM or not math.isfinite(value):
        raise BadInput(f"{field} is {least:g} to {LONGEST_MM:g}", field)
    return float(value)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _hint(key: object) -> str:
    near = get_close_matches(str(key), (*KINDS, "origin_mm"), 1)
    return f"; did you mean {near[0]!r}?" if near else ""
