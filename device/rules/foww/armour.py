"""Armour ratings and the armour check (rulebook §2.10 p.21, §5.2 p.45)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.step import step


@dataclass(frozen=True, slots=True)
class Protection:
    """An armour rating as printed: `r` or, with a sturdy bonus, `r+s`.

    Source: rulebook 2PB-002-111 §2.10 p.21.
    """

    rating: int = 0
    sturdy: int = 0


NO_PROTECTION = Protection()


@dataclass(frozen=True, slots=True)
class ArmourCard:
    """The card that sets the ratings: unit, armour or power armour.

    Attributes:
        card: Its name.
        ratings: Protection by damage type; a type that is not there has none.

    Source: rulebook 2PB-002-111 §2.10 p.21.
    """

    card: str
    ratings: Mapping[str, Protection]


@dataclass(frozen=True, slots=True)
class ArmourModifier:
    """A card that changes ratings.

    Attributes:
        card_type: Clothing, mod, ...: at most one card of each type counts.
        change: What it adds, by damage type.

    Source: rulebook 2PB-002-111 §2.10 p.21.
    """

    card_type: str
    change: Mapping[str, int]


def check_one_card_a_type(modifiers: Sequence[ArmourModifier]) -> None:
    """Refuse two modifier cards of one type; the list is at fault.

    Raises:
        BadInput: Two cards of one type.

    Source: rulebook 2PB-002-111 §2.10 p.21.
    """
    types = [modifier.card_type for modifier in modifiers]
    if len(set(types)) < len(types):
        raise BadInput("at most one card of each type changes the rating")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmourRating(Answer):
    """Which rating protects against a hit.

    Attributes:
        rating: The number to roll against, >= 0.
        sturdy: Damage that is always stopped.
        type: Damage type whose rating is used.
        source: `base` or `power_armour`.

    Source: rulebook 2PB-002-111 §2.10 p.21, §5.2 p.45.
    """

    rating: int
    sturdy: int
    type: str
    source: str


def armour_rating(
    against: Sequence[str],
    worse: bool = False,
    base: ArmourCard | None = None,
    modifiers: Sequence[ArmourModifier] = (),
    power_armour: ArmourCard | None = None,
    power_armour_mods: Sequence[ArmourModifier] = (),
) -> ArmourRating:
    """Return the armour rating that applies to a hit.

    Args:
        against: Damage types; several only where a card says "worse".
        worse: The lowest rating of the types counts.
        base: The card that sets the ratings; needed without power armour.
        modifiers: Cards that change them, one a card type.
        power_armour: The power armour, where the player chooses its rating instead.
        power_armour_mods: Its own mods; nothing else raises it.

    Raises:
        BadInput: No type, several without `worse`, or no card that sets the rating.

    Source: rulebook 2PB-002-111 §2.10 p.21, §5.2 p.45.
    """
    if not against or (len(against) > 1 and not worse):
        raise BadInput("name one damage type, or several with `worse`", "against")
    card, mods = (
        (base, modifiers) if power_armour is None else (power_armour, power_armour_mods)
    )
    if card is None:
        raise BadInput("'base' is missing", "base")
    found = {name: _modified(card, mods, name) for name in against}
    name = min(found, key=lambda n: (found[n].rating, found[n].sturdy))
    printed, chosen = card.ratings.get(name, NO_PROTECTION), found[name]
    source = "base" if power_armour is None else "power_armour"
    steps = [
        step(
            f"armour_rating.{source}",
            card=card.card,
            rating=printed.rating,
            type=name,
        )
    ]
    steps += [
        step("armour_rating.modifier", card=mod.card_type, change=f"{change:+d}")
        for mod in mods
        if (change := mod.change.get(name, 0))
    ]
    if len(found) > 1:
        steps.append(step("worse", type=name))
    if chosen.sturdy:
        steps.append(step("sturdy", count=chosen.sturdy))
    tied = len({protection.rating for protection in found.values()}) < len(found)
    return ArmourRating(
        rating=chosen.rating,
        sturdy=chosen.sturdy,
        type=name,
        source=source,
        steps=tuple(steps),
        open=("O24",) if tied else (),
    )


def _modified(
    card: ArmourCard, mods: Sequence[ArmourModifier], name: str
) -> Protection:
    printed = card.ratings.get(name, NO_PROTECTION)
    change = sum(mod.change.get(name, 0) for mod in mods)
    return Protection(max(0, printed.rating + change), printed.sturdy)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmourCheck(Answer):
    """How much damage armour stops.

    Attributes:
        effective_rating: Rating after cover and penetration, >= 0.
        check_needed: Whether the armour die is rolled.
        sturdy_used: Damage stopped whatever the die shows.
        die_block: Damage that the die stops.
        blocked: Damage stopped in all.
        taken: Damage that gets through.
        boost_icons_left: Armour boost icons after the hit.

    Source: rulebook 2PB-002-111 §2.10 p.21.
    """

    effective_rating: int
    check_needed: bool
    sturdy_used: int
    die_block: int
    blocked: int
    taken: int
    boost_icons_left: int


def armour_check(
    amount: int,
    rating: int,
    sturdy: int = 0,
    cover: int = 0,
    penetration: int = 0,
    boost_icons: int = 0,
    ignore_armour: int = 0,
    die: str | None = None,
) -> ArmourCheck:
    """Return how much of the damage of one type an armour check lets through.

    Args:
        amount: Points of damage, >= 0.
        rating: Armour rating, >= 0.
        sturdy: The printed sturdy bonus.
        cover: Cover on the shot, also a ranged weapon in close combat or an object
            inside an area effect; any number adds 1 once.
        penetration: Penetration icons.
        boost_icons: Icons on the armour boost token.
        ignore_armour: Points that pass in full, <= amount.
        die: Face of the armour die; needed where a check is.

    Raises:
        BadInput: The die is missing, or more points ignore armour than there are.

    Source: rulebook 2PB-002-111 §2.10 p.21, §2.13 p.24, §5.3 p.46.
    """
    if ignore_armour > amount:
        raise BadInput("more points ignore armour than were dealt", "ignore_armour")
    effective = max(0, rating + min(cover, 1) - penetration)
    if effective and die is None:
        raise BadInput("the armour die is needed here", "die")
    rolled = int(die) if effective and die is not None else 0
    die_block = rolled if rolled <= effective else 0
    # only one sturdy bonus at a time, of any origin
    sturdy_used = max(sturdy, int(boost_icons > 0))
    blocked = min(amount - ignore_armour, die_block + sturdy_used)
    steps = [step("armour_rating", rating=rating)]
    if cover:
        steps.append(step("cover.armour"))
    if penetration:
        steps.append(step("pen.armour", count=penetration))
    if ignore_armour:
        steps.append(step("ignore_armour", count=ignore_armour))
    if not effective:
        steps.append(step("armour_check.none"))
    else:
        key = "armour_check" if die_block else "armour_check.failed"
        steps.append(step(key, face=rolled, rating=effective))
    if sturdy_used:
        steps.append(step("sturdy", count=sturdy_used))
    if boost_icons:
        steps.append(step("armour_boost", left=boost_icons - 1))
    steps.append(
        step(
            "armour_check.taken", blocked=blocked, amount=amount, taken=amount - blocked
        )
    )
    opened = [
        *(["O23"] if rating == 0 and cover else []),
        *(["O29"] if boost_icons > 1 and not sturdy else []),
        *(["O32"] if boost_icons else []),
    ]
    return ArmourCheck(
        effective_rating=effective,
        check_needed=effective > 0,
        sturdy_used=sturdy_used,
        die_block=die_block,
        blocked=blocked,
        taken=amount - blocked,
        boost_icons_left=max(0, boost_icons - 1),
        steps=tuple(steps),
        open=tuple(opened),
    )
