"""`dicelight ruler`: the pixels that a cue lights."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from device.commands.output import error_json, parse_object, print_json
from device.errors import BadInput

GAMES: Final = ("foww", "stalker", "special", "munchkin")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("game", metavar="GAME", help="e.g. foww")
    parser.add_argument(
        "--cue",
        required=True,
        metavar="JSON",
        help='what to light, e.g. {"bands": ["yellow", "green"]}, {"band": "red"}, '
        '{"length_mm": 203}, {"area": {"from_mm": 0, "to_mm": 203}}, {"off": true}',
    )
    parser.add_argument(
        "--strip",
        type=Path,
        metavar="FILE",
        help="TOML with [[strip]] tables; without it one metre of 144 LEDs",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Print what each strip shows; 2 for a cue that is not well formed."""
    from device.data.load import bands
    from device.demo import USUAL_STRIP
    from hardware.cues import parse_cue
    from hardware.rulers import light
    from hardware.strips import load_strips, parse_strips

    strips = (
        load_strips(options.strip) if options.strip else parse_strips([USUAL_STRIP])
    )
    try:
        known = bands(options.game)
        if not known and options.game not in GAMES:
            raise BadInput(f"unknown game {options.game!r}", "game")
        cue = parse_cue(parse_object(options.cue), known)
    except BadInput as error:
        if not options.json:
            raise
        print_json(error_json(error))
        return 2
    lights = light(cue, strips, known)
    if options.json:
        print_json({"strips": [shown.as_json() for shown in lights]})
        return 0
    for shown in lights:
        lit = "".join("#" if pixel.any() else "." for pixel in shown.pixels)
        sys.stdout.write(f"{shown.name}: {lit} ({shown.milliamps} mA)\n")
    return 0
