"""Open points of the rulebook: their data, and what a table may choose."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.errors import UnknownTable
from device.games.foww import readings
from device.games.foww.flows.words import ANSWERS
from device.games.foww.readings import choosable, points
from tests.device.games.foww.flows.playing import BRUTE, HOUND, KNIGHT, PALADIN, Play

ROOT = Path(__file__).parents[4]


def choose(play: Play, point: str, reading: str) -> None:
    play.begin("readings").say(point, reading).over()


def test_every_open_point_is_there_and_none_is_called_verified() -> None:
    assert list(points()) == [f"O{number}" for number in range(1, 34)]
    assert not any(point.verified for point in points().values())


def test_what_may_be_chosen_has_words() -> None:
    assert [point.id for point in choosable()] == ["O8", "O11", "O20", "O28"]
    for point in choosable():
        assert {point.id, *point.readings} <= set(ANSWERS)


def test_every_point_that_the_rules_meet_is_known() -> None:
    found = set()
    for path in (ROOT / "device").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        found |= {f"O{n}" for n in range(1, 60) if f'"O{n}"' in text}
    assert found and found <= set(points())


def test_ill_formed_data_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"id": "O1", "place": "", "reading": "a", "source": "", "verified": False}
    for rows, message in (
        ([row, row], "there are two of O1"),
        ([row | {"readings": ["b"]}], "none of its readings"),
        ([row | {"verified": 1}], "wrong type"),
    ):
        monkeypatch.setattr(readings, "table", lambda name, rows=rows: {"point": rows})
        with pytest.raises(UnknownTable, match=message):
            points.__wrapped__()


@pytest.mark.parametrize(("reading", "rating"), [("", 3), ("cover_ignored", 2)])
def test_cover_and_power_armour(reading: str, rating: int) -> None:
    play = Play()
    if reading:
        choose(play, "O8", reading)
    play.do("token", model=PALADIN, token="luck", change=-1)
    play.act(BRUTE).begin("shoot", BRUTE).say("1", PALADIN, "short", "no", 1, "no")
    play.roll(skill="crit", black="pen").say("no", "power_armour")
    check = play.content.check
    assert check is not None and check.rating == rating  # 3, +1 for cover, -1
    play.roll(armour="1").over()
    assert "O8" in play.view.told[-2].open


@pytest.mark.parametrize(("reading", "rating"), [("", 4), ("no_penalties", 6)])
def test_throwing_while_engaged(reading: str, rating: int) -> None:
    play = Play().act(PALADIN)
    play.begin("touching", PALADIN).say([HOUND]).over()
    if reading:
        play.begin("readings").say("O11", reading).over()
    play.begin("throw", PALADIN).say("2", HOUND).say(0, "no")
    check = play.content.check
    assert check is not None and check.rating == rating


def test_sharing_and_charges() -> None:
    play = Play()
    choose(play, "O20", "red")
    choose(play, "O28", "charges_stay")
    play.act(KNIGHT).begin("item", KNIGHT).say(PALADIN)
    assert play.content.ruler is not None
    assert play.content.ruler.cue == {"bands": ("red",)}
    assert play.content.sheet["readings"] == {"O20": "red", "O28": "charges_stay"}
