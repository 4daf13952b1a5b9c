"""Values that pass through the reader: frames, poses, detections, readings."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Image: TypeAlias = NDArray[np.uint8]
"""``(h, w, 3)`` uint8 BGR, or ``(h, w)`` uint8 grey where a docstring says so."""


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return the same array, made read-only (OpenCV refuses to draw on it)."""
    array.setflags(write=False)
    return array


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One image with the time it was taken.

    Attributes:
        image: ``(h, w, 3)`` uint8 BGR, read-only.
        exposed_s: Monotonic seconds at which its exposure began. A die seen at rest
            at time t is read only from a frame with ``exposed_s >= t``.
        number: Counts up by one per frame the camera delivered; a gap means drops.
        grey: ``(h', w')`` uint8 small grey image of the same scene for watching
            motion (the camera's lores stream), or None: then take it from `image`.
    """

    image: Image
    exposed_s: float
    number: int
    grey: Image | None = None

    def __post_init__(self) -> None:
        read_only(self.image)
        if self.grey is not None:
            read_only(self.grey)


class Status(StrEnum):
    """How far a detection may be trusted."""

    OK = "ok"
    UNSURE = "unsure"
    COCKED = "cocked"


KINDS = ("d4", "d6", "d8", "d10", "d%", "d12", "d20", "coin")
"""Untaught kinds of die, as they appear in `Detection.die`."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Where and how one die lies, in pixels of the image it was found in.

    Attributes:
        shape: Solid it is: d4 d6 d8 d10 d12 d20 coin (a d% is a d10 here).
        top_xy_px: Centre of the up face's polygon (of the numeral on a d10's kite),
            x right, y down.
        radius_px: Radius of the die's circumscribed sphere. All crops are scaled by
            it, whatever the kind.
        turn_rad: Turn of the up face, clockwise as seen, from image up, of: a corner
            of the triangle or pentagon (d4 d8 d20, d12), the middle of an edge of the
            square (d6), the sharp tip of the kite (d10). Known modulo the face's own
            symmetry: a third of a turn (d4 d8 d20), a fifth (d12), a quarter (d6), a
            whole turn (d10). A coin has none: 0.
        confidence: 0..1 that a die of this shape lies here, flat, like this.
        flat: 0..1 that it lies flat on one face (low: leaning, `cocked`).
        twin: 0..1 that it is another solid whose up face looks and turns the same: the
            triangles of d4, d8 and d20. What is read on it may tell which.
        slope: Of the line of sight, right and down in the image for as much up; (0, 0)
            is a look from straight above, or unknown.
    """

    shape: str
    top_xy_px: tuple[float, float]
    radius_px: float
    turn_rad: float
    confidence: float
    flat: float = 1.0
    twin: float = 0.0
    slope: tuple[float, float] = (0.0, 0.0)

    @property
    def found(self) -> float:
        """How certain it is, 0..1, that a die with such an up face lies here."""
        return self.confidence + self.twin


@dataclass(frozen=True, slots=True)
class Detection:
    """One die found in one frame.

    Attributes:
        die: Untaught kind (`KINDS`), or the name of the taught die.
        face: Face key, or None where nothing can be offered.
        confidence: 0..1, calibrated: 0.99 means one in a hundred is wrong.
        status: Only `ok` is vouched for.
        box_xywh_px: Upright box, in pixels of the image given.
        alternatives: Faces with their confidences, most likely first, at most five.
        pose: Where it lies.
        colour: Body colour by name (`vision.find` lists them), or "".
        size_mm: Diameter of the circumscribed sphere, or None without a rig.
        id: Stable while the die lies in the tray; "" until a tracker gave one.
    """

    die: str
    face: str | None
    confidence: float
    status: Status
    box_xywh_px: tuple[float, float, float, float]
    alternatives: tuple[tuple[str, float], ...] = ()
    pose: Pose | None = None
    colour: str = ""
    size_mm: float | None = None
    id: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """All detections of one settled frame, left to right, top to bottom.

    Attributes:
        detections: What was found.
        exposed_s: When the frame that was read was exposed.
        ms: Milliseconds spent: ``find``, ``faces``, ``total``.
    """

    detections: tuple[Detection, ...]
    exposed_s: float = 0.0
    ms: dict[str, float] = field(default_factory=dict)
