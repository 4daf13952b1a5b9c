"""Remakes every network: ``python -m vision.train [--quick]``, or ``make train``.

The steps run one after the other, each in a process of its own; the two trainings of
the finder's side and of the faces' side share nothing, so two cores are kept busy. Each
goes on from its checkpoint under ``training/`` where it was interrupted.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time

QUICK = "--quick"

FIND = (("vision.train.find", QUICK), ("vision.train.tiles", QUICK))
FACES = (
    ("vision.train.faces", "--resume", QUICK),
    ("vision.train.side", "--resume", QUICK),
    ("vision.train.faces_calibrate", QUICK),
    ("vision.train.side_calibrate", QUICK),
)
"""What runs beside what, and after what; ``--quick`` goes to those that know it."""


def start(step: tuple[str, ...], *, quick: bool) -> subprocess.Popen[bytes]:
    """Start one step."""
    module, *options = step
    given = [option for option in options if quick or option != QUICK]
    print(f"== {module} {' '.join(given)}", flush=True)
    return subprocess.Popen([sys.executable, "-m", module, *given])


def main(argv: list[str] | None = None) -> int:
    """Run all steps, two at a time; stop at the first that fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(QUICK, action="store_true", help="a tenth: the curve's start")
    options = parser.parse_args(argv)
    begun = time.monotonic()
    lanes = [list(FIND), list(FACES)]
    running: list[subprocess.Popen[bytes] | None] = [None, None]
    while any(lanes) or any(running):
        for number, lane in enumerate(lanes):
            process = running[number]
            if process is not None and process.poll() not in (None, 0):
                for other in running:
                    if other is not None and other.poll() is None:
                        other.terminate()
                return 1
            if process is not None and process.poll() is None:
                continue
            running[number] = start(lane.pop(0), quick=options.quick) if lane else None
        time.sleep(0.5)
    print(f"== done in {(time.monotonic() - begun) / 60:.0f} minutes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
