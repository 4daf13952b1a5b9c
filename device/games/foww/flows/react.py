"""Provocations and reactions: who notices, who reacts, and how.

Source: rulebook 2PB-002-111 §4.4 p.41-42, §6.1 p.51.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from device.games.foww.flows.acting import Actor, contacts, ruler_of
from device.games.foww.flows.arms import grenades, guns, mine_keys
from device.games.foww.flows.ask import Script, choose
from device.games.foww.flows.scene import Scene
from device.games.foww.flows.view import Choice
from device.rules.foww.overwatch import Event, Observer, Trigger, overwatch_trigger
from device.table.army import Model

LENGTHS: Final = MappingProxyType(
    {
        "near": (Fraction(1), True),
        "near_unseen": (Fraction(1), False),
        "far": (Fraction(2), True),
        "far_unseen": (Fraction(2), False),
    }
)
"""What players see on the ruler: awareness lengths, and whether there is a line of
sight."""

FAR_AWAY: Final = Fraction(3)
FRIEND: Final = "friend_hit"
"""The provoker itself is out of reach, but a friend was hit within one length."""

ANY: Final = (
    "shoot",
    "throw",
    "move",
    "charge",
    "mine",
    "skill",
    "extinguish",
    "unstun",
    "none",
)
ENGAGED: Final = ("melee", "move", "extinguish", "unstun", "none")
MOVE_ONLY: Final = ("move", "extinguish", "unstun", "none")


@dataclass
class Provoked:
    """What an action has done that others may notice; filled while it goes on.

    Attributes:
        kind: ``move``, ``charge``, ``attack``, ``noncombat``, ``other_action``.
        hit: Models that an attack has hit.
        hurt: Those of them that took damage.
        charged: The model charged, "" for none.
        cry_won: The charger won its battle cry.
    """

    kind: str
    hit: list[str] = field(default_factory=list)
    hurt: list[str] = field(default_factory=list)
    charged: str = ""
    cry_won: bool = False

    def struck(self, model: str, taken: int) -> None:
        """Note a hit, and whether it hurt."""
        self.hit.append(model)
        if taken:
            self.hurt.append(model)


def reactions(s: Scene, actor: Actor, provoked: Provoked) -> Script[None]:
    """Let everybody who noticed declare a reaction, then carry them out in turn."""
    provoker = actor.model
    declared: list[tuple[str, str]] = []
    for observer in s.enemies(provoker):
        if not observer.reaction:
            continue
        trigger = yield from _notices(s, observer, provoker, provoked)
        if trigger is not None and trigger.can_react:
            declared.append((observer.id, trigger.reaction))
    for observer_id, how in declared:
        model = s.model(observer_id)
        if not model.removed and model.reaction and not s.model(provoker).removed:
            yield from _react(s, observer_id, provoker, how, provoked)


def _notices(
    s: Scene, observer: Model, provoker: str, provoked: Provoked
) -> Script[Trigger | None]:
    """Ask whether an observer notices; None where it does not or need not."""
    turret = s.unit(observer.id).card.kind == "turret"
    charged = provoked.charged == observer.id
    kind, length, seen = provoked.kind, FAR_AWAY, False
    if charged and provoked.cry_won:
        length = Fraction(1)  # whatever it sees, this is no provocation for it
    elif observer.id in provoked.hit and not turret:
        kind = "hit_on_self"
    elif charged:
        length, seen = Fraction(0), True
    else:
        ruler = yield from ruler_of(s, observer.id, "awareness")
        s.light(ruler, ruler)
        words: dict[str, Any] = {
            "observer": s.thing(observer.id),
            "who": s.thing(provoker),
        }
        side = s.unit(observer.id).side
        hit_friend = any(s.unit(one).side == side for one in provoked.hit)
        keys = [*LENGTHS, *([FRIEND] if hit_friend else []), "no"]
        where = yield from choose("noticed", map(Choice, keys), skip="no", **words)
        if where == "no":
            return None
        if where == FRIEND:
            kind, length, seen = "hit_on_friend", Fraction(1), True
        else:
            length, seen = LENGTHS[where]
    touching = contacts(s, observer.id)
    trigger = overwatch_trigger(
        Event(kind, provoked.cry_won, charged),
        Observer(
            type="turret" if turret else "model",
            awareness=Fraction(1),
            reaction_tokens=observer.reaction,
            distance=length,
            engaged=bool(touching),
            engaged_with_provoker=provoker in touching,
            took_damage=observer.id in provoked.hurt,
            los=seen,
        ),
    )
    s.note(trigger)
    return trigger


def _react(
    s: Scene, observer: str, provoker: str, how: str, provoked: Provoked
) -> Script[None]:
    kinds: tuple[str, ...] = ANY
    touching = contacts(s, observer)
    only = provoker
    if how == "random_engaged":  # a turret shoots into its fight, whoever provoked it
        kinds, only = ("melee", "none"), ""
    elif how == "move_only":
        kinds = MOVE_ONLY
    elif touching:
        kinds = ENGAGED
    words: dict[str, Any] = {"observer": s.thing(observer), "who": s.thing(provoker)}
    choices = [Choice(kind, why_not=_cannot(s, observer, kind)) for kind in kinds]
    action = yield from choose("reaction", choices, skip="none", **words)
    if action == "none":
        return
    s.change(observer, reaction=s.model(observer).reaction - 1)
    charged = provoked.charged == observer
    yield from s.actions[action](
        s, Actor(observer, quick=True, only=only, charged=charged)
    )


def _cannot(s: Scene, observer: str, kind: str) -> str:
    conditions = s.model(observer).conditions
    if kind == "extinguish" and "burning" not in conditions:
        return "not_burning"
    if kind == "unstun" and "stunned" not in conditions:
        return "not_stunned"
    if "stunned" in conditions and kind not in ("unstun", "none"):
        return "stunned_only"
    arms = {"shoot": guns, "throw": grenades, "mine": mine_keys}
    if kind in arms and not arms[kind](s, observer):
        return "no_weapon"
    return ""
