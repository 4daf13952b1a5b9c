"""A camera over a drawn tray: known truth, any rate, faults on request.

1. Exposures begin at a steady rate from the moment of opening.
2. A frame can be had when its exposure and its readout are over, later by jitter.
3. `capture` gives the newest such frame that is not lost, else waits for the next.
4. The scene is drawn as it was when the exposure began, with sensor noise on top.
"""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Sequence
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from device.errors import HardwareClosed, HardwareFault
from device.ports import Clock
from device.units import Seconds
from hardware.grey import small_grey
from hardware.sim.faults import CameraFaults
from vision.frame import Frame, Image

EXPOSURE_S: Final[Seconds] = 0.008
"""Short enough that a die at rest is sharp whatever the lamp does."""

READOUT_S: Final[Seconds] = 0.017
"""Readout, image processing and queue of a sensor at 50 to 60 frames/s."""

AT_REST_S: Final[Seconds] = 60.0
"""So long after a throw every die lies still."""

NOISE_PLATES: Final = 2
"""Noisy versions kept of a scene at rest, so that standing still costs nothing; each
is as large as the image."""

NOISE_ROWS: Final = 256
"""Rows of fresh noise; the image takes them again and again, shifted at random."""

NOISE_SHIFT: Final = 64
"""How far at most, in pixels."""

SLICE_S: Final[Seconds] = 0.1
"""Longest wait in one go, so that a plug pulled meanwhile is noticed."""


class Scene(Protocol):
    """What lies in front of the camera, e.g. `vision.synth.tray.DrawnTray`."""

    def throw(self, names: Sequence[str], seed: int) -> None:
        """Throw these dice in; times of `image` count from here."""
        ...

    def clear(self) -> None:
        """Take all dice out."""
        ...

    def image(self, t_s: float) -> Image:
        """Return the scene `t_s` seconds after the last throw, BGR."""
        ...


class DrawnCamera:
    """Looks at a drawn tray; implements `device.ports.Camera`.

    `throw`, `clear` and the faults may be used from any thread.

    Args:
        tray: What it looks at.
        clock: Paces the frames.
        rate_hz: Frames a second.
        seed: Of throws, noise, jitter and losses.
        noise: Standard deviation of the sensor noise in grey levels, 0 for none.
        faults: What goes wrong, and when.
        name: For people.

    Raises:
        ValueError: `rate_hz` not above 0.
        HardwareNotFound, HardwareFault: As `faults` says.
    """

    simulated = True
    notes: tuple[str, ...] = ()

    def __init__(
        self,
        tray: Scene,
        clock: Clock,
        rate_hz: float = 50.0,
        *,
        seed: int = 0,
        noise: float = 1.0,
        faults: CameraFaults | None = None,
        name: str = "drawn tray",
    ) -> None:
        if not rate_hz > 0:
            raise ValueError(f"rate_hz must be above 0, not {rate_hz}")
        self.name = self.id = name
        self.faults = faults or CameraFaults()
        self.faults.opening(name)
        self._tray = tray
        self._clock = clock
        self._rate_hz = rate_hz
        self._seed = seed
        self._throws = random.Random(seed)
        self._noise = _Noise(noise, seed)
        self._lock = threading.Lock()
        # What lies there when a camera is opened (again) has come to rest long ago.
        self._changed_s = clock.now_s() - AT_REST_S
        self._before: Image = tray.image(AT_REST_S)
        self.size_wh_px = (self._before.shape[1], self._before.shape[0])
        self._opened_s = clock.now_s()
        self._last = -1
        self._captures = 0
        self._closed = False

    def throw(self, names: Sequence[str], seed: int | None = None) -> None:
        """Throw dice into the tray, now.

        Args:
            names: Of the tray's dice.
            seed: Of this throw; None takes the next of the camera's own.
        """
        with self._lock:
            self._remember()
            chosen = self._throws.getrandbits(32) if seed is None else seed
            self._tray.throw(names, chosen)

    def clear(self) -> None:
        """Take all dice out of the tray, now."""
        with self._lock:
            self._remember()
            self._tray.clear()

    def stall(self, seconds: Seconds) -> None:
        """Deliver nothing for a while, then go on."""
        self.faults.stalled_until_s = self._clock.now_s() + seconds

    def capture(self, timeout_s: Seconds = 2.0) -> Frame:
        """Return the newest frame not yet returned; see `device.ports.Camera`."""
        if self._closed:
            raise HardwareClosed(f"camera {self.name} is closed")
        self._captures += 1
        deadline_s = self._clock.now_s() + timeout_s
        while True:
            self.faults.capturing(self.name, self._captures)
            now_s = self._clock.now_s()
            number, ready_s = self._next(now_s)
            if ready_s <= now_s:
                return self._frame(number)
            if now_s >= deadline_s:
                raise HardwareFault(
                    f"camera {self.name} gave no frame within {timeout_s:g} s"
                )
            self._clock.sleep(min(ready_s, deadline_s, now_s + SLICE_S) - now_s)

    def close(self) -> None:
        """Release it; may be called twice."""
        self._closed = True

    def _remember(self) -> None:
        """Keep the scene as it is now, for frames exposed before the change."""
        now_s = self._clock.now_s()
        self._before = self._tray.image(now_s - self._changed_s)
        self._changed_s = now_s

    def _next(self, now_s: Seconds) -> tuple[int, Seconds]:
        """Return the number of the frame to deliver and when it can be had."""
        if self.faults.hung:
            return self._last + 1, math.inf
        if now_s < self.faults.stalled_until_s:
            return self._last + 1, self.faults.stalled_until_s
        # A nanosecond's grace: sums of floats must not cost a frame.
        ran_s = now_s - self._opened_s - EXPOSURE_S - READOUT_S + 1e-9
        newest = max(self._last, math.floor(ran_s * self._rate_hz))
        for number in range(newest, self._last, -1):
            if self._ready_s(number) <= now_s + 1e-9:
                return number, now_s
        number = newest + 1
        while self._ready_s(number) == math.inf:
            number += 1
        return number, self._ready_s(number)

    def _ready_s(self, number: int) -> Seconds:
        """Return when a frame can be had; infinity for a lost one."""
        late_s = 0.0
        if self.faults.drop > 0 or self.faults.jitter_s > 0:
            luck = random.Random(self._seed * 1_000_003 + number)
            if luck.random() < min(self.faults.drop, 0.99):
                return math.inf
            late_s = luck.uniform(0.0, self.faults.jitter_s)
        begun_s = self._opened_s + number / self._rate_hz
        return begun_s + EXPOSURE_S + READOUT_S + late_s

    def _frame(self, number: int) -> Frame:
        self._last = number
        exposed_s = self._opened_s + number / self._rate_hz - self.faults.stale_s
        with self._lock:
            if exposed_s < self._changed_s:
                clean = self._before
            else:
                clean = self._tray.image(exposed_s - self._changed_s)
        image, grey = self._noise.over(clean)
        return Frame(image, exposed_s, number, grey)


class _Noise:
    """Sensor noise: fresh on a moving scene, a few plates in turn on a still one."""

    def __init__(self, sigma: float, seed: int) -> None:
        self._sigma = sigma
        self._rng = np.random.default_rng(seed)
        self._plate = np.empty((0, 0, 3), np.int16)
        self._clean: Image | None = None
        self._kept: list[tuple[Image, Image]] = []
        self._turn = 0

    def over(self, clean: Image) -> tuple[Image, Image]:
        """Return the noisy image and its small grey one."""
        if clean is not self._clean:
            self._clean, self._kept, self._turn = clean, [], 0
        if len(self._kept) < (NOISE_PLATES if self._sigma > 0 else 1):
            self._kept.append(self._fresh(clean))
            return self._kept[-1]
        self._turn = (self._turn + 1) % len(self._kept)
        return self._kept[self._turn]

    def _fresh(self, clean: Image) -> tuple[Image, Image]:
        if self._sigma <= 0:
            return clean, small_grey(clean)
        height, width = clean.shape[:2]
        plate = self._plate_for(width)
        image = np.empty_like(clean)
        for top in range(0, height, NOISE_ROWS):
            rows = min(NOISE_ROWS, height - top)
            y, x = self._rng.integers(0, NOISE_SHIFT, 2)
            cv2.add(
                clean[top : top + rows],
                plate[y : y + rows, x : x + width],
                dst=image[top : top + rows],
                dtype=cv2.CV_8U,
            )
        return image, small_grey(image)

    def _plate_for(self, width: int) -> NDArray[np.int16]:
        if self._plate.shape[1] != width + NOISE_SHIFT:
            shape = (NOISE_ROWS + NOISE_SHIFT, width + NOISE_SHIFT, 3)
            normal = self._rng.standard_normal(shape, np.float32)
            self._plate = np.rint(self._sigma * normal).astype(np.int16)
        return self._plate
