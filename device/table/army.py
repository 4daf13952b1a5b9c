"""Units, models and every token that lies beside them, as immutable values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from device.table.cards import UnitCard

SIDES: Final = ("a", "b")
"""Keys of the two players' sides."""

TABLE_TOKENS: Final = ("mine", "search", "investigation", "marker")
"""Tokens that lie on the table and belong to no model, counted."""


@dataclass(frozen=True, slots=True)
class Model:
    """One model and its tokens; every count is 0 or more.

    Attributes:
        id: Unique in the night: ``u4.2`` is the second model of unit ``u4``.
        readiness: ``unready``, ``ready`` or ``activated``.
        active: It is being activated now.
        ap: Action points; 0 outside an activation.
        regular: Regular damage tokens.
        radiation: Radiation damage tokens.
        reaction: Reaction tokens, 1 at most.
        luck: Luck tokens, its LUC at most.
        boost: Icons left on its armour boost token.
        charge_black: Black charge bonus tokens.
        charge_green: Green charge bonus tokens.
        power_armour: Tokens beside its power armour.
        broken: Its power armour shows the broken side.
        conditions: On it, sorted.
        criticals: Critical points by weapon, in the card's order.
        loaded: 1 loaded, 0 unloaded, by weapon; only slow-firing ones change.
        items: Copies left by item, in the card's order.
        removed: Out of the battle.
    """

    id: str
    readiness: str = "unready"
    active: bool = False
    ap: int = 0
    regular: int = 0
    radiation: int = 0
    reaction: int = 0
    luck: int = 0
    boost: int = 0
    charge_black: int = 0
    charge_green: int = 0
    power_armour: int = 0
    broken: bool = False
    conditions: tuple[str, ...] = ()
    criticals: tuple[int, ...] = ()
    loaded: tuple[int, ...] = ()
    items: tuple[int, ...] = ()
    removed: bool = False

    @property
    def number(self) -> int:
        """Which of its unit's models it is, from 1."""
        return int(self.id.rpartition(".")[2])


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit on the table.

    Attributes:
        id: Unique in the night: ``u4``.
        side: One of `SIDES`.
        card: What it is and carries.
        models: All that it started with.
        points: Caps, None unknown.
    """

    id: str
    side: str
    card: UnitCard
    models: tuple[Model, ...]
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Armies:
    """Both sides and what lies between them.

    Attributes:
        units: In the order they came.
        round: From 1.
        advantage: Side that holds the advantage token, or "".
        mine: Mines on the table.
        search: Search tokens.
        investigation: Investigation tokens.
        marker: Scenario markers.
    """

    units: tuple[Unit, ...] = field(default=())
    round: int = 1
    advantage: str = ""
    mine: int = 0
    search: int = 0
    investigation: int = 0
    marker: int = 0

    def side(self, side: str) -> tuple[Unit, ...]:
        """Return one side's units."""
        return tuple(unit for unit in self.units if unit.side == side)

    def models(self) -> Iterator[tuple[Unit, Model]]:
        """Iterate over every model with its unit."""
        for unit in self.units:
            for model in unit.models:
                yield unit, model

    def find(self, model_id: str) -> tuple[Unit, Model] | None:
        """Return a model with its unit, or None."""
        for unit, model in self.models():
            if model.id == model_id:
                return unit, model
        return None

    def with_model(self, changed: Model) -> Armies:
        """Return the armies with a model replaced.

        Raises:
            ValueError: There is no such model.
        """
        found = self.find(changed.id)
        if found is None:
            raise ValueError(f"no model {changed.id!r}")
        models = tuple(
            changed if model.id == changed.id else model for model in found[0].models
        )
        return self.with_unit(replace(found[0], models=models))

    def with_unit(self, changed: Unit) -> Armies:
        """Return the armies with a unit replaced.

        Raises:
            ValueError: There is no such unit.
        """
        if all(unit.id != changed.id for unit in self.units):
            raise ValueError(f"no unit {changed.id!r}")
        units = tuple(changed if unit.id == changed.id else unit for unit in self.units)
        return replace(self, units=units)


def make_models(unit_id: str, card: UnitCard, count: int) -> tuple[Model, ...]:
    """Return a unit's models as they start: loaded, items full, heroes with luck."""
    luck = card.special.luck if card.hero else 0
    return tuple(
        Model(
            id=f"{unit_id}.{number}",
            luck=luck or 0,
            criticals=(0,) * len(card.weapons),
            loaded=(1,) * len(card.weapons),
            items=tuple(one.count for one in card.items),
        )
        for number in range(1, count + 1)
    )
