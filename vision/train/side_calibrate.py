"""How well taught dice are known: ``python -m vision.train.side_calibrate``.

Random dice are drawn by the ray-caster with fonts and icons that the training never
saw, taught with 1, 3 and 5 shots a face, then asked: every face again, elsewhere, in
other light, and as many times a die of the same solid that was never taught. The
curve from lead and likeness to confidence is fitted on half the fonts; with
``--evaluate`` the other half is drawn and the table printed.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import asdict, dataclass, replace

import cv2
import numpy as np

from vision.confidence import ENOUGH_LEAD, Curve, log_odds, store_curves
from vision.embedder import MODELS, SideEmbedder
from vision.gallery import Gallery
from vision.likeness import FLOOR
from vision.synth.solids import solid
from vision.train.faces_calibrate import QUICK_MODELS, fit_curve, fonts_for
from vision.train.faces_cast import CastDie, disturbed, shoot
from vision.train.side_replay import icon_pool, random_die

SHOTS = (1, 3, 5)

QUICK_SHARE = 0.15

DICE = {"d20": 6, "d12": 9, "d6": 16, "d10": 5, "d8": 6}
"""Dice of each solid at ``--share 1``."""

BARS = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995)


@dataclass(frozen=True, slots=True)
class Asked:
    """One question to a gallery.

    Attributes:
        shape: Of the die.
        shots: Taught of each face.
        stranger: It was a die never taught.
        readable: False where its ink hardly stands out.
        right: The best face was the one drawn.
        similarity, margin, confidence: As `GalleryMatch` has them, its allowance added.
    """

    shape: str
    shots: int
    stranger: bool
    readable: bool
    right: bool
    similarity: float
    margin: float
    confidence: float


def ask(
    rng: random.Random, use: str, share: float, embedder: SideEmbedder
) -> list[Asked]:
    """Draw, teach and ask dice."""
    fonts = fonts_for(use)
    pool = icon_pool(rng, 150, held_out=True, fonts=True)
    asked: list[Asked] = []
    for shape, count in DICE.items():
        stranger = random_die(rng, shape, fonts, pool)
        for _ in range(max(1, round(count * share))):
            die = random_die(rng, shape, fonts, pool)
            asked += _one_die(rng, die, stranger, embedder)
            stranger = die
    return asked


def _one_die(
    rng: random.Random, die: CastDie, stranger: CastDie, embedder: SideEmbedder
) -> list[Asked]:
    """Teach one die in three galleries and ask each of them."""
    shape = die.model.shape
    galleries = {shots: Gallery(embedder) for shots in SHOTS}
    faces = range(solid(shape).readable)
    for face in faces:
        for number in range(max(SHOTS)):
            seen = shoot(rng, die, face, rng.uniform(26, 56), rough=0.5)
            pose = disturbed(rng, seen.pose)
            for shots, gallery in galleries.items():
                if number < shots:
                    gallery.add("die", shape, f"{face}", seen.image, pose)
    asked = []
    for other in (False, False, True):
        for face in faces:
            if other and rng.random() < 0.5:
                continue
            seen = shoot(rng, stranger if other else die, face, rng.uniform(24, 60))
            pose = disturbed(rng, seen.pose)
            for shots, gallery in galleries.items():
                match = gallery.match(seen.image, pose)
                best, sure = match.scores[0]
                asked.append(
                    Asked(
                        shape, shots, other, seen.readable,
                        not other and best == f"{face}",
                        match.similarity + match.allowance, match.margin,
                        sure if match.known else 0.0,
                    )
                )  # fmt: skip
    return asked


def fit(asked: list[Asked]) -> Curve:
    """Return the curve from lead and likeness to confidence."""
    rows = [a for a in asked if a.readable]
    features = [[1.0, min(a.margin, ENOUGH_LEAD), log_odds(a.similarity)] for a in rows]
    right = [a.right for a in rows]
    return fit_curve(np.array(features), np.array(right, float), (-2.0, 30.0, 1.0))


def _confidence(curve: Curve, asked: Asked) -> float:
    """Return what the fitted curve says, 0 below the floor."""
    if asked.similarity < FLOOR:
        return 0.0
    return curve.at(min(asked.margin, ENOUGH_LEAD), log_odds(asked.similarity))


def table(asked: list[Asked]) -> str:
    """Return right, wrong and abstained by bar."""
    lines = ["solid shots  n  forced  " + "  ".join(f">{bar}" for bar in BARS)]
    for shots in SHOTS:
        for shape in (*DICE, "all", "stranger"):
            some = [a for a in asked if a.readable and a.shots == shots]
            some = [a for a in some if a.stranger == (shape == "stranger")]
            if shape in DICE:
                some = [a for a in some if a.shape == shape]
            forced = sum(a.right for a in some)
            cells = []
            for bar in BARS:
                taken = [a for a in some if a.confidence > bar]
                right = sum(a.right for a in taken)
                cells.append(f"{right}/{len(taken) - right}/{len(some) - len(taken)}")
            lines.append(f"{shape} {shots}  {len(some)}  {forced}  " + "  ".join(cells))
    faint = sum(not a.readable for a in asked)
    lines.append(f"set aside as unreadable: {faint} of {len(asked)}")
    return "\n".join(lines)


def main(argv: list[str] | None = None) -> None:
    """Fit the curve and store it, or evaluate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of the dice")
    parser.add_argument("--seed", type=int, default=601)
    parser.add_argument("--evaluate", action="store_true", help="print, write nothing")
    parser.add_argument("--quick", action="store_true", help="of a quick training")
    options = parser.parse_args(argv)
    cv2.setNumThreads(1)
    use = "evaluate" if options.evaluate else "calibrate"
    models = QUICK_MODELS if options.quick else MODELS
    share = min(options.share, QUICK_SHARE) if options.quick else options.share
    embedder = SideEmbedder(models)
    asked = ask(random.Random(f"{use} {options.seed}"), use, share, embedder)
    if not options.evaluate:
        curve = fit(asked)
        path = models / "confidence.json"
        store_curves(path, "match", asdict(curve))
        store_curves(path, "about", {"taught questions": len(asked)})
        print(curve)
        asked = [replace(a, confidence=_confidence(curve, a)) for a in asked]
    print(table(asked))


if __name__ == "__main__":
    main()
