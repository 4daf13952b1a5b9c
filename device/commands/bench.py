"""`dicelight bench`: the promised figures on this machine."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from dataclasses import asdict

from device.commands.output import print_json
from device.config import make_state_folder, state_folder
from device.errors import BadInput
from device.figures import Figure


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        "Measures what can be measured here: medians over the runs named, the disk of "
        "the state folder. Figures are comparable only on an idle machine."
    )
    parser.add_argument(
        "--json", action="store_true", help="one object with all figures"
    )
    parser.add_argument(
        "--kills",
        type=int,
        default=0,
        metavar="N",
        help="kill the running loop at N random moments and count lost events",
    )


def run(options: argparse.Namespace) -> int:
    """Measure; 1 if an acknowledged event was lost or a state differed."""
    from device.bench import measure

    if options.kills < 0:
        raise BadInput("--kills: expected 0 or more")
    state = make_state_folder(state_folder(appliance=False))
    figures: list[Figure] = []
    for figure in measure(state, options.kills):
        figures.append(figure)
        if not options.json:
            sys.stdout.write(_line(figure) + "\n")
            sys.stdout.flush()
    if options.json:
        machine = {
            "platform": platform.platform(),
            "cores": os.cpu_count(),
            "load": os.getloadavg()[0],
        }
        print_json({"machine": machine, "figures": [asdict(one) for one in figures]})
    lost = any(one.must == 0 and one.value for one in figures)
    return 1 if lost else 0


def _line(figure: Figure) -> str:
    if figure.value is None:
        return f"{figure.name}: not measured ({figure.note})"
    parts = [f"{figure.name}: {figure.value:g} {figure.unit}"]
    if figure.p95 is not None:
        parts.append(f"p95 {figure.p95:g}")
    parts.append(f"n {figure.count}")
    for which, must in (("", figure.must), ("p95 ", figure.must_p95)):
        if must is not None:
            parts.append(f"{which}must be at most {must:g}")
    if figure.kept is not None:
        parts.append("kept" if figure.kept else "NOT KEPT")
    if figure.note:
        parts.append(figure.note)
    return ", ".join(parts)
