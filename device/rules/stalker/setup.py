"""Setting up and events (STALKER: ZONA, РАССТАНОВКА ФИГУР, МАРКЕРЫ И КАРТЫ СОБЫТИЙ)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.stalker.zona import Zona
from device.rules.step import step


@dataclass(frozen=True, slots=True)
class EdgeRoll:
    """A player's die for the choice of a table side.

    Source: STALKER: ZONA, РАССТАНОВКА ФИГУР (U3).
    """

    player: str
    die: int


@dataclass(frozen=True, slots=True)
class Placed:
    """A figure on the table.

    Source: STALKER: ZONA, РАССТАНОВКА ФИГУР (U4).
    """

    id: str
    from_edge: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment(Answer):
    """Who chooses a table side, and where figures may stand.

    Attributes:
        first: Player who chooses first; None on a tie.
        tie: The highest die was rolled twice.
        reroll: Players who roll again.
        second_side: None for one player, `any_remaining` or `opposite`.
        depth_inches: How far from the own edge figures may stand.
        too_deep: Figures that stand further.

    Source: STALKER: ZONA, РАССТАНОВКА ФИГУР (U3 to U5).
    """

    first: str | None
    tie: bool
    reroll: tuple[str, ...]
    second_side: str | None
    depth_inches: int
    too_deep: tuple[str, ...]


def deployment(
    zona: Zona,
    rolls: Sequence[EdgeRoll],
    allies: bool = False,
    figures: Sequence[Placed] = (),
) -> Deployment:
    """Return who chooses a side and which figures stand too deep.

    Args:
        zona: The game's tables.
        rolls: One d6 a player.
        allies: The players are allies.
        figures: Figures placed, with their distance from the own edge.

    Source: STALKER: ZONA, РАССТАНОВКА ФИГУР (U3 to U5).
    """
    best = max(roll.die for roll in rolls)
    highest = tuple(roll.player for roll in rolls if roll.die == best)
    tie = len(highest) > 1
    depth = zona.number("setup", "depth_inches")
    too_deep = tuple(figure.id for figure in figures if figure.from_edge > depth)
    second = None
    if len(rolls) > 1:
        second = "any_remaining" if allies else "opposite"
    steps = [
        step("stalker_deployment.tie", die=best)
        if tie
        else step("stalker_deployment", player=highest[0])
    ]
    steps += [step("stalker_deployment.deep", id=name) for name in too_deep]
    return Deployment(
        first=None if tie else highest[0],
        tie=tie,
        reroll=highest if tie else (),
        second_side=second,
        depth_inches=depth,
        too_deep=too_deep,
        steps=tuple(steps),
        open=("U5",) if tie else (),
    )


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """An event card and what its reaction earned.

    Source: STALKER: ZONA, КАРТЫ СОБЫТИЙ (E3, E4).
    """

    figure: str
    xp: int
    loot: int


@dataclass(frozen=True, slots=True)
class Earned:
    """Experience and loot of a figure.

    Source: STALKER: ZONA, КАРТЫ СОБЫТИЙ (E4).
    """

    xp: int = 0
    loot: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Events(Answer):
    """The deck of events and what its cards earned.

    Attributes:
        deck_ok: The deck has as many cards as there are markers.
        left: Cards left.
        totals: Experience and loot by figure.

    Source: STALKER: ZONA, МАРКЕРЫ И КАРТЫ СОБЫТИЙ (E1 to E4).
    """

    deck_ok: bool
    left: int
    totals: Mapping[str, Earned]


def events(
    zona: Zona,
    deck: int,
    markers: int | None = None,
    drawn: Sequence[DrawnCard] = (),
) -> Events:
    """Return the state of the event deck and each figure's earnings.

    Args:
        zona: The game's tables.
        deck: Cards at the start.
        markers: Event markers; None for a standard game's.
        drawn: Cards drawn.

    Raises:
        BadInput: More cards drawn than the deck had.

    Source: STALKER: ZONA, МАРКЕРЫ И КАРТЫ СОБЫТИЙ (E1 to E4).
    """
    if len(drawn) > deck:
        raise BadInput(f"{len(drawn)} cards drawn from a deck of {deck}", "drawn")
    markers = zona.number("setup", "markers") if markers is None else markers
    totals: dict[str, Earned] = {}
    for card in drawn:
        sofar = totals.get(card.figure, Earned())
        totals[card.figure] = replace(
            sofar, xp=sofar.xp + card.xp, loot=sofar.loot + card.loot
        )
    key = "stalker_events" if deck == markers else "stalker_events.uneven"
    steps = [step(key, deck=deck, markers=markers)]
    steps += [
        step("stalker_events.total", id=name, xp=sums.xp, loot=sums.loot)
        for name, sums in totals.items()
    ]
    return Events(
        deck_ok=deck == markers,
        left=deck - len(drawn),
        totals=totals,
        steps=tuple(steps),
    )
