"""Tells a cube from a flat thing with a print: a tile, a small card, half a domino.

Pips or a numeral on a square is all that the other networks ask of a d6. A person also
looks at its edges: whether they are rounded, whether a side shows, how light falls, and
whether the body goes on beyond the face. Two small networks learned to look there, on
drawn cubes and drawn tiles (`vision/train/tiles.py`); their mean is taken.
"""

from __future__ import annotations

import math
from pathlib import Path
from statistics import fmean

import cv2
import numpy as np

from vision import crops
from vision.crops import View
from vision.frame import Image, Pose
from vision.oblong import oblong
from vision.patches import plain_input

MODELS = Path(__file__).parent / "models"

CROP_PX = 56
"""Side of the crop."""

HALF_WIDTH = 1.5
"""Half the crop's side in radii: the whole die and the ground along its edges."""

DOUBTED = 0.9
"""From here on the crop is looked at in all four quarter turns, and their mean counts:
a cube is as much of a cube turned."""

FLAT_BAR = 0.985
"""From here on a d6 is not vouched for. Of what would have been without this witness,
it takes back 36 of 49 frames in which cards were read, 2 of 578 dice on strangers'
photographs and renders and 1 of 458 drawn dice; at 0.98 40, 4 and 3, at 0.97 42, 7 and
7. One network, looking once, took back 36, 6 and 7. A cube without bevels seen from
straight above looks like a tile."""

CARD_DOUBTED = 0.65
CARD = 1.22
"""What looks so flat and is so many times longer than wide is a card, whatever the
networks say of its edges. Of 579 dice on strangers' photographs and renders none is;
of 22 frames with cards, in 330 that nothing was chosen by, that the bar above leaves 7
are."""


def tile_crop(image: Image, pose: Pose) -> Image:
    """Return what the network looks at, ``(CROP_PX, CROP_PX, 3)``, turned upright."""
    view = View(pose.turn_rad)
    one: Image = crops.crops(image, pose, HALF_WIDTH, [view], CROP_PX)[0]
    return one


class Tiles:
    """Says how likely a thing that looks like a d6 is flat; for one thread at a time.

    Args:
        models: Folder of ``tiles.onnx``.
    """

    def __init__(self, models: Path = MODELS) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(models / "tiles.onnx"))

    def flatness(self, image: Image, pose: Pose) -> float:
        """Return how likely the thing there is flat, 0 to 1.

        Args:
            image: BGR, the one that the pose was found in.
            pose: Of a d6.
        """
        crop = tile_crop(image, pose)
        odds = self._odds(crop)
        if odds >= math.log(DOUBTED / (1 - DOUBTED)):
            turned = [self._odds(np.rot90(crop, quarter)) for quarter in (1, 2, 3)]
            odds = fmean((odds, *turned))
        share = 1 / (1 + math.exp(-odds))
        if share >= CARD_DOUBTED and oblong(image, pose) > CARD:
            return 1.0
        return share

    def _odds(self, crop: Image) -> float:
        """Return the networks' log odds that a crop shows something flat."""
        self._net.setInput(plain_input(crop[None]))
        (odds,) = np.asarray(self._net.forward()).ravel()
        return float(odds)
