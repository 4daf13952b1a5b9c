"""Units, as names for numbers, and the few conversions between them."""

from __future__ import annotations

from typing import Final, TypeAlias

Millimetres: TypeAlias = float
Seconds: TypeAlias = float
Pixels: TypeAlias = float

MM_PER_INCH: Final = 25.4
"""Exact by definition of the international inch."""


def inches_to_mm(inches: float) -> Millimetres:
    """Return a length in millimetres, not rounded."""
    return inches * MM_PER_INCH
