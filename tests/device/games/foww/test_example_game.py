"""The example game: three rounds through the public commands, with typed dice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.companion import Command, Companion
from device.games.foww.flows.show import flow_view
from device.games.foww.flows.words import FLOWS
from device.table.army import Model, make_models
from device.table.codec import canonical
from device.table.fold import UNDO_DEPTH
from device.table.state import Content, state_hash
from device.table.table import read_night
from tests.device.builders import Bench
from tests.device.games.foww.example import Game, Line, load_game

STRETCH = UNDO_DEPTH - 4
"""Events between two undoings; so many come back as `UNDO_DEPTH` says."""


class Table:
    """A companion with its journal, played on by the lines of the example."""

    def __init__(self, folder: Path) -> None:
        self.bench = Bench(folder)
        self.companion: Companion = self.bench.companion
        self.number = 0

    @property
    def content(self) -> Content:
        return self.companion.snapshot().state.content

    def do(self, name: str, args: Any) -> None:
        self.number += 1
        self.companion.do(Command(name, args, by="Ann", id=f"c{self.number}"))

    def play(self, game: Game, line: Line) -> None:
        for name, args in game.commands(line, self.content):
            self.do(name, args)


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game()


@pytest.fixture
def table(tmp_path: Path, game: Game) -> Iterator[Table]:
    table = Table(tmp_path)
    for side, roster in game.rosters.items():
        table.do("add_unit", {"side": side, "roster": roster})
    yield table
    table.bench.close()


def test_the_game_ends_token_by_token_as_it_should(table: Table, game: Game) -> None:
    kinds = set()
    for line in game.lines:
        table.play(game, line)
        view = flow_view(table.content)
        assert view is None or view.asks != "stuck", str(line)
        kinds.add(view.kind if view is not None else "")
    armies = table.content.armies
    for name, count in game.end["table"].items():
        assert getattr(armies, name) == count, name
    for name, model_id in game.models.items():
        found = armies.find(model_id)
        assert found is not None
        assert found[1] == _expected(game, name, *found), name
    assert kinds == {*FLOWS, ""}  # every flow was played
    _replays(table)


def _expected(game: Game, name: str, unit: Any, model: Model) -> Model:
    start = make_models(unit.id, unit.card, len(unit.models))[model.number - 1]
    tokens = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in game.end["models"][name].items()
    }
    return replace(start, **tokens)


def _replays(table: Table) -> None:
    """Fold the journal twice, from its first event: the state of the table again."""
    live = state_hash(table.companion.snapshot().state)
    path = table.bench.table.path
    assert state_hash(read_night(path).state) == live
    assert state_hash(read_night(path).state) == live


def test_every_step_of_the_game_is_undone_to_the_start(
    table: Table, game: Game
) -> None:
    """Play to the end, then go back step by step, past what undo keeps."""
    before: list[str] = []
    for line in game.lines:
        for name, args in game.commands(line, table.content):
            before.append(canonical(table.content))
            table.do(name, args)
    assert len(before) > UNDO_DEPTH
    for content in reversed(before):
        table.do("undo", {})
        assert canonical(table.content) == content
    _replays(table)


def test_what_was_undone_comes_back_step_by_step(table: Table, game: Game) -> None:
    """Play on, and at every stretch go back and forth again."""
    before: list[str] = []
    for line in [*game.lines, None]:
        if line is None or len(before) >= STRETCH:
            _back_and_forth(table, before)
            before = []
        if line is None:
            break
        for name, args in game.commands(line, table.content):
            before.append(canonical(table.content))
            table.do(name, args)


def _back_and_forth(table: Table, before: list[str]) -> None:
    end = canonical(table.content)
    for _ in before:
        table.do("undo", {})
    assert canonical(table.content) == before[0]
    for content in [*before[1:], end]:
        table.do("redo", {})
        assert canonical(table.content) == content
