"""Questions about S.P.E.C.I.A.L. as JSON asks them: wear, harm and recovery."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from device.rules.fields import (
    FLAG,
    LENGTH,
    NAT,
    OFF,
    ListOf,
    Optional,
    Reader,
    Variants,
    Whole,
    one_of,
    record,
)
from device.rules.special import damage, drugs, harm
from device.rules.special.vocabulary import (
    BOXES,
    CHANGE,
    D10,
    D100,
    LIMBS,
    SKILL,
    STAT,
    ZERO,
    with_charts,
)

_REPAIR: dict[str, Reader] = {"repair_skill": SKILL, "repair_roll": D100}
_CONDITION = Variants(
    "item",
    {
        "weapon": Variants(
            "action",
            {
                "use": with_charts(
                    damage.use_weapon, boxes=BOXES, failed_attacks=ZERO, misuse=ZERO
                ),
                "repair": record(
                    damage.repair_weapon,
                    boxes=BOXES,
                    **_REPAIR,
                    weapon_skill=Optional(SKILL),
                    weapon_roll=Optional(D100),
                ),
            },
        ),
        "armour": Variants(
            "action",
            {
                "use": with_charts(damage.use_armour, boxes=BOXES, damaging_hits=NAT),
                "repair": record(damage.repair_armour, boxes=BOXES, **_REPAIR),
            },
        ),
        "machine": Variants(
            "action",
            {
                "repair": record(
                    damage.repair_machine, **_REPAIR, dice=Optional(ListOf(D10, 3, 3))
                )
            },
        ),
    },
)

KINDS: Final[Mapping[str, Reader]] = {
    "condition": _CONDITION,
    "hazard": Variants(
        "hazard",
        {
            "fire": with_charts(harm.fire, dice=ListOf(Whole(1, 6), 1), extinguish=OFF),
            "animal_poison": with_charts(harm.animal_poison, hours=NAT, saves=ZERO),
            "knockdown": with_charts(harm.knockdown, weapon_kg=LENGTH, roll=D100),
        },
    ),
    "resist": with_charts(
        harm.resist,
        against=one_of("poison", "radiation"),
        endurance=STAT,
        fast_metabolism=OFF,
        recoveries=ZERO,
        antirad=OFF,
        roll=D100,
        level=ZERO,
    ),
    "injury": with_charts(
        harm.injury,
        agility=STAT,
        perception=STAT,
        broken_arms=LIMBS,
        broken_legs=LIMBS,
        blind=OFF,
    ),
    "addiction": Variants(
        "stage",
        {
            "take": record(
                drugs.take_drug, strength=Whole(0, 100), modifier=CHANGE, roll=D100
            ),
            "withdrawal": record(
                drugs.withdrawal,
                special=record(drugs.DrugStats, st=STAT, pe=STAT, en=STAT, ag=STAT),
                hours=NAT,
                checks=Optional(ListOf(FLAG), ()),
            ),
        },
    ),
    "healing": Variants(
        "method",
        {
            "rest": record(
                harm.rest,
                heal_rate=NAT,
                resting_hours=ZERO,
                active_hours=ZERO,
                withdrawal=OFF,
            ),
            "medicine": record(
                harm.medicine,
                skill=SKILL,
                roll=D100,
                uses_today=NAT,
                in_combat=OFF,
                target_unconscious=OFF,
                heal_die=Optional(D10),
            ),
        },
    ),
}
"""Reader of each kind of question."""
