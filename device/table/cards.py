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
class WeaponEffect:
    """A special effect printed on a weapon: rolled icons pay for it.

    Attributes:
        does: ``damage``, ``penetration``, ``ignore_armour``, ``push_back`` or a
            condition.
        amount: Points of it, where it counts; for a push 0.
        range: Ruler of a push-back, "" otherwise.
        bottle: Bottles that one use costs.
        star: Stars.
        burst: Bursts.
        limit: Most uses in an attack, None without a limit.
        critical: Printed inside the critical area.
        when_damaged: Only when the target takes damage.
    """

    does: str
    amount: int = 1
    range: str = ""
    bottle: int = 0
    star: int = 0
    burst: int = 0
    limit: int | None = None
    critical: bool = False
    when_damaged: bool = False


@dataclass(frozen=True, slots=True)
class ScatterRow:
    """A row of a weapon's scatter table.

    Attributes:
        least: Smallest miss of the row.
        most: Largest miss, None without an end.
        range: Ruler of the scatter.
    """

    least: int
    most: int | None
    range: str


@dataclass(frozen=True, slots=True)
class WeaponCard:
    """A weapon.

    Attributes:
        name: Of the card.
        skill: Skill icon: ``rifle``, ``pistol``, ``heavy``, ``throw``, ``melee``, ...;
            "" unknown.
        damage: Base damage, to all inside where there is an area; empty unknown.
        target_damage: More damage for the target alone.
        short: Ruler of the short range, of a mine its trigger zone; "" unknown.
        long: Ruler of the long range, "" without one.
        short_dice: Effect dice at short range, ``(colour, count)``.
        long_dice: Effect dice at long range.
        critical_rating: Length of the critical gauge; None without one, or unknown.
        critical_damage: Base damage of a critical attack; empty for the same.
        critical_dice: Effect dice that a critical attack adds.
        effects: Special effects.
        area: Ruler of the area's diameter, "" without one.
        scatter: Its scatter table; empty without the icon.
        grenade: Scatters from its first target.
        mine: It is placed, not thrown.
        slow_fire: Carries a loaded/unloaded token.
        rapid: Shots of one action, 0 without rapid fire.
        rapid_range: Ruler to the next target of rapid fire.
        charges: Charges that it needs, 0 for none.
        no_melee: Has a minimum range: not used in close combat.
        source: Where the facts are from.
        verified: Somebody compared them with the printed card.
    """

    name: CardName
    skill: str = ""
    damage: tuple[WeaponDamage, ...] = ()
    target_damage: tuple[WeaponDamage, ...] = ()
    short: str = ""
    long: str = ""
    short_dice: tuple[tuple[str, int], ...] = ()
    long_dice: tuple[tuple[str, int], ...] = ()
    critical_rating: int | None = None
    critical_damage: tuple[WeaponDamage, ...] = ()
    critical_dice: tuple[tuple[str, int], ...] = ()
    effects: tuple[WeaponEffect, ...] = ()
    area: str = ""
    scatter: tuple[ScatterRow, ...] = ()
    grenade: bool = False
    mine: bool = False
    slow_fire: bool = False
    rapid: int = 0
    rapid_range: str = ""
    charges: int = 0
    no_melee: bool = False
    source: str = ""
    verified: bool = False


@dataclass(frozen=True, slots=True)
class ItemCard:
    """An item.

    Attributes:
        name: Of the card.
        consumable: Discarded after use; copies are counted. None unknown.
        category: ``chem``, ``alcohol``, ``food``, ``gear``, ...; "" unknown.
        duration: ``instant``, ``fixed`` or ``decaying``; "" unknown.
        tokens: Printed on a fixed effect; None for none.
        columns: Attributes of a decaying effect, ``(attribute, change)``, the first
            covered first; a fixed effect has one column.
        addiction: Icon that makes its user addicted, "" without one.
        addicted: What addiction changes, ``(attribute, change)``.
        heals: Regular damage it heals; None unknown.
        heals_radiation: Radiation damage it heals.
        cures: ``stimpak``, ``robot_repair_kit`` or ``antidote``: what it cures is
            what that item does; "" nothing.
        boost: Icons of the armour boost token it gives.
        dogs: Its card names dogs.
        source: Where the facts are from.
        verified: Somebody compared them with the printed card.
    """

    name: CardName
    consumable: bool | None = None
    category: str = ""
    duration: str = ""
    tokens: int | None = None
    columns: tuple[tuple[tuple[str, int], ...], ...] = ()
    addiction: str = ""
    addicted: tuple[tuple[str, int], ...] = ()
    heals: int | None = None
    heals_radiation: int = 0
    cures: str = ""
    boost: int = 0
    dogs: bool = False
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
        ranges: ``(what, ruler)``: ``move``, ``charge``, ``throw``, ``awareness``,
            ``presence``, ``battle_cry``.
        ap_use: What action points buy: ``move``, ``attack``, ``noncombat``,
            ``overwatch``.
        abilities: Rules of its own, see `device.rosters.cards.ABILITIES`.
        immune: Conditions that it never has.
        kind: ``human``, ``super_mutant``, ``creature``, ``dog`` or ``turret``; ""
            unknown.
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
    ranges: tuple[tuple[str, str], ...] = ()
    ap_use: tuple[str, ...] = ()
    abilities: tuple[str, ...] = ()
    immune: tuple[str, ...] = ()
    kind: str = ""
    unique: bool | None = None
    hero: bool = False
    robot: bool = False
    weapons: tuple[WeaponCard, ...] = ()
    items: tuple[Carried, ...] = ()
    power_armour: PowerArmourCard | None = None
    source: str = ""
    verified: bool = False
