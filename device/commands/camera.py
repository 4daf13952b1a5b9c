"""`dicelight camera`: is the picture good enough; measures focus, exposure, colour."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from device.commands.output import print_json
from device.commands.owner import need_part, own_state
from device.config import SYSTEM_CONFIG, Config, make_state_folder
from device.errors import ConfigError
from device.ports import Camera

if TYPE_CHECKING:
    from device.camera_setup import Calibration
    from hardware.settings import CameraSettings
    from vision.view import View


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
    from device.camera_tuning import tune
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
    state = make_state_folder(own_state(appliance=appliance))
    need_part("camera", appliance=appliance)
    with _open(config, state) as (camera, settings):
        view, found = tune(camera, settings, config.reading.bar_mm)
    if options.save:
        from device.camera_setup import save

        save(state, found)
    return _print(view, found, as_json=options.json)


@contextmanager
def _open(config: Config, state: Path) -> Iterator[tuple[Camera, CameraSettings]]:
    from device.fitting import camera_of, camera_settings, measured_with
    from hardware.clock import SystemClock

    if config.hardware.camera in ("none", "drawn"):
        where = SYSTEM_CONFIG if config.source is None else config.source
        raise ConfigError(f"{where}: hardware.camera names no camera to look through")
    camera = camera_of(config, SystemClock(), state)
    try:
        yield camera, camera_settings(config, measured_with(state, camera))
    finally:
        camera.close()


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
