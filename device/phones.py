"""Many phones at once, for the bench: each joins, listens, and fetches what it shows.

A process of its own (`python -m device.phones PORT CODE COUNT`), so that it shares no
lock with the server it measures. It says ``ready`` once all listen. When its input ends
it prints one JSON object: when each phone heard of each event, when it had a screen
that shows it, and how long ordinary requests took meanwhile. Times are those of
`time.monotonic`, which all processes of a machine share.
"""

from __future__ import annotations

import http.client
import json
import selectors
import socket
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode

HOST: Final = "127.0.0.1"
PATIENCE_S: Final = 30.0
PAUSE_S: Final = 0.02
"""Between two ordinary requests: a person is slower."""

MOST_BYTES: Final = 1 << 16


@dataclass(slots=True)
class Phone:
    """One phone with two connections: the stream and another one for screens.

    Attributes:
        cookie: Of the device that joined.
        stream: Open event stream.
        line: Connection for screens, None while there is none.
        heard: Bytes of the stream that are not yet a whole line.
        told: Number of the last event it heard of.
        shown: Number of the last event that its screen shows.
        wants: It has heard of something that its screen does not show yet.
        fetched: Bytes of the screen so far, None while nothing is asked for.
    """

    cookie: str
    stream: socket.socket
    line: socket.socket | None = None
    heard: bytes = b""
    told: int = 0
    shown: int = 0
    wants: bool = False
    fetched: bytes | None = None


@dataclass(slots=True)
class Times:
    """When what happened, by number of the event.

    Attributes:
        told: Seconds at which each phone had heard of an event.
        shown: Seconds at which each phone had a screen that shows it.
        asked_ms: Durations of ordinary requests.
    """

    told: dict[int, list[float]] = field(default_factory=dict)
    shown: dict[int, list[float]] = field(default_factory=dict)
    asked_ms: list[float] = field(default_factory=list)


class Phones:
    """Phones that listen to one page.

    Args:
        port: Of the page, on this machine.
        code: Of the table.
        count: How many.
    """

    def __init__(self, port: int, code: str, count: int) -> None:
        self._port = port
        self._code = code
        self.times = Times()
        self._selector = selectors.DefaultSelector()
        self.phones = [self._phone(number) for number in range(count)]

    def _phone(self, number: int) -> Phone:
        cookie = self.join(f"P{number}")
        stream = socket.create_connection((HOST, self._port), PATIENCE_S)
        stream.sendall(self._request("/stream", cookie))
        made = Phone(cookie, stream)
        stream.setblocking(False)
        self._selector.register(stream, selectors.EVENT_READ, made)
        return made

    def join(self, name: str) -> str:
        """Join as a spectator; return the cookie."""
        link = http.client.HTTPConnection(HOST, self._port, timeout=PATIENCE_S)
        host = f"{HOST}:{self._port}"
        form = urlencode({"name": name, "role": "spectator", "code": self._code})
        headers = {
            "Origin": f"http://{host}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        link.request("POST", "/join", form, headers)
        answer = link.getresponse()
        answer.read()
        link.close()
        if answer.status != 303:
            raise RuntimeError(f"joining was answered with {answer.status}")
        return str(answer.headers["Set-Cookie"]).split(";")[0]

    def _request(self, path: str, cookie: str) -> bytes:
        return (
            f"GET {path} HTTP/1.1\r\nHost: {HOST}:{self._port}\r\n"
            f"Cookie: {cookie}\r\nX-Dicelight-Fragment: 1\r\n\r\n"
        ).encode()

    def listen(self, stop: threading.Event) -> None:
        """Note what comes until told to stop."""
        while not stop.is_set():
            for key, _ in self._selector.select(0.05):
                phone: Phone = key.data
                data = key.fileobj.recv(MOST_BYTES)  # type: ignore[union-attr]
                if key.fileobj is phone.stream:
                    self._hear(phone, data)
                elif data:
                    self._fetch(phone, data)
                else:
                    self._hang_up(phone)

    def _hang_up(self, phone: Phone) -> None:
        """Let go of a connection that the server has closed for want of use."""
        assert phone.line is not None
        self._selector.unregister(phone.line)
        phone.line.close()
        phone.line = None
        if phone.fetched is not None:  # it crossed our question
            self._ask(phone)

    def _hear(self, phone: Phone, data: bytes) -> None:
        now = time.monotonic()
        *lines, phone.heard = (phone.heard + data).split(b"\n")
        for line in lines:
            if line.startswith(b'data: {"version"') and b'"seq"' in line:
                seq = int(json.loads(line[6:])["seq"])
                _note(self.times.told, phone.told, seq, now)
                phone.told = seq
                phone.wants = True
        if phone.wants and phone.fetched is None:
            self._ask(phone)

    def _ask(self, phone: Phone) -> None:
        phone.wants = False
        phone.fetched = b""
        if phone.line is None:
            phone.line = socket.create_connection((HOST, self._port), PATIENCE_S)
            self._selector.register(phone.line, selectors.EVENT_READ, phone)
        phone.line.sendall(self._request("/now", phone.cookie))

    def _fetch(self, phone: Phone, data: bytes) -> None:
        phone.fetched = (phone.fetched or b"") + data
        head, found, body = phone.fetched.partition(b"\r\n\r\n")
        if not found or not _is_whole(head, body):
            return
        seq = int(body.partition(b'data-seq="')[2].partition(b'"')[0])
        _note(self.times.shown, phone.shown, seq, time.monotonic())
        phone.shown = seq
        phone.fetched = None
        if phone.wants:
            self._ask(phone)

    def ask(self, stop: threading.Event) -> None:
        """Time ordinary requests of one more visitor until told to stop."""
        link = http.client.HTTPConnection(HOST, self._port, timeout=PATIENCE_S)
        cookie = self.join("asks")
        while not stop.is_set():
            for path in ("/now", "/log", "/rulers"):
                began = time.monotonic()
                link.request("GET", path, headers={"Cookie": cookie})
                answer = link.getresponse()
                answer.read()
                self.times.asked_ms.append(1000 * (time.monotonic() - began))
                if answer.status != 200:
                    raise RuntimeError(f"{path} was answered with {answer.status}")
                time.sleep(PAUSE_S)
        link.close()

    def close(self) -> None:
        """Hang up."""
        self._selector.close()
        for phone in self.phones:
            phone.stream.close()
            if phone.line is not None:
                phone.line.close()


def _note(times: dict[int, list[float]], before: int, seq: int, now: float) -> None:
    """Note every event that a phone has come to know of just now."""
    for one in range(before + 1, seq + 1):
        times.setdefault(one, []).append(now)


def _is_whole(head: bytes, body: bytes) -> bool:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return len(body) >= int(value)
    raise RuntimeError(f"a screen of unknown length: {head[:80]!r}")


def main(arguments: list[str]) -> None:
    """Run as the bench's child."""
    port, code, count = int(arguments[0]), arguments[1], int(arguments[2])
    phones = Phones(port, code, count)
    stop = threading.Event()
    threads = [
        threading.Thread(target=work, args=(stop,))
        for work in (phones.listen, phones.ask)
    ]
    for thread in threads:
        thread.start()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.read()
    stop.set()
    for thread in threads:
        thread.join()
    phones.close()
    times: Any = phones.times
    told = {"told": times.told, "shown": times.shown, "asked_ms": times.asked_ms}
    sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
