"""The guided flows on the page: every kind of step, both languages, no dead ends."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from device.games.foww.flows.show import flow_view, turn_view
from device.games.foww.flows.view import Choice, FlowView, Thing, Told
from device.games.foww.flows.words import ANSWERS, FLOWS, QUESTIONS, REASONS
from device.rosters.store import entered_cards
from device.table.cards import CardName, WeaponCard
from tests.web.table import OWN, RUSSIAN, SCRIPT, TestTable
from tests.web.test_languages import english_on
from web.games.foww import flow, flow_words
from web.games.foww.known import find
from web.games.foww.learned import learned
from web.games.foww.open_points import OPEN_POINTS

ARMY = """
format = 1
[[unit]]
name = { en = "Ranger", ru = "Рейнджер" }
health = 5
special = { str = 5, per = 7, end = 5, agi = 6, luc = 3 }
armour = { physical = 2, energy = 1, radiation = 1 }
skills = { rifle = "per" }
ranges = { move = "red", charge = "green", awareness = "blue" }
weapons = ["Carbine"]
[[weapon]]
name = { en = "Carbine", ru = "Карабин" }
skill = "rifle"
damage = { physical = 2 }
short = "green"
long = "blue"
short_dice = { black = 1 }
"""

ANN, FOE = "u2-1.1", "u3-1.1"


@pytest.fixture
def armed(table: TestTable) -> TestTable:
    table.do("add_unit", side="a", roster=ARMY)
    table.do("add_unit", side="b", roster=ARMY.replace("Ranger", "Raider"))
    return table


@pytest.fixture
def active(armed: TestTable) -> TestTable:
    """A table at which Ann's ranger is being activated."""
    armed.do("flow_begin", kind="ready", model=ANN)
    while view(armed).asks != "over":
        armed.do("flow_choose", choose="activate_all")
    armed.do("flow_begin", kind="activate", model=ANN)
    return armed


def view(table: TestTable) -> FlowView:
    found = flow_view(table.companion.snapshot().state.content)
    assert found is not None
    return found


def send(player: FlaskClient, path: str, **form: object) -> None:
    answer = player.post(path, data=form, headers=OWN)
    assert answer.status_code == 303, answer.text
    assert answer.headers["Location"] == "/now"


def buttons(page: str) -> list[str]:
    return re.findall(r'<button name="choose" value="([^"]+)"', page)


# --- What is asked -----------------------------------------------------------------


def test_a_table_with_armies_offers_what_may_be_begun(
    player: FlaskClient, armed: TestTable
) -> None:
    page = player.get("/now").text
    assert "What next?" in page and "New check" not in page
    assert page.count('name="kind" value="ready"') == 2
    assert "Open the check" in player.get("/now?open=skill_check").text
    assert "What next?" not in player.get("/rulers").text


def test_an_empty_table_still_asks_for_a_single_check(player: FlaskClient) -> None:
    page = player.get("/now").text
    assert "New check" in page and "What next?" not in page


def test_a_turn_is_played_by_one_tap_a_step(
    player: FlaskClient, armed: TestTable
) -> None:
    send(player, "/flow/begin", kind="ready", model=ANN)
    page = player.get("/now").text
    assert "First side: activate all ready models now?" in page
    assert buttons(page) == ["activate_all", "activate_none"]
    send(player, "/flow/choose", choose="activate_all")
    page = player.get("/now").text
    assert "Ranger · Make ready: done" in page
    assert 'name="kind" value="activate"' in page
    send(player, "/flow/begin", kind="activate", model=ANN)
    page = player.get("/now").text
    assert "2 actions left" in page and 'name="kind" value="shoot"' in page


def test_a_shot_is_led_from_the_range_to_the_tokens(
    player: FlaskClient, active: TestTable
) -> None:
    send(player, "/flow/begin", kind="shoot", model=ANN)
    for _ in range(12):
        page, now = player.get("/now").text, view(active)
        assert now.asks in ("choice", "number", "dice")
        assert flow_words.question(now.step, now.params) in page.replace("&#39;", "'")
        if now.asks == "dice":
            break
        if now.asks == "number":
            assert f'<button name="number" value="{now.start}"' in page
            send(player, "/flow/choose", number=now.start)
            continue
        keys = [one.key for one in now.choices if not one.why_not]
        assert buttons(page) == keys
        if now.step == "range":
            assert "green" in page and "0 to 203 mm" in page and "blue" in page
        wanted = {"target": FOE, "range": "short"}.get(now.step, "no")
        send(player, "/flow/choose", choose=wanted if wanted in keys else keys[0])
    assert "Throw these" in page and 'data-die="black"' in page
    for die, face in (("skill", "4"), ("black", "dmg")):
        send_face(player, die, face)
    page = player.get("/now").text
    assert "Hit" in page and "throw the armour die" in page
    send_face(player, "armour", "4")
    page = player.get("/now").text
    assert "3 damage" in page and "Shoot: done" in page
    found = active.companion.snapshot().state.armies.find(FOE)
    assert found is not None and found[1].regular == 3
    log = player.get("/log").text
    assert "armour die: 4. Ranger, Shoot → Raider." in log and "3 damage tokens" in log
    # The flow has given it: nobody is asked to give it once more.
    assert "Give it here" not in player.get("/units").text
    form = {"model": FOE}
    assert player.post("/units/apply", data=form, headers=OWN).status_code == 409


def send_face(player: FlaskClient, die: str, face: str) -> None:
    form = {"die": die, "face": face}
    assert player.post("/now/enter", data=form, headers=OWN).status_code == 303


def test_what_the_rules_refuse_can_be_done_all_the_same(
    player: FlaskClient, armed: TestTable
) -> None:
    form = {"kind": "end_round"}
    answer = player.post("/flow/begin", data=form, headers=SCRIPT | RUSSIAN)
    assert answer.status_code == 409
    assert english_on(answer.json["error"]["message"]) == set()
    page = player.get("/now").text
    assert "Not by the rules" in page and "All the same: End the round" in page
    send(player, "/flow/begin", kind="end_round", override="1")
    assert "Done by hand although:" in player.get("/log").text


# --- What is learned ---------------------------------------------------------------

STRANGERS = """
format = 1
[[unit]]
name = "Drifter"
weapons = ["Pipe gun"]
power_armour = "Rusty suit"
"""


def test_what_a_flow_asks_about_a_card_is_remembered(
    player: FlaskClient, table: TestTable, tmp_path: Path
) -> None:
    table.do("add_unit", side="a", roster=STRANGERS)
    table.do("add_unit", side="b", roster=ARMY)
    send(player, "/flow/begin", kind="ready", model="u2-1.1")
    send(player, "/flow/choose", choose="activate_all")
    send(player, "/flow/begin", kind="activate", model="u2-1.1")
    answers = {"fact.health": 6, "fact.damage": 3, "fact.weapon_range": "red"}
    kinds = {"fact.damage_type": "energy", "fact.weapon_long": "none"}
    if view(table).asks == "number":
        send(player, "/flow/choose", number=6)
    send(player, "/flow/begin", kind="shoot", model="u2-1.1")
    while (now := view(table)).asks != "dice":
        answer = (answers | kinds).get(now.step)
        keys = [one.key for one in now.choices if not one.why_not]
        if now.asks == "number":
            send(player, "/flow/choose", number=now.start if answer is None else answer)
        else:
            wanted = answer if answer in keys else "no" if "no" in keys else keys[0]
            send(player, "/flow/choose", choose=wanted)
    cards = entered_cards(tmp_path)
    gun = find("weapon", cards, "Pipe gun")
    assert isinstance(gun, WeaponCard)
    assert (gun.short, gun.long, gun.damage[0].type, gun.damage[0].value) == (
        "red",
        "",
        "energy",
        3,
    )


def test_every_fact_finds_its_place_on_a_card(table: TestTable) -> None:
    table.do("add_unit", side="a", roster=STRANGERS)
    content = table.companion.snapshot().state.content
    known = {
        "Drifter:health": 5,
        "Drifter:range:move": "red",
        "Drifter:armour:energy": 2,
        "Drifter:rating:rifle": 6,
        "Rusty suit:armour:physical:False": 3,
        "Rusty suit:armour:physical:True": 1,
        "Rusty suit:endurance": 4,
        "Tea: black:duration": "instant",
        "Tea: black:heals": 2,
    }
    cards = learned(replace(content, sheet={"known": known}))
    (unit,), (suit,), (tea,) = cards.units, cards.power_armour, cards.items
    assert (unit.health, unit.ranges, unit.armour.energy) == (
        5,
        (("move", "red"),),
        "2",
    )
    assert unit.weapons and unit.power_armour
    assert (suit.armour.physical, suit.broken.physical, suit.endurance) == ("3", "1", 4)
    assert (tea.name.en, tea.duration, tea.heals) == ("Tea: black", "instant", 2)


# --- No dead ends ------------------------------------------------------------------


def test_a_flow_is_left_and_finished_by_hand(
    player: FlaskClient, active: TestTable
) -> None:
    send(player, "/flow/begin", kind="shoot", model=ANN)
    assert "Leave it, go on by hand" in player.get("/now").text
    send(player, "/flow/leave")
    assert "What next?" in player.get("/now").text
    assert "the rest is done by hand" in player.get("/log").text


def test_an_answer_is_taken_back(player: FlaskClient, active: TestTable) -> None:
    send(player, "/flow/begin", kind="shoot", model=ANN)
    before = view(active)
    send(player, "/flow/choose", choose=before.choices[0].key)
    assert view(active).step != before.step
    assert "Take the last answer back" in player.get("/now").text
    send(player, "/flow/back")
    assert view(active).step == before.step
    send(player, "/undo")
    assert view(active).step != before.step


def test_a_check_closed_by_hand_is_asked_for_again(
    player: FlaskClient, active: TestTable
) -> None:
    to_dice(active)
    player.post("/now/close", headers=OWN)
    page = player.get("/now").text
    assert "The check was closed by hand." in page and "Leave it" in page
    send(player, "/flow/resume")
    assert "Throw these" in player.get("/now").text


def test_a_model_that_left_stops_its_flow_with_a_word(
    player: FlaskClient, active: TestTable
) -> None:
    send(player, "/flow/begin", kind="shoot", model=ANN)
    active.do("remove_unit", unit="u2-1")
    page = player.get("/now").text
    assert "has left the table" in page and "Leave it" in page
    send(player, "/flow/leave")
    assert "What next?" in player.get("/now").text


def to_dice(table: TestTable) -> None:
    table.do("flow_begin", kind="shoot", model=ANN)
    while (now := view(table)).asks != "dice":
        if now.asks == "number":
            table.do("flow_choose", number=now.start)
            continue
        keys = [one.key for one in now.choices if not one.why_not]
        wanted = {"target": FOE, "range": "short"}.get(now.step, "no")
        table.do("flow_choose", choose=wanted if wanted in keys else keys[0])


def test_spectators_see_the_same_without_buttons(
    spectator: FlaskClient, active: TestTable
) -> None:
    active.do("flow_begin", kind="shoot", model=ANN)
    while view(active).step != "target":
        active.do("flow_choose", choose=view(active).choices[0].key)
    page = spectator.get("/now").text
    assert "Who or what is the target?" in page and "Raider" in page
    main = page[page.index("<main") :]
    assert "<form" not in main and "<button" not in main


# --- Words -------------------------------------------------------------------------

VATS = {"V.A.T.S", "V", "A", "T", "S"}

ПАЛАДИН = Thing(CardName("Paladin", "Паладин"), 2, "a", ANN)


def made(step: str, **changes: object) -> FlowView:
    """Return a view of a step, its gaps filled with Russian names."""
    gaps = re.findall(r"\{(\w+)\}", QUESTIONS[step].text)
    numbers = ("number", "shots", "damage")
    params = {gap: 3 if gap in numbers else ПАЛАДИН for gap in gaps}
    made = FlowView("shoot", "f1", who=ПАЛАДИН, asks="choice", step=step, params=params)
    return replace(made, section=QUESTIONS[step].section, **changes)  # type: ignore[arg-type]


def show(monkeypatch: pytest.MonkeyPatch, shown: FlowView) -> None:
    monkeypatch.setattr(flow, "flow_view", lambda content: shown)


@pytest.fixture
def russian(player: FlaskClient, table: TestTable) -> FlaskClient:
    roster = 'format = 1\n[[unit]]\nname = "Паладин"\ncount = 2\n'
    table.do("add_unit", side="a", roster=roster)
    return player


def test_every_question_and_answer_is_asked_in_russian(
    russian: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = tuple(Choice(key, number=2) for key in ANSWERS)
    for step in QUESTIONS:
        told = (Told(step, "§2.2 p.9", made(step).params, answers[:3]),)
        show(monkeypatch, made(step, choices=answers, told=told))
        page = russian.get("/now", headers=RUSSIAN).text
        assert english_on(page) - VATS == set(), step
        assert "{" not in re.sub(r"<[^>]*>", "", page), step


def test_every_reason_is_given_in_russian(
    russian: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = tuple(Choice(key, ПАЛАДИН, key) for key in REASONS)
    show(monkeypatch, made("target", choices=refused))
    page = russian.get("/now", headers=RUSSIAN).text
    assert page.count("Всё равно: Паладин 2") == len(REASONS)
    assert english_on(page) == set()


@pytest.mark.parametrize(
    "asks", ["choice", "several", "number", "lost", "stuck", "over"]
)
def test_every_kind_of_step_is_drawn_and_can_be_left(
    russian: FlaskClient, monkeypatch: pytest.MonkeyPatch, asks: str
) -> None:
    choices = tuple(Choice(key) for key in ("orange", "yes", "no"))
    shown = made("cover", choices=choices, low=0, high=99, start=1)
    show(monkeypatch, replace(shown, asks=asks))
    page = russian.get("/now", headers=RUSSIAN).text
    way_out = "Что дальше?" if asks == "over" else "Выйти, дальше вручную"
    assert way_out in page and english_on(page) == set()


def test_a_colour_is_a_ruler_or_a_die_by_what_is_asked(
    russian: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    colours = (Choice("black"), Choice("green"))
    show(monkeypatch, made("height", choices=colours))
    assert russian.get("/now").text.count('class="swatch"') == 2
    show(monkeypatch, made("more_dice", choices=colours))
    page = russian.get("/now").text
    assert 'class="swatch"' not in page and "body-green" in page


def test_an_unclear_place_of_the_book_is_said_where_it_changes_the_result(
    russian: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = (Told("cover", "§2.8 p.17", open=("O9",)),)
    show(monkeypatch, made("cover", told=told))
    page = russian.get("/now").text
    assert "The book is unclear here. Damage icons" in page


def test_every_open_point_that_the_rules_meet_has_words() -> None:
    rules = Path(__file__).parents[4] / "device" / "rules" / "foww"
    met = {
        point
        for path in rules.glob("*.py")
        for point in re.findall(r'"(O\d+)"', path.read_text("utf-8"))
    }
    assert met and met <= set(OPEN_POINTS)


def test_a_model_stands_in_a_step_by_its_name(
    player: FlaskClient, armed: TestTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = {"key": "free_attack", "params": {"id": FOE, "change": "-2"}, "text": ""}
    told = (Told("cover", "§2.8 p.17", steps=(step,)),)
    show(monkeypatch, made("cover", told=told))
    page = player.get("/now").text
    assert "Raider makes a free attack (-2)" in page


def test_every_flow_has_a_name_in_russian(russian: FlaskClient) -> None:
    with russian.application.test_request_context(headers=RUSSIAN):
        names = [flow_words.flow_name(kind) for kind in FLOWS]
    assert all(re.search("[а-я]", name) for name in names)


def test_the_units_screen_begins_flows_of_the_model(
    player: FlaskClient, active: TestTable
) -> None:
    page = player.get("/units").text
    card = page[page.index(f'id="m-{ANN}"') : page.index(f'id="m-{FOE}"')]
    begun = set(re.findall(r'name="kind" value="(\w+)"', card))
    offered = turn_view(active.companion.snapshot().state.content).beginnings
    assert begun == {one.kind for one in offered if not one.why_not} - {"first_player"}
