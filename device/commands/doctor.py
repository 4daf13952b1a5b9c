"""`dicelight doctor`: what is connected, what is missing, what to do."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path

from device.commands.output import print_json
from device.commands.owner import own_state
from device.config import SYSTEM_CONFIG, Config, load_config


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help=f"the configuration ({SYSTEM_CONFIG}, where that is there)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Print what was found; 1 if something needed is missing."""
    from device.doctor import examine, is_well

    config, appliance = find_config(options.config)
    findings = examine(config, own_state(appliance=appliance))
    well = is_well(findings)
    if options.json:
        print_json({"well": well, "findings": [asdict(one) for one in findings]})
        return 0 if well else 1
    marks = {"ok": "ok     ", "note": "note   ", "missing": "MISSING"}
    for one in findings:
        sys.stdout.write(f"{marks[one.state]} {one.name}: {one.found}\n")
        if one.advice:
            sys.stdout.write(f"        -> {one.advice}\n")
    sys.stdout.write("all well\n" if well else "something needed is missing\n")
    return 0 if well else 1


def find_config(path: Path | None) -> tuple[Config, bool]:
    """Return the config, and whether this is the appliance.

    Without a config file this is a laptop: its tray is the drawn one.
    """
    from device.config import HardwareConfig
    from device.fitting import hardware_problems

    if path is None and SYSTEM_CONFIG.exists():
        path = SYSTEM_CONFIG
    if path is None:
        return Config(hardware=HardwareConfig(camera="drawn")), False
    return load_config(path, hardware_problems), path == SYSTEM_CONFIG
