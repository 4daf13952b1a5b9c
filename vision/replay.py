"""Replays a video as the companion's loop would see it, and judges what was read.

``labels.csv`` beside the videos says which frames are settled and what lies there.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from device.errors import ImageError
from vision.frame import Frame
from vision.light import WIDTH_PX
from vision.reader import Reader
from vision.settle import Settle
from vision.track import Tracker

LENIENT_FRAMES = 8
"""A settled stretch of the video is labelled only to about five frames."""


@dataclass(frozen=True, slots=True)
class Throw:
    """A throw that the loop would have reported.

    Attributes:
        frame: Number of the frame it was read from.
        faces: Vouched for, sorted.
        doubted: How many dice were not.
    """

    frame: int
    faces: tuple[str, ...]
    doubted: int


def replay(path: Path, reader: Reader) -> tuple[Throw, ...]:
    """Return the throws read from a video, as the companion's loop would.

    Raises:
        ImageError: Not a video that can be read.
    """
    settle, tracker = Settle(), Tracker()
    throws = []
    for frame in _frames(path):
        if not settle.update(frame).read:
            continue
        reading = reader.read(frame.image, exposed_s=frame.exposed_s)
        fresh = [t.detection for t in tracker.update(reading) if t.fresh]
        tracker.accept()
        if fresh:
            sure = sorted(str(d.face) for d in fresh if d.status == "ok")
            throws.append(Throw(frame.number, tuple(sure), len(fresh) - len(sure)))
    return tuple(throws)


def _frames(path: Path) -> Iterator[Frame]:
    video = cv2.VideoCapture(str(path))
    rate_hz = video.get(cv2.CAP_PROP_FPS) or 30.0
    number = 0
    try:
        while True:
            more, image = video.read()
            if not more:
                break
            grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
            size = (WIDTH_PX, round(grey.shape[0] * WIDTH_PX / grey.shape[1]))
            small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
            yield Frame(
                np.asarray(image, np.uint8),
                number / rate_hz,
                number,
                np.asarray(small, np.uint8),
            )
            number += 1
    finally:
        video.release()
    if number == 0:
        raise ImageError(f"{path}: not a video that can be read")


def judge_video(labels: Path, throws: Sequence[Throw]) -> list[str]:
    """Return one line a settled stretch, and one for each throw outside of them."""
    with labels.open(newline="", encoding="utf-8") as handle:
        rows = list(csv.DictReader(handle))
    lines, placed = [], set()
    for row in rows:
        first, last = (int(n) for n in row["frames_settled"].split("-"))
        truth = tuple(sorted(v for v in row["values"].split(";") if v))
        near = range(first - LENIENT_FRAMES, last + LENIENT_FRAMES + 1)
        here = [throw for throw in throws if throw.frame in near]
        placed.update(here)
        lines.append(
            f"frames {first}-{last}, {' '.join(truth)}: {_verdict(truth, here)}"
        )
    for throw in throws:
        if throw not in placed:
            lines.append(f"frame {throw.frame}: {' '.join(throw.faces)} read elsewhere")
    return lines


def _verdict(truth: tuple[str, ...], here: Sequence[Throw]) -> str:
    if not here:
        return "silent"
    said = [f"{' '.join(t.faces) or 'nothing'} at {t.frame}" for t in here]
    twice = " TWICE" if len(here) > 1 else ""
    sure = here[0]
    if sure.doubted or len(sure.faces) != len(truth):
        wrong = set(sure.faces) - set(truth)
        return f"{'WRONG' if wrong else 'unsure'} ({', '.join(said)}){twice}"
    return f"{'right' if sure.faces == truth else 'WRONG'} ({', '.join(said)}){twice}"


def judge_videos(folder: Path, reader: Reader) -> list[str]:
    """Replay each labelled video; return what was read when, as lines."""
    lines = []
    for path in sorted(folder.glob("*.mp4")):
        lines.append(f"\n{path.name}:\n")
        judged = judge_video(folder / "labels.csv", replay(path, reader))
        lines += [f"- {line}" for line in judged]
    return lines
