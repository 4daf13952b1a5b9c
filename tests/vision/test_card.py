"""The model card: one block a set, replaced without touching the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.card import CARD, with_scores, write_scores

TEXT = "# Card\n\nBy hand.\n"


def test_a_new_block_goes_to_the_end_and_an_old_one_is_replaced() -> None:
    once = with_scores(TEXT, "video", "4 of 6")
    both = with_scores(once, "renders", "208 of 240")
    again = with_scores(both, "video", "5 of 6 \\1")
    assert again.startswith(TEXT)
    assert "4 of 6" not in again
    assert again.count("<!-- scores: video -->") == 1
    assert again.index("5 of 6 \\1") < again.index("208 of 240")
    assert with_scores(again, "video", "5 of 6 \\1") == again


@pytest.mark.parametrize("name", ["", "a -- b", "a\nb"])
def test_a_name_that_cannot_stand_in_a_comment_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no name of a block"):
        with_scores(TEXT, name, "x")


def test_the_file_is_written(tmp_path: Path) -> None:
    path = tmp_path / "CARD.md"
    path.write_text(TEXT, encoding="utf-8")
    write_scores("video", "4 of 6", path)
    assert path.read_text(encoding="utf-8").startswith(TEXT + "\n<!-- scores: video")


def test_the_shipped_card_ends_every_block() -> None:
    text = CARD.read_text(encoding="utf-8")
    assert text.count("<!-- scores: ") == text.count("<!-- end of scores -->")
