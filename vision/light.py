"""The light of a tray as a small image: what has changed between two of them.

Logarithms of grey levels, so that light is a sum: what a lamp, the mains or a slow
cloud adds (one value a row, and anything smooth) can be taken away.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from device.units import Pixels
from vision.frame import Frame, Image

Light = NDArray[np.float32]

WIDTH_PX = 320
"""Width that a frame without a grey image of its own is thinned out to."""

DARK = 4.0
"""Added to grey levels before the logarithm, which has no value at black."""

FLOOR = 0.045
"""Smallest change that counts, in the logarithm: 4.5 % of the light."""

GAIN_PART = 0.35
"""Part of a frame-wide change of light that may be uneven: cameras are not linear."""

SIGMAS = 6.0
"""Changes below this many standard deviations of the noise do not count."""

LEVELS = 3.0
"""Smallest change that counts, in grey levels: two are rounding."""

NOISE_MAX = 4.0
"""Greatest noise believed, in grey levels; more is motion of the whole image."""

SPECK_PX = 6
"""Fewer changed pixels than this are a speck (the image is smoothed 3 x 3)."""

HELD_SPECK_PX = 16
"""As `SPECK_PX`, where the camera has moved."""

SMOOTH_PX = 41
"""Changes wider than this are light: about three dice."""

HAND_PART = 0.025
"""Part of the image that a hand covers at least; a large die covers 0.008."""

HAND_CHANGE = 0.12
"""Change that counts for a hand, in the logarithm, without taking light away."""

HAND_EDGE = 0.5
"""Part of a hand's outline that must be a sharp edge; light has none."""

_CROP = (slice(4, -4), slice(4, -4))

_LOG = np.log(np.arange(256, dtype=np.float32) + np.float32(DARK))


def small_light(frame: Frame) -> Light:
    """Return the logarithm of a frame's light, ``(h', w')`` float32, smoothed 3 x 3."""
    grey = frame.grey if frame.grey is not None else _thin_out(frame.image)
    return np.asarray(cv2.LUT(cv2.blur(grey, (3, 3)), _LOG), np.float32)


def _thin_out(image: Image) -> Image:
    """Return every n-th pixel in grey: averaging a large frame would cost 20 ms."""
    step = max(1, round(image.shape[1] / WIDTH_PX))
    few = np.ascontiguousarray(image[step // 2 :: step, step // 2 :: step])
    if few.ndim == 2:
        return few
    return np.asarray(cv2.cvtColor(few, cv2.COLOR_BGR2GRAY), np.uint8)


class Scene:
    """One frame's light, with what is derived from it when asked.

    Attributes:
        light: ``(h, w)`` float32, logarithm of grey levels.
        size: Width and height.
    """

    def __init__(self, light: Light) -> None:
        self.light = light
        self.size = (light.shape[1], light.shape[0])
        self._level: Light | None = None
        self._slope: Light | None = None
        self._sharp: Light | None = None
        self._pulls: tuple[Light, Light, NDArray[np.float64]] | None = None

    @property
    def level(self) -> Light:
        """Grey levels, `DARK` added."""
        if self._level is None:
            self._level = np.asarray(cv2.exp(self.light), np.float32)
        return self._level

    @property
    def slope(self) -> Light:
        """Change of light per pixel: how much an edge changes when it moves by one."""
        if self._slope is None:
            near = np.ones((3, 3), np.uint8)
            range_px = cv2.morphologyEx(self.light, cv2.MORPH_GRADIENT, near)
            self._slope = np.asarray(range_px * np.float32(0.5), np.float32)
        return self._slope

    def differs(
        self, other: Scene, slack_px: Pixels, shift: tuple[float, float] = (0.0, 0.0)
    ) -> bool:
        """True where something moved against `other`, itself moved by `shift`."""
        if other.size != self.size:
            return True
        base = other.light
        if shift != (0.0, 0.0):
            # Light adds up, its logarithm does not: move the light.
            moved = cv2.warpAffine(
                other.level, _move(shift), self.size, borderMode=cv2.BORDER_REPLICATE
            )
            base = np.asarray(cv2.log(moved), np.float32)
        change, light = _without_light(self.light, base)
        few = np.abs(change[::4, ::4]) * self.level[::4, ::4]
        noise = min(1.4826 * float(np.median(few)), NOISE_MAX)
        levels = max(SIGMAS * noise, LEVELS)
        least = np.maximum(levels / self.level, FLOOR + GAIN_PART * light)
        over = np.abs(change) > least + slack_px * other.slope
        if shift != (0.0, 0.0):
            # Came in from outside the image.
            rim = 3 + round(max(abs(shift[0]), abs(shift[1])))
            over = over[rim:-rim, rim:-rim]
        speck = SPECK_PX if shift == (0.0, 0.0) else HELD_SPECK_PX
        return int(np.count_nonzero(over)) >= speck

    def shift_from(self, other: Scene) -> tuple[float, float] | None:
        """Return how far the whole scene moved since `other`, in px, or None."""
        if other.size != self.size:
            return None
        rough, response = cv2.phaseCorrelate(other.sharp, self.sharp)
        if response < 0.05:
            return None
        shift = 2 * np.array(rough)
        if np.abs(shift).max() > self.size[0] / 8:
            return None
        # Lucas and Kanade at full size: edges must meet to a third of a pixel, and the
        # correlation at half size gives about one.
        dx, dy, matrix = other.pulls
        if np.linalg.det(matrix) < 1e-6:
            return None
        for _ in range(2):
            back = cv2.warpAffine(
                self.light, _move(-shift), self.size, borderMode=cv2.BORDER_REPLICATE
            )
            change = (back - other.light)[_CROP]
            change = change - change.mean()
            pull = [-float(np.vdot(dx, change)), -float(np.vdot(dy, change))]
            shift = shift + np.linalg.solve(matrix, pull)
        return (float(shift[0]), float(shift[1]))

    @property
    def pulls(self) -> tuple[Light, Light, NDArray[np.float64]]:
        """Slopes in x and y without the image's rim, and their 2 x 2 products."""
        if self._pulls is None:
            dx = cv2.filter2D(self.light, -1, np.array([[-0.5, 0, 0.5]]))[_CROP]
            dy = cv2.filter2D(self.light, -1, np.array([[-0.5], [0], [0.5]]))[_CROP]
            dx, dy = (np.ascontiguousarray(d, np.float32) for d in (dx, dy))
            mixed = float(np.vdot(dx, dy))
            xx, yy = float(np.vdot(dx, dx)), float(np.vdot(dy, dy))
            self._pulls = (dx, dy, np.array([[xx, mixed], [mixed, yy]]))
        return self._pulls

    @property
    def sharp(self) -> Light:
        """The scene at half size, without smooth light, faded out to the border."""
        if self._sharp is None:
            size = (self.size[0] // 2, self.size[1] // 2)
            half = cv2.resize(self.light, size, interpolation=cv2.INTER_AREA)
            half = half - cv2.blur(half, (SMOOTH_PX // 2, SMOOTH_PX // 2))
            self._sharp = np.asarray(half * _window(size), np.float32)
        return self._sharp

    def has_hand(self, known: Scene) -> bool:
        """True where something large reaches in from the border."""
        sharp = np.abs(_without_light(self.light, known.light)[0]) > FLOOR
        change = self.light - known.light
        change -= np.median(change[::4, ::4])
        mask = (np.abs(change) > HAND_CHANGE).astype(np.uint8)
        mask = np.asarray(
            cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
        )
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
        width, height = self.size
        for label in range(1, count):
            x, y, w, h, area = (int(v) for v in stats[label])
            inside = x > 1 and y > 1 and x + w < width - 1 and y + h < height - 1
            if inside or area < HAND_PART * width * height:
                continue
            body = (labels == label).astype(np.uint8)
            rim = cv2.dilate(body, np.ones((5, 5), np.uint8)) - cv2.erode(
                body, np.ones((5, 5), np.uint8)
            )
            rim[:3] = rim[-3:] = 0
            rim[:, :3] = rim[:, -3:] = 0
            if sharp[rim > 0].mean() > HAND_EDGE * 0.5:
                return True
        return False


def _without_light(light: Light, base: Light) -> tuple[Light, float]:
    """Return the change from `base` without that of the light.

    Light is one value a row (mains banding) or smooth (lamps, shadows). What it would
    have clipped is clipped first.

    Returns:
        The rest, and how much was taken away from a row in the middle.
    """
    change = light - base
    rows = np.median(change[:, ::8], axis=1).astype(np.float32)[:, None]
    expected = np.minimum(base + rows, _LOG[255])
    change = np.minimum(light, _LOG[255] + np.minimum(rows, 0)) - expected
    smooth = cv2.blur(change, (SMOOTH_PX, SMOOTH_PX))
    return np.asarray(change - smooth, np.float32), float(np.median(np.abs(rows)))


def _move(shift: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
    return np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float64)


_WINDOWS: dict[tuple[int, int], Light] = {}


def _window(size: tuple[int, int]) -> Light:
    """Return a window that fades out towards the border, made once per size."""
    if size not in _WINDOWS:
        _WINDOWS[size] = np.asarray(
            cv2.createHanningWindow(size, cv2.CV_32F), np.float32
        )
    return _WINDOWS[size]
