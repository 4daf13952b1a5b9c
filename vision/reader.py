"""Reads the dice in one settled image, or in several of the same rest.

1. Straighten: the tray from straight above, where the printed frame is known.
2. Find the dice: kind of solid, where the up face is, how it is turned.
3. Leave out what lies outside the tray; half out or leaning is `cocked`.
4. Tell what is up on each (`vision/up_face.py`); a doubtful one is found once more.
5. Sure or silent: below the bar the die is `unsure`, its best faces offered.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.arrivals import Changes, EmptyTray
from vision.colours import body_colour
from vision.company import has_company
from vision.faces import FACES, FaceReader
from vision.find import Finder
from vision.frame import KINDS, Detection, Image, Pose, Reading, Status
from vision.gallery import Gallery
from vision.merge import OFFERED, agreed, in_reading_order, once, same_place
from vision.neighbours import is_numbered_round
from vision.outline import box_xywh_px
from vision.parts import FindsDice, MatchesFaces, ReadsFaces, TellsTiles
from vision.rig import Rig, TopView, camera_over_px, top_view
from vision.tiles import FLAT_BAR, Tiles
from vision.up_face import UpFaces
from vision.witness import DIE_SURE, LONE, PIPS_SURE, UpFace

FLAT = 0.5
"""Below this a die leans: `cocked`. The network alone hardly tells: of drawn dice seen
by an unknown camera 2 of 20 leaning and 3 of 145 flat ones lie below. At 0.3 it was 1
and 0, and on strangers' photographs 8 more were read right and 5 more wrong. Where the
frame is in view, or other dice around, the finder says it."""

DIE_HERE = 0.75
"""A find less certain than this, on which nothing can be read, is no die."""

LONE_SURE = 0.8
"""The find's certainty wanted for a lone pip: any round spot looks like one."""

HALF_OUT_MM = 2.0
"""A die whose top lies so far outside the tray's outline leans on its rim."""

LARGEST_MM = 37.0
"""Nothing wider is vouched for untaught: a card with pips fills a large die's place.
Usual dice are 20 to 33 mm across their corners."""

OUTSIDE_MM = 14.0
"""A die farther out than this does not lie in the tray at all."""

COME_RADII = 0.7
COME = 0.2
"""Part of the up face's disc that must be otherwise than when the tray was empty, where
that is known: of 1,428 drawn dice 1,425 are. What was there before is the tray's own
pattern."""

LEAST_TINT = 0.06
"""White balance that differs less between the channels is left as it is."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A die as read by itself.

    `lone` is true where nothing but the find is in doubt: dice of the same look around
    it would speak for it.
    """

    die: Detection
    lone: bool


def _in_company(reads: Sequence[_Read]) -> list[Detection]:
    """Return the dice, vouched for where sure dice of the same look lie around."""
    sure = [read.die for read in reads if read.die.status is Status.OK]
    return [
        replace(read.die, status=Status.OK)
        if read.lone and has_company(read.die, sure)
        else read.die
        for read in reads
    ]


class Reader:
    """Reads dice; used from one thread.

    Args:
        gallery: Taught dice, or None.
        bar: Confidence from which any face is vouched for; None takes those of
            `vision/up_face.py`.
        finder: Finds dice.
        faces: Reads numerals and pips.
        tiles: Tells cubes from flat things.
    """

    def __init__(
        self,
        gallery: Gallery | MatchesFaces | None = None,
        *,
        bar: float | None = None,
        finder: FindsDice | None = None,
        faces: ReadsFaces | None = None,
        tiles: TellsTiles | None = None,
    ) -> None:
        self.gallery = gallery
        self._finder = finder or Finder()
        self._faces = faces or FaceReader()
        self._ups = UpFaces(gallery, self._faces, bar)
        self._tiles = tiles or Tiles()

    def read(
        self,
        image: Image,
        *,
        rig: Rig | None = None,
        exposed_s: float = 0.0,
        empty: EmptyTray | None = None,
    ) -> Reading:
        """Read one settled image.

        Args:
            image: ``(h, w, 3)`` uint8 BGR.
            rig: The camera's place, where the printed frame has been found.
            exposed_s: When the image was exposed; handed through.
            empty: The tray before the dice came, where it is known: it tells of dice
                that are hard to find by their looks.

        Returns:
            All dice, in reading order, boxes in pixels of the given image.

        Raises:
            CalibrationError: The rig is for another size of image.
        """
        start = time.perf_counter()
        view = top_view(image, rig)
        camera = None if rig is None else camera_over_px(view, rig)
        scale = view.px_per_mm or None
        changes = None if empty is None else empty.changes(image)
        arrivals = [] if changes is None else changes.marks
        poses = self._finder.find(
            view.image,
            px_per_mm=scale,
            camera_px=camera,
            arrivals=[replace(m, xy_px=view.point_to_view(m.xy_px)) for m in arrivals],
        )
        found = time.perf_counter()
        dice = _in_company(self._read_dice(view, poses, rig, camera))
        if changes is not None:
            dice = [_unless_it_was_there(die, changes) for die in dice]
        done = time.perf_counter()
        return Reading(
            in_reading_order(once(dice)),
            exposed_s,
            {
                "find": 1000 * (found - start),
                "faces": 1000 * (done - found),
                "total": 1000 * (done - start),
            },
        )

    def read_many(
        self, images: Sequence[Image], *, rig: Rig | None = None, exposed_s: float = 0.0
    ) -> Reading:
        """Read a few images of one rest and let them agree.

        A face is vouched for where it is in one image at least and no other image says
        otherwise; a die that is not in every image is `unsure`.

        Args:
            images: One or more of one size, of dice that did not move.
            rig: As for `read`.
            exposed_s: Of the first.

        Raises:
            ValueError: No image.
            CalibrationError: As for `read`.
        """
        if not images:
            raise ValueError("no image to read")
        readings = [self.read(image, rig=rig, exposed_s=exposed_s) for image in images]
        first, *others = readings
        dice = tuple(
            agreed(die, [same_place(die, r.detections) for r in others])
            for die in first.detections
        )
        spent = {key: sum(r.ms[key] for r in readings) for key in first.ms}
        return Reading(dice, exposed_s, spent)

    def _read_dice(
        self,
        view: TopView,
        poses: Sequence[Pose],
        rig: Rig | None,
        camera_px: tuple[float, float, float] | None,
    ) -> list[_Read]:
        """Read the dice in the tray; step by step, for one is quicker after another."""
        image = view.image
        inside = [pose for pose in poses if _in_tray(view, pose, rig, OUTSIDE_MM)]
        half_out = [not _in_tray(view, pose, rig, HALF_OUT_MM) for pose in inside]
        ups = self._ups.tell(image, inside)
        doubted = [at for at, up in enumerate(ups) if not self._ups.is_sure(up)]
        again = [
            self._finder.again(image, inside[at], camera_px=camera_px) for at in doubted
        ]
        for at, up in zip(doubted, self._ups.tell(image, again), strict=True):
            ups[at] = up
        reads = [
            self._judged(view, up, out, rig)
            for up, out in zip(ups, half_out, strict=True)
        ]
        return [read for read in reads if read is not None]

    def _judged(
        self, view: TopView, up: UpFace, half_out: bool, rig: Rig | None
    ) -> _Read | None:
        """Return a die with how far it is to be trusted; None where there is none."""
        pose = up.pose
        face, confidence = up.scores[0] if up.scores else (None, 0.0)
        bar = self._ups.bar_of(up)
        if pose.confidence < DIE_HERE and confidence < bar:
            return None
        if face is None and pose.shape == "coin":
            return None  # any disc looks like a coin that nobody has taught
        find_bar = LONE_SURE if (up.die, face) == ("d6", LONE) else up.find_bar
        size_mm = 2 * pose.radius_px / view.px_per_mm if view.px_per_mm else None
        vouched = confidence >= bar and self._find_share(view.image, up) >= find_bar
        large = size_mm is not None and size_mm > LARGEST_MM
        if up.die in KINDS and large:
            vouched = False
        elif up.die == "d6" and vouched:
            vouched = self._tiles.flatness(view.image, pose) < FLAT_BAR
        status = Status.OK if vouched else Status.UNSURE
        if half_out or pose.flat < FLAT:
            status = Status.COCKED
        lone = up.die == "d6" and not (vouched or large) and confidence >= bar
        # The find alone is in doubt, and it is not the only witness of the pips.
        lone = lone and (up.find_bar == PIPS_SURE or pose.confidence >= DIE_SURE)
        die = Detection(
            die=up.die,
            face=face,
            confidence=confidence,
            status=status,
            box_xywh_px=view.box_to_given(box_xywh_px(pose)),
            alternatives=up.scores[:OFFERED],
            pose=_given(view, pose),
            colour=_colour(view.image, pose, rig),
            size_mm=size_mm,
        )
        return _Read(die, lone and status is Status.UNSURE)

    def _find_share(self, image: Image, up: UpFace) -> float:
        """Return how certain it is that a die of just this kind lies there.

        A d4, a d8 and a d20 look alike from above. Likeness tells which taught die it
        is; that it is a d20 is told by a number that no other one bears, or by those
        around it.
        """
        pose = up.pose
        if up.die not in KINDS:
            return pose.found
        doubted = pose.confidence < up.find_bar <= pose.found
        if up.die != "d20" or not up.scores or not doubted:
            return pose.confidence
        face = up.scores[0][0]
        alone = face not in FACES["d8"]
        if alone or is_numbered_round(self._faces, image, pose, face):
            return pose.found
        return pose.confidence


def _unless_it_was_there(die: Detection, changes: Changes) -> Detection:
    """Return a die, not vouched for where the tray looks as it did when empty."""
    pose = die.pose
    if die.status is not Status.OK or pose is None:
        return die
    if changes.share(pose.top_xy_px, COME_RADII * pose.radius_px) >= COME:
        return die
    return replace(die, status=Status.UNSURE)


def _in_tray(view: TopView, pose: Pose, rig: Rig | None, margin_mm: float) -> bool:
    """True where a die lies in the tray or so near to it, or no frame tells."""
    return rig is None or rig.has_in_tray(
        view.point_to_given(pose.top_xy_px), margin_mm
    )


def _colour(image: Image, pose: Pose, rig: Rig | None) -> str:
    """Return the name of a die's colour, the paper's tint taken out."""
    gains = np.ones(3) if rig is None or rig.white_bgr is None else rig.gains_bgr
    if np.ptp(gains) < LEAST_TINT:
        return body_colour(image, pose)
    x, y = pose.top_xy_px
    reach = pose.radius_px + 2
    left, top = max(0, math.floor(x - reach)), max(0, math.floor(y - reach))
    part = image[top : math.ceil(y + reach), left : math.ceil(x + reach)]
    balanced = np.clip(part * np.asarray(gains), 0, 255).astype(np.uint8)
    return body_colour(balanced, replace(pose, top_xy_px=(x - left, y - top)))


def _given(view: TopView, pose: Pose) -> Pose:
    """Return the pose in pixels of the given image; its turn is the top view's.

    How the camera looked at it there is not told.
    """
    x, y = pose.top_xy_px
    reach = pose.radius_px
    top = view.point_to_given((x, y))
    beside = [view.point_to_given(p) for p in ((x + reach, y), (x, y + reach))]
    radius = sum(math.dist(top, point) for point in beside) / 2
    return replace(pose, top_xy_px=top, radius_px=radius, slope=(0.0, 0.0))
