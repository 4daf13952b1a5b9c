"""Events about models, with what the log says: who, and the rules' steps."""

from __future__ import annotations

from collections.abc import Mapping

from device.rules.answer import Answer, as_json
from device.table.army import Model, Unit
from device.table.codec import JSON, to_json
from device.table.events import Draft


def changed(kind: str, log: Mapping[str, JSON], *models: Model) -> Draft:
    """Return an event that gives models their tokens."""
    return Draft(kind, {"models": to_json(models), "log": log})


def named(unit: Unit, model: Model | None = None) -> dict[str, JSON]:
    """Return the log's words for a unit or one of its models."""
    told = {"side": unit.side, "name": to_json(unit.card.name)}
    if model is not None and len(unit.models) > 1:
        told["number"] = model.number
    return told


def steps_of(unit: Unit, answer: Answer) -> JSON:
    """Return the rules' steps; nothing about a health that nobody has said."""
    steps = as_json(answer.steps)
    known = unit.card.health is not None
    return [one for one in steps if known or one["rule"] not in ("health", "removed")]
