"""Shorthand for questions in these tests."""

from __future__ import annotations

from typing import Any

import pytest

from device.errors import BadInput
from device.rules.resolve import resolve


def ask(kind: str, /, **given: Any) -> dict[str, Any]:
    return resolve("foww", kind, given)


def fault(kind: str, /, **given: Any) -> str:
    """Return the field that a badly asked question is told."""
    with pytest.raises(BadInput) as caught:
        resolve("foww", kind, given)
    return caught.value.field


def dice(colour: str, *faces: str) -> list[dict[str, Any]]:
    """Return rolled effect dice; a face is icons joined by +, or empty."""
    return [{"die": colour, "icons": [i for i in f.split("+") if i]} for f in faces]
