"""The live picture: drawn only when somebody looks, ten times a second at most."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import cv2

from device.errors import VisionError
from device.ports import Clock
from device.table.view import LiveDie
from device.units import Seconds
from vision.frame import Frame, Image

PERIOD_S: Final[Seconds] = 0.1
"""Shortest time between two pictures: encoding one takes some milliseconds."""

QUALITY: Final = 80
"""JPEG quality at which numerals on dice stay crisp."""

Annotate: TypeAlias = Callable[[Image, Sequence[LiveDie]], Image]


def _plain(image: Image, dice: Sequence[LiveDie]) -> Image:
    return image


class Picture:
    """The newest frame as a JPEG, annotated.

    The loop shows frames, which costs nothing; whoever looks pays for the drawing.

    Args:
        clock: Time.
        annotate: Draws the dice over a copy of the image.
    """

    def __init__(self, clock: Clock, annotate: Annotate = _plain) -> None:
        self._clock = clock
        self._annotate = annotate
        self._frame: Frame | None = None
        self._drawing = threading.Lock()
        self._drawn: tuple[int, Seconds, bytes] | None = None

    def show(self, frame: Frame) -> None:
        """Take the newest frame."""
        self._frame = frame

    @property
    def image(self) -> Image | None:
        """The newest frame's image, or None before the first."""
        frame = self._frame
        return None if frame is None else frame.image

    def jpeg(self, dice: Sequence[LiveDie]) -> bytes | None:
        """Return the newest frame annotated; None before the first."""
        frame = self._frame
        if frame is None:
            return None
        with self._drawing:
            now_s = self._clock.now_s()
            if self._drawn is not None:
                number, drawn_s, jpeg = self._drawn
                if number == frame.number or now_s - drawn_s < PERIOD_S:
                    return jpeg
            jpeg = encode_jpeg(self._annotate(frame.image, dice))
            self._drawn = (frame.number, now_s, jpeg)
            return jpeg

    def plain_jpeg(self, frame: Frame) -> bytes:
        """Return a frame as it was taken."""
        return encode_jpeg(frame.image)


def encode_jpeg(image: Image) -> bytes:
    """Return an image as JPEG.

    Raises:
        VisionError: It cannot be encoded.
    """
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not done:
        raise VisionError("the picture could not be encoded as JPEG")
    return data.tobytes()
