"""S.P.E.C.I.A.L. on the page."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from device.games.own import rows_of
from device.games.special.sheet import characters, flow, weapons
from device.rules.special.charts import ATTACKS, LIGHTS, NIGHTS, TERRAINS
from tests.web.games.pages import ask, no_english, open_game, play, reasons_of, said_by
from tests.web.table import OWN, SCRIPT, TestTable, live_die
from web.games.special import words
from web.games.special.page import SPECIAL
from web.games.special.told import DEEDS, TELLERS
from web.reasons import REASONS

TYPED = ("Vic", "Raider", "Rifle", "Leather", "Jet", "kg")
STATS = {f"special_{stat}": "6" for stat in words.STATS}
RIFLE = {
    "name": "Rifle",
    "attack": "light",
    "damage": "1d10+6",
    "range": "20",
    "ap": "5",
    "aimed_ap": "6",
    "burst": "8",
    "magazine": "10",
}


HEAD = b'format = 1\ngame = "special"\n'


def content(table: TestTable) -> Any:
    return table.companion.snapshot().state.content


def begun(player: FlaskClient, table: TestTable) -> tuple[str, str, str]:
    """Two characters, one of them with a rifle and luck on her side."""
    open_game(player, "special")
    play(player, "add_character", name="Vic", traits=["finesse"], **STATS)
    play(player, "add_character", name="Raider", side="b", **STATS)
    vic, raider = (one.id for one in characters(content(table)))
    play(player, "add_weapon", character=vic, **RIFLE)
    play(player, "count", character=vic, what="points_extra", change="90")
    play(player, "raise_skill", character=vic, skill="firearms", to="100")
    return vic, raider, weapons(content(table))[0].id


def test_a_fight_on_the_page(player: FlaskClient, table: TestTable) -> None:
    vic, raider, rifle = begun(player, table)
    play(player, "wear", character=raider, name="Leather", ac="5", dt="2", dr="25")
    play(player, "agree", light="clouds", night="none", critical_from="98", hex_mm="20")
    no_english(player, known=TYPED)
    play(player, "begin_fight", starter=vic)
    answer = player.post("/play/throw/tie", data={"character": vic}, headers=OWN)
    assert answer.status_code == 303
    table.settle(live_die("d1", "d10", "7"))
    no_english(player, known=TYPED)
    assert player.post("/now/follow", headers=OWN).status_code == 303
    table.settle(live_die("d2", "d10", "3"))
    assert flow(content(table)).order == (vic, raider)
    ask(player, "attack", attacker=vic, weapon=rifle, target=raider, distance="10")
    # a hundred, clouds, armour class 6 + 5
    assert content(table).check.rating == 79
    no_english(player, known=TYPED)
    table.settle(live_die("d3", "d%", "40"), live_die("d4", "d10", "0"))
    no_english(player, known=TYPED)
    page = player.get("/now?open=damage").text
    assert 'value="1d10+6"' in page
    offer = content(table).offer
    ask(player, "damage", dice=offer["dice"], target=offer["target"], attacker=vic)
    table.settle(live_die("d5", "d10", "8"))
    assert characters(content(table))[1].hurt == 6
    no_english(player, known=TYPED)
    play(player, "next_turn", defend="1")
    play(player, "act", character=raider, do="move", hexes="2", terrain="mud")
    play(player, "end_fight")
    no_english(player, known=TYPED)


def test_every_throw_is_asked_for_in_russian(
    player: FlaskClient, table: TestTable
) -> None:
    vic, raider, rifle = begun(player, table)
    forms = [f"/now?open={kind}" for kind in SPECIAL.asks]
    no_english(player, *forms, f"/now?open=attack&attacker={vic}", known=TYPED)
    hit = {"attacker": vic, "weapon": rifle, "target": raider}
    ask(player, "attack", **hit, twice="1")
    table.settle(live_die("d1", "d10", "9"))
    no_english(player, known=TYPED)
    player.post("/now/follow", headers=OWN)
    table.settle(live_die("d2", "d10", "9"))
    assert content(table).result["outcome"] == "critical_failure"
    no_english(player, known=TYPED)
    player.post("/now/follow", headers=OWN)
    table.settle(live_die("d3", "d10", "8"))
    no_english(player, known=TYPED)
    ask(player, "burst", **hit, mode="grouped", bullets="3")
    dice = [live_die(f"d{4 + at}", "d10", face) for at, face in enumerate("123")]
    table.settle(*dice)
    no_english(player, known=TYPED)
    ask(player, "attack", **hit, aimed="left_arm")
    table.settle(live_die("d7", "d%", "10"), live_die("d8", "d10", "1"))
    player.post("/now/follow", headers=OWN)
    assert content(table).result["effect"] == "broken_arm"
    no_english(player, known=TYPED)
    ask(player, "fire", target=vic, rounds="1")
    table.settle(live_die("d9", "d6", "4"))
    no_english(player, known=TYPED)
    ask(player, "roll", dice="2d4")
    table.settle(live_die("d10", "d4", "4"), live_die("d11", "d4", "1"))
    no_english(player, known=TYPED)
    for number, task in enumerate(words.TASKS):
        form = {"task": task, "character": vic, "skill": "trade", "target": raider}
        ask(player, "task", **form, weapon=rifle, strength="30", weapon_kg="2,5")
        wants = content(table).check.wants
        faces = {"d%": "10", "d10": "5"}
        table.settle(
            *(live_die(f"t{20 + 2 * number + at}", want.die, faces[want.die])
              for at, want in enumerate(wants))
        )  # fmt: skip
        assert content(table).result["task"] == task
        no_english(player, known=TYPED)
        player.post("/now/close", headers=OWN)


def test_time_and_the_ruler_on_the_page(player: FlaskClient, table: TestTable) -> None:
    vic, _, rifle = begun(player, table)
    play(player, "show_range", character=vic, weapon=rifle)
    assert content(table).ruler.cue == {"lengths_mm": (11 * 25, 20 * 25)}
    play(player, "show_move", character=vic, terrain="dry")
    play(player, "rest", character=vic, resting_hours="6")
    play(player, "poison_hours", character=vic, hours="4", saves="1")
    play(player, "addict", character=vic, drug="Jet")
    no_english(player, known=TYPED)
    play(player, "withdrawal", character=vic, hours="72", checks="+++++")
    assert characters(content(table))[0].drug == ""
    play(player, "gain_xp", character=vic, xp="1000")
    play(
        player,
        "change_character",
        character=vic,
        name="Vic",
        traits=["gifted"],
        **STATS,
    )
    play(player, "remove_character", character=vic)
    no_english(player, known=TYPED)


def test_own_tables_are_kept_shared_and_used_at_once(
    player: FlaskClient, table: TestTable, tmp_path: Path
) -> None:
    open_game(player, "special")
    play(player, "own_weapon", **RIFLE)
    play(player, "own_armour", name="Leather", ac="5", dt="2", dr="25")
    kept = tmp_path / "tables" / "special.toml"
    assert 'name = "Rifle"' in kept.read_text("utf-8")
    play(player, "add_character", name="Vic", **STATS)
    page = player.get("/units").text
    assert "Take: Rifle" in page
    assert "Put on: Leather" in page
    no_english(player, known=TYPED)
    shared = player.get("/tables.toml")
    assert shared.data == kept.read_bytes()
    table.do("choose_game", game="special", fresh=True)
    assert rows_of(content(table), "weapon") == ()
    assert player.post("/tables/use", headers=OWN).status_code == 303
    assert len(rows_of(content(table), "weapon")) == 1
    table.do("choose_game", game="special", fresh=True)
    file = {"file": (io.BytesIO(shared.data), "tables.toml")}
    assert player.post("/tables/upload", data=file, headers=OWN).status_code == 303
    assert len(rows_of(content(table), "armour")) == 1
    play(player, "drop_own", table="armour", at="0")
    assert "armour" not in kept.read_text("utf-8")


def test_a_bad_file_of_tables_is_refused_in_one_line(player: FlaskClient) -> None:
    open_game(player, "special")
    for data, field in (
        (b"", "file"),
        (b"x = [", "file"),
        (b"\xff", "file"),
        (b"#" * 300_000, "file"),
        (b'format = 1\ngame = "stalker"', "file.game"),
        (HEAD + b'[[weapon]]\nname = "X"', "tables.weapon[0].attack"),
    ):
        file = {"file": (io.BytesIO(data), "tables.toml")}
        answer = player.post("/tables/upload", data=file, headers=SCRIPT)
        assert answer.status_code == 400, data[:20]
        assert answer.json["error"]["field"] == field
    assert player.post("/tables/use", headers=SCRIPT).status_code == 409


def test_everything_that_happens_can_be_told_and_refused_in_words() -> None:
    assert said_by("special") <= set(TELLERS)
    assert set(TELLERS) == set(DEEDS)
    assert reasons_of("special") - {"done"} <= set(REASONS)
    assert set(words.ATTACKS) == set(ATTACKS)
    assert set(words.LIGHTS) == set(LIGHTS)
    assert set(words.NIGHTS) == set(NIGHTS)
    assert set(words.TERRAINS) == set(TERRAINS)
