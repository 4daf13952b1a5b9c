"""Commands that edit units on the table: what their cards say, and what they carry.

Tokens stay with the models: critical points with the weapon of the same name, copies
of an item less what has been used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from device.errors import BadInput
from device.games.foww.arguments import Args, find_unit, text
from device.games.foww.battle import MOST_MODELS
from device.games.foww.logged import named
from device.games.foww.tokens import refuse, settled
from device.games.game import Deed
from device.rosters.cards import Cards, find_card
from device.rosters.roster import parse_cards, parse_roster
from device.table.army import Armies, Model, Unit, make_models
from device.table.cards import CardName, Carried, UnitCard
from device.table.codec import JSON, to_json
from device.table.events import Draft
from device.table.state import Content

ARMY_LIST: Final = ("name", "weapons", "items", "power_armour", "hero")
"""Fields of a unit card that come from the army list, not from the printed card."""


def set_cards(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Say what cards say (TOML), for every unit on the table that has them."""
    cards = parse_cards(text(args, "cards").encode())
    changed = []
    for unit in content.armies.units:
        card = with_values(unit.card, cards)
        if card != unit.card:
            changed.append(refitted(unit, card))
    if not changed:
        return []
    kinds = (cards.units, cards.weapons, cards.items, cards.power_armour)
    names: list[JSON] = [to_json(card.name) for kind in kinds for card in kind]
    return [Draft("cards_set", {"units": to_json(changed), "log": {"names": names}})]


def edit_unit(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Say what a unit carries, how many models it has, and what it costs.

    ``roster`` is TOML with this one unit. What its card says stays as it is.
    """
    unit = find_unit(content.armies, args)
    roster = parse_roster(text(args, "roster").encode(), Cards())
    if len(roster.units) != 1:
        raise BadInput("expected one unit", "roster")
    wanted = roster.units[0]
    if model_count(content.armies) - len(unit.models) + wanted.count > MOST_MODELS:
        raise refuse("army_full")
    listed = {name: getattr(wanted.card, name) for name in ARMY_LIST if name != "name"}
    card = _replaced(unit.card, listed)
    after = refitted(unit, card, wanted.count)
    after = replace(after, points=wanted.points)
    data = {"units": to_json([after]), "log": named(after)}
    return [Draft("unit_edited", data)]


def model_count(armies: Armies) -> int:
    """Return how many models both sides have, those out of the battle included."""
    return sum(1 for _ in armies.models())


def with_values(card: UnitCard, cards: Cards) -> UnitCard:
    """Return a unit card with the values that cards of the same names have."""
    own = find_card(cards.units, card.name)
    if own is not None:
        listed = {name: getattr(card, name) for name in ARMY_LIST}
        listed["name"] = _both(card.name, own.name)
        card = _replaced(own, listed)
    armour = card.power_armour
    return replace(
        card,
        weapons=tuple(find_card(cards.weapons, w.name) or w for w in card.weapons),
        items=tuple(
            replace(one, item=find_card(cards.items, one.item.name) or one.item)
            for one in card.items
        ),
        power_armour=armour and (find_card(cards.power_armour, armour.name) or armour),
    )


def _both(one: CardName, other: CardName) -> CardName:
    return CardName(one.en or other.en, one.ru or other.ru)


def _replaced(card: UnitCard, changes: dict[str, Any]) -> UnitCard:
    put: Callable[..., UnitCard] = replace
    return put(card, **changes)


# --- Tokens that stay ---------------------------------------------------------------


def refitted(unit: Unit, card: UnitCard, count: int | None = None) -> Unit:
    """Return a unit with another card, its models keeping what still fits.

    Args:
        unit: As it is.
        card: As it will be.
        count: Models from now on; the last ones go, None leaves them.
    """
    after = replace(unit, card=card)
    wanted = len(unit.models) if count is None else count
    fresh = make_models(unit.id, card, max([wanted, *(m.number for m in unit.models)]))
    kept = tuple(_kept(unit, card, fresh[0], model) for model in unit.models[:wanted])
    taken = {model.number for model in kept}
    new = [model for model in fresh if model.number not in taken]
    models = (*kept, *new[: wanted - len(kept)])
    return replace(after, models=tuple(settled(after, model) for model in models))


def _kept(unit: Unit, card: UnitCard, fresh: Model, model: Model) -> Model:
    """Return a model with its tokens, placed as another card lists things.

    `fresh` is a model of that card as it starts: a hero whose luck was not known until
    now has all of it.
    """
    old = unit.card
    weapons = _places([w.name for w in old.weapons], [w.name for w in card.weapons])
    items = _places([i.item.name for i in old.items], [i.item.name for i in card.items])
    gauges = [weapon.critical_rating for weapon in card.weapons]
    criticals = _moved(weapons, model.criticals, fresh.criticals)
    had_luck = old.hero and old.special.luck is not None
    luck = model.luck if had_luck else max(model.luck, fresh.luck)
    return replace(
        model,
        luck=min(luck, card.special.luck or 0),
        criticals=tuple(
            points if most is None else min(points, most)
            for points, most in zip(criticals, gauges, strict=True)
        ),
        loaded=_moved(weapons, model.loaded, fresh.loaded),
        items=tuple(
            carried.count
            if place is None
            else _left(model.items[place], old.items[place], carried)
            for place, carried in zip(items, card.items, strict=True)
        ),
        power_armour=model.power_armour if card.power_armour else 0,
        broken=model.broken and card.power_armour is not None,
    )


def _left(left: int, before: Carried, now: Carried) -> int:
    return max(0, left + now.count - before.count)


def _places(old: Sequence[CardName], new: Sequence[CardName]) -> list[int | None]:
    """Return where each new name stood before, None where it did not; each once."""
    free: list[CardName | None] = list(old)
    places: list[int | None] = []
    for name in new:
        place = next(
            (at for at, one in enumerate(free) if one and _is_same(one, name)), None
        )
        if place is not None:
            free[place] = None
        places.append(place)
    return places


def _is_same(one: CardName, other: CardName) -> bool:
    return find_card((UnitCard(one),), other) is not None


def _moved(
    places: Sequence[int | None], old: Sequence[int], fresh: Sequence[int]
) -> tuple[int, ...]:
    return tuple(
        start if place is None else old[place]
        for place, start in zip(places, fresh, strict=True)
    )


EDITS: Final[dict[str, tuple[Deed, tuple[str, ...] | None]]] = {
    "set_cards": (set_cards, ("cards",)),
    "edit_unit": (edit_unit, ("unit", "roster")),
}
"""Every command that edits, with the arguments it takes."""
