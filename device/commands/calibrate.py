"""`dicelight calibrate`: where a strip's LEDs really are, from two measured points."""

from __future__ import annotations

import argparse
import re
import sys
import time
from pathlib import Path
from typing import Final

from device.commands.output import print_json
from device.commands.owner import need_part, own_state
from device.config import make_state_folder
from device.errors import BadInput, CalibrationError, ConfigError

SHOWN_S: Final = 120
"""How long an LED stays lit at most: long enough to find and measure it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        "Lights one LED of a strip so that its place can be measured (the service must "
        "not run: sudo systemctl stop dicelight), or learns pitch and offset from two "
        "or more measured LEDs, far apart, and says the error that remains."
    )
    parser.add_argument("strip", metavar="STRIP", help="its name in the config")
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--light", type=int, metavar="LED", help="light this one, 0 first"
    )
    what.add_argument(
        "--point",
        action="append",
        metavar="LED=MM",
        help="its centre is so many mm from the ruler's zero; twice or more",
    )
    parser.add_argument("--save", action="store_true", help="use it from now on")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Light an LED, or fit the strip to the points."""
    from device.commands.doctor import find_config
    from device.strip_setup import save
    from hardware.fit import fit_strip
    from hardware.strips import parse_strips

    config, appliance = find_config(options.config)
    state = own_state(appliance=appliance)
    strips = {s.name: s for s in parse_strips([dict(one) for one in config.strip])}
    strip = strips.get(options.strip)
    if strip is None:
        known = ", ".join(strips) or "none"
        raise ConfigError(
            f"no strip {options.strip!r} in the config; there are {known}"
        )
    if options.light is not None:
        need_part("strip", appliance=appliance)
        return _light(strip, options.light)
    try:
        fit = fit_strip(strip, [_point(text) for text in options.point])
    except CalibrationError as error:
        raise BadInput(str(error), "point") from error
    if options.save:
        save(make_state_folder(state), strip, fit.strip)
    learned = fit.strip
    if options.json:
        print_json(
            {
                "name": learned.name,
                "pitch_mm": round(learned.pitch_mm, 4),
                "first_pixel_mm": round(learned.first_pixel_mm, 3),
                "reversed": learned.reversed,
                "error_mm": round(fit.error_mm, 3),
                "saved": bool(options.save),
            }
        )
        return 0
    way = ", towards zero" if learned.reversed else ""
    sys.stdout.write(
        f"pitch {learned.pitch_mm:.3f} mm, LED 0 at {learned.first_pixel_mm:.1f} mm"
        f"{way}; error {fit.error_mm:.1f} mm"
        + (
            " (two points always fit; a third tells)\n"
            if len(options.point) == 2
            else "\n"
        )
    )
    if not options.save:
        sys.stdout.write("not kept: add --save\n")
    return 0


def _point(text: str) -> tuple[int, float]:
    found = re.fullmatch(r"(\d{1,4})=(-?\d{1,5}(?:\.\d+)?)", text.strip())
    if found is None:
        raise BadInput(f"expected LED=MM, e.g. 59=992.5, found {text!r}", "point")
    return int(found[1]), float(found[2])


def _light(strip: object, led: int) -> int:
    from hardware.fit import walk
    from hardware.parts import open_strip
    from hardware.rulers import limited
    from hardware.strips import Strip

    assert isinstance(strip, Strip)
    try:
        colours = limited(strip, walk(strip, led))
    except ValueError as error:
        raise BadInput(str(error), "light") from error
    driver = open_strip(strip)
    try:
        driver.show(colours)
        sys.stdout.write(f"LED {led} of {strip.name} is lit; Ctrl-C ends it\n")
        sys.stdout.flush()
        time.sleep(SHOWN_S)
    except KeyboardInterrupt:
        sys.stdout.write("\n")
    finally:
        driver.close()
    return 0
