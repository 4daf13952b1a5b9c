"""Shorthand for questions in the tests of one game."""

from __future__ import annotations

from typing import Any

import pytest

from device.errors import BadInput
from device.rules.resolve import resolve


class Game:
    """Asks the resolver of one game."""

    def __init__(self, name: str) -> None:
        self.name = name

    def ask(self, kind: str, /, **given: Any) -> dict[str, Any]:
        return resolve(self.name, kind, given)

    def fault(self, kind: str, /, **given: Any) -> str:
        """Return the field that a badly asked question is told."""
        with pytest.raises(BadInput) as caught:
            resolve(self.name, kind, given)
        return caught.value.field
