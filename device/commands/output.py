"""Printing: what every command that answers in JSON shares."""

from __future__ import annotations

import json
import sys
from typing import Any

from device.errors import BadInput, RulesError


def print_json(value: Any) -> None:
    """Print one value as one line of JSON."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


def error_json(error: RulesError) -> dict[str, Any]:
    """Return an error as the contracts want it: ``{"error": {"field", "message"}}``."""
    return {"error": {"field": error.field, "message": str(error)}}


def parse_object(text: str, field: str = "") -> dict[str, Any]:
    """Return the JSON object in a text.

    Args:
        text: What was typed or piped in.
        field: Named in the error.

    Raises:
        BadInput: Not JSON, or not an object.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"not JSON: {error}", field) from error
    if not isinstance(value, dict):
        raise BadInput("expected a JSON object", field)
    return value
