"""The file of a gallery of taught dice: a plain .npz, without pickle, within limits.

It keeps the shots themselves as small pictures, so that another network can embed them
again, and their vectors with the mark of the network that made them.
"""

from __future__ import annotations

import hashlib
import io
import json
import pathlib
import zipfile
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from device.errors import VisionError
from vision.embedder import MODELS, SIDE_NUMBERS
from vision.frame import Image

Floats = NDArray[np.float32]

SHOT_PX = 72
"""Side of a kept shot: a little more than the network looks at, for turning it."""

SHOTS_A_FACE = 12
"""Most shots kept of one face. The oldest correction makes room, then the oldest."""

FACES_A_DIE = 64
DICE_A_SET = 64

FILE_LIMIT = 64 << 20
"""Bytes of a gallery file, and of its parts unpacked."""

FORMAT, GREY_FORMAT = 3, 2
"""Written, and read as well: there the pictures are grey."""

PICTURE = {FORMAT: (SHOT_PX, SHOT_PX, 3), GREY_FORMAT: (SHOT_PX, SHOT_PX)}
"""Shape of a kept picture, by format."""


class GalleryError(VisionError, ValueError):
    """A gallery file that cannot be used, or a shot that cannot be taught."""


@dataclass(frozen=True, slots=True, eq=False)
class KeptShot:
    """One shot as the file holds it.

    Attributes:
        die, face: What it shows.
        picture: ``(SHOT_PX, SHOT_PX, 3)`` uint8 BGR.
        vectors: ``(polygon_turns, SIDE_NUMBERS)`` float32; None where another network
            made them.
        tint: ``(3,)`` float32 Lab.
        correction: It came from a correction.
    """

    die: str
    face: str
    picture: Image
    vectors: Floats | None
    tint: Floats
    correction: bool


@dataclass(frozen=True, slots=True, eq=False)
class Contents:
    """All that a gallery file holds.

    Attributes:
        name: Of the dice set.
        dice: (shape, colour) by name.
        shots: In the order they were taught.
    """

    name: str
    dice: dict[str, tuple[str, str]]
    shots: tuple[KeptShot, ...]


def polygon_turns(shape: str) -> int:
    """Return how many turns of the up face look alike but for its mark."""
    return {"d4": 3, "d6": 4, "d8": 3, "d10": 1, "d12": 5, "d20": 3, "coin": 24}[shape]


@lru_cache(maxsize=1)
def network_mark() -> str:
    """Return a short mark of the network's file: other weights, other vectors."""
    return hashlib.sha256((MODELS / "side.onnx").read_bytes()).hexdigest()[:16]


def read_limited(path: pathlib.Path) -> bytes:
    """Return a file's bytes.

    Raises:
        GalleryError: It cannot be read or is too big.
    """
    try:
        if path.stat().st_size > FILE_LIMIT:
            raise GalleryError(f"{path.name}: over {FILE_LIMIT >> 20} MB")
        return path.read_bytes()
    except OSError as error:
        raise GalleryError(f"cannot read {path}: {error.strerror}") from error


def pack(contents: Contents) -> bytes:
    """Return the bytes of a gallery file; every shot must have its vectors."""
    head = {
        "format": FORMAT,
        "name": contents.name,
        "network": network_mark(),
        "dice": contents.dice,
        "shots": [[s.die, s.face, s.correction] for s in contents.shots],
    }
    pictures = np.zeros((len(contents.shots), *PICTURE[FORMAT]), np.uint8)
    tints = np.zeros((len(contents.shots), 3), np.float32)
    vectors = [np.zeros((0, SIDE_NUMBERS), np.float32)]
    for at, shot in enumerate(contents.shots):
        pictures[at], tints[at] = shot.picture, shot.tint
        if shot.vectors is not None:
            vectors.append(shot.vectors)
    out = io.BytesIO()
    np.savez_compressed(
        out,
        head=np.frombuffer(json.dumps(head).encode(), dtype=np.uint8),
        pictures=pictures,
        tints=tints,
        vectors=np.concatenate(vectors),
    )
    return out.getvalue()


def unpack(data: bytes, source: str) -> Contents:
    """Check and open a gallery file.

    Args:
        data: Its bytes.
        source: Names it in errors.

    Raises:
        GalleryError: Anything about it is not as `pack` writes it.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            unpacked = sum(part.file_size for part in parts.infolist())
        if len(data) > FILE_LIMIT or unpacked > FILE_LIMIT:
            raise GalleryError(f"{source}: over {FILE_LIMIT >> 20} MB")
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            head = json.loads(bytes(file["head"]).decode())
            arrays = file["pictures"], file["tints"], file["vectors"]
    except GalleryError:
        raise
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise GalleryError(f"{source} is not a gallery file") from error
    problem = _problem(head, *arrays)
    if problem:
        raise GalleryError(f"{source} is not a usable gallery: {problem}")
    return _contents(head, *arrays)


def _contents(
    head: dict[str, Any], pictures: Image, tints: Floats, vectors: Floats
) -> Contents:
    """Return checked parts as one value."""
    known = head["network"] == network_mark()
    dice = {name: (shape, colour) for name, (shape, colour) in head["dice"].items()}
    if head["format"] == GREY_FORMAT:
        pictures = np.repeat(pictures[..., None], 3, axis=-1)
    shots, start = [], 0
    for at, (die, face, correction) in enumerate(head["shots"]):
        count = polygon_turns(dice[die][0])
        own = vectors[start : start + count] if known else None
        start += count
        shots.append(KeptShot(die, face, pictures[at], own, tints[at], correction))
    return Contents(head["name"], dice, tuple(shots))


def _problem(head: Any, pictures: Any, tints: Any, vectors: Any) -> str:
    """Return what is wrong with a gallery's contents, or ""."""
    try:
        if head["format"] not in PICTURE:
            known = f"{GREY_FORMAT} and {FORMAT}"
            return f"format {head['format']!r}, this program reads {known}"
        texts = [head["name"], head["network"], *head["dice"]]
        count = 0
        faces: dict[str, dict[str, int]] = {name: {} for name in head["dice"]}
        for shape, colour in head["dice"].values():
            texts += [shape, colour]
        for die, face, correction in head["shots"]:
            texts.append(face)
            count += polygon_turns(head["dice"][die][0])
            faces[die][face] = faces[die].get(face, 0) + 1
            if type(correction) is not bool:
                return "a shot without its flag"
    except (KeyError, TypeError, ValueError, AttributeError):
        return "its table of dice is damaged"
    if not all(isinstance(text, str) and len(text) <= 60 for text in texts):
        return "a name is not a text of at most 60 characters"
    if len(faces) > DICE_A_SET or any(len(f) > FACES_A_DIE for f in faces.values()):
        return "more dice or faces than any set has"
    if any(shots > SHOTS_A_FACE for f in faces.values() for shots in f.values()):
        return f"more than {SHOTS_A_FACE} shots of one face"
    n = len(head["shots"])
    wanted = (
        (pictures, np.uint8, (n, *PICTURE[head["format"]])),
        (tints, np.float32, (n, 3)),
        (vectors, np.float32, (count, SIDE_NUMBERS)),
    )
    for array, dtype, shape in wanted:
        if array.dtype != dtype or array.shape != shape:
            return f"expected {shape} {np.dtype(dtype)}, found {array.shape}"
        if array.dtype == np.float32 and not np.isfinite(array).all():
            return "numbers that are none"
    return ""
