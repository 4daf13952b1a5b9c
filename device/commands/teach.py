"""`dicelight teach`: example faces into a dice set."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from device.errors import BadInput


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        "Adds example pictures of a die's faces, one die in each picture. The set and "
        "the die are made where they do not exist yet; one picture a face already "
        "works, three to five work better."
    )
    parser.add_argument("--dice", required=True, metavar="SET", help="name of the set")
    parser.add_argument("--die", required=True, metavar="NAME", help="name of the die")
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
    from device.config import make_state_folder, state_folder
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
    path = gallery_path(state_folder(appliance=False), options.dice)
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


def _pair(text: str) -> tuple[str, Path]:
    face, equals, path = text.partition("=")
    if not equals or not face or not path:
        raise BadInput(f"{text!r} is not FACE=IMAGE")
    return face, Path(path)
