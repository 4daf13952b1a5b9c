"""What a phone sees: the state of the table and, beside it, the live tray."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from device.table.codec import JSON
from device.table.state import EMPTY, TableState, Want


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence for the page, by key; `web` holds the words.

    Attributes:
        key: ``throw_these``, ``missing_dice``, ``surplus_dice``, ``wrong_dice``,
            ``cocked_die``, ``unsure_die``, ``lying_dice``, ``no_camera``.
        params: Values to fill in: ``dice`` (list of ``{"die", "count"}``),
            ``die``, ``seconds``.
    """

    key: str
    params: Mapping[str, JSON] = field(default_factory=lambda: EMPTY)


@dataclass(frozen=True, slots=True)
class LiveDie:
    """A die lying in the tray now.

    Attributes:
        id: Stable while it lies there.
        die: Name in the dice set, or an untaught kind.
        face: Face key, or None.
        status: ``ok``, ``unsure`` or ``cocked``.
        confidence: 0..1.
        box: ``(x, y, w, h)`` in pixels of the live picture.
        fresh: True for the dice of the throw at hand, False for old ones.
        alternatives: Faces with confidences, most likely first.
    """

    id: str
    die: str
    face: str | None
    status: str
    confidence: float
    box: tuple[float, float, float, float]
    fresh: bool
    alternatives: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the hardware and how it fares.

    Attributes:
        name: ``camera``, ``strip:ruler``, ``panel``, ``journal``, ``reader``.
        ok: False while it is missing or fails.
        simulated: True where it is not real.
        since_s: Seconds since the epoch at which `ok` last changed.
        message: In plain words what is wrong and what to do; "" while ok.
        label: What it is, for people: ``imx708``, ``drawn tray``.
        kind: How it fails, for pages in other languages than the message: ``absent``,
            ``failed``, ``hung``, ``undervoltage``, ``throttled``, ``hot``, or "".
    """

    name: str
    ok: bool
    simulated: bool
    since_s: float
    message: str = ""
    label: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class StripView:
    """What one strip shows now, true to scale.

    Attributes:
        name: As in the config.
        pixels: ``rrggbb``, LED 0 first; duty as sent, before the strip's order.
        pitch_mm: From LED to LED.
        first_pixel_mm: From the ruler's zero to the centre of LED 0.
        milliamps: Estimated current.
        simulated: True where nothing lights up.
    """

    name: str
    pixels: tuple[str, ...]
    pitch_mm: float
    first_pixel_mm: float
    milliamps: float
    simulated: bool


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody whose device has joined the table.

    Attributes:
        name: As typed when joining.
        role: ``player`` or ``spectator``.
        side: ``a`` or ``b`` where a player has taken a side, else "".
        host: True for the one whose device invites the others.
    """

    name: str
    role: str
    side: str = ""
    host: bool = False


@dataclass(frozen=True, slots=True)
class Live:
    """The tray and the parts at this moment; not journaled.

    Attributes:
        phase: ``empty``, ``moving``, ``settling``, ``still``, ``hand`` or
            ``no_camera``.
        dice: Lying there, as of the last reading.
        missing: Dice that the open check still waits for.
        surplus: Ids of fresh dice that the check did not ask for.
        message: What to tell the players, or None.
        parts: Every part with its status.
        strips: What each strip shows.
        frame_wh_px: Size of the live picture, ``(0, 0)`` before the first.
        can_throw: True where `throw` works (a simulated tray).
        people: Who has joined, in that order.
        teaching: Die that is being taught, or "": then no throw counts.
        nudges: Goes up with every change beside the table: of dice being taught, of
            faces counted, of a strip being measured.
    """

    phase: str = "no_camera"
    dice: tuple[LiveDie, ...] = ()
    missing: tuple[Want, ...] = ()
    surplus: tuple[str, ...] = ()
    message: Message | None = None
    parts: tuple[Part, ...] = ()
    strips: tuple[StripView, ...] = ()
    frame_wh_px: tuple[int, int] = (0, 0)
    can_throw: bool = False
    people: tuple[Person, ...] = ()
    teaching: str = ""
    nudges: int = 0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All of it at one moment.

    Attributes:
        version: Opaque; another one for every change, also across restarts.
        seq: Number of the last event.
        state: What is true at the table.
        live: The tray and the parts.
    """

    version: str
    seq: int
    state: TableState
    live: Live


@dataclass(frozen=True, slots=True)
class Command:
    """Something a person asks for.

    Attributes:
        name: ``open_check``, ``undo``, ...
        args: Its arguments, plain JSON.
        by: Who asks, for the log.
        id: Chosen by the sender; the same id is never carried out twice. "" for
            none.
    """

    name: str
    args: Mapping[str, JSON] = field(default_factory=lambda: EMPTY)
    by: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a command.

    Attributes:
        version: Of the first snapshot that shows it.
        events: Numbers of the events it caused; empty where nothing is journaled.
    """

    version: str
    events: tuple[int, ...] = ()
