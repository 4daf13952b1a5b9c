"""Measures the whole reader on freshly drawn trays: ``python -m vision.train.fresh``.

Nothing here was seen in training: another seed, other dice, other scenes. The table by
kind and the curve of bars are what bars in `vision.reader` are chosen by. Dice that no
person could read are set aside and counted: ink without contrast, hidden faces. Each
die was drawn under a camera of its own, so some are taken for leaning among the others
(`vision/askew.py`); where that counts, `vision.train.fresh_dice` draws one a picture.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import cv2

from vision.frame import Detection, Image, Status
from vision.reader import Reader
from vision.synth.bank import load_bank, make_bank
from vision.synth.scene import Layout, Scene, SceneDie, compose, photograph
from vision.up_face import UNTAUGHT_BAR
from vision.witness import PIPS_SURE

SEED = 990_001
"""Of the bank and the scenes; training counts up from 20 261."""

SIZE_WH_PX = (960, 640)
RADII_PX = (22.0, 40.0)
"""Of the dice: 2 to 3.5 px/mm for a d20."""

CONTRAST = 0.12
"""Ink nearer than this to the body, of 0..1, is not readable."""

VISIBLE = 0.9
"""A die of which less is seen may be left unread."""

NEAR_RADII = 0.5
"""A reading this near to a die's up face is of that die."""

BARS = (0.5, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995)


@dataclass(frozen=True, slots=True)
class Truth:
    """What a drawn die should be read as.

    Attributes:
        die: The drawn die.
        kind: As in `Detection.die`; "" where it is nothing to vouch for (icons, d4,
            coins, leaning dice).
        face: Face key, or None.
        aside: Readable by nobody, or partly hidden: either way counts as neither.
    """

    die: SceneDie
    kind: str
    face: str | None
    aside: bool


@dataclass(frozen=True, slots=True)
class Case:
    """One die or one reading without a die: what it is and what was said."""

    truth: Truth | None
    said: Detection | None


def truth_of(die: SceneDie) -> Truth:
    """Return what a drawn die should be read as."""
    shape = die.pose.shape
    face: str | None = die.label.removeprefix("pips")
    kind = shape
    leaning = die.pose.flat < 0.5
    if die.label == "icon" or shape in ("d4", "coin") or leaning:
        kind, face = "", None
    elif shape == "d10" and len(die.label) == 2 and die.label != "10":
        kind = "d%"
    aside = die.visible < VISIBLE or (face is not None and die.contrast < CONTRAST)
    return Truth(die, kind, face, aside)


def scenes(count: int, bank_path: Path, dice: int, seed: int) -> Iterator[Scene]:
    """Yield photographs of drawn trays; the bank is drawn once and kept."""
    if not bank_path.exists():
        bank_path.parent.mkdir(parents=True, exist_ok=True)
        make_bank(Random(seed), dice).save(bank_path)
    bank = load_bank(bank_path)
    for number in range(count):
        rng = Random(seed * 1000 + number)
        layout = Layout(SIZE_WH_PX, rng.uniform(*RADII_PX), 8, 4, mirrored=False)
        yield photograph(rng, compose(rng, bank, layout), rough=0.7)


def cases(reader: Reader, scene: Scene) -> list[Case]:
    """Return each die of a scene with what was said of it, then stray readings."""
    said = list(reader.read(scene.image).detections)
    found = []
    for die in scene.dice:
        truth = truth_of(die)
        here = [one for one in said if _away(one, die) < NEAR_RADII]
        best = min(here, key=lambda one: _away(one, die), default=None)
        if best is not None:
            said.remove(best)
        found.append(Case(truth, best))
    return found + [Case(None, one) for one in said]


def _away(one: Detection, die: SceneDie) -> float:
    x, y, w, h = one.box_xywh_px
    if one.pose is not None:
        x, y, w, h = (*one.pose.top_xy_px, 0.0, 0.0)
    a, b = die.pose.top_xy_px
    return math.hypot(x + w / 2 - a, y + h / 2 - b) / die.pose.radius_px


def count(found: list[Case], bar: float | None) -> dict[str, dict[str, int]]:
    """Count by kind: dice, right, wrong, unsure, missed; and what else was vouched."""
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for case in found:
        sure = _is_sure(case.said, bar)
        if case.truth is None:
            counts["nothing there"]["wrong"] += sure
            continue
        kind = case.truth.kind or "not to be read"
        row = counts[kind]
        if case.truth.aside:
            counts["set aside"]["dice"] += 1
            right = case.said is not None and case.said.face == case.truth.face
            counts["set aside"]["wrong"] += sure and not right
            continue
        row["dice"] += 1
        if case.truth.face is None:
            row["wrong"] += sure
        elif case.said is None:
            row["missed"] += 1
        elif not sure:
            row["unsure"] += 1
        else:
            row["right" if case.said.face == case.truth.face else "wrong"] += 1
    return counts


def report(found: list[Case]) -> str:
    """Return the table by kind, and what other bars would have given."""
    names = ("dice", "right", "wrong", "unsure", "missed")
    lines = [" | ".join(("kind", *names, "right %", "silent %"))]
    for kind, row in sorted(count(found, None).items()):
        lines.append(f"{kind} | " + _row(row, names))
    lines.append("\nbar | " + " | ".join((*names, "right %", "silent %")))
    for other in BARS:
        counts = count(found, other)
        whole: dict[str, int] = defaultdict(int)
        for kind, row in counts.items():
            for name in names:
                if name != "dice" or kind in READ:
                    whole[name] += row[name]
        lines.append(f"{other} | " + _row(whole, names))
    return "\n".join(lines)


def _is_sure(said: Detection | None, bar: float | None) -> bool:
    """True where a face is vouched for: as read, or as another bar would have it."""
    if said is None or said.face is None:
        return False
    if bar is None:
        return said.status is Status.OK
    certain = said.pose is None or said.pose.confidence >= PIPS_SURE
    return said.status is not Status.COCKED and certain and said.confidence >= bar


def by_find(found: list[Case], bar: float) -> str:
    """Return right and wrong above the bar, by how certain the find was."""
    lines = ["find | right | wrong, by kind"]
    steps = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.01)
    for low, high in itertools.pairwise(steps):
        rights, wrongs = 0, Counter[str]()
        for case in found:
            said = case.said
            if said is None or said.pose is None or said.status is Status.COCKED:
                continue
            if said.confidence < bar or not low <= said.pose.confidence < high:
                continue
            if case.truth is not None and case.truth.aside:
                continue
            if case.truth is not None and said.face == case.truth.face:
                rights += 1
            else:
                what = case.truth.kind or "not to be read" if case.truth else "nothing"
                wrongs[what] += 1
        lines.append(f"{low} | {rights} | {dict(wrongs)}")
    return "\n".join(lines)


READ = ("d6", "d8", "d10", "d%", "d12", "d20")


def _row(row: dict[str, int], names: tuple[str, ...]) -> str:
    dice = max(row["dice"], 1)
    rates = [f"{100 * row[name] / dice:.2f}" for name in ("right", "wrong")]
    return " | ".join([*(str(row[name]) for name in names), *rates])


def main() -> None:
    """Draw, read, count."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--scenes", type=int, default=300)
    asked.add_argument("--dice", type=int, default=1500, help="in the bank")
    asked.add_argument("--seed", type=int, default=SEED)
    asked.add_argument("--bar", type=float, default=None)
    asked.add_argument("--wrong", type=Path, help="folder for pictures of wrong ones")
    given = asked.parse_args()
    cv2.setNumThreads(1)
    bank = Path(f"training/fresh/bank-{given.dice}-{given.seed}.npz")
    reader = Reader(bar=given.bar)
    bar = given.bar or UNTAUGHT_BAR
    found: list[Case] = []
    for scene in scenes(given.scenes, bank, given.dice, given.seed):
        some = cases(reader, scene)
        found += some
        if given.wrong is not None:
            _keep_wrong(given.wrong, scene.image, some, bar)
    print(report(found))
    print(by_find(found, bar))


def _keep_wrong(folder: Path, image: Image, some: list[Case], bar: float) -> None:
    """Save a crop of each silent error, named by what it is and what was said."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, case in enumerate(some):
        said = case.said
        if said is None or said.confidence < bar or said.status is Status.COCKED:
            continue
        face = case.truth.face if case.truth is not None else None
        if said.face == face:
            continue
        x, y, w, h = (round(v) for v in said.box_xywh_px)
        part = image[max(0, y - 9) : y + h + 9, max(0, x - 9) : x + w + 9]
        name = f"{said.die}-{face}-said-{said.face}-{id(image) % 9973}-{number}.png"
        cv2.imwrite(str(folder / name), part)


if __name__ == "__main__":
    main()
