"""A machine in a scratch folder: real files, and commands that edit them."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

SYSTEMD = Path(__file__).parents[2] / "systemd"
if str(SYSTEMD) not in sys.path:
    sys.path.insert(0, str(SYSTEMD))

from installer import places  # noqa: E402
from installer.actions import Plan  # noqa: E402
from installer.facts import Facts, gather  # noqa: E402
from installer.machine import CommandFailed, Machine  # noqa: E402

EXAMPLE = (SYSTEMD.parent / "device/data/dicelight.toml.example").read_text("utf-8")
UNIT = (SYSTEMD / places.UNIT_NAME).read_text("utf-8")


def make_checkout(folder: Path, *, text: str = "one") -> Path:
    """A checkout as small as it can be; `text` tells it from others."""
    files = {
        "device/data/dicelight.toml.example": EXAMPLE,
        "device/__init__.py": f"# {text}\n",
        "systemd/dicelight.service": f"{UNIT}# {text}\n",
        "systemd/installer/check_imports.py": "",
        ".ci/lock/base.txt": "",
        ".ci/lock/not-on-pi.txt": "",
        "pyproject.toml": "",
    }
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


class ScratchMachine(Machine):
    """A Debian with systemd in a folder; what the commands do is seen in its files.

    Attributes:
        said: Every command, joined.
        fails: A command that begins so fails.
        report: What the check of the imports finds.
        active: The service runs.
        packages: Installed.
        taken: Ports that somebody listens on.
    """

    def __init__(self, source: Path, root: Path) -> None:
        super().__init__(source, root)
        self.is_root = True
        self.is_pi = False
        self.bits = 64
        self.python = (3, 11)
        self.has_systemd = True
        self.said: list[str] = []
        self.fails = ""
        self.report: dict[str, dict[str, str]] = {"numpy": {"version": "2.1.0"}}
        self.active = False
        self.packages = {"python3-venv"}
        self.taken: set[int] = set()
        self.free = 10**10
        for folder in ("etc/systemd/system", "opt", "usr/local/bin", "var/lib"):
            (root / folder).mkdir(parents=True, exist_ok=True)
        self._write("/etc/passwd", "root:x:0:0:root:/root:/bin/bash\n")
        self._write("/etc/group", "root:x:0:\nvideo:x:44:\n")

    def free_bytes(self) -> int:
        return self.free

    def installed(self, names: Sequence[str]) -> frozenset[str]:
        return frozenset(self.packages & set(names))

    def is_active(self) -> bool:
        return self.active

    def is_port_free(self, port: int) -> bool:
        return port not in self.taken

    def facts(self) -> Facts:
        return gather(self.root, self.source, self)

    def carry_out(self, plan: Plan, *, until: int | None = None) -> None:
        """Do a plan, or its first steps, as if the power went after them."""
        for action in plan.actions[:until]:
            self.perform(action)

    def files(self) -> dict[str, str]:
        """Everything in the folder: text of files, targets of links."""
        found = {}
        for path in sorted(self.root.rglob("*")):
            name = "/" + path.relative_to(self.root).as_posix()
            if path.is_symlink():
                found[name] = f"-> {path.readlink()}"
            else:
                found[name] = path.read_text("utf-8") if path.is_file() else "folder"
        return found

    def call(self, words: Sequence[str]) -> str:
        line = " ".join(words)
        self.said.append(line)
        if self.fails and line.startswith(self.fails):
            raise CommandFailed(words, "it said no")
        if "check_imports.py" in line:
            return json.dumps(self.report)
        if "venv" in words:
            Path(words[-1], "bin").mkdir(parents=True)
        elif words[:2] == ["apt-get", "install"]:
            self.packages |= set(words[4:])
        elif tuple(words[:2]) == ("systemctl", "restart"):
            self.active = True
        elif tuple(words[:2]) == ("systemctl", "stop"):
            self.active = False
        elif words[0].startswith(("group", "user")):
            self._change_users(list(words))
        return ""

    def _change_users(self, words: list[str]) -> None:
        groups = [row.split(":") for row in self._read("/etc/group")]
        users = self._read("/etc/passwd")
        name = words[-1]
        if words[0] in ("groupadd", "useradd"):
            assert all(row[0] != name for row in groups), f"{name} is there"
            groups.append([name, "x", "990", ""])
        if words[0] == "useradd":
            users.append(f"{name}:x:{_own_uid()}:990::/var/lib/dicelight:/nologin")
        if words[0] in ("groupdel", "userdel"):
            groups = [row for row in groups if row[0] != name]
        if words[0] == "userdel":
            users = [row for row in users if not row.startswith(f"{name}:")]
            for row in groups:
                row[3] = ",".join(m for m in row[3].split(",") if m != name)
        if words[0] in ("useradd", "usermod") and "--groups" in words:
            joins = words[words.index("--groups") + 1].split(",")
            assert set(joins) <= {row[0] for row in groups}, "no such group"
            for row in groups:
                if row[0] in joins:
                    row[3] = ",".join(filter(None, [*row[3].split(","), name]))
        self._write("/etc/group", "".join(":".join(row) + "\n" for row in groups))
        self._write("/etc/passwd", "".join(row + "\n" for row in users))

    def _read(self, path: str) -> list[str]:
        return (self.root / path[1:]).read_text("utf-8").splitlines()

    def _write(self, path: str, text: str) -> None:
        (self.root / path[1:]).write_text(text, encoding="utf-8")


def _own_uid() -> int:
    """The scratch folder's data belong to whoever runs the tests."""
    import os

    return os.geteuid()
