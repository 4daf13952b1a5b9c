"""Munchkin Fallout on the page."""

from __future__ import annotations

import re

from flask.testing import FlaskClient

from device.games.munchkin.sheet import fight, flow, players
from tests.web.games.pages import ask, no_english, open_game, play, reasons_of, said_by
from tests.web.table import OWN, RUSSIAN, SCRIPT, TestTable, live_die
from web.games.munchkin.told import DEEDS, TELLERS
from web.reasons import REASONS

TYPED = ("Bob", "Laser", "Dogmeat", "Chain", "Ghoul")


def content(table: TestTable):
    return table.companion.snapshot().state.content


def test_choosing_a_game_keeps_the_other_table(
    player: FlaskClient, table: TestTable
) -> None:
    table.open_skill_check(7)
    page = player.get("/game").text
    assert "The one you leave is kept" in page
    open_game(player, "munchkin")
    assert content(table).game == "munchkin"
    assert "Who plays?" in player.get("/now").text
    assert re.search(r'data-game="foww".*?kept', player.get("/game").text, re.S)
    open_game(player, "foww")
    assert content(table).check.kind == "skill_check"


def test_an_evening_on_the_page(player: FlaskClient, table: TestTable) -> None:
    open_game(player, "munchkin")
    for name in ("Ann", "Bob"):
        play(player, "add_player", name=name)
    ann, bob = (one.id for one in players(content(table)))
    play(
        player,
        "agree",
        run_away_target="5",
        radiation_target="4",
        start_level="1",
        hand_limit="5",
        irradiation_step="1",
        harsh="0",
        bars="1",
    )
    assert flow(content(table)).run_away_target == 5
    play(player, "turn")
    play(player, "add_item", player=ann, name="Laser", slot="two_hands", bonus="3")
    item = players(content(table))[0].items[0].id
    play(player, "use_item", player=ann, item=item, in_use="1")
    play(player, "companion", player=ann, name="Dogmeat")
    play(player, "trap", player=bob, name="Chain")
    play(player, "irradiate", player=bob)
    no_english(player, known=TYPED)
    play(player, "begin_fight", player=ann)
    play(player, "add_monster", name="Ghoul", strength="9", radiation="2")
    monster = fight(content(table)).monsters[0].id
    play(player, "modify_monster", monster=monster, value="-5")
    no_english(player, "/now?open=radiation", "/now?open=run_away", known=TYPED)
    # 1 + 3 against 9 - 5
    page = player.get("/now").text
    assert re.search(r"<b>4</b>.*?<b>4</b>", page, re.S)
    ask(player, "radiation", player=ann, strength="2", target="")
    table.settle(live_die("d1", "d6", "2"))
    no_english(player, known=TYPED)
    assert players(content(table))[0].radiation == 2
    play(player, "decide_fight")
    ask(player, "run_away", player=ann, sacrifice="1")
    assert players(content(table))[0].companion == ""
    no_english(player, known=TYPED)
    play(player, "end_fight")
    play(player, "turn")
    play(player, "sell", player=bob, caps="2500")
    play(player, "count", player=bob, what="hand", change="-1")
    play(player, "level", player=bob, change="1", source="card")
    assert [one.level for one in players(content(table))] == [1, 4]
    play(player, "die", player=bob)
    play(player, "junk", open="1")
    no_english(player, known=TYPED)
    assert content(table).ruler.cue["bars"]["lit"] == (1, 4)


def test_an_empty_number_takes_an_agreement_back(
    player: FlaskClient, table: TestTable
) -> None:
    open_game(player, "munchkin")
    play(player, "agree", run_away_target="5", radiation_target="")
    assert flow(content(table)).run_away_target == 5
    play(player, "agree", run_away_target="", radiation_target="")
    assert flow(content(table)).run_away_target is None


def test_a_command_of_another_game_is_not_there(player: FlaskClient) -> None:
    answer = player.post("/play/add_player", data={"name": "Ann"}, headers=OWN)
    assert answer.status_code == 404


def test_a_refusal_is_one_clear_line_in_both_languages(player: FlaskClient) -> None:
    open_game(player, "munchkin")
    answer = player.post("/play/turn", data={}, headers=SCRIPT)
    assert answer.status_code == 409
    assert answer.json["error"]["message"] == "Nobody plays yet."
    answer = player.post("/play/turn", data={}, headers=SCRIPT | RUSSIAN)
    assert answer.json["error"]["message"] == "Ещё никто не играет."
    answer = player.post("/play/add_player", data={"name": ""}, headers=SCRIPT)
    assert (answer.status_code, answer.json["error"]["field"]) == (400, "name")


def test_spectators_see_the_sheets_and_change_nothing(
    spectator: FlaskClient, table: TestTable
) -> None:
    table.do("choose_game", game="munchkin")
    table.do("add_player", name="Ann")
    page = spectator.get("/units").text
    assert "Ann" in page
    assert "/play/" not in re.sub(
        r'<form[^>]*action="/play/count".*?</form>', "", page, flags=re.S
    )
    answer = spectator.post("/play/turn", data={}, headers=OWN)
    assert answer.status_code == 403


def test_everything_that_happens_can_be_told_and_refused_in_words() -> None:
    assert said_by("munchkin") <= set(TELLERS)
    assert set(TELLERS) == set(DEEDS)
    assert reasons_of("munchkin") <= set(REASONS)
    assert {f"sale_{reason}" for reason in ("not_own_turn", "under_1000")} <= set(
        REASONS
    )
