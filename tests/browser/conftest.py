from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import NAME, Phone, launch
from tests.browser.relay import Relay, relay
from tests.web.table import TestTable, make_settings, make_table
from web import create_app
from web.serve import Served, serve

HEARTBEAT_S = 0.5
"""Short, so that a phone notices a dead stream within a test."""

STREAMS = 6


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with launch() as browser:
        yield browser


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TestTable]:
    with make_table(tmp_path) as made:
        yield made


@pytest.fixture
def served(table: TestTable) -> Iterator[Served]:
    settings = make_settings(names=(NAME,), heartbeat_s=HEARTBEAT_S, streams=STREAMS)
    page = serve(
        create_app(table.companion, settings=settings), "127.0.0.1", 0, STREAMS
    )
    yield page
    page.close()


@pytest.fixture
def cable(served: Served) -> Iterator[Relay]:
    with relay(served.port) as made:
        yield made


@pytest.fixture
def phone(browser: Browser, served: Served) -> Iterator[Callable[..., Phone]]:
    """Make phones on the served page; each is checked for faults when it is closed."""
    made: list[Phone] = []

    def make(*, port: int = 0, **wishes: object) -> Phone:
        made.append(Phone(browser, port or served.port, **wishes))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for one in made:
        one.close()
