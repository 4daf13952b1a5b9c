"""Small grey images for watching motion, from whatever a camera gives."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.frame import Image

GREY_WIDTH_PX: Final = 320
"""Width of the motion image: a 12 mm die is some 15 pixels in a 250 mm tray."""


def small_grey(image: Image) -> Image:
    """Return `image` in grey, scaled down to about `GREY_WIDTH_PX` wide.

    The scale is a whole and even number, as OpenCV averages such blocks quickly: 1 ms
    for 2304 x 1296 where exactly 320 pixels would take 15.

    Args:
        image: ``(h, w, 3)`` uint8 BGR.

    Returns:
        ``(h // k, w // k)`` uint8; an image below 480 wide keeps its size.
    """
    height, width = image.shape[:2]
    scale = max(1, 2 * round(width / GREY_WIDTH_PX / 2))
    if scale == 1:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    wide, high = width // scale, height // scale
    blocks = image[: high * scale, : wide * scale]
    half_wh = (wide * scale // 2, high * scale // 2)
    # Halving by INTER_LINEAR is the mean of each four pixels.
    half = cv2.resize(blocks, half_wh, interpolation=cv2.INTER_LINEAR)
    grey = cv2.cvtColor(half, cv2.COLOR_BGR2GRAY)
    if scale > 2:
        grey = cv2.resize(grey, (wide, high), interpolation=cv2.INTER_AREA)
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
