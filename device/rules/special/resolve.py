"""Questions about S.P.E.C.I.A.L. as JSON asks them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from device.rules.fields import (
    LENGTH,
    NAT,
    OFF,
    POSITIVE,
    TEXT,
    ListOf,
    Number,
    Optional,
    Reader,
    Record,
    Variants,
    Whole,
    distinct,
    one_of,
    record,
)
from device.rules.special import (
    adventure,
    bursts,
    damage,
    hitting,
    resolve_harm,
    rounds,
)
from device.rules.special.character import (
    character,
    level,
    skill_cost,
    skills,
)
from device.rules.special.charts import (
    LIGHTS,
    NIGHTS,
    STANCES,
    TERRAINS,
)
from device.rules.special.vocabulary import (
    ATTACK,
    BOXES,
    CHANGE,
    D10,
    D100,
    DIE,
    LIMBS,
    LOCATION,
    SKILL,
    STAT,
    STATS,
    TRAIT_LIST,
    ZERO,
    TimeReader,
    shipped_charts,
    with_charts,
)


def _action(do: str, **fields: Reader) -> Record:
    return Record(partial(rounds.Action, do), fields)


_STANCE = one_of("standing", "crouching", "prone")
_ACTIONS = Variants(
    "do",
    {
        "move": _action(
            "move",
            hexes=POSITIVE,
            terrain=Optional(one_of(*TERRAINS), "dry"),
            stance=Optional(one_of(*STANCES), "standing"),
            broken_legs=LIMBS,
        ),
        "equip": _action("equip", items=Optional(POSITIVE, 1)),
        "pick_up": _action("pick_up", items=Optional(POSITIVE, 1)),
        "use": _action("use"),
        "stand_up": _action("stand_up"),
        "stance": _action("stance", **{"from": _STANCE, "to": _STANCE}),
        "treat": _action("treat"),
        "attack": _action("attack", attack=ATTACK, cost=POSITIVE, aimed=OFF),
    },
)

_CHARACTER: dict[str, Reader] = {
    "character": with_charts(
        character,
        special=STATS,
        traits=TRAIT_LIST,
        time=Optional(TimeReader()),
        partner=Optional(one_of("same", "opposite")),
    ),
    "skills": record(skills, special=STATS, traits=TRAIT_LIST),
    "level": record(level, xp=NAT, endurance=STAT, intelligence=STAT, gifted=OFF),
    "skill_cost": Record(
        lambda **given: skill_cost(shipped_charts(), **given),
        {"from": SKILL, "to": SKILL},
    ),
}

_COMBAT: dict[str, Reader] = {
    "check": record(rounds.check, value=NAT, die=DIE, roll=POSITIVE, modifier=CHANGE),
    "order": record(
        rounds.fight_order,
        fighters=ListOf(
            record(rounds.Fighter, id=TEXT, sequence=NAT, tie_roll=Optional(D10)),
            1,
            check=distinct("id"),
        ),
        starter=Optional(TEXT),
    ),
    "ap": with_charts(
        rounds.spend_ap, ap=NAT, traits=TRAIT_LIST, actions=ListOf(_ACTIONS)
    ),
    "armour_class": with_charts(
        rounds.armour_class,
        agility=STAT,
        armour=ZERO,
        state=Optional(
            one_of("normal", "crouching", "crawling", "using_skill", "down", "rolling"),
            "normal",
        ),
        unspent_ap=ZERO,
        defending=OFF,
        kamikaze=OFF,
    ),
    "hit_chance": with_charts(
        hitting.hit_chance,
        skill=SKILL,
        attack=ATTACK,
        perception=STAT,
        distance=Optional(POSITIVE, 1),
        weapon_range=ZERO,
        strength=Optional(STAT),
        min_strength=Optional(POSITIVE),
        strength_step=Optional(NAT, 1),
        boxes=Optional(BOXES, 0),
        light=Optional(one_of(*LIGHTS), "clear"),
        night=Optional(one_of(*NIGHTS), "none"),
        target_ac=ZERO,
        cover=Optional(Whole(0, 100), 0),
        bonus=ZERO,
        penalty=ZERO,
        aimed=LOCATION,
        stance=Optional(_STANCE, "standing"),
        mounted=OFF,
        one_hander=OFF,
        hands=Optional(one_of(1, 2)),
        blind=OFF,
    ),
    "attack": with_charts(
        hitting.attack,
        chance=NAT,
        roll=D100,
        crit_chance=ZERO,
        aimed=LOCATION,
        boxes=Optional(BOXES, 0),
        critical_from=Optional(Whole(2, 98), 98),
    ),
    "burst": Variants(
        "mode",
        {
            "single": record(
                bursts.plain_burst,
                chance=NAT,
                rolls=ListOf(D100, 3),
                mounted=OFF,
                crit_chance=Optional(NAT),
            ),
            "grouped": record(
                bursts.grouped_burst,
                chance=NAT,
                rolls=ListOf(Whole(0, 9), 3),
                mounted=OFF,
                crit_chance=Optional(NAT),
            ),
        },
    ),
    "fumble": record(hitting.fumble, roll=D10, damage=Optional(NAT)),
    "damage": with_charts(
        damage.damage,
        rolls=ListOf(NAT, 1),
        dt=ZERO,
        dr=Optional(Whole(0, 100), 0),
        armour_boxes=Optional(BOXES, 0),
        ignore_armour=OFF,
        finesse=OFF,
        multiplier=Optional(Number(above=0), 1),
        multiplier_stage=Optional(one_of("before", "after"), "before"),
        grouped_hits=Optional(POSITIVE),
    ),
    "critical": record(
        damage.critical, aimed=LOCATION, roll=Optional(D10), heavy_handed=OFF
    ),
}

_ADVENTURE: dict[str, Reader] = {
    "trap": record(
        adventure.trap,
        stage=one_of(*adventure.TRAP_RESULTS),
        value=NAT,
        die=DIE,
        roll=POSITIVE,
    ),
    "stealth": Variants(
        "action",
        {
            "detect": with_charts(
                adventure.detect,
                perception=STAT,
                light=Optional(one_of("normal", "shadow", "dark"), "normal"),
                roll=D100,
            ),
            "sneak": record(
                adventure.sneak,
                skill=SKILL,
                modifier=CHANGE,
                sneaking=OFF,
                roll=D100,
            ),
            "steal": record(
                adventure.steal,
                skill=SKILL,
                modifier=CHANGE,
                sneaking=OFF,
                roll=D100,
            ),
        },
    ),
    "lockpick": record(adventure.lockpick, skill=SKILL, modifier=CHANGE, roll=D100),
    "travel": Variants(
        "topic",
        {
            "encounter": record(
                adventure.encounter, perception=STAT, survival=SKILL, roll=D100
            ),
            "swim": record(
                adventure.swim,
                strength=STAT,
                load_kg=LENGTH,
                free_hands=Whole(0, 2),
                minutes=NAT,
                mode=one_of("float", "swim"),
            ),
        },
    ),
    "gear": Variants(
        "topic",
        {
            "rating": record(
                adventure.weapon_rating, min=NAT, max=NAT, ap=Whole(1, 10)
            ),
            "money": record(
                adventure.start_money, trade=SKILL, base=Optional(NAT, 1000)
            ),
        },
    ),
}

KINDS: Final[Mapping[str, Reader]] = {
    **_CHARACTER,
    **_COMBAT,
    **resolve_harm.KINDS,
    **_ADVENTURE,
}
"""Reader of each kind of question."""
