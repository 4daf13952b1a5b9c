"""Damage to models: by hand, from a resolved check, healed, and put right later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from device.games.foww.arguments import (
    MOST_DAMAGE,
    Args,
    allowed,
    choice,
    damage_parts,
    find_model,
    luck_side,
    whole,
)
from device.games.foww.checks import is_guided
from device.games.foww.logged import changed, named, steps_of
from device.games.foww.tokens import health_of, refuse, settled
from device.rules.foww.attacks import Damage
from device.rules.foww.damage import Model as Damageable
from device.rules.foww.damage import PowerArmour, apply_damage
from device.rules.foww.damage import heal as healing
from device.table.army import Model, Unit
from device.table.codec import JSON, to_json
from device.table.events import Draft
from device.table.state import Applied, Check, Content


def damage(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Give a model damage that armour did not stop."""
    parts = damage_parts(args)
    unit, model = find_model(content.armies, args)
    told = allowed(args, _damage_refusal(unit, model))
    after, more = _damaged(unit, model, parts, args)
    log = named(unit, model) | told | more
    return [changed("damage_taken", log, after)]


def apply_result(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Give a model what the resolved armour check let through."""
    check, result = content.check, content.result
    if check is None or result is None or "taken" not in result:
        raise refuse("no_damage")
    unit, model = find_model(content.armies, args)
    reasons = [_damage_refusal(unit, model)]
    given = [one for one in content.applied if one.check == check.id]
    if given or is_guided(check):
        reasons.insert(0, "already_applied")
    told = allowed(args, next(filter(None, reasons), ""))
    after, more = _hit(unit, model, check, result, args)
    log = named(unit, model) | told | more
    draft = changed("result_applied", log, after)
    applied = to_json(_with_hit(given, Applied(check.id, model, after)))
    return [replace(draft, data={**draft.data, "applied": applied})]


def _with_hit(given: Sequence[Applied], hit: Applied) -> list[Applied]:
    """Return the hits of a check with one more; a model hit again counts twice."""
    others = [one for one in given if one.after.id != hit.after.id]
    for one in given:
        if one.after == hit.before:
            hit = replace(hit, before=one.before, times=one.times + 1)
    return [*others, hit]


def _hit(
    unit: Unit, model: Model, check: Check, result: Mapping[str, JSON], args: Args
) -> tuple[Model, dict[str, JSON]]:
    """Return a model after the hit of an armour check, and what the log says of it."""
    kind = str(check.given.get("type") or "physical")
    parts = [Damage(kind, int(result["taken"]))]
    after, told = _damaged(unit, model, parts, args)
    if check.given.get("boost_icons") and after.boost:
        after = replace(after, boost=after.boost - 1)  # one icon a hit, §2.10 p.21
    return after, told


def follow_correction(
    content: Content, check: Check, result: Mapping[str, JSON] | None
) -> dict[str, JSON]:
    """Return what a corrected armour die changes on the models that were hit.

    A model that anything else has happened to since keeps its tokens: nobody can say
    any more what they would be.

    Returns:
        More data for the event: ``models`` and ``applied``, and ``kept``, the models
        left as they are; empty where the check hit nobody.
    """
    given = [one for one in content.applied if one.check == check.id]
    if not given or result is None or "taken" not in result:
        return {}
    models: list[Model] = []
    applied: list[Applied] = []
    kept: list[JSON] = []
    for one in given:
        found = content.armies.find(one.after.id)
        if found is None:
            continue
        unit, now = found
        if now != one.after:
            kept.append(named(unit, now))
            continue
        after = one.before
        for _ in range(one.times):
            after, _told = _hit(unit, after, check, result, {})
        models.append(after)
        applied.append(replace(one, after=after))
    return {"models": to_json(models), "applied": to_json(applied), "kept": kept}


def _damage_refusal(unit: Unit, model: Model) -> str:
    if model.removed:
        return "model_removed"
    armour = unit.card.power_armour
    if armour is not None and armour.endurance is None and not model.broken:
        return "armour_unknown"
    return ""


def _damaged(
    unit: Unit, model: Model, parts: Sequence[Damage], args: Args
) -> tuple[Model, dict[str, JSON]]:
    """Return a model after damage, and what the log says of it."""
    armour = unit.card.power_armour
    worn = None
    if armour is not None and armour.endurance is not None:
        worn = PowerArmour(armour.endurance, model.power_armour, model.broken)
    answer = apply_damage(
        Damageable(
            health=health_of(unit),
            hero=unit.card.hero,
            regular=model.regular,
            radiation=model.radiation,
            ready="activated" if model.active else model.readiness,
            power_armour=worn,
        ),
        parts,
        luck_side(args),
    )
    after = replace(
        model,
        regular=answer.regular,
        radiation=answer.radiation,
    )
    if answer.power_armour is not None:
        tokens, broken = answer.power_armour.tokens, answer.power_armour.broken
        after = replace(after, power_armour=tokens, broken=broken)
    if answer.removed or model.removed:
        after = replace(after, removed=True, active=False, ap=0)
    told = {
        "damage": [{"type": one.type, "amount": one.amount} for one in parts],
        "steps": steps_of(unit, answer),
    }
    return after, told


def heal(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Heal regular or radiation damage."""
    kind = choice(args, "kind", ("regular", "radiation"))
    amount = whole(args, "amount", 1, MOST_DAMAGE)
    unit, model = find_model(content.armies, args)
    told = allowed(args, "model_removed" if model.removed else "")
    answer = healing(model.regular, model.radiation, kind, amount)
    after = replace(model, regular=answer.regular, radiation=answer.radiation)
    log = named(unit, model) | told | {"steps": steps_of(unit, answer)}
    return [changed("healed", log, settled(unit, after))]
