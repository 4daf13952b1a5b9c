"""Dice of one set lie together: sure dice of the same look speak for a doubtful find.

A face read for certain on something that is not surely a die may stand on a card or a
token. It does not where it is as large and of the same colour as several dice around.
"""

from __future__ import annotations

from collections.abc import Sequence

from vision.frame import Detection

ALIKE = 3
"""Sure dice of the same look that it takes."""

SAME_SIZE = 0.15
"""Dice of one set differ in apparent size by no more than this share: by the angle and
by where they lie in the picture."""

LEAST_FIND = 0.25
"""A find less certain than this is no die, whatever lies around."""


def has_company(die: Detection, sure: Sequence[Detection]) -> bool:
    """Return whether enough dice of the same look lie around.

    Args:
        die: Found with doubt, its face read for certain.
        sure: Vouched for without such help, in the same image.
    """
    if die.pose is None or die.pose.confidence < LEAST_FIND:
        return False
    alike = [other for other in sure if _look_alike(die, other)]
    return len(alike) >= ALIKE


def _look_alike(die: Detection, other: Detection) -> bool:
    if die.pose is None or other.pose is None:
        return False
    same = (die.die, die.colour) == (other.die, other.colour)
    size, usual = die.pose.radius_px, other.pose.radius_px
    return same and abs(size - usual) <= SAME_SIZE * usual
