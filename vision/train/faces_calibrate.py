"""Makes scores into confidences: ``python -m vision.train.faces_calibrate``.

Dice are drawn by the ray-caster for this alone: other seeds than the training, font
families held out from it, poses off by more than the finder's, one in six no readable
die at all (icons, emblems, a die that leans). For every kind a logistic curve over the
two best scores is fitted to "the first was right"; how many dice it rests on limits
how sure it may be (rule of succession). ``--evaluate`` draws another set, from the
other half of the held-out families, and prints what each bar would let through.
"""

from __future__ import annotations

import argparse
import math
import pathlib
import random
import zlib
from dataclasses import asdict, dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.confidence import Curve, log_odds, store_curves
from vision.faces import MODELS, FaceReader
from vision.frame import Pose
from vision.synth import icons, marks
from vision.train.faces_cast import (
    KINDS,
    MASK_PX,
    disturbed,
    icon_die,
    numeral_die,
    shoot,
)

Floats = NDArray[np.float64]

NOTHING_TO_READ = 1 / 6
"""Share of dice that show no numeral and no pips, or lie badly."""

QUICK_MODELS = pathlib.Path("training/quick")
"""Where a quick training writes."""

EACH = 900
QUICK_EACH = 40
"""Dice of each kind: three minutes, and ten seconds."""

BARS = (0.5, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One die read.

    Attributes:
        kind: What was drawn, ``nothing`` where there is nothing to read.
        die: Kind that was read.
        readable: False where nobody can read it; counted apart.
        told: False where its 6 and 9 look alike.
        truth, face: Key drawn and key read; "" is none.
        first, second: The two best raw scores.
        confidence: Of the reading, by the curves in use.
    """

    kind: str
    die: str
    readable: bool
    told: bool
    truth: str
    face: str
    first: float
    second: float
    confidence: float

    @property
    def right(self) -> bool:
        """True where the face was read as drawn (a 6 that may be a 9 never is)."""
        doubtful = not self.told and self.truth in ("6", "9")
        return self.truth == self.face and not doubtful


def fonts_for(use: str) -> list[str]:
    """Return the held-out font files for ``calibrate`` or ``evaluate``, by package."""
    wanted = ("calibrate", "evaluate").index(use)
    held = marks.training_fonts()[1]
    return [
        path
        for path in held
        if zlib.crc32(pathlib.Path(path).parent.name.encode()) % 2 == wanted
    ]


def read_drawn(
    reader: FaceReader, rng: random.Random, use: str, each: int
) -> list[Outcome]:
    """Draw and read `each` dice of every kind, and some with nothing to read."""
    fonts = fonts_for(use)
    pool = [icons.random_icon(rng, MASK_PX) for _ in range(120)]
    outcomes = []
    for kind in KINDS:
        for number in range(each):
            nothing = number < each * NOTHING_TO_READ
            outcomes.append(_one(reader, rng, kind, fonts, pool, nothing))
    return outcomes


def _one(
    reader: FaceReader,
    rng: random.Random,
    kind: str,
    fonts: list[str],
    pool: list[NDArray[np.uint8]],
    nothing: bool,
) -> Outcome:
    """Draw one die, disturb its pose, read it."""
    die = numeral_die(rng, kind, fonts)
    if nothing and rng.random() < 0.6:
        die = icon_die(rng, die.model.shape, pool)
    face = rng.randrange(len(die.keys))
    seen = shoot(rng, die, face, rng.uniform(22, 64))
    worse = 2.0 if rng.random() < 0.1 else 1.0
    pose = disturbed(rng, seen.pose, 0.035 * worse, 3.5 * worse, 0.03 * worse)
    truth = "" if nothing else seen.key
    if nothing and not seen.key.startswith("f"):
        # An edge in the middle instead of a face: a die that leans, a bad pose.
        far, way = rng.uniform(0.35, 0.6) * pose.radius_px, rng.uniform(0, math.tau)
        pose = disturbed(rng, _moved(pose, far * math.cos(way), far * math.sin(way)))
    name, faces, _ = reader.face_scores(seen.image, pose)
    best = sorted(faces.items(), key=lambda item: -item[1])[:2]
    reading = reader.read_numeral(seen.image, pose)
    return Outcome(
        kind="nothing" if nothing or not truth.isdigit() else kind,
        die=name,
        readable=seen.readable,
        told=die.told,
        truth=truth if truth.isdigit() else "",
        face=best[0][0],
        first=best[0][1],
        second=best[1][1],
        confidence=reading.scores[0][1] if reading.scores else 0.0,
    )  # fmt: skip


def _moved(pose: Pose, right: float, down: float) -> Pose:
    x, y = pose.top_xy_px
    return replace(pose, top_xy_px=(x + right, y + down))


def fit(outcomes: list[Outcome]) -> Curve:
    """Return the curve from the two best scores to confidence."""
    rows = [o for o in outcomes if o.first > 0.01]
    features = [[1.0, log_odds(o.first), log_odds(o.second)] for o in rows]
    right = [o.right for o in rows]
    return fit_curve(np.array(features), np.array(right, float), (0.0, 1.0, 0.0))


def fit_curve(
    features: Floats, right: Floats, start: tuple[float, float, float]
) -> Curve:
    """Fit a logistic curve by Newton steps, with a light pull towards `start`.

    Args:
        features: ``(n, 3)``, the first column 1.
        right: ``(n,)`` 0 or 1.
        start: Weights to begin with.
    """
    weights = np.array(start)
    pull = np.diag([1e-3, 0.05, 0.05])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-np.clip(features @ weights, -30, 30)))
        slope = features.T @ (right - chance) - pull @ (weights - start)
        bend = (features * (chance * (1 - chance))[:, None]).T @ features + pull
        weights = weights + 0.5 * np.linalg.solve(bend, slope)
    # Rule of succession: n right in a row show no more than (n + 1) / (n + 2).
    ceiling = 1 - 1 / (right.sum() + 2)
    offset, first, second = (round(float(w), 4) for w in weights)
    return Curve(offset, first, second, ceiling=round(float(ceiling), 5))


def table(outcomes: list[Outcome]) -> str:
    """Return right, wrong and abstained by bar, kind by kind."""
    lines = ["kind  n  " + "  ".join(f">{bar}" for bar in BARS)]
    names = [*KINDS, "nothing", "all"]
    for name in names:
        some = [o for o in outcomes if o.readable and name in (o.kind, "all")]
        cells = []
        for bar in BARS:
            taken = [o for o in some if o.confidence > bar]
            right = sum(o.right for o in taken)
            cells.append(f"{right}/{len(taken) - right}/{len(some) - len(taken)}")
        lines.append(f"{name}  {len(some)}  " + "  ".join(cells))
    faint = sum(not o.readable for o in outcomes)
    lines.append(f"set aside as unreadable: {faint} of {len(outcomes)}")
    return "\n".join(lines)


def main(argv: list[str] | None = None) -> None:
    """Fit and write ``vision/models/confidence.json``, or evaluate it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=EACH, help="dice of each kind")
    parser.add_argument("--seed", type=int, default=501)
    parser.add_argument("--evaluate", action="store_true", help="print, write nothing")
    parser.add_argument("--quick", action="store_true", help="of a quick training")
    options = parser.parse_args(argv)
    cv2.setNumThreads(1)
    use = "evaluate" if options.evaluate else "calibrate"
    rng = random.Random(f"{use} {options.seed}")
    models = QUICK_MODELS if options.quick else MODELS
    each = min(options.each, QUICK_EACH) if options.quick else options.each
    reader = FaceReader(models)
    outcomes = read_drawn(reader, rng, use, each)
    if not options.evaluate:
        kinds = sorted({o.die for o in outcomes})
        curves = {
            kind: fit([o for o in outcomes if o.die == kind and o.readable])
            for kind in kinds
        }
        path = models / "confidence.json"
        store_curves(path, "numerals", {k: asdict(c) for k, c in curves.items()})
        store_curves(path, "about", {"numeral dice": len(outcomes)})
        outcomes = [
            replace(
                o, confidence=curves[o.die].at(log_odds(o.first), log_odds(o.second))
            )
            for o in outcomes
        ]
    print(table(outcomes))


if __name__ == "__main__":
    main()
