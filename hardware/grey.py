"""Small grey images for watching motion, from whatever a camera gives."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.frame import Image

GREY_WIDTH_PX: Final = 320
"""Width of the motion image: a 12 mm die is some 15 pixels in a 250 mm tray."""


def small_grey(image: Image, width_px: int = GREY_WIDTH_PX) -> Image:
    """Return `image` scaled down to `width_px` wide, in grey.

    Args:
        image: ``(h, w, 3)`` uint8 BGR or ``(h, w)`` uint8 grey.
        width_px: Of the result; a smaller image keeps its size.

    Returns:
        ``(h', w')`` uint8.
    """
    height, width = image.shape[:2]
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    if width > width_px:
        size_wh = (width_px, max(1, round(height * width_px / width)))
        grey = cv2.resize(grey, size_wh, interpolation=cv2.INTER_AREA)
    return np.asarray(grey, np.uint8)


def lores_grey(planes: Image, size_wh_px: tuple[int, int]) -> Image:
    """Return the luma of a YUV420 array whose rows are padded.

    Args:
        planes: ``(h * 3 / 2, stride)`` uint8 as Picamera2 hands out a ``YUV420``
            stream: luma in the first `h` rows, and each row longer than the image
            where the hardware aligns rows (to 32 or 64 bytes).
        size_wh_px: Of the image without padding.

    Returns:
        ``(h, w)`` uint8, a copy.

    Raises:
        ValueError: The array is smaller than the image, or not two-dimensional.
    """
    width, height = size_wh_px
    if planes.ndim != 2 or planes.shape[0] < height or planes.shape[1] < width:
        raise ValueError(
            f"a YUV420 array of {planes.shape} holds no image of {width}x{height}"
        )
    return np.ascontiguousarray(planes[:height, :width])
