"""An example client: follows a table from another program, with a read-only token.

    python tests/web/follow.py http://192.168.4.1:8080/ dicelight-...

Nothing but the standard library. It opens the stream, asks for the rolls whenever the
truth at the table changed, and goes on where it was when the line breaks.
"""

from __future__ import annotations

import json
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

SILENCE_S = 20.0
"""The table says something every 15 s at least; longer is a broken line."""

AGAIN_S = 2.0


class Table:
    """A table somewhere in this network.

    Args:
        url: As the page shows it, ``http://192.168.4.1:8080/``.
        token: Made by the host on the page.
    """

    def __init__(self, url: str, token: str) -> None:
        self._url = url.rstrip("/") + "/api/v1"
        self._token = token

    def ask(self, path: str) -> Any:
        """Return what the table answers: ``/state``, ``/rolls``, ``/prompt``, ..."""
        with self._open(path) as answer:
            return json.load(answer)

    def changes(self, since: str = "") -> Iterator[dict[str, Any]]:
        """Yield the data of every change; ends when the line breaks.

        Args:
            since: Version held already, "" for none.
        """
        with self._open("/stream", {"Last-Event-ID": since}) as answer:
            event: dict[str, str] = {}
            for raw in answer:
                line = raw.decode().rstrip("\n")
                if line:
                    name, _, value = line.partition(": ")
                    event[name] = value
                    continue
                if event.get("event") == "change":
                    yield json.loads(event["data"])
                event = {}

    def _open(self, path: str, headers: dict[str, str] | None = None) -> Any:
        request = urllib.request.Request(self._url + path, headers=headers or {})
        request.add_header("Authorization", f"Bearer {self._token}")
        return urllib.request.urlopen(request, timeout=SILENCE_S)


def lines(table: Table) -> Iterator[str]:
    """Yield one line for every roll, new or put right, until the line breaks."""
    told: dict[str, Any] = {}
    for _ in table.changes():
        for one in table.ask("/rolls")["rolls"]:
            roll = one["roll"]
            if told.get(roll["id"]) == one:
                continue
            amended = " (amended)" if roll["id"] in told else ""
            told[roll["id"]] = one
            faces = ", ".join(f"{die['die']} {die['face']}" for die in roll["dice"])
            yield f"{roll['id']}: {faces}{amended}"


def main() -> None:
    table = Table(sys.argv[1], sys.argv[2])
    while True:
        try:
            for line in lines(table):
                print(line, flush=True)
        except (urllib.error.URLError, OSError) as error:
            print(f"not connected: {error}", file=sys.stderr)
        time.sleep(AGAIN_S)


if __name__ == "__main__":
    main()
