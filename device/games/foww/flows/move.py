"""Movement: rulers stepped down, leaving a fight, climbing, jumping, falling, mines.

Source: rulebook 2PB-002-111 §2.7 p.15, §2.13 p.25, §4.2 p.37-39, §5.3 p.46, §5.4 p.48.
"""

from __future__ import annotations

from typing import Final

from device.data.load import bands
from device.games.foww.flows.acting import (
    Actor,
    circumstances,
    contacts,
    part,
    rating_of,
    ruler_of,
    spend,
)
from device.games.foww.flows.ask import Script, choose, go_on, pick, several, throw
from device.games.foww.flows.hit import armour_of, remove, suffer
from device.games.foww.flows.melee import free_attacks
from device.games.foww.flows.mines import mine_zone
from device.games.foww.flows.react import Provoked, reactions
from device.games.foww.flows.scene import Scene
from device.games.foww.flows.view import Choice
from device.rosters.cards import RULERS
from device.rules.foww.activation import condition_event
from device.rules.foww.attacks import Damage
from device.rules.foww.checks import modified_rating
from device.rules.foww.movement import (
    FALL_DAMAGE,
    OVER_BLACK,
    climb,
    fall,
    movement_range,
)

TERRAIN: Final = ("open", "difficult", "climb", "jump")


def move(s: Scene, actor: Actor) -> Script[None]:
    """Move a model along its ruler."""
    who = s.thing(actor.model)
    if near := contacts(s, actor.model):
        choices = [Choice(one, s.thing(one)) for one in near]
        leaving = yield from several("leaving", choices, who=who)
        if leaving:
            yield from free_attacks(s, actor.model, leaving)
        if s.model(actor.model).removed:
            return
        if leaving:
            part(s, actor.model, *leaving)
    no_climb = "cannot_climb" in s.unit(actor.model).card.abilities
    ways = [
        Choice(one, why_not="cannot_climb" if one == "climb" and no_climb else "")
        for one in TERRAIN
    ]
    terrain = yield from choose("terrain", ways, who=who)
    spend(s, actor, "move")
    fell = False
    if terrain == "climb":
        fell = yield from _climb(s, actor)
    elif terrain == "jump":
        fell = yield from _fall(s, actor.model, jump=True)
    if not fell:
        yield from walk(s, actor, terrain)
    yield from mine_zone(s, actor.model)
    if not actor.silent and not s.model(actor.model).removed:
        yield from reactions(s, actor, Provoked("move"))


def walk(
    s: Scene, actor: Actor, terrain: str, what: str = "move"
) -> Script[str | None]:
    """Light the ruler of a move, stepped down, and wait until the model stands.

    Args:
        s: The scene.
        actor: Who moves.
        terrain: One of `TERRAIN`.
        what: Ruler of the card: ``move`` or ``charge``.

    Returns:
        The ruler, None for a model that cannot move.
    """
    ruler = yield from ruler_of(s, actor.model, what)
    conditions = s.model(actor.model).conditions
    answer = movement_range(
        bands("foww"),
        ruler,
        slowed="slowed" in conditions,
        frozen="frozen" in conditions,
        quick=actor.quick,
        difficult=terrain == "difficult",
        climb=terrain == "climb",
        freedom="freedom" in s.unit(actor.model).card.abilities,
        stunned="stunned" in conditions,
    )
    s.note(answer)
    if answer.range is not None:
        s.light(answer.range)
        if what == "move":
            who = s.thing(actor.model)
            yield from go_on("move", who=who, ruler=answer.range)
    return answer.range


def _climb(s: Scene, actor: Actor) -> Script[bool]:
    """Throw for a climb; True where the model fell and its action is over."""
    model = s.model(actor.model)
    printed = yield from rating_of(s, actor.model, "agi")
    terms = circumstances(s, actor)
    rated = modified_rating(printed, **terms)
    asked = {"check": "skill_check", "rating": printed, **terms}
    dice = yield from throw("climb", asked, who=s.thing(actor.model))
    ruler = yield from ruler_of(s, actor.model, "move")
    answer = climb(
        bands("foww"),
        rated.rating or 0,
        dice.face("skill"),
        ruler,
        slowed="slowed" in model.conditions,
        frozen="frozen" in model.conditions,
        quick=actor.quick,
    )
    s.note(answer)
    if not answer.falls:
        return False
    yield from _fall(s, actor.model, jump=False)
    return True


def _fall(s: Scene, model: str, *, jump: bool) -> Script[bool]:
    """Fall, or jump down; True where that ends the action."""
    who = s.thing(model)
    height = yield from pick("height", (*RULERS, OVER_BLACK), who=who)
    rows = [*FALL_DAMAGE, OVER_BLACK]
    row = rows.index(height) - jump
    armoured = s.unit(model).card.power_armour is not None
    if armoured or row < 0 or rows[row] == OVER_BLACK:
        answer = fall(height, jump, power_armour=armoured)
    else:
        dice = yield from throw("fall", {"check": "single", "die": "black"}, who=who)
        icons = dice.icons("black")
        rating, sturdy = 0, 0
        die = None
        if FALL_DAMAGE[rows[row]] + icons.count("dmg"):
            rating, sturdy = yield from armour_of(s, model, "physical")
        if rating > icons.count("bottle"):
            asked = {"check": "single", "die": "armour"}
            die = (yield from throw("fall_armour", asked, who=who)).face("armour")
        answer = fall(
            height,
            jump,
            icons,
            rating=rating,
            sturdy=sturdy,
            armour_die=die,
        )
    s.note(answer)
    if answer.removed:
        remove(s, model)
    if answer.taken:
        yield from suffer(s, model, [Damage("physical", answer.taken)])
    return answer.action_ends


# --- Move actions without a movement --------------------------------------------------


def extinguish(s: Scene, actor: Actor) -> Script[None]:
    """Put out a fire: a move action with an agility check, §5.4 p.48."""
    printed = yield from rating_of(s, actor.model, "agi")
    terms = circumstances(s, actor)
    rated = modified_rating(printed, **terms)
    asked = {"check": "skill_check", "rating": printed, **terms}
    spend(s, actor, "extinguish")
    dice = yield from throw("douse", asked, who=s.thing(actor.model))
    answer = condition_event(
        "action",
        s.model(actor.model).conditions,
        action="extinguish",
        rating=rated.rating,
        skill=dice.face("skill"),
    )
    s.note(answer)
    s.change(actor.model, conditions=answer.conditions)
    if not actor.silent:
        yield from reactions(s, actor, Provoked("move"))


def unstun(s: Scene, actor: Actor) -> Script[None]:
    """Shake off a stun: a move action without a check, §5.4 p.48."""
    spend(s, actor, "unstun")
    conditions = s.model(actor.model).conditions
    answer = condition_event("action", conditions, action="unstun")
    s.note(answer)
    s.change(actor.model, conditions=answer.conditions)
    if not actor.silent:
        yield from reactions(s, actor, Provoked("move"))
