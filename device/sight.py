"""Sight: the reader with what it was taught, put together for the tray's loop."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import cv2

import vision
from device.config import Config
from device.demo import PX_PER_MM, demo_gallery
from device.errors import VisionError
from device.eyes import Eyes, Teacher
from device.picture import Picture
from device.ports import Clock
from device.rules.dice import DiceSet
from device.teach import Find, gallery_path
from vision.annotate import annotate
from vision.find import Finder
from vision.gallery import Gallery
from vision.reader import Reader
from vision.rig import find_rig
from vision.settle import Settle
from vision.sides import look
from vision.track import Tracker

logger = logging.getLogger(__name__)

NETWORKS: Final = (
    "find.onnx",
    "pose.onnx",
    "numerals.onnx",
    "side.onnx",
    "tiles.onnx",
)
"""What reading needs; see `vision/models`."""


def use_one_thread() -> None:
    """Keep OpenCV to one thread: on a Pi the page needs the other cores."""
    cv2.setNumThreads(1)


def check_networks() -> None:
    """See that the networks are there.

    Raises:
        VisionError: One is missing; nothing can be read without it.
    """
    folder = Path(vision.__file__).parent / "models"
    lost = [name for name in NETWORKS if not (folder / name).is_file()]
    if lost:
        raise VisionError(f"{folder} lacks {', '.join(lost)}; install Dicelight again")


def taught_eyes(config: Config, state: Path, *, hand_held: bool = False) -> Eyes:
    """Return the reader with the faces that people taught for the config's dice."""
    path = gallery_path(state, config.table.dice)
    if path.exists():
        gallery = Gallery.load(path)
    else:
        gallery = Gallery(name=config.table.dice)
        logger.warning("no faces of dice set %r are taught yet", config.table.dice)

    def save() -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        gallery.save(path)

    bar_mm = config.reading.bar_mm
    return _eyes(gallery, save, hand_held=hand_held, bar_mm=bar_mm)


def demo_eyes(
    dice: DiceSet, state: Path, progress: Callable[[str], None] = lambda line: None
) -> Eyes:
    """Return the reader with the drawn dice of the demonstration, learnt once."""
    check_networks()
    use_one_thread()
    gallery = demo_gallery(dice, state, _drawn_find, progress)
    # What is taught to the demonstration lasts as long as it does.
    return _eyes(gallery, lambda: None, hand_held=False, bar_mm=100.0)


def annotated_picture(clock: Clock) -> Picture:
    """Return the live picture with the dice outlined and labelled."""
    return Picture(clock, annotate)


def _drawn_find() -> Find:
    """Return a finder that knows the scale of the drawings."""
    return partial(Finder().find, px_per_mm=PX_PER_MM)


def _eyes(
    gallery: Gallery, save: Callable[[], None], *, hand_held: bool, bar_mm: float
) -> Eyes:
    check_networks()
    use_one_thread()
    finder = Finder()
    return Eyes(
        reader=Reader(gallery, finder=finder),
        settle=lambda: Settle(hand_held=hand_held),
        tracker=Tracker,
        find_rig=partial(find_rig, bar_mm=bar_mm),
        teacher=Teacher(gallery, gallery.embedder, partial(look, finder), save),
    )
