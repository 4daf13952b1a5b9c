"""A phone at the table: joins, acts, and reads the same state as every other."""

from __future__ import annotations

import http.client
import json
import time
import urllib.parse
from typing import Any


class Phone:
    """Talks to the page; raises OSError where it does not answer.

    Args:
        host: Address by number.
    """

    def __init__(self, host: str) -> None:
        self._host = host
        self._cookie = ""
        self._count = 0

    def joins(self, code: str) -> bool:
        """Join as a player with the table's code; return whether that was taken."""
        fields = {"name": "Tester", "role": "player", "code": code}
        form = urllib.parse.urlencode(fields).encode()
        kind = "application/x-www-form-urlencoded"
        try:
            status, _ = self._send("POST", "/join", form, kind)
        except OSError:
            return False
        return status == 303 and bool(self._cookie)

    def is_there(self) -> bool:
        """Whether the page answers anybody at all."""
        return self._send("GET", "/join")[0] == 200

    def is_known(self) -> bool:
        """Whether the cookie of before is still good."""
        return self._send("GET", "/now")[0] == 200

    def answers(self) -> bool:
        try:
            return self._send("GET", "/api/v1/state")[0] == 200
        except OSError:
            return False

    def get(self, path: str) -> bytes:
        return self._send("GET", path)[1]

    def do(self, name: str, args: dict[str, Any], tries: int = 30) -> int:
        """Carry out a command; return the number of its last event.

        Args:
            name: Of the command.
            args: Its arguments.
            tries: A page that is away is asked again, a second later.
        """
        self._count += 1
        body = {"name": name, "args": args, "id": f"appliance-{self._count}"}
        data = json.dumps(body).encode()
        for left in range(tries - 1, -1, -1):
            try:
                status, answer = self._send(
                    "POST", "/api/v1/commands", data, "application/json"
                )
                break
            except OSError:
                if not left:
                    raise
                time.sleep(1)  # the same id: it is carried out once
        if status != 200:
            raise OSError(f"{name}: {status} {answer[:200]!r}")
        return int(json.loads(answer)["events"][-1])

    def snapshot(self) -> dict[str, Any]:
        return dict(json.loads(self.get("/api/v1/state")))

    def state(self) -> dict[str, Any]:
        return dict(self.snapshot()["state"])

    def seq(self) -> int:
        return int(self.snapshot()["seq"])

    def part(self, name: str) -> dict[str, Any]:
        """Return a part as the page has it; nothing where it is not known yet."""
        try:
            parts = self.snapshot()["live"]["parts"]
        except (OSError, ValueError, KeyError):
            return {"ok": False}
        return next((p for p in parts if p["name"] == name), {"ok": False})

    def pixels(self, name: str) -> list[str]:
        """Return the pixels that a strip is to show.

        Raises:
            OSError: It is not known yet: the service has just started.
        """
        for strip in self.snapshot()["live"]["strips"]:
            if strip["name"] == name:
                return list(strip["pixels"])
        raise OSError(f"no strip {name} yet")

    def _send(
        self, method: str, path: str, body: bytes | None = None, kind: str = ""
    ) -> tuple[int, bytes]:
        asked = http.client.HTTPConnection(self._host, 80, timeout=10)
        headers = {"Origin": f"http://{self._host}", "Cookie": self._cookie}
        if kind:
            headers["Content-Type"] = kind
        try:
            asked.request(method, path, body, headers)
            answer = asked.getresponse()
            for header, value in answer.getheaders():
                if header.lower() == "set-cookie" and value.startswith("dicelight="):
                    self._cookie = value.partition(";")[0]
            return answer.status, answer.read()
        except http.client.HTTPException as error:
            raise OSError(str(error)) from error
        finally:
            asked.close()
