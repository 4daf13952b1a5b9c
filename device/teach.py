"""Teaching: example pictures of faces into a dice set's gallery.

`dicelight teach` and the demonstration's dice go through the same `teach_face`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from device.errors import BadInput, ImageError
from vision.find import body_colour
from vision.frame import Image, Pose
from vision.gallery import Gallery
from vision.images import find_images, read_image

Find: TypeAlias = Callable[[Image], Sequence[Pose]]

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
"""Names of sets and dice: they become file names and words in JSON."""

_FACE: Final = re.compile(r"[a-z0-9%+_-]{1,32}")


def gallery_path(state: Path, dice: str) -> Path:
    """Return where the taught faces of a dice set lie."""
    return state / "dice" / f"{checked_name(dice, 'dice')}.npz"


def checked_name(name: str, field: str) -> str:
    """Return a name of a set or die.

    Raises:
        BadInput: It is empty, too long or has other characters.
    """
    if not _NAME.fullmatch(name):
        raise BadInput(
            f"{field}: {name!r} is no name; small letters, digits, - and _", field
        )
    return name


def checked_face(face: str) -> str:
    """Return a face key.

    Raises:
        BadInput: It is empty, too long or has other characters.
    """
    if not _FACE.fullmatch(face):
        raise BadInput(
            f"face: {face!r} is no face; small letters, digits, %, +, - and _", "face"
        )
    return face


def teach_face(
    gallery: Gallery,
    find: Find,
    *,
    die: str,
    face: str,
    image: Image,
    where: str,
    shape: str = "",
    colour: str = "",
) -> Pose:
    """Add one example of a face.

    Args:
        gallery: Of the dice set.
        find: Finds dice in the picture.
        die: Name of the die.
        face: Face key.
        image: Exactly one die, that face up.
        where: Name of the picture, for errors.
        shape: The die's solid where it is known.
        colour: Its body colour where it is known.

    Returns:
        Where the die lies.

    Raises:
        ImageError: None or several dice, or a die of another shape than before.
    """
    poses = find(image)
    if len(poses) != 1:
        raise ImageError(f"{where}: expected exactly one die, found {len(poses)}")
    pose = poses[0]
    known = gallery.dice.get(die)
    expected = shape or (known.shape if known is not None else "")
    if expected and pose.shape != expected:
        raise ImageError(
            f"{where}: looks like a {pose.shape}, but {die} is a {expected}"
        )
    gallery.add(
        die, pose.shape, face, image, pose, colour=colour or body_colour(image, pose)
    )
    return pose


def teach_files(
    gallery: Gallery, find: Find, die: str, files: Sequence[tuple[str, Path]]
) -> int:
    """Add pictures of one die's faces; all of them, or an error and none saved.

    Args:
        gallery: Of the dice set.
        find: Finds dice in a picture.
        die: Name of the die.
        files: Face keys with pictures.

    Raises:
        ImageError: A picture that cannot be read or does not show one die.
    """
    for face, path in files:
        teach_face(
            gallery,
            find,
            die=die,
            face=checked_face(face),
            image=read_image(path),
            where=str(path),
        )
    return len(files)


def face_files(folder: Path) -> list[tuple[str, Path]]:
    """Return the pictures of a folder that has one folder for each face.

    Raises:
        BadInput: No such folder, or nothing in it.
    """
    if not folder.is_dir():
        raise BadInput(f"{folder}: no such folder", "from")
    files = [
        (face.name, path)
        for face in sorted(folder.iterdir())
        if face.is_dir()
        for path in find_images(face)
    ]
    if not files:
        raise BadInput(f"{folder}: no pictures in folders named after faces", "from")
    return files


def known_set(path: Path) -> Gallery:
    """Return the gallery of a dice set that is there.

    Raises:
        BadInput: Nothing is taught yet.
        GalleryError: It cannot be read.
    """
    if not path.exists():
        raise BadInput(f"dice: nothing is taught of {path.stem!r} yet", "dice")
    return Gallery.load(path)


def export_set(path: Path, target: Path) -> None:
    """Copy a set's gallery to a file that other tables can take.

    Raises:
        BadInput: Nothing is taught yet.
        GalleryError: It cannot be read, or the file cannot be written.
    """
    known_set(path).save(target)


def import_set(source: Path, path: Path) -> tuple[Gallery, Path | None]:
    """Take a set's gallery from a file; doing it twice changes nothing.

    Args:
        source: From `export_set`.
        path: Where the set's gallery lies.

    Returns:
        The gallery, and where the other one that lay there was put, if any.

    Raises:
        GalleryError: It cannot be read, is no gallery or too big, or not writable.
    """
    gallery = Gallery.load(source)
    fresh = gallery.to_bytes()
    before: Path | None = None
    if path.exists() and path.read_bytes() != fresh:
        before = path.with_suffix(".before.npz")
        path.replace(before)
    gallery.save(path)
    return gallery, before
