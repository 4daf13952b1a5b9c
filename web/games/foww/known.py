"""The cards that this table knows: shipped, entered by players, lying on the table."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from device.rosters.cards import Cards, find_card, normal
from device.rosters.roster import says_nothing
from device.rosters.store import known_cards
from device.table.army import Armies
from device.table.cards import (
    CardName,
    ItemCard,
    PowerArmourCard,
    UnitCard,
    WeaponCard,
)

Card: TypeAlias = UnitCard | WeaponCard | ItemCard | PowerArmourCard

One = TypeVar("One", bound=UnitCard | WeaponCard | ItemCard | PowerArmourCard)

KINDS: Final = ("unit", "weapon", "item", "power_armour")


def cards_of(kind: str, cards: Cards) -> tuple[Card, ...]:
    """Return the cards of one of `KINDS`."""
    found: dict[str, tuple[Card, ...]] = {
        "unit": cards.units,
        "weapon": cards.weapons,
        "item": cards.items,
        "power_armour": cards.power_armour,
    }
    return found[kind]


def is_bare(card: Card) -> bool:
    """Say whether nothing is known of a card but its name."""
    if isinstance(card, UnitCard):
        return says_nothing(card)
    return card == type(card)(card.name)


def on_table(armies: Armies) -> Cards:
    """Return every card of the units on the table, each name once."""
    cards = Cards()
    for unit in armies.units:
        armour = unit.card.power_armour
        cards += Cards(
            units=(unit.card,),
            weapons=unit.card.weapons,
            items=tuple(one.item for one in unit.card.items),
            power_armour=(armour,) if armour else (),
        )
    return cards


def every_card(folder: Path | None, armies: Armies) -> Cards:
    """Return every card that is known here; what lies on the table says it best."""
    known, here = known_cards(folder), on_table(armies)
    return known + Cards(
        units=_telling(here.units, known.units),
        weapons=_telling(here.weapons, known.weapons),
        items=_telling(here.items, known.items),
        power_armour=_telling(here.power_armour, known.power_armour),
    )


def _telling(here: Iterable[One], known: tuple[One, ...]) -> tuple[One, ...]:
    return tuple(
        card
        for card in here
        if not is_bare(card) or find_card(known, card.name) is None
    )


def find(kind: str, cards: Cards, name: str) -> Card:
    """Return the card of a kind and name, one that says nothing where there is none."""
    if kind == "unit":
        return find_or_blank(cards.units, name, UnitCard)
    if kind == "weapon":
        return find_or_blank(cards.weapons, name, WeaponCard)
    if kind == "item":
        return find_or_blank(cards.items, name, ItemCard)
    return find_or_blank(cards.power_armour, name, PowerArmourCard)


def find_or_blank(cards: Iterable[One], name: str, blank: type[One]) -> One:
    """Return the card of a name, one that says nothing where there is none."""
    is_russian = any("а" <= letter <= "я" for letter in name.casefold())
    named = CardName("", name) if is_russian else CardName(name)
    return find_card(cards, name) or blank(named)


def is_lacking(card: Card) -> bool:
    """Say whether a card lacks something that a battle needs."""
    if isinstance(card, UnitCard):
        special = card.special
        numbers = (card.health, special.strength, special.agility, special.luck)
        has_move = any(what == "move" for what, _ in card.ranges)
        return None in numbers or not card.armour.physical or not has_move
    if isinstance(card, WeaponCard):
        has_range = card.short or card.skill == "melee"
        return not card.skill or not card.damage or not has_range
    if isinstance(card, ItemCard):
        return card.consumable is None
    return card.endurance is None or not card.armour.physical


def lacking(armies: Armies) -> tuple[tuple[str, CardName], ...]:
    """Return the cards on the table that lack something, by kind, each once."""
    cards, found = on_table(armies), []
    for kind in KINDS:
        for card in cards_of(kind, cards):
            if is_lacking(card):
                found.append((kind, card.name))
    return tuple(found)


def is_named(name: CardName, text: str) -> bool:
    """Say whether a text is one of a card's names."""
    return normal(text) in {normal(name.en), normal(name.ru)} - {""}
