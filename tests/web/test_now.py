from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web.table import (
    OWN,
    RUSSIAN,
    SCRIPT,
    TestTable,
    joining,
    live_die,
    make_jpeg,
    make_settings,
    make_table,
)
from web import create_app
from web.pictures import jpeg_size

CHECK = {"check": "skill_check", "rating": "7", "dice_black": "1"}


def text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def roll_id(table: TestTable) -> str:
    check = table.companion.snapshot().state.check
    assert check is not None and check.roll is not None
    return check.roll.id


def test_the_form_opens_a_check_and_the_page_asks_for_its_dice(
    player: FlaskClient, table: TestTable
) -> None:
    answer = player.post(
        "/now/open",
        data=CHECK | {"attack": "shoot", "cover": "2", "bonus": "2", "frozen": "1"},
        headers=OWN,
    )
    assert answer.status_code == 303
    check = table.companion.snapshot().state.check
    assert check is not None and check.rating == 7 + 2 - 4 - 2
    assert [(want.die, want.count) for want in check.wants] == [
        ("skill", 1),
        ("black", 1),
    ]
    page = player.get("/now").text
    assert 'data-die="skill"' in page and 'data-die="black"' in page
    assert "1 missing" in page and "Throw" in text_of(page)


def test_modifiers_of_another_kind_of_attack_are_left_out(
    player: FlaskClient, table: TestTable
) -> None:
    form = CHECK | {"attack": "melee", "cover": "3", "into_melee": "1"}
    assert player.post("/now/open", data=form, headers=SCRIPT).status_code == 200
    check = table.companion.snapshot().state.check
    assert check is not None and check.rating == 7


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({"check": "skill_check"}, "rating"),
        ({"check": "skill_check", "rating": "seven"}, "rating"),
        ({"check": "skill_check", "rating": "9999999999"}, "rating"),
        ({"check": "dance", "rating": "7"}, "check"),
        (CHECK | {"attack": "stare"}, "attack"),
        (CHECK | {"dice_black": "-1"}, "dice.black"),
        ({"check": "armour_check", "amount": "-1"}, "amount"),
    ],
)
def test_a_wrong_form_names_its_field(
    player: FlaskClient, form: dict[str, str], field: str
) -> None:
    answer = player.post("/now/open", data=form, headers=SCRIPT)
    assert answer.status_code == 400
    assert answer.json["error"]["field"] == field
    assert answer.json["error"]["message"]


def test_without_scripts_a_refusal_is_a_page_with_one_line(player: FlaskClient) -> None:
    answer = player.post("/now/close", headers=OWN)
    assert answer.status_code == 409
    assert "No check is open." in answer.text
    assert 'href="/now"' in answer.text


def test_the_result_is_one_word_with_its_steps(
    player: FlaskClient, table: TestTable
) -> None:
    table.open_skill_check(7, dice={"black": 1})
    table.settle(live_die("d1", "skill", "5"), live_die("d2", "black", "dmg+dmg"))
    page = player.get("/now").text
    assert re.search(r'id="result-word"[^>]*>.*?Success', page, re.S)
    assert "5 against rating 7: success" in page
    assert "Extra damage: 2" in page
    assert re.search(r'id="say">Success\.', page)
    russian = player.get("/now", headers=RUSSIAN).text
    assert "Успех" in russian and "5 при рейтинге 7: успех" in russian


@pytest.mark.parametrize(
    ("face", "word"), [("9", "Failure"), ("x", "Failure"), ("crit", "Success")]
)
def test_the_word_follows_the_face(
    player: FlaskClient, table: TestTable, face: str, word: str
) -> None:
    table.open_skill_check(7)
    table.settle(live_die("d1", "skill", face))
    assert word in text_of(player.get("/now").text)


def test_after_a_hit_the_armour_check_is_asked_with_its_numbers(
    player: FlaskClient, table: TestTable
) -> None:
    weapon = {"damage": 2, "type": "energy"}
    table.open_skill_check(7, attack="shoot", cover=1, weapon=weapon)
    table.settle(live_die("d1", "skill", "2"))
    page = player.get("/now").text
    assert "Hit" in page and "Next: Armour check" in page
    form = player.get("/now?open=armour_check").text
    amount = re.search(r'name="amount"[^>]*value="(\d+)"', form)
    assert amount is not None and amount.group(1) == "2"
    assert re.search(r'name="cover" value="1" checked', form)


def test_an_armour_check_says_what_is_taken(
    player: FlaskClient, table: TestTable
) -> None:
    table.do("open_check", check="armour_check", amount=3, rating=2)
    table.settle(live_die("d1", "armour", "2"))
    text = text_of(player.get("/now").text)
    assert "1 damage" in text and "2 points blocked." in text


def test_every_die_in_the_photograph_is_a_link_large_enough_for_a_finger(
    player: FlaskClient, table: TestTable
) -> None:
    table.open_skill_check(7)
    table.settle(live_die("d1", "skill", "5", box=(2.0, 470.0, 12.0, 9.0)))
    page = player.get("/now").text
    assert f"/rolls/{roll_id(table)}.jpg?night=" in page
    found = re.search(
        r'class="target" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"',
        page,
    )
    assert found is not None
    x, y, width, height = map(float, found.groups())
    view = re.search(r'class="photo" viewBox="([^"]+)"', page)
    assert view is not None
    left, top, wide, high = map(float, view.group(1).split())
    assert width >= 44 / 270 * wide and x >= left and y + height <= top + high + 0.1


def test_tapping_a_die_offers_likely_faces_first_and_then_all(
    player: FlaskClient, table: TestTable
) -> None:
    table.open_skill_check(7, dice={"black": 1})
    doubtful = live_die(
        "d2",
        "black",
        "bottle+dmg",
        status="unsure",
        alternatives=(("bottle+dmg", 0.55), ("dmg", 0.4), ("pen", 0.05)),
    )
    table.settle(live_die("d1", "skill", "5"), doubtful)
    page = player.get("/now").text
    assert "Not sure about this one" in page
    panel = player.get(f"/now?die=d2&roll={roll_id(table)}").text
    offered = re.findall(r'<button name="face" value="([^"]+)"', panel)
    assert offered[:3] == ["bottle+dmg", "dmg", "pen"]
    assert set(offered[3:]) == {
        "dmg", "blank", "dmg+dmg", "bottle", "pen", "bottle+dmg", "burst", "dmg+star"
    }  # fmt: skip


def test_a_correction_and_its_undo_follow_at_once(
    player: FlaskClient, table: TestTable
) -> None:
    table.open_skill_check(7)
    table.settle(live_die("d1", "skill", "9"))
    assert "Failure" in player.get("/now").text
    fix = {"roll": roll_id(table), "die": "d1", "face": "3"}
    assert player.post("/now/correct", data=fix, headers=OWN).status_code == 303
    page = player.get("/now").text
    assert "Success" in page and "put right" in page
    log = text_of(player.get("/log").text)
    assert "Put right: skill die, 9 → 3." in log and "amendment" in log
    assert player.post("/undo", headers=OWN).status_code == 303
    assert "Failure" in player.get("/now").text
    assert "Taken back: a correction." in text_of(player.get("/log").text)
    assert player.post("/redo", headers=OWN).status_code == 303
    assert "Success" in player.get("/now").text


def test_doubtful_dice_can_be_confirmed(player: FlaskClient, table: TestTable) -> None:
    table.open_skill_check(7)
    table.settle(live_die("d1", "skill", "5", status="unsure"))
    assert "Accept as read" in player.get("/now").text
    assert player.post("/now/confirm", headers=OWN).status_code == 303
    assert "Success" in player.get("/now").text


def test_faces_can_be_typed_in_without_any_camera(
    player: FlaskClient, table: TestTable
) -> None:
    table.tray.picture = None
    table.board.set_live(phase="no_camera", frame_wh_px=(0, 0))
    table.open_skill_check(7, dice={"green": 1})
    page = player.get("/now?type=1").text
    assert "No picture of the tray yet." in page
    for die, face in (("skill", "8"), ("green", "acc1")):
        assert f'name="die" value="{die}"' in page
        form = {"die": die, "face": face}
        assert player.post("/now/enter", data=form, headers=OWN).status_code == 303
    page = player.get("/now").text
    assert "Success" in page and "by hand" in page


def test_throw_throws_the_dice_asked_for(player: FlaskClient, table: TestTable) -> None:
    table.open_skill_check(7, dice={"black": 2})
    assert player.post("/now/throw", headers=SCRIPT).status_code == 200
    assert table.tray.thrown == [("skill", "black", "black")]


def test_a_real_tray_offers_no_throw_button(
    player: FlaskClient, table: TestTable
) -> None:
    table.companion.attach(table.tray, can_throw=False)
    table.open_skill_check(7)
    assert "/now/throw" not in player.get("/now").text
    answer = player.post("/now/throw", headers=SCRIPT)
    assert answer.status_code == 409
    assert "by hand" in answer.json["error"]["message"]


def test_the_same_form_sent_twice_is_carried_out_once(
    player: FlaskClient, table: TestTable
) -> None:
    form = CHECK | {"id": "form-1"}
    first = player.post("/now/open", data=form, headers=SCRIPT)
    seq = table.companion.snapshot().seq
    second = player.post("/now/open", data=form, headers=SCRIPT)
    assert (first.status_code, second.status_code) == (200, 200)
    assert table.companion.snapshot().seq == seq
    assert player.post("/now/open", data=CHECK, headers=SCRIPT).status_code == 409


def test_the_fragment_is_the_screen_without_the_document(player: FlaskClient) -> None:
    fragment = player.get("/now", headers={"X-Dicelight-Fragment": "1"}).text
    assert fragment.lstrip().startswith('<div id="page"')
    assert "<html" not in fragment and "data-version" in fragment


def test_simulated_parts_are_said_on_every_screen(player: FlaskClient) -> None:
    for path in ("/now", "/rulers", "/log", "/dice", "/setup"):
        assert "simulated" in player.get(path).text


def test_a_failing_part_is_said_on_every_screen(
    player: FlaskClient, table: TestTable
) -> None:
    table.companion.parts.fails("camera", "the cable is loose", kind="absent")
    for path in ("/now", "/log"):
        assert re.search(
            r"Camera</strong>: not working since \d\d:\d\d: not found. the cable",
            player.get(path).text,
        )
    russian = player.get("/now", headers=RUSSIAN).text
    assert re.search(
        r"Камера</strong>: не работает с \d\d:\d\d: не найдено\. Подробности", russian
    )
    assert "cable" not in russian


def test_a_photograph_still_being_kept_is_asked_for_again(
    player: FlaskClient, table: TestTable
) -> None:
    table.open_skill_check(7)
    table.settle(live_die("d1", "skill", "5"))
    assert "data-again" not in player.get("/now").text
    table.companion._photos._path(  # type: ignore[attr-defined]
        table.companion.snapshot().state.night,
        roll_id(table),
        table.companion.reading_of(roll_id(table)),
    ).unlink()
    assert "data-again" in player.get("/now").text


@pytest.mark.parametrize("size", [(640, 480), (33, 1001), (2304, 1296)])
def test_the_size_of_a_jpeg_is_read_from_its_header(size: tuple[int, int]) -> None:
    assert jpeg_size(make_jpeg(size)) == size


@pytest.mark.parametrize("junk", [b"", b"\xff\xd8", b"\xff\xd8\xff\xc0", b"GIF89a" * 9])
def test_no_size_is_read_from_junk(junk: bytes) -> None:
    assert jpeg_size(junk) is None


def test_pictures_are_served_and_missing_ones_said(
    player: FlaskClient, table: TestTable
) -> None:
    assert player.get("/tray.jpg").data[:2] == b"\xff\xd8"
    table.tray.picture = None
    assert player.get("/tray.jpg").status_code == 404
    assert player.get("/rolls/r999.jpg").status_code == 404


def test_the_page_stays_light(player: FlaskClient, table: TestTable) -> None:
    table.open_skill_check(7, dice={"black": 4, "yellow": 4, "green": 4, "blue": 4})
    page = player.get("/now?type=1")
    files = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text))
    files |= {
        f"/static/{name}.js" for name in ("forms", "live", "morph", "picture", "screen")
    }
    total = len(page.data)
    for file in files:
        with player.get(file) as answer:
            total += len(answer.data)
    assert total <= 150_000


def test_a_throw_that_no_check_asked_for_is_shown_and_can_be_put_right(
    player: FlaskClient, table: TestTable
) -> None:
    table.settle_freely(live_die("d1", "d6", "5"), live_die("d2", "d6", "2"))
    page = player.get("/now").text
    assert "Last throw" in page and 'data-die="d6" data-face="5"' in page
    seen = table.companion.snapshot().state.seen
    assert seen is not None
    panel = player.get(f"/now?die=d1&roll={seen.id}").text
    assert re.findall(r'<button name="face" value="(\d)"', panel)[1:] == list("123456")
    fix = {"roll": seen.id, "die": "d1", "face": "6"}
    assert player.post("/now/correct", data=fix, headers=OWN).status_code == 303
    assert 'data-die="d6" data-face="6"' in player.get("/now").text


def test_a_die_whose_faces_are_not_all_known_may_show_anything(
    tmp_path: Path,
) -> None:
    with make_table(tmp_path, dice="foww") as table:
        app = create_app(table.companion, settings=make_settings())
        phone = app.test_client()
        phone.post("/join", data=joining("Ann"), headers=OWN)
        table.open_skill_check(7, dice={"black": 1})
        page = phone.get("/now?type=1").text
    offered = re.findall(r'<button name="face" value="([^"]+)"', page)
    assert {"blank", "dmg", "acc3", "dmg+pen", "bottle+star"} <= set(offered)
    assert "Two icons" in page
