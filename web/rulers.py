"""``/rulers``: light a band, several end to end, or a length; what is lit, to scale.

Measuring starts where a model stands, the origin; it stays there, whatever is lit
next, until the ruler is turned off.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, render_template, request, url_for
from werkzeug.wrappers import Response

from device.data.load import bands as load_bands
from device.errors import BadInput
from device.rules.ranges import RangeBand, find_band
from device.table.codec import to_json
from device.table.state import Cue
from device.table.view import StripView
from hardware.bars import parse_bars
from web.act import act, text, whole
from web.hub import current_snapshot
from web.language import marked as N_
from web.language import number
from web.reasons import Refused
from web.words import band_words

bp = Blueprint("rulers", __name__)

ROW_MM = 300.0
"""One drawn row; a longer strip goes on in the next, as a folded ruler does."""

SCREEN_GAMMA = 2.2
"""LEDs take linear duty, screens do not: without this a dim LED would look dark."""

SLIDER_MM = 610
"""Two feet: the longest stack of two bands."""

PLAIN_LIGHT = "ffffff"
"""A plain length has no colour of its own."""

STACK_LONGEST = 6


@dataclass(frozen=True, slots=True)
class Led:
    """One LED as drawn.

    Attributes:
        index: 0 first.
        at_mm: Its centre from the ruler's zero.
        x_mm: Its centre from the left end of its row.
        row: 0 first.
        colour: ``rrggbb`` for a screen, "" while dark.
    """

    index: int
    at_mm: float
    x_mm: float
    row: int
    colour: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """A strip true to scale.

    Attributes:
        view: As the companion tells it.
        leds: In order.
        rows: Number of rows.
        zero_mm: What the left end of the first row stands for.
        first_mm: Centre of the first lit LED, None while dark.
        last_mm: Centre of the last lit LED, None while dark.
        lit: How many are lit.
    """

    view: StripView
    leds: tuple[Led, ...]
    rows: int
    zero_mm: float
    first_mm: float | None
    last_mm: float | None
    lit: int


def draw(view: StripView) -> Drawn:
    """Place every LED of a strip on its rows, in millimetres."""
    zero_mm = min(0.0, view.first_pixel_mm - view.pitch_mm / 2)
    leds = []
    for index, pixel in enumerate(view.pixels):
        at_mm = view.first_pixel_mm + index * view.pitch_mm
        row = int((at_mm - zero_mm) // ROW_MM)
        x_mm = at_mm - zero_mm - row * ROW_MM
        leds.append(Led(index, at_mm, x_mm, row, screen_colour(pixel)))
    lit = [led.at_mm for led in leds if led.colour]
    return Drawn(
        view=view,
        leds=tuple(leds),
        rows=leds[-1].row + 1 if leds else 0,
        zero_mm=zero_mm,
        first_mm=lit[0] if lit else None,
        last_mm=lit[-1] if lit else None,
        lit=len(lit),
    )


def screen_colour(pixel: str) -> str:
    """Return a pixel's duty ``rrggbb`` as a screen shows it, at full brightness.

    The hue is what counts here: a strip dimmed for its power supply still reads as
    lit. Black is "".
    """
    duty = [int(pixel[at : at + 2], 16) for at in (0, 2, 4)]
    most = max(duty)
    if most == 0:
        return ""
    return "".join(
        f"{round(255 * math.pow(value / most, 1 / SCREEN_GAMMA)):02x}" for value in duty
    )


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the lit cue.

    Attributes:
        band: Its band, None for a plain length.
        from_mm: Where it starts on the ruler.
        to_mm: Where it ends.
    """

    band: RangeBand | None
    from_mm: float
    to_mm: float


def spans(cue: Cue | None, bands: Sequence[RangeBand]) -> tuple[Span, ...]:
    """Return what a cue lights, nearest first."""
    if cue is None:
        return ()
    json = cue.cue
    at_mm = float(json.get("origin_mm", 0.0))
    names = json.get("bands") or ([json["band"]] if "band" in json else [])
    found = []
    for name in names:
        band = find_band(bands, name)
        if band is not None:
            found.append(Span(band, at_mm, at_mm + band.length_mm))
            at_mm += band.length_mm
    if "length_mm" in json:
        found.append(Span(None, at_mm, at_mm + float(json["length_mm"])))
    for each_mm in json.get("lengths_mm", ()):
        found.append(Span(None, at_mm, at_mm + float(each_mm)))
        at_mm += float(each_mm)
    if "bars" in json:
        for from_mm, to_mm in parse_bars(json["bars"]).spans_mm():
            found.append(Span(None, at_mm + from_mm, at_mm + to_mm))
    if "area" in json:
        area = json["area"]
        start = at_mm + float(area["from_mm"])
        found.append(Span(None, start, at_mm + float(area["to_mm"])))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Bar:
    """A stretch of a span on one drawn row.

    Attributes:
        row: 0 first.
        x_mm: Its start from the left end of the row.
        width_mm: Its length.
        colour: ``rrggbb`` for a screen.
    """

    row: int
    x_mm: float
    width_mm: float
    colour: str


def bars(strip: Drawn, lit: Sequence[Span]) -> tuple[Bar, ...]:
    """Return the spans as drawn beside a strip's LEDs, cut where a row ends."""
    drawn = []
    for span in lit:
        colour = span.band.light if span.band else PLAIN_LIGHT
        for row in range(strip.rows):
            start_mm = strip.zero_mm + row * ROW_MM
            from_mm = max(span.from_mm, start_mm)
            to_mm = min(span.to_mm, start_mm + ROW_MM)
            if to_mm > from_mm:
                drawn.append(Bar(row, from_mm - start_mm, to_mm - from_mm, colour))
    return tuple(drawn)


def band_name(band: RangeBand) -> str:
    """Return a band's name in words: a colour where it has one, else its key."""
    return band_words(band.name)


def stacked(cue: Cue | None) -> tuple[str, ...]:
    """Return the names of the bands that are lit end to end now."""
    json: Mapping[str, Any] = cue.cue if cue else {}
    names = json.get("bands") or ([json["band"]] if "band" in json else [])
    return tuple(names)


def origin_mm(cue: Cue | None) -> float:
    """Return where on the ruler measuring starts; 0 while nothing is lit."""
    return float(cue.cue.get("origin_mm", 0.0)) if cue else 0.0


def reach_mm(strips: Sequence[StripView]) -> int:
    """Return how far the longest strip reaches from the ruler's zero."""
    ends = (
        view.first_pixel_mm + (len(view.pixels) - 0.5) * view.pitch_mm
        for view in strips
    )
    return round(max(ends, default=SLIDER_MM))


def stepped(names: Sequence[str], by: int, bands: Sequence[RangeBand]) -> list[str]:
    """Return lit bands with the farthest one shorter or longer; it stays at the ends.

    Args:
        names: Of the lit bands, nearest first; one at least.
        by: -1 for the next shorter band, 1 for the next longer.
        bands: Of the game, short to long.
    """
    known = [band.name for band in bands]
    at = min(max(known.index(names[-1]) + by, 0), len(known) - 1)
    return [*names[:-1], known[at]]


@bp.get("/rulers")
def show() -> str:
    """Show the bands, what is lit, and the strips true to scale."""
    snapshot = current_snapshot()
    bands = load_bands(snapshot.state.game)
    lit, stack = spans(snapshot.state.ruler, bands), stacked(snapshot.state.ruler)
    length_mm = round(lit[-1].to_mm - lit[0].from_mm) if lit else 200
    return render_template(
        "rulers.html",
        bands=bands,
        band_name=band_name,
        bars=bars,
        spans=lit,
        total_mm=lit[-1].to_mm - lit[0].from_mm if lit else 0.0,
        stack=stack,
        steps={
            by: lit and stepped(stack, by, bands) != list(stack)
            for by in (-1, 1)
            if stack
        },
        origin_mm=origin_mm(snapshot.state.ruler),
        reach_mm=reach_mm(snapshot.live.strips),
        stack_full=len(stacked(snapshot.state.ruler)) >= STACK_LONGEST,
        slider_mm=SLIDER_MM,
        length_mm=min(length_mm, SLIDER_MM),
        strips=tuple(draw(view) for view in snapshot.live.strips),
        row_mm=ROW_MM,
        number=number,
    )


@bp.post("/rulers/light")
def light() -> Response:
    """Light a band alone, or add it to what is lit."""
    name = text("band")
    names: tuple[str, ...] = (name,)
    if request.form.get("how") == "add":
        names = (*stacked(current_snapshot().state.ruler), name)
    return relight({"bands": list(names)})


@bp.post("/rulers/step")
def step() -> Response:
    """Light the next shorter or longer band in place of the farthest one."""
    now, by = current_snapshot().state, whole("by")
    stack = stacked(now.ruler)
    if by not in (-1, 1):
        raise BadInput(N_("That number is out of range."), "by")
    if not stack:
        raise Refused(409, N_("No band is lit."))
    return relight({"bands": stepped(stack, by, load_bands(now.game))})


@bp.post("/rulers/origin")
def origin() -> Response:
    """Start measuring elsewhere, with what is lit."""
    ruler = current_snapshot().state.ruler
    start_mm = millimetres("origin_mm")
    if ruler is None:
        raise Refused(409, N_("No band is lit."))
    cue = {**to_json(ruler.cue), "origin_mm": start_mm}
    return act("light_ruler", {"cue": cue}, back=url_for(".show"))


def relight(cue: dict[str, Any]) -> Response:
    """Light something else from where measuring starts."""
    start_mm = origin_mm(current_snapshot().state.ruler)
    if start_mm:
        cue["origin_mm"] = start_mm
    return act("light_ruler", {"cue": cue}, back=url_for(".show"))


def millimetres(field: str) -> float:
    """Return a length from the form, ``203.5`` or ``203,5``.

    Raises:
        BadInput: It is no number.
    """
    try:
        return float(text(field).replace(",", "."))
    except ValueError:
        raise BadInput(N_("Please type a number."), field) from None


@bp.post("/rulers/length")
def length() -> Response:
    """Light a plain length."""
    return relight({"length_mm": millimetres("length_mm")})


@bp.post("/rulers/off")
def off() -> Response:
    """Turn the ruler dark."""
    return act("ruler_off", {}, back=url_for(".show"))
