"""Every flow by its kind."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from device.games.foww.flows import charge, melee, mines, move, rest, shoot, turn
from device.games.foww.flows.acting import Actor
from device.games.foww.flows.ask import Script
from device.games.foww.flows.engine import Begin, Flow
from device.games.foww.flows.scene import Action, Scene

ACTIONS: Final[Mapping[str, Action]] = MappingProxyType(
    {
        "move": move.move,
        "charge": charge.charge,
        "shoot": shoot.shoot,
        "melee": melee.melee,
        "throw": shoot.throw_weapon,
        "mine": mines.place,
        "overwatch": rest.overwatch,
        "skill": rest.skill,
        "search": rest.search,
        "extinguish": move.extinguish,
        "unstun": move.unstun,
    }
)
"""What a model can do, as an action, a quick action or a reaction."""

FREE: Final[Mapping[str, Action]] = MappingProxyType(
    {
        "investigate": rest.investigate,
        "item": rest.item,
        "collect": rest.collect,
        "touching": rest.touching,
    }
)
"""What costs the active model nothing."""


def _action(do: Action, *, free: bool = False) -> Begin:
    def begin(s: Scene, flow: Flow) -> Script[None]:
        pays = "" if free else "ap" if flow.quick else "action"
        s.actions = ACTIONS
        yield from do(s, Actor(flow.model, quick=flow.quick, pays=pays))

    return begin


def _whole(do: Begin) -> Begin:
    def begin(s: Scene, flow: Flow) -> Script[None]:
        s.actions = ACTIONS
        yield from do(s, flow)

    return begin


SCRIPTS: Final[Mapping[str, Begin]] = MappingProxyType(
    {
        "ready": _whole(turn.ready),
        "activate": _whole(turn.activate),
        **{kind: _action(do) for kind, do in ACTIONS.items()},
        **{kind: _action(do, free=True) for kind, do in FREE.items()},
        "readings": _whole(rest.readings),
        "end_activation": _whole(turn.end_activation),
        "end_turn": _whole(turn.end_turn),
        "end_round": _whole(turn.end_round),
        "first_player": _whole(turn.first_player),
    }
)
"""By kind of flow."""
