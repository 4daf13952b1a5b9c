from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from device.errors import ConfigError
from tests.web.table import CODE, SECRET, TestTable, make_settings
from web import WebSettings, create_app, keep_secret
from web.addresses import interfaces_of
from web.serve import Served, serve

STREAMS = 3


@pytest.fixture
def served(table: TestTable) -> Iterator[Served]:
    before = set(threading.enumerate())
    app = create_app(table.companion, settings=make_settings(streams=STREAMS))
    page = serve(app, "127.0.0.1", 0, STREAMS)
    yield page
    page.close()
    page.close()
    assert set(threading.enumerate()) == before, "a thread was left behind"


def connect(page: Served) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", page.port, timeout=10)


def join(page: Served, name: str = "Ann") -> str:
    """Join over the wire; return the cookie."""
    link = connect(page)
    host = f"127.0.0.1:{page.port}"
    link.request(
        "POST",
        "/join",
        body=f"name={name}&role=player&code={CODE}",
        headers={
            "Host": host,
            "Origin": f"http://{host}",
            "Content-Type": "application/x-www-form-urlencoded",
        },
    )
    answer = link.getresponse()
    answer.read()
    link.close()
    assert answer.status == 303
    return answer.headers["Set-Cookie"].split(";")[0]


def open_stream(
    page: Served, cookie: str
) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
    link = connect(page)
    link.request("GET", "/stream", headers={"Cookie": cookie})
    return link, link.getresponse()


def read_event(answer: http.client.HTTPResponse) -> dict[str, str]:
    event: dict[str, str] = {}
    while (line := answer.readline().decode().rstrip("\n")) or not event:
        name, _, value = line.partition(": ")
        if name:
            event[name] = value
    return event


def test_the_server_answers_on_the_port_it_names(served: Served) -> None:
    link = connect(served)
    link.request("GET", "/health")
    answer = link.getresponse()
    assert (answer.status, answer.read()) == (200, b"ok\n")
    link.close()


def test_an_answer_is_one_packet(served: Served) -> None:
    """Each one wakes the phone up, and is what an answer costs most."""
    cookie = join(served)
    for path, ends in (
        ("/now", b"</html>"),
        ("/health", b"ok\n"),
        ("/stream", b"}\n\n\r\n"),
        ("/", b"click the link.\n"),
    ):
        with socket.create_connection(("127.0.0.1", served.port), 10) as line:
            line.sendall(
                f"GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n"
                "\r\n".encode()
            )
            packet = line.recv(1 << 20)
        assert packet.startswith(b"HTTP/1.1 ") and b"\r\n\r\n" in packet, path
        assert packet.endswith(ends), (path, packet[-80:])


def test_an_answer_without_a_body_is_not_held_back(served: Served) -> None:
    link = connect(served)
    link.request("GET", "/static/page.js")
    answer = link.getresponse()
    answer.read()
    link.request("HEAD", "/health")
    assert link.getresponse().read() == b""
    link.request(
        "GET", "/static/page.js", headers={"If-None-Match": answer.headers["ETag"]}
    )
    again = link.getresponse()
    assert (again.status, again.read()) == (304, b"")
    link.close()


def test_every_phone_keeps_its_connection(served: Served) -> None:
    links = [connect(served) for _ in range(4 * (STREAMS + 1))]
    for _ in range(2):
        for link in links:
            link.request("GET", "/health")
            answer = link.getresponse()
            answer.read()
            assert answer.headers.get("Connection") is None, "asked to come anew"
    for link in links:
        link.close()


def test_a_change_reaches_an_open_stream_at_once(
    served: Served, table: TestTable
) -> None:
    link, answer = open_stream(served, join(served))
    first = read_event(answer)
    assert first["event"] == "change"
    began = time.monotonic()
    table.open_skill_check(7)
    version = table.companion.snapshot().version
    event = read_event(answer)
    while event["id"] != version:
        event = read_event(answer)
    assert json.loads(event["data"])["check"] == "waiting"
    assert time.monotonic() - began < 2.0
    link.close()


def test_streams_beyond_the_budget_get_503_and_never_block_the_rest(
    served: Served,
) -> None:
    open_ones = [
        open_stream(served, join(served, f"P{number}")) for number in range(STREAMS)
    ]
    for _, answer in open_ones:
        assert answer.status == 200
        read_event(answer)
    link, refused = open_stream(served, join(served, "Late"))
    assert refused.status == 503
    refused.read()
    link.request("GET", "/health")
    assert link.getresponse().status == 200
    for one in (link, *(open_one for open_one, _ in open_ones)):
        one.close()


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:{port}/j/246810"),
        ("0.0.0.0", "http://192.168.4.1:{port}/j/246810"),
    ],
)
def test_the_terminal_is_told_an_address_that_is_really_served(
    table: TestTable, host: str, url: str
) -> None:
    settings = make_settings(port=0)
    if host != "0.0.0.0":
        settings = make_settings(port=0, interfaces=lambda: interfaces_of(host))
    page = serve(create_app(table.companion, settings=settings), host, 0, STREAMS)
    try:
        assert page.invitation().join_url == url.format(port=page.port)
        assert page.invitation().spaced_code == "246 810"
        assert page._hub.port == page.port
    finally:
        page.close()


def test_all_phones_may_come_at_once_after_a_restart(served: Served) -> None:
    """The system drops connections beyond those that may wait; a second is lost."""
    assert served._server.request_queue_size >= 2 * STREAMS


def test_closing_ends_open_streams_and_leaves_no_thread(served: Served) -> None:
    link, answer = open_stream(served, join(served))
    read_event(answer)
    began = time.monotonic()
    served.close()
    assert time.monotonic() - began < 3.0
    assert b"event: bye" in answer.read()
    link.close()


def test_a_taken_port_is_one_clear_line(served: Served, table: TestTable) -> None:
    app = create_app(table.companion, settings=make_settings())
    before = threading.active_count()
    with pytest.raises(ConfigError, match=f"port {served.port} is taken; "):
        serve(app, "127.0.0.1", served.port, 2)
    assert threading.active_count() == before


def test_an_address_that_is_not_ours_is_one_clear_line(table: TestTable) -> None:
    app = create_app(table.companion, settings=make_settings())
    with pytest.raises(ConfigError, match=r"cannot listen on 192\.0\.2\.77 port"):
        serve(app, "192.0.2.77", 8099, 2)


def test_the_key_is_made_once_and_only_its_owner_reads_it(tmp_path) -> None:  # type: ignore[no-untyped-def]
    folder = tmp_path / "state"
    key = keep_secret(folder)
    assert len(key) == 32 and keep_secret(folder) == key
    assert (folder / "web-secret").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in folder.iterdir()] == ["web-secret"]


def test_a_folder_that_cannot_be_written_is_one_clear_line(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(ConfigError, match="cannot keep the page's key"):
        keep_secret(file / "state")


@pytest.mark.parametrize(
    "wrong",
    [{"secret": b"short"}, {"heartbeat_s": 16}, {"heartbeat_s": 0}, {"streams": 0}],
)
def test_wrong_settings_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        WebSettings(**{"secret": SECRET, **wrong})  # type: ignore[arg-type]
