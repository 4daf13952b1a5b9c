"""A fifth game needs a folder, a data file and its words: the recipe, carried out."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from flask.testing import FlaskClient

from device.games import registry as games
from device.rules import resolve as rules
from device.rules import texts
from tests.web.games.pages import ask, open_game, play
from tests.web.games.pig import game, page
from tests.web.games.pig import rules as pig
from tests.web.table import TestTable, live_die, make_table
from web import told
from web.games import registry as pages


def enter(
    monkeypatch: pytest.MonkeyPatch, known: Mapping[str, Any], **more: Any
) -> None:
    """Enter something in a registry, wherever a module holds it."""
    longer = MappingProxyType({**known, **more})
    for module in list(sys.modules.values()):
        for name, value in list(vars(module).items()):
            if value is known:
                monkeypatch.setattr(module, name, longer)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    enter(monkeypatch, rules.GAMES, pig=pig.KINDS)
    enter(monkeypatch, texts.TEXTS, **pig.TEXTS)
    enter(monkeypatch, games.GAMES, pig=game.PIG)
    enter(monkeypatch, pages.PAGES, pig=page.PIG)
    # these follow from the registries when the program starts
    enter(monkeypatch, pages.CHECKS, pig="Throw")
    enter(monkeypatch, told._TELLERS, **page.PIG.tellers)
    enter(monkeypatch, told.DEEDS, **page.PIG.deeds)
    with make_table(tmp_path) as made:
        yield made


def test_a_fifth_game_is_chosen_thrown_for_corrected_and_undone(
    player: FlaskClient, table: TestTable
) -> None:
    open_game(player, "pig")
    play(player, "begin")
    ask(player, "pig")
    table.settle(live_die("d1", "d6", "5"))
    ask(player, "pig")
    table.settle(live_die("d2", "d6", "4"))
    assert '<p class="points">9</p>' in player.get("/units").text
    roll = table.companion.snapshot().state.check.roll
    table.do("correct_die", roll=roll.id, die="d2", face="1")
    assert '<p class="points">0</p>' in player.get("/units").text
    assert "lost" in player.get("/now").text
    table.do("undo")
    assert '<p class="points">9</p>' in player.get("/units").text
    log = player.get("/log").text
    assert "The turn begins." in log
    assert "Opened: Throw" in log


def test_a_fifth_games_rules_answer_as_json(table: TestTable) -> None:
    answer = rules.resolve("pig", "turn", {"points": 3, "die": 4})
    assert (answer["points"], answer["steps"][0]["text"]) == (7, "4 added: 7 points")
