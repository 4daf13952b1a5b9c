"""The model card's scores: each table in a marked block that is replaced as a whole.

A block begins with ``<!-- scores: NAME -->`` and ends with ``<!-- end of scores -->``.
"""

from __future__ import annotations

import re
from pathlib import Path

CARD = Path(__file__).parent / "models" / "CARD.md"
END = "<!-- end of scores -->"


def with_scores(card: str, name: str, text: str) -> str:
    """Return the card with the block of that name replaced, or put at its end.

    Args:
        card: The whole card.
        name: Of the block; without ``--`` or line ends.
        text: What stands in it.

    Raises:
        ValueError: A name that cannot stand in a comment.
    """
    if "--" in name or "\n" in name or not name.strip():
        raise ValueError(f"no name of a block: {name!r}")
    begin = f"<!-- scores: {name} -->"
    block = f"{begin}\n{text.strip()}\n{END}"
    pattern = re.compile(re.escape(begin) + r"\n.*?" + re.escape(END), re.DOTALL)
    if pattern.search(card):
        return pattern.sub(lambda _: block, card, count=1)
    return f"{card.rstrip()}\n\n{block}\n"


def write_scores(name: str, text: str, path: Path = CARD) -> None:
    """Put a table into the card's file."""
    card = path.read_text(encoding="utf-8")
    path.write_text(with_scores(card, name, text), encoding="utf-8")
