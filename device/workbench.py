"""Puts set-up together: the parts of this device as `device.workshop` asks for them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from device.camera_setup import Calibration, suited
from device.camera_setup import load as load_camera
from device.camera_setup import save as save_camera
from device.camera_tuning import Adjustable, tune
from device.companion import Companion
from device.config import Config
from device.doctor import examine
from device.fitting import measured_with
from device.light import Light, LitStrip
from device.photos import Photos
from device.ports import PixelStrip
from device.strip_setup import save as save_strip
from device.tray import TrayLoop
from device.units import Millimetres
from device.workshop import Backstage, Learned, Storage, Workshop
from hardware.fit import Fit, fit_strip
from hardware.settings import CameraSettings
from hardware.strips import Strip


class Rulers:
    """The strips in use; set-up changes their places while they are lit.

    Attributes:
        strips: As measured; replaced in place, so that the light follows.

    Args:
        configured: As in the config.
        measured: With what set-up has found before.
        state: State folder.
    """

    def __init__(
        self, configured: Sequence[Strip], measured: Sequence[Strip], state: Path
    ) -> None:
        self.strips = list(measured)
        self._configured = {strip.name: strip for strip in configured}
        self._state = state
        self._light: Light | None = None
        self._lit: Callable[[Strip], LitStrip] | None = None

    def follow(self, light: Light, lit: Callable[[Strip], LitStrip]) -> None:
        """Tell the light of every change."""
        self._light, self._lit = light, lit

    def sizes(self) -> dict[str, int]:
        """Return the number of LEDs by the strip's name."""
        return {strip.name: strip.pixels for strip in self.strips}

    def point(self, name: str, led: int | None) -> None:
        """Light one LED alone, or with None what the table says."""
        if self._light is not None:
            self._light.point(name, led)

    def fit(self, name: str, points: Sequence[tuple[int, Millimetres]]) -> Learned:
        """Return the strip as measured; raises CalibrationError."""
        found = self._fit(name, points)
        strip = found.strip
        return Learned(
            strip.pitch_mm, strip.first_pixel_mm, strip.reversed, found.error_mm
        )

    def keep(self, name: str, points: Sequence[tuple[int, Millimetres]]) -> None:
        """Use and remember the strip as measured."""
        learned = self._fit(name, points).strip
        save_strip(self._state, self._configured[name], learned)
        self.strips[:] = [
            learned if strip.name == name else strip for strip in self.strips
        ]
        if self._light is not None and self._lit is not None:
            self._light.remeasured([self._lit(strip) for strip in self.strips])

    def _fit(self, name: str, points: Sequence[tuple[int, Millimetres]]) -> Fit:
        return fit_strip(self._configured[name], points)


def lit_strip(strip: Strip, open_it: Callable[[Strip], PixelStrip]) -> LitStrip:
    """Return a strip as the light's threads need it."""
    return LitStrip(
        strip.name, strip.pitch_mm, strip.first_pixel_mm, lambda: open_it(strip)
    )


def open_workshop(
    companion: Companion,
    config: Config,
    state: Path,
    loop: TrayLoop,
    rulers: Rulers,
    photos: Photos,
    settings: Callable[[Config, Calibration], CameraSettings],
) -> Workshop:
    """Return set-up for a device that is put together otherwise.

    Args:
        companion: The table.
        config: As it was started with.
        state: State folder.
        loop: The tray's.
        rulers: The strips.
        photos: Of rolls.
        settings: Returns what the camera is asked for.
    """

    def tune_camera() -> bool:
        camera = loop.camera
        if camera is None or not isinstance(camera, Adjustable):
            return False
        asked = settings(config, measured_with(state, camera))
        _, found = tune(camera, asked, config.reading.bar_mm, tick=loop.turn)
        kept = load_camera(state)
        _, stale = suited(kept, camera.id, camera.name, camera.size_wh_px)
        save_camera(state, found)
        camera.notes = tuple(note for note in camera.notes if note != stale)
        loop.say_camera()
        return True

    backstage = Backstage(
        doctor=lambda: examine(config, state, opened=loop.camera),
        bundle=lambda: _bundle(config, state),
        storage=lambda: _storage(companion, state, photos),
        image=loop.image,
        bar_mm=config.reading.bar_mm,
        tune=tune_camera,
        in_tray=loop.in_thread,
        now_s=loop.now_s,
    )
    return Workshop(companion, backstage, rulers)


def _bundle(config: Config, state: Path) -> bytes:
    from device.commands.bundle import bundle_bytes

    return bundle_bytes(config.source, state)


def _storage(companion: Companion, state: Path, photos: Photos) -> Storage:
    nights = companion.nights.names()
    count, size = photos.usage()
    return Storage(
        folder=str(state),
        free_bytes=shutil.disk_usage(state).free,
        nights=len(nights),
        night_bytes=sum(map(companion.nights.size, nights)),
        photos=count,
        photo_bytes=size,
    )
