"""The machine that the checks play with: a Linux kernel that runs as a program."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

ADDRESS: Final = "10.0.2.15"
AGENT_PORT: Final = 7
BOOT_S: Final = 300.0


class Machine:
    """One disk, switched on and off at will.

    Args:
        builder: Tree whose libraries the kernel was linked with; it is in /work there.
        disk: Image, written to.
        console: Where the console's output is appended.
    """

    def __init__(self, builder: Path, disk: Path, console: Path) -> None:
        self._builder = builder
        self._disk = disk
        self._console = console
        self._running: subprocess.Popen[bytes] | None = None

    def switch_on(self) -> float:
        """Boot; return the seconds until the agent inside answered."""
        inside = f"/work/{self._disk.name}"
        words = ["unshare", "--pid", "--fork", "--kill-child=SIGKILL"]
        words += ["chroot", str(self._builder), "/work/linux", "mem=1280M"]
        words += [f"ubd0={inside}", "ubd1=/work/checkout.tar", "root=/dev/ubda", "rw"]
        words += ["dtb=/work/pi.dtb"]
        words += ["con=null", "con0=null,fd:1", "quiet"]
        words += ["vec0:transport=tap,ifname=tap0,depth=128,gro=0"]
        with self._console.open("ab") as said:
            self._running = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                env={
                    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
                    "TMPDIR": "/dev/shm",
                    "HOME": "/root",
                },
                start_new_session=True,
            )
        begun = time.monotonic()
        if not wait_for(lambda: self._answers(), BOOT_S):
            tail = self._console.read_text("utf-8", "replace")[-3000:]
            raise RuntimeError(f"it does not boot:\n{tail}")
        return time.monotonic() - begun

    def cut_power(self) -> None:
        """End it at once; what the guest had not written to its disk is lost."""
        if self._running is not None:
            # The first process of its own process namespace takes all others along.
            os.killpg(self._running.pid, signal.SIGKILL)
            self._running.wait()
            self._running = None

    def shut_down(self, seconds: float = 60.0) -> bool:
        """Have it power itself off; return whether it did in time."""
        assert self._running is not None
        with suppress(OSError, ValueError):  # it may end before it has answered
            self.ask("systemctl poweroff --no-block")
        try:
            self._running.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        self._running = None
        return True

    def ask(self, shell: str, seconds: float = 60.0) -> tuple[int, str]:
        """Run a line in the machine as root; return its status and what it said."""
        with socket.create_connection((ADDRESS, AGENT_PORT), seconds + 10) as agent:
            asked = {"shell": shell, "seconds": seconds}
            agent.sendall(json.dumps(asked).encode() + b"\n")
            answer: dict[str, Any] = json.loads(agent.makefile("rb").readline())
        return int(answer["status"]), str(answer["said"])

    def _answers(self) -> bool:
        if self._running is not None and self._running.poll() is not None:
            raise RuntimeError("the machine ended; see the console's log")
        try:
            return self.ask("true", 5)[0] == 0
        except (OSError, ValueError):
            return False


def wait_for(true: Callable[[], bool], seconds: float, pause: float = 0.5) -> bool:
    """Wait until something holds; return whether it came to. No answer is a no."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if true():
                return True
        except OSError:
            pass
        time.sleep(pause)
    return False
