"""STALKER: ZONA on the page."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient

from device.games.stalker.figures import TERRAINS
from device.games.stalker.sheet import (
    ARMOURS,
    FLAGS,
    MOTIVATIONS,
    figures,
    flow,
    weapons,
)
from device.rules.stalker.groups import ON_A_TIE, ON_A_TURN
from device.rules.stalker.reactions import ACTIONS
from tests.web.games.pages import ask, no_english, open_game, play, reasons_of, said_by
from tests.web.table import OWN, TestTable, live_die
from web.games.stalker import words
from web.games.stalker.page import STALKER
from web.games.stalker.told import DEEDS, TELLERS
from web.reasons import REASONS

TYPED = ("Wolf", "Fan", "Bandit", "Rifle", "Stash", "Ducks", "Fire")


def content(table: TestTable) -> Any:
    return table.companion.snapshot().state.content


def begun(player: FlaskClient, table: TestTable) -> list[str]:
    open_game(player, "stalker")
    for name, skill, side in (
        ("Wolf", "5", "a"),
        ("Fan", "3", "a"),
        ("Bandit", "4", "b"),
    ):
        form = {"name": name, "skill": skill, "side": side, "group": "1"}
        play(player, "add_figure", **form, armour="light", motivation="profit")
    ids = [one.id for one in figures(content(table))]
    rifle = {"name": "Rifle", "range": "48", "rate": "3", "damage_light": "2"}
    play(player, "add_weapon", figure=ids[0], **rifle, suppression="2")
    return ids


def throw(table: TestTable, *faces: str, first: int = 1) -> None:
    table.settle(*(live_die(f"d{first + n}", "d6", f) for n, f in enumerate(faces)))


def test_a_turn_on_the_page(player: FlaskClient, table: TestTable) -> None:
    wolf, fan, bandit = begun(player, table)
    forms = [f"/now?open={kind}" for kind in STALKER.asks]
    no_english(player, *forms, known=TYPED)
    ask(player, "activation")
    throw(table, "3")
    no_english(player, known=TYPED)
    assert player.post("/now/follow", headers=OWN).status_code == 303
    throw(table, "4", first=2)
    assert flow(content(table)).order == ("b", "a")
    no_english(player, known=TYPED)
    rifle = weapons(content(table))[0].id
    form = {"target_0": bandit, "shots_0": "3", "span": "1,5"}
    ask(player, "shooting", figure=wolf, weapon=rifle, **form)
    throw(table, "6", "4", "1", first=3)
    assert figures(content(table))[2].damage == 4
    no_english(player, known=TYPED)
    ask(player, "in_sight", of="a/1", cover=[fan])
    throw(table, "1", "5", first=6)
    no_english(player, known=TYPED)
    ask(player, "fast_move", of="a/1")
    throw(table, "1", "2", first=8)
    assert content(table).ruler.cue == {"bands": ("16in",)}
    no_english(player, known=TYPED)
    ask(player, "deployment", players="Wolf, Fan")
    throw(table, "5", first=10)
    player.post("/now/follow", headers=OWN)
    throw(table, "5", first=11)
    assert content(table).result["tie"]
    no_english(player, known=TYPED)


def test_sheets_groups_and_the_ruler_on_the_page(
    player: FlaskClient, table: TestTable
) -> None:
    wolf, fan, _ = begun(player, table)
    for flag in FLAGS[:-1]:
        play(player, "count", figure=fan, what=flag, change="1")
    play(
        player,
        "show_move",
        figure=wolf,
        terrain="rough",
        inches_0="2,5",
        terrain_0="road",
    )
    assert content(table).ruler.cue == {"lengths_mm": (63.5, 69.85)}
    no_english(player, known=TYPED)
    play(player, "show_inches", what="group")
    play(player, "show_sight", woods="1")
    play(player, "sight_trigger", seen_now="1")
    play(player, "show_range", weapon=weapons(content(table))[0].id)
    pair = f"{wolf}|{fan}"
    form = {f"pair_{pair}": "3", f"los_{pair}": "1"}
    play(player, "check_group", side="a", group="1", **form)
    play(
        player, "change_figure", figure=fan, name="Fan", radio="1", leader="1", move="6"
    )
    assert figures(content(table))[1].leader
    play(player, "change_figure", figure=fan, leader="0", move="")
    assert figures(content(table))[1].move is None
    play(player, "draw_card", figure=fan, name="Stash", xp="1", loot="3")
    agreed = {name: "1" for name in ("allies", "night", "bad_weather", "every_pair")}
    play(player, "agree", mode="solo", markers="20", deck="20", **agreed)
    no_english(player, known=TYPED)
    play(player, "remove_figure", figure=fan)


def test_the_tables_that_the_text_lacks(player: FlaskClient, table: TestTable) -> None:
    wolf, _, bandit = begun(player, table)
    rows = {"passed_0": "", "passed_1": "Ducks", "passed_2": "Stash"}
    play(player, "own_test", name="Fire", dice="2", **rows)
    play(player, "own_shooting", name="first", hit_from="7", miss_to="6")
    play(player, "own_weapon", name="Rifle", range="10", rate="1", damage_none="1")
    play(player, "own_event", name="Stash", xp="1", loot="2")
    no_english(player, "/now?open=skill_test", known=TYPED)
    ask(player, "skill_test", figure=wolf, dice="2", test="Fire")
    throw(table, "6", "5")
    assert content(table).result["means"] == "Ducks"
    no_english(player, known=TYPED)
    form = {"target_0": bandit, "shots_0": "1"}
    ask(player, "shooting", figure=wolf, weapon=weapons(content(table))[0].id, **form)
    throw(table, "2", first=5)
    assert content(table).result["shots"][0]["result"] == "hit"
    assert "[[shooting]]" in player.get("/tables.toml").text


def test_everything_that_happens_can_be_told_and_refused_in_words() -> None:
    assert said_by("stalker") <= set(TELLERS)
    assert set(TELLERS) == set(DEEDS)
    assert reasons_of("stalker") <= set(REASONS)
    assert set(words.ARMOURS) == set(ARMOURS)
    assert set(words.MOTIVATIONS) == set(MOTIVATIONS)
    assert set(words.FLAGS) == set(FLAGS)
    assert set(words.TERRAINS) == set(TERRAINS)
    assert set(words.ALLOWED) == {*ON_A_TIE, *ON_A_TURN}
    assert set(words.ACTIONS) == {one for row in ACTIONS.values() for one in row}
