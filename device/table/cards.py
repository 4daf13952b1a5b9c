"""Cards of Fallout: Wasteland Warfare: what a unit is and carries, as far as known.

What nobody has stated is None or empty, never a guess.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CardName:
    """A card's name.

    Attributes:
        en: In English, "" where unknown.
        ru: In Russian, "" where unknown.
    """

    en: str = ""
    ru: str = ""

    @property
    def any(self) -> str:
        """The English name, else the Russian one."""
        return self.en or self.ru


@dataclass(frozen=True, slots=True)
class Ratings:
    """Armour ratings as printed: ``3``, ``3+1``, ``-`` for none, ``X``; "" unknown.

    Attributes:
        physical: Against physical damage.
        energy: Against energy damage.
        radiation: Against radiation damage.
    """

    physical: str = ""
    energy: str = ""
    radiation: str = ""


@dataclass(frozen=True, slots=True)
class Special:
    """The seven attributes; None where unknown."""

    strength: int | None = None
    perception: int | None = None
    endurance: int | None = None
    charisma: int | None = None
    intelligence: int | None = None
    agility: int | None = None
    luck: int | None = None


@dataclass(frozen=True, slots=True)
class WeaponDamage:
    """Damage printed on a weapon.

    Attributes:
        type: ``physical``, ``energy`` or ``radiation``.
        value: Points.
    """

    type: str
    value: int


@dataclass(frozen=True, slots=True)
class WeaponCard:
    """A weapon.

    Attributes:
        name: Of the card.
        skill: Skill icon: ``rifle``, ``pistol``, ``melee``, ...; "" unknown.
        damage: Base damage; empty where unknown.
        short_dice: Effect dice at short range, ``(colour, count)``.
        long_dice: Effect dice at long range.
        critical_rating: Length of the critical gauge; None without one, or unknown.
        slow_fire: Carries a loaded/unloaded token.
        source: Where the facts are from.
        verified: Somebody compared them with the printed card.
    """

    name: CardName
    skill: str = ""
    damage: tuple[WeaponDamage, ...] = ()
    short_dice: tuple[tuple[str, int], ...] = ()
    long_dice: tuple[tuple[str, int], ...] = ()
    critical_rating: int | None = None
    slow_fire: bool = False
    source: str = ""
    verified: bool = False


@dataclass(frozen=True, slots=True)
class ItemCard:
    """An item.

    Attributes:
        name: Of the card.
        consumable: Discarded after use; copies are counted. None unknown.
        source: Where the facts are from.
        verified: Somebody compared them with the printed card.
    """

    name: CardName
    consumable: bool | None = None
    source: str = ""
    verified: bool = False


@dataclass(frozen=True, slots=True)
class PowerArmourCard:
    """Power armour.

    Attributes:
        name: Of the card.
        endurance: END bonus; as many tokens break it. None unknown.
        strength: STR bonus, None unknown.
        armour: Ratings while unbroken.
        broken: Ratings once broken.
        source: Where the facts are from.
        verified: Somebody compared them with the printed card.
    """

    name: CardName
    endurance: int | None = None
    strength: int | None = None
    armour: Ratings = field(default_factory=Ratings)
    broken: Ratings = field(default_factory=Ratings)
    source: str = ""
    verified: bool = False


@dataclass(frozen=True, slots=True)
class Carried:
    """Copies of an item that each model of a unit starts with.

    Attributes:
        item: The card.
        count: Copies, 1 or more.
    """

    item: ItemCard
    count: int = 1


@dataclass(frozen=True, slots=True)
class UnitCard:
    """A unit card with what its models carry.

    Attributes:
        name: Of the card.
        faction: As printed, "" unknown.
        special: Attributes.
        health: Number of the health attribute, without a hero's bonus; None unknown.
        armour: Ratings.
        skills: ``(skill, attribute)``: under which attribute a skill's icon stands.
        unique: One in a force; None unknown.
        hero: Carries a hero card.
        robot: Immune to poison, healed by repair kits.
        weapons: Carried by each model.
        items: Carried by each model.
        power_armour: Worn, or None.
        source: Where the facts are from.
        verified: Somebody compared them with the printed card.
    """

    name: CardName
    faction: str = ""
    special: Special = field(default_factory=Special)
    health: int | None = None
    armour: Ratings = field(default_factory=Ratings)
    skills: tuple[tuple[str, str], ...] = ()
    unique: bool | None = None
    hero: bool = False
    robot: bool = False
    weapons: tuple[WeaponCard, ...] = ()
    items: tuple[Carried, ...] = ()
    power_armour: PowerArmourCard | None = None
    source: str = ""
    verified: bool = False
