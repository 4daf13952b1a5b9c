"""Commands about units and models: what each means, as drafts of events.

The rules are asked first. What they refuse can still be done with ``override``, and
the log says so; what cannot exist (a token below none, luck above its rating) cannot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from device.errors import BadInput
from device.games.foww.arguments import (
    Args,
    allowed,
    choice,
    find_model,
    find_unit,
    luck_side,
    text,
    whole,
)
from device.games.foww.logged import changed, named, steps_of
from device.games.foww.tokens import (
    change_token,
    health_of,
    refuse,
    settled,
    soft_refusal,
)
from device.games.foww.wounds import apply_result, damage, heal
from device.games.game import Deed, sheet_change
from device.rosters.cards import MOST, Cards
from device.rosters.roster import parse_roster
from device.rules.foww.activation import activation_end, activation_start
from device.rules.foww.rounds import Counts, Marked, advantage, round_end, turn
from device.table.army import (
    SIDES,
    TABLE_TOKENS,
    Armies,
    Model,
    Unit,
    make_models,
)
from device.table.codec import JSON, to_json
from device.table.events import Draft
from device.table.state import Content

MOST_MODELS: Final = 120
"""On both sides together; a very large battle has sixty."""

MOST_ON_TABLE: Final = 99


# --- Units -------------------------------------------------------------------------


def add_unit(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Put the units of a roster (TOML, see roster.toml.example) on one side."""
    side = choice(args, "side", SIDES)
    roster = parse_roster(text(args, "roster").encode(), Cards())
    count = sum(unit.count for unit in roster.units)
    if sum(1 for _ in content.armies.models()) + count > MOST_MODELS:
        raise refuse("army_full")
    units = []
    for number, one in enumerate(roster.units, 1):
        unit_id = f"u{seq}-{number}"
        models = make_models(unit_id, one.card, one.count)
        units.append(Unit(unit_id, side, one.card, models, one.points))
    names = [to_json(unit.card.name) for unit in units]
    missing = to_json(roster.missing)
    log = {"side": side, "names": names, "count": count, "missing": missing}
    return [Draft("unit_added", {"units": to_json(units), "log": log})]


def remove_unit(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Take a unit with its tokens off the table."""
    unit = find_unit(content.armies, args)
    return [Draft("unit_removed", {"unit": unit.id, "log": named(unit)})]


def set_health(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Say a unit's health where its card did not."""
    unit = find_unit(content.armies, args)
    health = whole(args, "health", 1, MOST)
    card = replace(unit.card, health=health, verified=False)
    changed = replace(unit, card=card)
    models = tuple(settled(changed, model) for model in unit.models)
    changed = replace(changed, models=models)
    log = named(unit) | {"health": health}
    return [Draft("health_set", {"unit": to_json(changed), "log": log})]


# --- Tokens ------------------------------------------------------------------------


def token(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Put one token down or take one away."""
    change = whole(args, "change", -1, 1)
    if change == 0:
        raise BadInput("expected 1 or -1", "change")
    name = text(args, "token")
    if not args.get("model"):
        return _table_token(content.armies, name, change)
    unit, model = find_model(content.armies, args)
    told = allowed(args, soft_refusal(unit, model, name, change))
    after = change_token(unit, model, name, change)
    log = named(unit, model) | told | {"token": name, "change": change}
    place = name.partition(":")[2]
    if place:
        carried = unit.card.items if name.startswith("item") else unit.card.weapons
        log["what"] = to_json(_card_name(carried[int(place)]))
    return [changed("token_changed", log, after)]


def _card_name(carried: Any) -> Any:
    return carried.item.name if hasattr(carried, "item") else carried.name


def _table_token(armies: Armies, name: str, change: int) -> Sequence[Draft]:
    if name in SIDES:  # the advantage token: to a side, or back into the box
        table: dict[str, JSON] = {"advantage": name if change > 0 else ""}
        log = {"token": "advantage", "side": name, "change": change}
    elif name in TABLE_TOKENS:
        count = getattr(armies, name) + change
        if count < 0:
            raise refuse("no_token")
        if count > MOST_ON_TABLE:
            raise refuse("token_limit")
        table, log = {name: count}, {"token": name, "change": change}
    else:
        raise BadInput(f"there is no token {name!r} on the table", "token")
    return [Draft("table_token_changed", {"table": table, "log": log})]


# --- Turns -------------------------------------------------------------------------


def ready(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Make an unready model ready."""
    unit, model = find_model(content.armies, args)
    marked = [
        Marked(one.id, one.readiness)
        for other in content.armies.side(unit.side)
        for one in other.models
        if not one.removed or one.id == model.id
    ]
    asked = turn(marked, ready=model.id, activate=True)
    reason = asked.reason or ""
    told = allowed(args, "model_removed" if model.removed else reason)
    after = replace(model, readiness="ready", active=False, ap=0)
    return [changed("readied", named(unit, model) | told, after)]


def activate(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Begin a model's activation: burning, poison, reaction and slow fire first."""
    unit, model = find_model(content.armies, args)
    others = [one for _, one in content.armies.models() if one.active]
    reason = ""
    if model.removed:
        reason = "model_removed"
    elif model.readiness != "ready" or model.active:
        reason = "not_ready"
    elif others:
        reason = "another_active"
    told = allowed(args, reason)
    is_slow = [weapon.slow_fire for weapon in unit.card.weapons]
    tossed = luck_side(args)
    try:
        answer = activation_start(
            health_of(unit),
            model.regular,
            model.radiation,
            model.conditions,
            hero=unit.card.hero,
            luck_token=tossed,
            reaction_tokens=model.reaction,
            slow_fire="unloaded" if _unloaded(is_slow, model) else None,
        )
    except BadInput as error:
        if error.field != "luck_token":
            raise
        raise refuse("toss_needed") from error
    after = replace(
        model,
        readiness="ready",
        active=not answer.removed,
        ap=0,
        regular=answer.regular,
        conditions=answer.conditions,
        reaction=answer.reaction_tokens,
        loaded=(1,) * len(is_slow),
        removed=answer.removed,
    )
    log = named(unit, model) | told | {"steps": steps_of(unit, answer)}
    # An override leaves one model active at most: points belong to one activation.
    ended = [replace(one, active=False, ap=0) for one in others if one.id != model.id]
    return [_without(changed("activated", log, *ended, after), "act")]


def _unloaded(is_slow: Sequence[bool], model: Model) -> bool:
    pairs = zip(is_slow, model.loaded, strict=True)
    return any(slow and not loaded for slow, loaded in pairs)


def end_activation(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """End a model's activation: frost ends, action points are lost."""
    unit, model = find_model(content.armies, args)
    told = allowed(args, "" if model.active else "not_active")
    answer = activation_end(model.conditions, model.ap, model.readiness)
    after = replace(
        model,
        readiness=answer.ready,
        conditions=answer.conditions,
        ap=answer.ap,
        active=False,
    )
    log = named(unit, model) | told | {"steps": steps_of(unit, answer)}
    return [_without(changed("activation_ended", log, after), "act")]


def end_round(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """End the round: readiness tokens off, the advantage token moves on."""
    armies = content.armies
    left = [model for _, model in armies.models() if not model.removed]
    asked = round_end([Marked(model.id, model.readiness) for model in left])
    told = allowed(args, "" if asked.round_over else "round_goes_on")
    counts = {
        side: sum(not one.removed for unit in armies.side(side) for one in unit.models)
        for side in SIDES
    }
    holder = armies.advantage or None
    passed = advantage(armies.round + 1, Counts(**counts), holder)
    after = "" if passed.holder == "random" else passed.holder
    models = [
        replace(model, readiness="unready", active=False, ap=0)
        for _, model in armies.models()
    ]
    table = {"round": armies.round + 1, "advantage": after}
    log = told | {"round": armies.round, "advantage": passed.holder}
    data = {"models": to_json(models), "table": table, "log": log}
    return [_without(Draft("round_ended", data), "act", "turn", "locked")]


def _without(draft: Draft, *entries: str) -> Draft:
    """Return an event that also clears what the guided flows keep count of."""
    return replace(draft, data={**draft.data, "sheet": sheet_change(drop=entries)})


# --- Shared ------------------------------------------------------------------------

_FREE: Final = ("override",)

DEEDS: Final[dict[str, tuple[Deed, tuple[str, ...]]]] = {
    "add_unit": (add_unit, ("side", "roster")),
    "remove_unit": (remove_unit, ("unit",)),
    "set_health": (set_health, ("unit", "health")),
    "token": (token, ("model", "token", "change", *_FREE)),
    "damage": (damage, ("model", "damage", "luck_token", *_FREE)),
    "apply_result": (apply_result, ("model", "luck_token", *_FREE)),
    "heal": (heal, ("model", "kind", "amount", *_FREE)),
    "ready": (ready, ("model", *_FREE)),
    "activate": (activate, ("model", "luck_token", *_FREE)),
    "end_activation": (end_activation, ("model", *_FREE)),
    "end_round": (end_round, _FREE),
}
"""Every command about the armies, with the arguments it takes."""
