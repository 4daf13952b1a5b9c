"""`dicelight mat`: the printable frame."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--paper", choices=("a4", "letter"), default="a4", help="sheet to print on"
    )
    parser.add_argument(
        "--corners",
        action="store_true",
        help="four corner pieces to lay round any tray up to 400 mm",
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FILE", help="PDF to write"
    )


def run(options: argparse.Namespace) -> int:
    """Write the PDF."""
    from vision.mat import write_mat

    write_mat(options.output, options.paper, corners=options.corners)
    sys.stdout.write(f"{options.output}: print at 100 %, then measure the bar\n")
    return 0
