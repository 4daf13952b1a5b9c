"""The cards of this table: the shipped ones, and those that players brought earlier."""

from __future__ import annotations

import logging
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

from device.durable import write_atomic
from device.errors import ConfigError
from device.rosters.cards import Cards
from device.rosters.problems import RosterError
from device.rosters.roster import (
    MOST_BYTES,
    Roster,
    parse_cards,
    parse_roster,
    says_nothing,
)
from device.rosters.writing import cards_toml
from device.table.cards import ItemCard, PowerArmourCard, WeaponCard

logger = logging.getLogger(__name__)

FILE: Final = "cards.toml"
"""In the state folder."""

STARTERS: Final = ("brotherhood", "super_mutants")
"""Names of the shipped armies."""


@cache
def shipped_cards() -> Cards:
    """Return the cards that the sources state."""
    return parse_cards(_shipped("cards_foww.toml"))


@cache
def starter(name: str) -> Roster:
    """Return a shipped army: one of `STARTERS`."""
    return parse_roster(_shipped(f"army_{name}.toml"), shipped_cards())


def _shipped(name: str) -> bytes:
    return resources.files("device.data").joinpath(name).read_bytes()


def known_cards(folder: Path | None) -> Cards:
    """Return all known cards; those that players entered count before shipped ones.

    A file that cannot be read is left alone: the shipped cards are still there.
    """
    return shipped_cards() + entered_cards(folder)


def entered_cards(folder: Path | None) -> Cards:
    """Return the cards that players entered earlier."""
    if folder is None:
        return Cards()
    try:
        return parse_cards((folder / FILE).read_bytes())
    except FileNotFoundError:
        return Cards()
    except (OSError, RosterError) as error:
        logger.warning("%s is left aside: %s", folder / FILE, error)
        return Cards()


def remember_cards(folder: Path, cards: Cards) -> bool:
    """Keep cards that say something for later rosters.

    Returns:
        False where the file would become too large: then nothing is kept.

    Raises:
        ConfigError: The folder cannot be written.
    """
    shipped = shipped_cards()
    units = [card for card in cards.units if not says_nothing(card)]
    weapons = [card for card in cards.weapons if card != WeaponCard(card.name)]
    items = [card for card in cards.items if card != ItemCard(card.name)]
    armour = [one for one in cards.power_armour if one != PowerArmourCard(one.name)]
    telling = Cards(
        units=tuple(card for card in units if card not in shipped.units),
        weapons=tuple(card for card in weapons if card not in shipped.weapons),
        items=tuple(card for card in items if card not in shipped.items),
        power_armour=tuple(one for one in armour if one not in shipped.power_armour),
    )
    if telling == Cards():
        return True
    data = cards_toml(entered_cards(folder) + telling).encode()
    if len(data) > MOST_BYTES:
        logger.warning("%s is full; no more cards are kept", folder / FILE)
        return False
    try:
        write_atomic(folder / FILE, data)
    except OSError as error:
        raise ConfigError(f"{folder / FILE}: cannot be written: {error}") from error
    return True
