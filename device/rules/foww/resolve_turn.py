"""Questions about Fallout: Wasteland Warfare as JSON asks them: moves and turns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from device.data.load import bands
from device.rules.fields import (
    INT,
    LENGTH,
    NAT,
    OFF,
    ON,
    TEXT,
    ListOf,
    Nullable,
    Number,
    Optional,
    Reader,
    Record,
    Variants,
    distinct,
    one_of,
    record,
)
from device.rules.foww import movement
from device.rules.foww.activation import (
    ICON_OF_ACTION,
    activation_end,
    activation_start,
    condition_event,
    spend_ap,
)
from device.rules.foww.melee import (
    Neighbour,
    Opponent,
    charge,
    melee_allocation,
    melee_exit,
)
from device.rules.foww.mines import arm_mine, mine_event, place_mine
from device.rules.foww.movement import Obstacle, fall, push_back
from device.rules.foww.overwatch import Event, Observer, overwatch_trigger
from device.rules.foww.rounds import Counts, Marked, advantage, round_end, turn
from device.rules.foww.vocabulary import (
    ARMOUR_DIE,
    CONDITION,
    CONDITION_LIST,
    EFFECTS,
    FACE,
    LUCK_SIDE,
    RULER,
    RULERS,
    SKILL,
    STATE,
)
from device.rules.foww.weapons import (
    Scatter,
    ScatterBand,
    Shot,
    Target,
    area_effect,
    rapid_fire,
    scatter,
    weapon_use,
)

_ZERO = Optional(NAT, 0)
_LOADING = Optional(Nullable(one_of("loaded", "unloaded")))
_POINT = ListOf(Number(), 2, 2)
_MODELS = Optional(
    ListOf(record(Marked, id=TEXT, state=STATE), check=distinct("id")), ()
)


def _movement_range(**given: Any) -> movement.MovementRange:
    return movement.movement_range(bands("foww"), **given)


def _climb(**given: Any) -> movement.Climb:
    return movement.climb(bands("foww"), **given)


def _scatter(**given: Any) -> Scatter:
    return scatter(RULERS, **given)


_MOVES: dict[str, Reader] = {
    "movement_range": record(
        _movement_range,
        range=Optional(RULER),
        slowed=OFF,
        frozen=OFF,
        quick=OFF,
        difficult=OFF,
        climb=OFF,
        freedom=OFF,
        stunned=OFF,
    ),
    "climb": record(
        _climb,
        rating=INT,
        skill=Optional(SKILL),
        range=Optional(RULER),
        can_climb=ON,
        slowed=OFF,
        frozen=OFF,
        quick=OFF,
    ),
    "charge": record(
        charge,
        engaged=OFF,
        los_at_start=OFF,
        reaches_contact=OFF,
        ignore_los=OFF,
        token=Optional(one_of("black", "green")),
        battle_cry=Optional(Nullable(one_of("attacker", "defender"))),
    ),
    "push_back": record(
        push_back,
        distance=LENGTH,
        obstacles=Optional(
            ListOf(
                record(
                    Obstacle,
                    kind=one_of("model", "cover", "blocking", "edge"),
                    at=LENGTH,
                )
            ),
            (),
        ),
        turret=OFF,
    ),
    "fall": record(
        fall,
        height=one_of(*RULERS, movement.OVER_BLACK),
        jump=OFF,
        black_die=Optional(FACE),
        power_armour=OFF,
        rating=_ZERO,
        sturdy=_ZERO,
        armour_die=Optional(ARMOUR_DIE),
    ),
    "melee_allocation": record(
        melee_allocation,
        target=TEXT,
        others=Optional(ListOf(record(Neighbour, id=TEXT, contact=OFF, los=OFF)), ()),
        die=ARMOUR_DIE,
    ),
    "melee_exit": record(
        melee_exit,
        by=one_of("move", "charge", "slide", "push_back"),
        enemies=Optional(
            ListOf(record(Opponent, id=TEXT, other_engaged=OFF, stunned=OFF)), ()
        ),
    ),
}

_WEAPONS: dict[str, Reader] = {
    "scatter": record(
        _scatter,
        rating=INT,
        skill=SKILL,
        effects=EFFECTS,
        result_modifier=Optional(INT, 0),
        bands=Optional(
            ListOf(
                Record(
                    ScatterBand,
                    {"from": NAT, "to": Optional(Nullable(NAT)), "range": RULER},
                )
            ),
            (),
        ),
        scatter_icon=ON,
        grenade=OFF,
    ),
    "area_effect": record(
        area_effect,
        centre=_POINT,
        diameter=LENGTH,
        damage=NAT,
        target=Optional(TEXT),
        target_damage=_ZERO,
        models=Optional(
            ListOf(
                record(
                    Target,
                    id=TEXT,
                    pos=_POINT,
                    base=LENGTH,
                    between=Optional(Nullable(one_of("cover", "blocking"))),
                )
            ),
            (),
        ),
    ),
    "mine": Variants(
        "step",
        {
            "place": record(place_mine, engaged=OFF),
            "owner_turn": record(arm_mine),
            "event": record(
                mine_event,
                armed=OFF,
                model=Optional(one_of("enemy", "friendly")),
                event=Optional(
                    one_of("ends_action_inside", "passes_through", "outside")
                ),
            ),
        },
    ),
    "weapon_use": record(
        weapon_use,
        has_skill=OFF,
        slow_fire=_LOADING,
        heavy=OFF,
        heavy_used_this_activation=OFF,
        charges=_ZERO,
        charges_needed=Optional(Nullable(NAT)),
    ),
    "rapid_fire": record(
        rapid_fire,
        max_shots=NAT,
        shots=Optional(
            ListOf(record(Shot, target=TEXT, rating=INT, skill=SKILL, effects=EFFECTS)),
            (),
        ),
        quick_action=OFF,
        has_critical=OFF,
    ),
}

_EVENT = record(
    Event,
    kind=one_of(
        "move",
        "charge",
        "attack",
        "overwatch",
        "noncombat",
        "other_action",
        "unused_action",
        "hit_on_self",
        "hit_on_friend",
        "free_attack",
    ),
    battle_cry_won=OFF,
    charge_target_is_observer=OFF,
)
_OBSERVER = record(
    Observer,
    type=one_of("model", "turret"),
    reaction_tokens=Optional(NAT),
    engaged=OFF,
    engaged_with_provoker=OFF,
    took_damage=OFF,
    awareness=LENGTH,
    distance=Optional(LENGTH),
    los=OFF,
)

_TURNS: dict[str, Reader] = {
    "overwatch_trigger": record(overwatch_trigger, event=_EVENT, observer=_OBSERVER),
    "activation_start": record(
        activation_start,
        health=NAT,
        hero=OFF,
        regular=NAT,
        radiation=NAT,
        conditions=CONDITION_LIST,
        luck_token=Optional(LUCK_SIDE),
        vats=OFF,
        blue_die=Optional(FACE),
        reaction_tokens=_ZERO,
        slow_fire=_LOADING,
    ),
    "activation_end": record(
        activation_end,
        conditions=CONDITION_LIST,
        ap=_ZERO,
        ready=Optional(STATE, "ready"),
    ),
    "condition": record(
        condition_event,
        conditions=CONDITION_LIST,
        event=one_of("gain", "cure", "action"),
        condition=Optional(CONDITION),
        robot=OFF,
        immune=CONDITION_LIST,
        item=Optional(one_of("stimpak", "robot_repair_kit", "antidote")),
        action=Optional(one_of("unstun", "extinguish")),
        rating=Optional(INT),
        skill=Optional(SKILL),
    ),
    "spend_ap": record(
        spend_ap,
        ap=NAT,
        icons=Optional(ListOf(one_of("move", "attack", "noncombat", "overwatch")), ()),
        used=Optional(ListOf(one_of("move", "attack", "noncombat", "overwatch")), ()),
        action=one_of(*ICON_OF_ACTION),
    ),
    "round": Variants(
        "step",
        {
            "advantage": record(
                advantage,
                round=NAT,
                counts=record(Counts, a=NAT, b=NAT),
                holder=Optional(Nullable(one_of("a", "b"))),
            ),
            "turn": record(
                turn,
                models=_MODELS,
                ready=Optional(Nullable(TEXT)),
                activate=OFF,
            ),
            "end": record(round_end, models=_MODELS),
        },
    ),
}

KINDS: Final[Mapping[str, Reader]] = {**_MOVES, **_WEAPONS, **_TURNS}
"""Reader of each kind of question."""
