"""Measures the reader on labelled pictures and on a video, and prints the tables.

``python -m vision.evaluate`` reads what lies in ``../shared``: photographs of other
people's dice, renders, and the hand-held video. They are for measuring only; nothing
is trained or tuned on them. Options choose sets and rows, and keep the readings.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from device.errors import DicelightError, ImageError
from vision.annotate import annotate, outline
from vision.find import Finder
from vision.frame import Detection, Frame, Image, Reading, Status
from vision.gallery import Gallery
from vision.images import read_image, write_image
from vision.light import WIDTH_PX
from vision.reader import Reader
from vision.scores import Label, Score, read_labels, score, table
from vision.settle import Settle
from vision.track import Tracker

SHARED = Path(__file__).resolve().parents[2] / "shared"
"""Where the pictures lie that are not ours: beside the checkout."""

ABOVE = (
    "burksbuilds|nell-byler|skovy|fudw|tai-studio|gudmundur|"
    "BartekBanachowicz.*d6|turntable"
)
NOT_ABOVE = "ornate|Fate|icons|from BELOW|face is an icon"

SETS: dict[str, tuple[str, str | None, str | None]] = {
    "pips from above": ("dice-photos", "nell-byler|skovy|fudw", None),
    "photographs from above": ("dice-photos", ABOVE, NOT_ABOVE),
    "all photographs": ("dice-photos", None, "TylerHelmuth|strauss|Fate"),
    "renders": ("dice-renders/trays", None, None),
    "taught icon dice": ("dice-renders/trays-genesys", None, None),
}
"""Name of a set: its folder, and the patterns that choose its rows."""

TEACH = {"taught icon dice": "dice-renders/teach-genesys"}

LENIENT_FRAMES = 8
"""A settled stretch of the video is labelled only to about five frames."""


@dataclass(slots=True)
class Measured:
    """One set, measured.

    Attributes:
        totals: Counts by source.
        readings: ``(label, reading)`` of each picture.
        spent_ms: Time of each picture.
    """

    totals: dict[str, Score] = field(default_factory=lambda: defaultdict(Score))
    readings: list[tuple[Label, Reading]] = field(default_factory=list)
    spent_ms: list[float] = field(default_factory=list)

    @property
    def total(self) -> Score:
        """All sources together."""
        return sum(self.totals.values(), Score())


def measure(reader: Reader, labels: Sequence[Label]) -> Measured:
    """Read and count labelled pictures.

    Raises:
        ImageError: A picture cannot be read.
    """
    measured = Measured()
    for label in labels:
        reading = reader.read(read_image(label.path))
        measured.totals[label.source] += score(label.dice, reading.detections)
        measured.readings.append((label, reading))
        measured.spent_ms.append(reading.ms["total"])
    return measured


def teach(folder: Path, finder: Finder) -> Gallery:
    """Return a gallery of the dice in a folder of labelled pictures, one a picture.

    Raises:
        ImageError: The labels or a picture cannot be read.
    """
    gallery = Gallery()
    for label in read_labels(folder / "labels.csv"):
        image = read_image(label.path)
        poses = finder.find(image)
        if poses and len(label.dice) == 1:
            pose = max(poses, key=lambda p: p.confidence * p.radius_px)
            (die, face), *_ = label.dice
            gallery.add(die, pose.shape, face, image, pose)
    return gallery


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


def as_json(label: Label, reading: Reading) -> str:
    """Return the line that ``dicelight read --json`` prints of a picture."""
    dice = [_die_json(die) for die in reading.detections]
    return json.dumps({"image": str(label.path), "dice": dice, "ms": reading.ms})


def _die_json(die: Detection) -> dict[str, object]:
    return {
        "die": die.die,
        "face": die.face,
        "confidence": round(die.confidence, 4),
        "status": str(die.status),
        "box": [round(v, 1) for v in die.box_xywh_px],
        "alternatives": [[face, round(share, 4)] for face, share in die.alternatives],
    }


def _measure_set(
    name: str, shared: Path, bar: float | None, write: Callable[[str], object]
) -> Measured | None:
    """Measure a set and write its table; None where it is not there."""
    folder, only, without = SETS[name]
    if not (shared / folder / "labels.csv").exists():
        write(f"{name}: no {shared / folder}")
        return None
    labels = read_labels(shared / folder / "labels.csv", only=only, without=without)
    gallery = teach(shared / TEACH[name], Finder()) if name in TEACH else None
    measured = measure(Reader(gallery, bar=bar), labels)
    write(f"\n## {name}\n\n{table(measured.totals)}\n")
    write(f"median {np.median(measured.spent_ms):.0f} ms an image")
    return measured


def curve(readings: Sequence[tuple[Label, Reading]], bars: Sequence[float]) -> str:
    """Return what other bars would have given, as a Markdown table."""
    rows = [
        "| bar | right % | silent % | unsure | missed |",
        "|---:|---:|---:|---:|---:|",
    ]
    for bar in bars:
        whole = Score()
        for label, reading in readings:
            whole += score(label.dice, [_at(die, bar) for die in reading.detections])
        rows.append(
            f"| {bar:.3f} | {whole.right_percent:.1f} | {whole.silent_percent:.2f} "
            f"| {whole.unsure} | {whole.missed} |"
        )
    return "\n".join(rows)


def _at(die: Detection, bar: float) -> Detection:
    """Return a die as another bar would have it."""
    if die.status is Status.COCKED or die.face is None:
        return die
    status = Status.OK if die.confidence >= bar else Status.UNSURE
    return replace(die, status=status)


def main(argv: list[str] | None = None) -> int:
    """Measure and print; exit status 2 where something cannot be read."""
    parser = argparse.ArgumentParser(description="Measure the reader.")
    parser.add_argument("sets", nargs="*", help=f"of: {', '.join(SETS)}, video")
    parser.add_argument("--shared", type=Path, default=SHARED)
    parser.add_argument("--bar", type=float)
    parser.add_argument("--json", type=Path, help="append the readings to this file")
    parser.add_argument("--failures", type=Path, help="folder for drawn silent errors")
    parser.add_argument("--curve", action="store_true", help="show other bars as well")
    options = parser.parse_args(argv)
    chosen = options.sets or [*SETS, "video"]
    for name in chosen:
        if name not in (*SETS, "video"):
            print(f"unknown set {name!r}: one of {', '.join((*SETS, 'video'))}")
            return 2
    cv2.setNumThreads(1)
    try:
        for name in chosen:
            if name == "video":
                folder = options.shared / "dice-photos/videos"
                print("\n".join(_video(folder, Reader(bar=options.bar))))
                continue
            measured = _measure_set(name, options.shared, options.bar, print)
            if measured is None:
                continue
            if options.curve:
                print(
                    curve(measured.readings, (0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995))
                )
            if options.failures:
                count = draw_failures(options.failures, measured)
                print(f"{count} pictures with silent errors in {options.failures}")
            if options.json:
                with options.json.open("a", encoding="utf-8") as handle:
                    handle.writelines(
                        as_json(*pair) + "\n" for pair in measured.readings
                    )
    except DicelightError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _video(folder: Path, reader: Reader) -> list[str]:
    """Replay each labelled video; return what was read when, as lines."""
    lines = []
    for path in sorted(folder.glob("*.mp4")):
        lines.append(f"\n## {path.name}\n")
        judged = judge_video(folder / "labels.csv", replay(path, reader))
        lines += [f"- {line}" for line in judged]
    return lines


def draw_failures(folder: Path, measured: Measured) -> int:
    """Save an annotated picture of every reading with a silent error.

    Returns:
        How many there were.
    """
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for label, reading in measured.readings:
        one = score(label.dice, reading.detections)
        if one.wrong + one.extra == 0:
            continue
        count += 1
        image: Image = read_image(label.path)
        drawn = annotate(image, [outline(die) for die in reading.detections])
        write_image(folder / f"{label.path.stem}.jpg", drawn)
    return count


if __name__ == "__main__":
    sys.exit(main())
