"""Whatever is asked, the answer is JSON or a fault that names its place."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.errors import BadInput
from device.rules.resolve import GAMES, resolve
from device.rules.texts import TEXTS
from tests.device.rules.questions import questions

KINDS = [(game, kind) for game, kinds in GAMES.items() for kind in kinds]
SETTINGS = settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


def check_answer(found: dict) -> None:
    json.dumps(found, allow_nan=False)
    assert isinstance(found["open"], list)
    for step in found["steps"]:
        assert step["text"] == TEXTS[step["key"]].format(**step["params"])
        assert step["key"].split(".")[0] == step["rule"]
        assert all(type(value) in (int, str) for value in step["params"].values())


@pytest.mark.parametrize(("game", "kind"), KINDS, ids=lambda value: value)
@SETTINGS
@given(data=st.data())
def test_a_well_formed_question_is_answered_in_json_or_refused_at_a_field(
    game: str, kind: str, data: st.DataObject
) -> None:
    asked = data.draw(questions(GAMES[game][kind]))
    try:
        found = resolve(game, kind, asked)
    except BadInput as error:
        assert error.field, str(error)
        assert str(error)
    else:
        check_answer(found)
        assert resolve(game, kind, json.loads(json.dumps(asked))) == found


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.mark.parametrize(("game", "kind"), KINDS, ids=lambda value: value)
@SETTINGS
@given(data=st.data())
def test_a_question_with_one_wrong_field_never_breaks_anything(
    game: str, kind: str, data: st.DataObject
) -> None:
    asked = dict(data.draw(questions(GAMES[game][kind])))
    names = sorted(asked) or ["x"]
    asked[data.draw(st.sampled_from(names))] = data.draw(JSON)
    try:
        check_answer(resolve(game, kind, asked))
    except BadInput as error:
        assert error.field
