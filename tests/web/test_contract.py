"""The interface does what its OpenAPI document says; asked by Schemathesis."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.specs.openapi.checks import ignored_auth

from tests.web.table import OWN, TestTable, joining, live_die, make_settings, make_table
from web import create_app
from web.feed import Streams, Ticket
from web.openapi import document
from web.people import Visitor

SHORT = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


class BriefStreams(Streams):
    """Streams that say what there is to say now, and end."""

    def take(self, holder: Visitor) -> Ticket | None:
        ticket = super().take(holder)
        if ticket is not None:
            ticket.ended.set()
        return ticket


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """A table in the middle of things."""
    with make_table(tmp_path_factory.mktemp("contract")) as table:
        made = create_app(table.companion, settings=make_settings(joins_per_minute=999))
        made.extensions["dicelight"].streams = BriefStreams(1000)
        busy(table)
        yield made


def busy(table: TestTable) -> None:
    table.open_skill_check(7, dice={"black": 1})
    table.settle(live_die("d1", "skill", "5"), live_die("d2", "black", "dmg"))
    table.do("light_ruler", cue={"band": "red"})


@pytest.fixture(scope="module")
def player(app: Flask) -> dict[str, str]:
    """Headers of a player's device."""
    client = app.test_client()
    client.post("/join", data=joining(), headers=OWN)
    cookie = client.get_cookie("dicelight")
    assert cookie is not None
    return OWN | {"Cookie": f"dicelight={cookie.value}"}


@pytest.fixture(scope="module")
def program(app: Flask) -> dict[str, str]:
    """Headers of a program with a token."""
    token = app.extensions["dicelight"].people.make_token("contract")
    return {"Authorization": f"Bearer {token}"}


OPERATIONS = [
    (path, method) for path, item in document()["paths"].items() for method in item
]


IDS = [f"{method} {path}" for path, method in OPERATIONS]


@pytest.mark.parametrize(("path", "method"), OPERATIONS, ids=IDS)
def test_the_interface_keeps_its_description(
    app: Flask,
    player: dict[str, str],
    program: dict[str, str],
    path: str,
    method: str,
) -> None:
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    operation = schema[path][method.upper()]
    seen: set[int] = set()

    @given(case=operation.as_strategy())
    @SHORT
    def ask(case: schemathesis.Case) -> None:
        answer = case.call(headers=program if method == "get" else player)
        seen.add(answer.status_code)
        # It takes our token for one of its own making; see the test below.
        case.validate_response(answer, excluded_checks=[ignored_auth])

    ask()
    assert 200 in seen or path in HARD_TO_GUESS, seen


HARD_TO_GUESS = ("/api/v1/rolls/{roll_id}/photo", "/api/v1/commands")
"""Where what is made up hardly ever fits what is true."""


@pytest.mark.parametrize(("path", "method"), OPERATIONS, ids=IDS)
def test_whoever_shows_no_token_or_a_made_up_one_is_refused_as_described(
    app: Flask, path: str, method: str
) -> None:
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    operation = schema[path][method.upper()]

    @given(case=operation.as_strategy())
    @settings(SHORT, max_examples=8)
    def ask(case: schemathesis.Case) -> None:
        answer = case.call(headers=OWN)
        assert answer.status_code == 401
        case.validate_response(answer)

    ask()
