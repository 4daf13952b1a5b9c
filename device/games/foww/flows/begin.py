"""Which flows may be begun now, and why not.

Source: rulebook 2PB-002-111 §2.6 p.13-14, §2.13 p.24, §4.3 p.40, §4.4 p.41, §5.4 p.48.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from device.games.foww.flows.acting import activation, contacts, price
from device.games.foww.flows.arms import grenades, guns, mine_keys
from device.games.foww.flows.scene import Scene
from device.games.foww.flows.turn import settle_turn, standing
from device.games.foww.flows.view import Beginning
from device.rules.foww.rounds import Marked, turn
from device.table.army import SIDES

ACTIONS: Final = (
    "move",
    "charge",
    "shoot",
    "melee",
    "throw",
    "mine",
    "overwatch",
    "skill",
    "search",
    "extinguish",
    "unstun",
)
"""Flows that cost an action, or an action point."""

FREE: Final = ("investigate", "item", "collect", "touching")
"""Flows of the active model that cost nothing."""

NEVER_QUICK: Final = ("search",)
"""Looking is free; its check is a non-combat skill and costs what that costs."""


def beginnings(s: Scene) -> Iterator[Beginning]:
    """Iterate over every flow that is worth offering, refused ones with the reason."""
    settle_turn(s)
    active = next((m for _, m in s.armies.models() if m.active), None)
    if active is not None:
        for kind in ACTIONS:
            for quick in (False, True):
                if not _offered(s, active.id, kind) or (quick and not _buys(s, kind)):
                    continue
                why = refusal(s, kind, active.id, quick=quick)
                yield Beginning(kind, active.id, quick, why)
        for kind in FREE:
            if _offered(s, active.id, kind):
                why = refusal(s, kind, active.id)
                yield Beginning(kind, active.id, why_not=why)
        yield Beginning("end_activation", active.id)
        return
    entry = s.entry("turn")
    left = list(entry.get("left", ()))
    for model in left:
        yield Beginning("activate", model, why_not=refusal(s, "activate", model))
    if left:
        yield Beginning("end_turn")
        return
    side = entry.get("side") or ""
    for one in [side] if side else SIDES:
        for model in standing(s, one):
            if model.state == "unready":
                yield Beginning("ready", model.id)
    over = _round_over(s)
    if not s.armies.advantage and not over:
        yield Beginning("first_player")
    yield Beginning("end_round", why_not="" if over else "round_goes_on")
    yield Beginning("readings")


def _offered(s: Scene, model: str, kind: str) -> bool:
    """Say whether an action makes any sense for this model."""
    conditions = s.model(model).conditions
    if kind == "extinguish":
        return "burning" in conditions
    if kind == "unstun":
        return "stunned" in conditions
    if kind == "item":
        shared = any(any(one.items) for one in s.friends(model))
        return shared or bool(s.unit(model).card.items)
    if kind == "collect":
        return any(one.charges for one in s.unit(model).card.weapons)
    return bool(_arms(s, model, kind))


def _buys(s: Scene, kind: str) -> bool:
    """Say whether an action point of the active model could ever buy an action."""
    active = next(m for _, m in s.armies.models() if m.active)
    found = kind not in NEVER_QUICK and price(s, active.id, kind).reason
    return found not in (False, "no_icon", "no_ap")


def _arms(s: Scene, model: str, kind: str) -> bool:
    """Say whether a model has what an action uses."""
    if kind == "shoot":
        return bool(guns(s, model))
    if kind == "throw":
        return bool(grenades(s, model))
    if kind == "mine":
        return bool(mine_keys(s, model))
    return True


def refusal(s: Scene, kind: str, model: str, *, quick: bool = False) -> str:
    """Return why the rules would not begin a flow, "" where they would."""
    settle_turn(s)
    if kind in ("end_turn", "first_player", "readings"):
        return ""
    if kind == "end_round":
        return "" if _round_over(s) else "round_goes_on"
    if s.model(model).removed:
        return "model_removed"
    if kind == "ready":
        return _not_ready(s, model)
    if kind == "activate":
        return _not_activated(s, model)
    if not s.model(model).active:
        return "not_active"
    if kind in ("item", "collect") and not _offered(s, model, kind):
        return "no_weapon"
    if kind in ("end_activation", *FREE):
        return ""
    return _no_action(s, kind, model, quick=quick)


def _round_over(s: Scene) -> bool:
    return all(one.state == "activated" for side in SIDES for one in standing(s, side))


def _not_ready(s: Scene, model: str) -> str:
    side = s.unit(model).side
    entry = s.entry("turn")
    if entry.get("side") and entry["side"] != side:
        return "not_your_turn"
    if entry.get("begun"):
        return "turn_begun"
    marked: list[Marked] = standing(s, side)
    return turn(marked, ready=model, activate=True).reason or ""


def _not_activated(s: Scene, model: str) -> str:
    one = s.model(model)
    if one.readiness != "ready" or one.active:
        return "not_ready"
    if any(other.active for _, other in s.armies.models()):
        return "another_active"
    if model not in s.entry("turn").get("left", ()):
        return "not_chosen"
    return ""


def _no_action(s: Scene, kind: str, model: str, *, quick: bool) -> str:
    conditions = s.model(model).conditions
    if "stunned" in conditions and kind != "unstun":
        return "stunned_only"
    if kind == "unstun" and "stunned" not in conditions:
        return "not_stunned"
    if kind == "extinguish" and "burning" not in conditions:
        return "not_burning"
    if not _arms(s, model, kind):
        return "no_weapon"
    if kind in ("charge", "melee") and not s.enemies(model):
        return "no_enemies"
    if kind == "overwatch":
        if s.model(model).reaction:
            return "token_limit"
        if "frozen" in conditions:
            return "cannot_overwatch"
    if contacts(s, model) and kind in ("shoot", "charge", "mine", "skill", "search"):
        return "engaged"
    if kind == "search":
        return ""
    if quick:
        return price(s, model, kind).reason or ""
    return "" if activation(s, model)["actions"] else "no_actions"
