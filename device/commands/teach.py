"""`dicelight teach`: example faces into a dice set; sets tested, copied out and in."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from device.errors import BadInput

if TYPE_CHECKING:
    from vision.gallery import Gallery

VERDICTS = ("right", "unsure", "wrong", "alone")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        "Adds example pictures of a die's faces, one die in each picture. The set and "
        "the die are made where they do not exist yet; one picture a face already "
        "works, three to five work better. A set can be tested against itself, and "
        "copied to and from a file that another table takes."
    )
    parser.add_argument("--dice", required=True, metavar="SET", help="name of the set")
    parser.add_argument("--die", metavar="NAME", help="name of the die")
    other = parser.add_mutually_exclusive_group()
    other.add_argument(
        "--test",
        action="store_true",
        help="ask for each taught picture as if it were not there; 1 if one is wrong",
    )
    other.add_argument(
        "--export", type=Path, metavar="FILE", help="copy the set to a file"
    )
    other.add_argument(
        "--import",
        dest="taken",
        type=Path,
        metavar="FILE",
        help="take a set from a file; what was there is kept beside it",
    )
    parser.add_argument(
        "--from",
        dest="folder",
        type=Path,
        metavar="DIR",
        help="a folder that has one folder of pictures for each face",
    )
    parser.add_argument(
        "faces",
        nargs="*",
        metavar="FACE=IMAGE",
        help="a face key and a picture; a face may come several times",
    )


def run(options: argparse.Namespace) -> int:
    """Teach all pictures, or none where one of them is wrong."""
    if options.test or options.export or options.taken:
        return _whole_set(options)
    if not options.die:
        raise BadInput("teach needs --die NAME", "die")
    return _teach(options)


def _teach(options: argparse.Namespace) -> int:
    """Add the pictures to the set."""
    from device.config import make_state_folder
    from device.sight import check_networks, use_one_thread
    from device.teach import (
        checked_name,
        face_files,
        gallery_path,
        teach_files,
    )
    from vision.find import Finder
    from vision.gallery import Gallery

    die = checked_name(options.die, "die")
    files = [_pair(text) for text in options.faces]
    if options.folder is not None:
        files += face_files(options.folder)
    if not files:
        raise BadInput("teach needs FACE=IMAGE or --from DIR")
    check_networks()
    use_one_thread()
    path = gallery_path(_state(), options.dice)
    make_state_folder(path.parent)
    gallery = Gallery.load(path) if path.exists() else Gallery(name=options.dice)
    teach_files(gallery, Finder().find, die, files)
    gallery.save(path)
    faces = gallery.dice[die].faces
    sys.stdout.write(
        f"{options.dice} {die}: {len(files)} pictures added, "
        f"{len(faces)} faces known: {', '.join(sorted(faces))}\n"
    )
    return 0


def _whole_set(options: argparse.Namespace) -> int:
    """Test a set, or copy it out or in."""
    from device.config import make_state_folder
    from device.teach import export_set, gallery_path, import_set, known_set
    from vision.selftest import check_gallery

    path = gallery_path(_state(), options.dice)
    if options.export:
        export_set(path, options.export)
        sys.stdout.write(f"{options.dice}: written to {options.export}\n")
        return 0
    if options.taken:
        make_state_folder(path.parent)
        gallery, before = import_set(options.taken, path)
        kept = f"; the one before is {before.name}" if before else ""
        sys.stdout.write(f"{options.dice}: {_content(gallery)}{kept}\n")
        return 0
    gallery = known_set(path)
    if options.die and options.die not in gallery.dice:
        raise BadInput(f"die: {options.dice} has no die {options.die!r}", "die")
    tests = list(check_gallery(gallery, options.die or None))
    for one in tests:
        if one.verdict in ("wrong", "unsure"):
            sys.stdout.write(
                f"{one.verdict}: {one.die} {one.face} is taken for {one.said} "
                f"({one.confidence:.2f})\n"
            )
    counts = Counter(str(one.verdict) for one in tests)
    told = ", ".join(f"{counts[name]} {name}" for name in VERDICTS)
    sys.stdout.write(f"{options.dice}: {len(tests)} pictures: {told}\n")
    return 1 if counts["wrong"] else 0


def _state() -> Path:
    """Return where this machine keeps its dice; the pictures may be anybody's."""
    from device.commands.owner import own_state
    from device.config import SYSTEM_CONFIG

    return own_state(appliance=SYSTEM_CONFIG.exists(), stay_root=True)


def _content(gallery: Gallery) -> str:
    """Return how much a set holds."""
    faces = sum(len(die.faces) for die in gallery.dice.values())
    return f"{len(gallery.dice)} dice, {faces} faces, {len(gallery)} pictures"


def _pair(text: str) -> tuple[str, Path]:
    face, equals, path = text.partition("=")
    if not equals or not face or not path:
        raise BadInput(f"{text!r} is not FACE=IMAGE")
    return face, Path(path)
