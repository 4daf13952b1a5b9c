"""The demonstration as a process: started, killed with SIGKILL, started again."""

from __future__ import annotations

import http.cookiejar
import json
import re
import signal
import subprocess
import sys
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from device.data.load import load_dice_set
from device.sight import demo_eyes


class Joined:
    """A phone at a running page.

    Args:
        base: Address of the page, without a slash at its end.
    """

    def __init__(self, base: str) -> None:
        self.base = base
        jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(jar)
        )

    def join(self, code: str) -> None:
        form = {"name": "Ann", "role": "player", "code": code}
        self.post("/join", urllib.parse.urlencode(form))

    def post(self, path: str, body: str, kind: str = "x-www-form-urlencoded") -> str:
        request = urllib.request.Request(
            self.base + path,
            body.encode(),
            {"Content-Type": f"application/{kind}", "Origin": self.base},
        )
        with self.opener.open(request, timeout=20) as answer:
            return str(answer.read().decode())

    def command(self, name: str, args: dict[str, Any]) -> dict[str, Any]:
        body = json.dumps({"name": name, "args": args, "id": ""})
        answer: dict[str, Any] = json.loads(self.post("/api/v1/commands", body, "json"))
        return answer

    def snapshot(self) -> dict[str, Any]:
        with self.opener.open(self.base + "/api/v1/state", timeout=20) as answer:
            snapshot: dict[str, Any] = json.loads(answer.read())
        return snapshot

    def state(self) -> dict[str, Any]:
        snapshot = self.snapshot()
        return {"seq": snapshot["seq"], "state": snapshot["state"]}


class Started(Joined):
    """A running `dicelight demo` and a phone that has joined it."""

    def __init__(self, state: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "device.cli", "demo", "--port", "0"],
            stdout=subprocess.PIPE,
            text=True,
            env={"DICELIGHT_STATE": str(state), "PATH": "/usr/bin:/bin"},
        )
        assert self.process.stdout is not None
        found = None
        for line in self.process.stdout:
            if found := re.search(r"Dicelight is at http://[^ ]*:(\d+)/j/(\d+) ", line):
                break
        assert found is not None
        super().__init__(f"http://127.0.0.1:{found[1]}")
        self.join(found[2])

    def end(self, how: signal.Signals) -> int:
        self.process.send_signal(how)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return self.process.wait(timeout=30)


@pytest.fixture
def learnt(tmp_path: Path) -> Path:
    demo_eyes(load_dice_set("demo"), tmp_path)
    return tmp_path


def test_a_kill_in_the_middle_of_a_check_changes_nothing(learnt: Path) -> None:
    first = Started(learnt)
    dice = {"black": 2}
    first.command("open_check", {"check": "skill_check", "rating": 6, "dice": dice})
    first.command("enter_die", {"die": "black", "face": "dmg"})
    first.command("light_ruler", {"cue": {"band": "red"}})
    before = first.state()
    assert first.end(signal.SIGKILL) == -signal.SIGKILL

    second = Started(learnt)
    assert second.state() == before
    second.command("enter_die", {"die": "skill", "face": "2"})
    assert second.end(signal.SIGTERM) == 0
