"""What every strip driver checks and needs: shapes, colour orders, addresses."""

from __future__ import annotations

from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

Colours = NDArray[np.uint8]
"""``(n, 3)`` uint8 RGB, linear duty 0..255, pixel 0 first."""

ORDERS: Final = tuple(sorted("".join(p) for p in permutations("rgb")))
"""Orders in which LEDs take red, green and blue off the wire."""


def as_colours(colours: Colours, pixels: int) -> Colours:
    """Return `colours` as a C-contiguous array after checking it.

    Args:
        colours: ``(pixels, 3)`` uint8 RGB.
        pixels: How many LEDs the strip has.

    Raises:
        ValueError: Another shape or type.
    """
    array = np.asarray(colours)
    if array.dtype != np.uint8 or array.shape != (pixels, 3):
        raise ValueError(
            f"expected ({pixels}, 3) uint8 colours, got {array.shape} {array.dtype}"
        )
    return np.ascontiguousarray(array)


def order_index(order: str) -> tuple[int, int, int]:
    """Return for each place on the wire which of red, green, blue goes there.

    Args:
        order: One of `ORDERS`, e.g. ``"bgr"``.

    Raises:
        ValueError: Not an order.
    """
    if order not in ORDERS:
        raise ValueError(f"colour order {order!r}: expected one of {', '.join(ORDERS)}")
    first, second, third = ("rgb".index(letter) for letter in order)
    return first, second, third


def checked_length(pixels: int) -> int:
    """Return `pixels`, how many LEDs a strip has.

    Raises:
        ValueError: Not 1 or more.
    """
    if pixels < 1:
        raise ValueError(f"a strip has 1 LED or more, not {pixels}")
    return pixels
