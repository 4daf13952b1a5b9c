"""Freshly drawn dice, one a picture, found and read by the whole reader.

Looks, lamps, grounds and cameras are those of the hardest training settings; fonts and
icons are held out; the camera's place and the scale are known, as from the printed
frame, and the tray before the die came. Dice whose ink hardly stands out are set aside
and counted. Sixes and nines without a mark, which only the faces beside them tell, have
a row of their own: there `unsure` is often the best answer.

``python -m vision.train.fresh_dice [--each 3000] [--card]`` prints both tables.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

import cv2

from vision.arrivals import EmptyTray
from vision.card import write_scores
from vision.find import Finder
from vision.frame import Image, Pose
from vision.gallery import Gallery
from vision.reader import Reader
from vision.scores import Score, score
from vision.spots import Mark
from vision.synth import icons
from vision.synth.solids import solid
from vision.train.faces_calibrate import fonts_for
from vision.train.faces_cast import (
    KINDS,
    MASK_PX,
    CastDie,
    Photograph,
    icon_die,
    numeral_die,
    shoot,
)

SEED = 770_077
RADII_PX = (26.0, 58.0)

REACH = 3.0
"""Half a picture's side, in radii: a die does not fill the picture of its tray."""

CAMERA_RADII = 30.0
"""Height that the camera is said to hang over the die; only slopes count."""

ACROSS_MM = 24.0
"""Width that a die is said to have across its corners: dice have 20 to 33."""

SHOTS = {"d20": 5, "d12": 3, "d6": 3}
"""Examples of each face of a taught die, by its solid."""

ASKED = 5
"""Times that each face of a taught die is asked."""

POOL = 200
"""Random icons to dress dice with."""

EACH = 200
"""Readable dice of a kind: two minutes for both tables. The promises ask for 3,000."""

BAND_PX = 10.0
"""Of radius: dice are counted by such bands of size too, for small ones read worse."""

_HEAD = "dice | right | wrong | extra | unsure | missed | right % | silent % |"

TAUGHT = "die"
UNMARKED = "6 or 9 without a mark"


@dataclass(slots=True)
class Tally:
    """Counts by kind and by size, and what was set aside."""

    scores: dict[str, Score] = field(default_factory=lambda: defaultdict(Score))
    sizes: dict[int, Score] = field(default_factory=lambda: defaultdict(Score))
    aside: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def count(self, kind: str, radius_px: float, one: Score) -> None:
        """Add one picture."""
        self.scores[kind] += one
        self.sizes[int(radius_px // BAND_PX)] += one

    def table(self) -> str:
        """Return two Markdown tables: by kind, and by size."""
        lines = [f"| kind | {_HEAD} set aside |", "|---" + "|---:" * 9 + "|"]
        for kind, one in self.scores.items():
            lines.append(f"| {kind} | {_cells(one)} | {self.aside[kind]} |")
        lines += ["", f"| px across | {_HEAD}", "|---" + "|---:" * 8 + "|"]
        for band, one in sorted(self.sizes.items()):
            low, high = (round(2 * BAND_PX * edge) for edge in (band, band + 1))
            lines.append(f"| {low} to {high} | {_cells(one)} |")
        return "\n".join(lines)


def _cells(one: Score) -> str:
    """Return the cells of a row under `_HEAD`."""
    counts = (one.dice, one.right, one.wrong, one.extra, one.unsure, one.missed)
    cells = " | ".join(str(count) for count in counts)
    return f"{cells} | {one.right_percent:.2f} | {one.silent_percent:.2f}"


class UnderCamera:
    """Finds dice as `Finder` does, camera and scale known for each picture."""

    def __init__(self) -> None:
        self._finder = Finder()
        self.px_per_mm: float | None = None
        self.camera_px: tuple[float, float, float] | None = None

    def place(self, seen: Photograph) -> None:
        """Hang the camera where that picture was taken from."""
        self.px_per_mm = 2 * seen.pose.radius_px / ACROSS_MM
        height = CAMERA_RADII * seen.pose.radius_px
        middle = seen.image.shape[0] / 2
        right, down = seen.pose.slope
        self.camera_px = (middle - right * height, middle - down * height, height)

    def find(
        self,
        image: Image,
        *,
        px_per_mm: float | None = None,
        camera_px: tuple[float, float, float] | None = None,
        arrivals: Sequence[Mark] = (),
    ) -> tuple[Pose, ...]:
        """Return the dice in an image."""
        return self._finder.find(
            image,
            px_per_mm=self.px_per_mm,
            camera_px=self.camera_px,
            arrivals=arrivals,
        )

    def again(
        self,
        image: Image,
        pose: Pose,
        *,
        camera_px: tuple[float, float, float] | None = None,
    ) -> Pose:
        """Return the pose after one more look."""
        return self._finder.again(image, pose, camera_px=self.camera_px)


def read_untaught(each: int, seed: int = SEED) -> Tally:
    """Draw and read dice that nobody taught until `each` readable ones of a kind."""
    rng = Random(f"untaught {seed}")
    fonts, tally = fonts_for("evaluate"), Tally()
    finder = UnderCamera()
    reader = Reader(finder=finder)
    for kind in KINDS:
        while tally.scores[kind].dice < each:
            die = numeral_die(rng, kind, fonts)
            face = rng.randrange(len(die.keys))
            seen = _asked(rng, die, face)
            if not seen.readable or not seen.key.isdigit():
                tally.aside[kind] += 1
                continue
            name = "d6" if kind == "pips" else kind
            unmarked = not die.told and seen.key in ("6", "9")
            row = UNMARKED if unmarked else kind
            finder.place(seen)
            _count(tally, row, reader, finder, seen, (name, seen.key))
    return tally


def read_taught(each: int, seed: int = SEED) -> Tally:
    """Draw dice, teach them and read them until `each` readable ones of a solid."""
    rng = Random(f"taught {seed}")
    fonts, tally = fonts_for("evaluate"), Tally()
    pool = [icons.random_icon(rng, MASK_PX) for _ in range(POOL)]
    draw: Mapping[str, Callable[[str], CastDie]] = {
        "numerals": lambda shape: numeral_die(
            rng, rng.choice(("d6", "pips")) if shape == "d6" else shape, fonts
        ),
        "icons": lambda shape: icon_die(rng, shape, pool),
    }
    for shape in SHOTS:
        while tally.scores[shape].dice < each:
            for sort in draw:
                _one_taught(tally, rng, shape, draw[sort](shape))
    return tally


def _one_taught(tally: Tally, rng: Random, shape: str, die: CastDie) -> None:
    """Teach one die and ask for each of its faces."""
    gallery = Gallery()
    faces = range(solid(shape).readable)
    # By what is on it, so that a numeral read untaught counts as what it says.
    alike = len(set(die.keys)) < len(die.keys)
    names = [str(face) for face in faces] if alike else die.keys
    for face in faces:
        for _ in range(SHOTS[shape]):
            size = rng.uniform(*RADII_PX)
            seen = shoot(rng, die, face, size, rough=0.5, reach=REACH)
            gallery.add(TAUGHT, shape, names[face], seen.image, seen.pose)
    finder = UnderCamera()
    reader = Reader(gallery, finder=finder)
    for _ in range(ASKED):
        for face in faces:
            seen = _asked(rng, die, face)
            if not seen.readable:
                tally.aside[shape] += 1
                continue
            finder.place(seen)
            _count(tally, shape, reader, finder, seen, (TAUGHT, names[face]))


def _asked(rng: Random, die: CastDie, face: int) -> Photograph:
    """Take the picture that is to be read, and one of the tray before."""
    size = rng.uniform(*RADII_PX)
    return shoot(rng, die, face, size, reach=REACH, before=True)


def _count(
    tally: Tally,
    kind: str,
    reader: Reader,
    finder: UnderCamera,
    seen: Photograph,
    truth: tuple[str, str],
) -> None:
    """Read one picture and count it."""
    empty = None
    if seen.before is not None and finder.px_per_mm is not None:
        empty = EmptyTray(seen.before, finder.px_per_mm)
    dice = reader.read(seen.image, empty=empty).detections
    tally.count(kind, seen.pose.radius_px, score([truth], dice))


def main(argv: list[str] | None = None) -> None:
    """Draw, read, count."""
    parser = argparse.ArgumentParser(description="Measure the reader on drawn dice.")
    parser.add_argument("--each", type=int, default=EACH, help="dice of a kind")
    parser.add_argument("--card", action="store_true", help="write the model card too")
    parser.add_argument("--only", choices=("untaught", "taught"))
    options = parser.parse_args(argv)
    cv2.setNumThreads(1)
    for name, read in (("untaught", read_untaught), ("taught", read_taught)):
        if options.only not in (None, name):
            continue
        text = f"### Drawn dice, {name}\n\n{read(options.each).table()}"
        print(f"\n{text}", flush=True)
        if options.card:
            write_scores(f"drawn dice, {name}", text)


if __name__ == "__main__":
    main()
