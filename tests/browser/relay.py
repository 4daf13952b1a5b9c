"""A cable between browser and server that a test can pull out and plug in again."""

from __future__ import annotations

import selectors
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

CHUNK = 65536
TICK_S = 0.05


class Relay:
    """Forwards bytes both ways; while cut, it takes connections and stays silent."""

    def __init__(self, port: int) -> None:
        self._target = ("127.0.0.1", port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._peers: dict[socket.socket, socket.socket] = {}
        self._held: list[socket.socket] = []
        self.is_cut = False
        self.lose_answer_to = b""
        self._losing: set[socket.socket] = set()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="relay")
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        for one in (*self._peers, *self._held, self._listener):
            one.close()
        self._selector.close()

    def _run(self) -> None:
        while not self._stop.is_set():
            for key, _ in self._selector.select(TICK_S):
                if key.fileobj is self._listener:
                    self._accept()
                else:
                    self._forward(key.fileobj)  # type: ignore[arg-type]

    def _accept(self) -> None:
        near, _ = self._listener.accept()
        if self.is_cut:
            self._held.append(near)
            return
        far = socket.create_connection(self._target)
        for one, other in ((near, far), (far, near)):
            self._peers[one] = other
            self._selector.register(one, selectors.EVENT_READ)

    def _forward(self, one: socket.socket) -> None:
        if one not in self._peers:
            return
        other = self._peers[one]
        data = b""
        with suppress(OSError):
            data = one.recv(CHUNK)
        if data and self.is_cut:
            return  # swallowed: nobody hears anything, not even that it is over
        if self.lose_answer_to and self.lose_answer_to in data:
            self.lose_answer_to = b""
            self._losing.add(other)
        elif data and one in self._losing:
            return  # the server has answered; the browser never hears it
        sent = False
        if data:
            with suppress(OSError):
                other.sendall(data)
                sent = True
        if not sent:
            for end in (one, other):
                self._peers.pop(end, None)
                self._losing.discard(end)
                with suppress(KeyError):
                    self._selector.unregister(end)
                end.close()


@contextmanager
def relay(port: int) -> Iterator[Relay]:
    made = Relay(port)
    try:
        yield made
    finally:
        made.close()
