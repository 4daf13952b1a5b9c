"""Whatever is asked, the answer is JSON or a fault that names its place."""

from __future__ import annotations

import json
from random import Random

import pytest

from device.errors import BadInput
from device.rules.resolve import GAMES, resolve
from device.rules.texts import TEXTS
from tests.device.rules.questions import nonsense, question

KINDS = [(game, kind) for game, kinds in GAMES.items() for kind in kinds]
ROUNDS = 150  # questions of each kind


def check_answer(found: dict) -> None:
    json.dumps(found, allow_nan=False)
    assert isinstance(found["open"], list)
    for step in found["steps"]:
        assert step["text"] == TEXTS[step["key"]].format(**step["params"])
        assert step["key"].split(".")[0] == step["rule"]
        assert all(type(value) in (int, str) for value in step["params"].values())


@pytest.mark.parametrize(("game", "kind"), KINDS, ids=lambda value: value)
def test_a_well_formed_question_is_answered_in_json_or_refused_at_a_field(
    game: str, kind: str
) -> None:
    rng = Random(f"{game} {kind}")
    answered = 0
    for _ in range(ROUNDS):
        asked = question(GAMES[game][kind], rng)
        before = json.dumps(asked)
        try:
            found = resolve(game, kind, asked)
        except BadInput as error:
            assert error.field, str(error)
            assert str(error)
        else:
            answered += 1
            check_answer(found)
            assert resolve(game, kind, json.loads(before)) == found
        assert json.dumps(asked) == before, "the question was changed"
    assert answered


@pytest.mark.parametrize(("game", "kind"), KINDS, ids=lambda value: value)
def test_a_question_with_one_wrong_field_never_breaks_anything(
    game: str, kind: str
) -> None:
    rng = Random(f"{game} {kind}")
    for _ in range(ROUNDS):
        asked = question(GAMES[game][kind], rng)
        asked[rng.choice([*asked, "x"])] = nonsense(rng)
        try:
            check_answer(resolve(game, kind, asked))
        except BadInput as error:
            assert error.field
