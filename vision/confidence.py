"""From raw scores to confidences that mean what they say: 0.99 is wrong once in 100.

The curves are logistic and were fitted on dice drawn for nothing else; their numbers
stand in ``vision/models/confidence.json``, made by `vision/train/faces_calibrate.py`
and `vision/train/side_calibrate.py`.
"""

from __future__ import annotations

import json
import math
import pathlib
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Curve:
    """From two numbers to the chance that the answer is right.

    Attributes:
        offset, first, second: Weights of 1 and of the two numbers.
        ceiling: Never more confident than this: what the number of dice that the
            curve was fitted on can show.
    """

    offset: float
    first: float
    second: float
    ceiling: float

    def at(self, first: float, second: float) -> float:
        """Return 0..`ceiling` for the two numbers."""
        level = self.offset + self.first * first + self.second * second
        return self.ceiling / (1 + math.exp(-max(-40.0, min(40.0, level))))


@dataclass(frozen=True, slots=True)
class Confidence:
    """All calibrated curves.

    Attributes:
        numerals: By kind of die; of the log odds of the two best scores.
        match: Of a taught face's lead and of the log odds of its likeness.
    """

    numerals: dict[str, Curve]
    match: Curve

    def numeral(self, die: str, best: float, runner_up: float) -> float:
        """Return the chance that the best-scored face of an untaught die is right."""
        curve = self.numerals.get(die, RAW)
        return curve.at(log_odds(best), log_odds(runner_up))

    def taught(self, similarity: float, margin: float) -> float:
        """Return the chance that the most alike taught face is right."""
        return self.match.at(min(margin, ENOUGH_LEAD), log_odds(similarity))


ENOUGH_LEAD = 0.2
"""A lead over the next taught face counts no more than this: a stranger may be far
from all faces but one."""

RAW = Curve(0.0, 1.0, 0.0, 0.99)
"""A numeral's score as it is, where its kind was never calibrated."""

RAW_MATCH = Curve(-2.0, 30.0, 1.0, 0.99)
"""A first guess, where nothing was calibrated."""


def log_odds(share: float) -> float:
    """Return ln(p / (1 - p)), kept within +-7."""
    kept = min(max(share, 1e-3), 1 - 1e-3)
    return math.log(kept / (1 - kept))


def load_confidence(path: pathlib.Path) -> Confidence:
    """Read the curves; raw scores where there is no file yet (in training)."""
    if not path.exists():
        return Confidence({}, RAW_MATCH)
    table: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    curves = {name: Curve(**values) for name, values in table["numerals"].items()}
    match = Curve(**table["match"]) if "match" in table else RAW_MATCH
    return Confidence(curves, match)


def store_curves(path: pathlib.Path, part: str, values: dict[str, Any]) -> None:
    """Write one part (``numerals``, ``match``, ``about``) and keep the others."""
    table: dict[str, Any] = {"numerals": {}}
    if path.exists():
        table = json.loads(path.read_text(encoding="utf-8"))
    table[part] = {**table.get(part, {}), **values} if part == "about" else values
    path.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
