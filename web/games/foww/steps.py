"""The rules' steps in words, models by their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from device.table.army import Armies
from web.explain import step_texts
from web.games.foww.tokens import model_name


def named_steps(
    armies: Armies, steps: Iterable[Mapping[str, Any]] | None
) -> tuple[str, ...]:
    """Return every step in words; where one carries a model's id, its name stands.

    Args:
        armies: Both sides, as they are now; who has left them keeps the id.
        steps: As the rules return them.
    """
    names = {model.id: model_name(unit, model) for unit, model in armies.models()}
    return step_texts(
        {**step, "params": _named(names, step.get("params") or {})}
        for step in steps or ()
    )


def _named(names: Mapping[str, str], params: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: names.get(value, value) if isinstance(value, str) else value
        for key, value in params.items()
    }
