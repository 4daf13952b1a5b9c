"""The form of a unit: what it is, how many models, what each of them carries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from device.errors import BadInput
from device.rosters.cards import Cards
from device.rosters.reading import LIST_LENGTH
from device.rosters.roster import MOST_MODELS, Roster, RosterUnit, filled
from device.rosters.writing import roster_toml
from device.table.army import Unit
from device.table.cards import Carried, ItemCard, PowerArmourCard, UnitCard, WeaponCard
from web.act import ticked, whole
from web.games.foww.known import Card, find_or_blank

MOST_COPIES = 99


@dataclass(frozen=True, slots=True)
class Row:
    """Something that a unit carries, as the form lists it.

    Attributes:
        field: Name of its input.
        card: The card.
        count: Copies; weapons have one.
    """

    field: str
    card: Card
    count: int = 1


def rows(unit: Unit | None) -> dict[str, tuple[Row, ...]]:
    """Return what a unit carries: ``weapons``, ``items``."""
    if unit is None:
        return {"weapons": (), "items": ()}
    card = unit.card
    return {
        "weapons": tuple(
            Row(f"weapon_{at}", one) for at, one in enumerate(card.weapons)
        ),
        "items": tuple(
            Row(f"item_{at}", one.item, one.count) for at, one in enumerate(card.items)
        ),
    }


def read_unit(form: Mapping[str, str], unit: Unit | None, cards: Cards) -> str:
    """Return the roster (TOML) of the one unit that a form describes.

    Args:
        form: As sent.
        unit: That is edited, None for a new one.
        cards: Known ones; a name that none of them has becomes a new card.

    Raises:
        BadInput: A number that is none, or no name.
    """
    card = unit.card if unit else _new_unit(form, cards)
    armour = form.get("power_armour", "")
    if name := _typed(form, "new_power_armour"):
        armour = name
    card = replace(
        card,
        hero=ticked("hero"),
        weapons=_weapons(form, card, cards),
        items=_items(form, card, cards),
        power_armour=find_or_blank(cards.power_armour, armour, PowerArmourCard)
        if armour
        else None,
    )
    count = _within("count", whole("count", 1), 1, MOST_MODELS)
    points = whole("points", -1)
    if points >= 0:
        _within("points", points, 0, 9999)
    one = RosterUnit(card, count, points if points >= 0 else None)
    return roster_toml(Roster("", (one,), Cards()))


def _new_unit(form: Mapping[str, str], cards: Cards) -> UnitCard:
    name = _typed(form, "new_unit") or form.get("unit_name", "")
    if not name:
        raise BadInput("which unit?", "unit")
    card = find_or_blank(cards.units, name, UnitCard)
    return filled(UnitCard(card.name), card)


def _weapons(
    form: Mapping[str, str], card: UnitCard, cards: Cards
) -> tuple[WeaponCard, ...]:
    kept = [one for at, one in enumerate(card.weapons) if f"weapon_{at}" in form]
    names = _added(form, "weapon")
    added = [find_or_blank(cards.weapons, name, WeaponCard) for name in names]
    return (*kept, *added)[:LIST_LENGTH]


def _items(
    form: Mapping[str, str], card: UnitCard, cards: Cards
) -> tuple[Carried, ...]:
    kept = []
    for at, one in enumerate(card.items):
        count = _within("items", whole(f"item_{at}", 0), 0, MOST_COPIES)
        if count:
            kept.append(replace(one, count=count))
    for name in _added(form, "item"):
        kept.append(Carried(find_or_blank(cards.items, name, ItemCard)))
    return tuple(kept)[:LIST_LENGTH]


def _added(form: Mapping[str, str], kind: str) -> list[str]:
    names = (form.get(f"add_{kind}", ""), _typed(form, f"new_{kind}"))
    return [name for name in names if name]


def _typed(form: Mapping[str, str], field: str) -> str:
    """Return a name as typed, spaces tidied; "" for none.

    Raises:
        BadInput: No name looks like this.
    """
    name = " ".join(form.get(field, "").split())
    if len(name) > 80 or not name.isprintable():
        raise BadInput("a name has 80 letters at most", field.removeprefix("new_"))
    return name


def _within(field: str, value: int, low: int, high: int) -> int:
    if not low <= value <= high:
        raise BadInput(f"expected a whole number, {low} to {high}", field)
    return value
