"""Area effects: who is inside, who is shielded, a hit on each.

Source: rulebook 2PB-002-111 §5.3 p.46-47.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from device.games.foww.flows.ask import Script, several
from device.games.foww.flows.hit import Hit, strike
from device.games.foww.flows.react import Provoked
from device.games.foww.flows.scene import Scene
from device.games.foww.flows.view import Choice
from device.rules.answer import Answer
from device.rules.step import step

HitOn: TypeAlias = Callable[[str, int], Hit]
"""What strikes a model (its id) that something shields (1) or not (0)."""


def blast(s: Scene, ruler: str, hit_on: HitOn, provoked: Provoked) -> Script[None]:
    """Strike every model inside an area, friend or foe.

    Args:
        s: The scene.
        ruler: Diameter of the area.
        hit_on: What strikes a model.
        provoked: Notes who was hit.
    """
    s.light(ruler)
    models = [one.id for _, one in s.armies.models() if not one.removed]
    inside = yield from several("inside", [Choice(one, s.thing(one)) for one in models])
    shielded: list[str] = []
    if inside:
        choices = [Choice(one, s.thing(one)) for one in inside]
        shielded = yield from several("shielded", choices)
    for model in inside:
        is_shielded = model in shielded
        hit = hit_on(model, int(is_shielded))
        points = sum(one.amount for one in hit.damage)
        name = s.thing(model).name.any
        steps = [step("area_effect", id=name, damage=points)]
        if is_shielded:
            steps.append(step("area_effect.cover", id=name))
        s.note(Answer(steps=tuple(steps)))
        taken = yield from strike(s, hit)
        provoked.struck(model, taken)
