"""What all games share: the choice of one, its sheet, a cue that rides on an event."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.errors import BadInput
from device.games.game import DARK, Answer, answered, sheet_change, sheet_draft
from device.games.registry import GAMES, dice_in_play, find_game
from device.table.events import Draft, make_event
from device.table.fold import Fold, apply
from device.table.state import Content, Cue
from tests.device.builders import Bench


def folded(*drafts: Draft, fold: Fold | None = None) -> Fold:
    fold = fold or Fold()
    for draft in drafts:
        event = make_event(
            draft, table="t", night="n", seq=fold.seq + 1, at_s=0.0, by="", command=""
        )
        fold = apply(fold, event)
    return fold


BEGUN = Draft("night_started", {"game": "foww"})


def chosen(game: str, *, fresh: bool = False) -> Draft:
    return Draft("game_chosen", {"game": game, "fresh": fresh})


def test_a_sheet_takes_entries_and_lets_them_go() -> None:
    fold = folded(
        BEGUN,
        sheet_draft("began", {"one": {"level": 1}, "two": {"level": 2}}),
        sheet_draft("left", {"one": {"level": 3}}, drop=("two", "nobody")),
    )
    assert fold.content.sheet == {"one": {"level": 3}}
    assert fold.log[-1].params == {"said": "left"}


def test_undo_brings_the_sheet_back() -> None:
    fold = folded(BEGUN, sheet_draft("a", {"one": {"level": 1}}))
    fold = folded(
        sheet_draft("b", {"one": {"level": 2}}),
        Draft("undone", {"seqs": [fold.seq + 1]}),
        fold=fold,
    )
    assert fold.content.sheet == {"one": {"level": 1}}


def test_a_cue_rides_on_any_event() -> None:
    lit = Draft("sheet_changed", {"sheet": sheet_change(), "cue": {"band": "red"}})
    fold = folded(BEGUN, lit)
    assert fold.content.ruler == Cue({"band": "red"})
    fold = folded(Draft("sheet_changed", {"cue": dict(DARK)}), fold=fold)
    assert fold.content.ruler is None


def test_an_answer_without_change_leaves_sheet_and_ruler_out() -> None:
    assert set(answered(Answer(result={"kind": "x"}))) == {"result", "offer"}
    more = answered(Answer(sheet=sheet_change({"a": {}}), cue=DARK))
    assert set(more) == {"result", "offer", "sheet", "cue"}


def test_another_games_table_is_kept_aside_and_found_again() -> None:
    fold = folded(BEGUN, sheet_draft("a", {"one": {}}), chosen("other"))
    assert fold.content == Content(game="other", parked=(fold.content.parked[0],))
    fold = folded(sheet_draft("b", {"two": {}}), chosen("foww"), fold=fold)
    assert fold.content.sheet == {"one": {}}
    assert [one.game for one in fold.content.parked] == ["other"]
    fold = folded(chosen("other"), fold=fold)
    assert fold.content.sheet == {"two": {}}


def test_a_fresh_table_forgets_the_old_one_until_undo() -> None:
    fold = folded(BEGUN, sheet_draft("a", {"one": {}}), chosen("foww", fresh=True))
    assert fold.content == Content(game="foww")
    fold = folded(Draft("undone", {"seqs": [fold.seq]}), fold=fold)
    assert fold.content.sheet == {"one": {}}


def test_choosing_the_game_in_play_changes_nothing(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    try:
        assert bench.do("choose_game", {"game": "foww"}).events == ()
        assert len(bench.do("choose_game", {"game": "foww", "fresh": True}).events) == 1
        with pytest.raises(BadInput) as caught:
            bench.do("choose_game", {"game": "chess"})
        assert caught.value.field == "game"
    finally:
        bench.close()


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_its_dice(key: str) -> None:
    game = find_game(key)
    for name in game.dice_sets:
        assert dice_in_play(key, name).name == name
    assert dice_in_play(key, "no such set").name == game.dice_sets[0]
