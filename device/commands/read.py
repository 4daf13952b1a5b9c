"""`dicelight read`: the dice in photographs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from device.commands.output import error_json, print_json
from device.errors import BadInput, ConfigError, VisionError
from vision.frame import Image, Reading


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE")
    parser.add_argument(
        "--dice", metavar="SET", help="dice set taught with `dicelight teach`"
    )
    parser.add_argument(
        "--json", action="store_true", help="one line of JSON for each image"
    )
    parser.add_argument(
        "--overlay",
        type=Path,
        metavar="DIR",
        help="write each image with what was read drawn over it",
    )


def run(options: argparse.Namespace) -> int:
    """Read all images; 2 where one of them could not be read."""
    from device.commands.owner import own_state
    from device.config import SYSTEM_CONFIG
    from device.sight import check_networks, use_one_thread
    from device.teach import gallery_path
    from vision.gallery import Gallery
    from vision.images import read_image
    from vision.reader import Reader
    from vision.rig import find_rig

    check_networks()
    use_one_thread()
    gallery = None
    if options.dice is not None:
        state = own_state(appliance=SYSTEM_CONFIG.exists(), stay_root=True)
        path = gallery_path(state, options.dice)
        if not path.exists():
            raise BadInput(
                f"--dice: no set {options.dice!r} is taught ({path})", "dice"
            )
        gallery = Gallery.load(path)
    if options.overlay is not None:
        _make_folder(options.overlay)
    reader = Reader(gallery)
    status = 0
    taken: set[str] = set()
    for path in options.images:
        try:
            image = read_image(path)
            reading = reader.read(image, rig=find_rig(image))
        except VisionError as error:
            status = 2
            _print_error(path, error, options.json)
            continue
        _print(path, reading, options.json)
        if options.overlay is not None:
            _write_overlay(options.overlay / _free_name(path, taken), image, reading)
    return status


def reading_json(path: Path, reading: Reading) -> dict[str, Any]:
    """Return a reading as the command line prints it."""
    dice = [
        {
            "die": die.die,
            "face": die.face,
            "confidence": round(die.confidence, 4),
            "status": str(die.status),
            "box": [round(float(edge), 1) for edge in die.box_xywh_px],
            "alternatives": [
                [face, round(share, 4)] for face, share in die.alternatives
            ],
        }
        for die in reading.detections
    ]
    spent = {name: round(reading.ms.get(name, 0.0), 2) for name in _SPANS}
    return {"image": str(path), "dice": dice, "ms": spent}


_SPANS = ("find", "faces", "total")


def _print(path: Path, reading: Reading, as_json: bool) -> None:
    if as_json:
        print_json(reading_json(path, reading))
        return
    dice = ", ".join(
        f"{die.die} {die.face or '?'}{'' if die.status == 'ok' else f' ({die.status})'}"
        for die in reading.detections
    )
    sys.stdout.write(f"{path}: {dice or 'no dice'}\n")


def _print_error(path: Path, error: VisionError, as_json: bool) -> None:
    if as_json:
        fault = error_json(BadInput(str(error), "image"))
        print_json({"image": str(path), **fault})
    else:
        sys.stderr.write(f"dicelight: {error}\n")


def _free_name(path: Path, taken: set[str]) -> str:
    """Return a name for an overlay; pictures of two folders may be named alike."""
    name, number = f"{path.stem}.jpg", 1
    while name in taken:
        number += 1
        name = f"{path.stem}-{number}.jpg"
    taken.add(name)
    return name


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"--overlay: {folder}: {error.strerror}") from error


def _write_overlay(path: Path, image: Image, reading: Reading) -> None:
    import cv2

    from vision.annotate import annotate, outline

    picture = annotate(image, [outline(die) for die in reading.detections])
    done, data = cv2.imencode(".jpg", picture)
    try:
        if not done:
            raise VisionError(f"{path}: the picture could not be encoded")
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from error
