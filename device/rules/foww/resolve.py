"""Questions about Fallout: Wasteland Warfare as JSON asks them: checks and attacks.

Each kind is the reader of its input; what the reader makes is the rule's answer.
Which rule needs which field stands in the rule; the words are in `vocabulary`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from device.data.load import bands
from device.rules.dice import EFFECT_COLOURS
from device.rules.fields import (
    INT,
    LENGTH,
    NAT,
    OFF,
    ON,
    TEXT,
    ListOf,
    MapOf,
    Nullable,
    Optional,
    Reader,
    distinct,
    one_of,
    record,
)
from device.rules.foww import resolve_items, resolve_turn
from device.rules.foww.armour import armour_check, armour_rating
from device.rules.foww.attacks import BaseDamage, Damage, Weapon, attack
from device.rules.foww.checks import modified_rating, skill_check
from device.rules.foww.damage import Model, PowerArmour, apply_damage, heal
from device.rules.foww.luck import Check, luck
from device.rules.foww.opposed import opposed_check
from device.rules.foww.pool import (
    Melee,
    Source,
    SpecialEffect,
    Spend,
    dice_pool,
    spend_icons,
)
from device.rules.foww.rulers import Length, ruler_length, weapon_range
from device.rules.foww.vocabulary import (
    ARMOUR_CARD,
    ARMOUR_DIE,
    ARMOUR_MODIFIERS,
    DAMAGE_TYPE,
    DAMAGE_TYPES,
    EFFECTS,
    LUCK_SIDE,
    RULER,
    SIDE,
    SKILL,
    SPECIAL_ICONS,
    STATE,
)

_ZERO = Optional(NAT, 0)


def _ruler(ranges: tuple[str, ...]) -> Length:
    return ruler_length(ranges, bands("foww"))


_BASE_DAMAGE = ListOf(record(BaseDamage, type=DAMAGE_TYPE, value=NAT))

_WEAPON = record(
    Weapon,
    damage=_BASE_DAMAGE,
    crit_rating=Optional(Nullable(NAT)),
    critical_damage=Optional(_BASE_DAMAGE),
    thrown=OFF,
)

_CHECKS: dict[str, Reader] = {
    "ruler": record(_ruler, ranges=Optional(ListOf(RULER), ())),
    "range_band": record(
        weapon_range,
        near=LENGTH,
        far=LENGTH,
        short=LENGTH,
        long=Optional(Nullable(LENGTH)),
    ),
    "rating": record(
        modified_rating,
        rating=Nullable(INT),
        bonus=Optional(INT, 0),
        specialisation=OFF,
        quick_action=OFF,
        attack=Optional(one_of("none", "shoot", "throw", "melee"), "none"),
        cover=_ZERO,
        ranged_weapon_in_melee=OFF,
        charge_reaction=OFF,
        into_melee=OFF,
        target_stunned=OFF,
        injured_arm=OFF,
        frozen=OFF,
    ),
    "dice_pool": record(
        dice_pool,
        sources=Optional(
            ListOf(record(Source, name=TEXT, dice=MapOf(NAT, EFFECT_COLOURS))), ()
        ),
        melee=Optional(
            record(
                Melee,
                strength=Optional(INT, 0),
                close_combat_weapon=ON,
                target_outnumbered=OFF,
                charge_tokens=Optional(ListOf(one_of("black", "green")), ()),
                target_is_charge_target=OFF,
            )
        ),
    ),
    "skill_check": record(
        skill_check,
        rating=Nullable(INT),
        skill=Optional(SKILL),
        effects=EFFECTS,
        quick_action=OFF,
        result_modifier=Optional(INT, 0),
        low_rating_face=Optional(one_of("crit", "ap"), "crit"),
    ),
    "opposed_check": record(
        opposed_check,
        a=SIDE,
        b=SIDE,
        tie=Optional(one_of("higher_rating", "attacker"), "higher_rating"),
    ),
}

_ATTACKS: dict[str, Reader] = {
    "spend_icons": record(
        spend_icons,
        icons=SPECIAL_ICONS,
        effects=Optional(
            ListOf(
                record(
                    SpecialEffect,
                    id=TEXT,
                    cost=SPECIAL_ICONS,
                    limit=Optional(Nullable(NAT)),
                    critical_only=OFF,
                ),
                check=distinct("id"),
            ),
            (),
        ),
        spend=Optional(ListOf(record(Spend, id=TEXT, times=NAT)), ()),
        critical_attack=OFF,
        hit=ON,
    ),
    "attack": record(
        attack,
        rating=INT,
        weapon=_WEAPON,
        skill=Optional(SKILL),
        effects=EFFECTS,
        quick_action=OFF,
        result_modifier=Optional(INT, 0),
        critical_attack=OFF,
        has_critical=OFF,
        crit_tokens=_ZERO,
        target=Optional(one_of("enemy", "friendly", "object"), "enemy"),
    ),
    "armour_rating": record(
        armour_rating,
        against=Optional(ListOf(DAMAGE_TYPE), ()),
        worse=OFF,
        base=Optional(ARMOUR_CARD),
        modifiers=ARMOUR_MODIFIERS,
        power_armour=Optional(Nullable(ARMOUR_CARD)),
        power_armour_mods=ARMOUR_MODIFIERS,
    ),
    "armour_check": record(
        armour_check,
        amount=NAT,
        rating=NAT,
        sturdy=_ZERO,
        cover=_ZERO,
        penetration=_ZERO,
        boost_icons=_ZERO,
        ignore_armour=_ZERO,
        die=Optional(ARMOUR_DIE),
    ),
    "apply_damage": record(
        apply_damage,
        model=record(
            Model,
            health=NAT,
            hero=OFF,
            regular=_ZERO,
            radiation=_ZERO,
            ready=Optional(STATE, "unready"),
            power_armour=Optional(
                Nullable(record(PowerArmour, endurance=NAT, tokens=NAT, broken=OFF))
            ),
        ),
        damage=Optional(
            ListOf(record(Damage, type=one_of(*DAMAGE_TYPES, "regular"), amount=NAT)),
            (),
        ),
        luck_token=Optional(Nullable(LUCK_SIDE)),
    ),
    "heal": record(
        heal,
        regular=NAT,
        radiation=NAT,
        kind=one_of("regular", "radiation"),
        amount=NAT,
    ),
    "luck": record(
        luck,
        use=one_of("accuracy", "dodge", "toughness", "crit_point"),
        tokens=NAT,
        token=Optional(LUCK_SIDE),
        already_used=OFF,
        check=Optional(
            record(
                Check,
                rating=Nullable(INT),
                skill=Optional(SKILL),
                effects=EFFECTS,
                result_modifier=Optional(INT, 0),
            )
        ),
        dodge_declared=OFF,
        critical_attack=OFF,
        damage=Optional(NAT),
        hit=OFF,
        crit_tokens=Optional(NAT),
        crit_rating=Optional(NAT),
    ),
}

KINDS: Final[Mapping[str, Reader]] = {
    **_CHECKS,
    **_ATTACKS,
    **resolve_turn.KINDS,
    **resolve_items.KINDS,
}
"""Reader of each kind of question."""
