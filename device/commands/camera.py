"""`dicelight camera`: is the picture good enough; measures focus, exposure, colour."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from device.commands.output import print_json
from device.config import SYSTEM_CONFIG, Config, make_state_folder, state_folder
from device.errors import ConfigError
from device.ports import Camera

if TYPE_CHECKING:
    from device.camera_setup import Calibration
    from hardware.settings import CameraSettings
    from vision.view import View

ROUNDS: Final = 3
"""Exposure is set so often at most: a clipped white says only "less"."""

NEAR: Final = 0.15
"""An exposure within so much of the best is left alone."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        "Looks at the printed frame through the camera and says what is off and what "
        "to do. On a Raspberry Pi's camera it sets focus, exposure and colour by the "
        "frame's markers and grey patches. The service must not run meanwhile: sudo "
        "systemctl stop dicelight. Exit status 1 where something is off."
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration")
    parser.add_argument(
        "--image", type=Path, metavar="FILE", help="judge this photograph instead"
    )
    parser.add_argument(
        "--save", action="store_true", help="keep what was measured for this camera"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Measure, print, and keep it if asked."""
    from device.commands.doctor import find_config
    from vision.images import read_image
    from vision.view import measure_view

    config, appliance = find_config(options.config)
    if options.image is not None:
        if options.save:
            raise ConfigError("--save: a photograph says nothing of this camera")
        image = read_image(options.image)
        view = measure_view(image, bar_mm=config.reading.bar_mm)
        return _print(view, None, as_json=options.json)
    state = make_state_folder(state_folder(appliance=appliance))
    with _open(config, state) as (camera, settings):
        view, found = _set_up(camera, settings, config.reading.bar_mm)
    if options.save:
        from device.camera_setup import save

        save(state, found)
    return _print(view, found, as_json=options.json)


@contextmanager
def _open(config: Config, state: Path) -> Iterator[tuple[Camera, CameraSettings]]:
    from device.app import camera_of, camera_settings
    from device.camera_setup import load
    from hardware.clock import SystemClock

    if config.hardware.camera in ("none", "drawn"):
        where = SYSTEM_CONFIG if config.source is None else config.source
        raise ConfigError(f"{where}: hardware.camera names no camera to look through")
    camera = camera_of(config, SystemClock(), state)
    try:
        yield camera, camera_settings(config, load(state))
    finally:
        camera.close()


def _set_up(
    camera: Camera, settings: CameraSettings, bar_mm: float
) -> tuple[View, Calibration]:
    """Set exposure, colour and focus where the camera can; return how it then is."""
    from device.camera_setup import Calibration, find_focus, next_exposure
    from hardware.picamera2 import Picamera2Camera
    from vision.view import measure_view

    view = measure_view(_frame(camera), bar_mm=bar_mm)
    if isinstance(camera, Picamera2Camera):

        def look(**changed: Any) -> View:
            nonlocal settings
            settings = replace(settings, **changed)
            camera.adjust(settings)
            return measure_view(_frame(camera), bar_mm=bar_mm)

        def expose(view: View) -> View:
            for _ in range(ROUNDS):
                if view.white is None or abs(view.exposure_factor - 1) < NEAR:
                    break
                exposure_s, gain = next_exposure(
                    settings.exposure_s or 0.01,
                    settings.gain or 1.0,
                    view.exposure_factor,
                )
                view = look(exposure_s=exposure_s, gain=gain)
            return view

        view = expose(view)
        if camera.focus_range is not None:
            best = find_focus(
                lambda dioptres: look(focus_dioptres=dioptres).edge_px,
                *camera.focus_range,
            )
            # Out of focus the frame may not have been seen: only now its white is.
            view = expose(look(focus_dioptres=best))
        if view.white is not None:
            red, blue = settings.colour_gains or (1.0, 1.0)
            more_red, more_blue = view.colour_gains
            view = look(colour_gains=(red * more_red, blue * more_blue))
    return view, Calibration(
        camera=camera.name,
        exposure_s=settings.exposure_s,
        gain=settings.gain,
        focus_dioptres=settings.focus_dioptres,
        colour_gains=settings.colour_gains,
    )


def _frame(camera: Camera) -> Any:
    """Return an image taken after what was set has taken hold."""
    from hardware.picamera2 import LATE_FRAMES

    for _ in range(LATE_FRAMES):
        frame = camera.capture()
    return frame.image


def _print(view: View, found: Calibration | None, *, as_json: bool) -> int:
    from vision.view import ADVICE

    if as_json:
        measured = asdict(view) | {"good": view.is_good}
        if found is not None:
            measured["settings"] = asdict(found)
        print_json(measured)
        return 0 if view.is_good else 1
    if view.edge_px is not None:
        sys.stdout.write(f"edges {view.edge_px:.1f} px wide\n")
    if view.white is not None:
        sys.stdout.write(f"white is {view.white:.0f} of 255\n")
    if view.px_per_mm is not None:
        sys.stdout.write(
            f"{view.px_per_mm:.1f} pixels a millimetre, tilted by {view.tilt_deg:.0f} "
            "degrees\n"
        )
    if found is not None:
        shown = {k: v for k, v in asdict(found).items() if v is not None}
        sys.stdout.write(f"settings: {shown}\n")
    for name in view.problems:
        sys.stdout.write(f"{name}: {ADVICE[name]}\n")
    sys.stdout.write("all well\n" if view.is_good else "")
    return 0 if view.is_good else 1
