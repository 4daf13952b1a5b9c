from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web.table import (
    OWN,
    FakeTray,
    TestTable,
    joining,
    make_settings,
    make_table,
)
from web import create_app


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TestTable]:
    with make_table(tmp_path) as made:
        yield made


@pytest.fixture
def tray(table: TestTable) -> FakeTray:
    return table.tray


@pytest.fixture
def client(table: TestTable, tmp_path: Path) -> FlaskClient:
    """A phone that has not joined."""
    app = create_app(table.companion, settings=make_settings(state=tmp_path))
    return app.test_client()


@pytest.fixture
def player(client: FlaskClient) -> FlaskClient:
    """A phone that plays."""
    answer = client.post("/join", data=joining("Ann"), headers=OWN)
    assert answer.status_code == 303
    return client


@pytest.fixture
def spectator(client: FlaskClient) -> FlaskClient:
    form = joining("Sam", "spectator")
    answer = client.post("/join", data=form, headers=OWN)
    assert answer.status_code == 303
    return client
