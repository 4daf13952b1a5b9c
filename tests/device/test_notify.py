"""What systemd is told: ready, alive, ending; never more than is true."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from device.notify import HELD_S, Herald, notify, page_answers
from hardware.sim.clock import ManualClock


class Fare:
    """A service that fares as told, and what was heard of it."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.answers = True
        self.alive = True
        self.status = "page on port 80"
        self.held = 0
        self.heard: list[str] = []
        self.herald = Herald(
            self.clock,
            answers=lambda: self.answers,
            alive=lambda: self.alive,
            status=lambda: self.status,
            held=self.hold,
            send=self.heard.append,
        )

    def hold(self) -> None:
        self.held += 1

    def run(self, seconds: int) -> list[str]:
        del self.heard[:]
        for _ in range(seconds):
            self.herald.tick()
            self.clock.advance(1.0)
        return self.heard


def test_ready_is_said_once_and_only_when_the_page_answers() -> None:
    fare = Fare()
    fare.answers = False
    assert "READY=1" not in fare.run(5)
    fare.answers = True
    assert fare.run(5).count("READY=1") == 1


def test_a_loop_that_does_not_turn_is_not_ready() -> None:
    fare = Fare()
    fare.alive = False
    assert fare.run(5) == ["STATUS=the tray's loop hangs"]


def test_only_a_live_loop_feeds_the_watchdog() -> None:
    fare = Fare()
    assert fare.run(3).count("WATCHDOG=1") == 3
    fare.alive = False
    assert "WATCHDOG=1" not in fare.run(30)
    fare.alive = True
    assert fare.run(2).count("WATCHDOG=1") == 2


def test_a_hang_is_logged_once_not_every_second(
    caplog: pytest.LogCaptureFixture,
) -> None:
    fare = Fare()
    fare.run(2)
    fare.alive = False
    fare.run(60)
    assert [r.levelname for r in caplog.records] == ["ERROR"]


def test_a_start_has_held_after_a_while_and_is_told_once() -> None:
    fare = Fare()
    fare.run(int(HELD_S))
    assert fare.held == 0
    fare.run(60)
    assert fare.held == 1


def test_a_start_that_hangs_before_it_held_has_not_held() -> None:
    fare = Fare()
    fare.run(int(HELD_S) - 1)
    fare.alive = False
    fare.run(60)
    assert fare.held == 0


def test_the_status_is_said_when_it_changes() -> None:
    fare = Fare()
    assert fare.run(9)[0] == "STATUS=page on port 80"
    fare.status = "page on port 80; camera: gone"
    said = [line for line in fare.run(9) if line.startswith("STATUS")]
    assert said == ["STATUS=page on port 80; camera: gone"]


def test_the_end_is_said() -> None:
    fare = Fare()
    fare.herald.stop()
    assert fare.heard == ["STOPPING=1"]


@pytest.mark.parametrize("abstract", [False, True], ids=["path", "abstract"])
def test_systemd_hears_on_its_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, abstract: bool
) -> None:
    name = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(f"\0{name}" if abstract else name)
        monkeypatch.setenv("NOTIFY_SOCKET", f"@{name}" if abstract else name)
        notify("READY=1")
        assert systemd.recv(100) == b"READY=1"


def test_without_systemd_nothing_is_said(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    notify("READY=1")
    assert not caplog.records


def test_a_socket_that_is_gone_is_no_reason_to_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    notify("WATCHDOG=1")
    assert "was not told WATCHDOG=1" in caplog.text


@pytest.fixture
def page() -> Iterator[HTTPServer]:
    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(self.server.status)  # type: ignore[attr-defined]
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("status", "answers"), [(200, True), (303, True), (403, True), (500, False)]
)
def test_a_page_answers_unless_it_fails(
    page: HTTPServer, status: int, answers: bool
) -> None:
    page.status = status  # type: ignore[attr-defined]
    assert page_answers("0.0.0.0", page.server_address[1]) is answers


def test_a_closed_port_does_not_answer() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert not page_answers("127.0.0.1", port)
