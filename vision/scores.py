"""Counts readings against labelled pictures, by the same rules for every set.

Per image the vouched faces are matched with the labelled multiset. `right` is
labelled and vouched for; `wrong` vouched for and not labelled, while a labelled die
stayed unmatched; `extra` vouched for beyond the labelled dice; `unsure` labelled dice
covered by readings nobody vouches for; `missed` labelled dice with no reading at all.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from device.errors import ImageError
from vision.frame import Detection, Status


@dataclass(frozen=True, slots=True)
class Label:
    """One labelled picture.

    Attributes:
        path: Of the picture.
        dice: ``(kind, face)`` of each die.
        source: Where it is from, with its scene.
        text: What a pattern chooses by.
    """

    path: Path
    dice: tuple[tuple[str, str], ...]
    source: str
    text: str


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of images or dice."""

    images: int = 0
    dice: int = 0
    right: int = 0
    wrong: int = 0
    extra: int = 0
    unsure: int = 0
    missed: int = 0
    kind_wrong: int = 0

    def __add__(self, other: Score) -> Score:
        sums = (getattr(self, f.name) + getattr(other, f.name) for f in fields(Score))
        return Score(*sums)

    @property
    def right_percent(self) -> float:
        """Dice read right, of all labelled ones."""
        return 100 * self.right / max(self.dice, 1)

    @property
    def silent_percent(self) -> float:
        """Wrong and extra faces that were vouched for, per labelled die."""
        return 100 * (self.wrong + self.extra) / max(self.dice, 1)


def read_labels(
    path: Path, *, only: str | None = None, without: str | None = None
) -> tuple[Label, ...]:
    """Read a ``labels.csv``.

    Args:
        path: With the columns file, die_kinds, values, scene, source_repo, notes; the
            files lie beside it or in its folder ``images``.
        only: Pattern that a row's text must have.
        without: Pattern that it must not have.

    Raises:
        ImageError: The file cannot be read.
    """
    try:
        with path.open(newline="", encoding="utf-8") as handle:
            rows = list(csv.DictReader(handle))
    except OSError as error:
        raise ImageError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    labels = (_label(path.parent, row) for row in rows)
    return tuple(
        label
        for label in labels
        if not (only and not re.search(only, label.text))
        and not (without and re.search(without, label.text))
    )


def _label(folder: Path, row: Mapping[str, str]) -> Label:
    values = [value.strip() for value in row["values"].split(";") if value.strip()]
    kinds = [kind.strip() for kind in row["die_kinds"].split(";")]
    if len(kinds) != len(values):
        kinds = kinds[:1] * len(values)
    picture = folder / row["file"]
    if not picture.exists():
        picture = folder / "images" / row["file"]
    words = ("source_repo", "scene", "die_kinds", "notes", "file")
    text = " ".join(row.get(word) or "" for word in words)
    some = " ".join(sorted(set(kinds)))
    source = f"{row.get('source_repo', '')} [{row.get('scene', '')}] {some}"
    return Label(picture, tuple(zip(kinds, values, strict=True)), source, text)


def score(truth: Sequence[tuple[str, str]], dice: Iterable[Detection]) -> Score:
    """Count one image."""
    dice = tuple(dice)
    left = Counter(face for _, face in truth)
    pairs = Counter(truth)
    right = unmatched = kind_right = 0
    for die in dice:
        if die.status is not Status.OK:
            continue
        face = str(die.face)
        if left[face] <= 0:
            unmatched += 1
            continue
        left[face] -= 1
        right += 1
        if pairs[(die.die, face)] > 0:
            pairs[(die.die, face)] -= 1
            kind_right += 1
    remaining = sum(left.values())
    wrong = min(unmatched, remaining)
    remaining -= wrong
    doubted = sum(die.status is not Status.OK for die in dice)
    unsure = min(doubted, remaining)
    return Score(
        images=1,
        dice=len(truth),
        right=right,
        wrong=wrong,
        extra=unmatched - wrong,
        unsure=unsure,
        missed=remaining - unsure,
        kind_wrong=right - kind_right,
    )


def table(totals: Mapping[str, Score]) -> str:
    """Return a Markdown table, one row a source and their sum last."""
    names = [field.name for field in fields(Score)]
    heads = (
        "source",
        *(name.replace("_", " ") for name in names),
        "right %",
        "silent %",
    )
    lines = [" | ".join(heads), " | ".join(["---"] + ["---:"] * (len(heads) - 1))]
    whole = sum(totals.values(), Score())
    for source, one in [*sorted(totals.items()), ("**all**", whole)]:
        counts = [str(getattr(one, name)) for name in names]
        rates = [f"{one.right_percent:.1f}", f"{one.silent_percent:.2f}"]
        lines.append(" | ".join([source, *counts, *rates]))
    return "\n".join(f"| {line} |" for line in lines)
