from __future__ import annotations

import json

import pytest

from device.errors import BadInput
from device.rules.resolve import GAMES, resolve, resolve_batch, resolve_text

CHECK = {"rating": 5, "skill": "4"}


def asked(**fields: object) -> str:
    return json.dumps(fields)


def answers(*lines: str) -> list[dict]:
    return [json.loads(line) for line in resolve_batch(lines)]


def test_an_answer_has_its_steps_in_words_and_its_open_points() -> None:
    found = resolve("foww", "skill_check", {"rating": 0, "skill": "crit"})
    assert found["success"] is True
    assert found["open"] == ["O1"]
    assert [step["rule"] for step in found["steps"]] == [
        "skill_die",
        "low_rating",
        "skill_check",
        "crit",
    ]
    assert found["steps"][0] == {
        "rule": "skill_die",
        "key": "skill_die",
        "text": "Skill die crit counts as 1",
        "params": {"face": "crit", "value": 1},
    }


@pytest.mark.parametrize(
    ("game", "kind", "given", "field"),
    [
        ("chess", "skill_check", CHECK, "game"),
        ("foww", "no_such_kind", CHECK, "kind"),
        ("foww", "skill_check", [], ""),
        ("foww", "skill_check", {"skill": "4"}, "rating"),
        ("foww", "skill_check", {**CHECK, "skil": "4"}, "skil"),
        ("foww", "skill_check", {"rating": 5}, "skill"),
    ],
)
def test_a_badly_asked_question_names_its_field(game, kind, given, field) -> None:
    with pytest.raises(BadInput) as caught:
        resolve(game, kind, given)
    assert caught.value.field == field


@pytest.mark.parametrize("text", ["", "{", "[]", "7", "null", "[" * 100_000, "{]}"])
def test_a_text_that_is_no_object_is_at_fault_as_a_whole(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        resolve_text("foww", "skill_check", text)
    assert caught.value.field == ""


def test_a_batch_answers_every_line_in_order() -> None:
    found = answers(
        asked(id="a", game="foww", kind="skill_check", given=CHECK),
        "\n",
        asked(id=2, game="foww", kind="skill_check", given={}),
        asked(id="c", game="foww", kind="nothing", given={}),
        asked(id="d", game="foww", kind="skill_check"),
        asked(id="e", game=7, kind="skill_check", given={}),
    )
    assert [answer["id"] for answer in found] == ["a", 2, "c", "d", "e"]
    assert found[0]["result"]["success"] is True
    assert [answer["error"]["field"] for answer in found[1:]] == [
        "rating",
        "kind",
        "given",
        "game",
    ]


def test_a_line_without_an_id_is_answered_and_told_at_the_end() -> None:
    lines = ["no json", asked(id="a", game="foww", kind="skill_check", given=CHECK)]
    batch = resolve_batch(lines)
    first, second = json.loads(next(batch)), json.loads(next(batch))
    assert first["id"] is None
    assert "error" in first
    assert second["id"] == "a"
    with pytest.raises(BadInput, match="line 1"):
        next(batch)


def test_the_same_question_has_the_same_answer() -> None:
    assert resolve("foww", "skill_check", CHECK) == resolve(
        "foww", "skill_check", dict(CHECK)
    )


def test_every_kind_refuses_an_unknown_field() -> None:
    for game, kinds in GAMES.items():
        for kind in kinds:
            with pytest.raises(BadInput):
                resolve(game, kind, {"no_such_field": 1})


def test_every_kind_refuses_what_is_no_object() -> None:
    for game, kinds in GAMES.items():
        for kind in kinds:
            with pytest.raises(BadInput) as caught:
                resolve(game, kind, "text")  # type: ignore[arg-type]
            assert caught.value.field == ""
