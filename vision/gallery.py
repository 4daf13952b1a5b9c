"""Taught dice: what each face of a die looks like, from one to a few shots each.

A shot is the whole visible side, so the neighbours of a face speak with it and even a
blank face is known by them. Reading (`Gallery.match`):

1. The die is embedded as its pose says, at a few jittered crops and at many of them as
   long as there is a doubt: the pose is never exact, the best of all crops counts.
2. Each is compared with every taught shot, at every turn of the polygon.
3. A face scores the mean of its two best shots; the die's colour helps to choose
   between taught dice of one shape.
4. Likeness below a floor is "not a die I know", by what the face's own shots have; a
   small lead is "not sure".
"""

from __future__ import annotations

import itertools
import math
import pathlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from device.durable import write_atomic
from vision import crops, gallery_file
from vision.confidence import load_confidence
from vision.crops import View
from vision.embedder import MODELS, SIDE, TOP_SHARE, UP_FACE, SideEmbedder
from vision.faces import numbers_borne
from vision.frame import Image, Pose
from vision.gallery_file import (
    DICE_A_SET,
    FACES_A_DIE,
    SHOT_PX,
    SHOTS_A_FACE,
    GalleryError,
    KeptShot,
    polygon_turns,
)
from vision.likeness import (
    FLOOR,
    Found,
    GalleryMatch,
    better,
    decide,
    own_likeness,
)
from vision.tint import body_tint, colour_cost
from vision.together import Search, together

__all__ = ["Gallery", "GalleryError", "GalleryMatch", "Shot", "TaughtDie"]

Floats = NDArray[np.float32]

NEAR = tuple(
    View(math.radians(turn), (x, y))
    for turn, x, y in (
        (0, 0.05, 0), (0, -0.05, 0), (0, 0, 0.05), (0, 0, -0.05),
        (4, 0, 0), (-4, 0, 0),
    )
)  # fmt: skip
"""Crops tried beside the plain one: shifts in radii, turns in degrees."""

WIDE = tuple(
    View(math.radians(turn), (x, y))
    for turn in (-5, 5)
    for x in (-0.06, 0.06)
    for y in (-0.06, 0.06)
)
"""Crops tried where the first ones leave a doubt: the corners of what poses are off by.
With all 27 in between, 90 of 94 dice of another designer were read, with these 91."""

SIZES = tuple(View(0.0, scale=size) for size in (0.88, 1.12))
"""Crops of a cube tried as well: its sides, seen a little, make it seem larger."""

PLAIN = (View(0.0),)

GAIN = (0.18, 0.07)
"""Likeness gained at most by looking on, after one crop and after the first few: of
142 drawn dice, 0.17 and 0.06. A die that lies farther below `FLOOR` is a stranger."""


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One example of a face.

    Attributes:
        id: Names it for `Gallery.remove`.
        picture: ``(SHOT_PX, SHOT_PX, 3)`` uint8 BGR, upright by the pose, read-only.
        vectors: ``(turns, SIDE_NUMBERS)`` its embedding at each turn of the polygon.
        tint: ``(3,)`` Lab colour of the die in it.
        correction: It came from a correction at the table, not from teaching.
    """

    id: int
    picture: Image
    vectors: Floats
    tint: Floats
    correction: bool


@dataclass(slots=True)
class TaughtDie:
    """One die: its solid, its colour by name, and its faces' shots."""

    shape: str
    colour: str = ""
    faces: dict[str, list[Shot]] = field(default_factory=dict)


class Gallery:
    """The taught dice of one set.

    Args:
        embedder: Shared with other galleries; None makes one.
        name: Of the dice set.
    """

    def __init__(self, embedder: SideEmbedder | None = None, name: str = "") -> None:
        self.name = name
        self.dice: dict[str, TaughtDie] = {}
        self._embedder = embedder or SideEmbedder()
        self.confidence = load_confidence(MODELS / "confidence.json")
        self._next_id = 1

    @property
    def embedder(self) -> SideEmbedder:
        """What its vectors were made with; to be shared with other galleries."""
        return self._embedder

    def __len__(self) -> int:
        """Return the number of shots."""
        return sum(
            len(shots) for die in self.dice.values() for shots in die.faces.values()
        )

    def add(
        self,
        die: str,
        shape: str,
        face: str,
        image: Image,
        pose: Pose,
        *,
        colour: str = "",
        correction: bool = False,
    ) -> int:
        """Teach one example and return its number.

        Args:
            die: Name of the die; made if new.
            shape: Its solid, as in `Pose.shape`.
            face: Key of the face that is up.
            image: BGR.
            pose: Where the die lies in it.
            colour: Name of the body's colour, kept with the die.
            correction: It comes from a correction at the table.

        Raises:
            GalleryError: The name or key is empty or too long, the die is known with
                another shape, or there are too many dice or faces.
        """
        for what, name in (("die", die), ("face", face)):
            if not re.fullmatch(r"[^\x00-\x1f]{1,60}", name):
                raise GalleryError(
                    f"{what}: 1 to 60 printable characters, got {name!r}"
                )
        if shape not in crops.TURNS:
            known = " ".join(crops.TURNS)
            raise GalleryError(f"shape {shape!r} of {die}: expected one of {known}")
        taught = self.dice.get(die)
        if taught is not None and taught.shape != shape:
            raise GalleryError(f"{die} is taught as a {taught.shape}, not as a {shape}")
        if taught is None:
            if len(self.dice) >= DICE_A_SET:
                raise GalleryError(f"a set holds {DICE_A_SET} dice at most")
            taught = TaughtDie(shape)
        if face not in taught.faces and len(taught.faces) >= FACES_A_DIE:
            raise GalleryError(f"{die} has {FACES_A_DIE} faces already")
        part, moved = crops.side_patch(image, pose)
        view = [View(pose.turn_rad)]
        width = crops.SIDE_HALF_WIDTH * SHOT_PX / crops.SIDE_PX
        picture = crops.crops(part, moved, width, view, SHOT_PX)[0]
        self.dice[die] = taught
        taught.colour = colour or taught.colour
        return self._keep(taught, face, picture, body_tint(image, pose), correction)

    def _keep(
        self,
        taught: TaughtDie,
        face: str,
        picture: Image,
        tint: Floats,
        correction: bool,
        vectors: Floats | None = None,
    ) -> int:
        """Store a shot, pushing out the oldest correction where there are too many."""
        picture.setflags(write=False)
        if vectors is None:
            vectors = self._turned_vectors(picture, taught.shape)
        shot = Shot(self._next_id, picture, vectors, tint, correction)
        self._next_id += 1
        shots = taught.faces.setdefault(face, [])
        if len(shots) >= SHOTS_A_FACE:
            old = next((s for s in shots if s.correction), shots[0])
            shots.remove(old)
        shots.append(shot)
        return shot.id

    def shown(self, die: str, face: str) -> list[tuple[Image, Pose]]:
        """Return the pictures of a face's shots, and where the die lies in them."""
        taught = self.dice[die]
        pose = _pose_in_shot(taught.shape)
        return [(shot.picture, pose) for shot in taught.faces[face]]

    def _turned_vectors(self, picture: Image, shape: str) -> Floats:
        """Embed a kept shot at every turn that its polygon allows."""
        count = polygon_turns(shape)
        pose = _pose_in_shot(shape)
        views = [View(math.tau * k / count) for k in range(count)]
        return self._embedder.embed(picture, pose, views)

    def remove(self, shot_id: int) -> bool:
        """Forget one shot (a correction taken back); False where there is none."""
        for name, die in list(self.dice.items()):
            for face, shots in list(die.faces.items()):
                kept = [shot for shot in shots if shot.id != shot_id]
                if len(kept) == len(shots):
                    continue
                die.faces[face] = kept
                if not kept:
                    del die.faces[face]
                if not die.faces:
                    del self.dice[name]
                return True
        return False

    def adopt(
        self,
        die: str,
        shape: str,
        face: str,
        shots: Sequence[Shot],
        *,
        colour: str = "",
    ) -> tuple[Shot, ...]:
        """Take over examples that another gallery has made, and return them as kept.

        Args:
            die: Name of the die; made if new.
            shape: Its solid, that of the die they were made of.
            face: Key of the face they show.
            shots: Taken as they are, with new numbers.
            colour: Name of the body's colour, kept with the die.

        Raises:
            GalleryError: The die is known with another shape.
        """
        taught = self.dice.setdefault(die, TaughtDie(shape))
        if taught.shape != shape:
            raise GalleryError(f"{die} is taught as a {taught.shape}, not as a {shape}")
        taught.colour = colour or taught.colour
        for shot in shots:
            parts = (shot.picture, shot.tint, shot.correction, shot.vectors)
            self._keep(taught, face, *parts)
        kept = taught.faces.get(face, [])
        return tuple(kept[len(kept) - len(shots) :])

    def match(
        self, image: Image, pose: Pose, dice: Iterable[str] | None = None
    ) -> GalleryMatch:
        """Say which taught face lies at `pose`.

        Args:
            image: BGR.
            pose: Where the die lies.
            dice: Names to choose from; None takes all. Those of another shape are
                left out.
        """
        return self.match_all(image, [pose], dice)[0]

    def match_all(
        self, image: Image, poses: Sequence[Pose], dice: Iterable[str] | None = None
    ) -> list[GalleryMatch]:
        """Say which taught face lies at each of `poses`, quicker than one by one."""
        names = list(self.dice) if dice is None else [d for d in dice if d in self.dice]
        searches = [self._search(image, pose, names) for pose in poses]
        return together(searches, partial(self._embedder.embed_all, image))

    def _search(
        self, image: Image, pose: Pose, names: Iterable[str]
    ) -> Search[GalleryMatch]:
        """Find the taught face of one die among those of its shape."""
        names = [name for name in names if self.dice[name].shape == pose.shape]
        if not names:
            return GalleryMatch(None, (), -1.0, 0.0)
        tint = body_tint(image, pose)
        found = self.likeness(names, (yield pose, _beside(pose, PLAIN)), tint)
        match = decide(found, self.confidence, self.own_likeness)
        near = NEAR + SIZES if pose.shape == "d6" else NEAR
        for views, gain in zip((near, WIDE), GAIN, strict=True):
            if match.clear or match.similarity < FLOOR - match.allowance - gain:
                break
            more = self.likeness(names, (yield pose, _beside(pose, views)), tint)
            found = better(found, more)
            match = decide(found, self.confidence, self.own_likeness)
        if match.die is None:
            return match
        die = self.dice[match.die]
        return replace(match, numbers=numbers_borne(die.shape, die.faces))

    def own_likeness(self, die: str, face: str) -> float:
        """Return how alike the shots of a face are to each other, -1..1."""
        return own_likeness([s.vectors for s in self.dice[die].faces[face]])

    def likeness(self, names: list[str], asked: Floats, tint: Floats) -> Found:
        """Return how alike each shot of each die and face is, and the colour's cost."""
        found: Found = {}
        for name in names:
            faces = self.dice[name].faces
            shots = [shot for some in faces.values() for shot in some]
            tints = np.concatenate([shot.tint for shot in shots]).reshape(-1, 3)
            cost = colour_cost(tint, tints)
            # One product for the whole die: many small ones take five times as long.
            vectors = np.concatenate([shot.vectors for shot in shots])
            up = asked[:, UP_FACE] @ vectors[:, UP_FACE].T
            alike = asked[:, SIDE] @ vectors[:, SIDE].T + up
            looks = np.stack([alike.max(axis=0), up.max(axis=0) / TOP_SHARE])
            best = looks.reshape(2, len(shots), -1).max(axis=2)
            ends = itertools.accumulate(len(some) for some in faces.values())
            found[name] = {
                face: (best[:, end - len(some) : end], cost)
                for (face, some), end in zip(faces.items(), ends, strict=True)
            }
        return found

    def save(self, path: pathlib.Path | str) -> None:
        """Write the gallery; the file is whole or not there.

        Raises:
            GalleryError: The place cannot be written.
        """
        path = pathlib.Path(path)
        try:
            write_atomic(path, self.to_bytes())
        except OSError as error:
            raise GalleryError(f"cannot write {path}: {error.strerror}") from error

    def to_bytes(self) -> bytes:
        """Return the gallery as the bytes of its file."""
        dice = {name: (die.shape, die.colour) for name, die in self.dice.items()}
        rows = [
            KeptShot(name, face, shot.picture, shot.vectors, shot.tint, shot.correction)
            for name, die in self.dice.items()
            for face, shots in die.faces.items()
            for shot in shots
        ]
        return gallery_file.pack(gallery_file.Contents(self.name, dice, tuple(rows)))

    @classmethod
    def load(
        cls, path: pathlib.Path | str, embedder: SideEmbedder | None = None
    ) -> Gallery:
        """Read a gallery file.

        Raises:
            GalleryError: It cannot be read, is no gallery, or is too big.
        """
        path = pathlib.Path(path)
        return cls.from_bytes(gallery_file.read_limited(path), path.name, embedder)

    @classmethod
    def from_bytes(
        cls, data: bytes, source: str, embedder: SideEmbedder | None = None
    ) -> Gallery:
        """Read a gallery from the bytes of its file; `source` names it in errors.

        Raises:
            GalleryError: See `load`.
        """
        contents = gallery_file.unpack(data, source)
        gallery = cls(embedder, contents.name)
        for row in contents.shots:
            shape, colour = contents.dice[row.die]
            taught = gallery.dice.setdefault(row.die, TaughtDie(shape, colour))
            gallery._keep(
                taught, row.face, row.picture, row.tint, row.correction, row.vectors
            )
        return gallery


def _pose_in_shot(shape: str) -> Pose:
    """Return where a die of that shape lies in the pictures that are kept."""
    middle = ((SHOT_PX - 1) / 2, (SHOT_PX - 1) / 2)
    return Pose(shape, middle, crops.SIDE_PX / 2, 0.0, 1.0)


def _beside(pose: Pose, views: Sequence[View]) -> list[View]:
    """Return ways of cropping a die, given as if it lay unturned."""
    return [replace(view, turn_rad=pose.turn_rad + view.turn_rad) for view in views]
