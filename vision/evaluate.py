"""Measures the reader and prints the tables; ``--card`` puts them into the model card.

``python -m vision.evaluate [SET ...]``: other people's photographs, renders and a
hand-held video, as they lie in ``../shared``, and frames with nothing to read. They are
for measuring only; nothing is trained or tuned on them. Dice drawn anew are measured
by ``python -m vision.train.fresh_dice``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from device.errors import DicelightError
from vision import nothing
from vision.annotate import annotate, outline
from vision.card import write_scores
from vision.find import Finder
from vision.frame import Detection, Image, Reading, Status
from vision.gallery import Gallery
from vision.images import read_image, write_image
from vision.reader import Reader
from vision.replay import judge_videos
from vision.scores import Label, Score, read_labels, score, table
from vision.witness import DIE_SURE

SHARED = Path(__file__).resolve().parents[2] / "shared"
"""Where the pictures lie that are not ours: beside the checkout."""

ABOVE = (
    "burksbuilds|nell-byler|skovy|fudw|tai-studio|gudmundur|"
    "BartekBanachowicz.*d6|turntable"
)
NOT_ABOVE = "ornate|Fate|icons|from BELOW|face is an icon"

SETS: dict[str, tuple[str, str | None, str | None]] = {
    "photographs from above": ("dice-photos", ABOVE, NOT_ABOVE),
    "all photographs": ("dice-photos", None, "TylerHelmuth|strauss|Fate"),
    "renders": ("dice-renders/trays", None, None),
    "taught icon dice": ("dice-renders/trays-genesys", None, None),
}
"""Name of a set: its folder, and the patterns that choose its rows."""

TEACH = {"taught icon dice": "dice-renders/teach-genesys"}

REST = "other photographs"
"""All photographs without those from above."""

NOTHING, VIDEO = "nothing to read", "video"
NAMES = (*SETS, REST, NOTHING, VIDEO)

EACH = 130
"""Drawn frames of each kind with nothing to read: with the photographs over 1,000."""

CURVE = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995)
"""Bars of the curve of risk and coverage."""


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


def labels_of(name: str, shared: Path) -> tuple[Label, ...]:
    """Return the labelled pictures of a set.

    Raises:
        ImageError: They are not there.
    """
    if name == REST:
        above = {one.path for one in labels_of("photographs from above", shared)}
        every = labels_of("all photographs", shared)
        return tuple(one for one in every if one.path not in above)
    folder, only, without = SETS[name]
    return read_labels(shared / folder / "labels.csv", only=only, without=without)


def _measure_set(name: str, options: argparse.Namespace) -> str:
    """Measure a set of pictures and return its table."""
    shared = options.shared
    gallery = teach(shared / TEACH[name], Finder()) if name in TEACH else None
    reader = Reader(gallery, bar=options.bar)
    measured = measure(reader, labels_of(name, shared))
    spent = f"Median {np.median(measured.spent_ms):.0f} ms an image."
    parts = [table(measured.totals), spent, curve(measured.readings, CURVE)]
    if options.failures:
        count = draw_failures(options.failures, measured)
        parts.append(f"{count} pictures with silent errors are drawn.")
    if options.json:
        with options.json.open("a", encoding="utf-8") as handle:
            handle.writelines(as_json(*pair) + "\n" for pair in measured.readings)
    return "\n\n".join(parts)


def _measure(name: str, options: argparse.Namespace) -> str:
    """Measure one of `NAMES` and return what is to be said of it."""
    reader = Reader(bar=options.bar)
    if name == NOTHING:
        labels = labels_of("all photographs", options.shared)
        cases = nothing.cases(options.each, labels, reader)
        return nothing.table([nothing.judge(case, reader)[0] for case in cases])
    if name == VIDEO:
        return "\n".join(judge_videos(options.shared / "dice-photos/videos", reader))
    return _measure_set(name, options)


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
    found = die.pose is None or die.pose.confidence >= DIE_SURE
    sure = die.confidence >= bar and (found or die.status is Status.OK)
    return replace(die, status=Status.OK if sure else Status.UNSURE)


def main(argv: list[str] | None = None) -> int:
    """Measure and print; exit status 2 where something cannot be read."""
    parser = argparse.ArgumentParser(description="Measure the reader.")
    parser.add_argument("sets", nargs="*", help=f"of: {'; '.join(NAMES)}")
    parser.add_argument("--shared", type=Path, default=SHARED)
    parser.add_argument("--bar", type=float)
    parser.add_argument("--each", type=int, default=EACH, help="frames of a kind")
    parser.add_argument("--card", action="store_true", help="write the model card too")
    parser.add_argument("--json", type=Path, help="append the readings to this file")
    parser.add_argument("--failures", type=Path, help="folder for drawn silent errors")
    options = parser.parse_args(argv)
    chosen = options.sets or list(NAMES)
    for name in chosen:
        if name not in NAMES:
            print(f"unknown set {name!r}: one of {'; '.join(NAMES)}", file=sys.stderr)
            return 2
    if options.each < 1:
        print("--each: expected 1 or more", file=sys.stderr)
        return 2
    cv2.setNumThreads(1)
    failed = 0
    for name in chosen:
        try:
            text = _measure(name, options)
        except DicelightError as error:
            print(f"{name}: {error}", file=sys.stderr)
            failed = 2
            continue
        print(f"\n## {name}\n\n{text}", flush=True)
        if options.card:
            write_scores(name, f"### {name.capitalize()}\n\n{text}")
    return failed


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
