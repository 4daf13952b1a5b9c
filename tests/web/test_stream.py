from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from device.table.state import TableState
from device.table.view import Live, Snapshot
from tests.web.table import OWN, TestTable, joining, make_settings
from web import create_app
from web.feed import STREAMS_EACH, Pace, Streams, Ticket
from web.hub import Hub
from web.people import Role, Visitor
from web.stream import events

ANN = Visitor("a", "Ann", Role.PLAYER)


class Scripted:
    """A companion whose news comes at given times; waiting moves the clock."""

    def __init__(self, *news: tuple[float, str]) -> None:
        self.now_s = 0.0
        self._news = list(news)
        self._snapshot = Snapshot("v0", 0, TableState(), Live())

    def snapshot(self) -> Snapshot:
        while self._news and self._news[0][0] <= self.now_s:
            _, version = self._news.pop(0)
            self._snapshot = replace(self._snapshot, version=version)
        return self._snapshot

    def wait_newer(self, version: str, timeout_s: float) -> Snapshot:
        until = self.now_s + timeout_s
        while self.snapshot().version == version and self.now_s < until:
            self.now_s = min(until, self._news[0][0] if self._news else until)
        return self.snapshot()


def listen(
    companion: Scripted, since: str, ticket: Ticket | None = None
) -> Iterator[tuple[float, str, dict[str, object]]]:
    """Yield time, kind and data of each event."""
    ticket = ticket or Ticket(ANN)
    stream = events(
        companion,
        ticket,
        since,
        heartbeat_s=10.0,
        now_s=lambda: companion.now_s,
    )
    for block in stream:
        lines = dict(
            line.split(": ", 1) for line in block.decode().strip().splitlines()
        )
        yield companion.now_s, lines["event"], json.loads(lines["data"])


def take(count: int, stream: Iterator[tuple[float, str, dict[str, object]]]):  # type: ignore[no-untyped-def]
    return [next(stream) for _ in range(count)]


def test_a_phone_without_a_version_is_told_everything_at_once() -> None:
    ((at, kind, data),) = take(1, listen(Scripted(), ""))
    assert (at, kind) == (0.0, "change")
    assert data == {"version": "v0", "seq": 0, "phase": "no_camera", "check": ""}


def test_a_phone_that_holds_the_version_hears_a_sign_of_life_at_once() -> None:
    ((at, kind, data),) = take(1, listen(Scripted(), "v0"))
    assert (at, kind, data) == (0.0, "heartbeat", {"version": "v0"})


def test_a_phone_resumes_from_any_version_however_old_or_strange() -> None:
    for since in ("v-1", "another-run-7", "nonsense"):
        ((_, kind, data),) = take(1, listen(Scripted(), since))
        assert (kind, data["version"]) == ("change", "v0")


def test_news_is_told_when_it_happens_and_silence_is_never_long() -> None:
    companion = Scripted((3.0, "v1"), (27.0, "v2"))
    heard = take(5, listen(companion, "v0"))
    assert [(at, kind, data["version"]) for at, kind, data in heard] == [
        (0.0, "heartbeat", "v0"),
        (3.0, "change", "v1"),
        (13.0, "heartbeat", "v1"),
        (23.0, "heartbeat", "v1"),
        (27.0, "change", "v2"),
    ]


def test_few_are_told_at_once_and_many_one_after_the_other() -> None:
    now = [100.0]
    pace = Pace(3, 0.5, lambda: now[0])
    assert [pace.wait_s() for _ in range(5)] == [0.0, 0.0, 0.0, 0.5, 1.0]
    now[0] = 101.0
    assert pace.wait_s() == 0.5, "the turns given out are still taken"
    now[0] = 110.0
    assert [pace.wait_s() for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]


def test_who_had_to_wait_for_a_turn_is_told_the_newest() -> None:
    companion = Scripted((3.0, "v1"), (3.2, "v2"))
    turns = iter((0.5, 0.0))

    def turn_s() -> float:
        companion.now_s += next(turns)
        return 0.0

    stream = events(
        companion,
        Ticket(ANN),
        "v0",
        heartbeat_s=10.0,
        now_s=lambda: companion.now_s,
        turn_s=turn_s,
    )
    next(stream)
    assert b"id: v2" in next(stream) and companion.now_s == 3.5


def test_a_stream_that_is_ended_says_goodbye() -> None:
    ticket = Ticket(ANN)
    stream = listen(Scripted(), "v0", ticket)
    next(stream)
    ticket.ended.set()
    assert next(stream)[1] == "bye"
    assert list(stream) == []


def test_one_device_keeps_few_streams_and_ends_its_oldest() -> None:
    streams = Streams(10)
    tickets = [streams.take(ANN) for _ in range(STREAMS_EACH + 2)]
    assert all(tickets)
    ended = [ticket.ended.is_set() for ticket in tickets if ticket]
    assert ended == [True] * 2 + [False] * STREAMS_EACH
    assert streams.open == STREAMS_EACH
    assert streams.present() == (ANN,)


def test_the_budget_is_for_all_and_given_back_tickets_count_again() -> None:
    streams = Streams(2)
    first, second, third = (
        streams.take(Visitor(name, name, Role.SPECTATOR)) for name in "abc"
    )
    assert first is not None and second is not None and third is None
    streams.give_back(first)
    streams.give_back(first)
    assert streams.take(ANN) is not None
    streams.close()
    assert second.ended.is_set()
    assert streams.take(Visitor("d", "d", Role.PLAYER)) is None


@pytest.fixture
def full_house(table: TestTable) -> FlaskClient:
    app = create_app(table.companion, settings=make_settings(streams=1))
    hub = app.extensions["dicelight"]
    assert isinstance(hub, Hub) and hub.streams.take(ANN)
    client = app.test_client()
    client.post("/join", data=joining("B"), headers=OWN)
    return client


def test_beyond_the_budget_a_stream_is_refused_and_pages_still_answer(
    full_house: FlaskClient,
) -> None:
    assert full_house.get("/stream").status_code == 503
    assert full_house.get("/now").status_code == 200


def test_the_stream_starts_from_the_id_the_browser_heard_last(
    player: FlaskClient, table: TestTable
) -> None:
    version = table.companion.snapshot().version
    for headers, query, kind in (
        ({}, "", b"event: change"),
        ({}, f"?since={version}", b"event: heartbeat"),
        ({"Last-Event-ID": version}, "?since=older", b"event: heartbeat"),
        ({"Last-Event-ID": "older"}, f"?since={version}", b"event: change"),
    ):
        with player.get(f"/stream{query}", headers=headers) as answer:
            assert answer.mimetype == "text/event-stream"
            assert answer.headers["Cache-Control"] == "no-store"
            assert kind in next(answer.iter_encoded())


def test_a_closed_stream_frees_its_place_even_if_nothing_was_read(
    player: FlaskClient,
) -> None:
    hub = player.application.extensions["dicelight"]
    with player.get("/stream"):
        assert hub.streams.open == 1
    assert hub.streams.open == 0
