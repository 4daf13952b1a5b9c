"""Teaching a die: which of its sides lies there, grouped as they are seen.

1. Each look at the die is compared with the sides seen before.
2. Clearly one of them: the look becomes one more example of it. Anything else opens a
   new group, which a person names once. Two groups of one name become one face; so a
   doubt costs a question, never a wrong example.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2

from vision.embedder import SideEmbedder
from vision.frame import Image, Pose
from vision.gallery import Gallery, Shot
from vision.parts import Finds
from vision.rig import Rig, TopView, camera_over_px, top_view

SAME = 0.8
"""Likeness from which a look shows a side seen before. Of 30 drawn dice of any look the
other sides came to 0.77 at most (336 looks), half of the looks at a side that had been
seen to 0.83 and more. On 18 of them 277 of 658 looks joined their side, none another;
with 0.88, chosen for an earlier network, a third as many joined theirs."""

LEAD = 0.05
"""Lead over the sides of another name that goes with it."""

DIE = "die"
FLAT, SURE = 0.5, 0.75
"""A die that leans more, or is found less certainly, teaches nothing."""

LOOKS_KEPT = 4
"""Examples of one side: more of the same teach little and slow reading down."""

PICTURE_PX = 160
PICTURE_REACH = 1.15
"""Half the side of a person's picture, in radii of the die."""

PICTURE_QUALITY = 85


@dataclass(frozen=True, slots=True)
class Group:
    """Looks that show one side.

    Attributes:
        number: From 1, in the order of the first look.
        face: What a person called it, or "".
        looks: How many there are.
        jpeg: The first of them, for the person.
    """

    number: int
    face: str
    looks: int
    jpeg: bytes


class Sides:
    """The sides of one die as far as they have been seen; used from one thread.

    Args:
        shape: Of the die.
        embedder: Shared with the reader.
    """

    def __init__(self, shape: str, embedder: SideEmbedder | None = None) -> None:
        self.shape = shape
        self.groups: dict[int, Group] = {}
        self._gallery = Gallery(embedder)
        self._shots: dict[int, tuple[Shot, ...]] = {}
        self._next = 1

    def take(self, image: Image, pose: Pose) -> Group:
        """Take one look at the die and return the group that it belongs to.

        Args:
            image: BGR.
            pose: Where the die lies in it.
        """
        number = self._known(image, pose)
        if number is None:
            number = self._next
            self._next += 1
            self.groups[number] = Group(number, "", 0, picture(image, pose))
            self._shots[number] = ()
        group = self.groups[number]
        self.groups[number] = replace(group, looks=group.looks + 1)
        if len(self._shots[number]) < LOOKS_KEPT:
            key = _key(group)
            self._gallery.add(DIE, self.shape, key, image, pose)
            self._shots[number] += (self._gallery.dice[DIE].faces[key][-1],)
        return self.groups[number]

    def name(self, number: int, face: str) -> None:
        """Call a group's side by its face; "" takes the name back.

        Raises:
            KeyError: No such group.
        """
        group = replace(self.groups[number], face=face)
        shots = self._shots[number]
        self._drop(number)
        self.groups[number] = group
        self._shots[number] = self._gallery.adopt(DIE, self.shape, _key(group), shots)

    def forget(self, number: int) -> None:
        """Forget a group and its looks: they were no good.

        Raises:
            KeyError: No such group.
        """
        del self.groups[number]
        self._drop(number)

    def faces(self) -> dict[str, tuple[Shot, ...]]:
        """Return the named faces with their examples."""
        found: dict[str, tuple[Shot, ...]] = {}
        for number, group in self.groups.items():
            if group.face:
                found[group.face] = found.get(group.face, ()) + self._shots[number]
        return found

    def _known(self, image: Image, pose: Pose) -> int | None:
        if DIE not in self._gallery.dice:
            return None
        match = self._gallery.match(image, pose, [DIE])
        if match.similarity < SAME or match.margin < LEAD:
            return None
        key = match.scores[0][0]
        return next((n for n, group in self.groups.items() if _key(group) == key), None)

    def _drop(self, number: int) -> None:
        for shot in self._shots.pop(number):
            self._gallery.remove(shot.id)


def _key(group: Group) -> str:
    """Return the group's face in the gallery: ``=name``, or ``?number`` unnamed."""
    return f"={group.face}" if group.face else f"?{group.number}"


def picture(image: Image, pose: Pose) -> bytes:
    """Return the die's picture as it lies there."""
    reach = pose.radius_px * PICTURE_REACH
    size = round(2 * reach)
    cut = cv2.getRectSubPix(image, (size, size), pose.top_xy_px)
    shown = cv2.resize(cut, (PICTURE_PX, PICTURE_PX), interpolation=cv2.INTER_AREA)
    settings = [cv2.IMWRITE_JPEG_QUALITY, PICTURE_QUALITY]
    done, data = cv2.imencode(".jpg", shown, settings)
    return data.tobytes() if done else b""


def look(
    finder: Finds, image: Image, rig: Rig | None
) -> tuple[TopView, tuple[Pose, ...]]:
    """Return the tray as the reader sees it, and the dice that lie flat in it.

    Args:
        finder: Finds dice.
        image: BGR.
        rig: Where the camera stands, if that is known.
    """
    view = top_view(image, rig)
    poses = finder.find(
        view.image,
        px_per_mm=view.px_per_mm or None,
        camera_px=None if rig is None else camera_over_px(view, rig),
    )
    return view, tuple(
        pose
        for pose in poses
        if pose.flat >= FLAT
        and pose.confidence >= SURE
        and (rig is None or rig.has_in_tray(view.point_to_given(pose.top_xy_px)))
    )
