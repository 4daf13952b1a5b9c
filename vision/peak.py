"""Measures the memory that reading takes: ``python -m vision.peak GALLERY FRAME...``.

Prints, as JSON, the peak of a Python that has only imported cv2 and numpy, and how much
higher it gets by reading frames (.npy) of dice a few times. Linux only.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import cv2
import numpy as np

READINGS = 5


def peak_mb() -> float:
    """Return the most memory that this process has had resident, in MB."""
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024 / 1e6
    raise OSError("/proc/self/status has no VmHWM")


def main(argv: list[str]) -> int:
    """Read the frames and print both figures."""
    cv2.setNumThreads(1)
    imports_mb = peak_mb()
    # Imported only now: what the reader brings along is part of its memory.
    from vision.gallery import Gallery
    from vision.reader import Reader
    from vision.rig import find_rig

    gallery, *frames = argv
    reader = Reader(Gallery.load(gallery))
    for path in frames * READINGS:
        image = np.load(path)
        reader.read(image, rig=find_rig(image))
    print(json.dumps({"imports_mb": imports_mb, "reader_mb": peak_mb() - imports_mb}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
