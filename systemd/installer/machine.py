"""The machine itself: answers what files do not say, and does the steps."""

from __future__ import annotations

import errno
import os
import shutil
import socket
import struct
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from . import places
from .actions import (
    Action,
    GiveToRoot,
    InstallPackages,
    MakeFolder,
    MakeGroup,
    MakeLink,
    MakeRelease,
    MakeUser,
    Remove,
    RemoveFolderIfEmpty,
    RemoveGroup,
    RemoveTree,
    RemoveUser,
    Run,
    Switch,
    WriteFile,
)
from .releases import contents_of, make_release

TAIL_LINES: Final = 12
"""Lines of a failed command that are shown."""


class CommandFailed(Exception):
    """A command of the system failed; its text names the command and its last words.

    Attributes:
        words: The command.
    """

    def __init__(self, words: Sequence[str], said: str) -> None:
        self.words = tuple(words)
        tail = "\n".join(said.strip().splitlines()[-TAIL_LINES:])
        super().__init__(f"{' '.join(words)} failed:\n{tail}")


class Machine:
    """This machine.

    Args:
        source: The checkout, or the release that this program is part of.
        root: ``/``, or a folder that stands for it in tests.
    """

    def __init__(self, source: Path, root: Path = Path("/")) -> None:
        self.source = source
        self.root = root
        self.is_root = os.geteuid() == 0
        self.is_pi = "Raspberry Pi" in _first(Path("/proc/device-tree/model"))
        self.bits = struct.calcsize("P") * 8
        self.python = sys.version_info[:2]
        self.has_systemd = Path("/run/systemd/system").is_dir()

    # --- Answers -------------------------------------------------------------------

    def free_bytes(self) -> int:
        """Return the free space where releases go."""
        folder = self._path(places.HOME)
        while not folder.is_dir():
            folder = folder.parent
        return shutil.disk_usage(folder).free

    def installed(self, names: Sequence[str]) -> frozenset[str]:
        """Return which Debian packages are installed."""
        wanted = "${Package} ${db:Status-Status}\n"
        query = ["dpkg-query", "-W", "-f", wanted, *names]
        # It exits 1 if it does not know one of them, and still answers the others.
        said = subprocess.run(query, capture_output=True, text=True, check=False).stdout
        rows = (line.split() for line in said.splitlines())
        return frozenset(row[0] for row in rows if row[1:] == ["installed"])

    def is_active(self) -> bool:
        """Say whether the service runs."""
        if not self.has_systemd:
            return False
        words = ["systemctl", "is-active", "--quiet", places.UNIT_NAME]
        return subprocess.run(words, check=False).returncode == 0

    def is_port_free(self, port: int) -> bool:
        """Say whether nobody listens there; true where one may not even try."""
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("0.0.0.0", port))
            except OSError as error:
                return error.errno != errno.EADDRINUSE
        return True

    # --- Steps ---------------------------------------------------------------------

    def call(self, words: Sequence[str]) -> str:
        """Run a command and return what it prints.

        Raises:
            CommandFailed: It is not there, or its exit status is not 0.
        """
        quiet = {"DEBIAN_FRONTEND": "noninteractive", "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            done = subprocess.run(
                words, capture_output=True, text=True, env=os.environ | quiet
            )
        except OSError as error:
            raise CommandFailed(words, str(error)) from error
        if done.returncode:
            raise CommandFailed(words, done.stdout + done.stderr)
        return done.stdout

    def perform(self, action: Action) -> str:
        """Do one step.

        Returns:
            A warning, "" for none.

        Raises:
            CommandFailed: A command that must work did not.
            Refused: The packages of the new release do not agree.
            OSError: A file cannot be written or removed.
        """
        match action:
            case Run(words=words, must=must):
                return self._run(words, must=must)
            case InstallPackages(names=names):
                self.call(["apt-get", "update"])
                get = ["apt-get", "install", "-y", "--no-install-recommends"]
                self.call([*get, *names])
            case MakeGroup(name=name):
                self.call(["groupadd", "--system", name])
            case MakeUser(name=name, home=home, groups=groups):
                kind = ["--system", "--user-group", "--groups", ",".join(groups)]
                place = ["--no-create-home", "--home-dir", home]
                shell = ["--shell", "/usr/sbin/nologin"]
                self.call(["useradd", *kind, *place, *shell, name])
            case RemoveUser(name=name):
                self.call(["userdel", name])
            case RemoveGroup(name=name):
                self.call(["groupdel", name])
            case GiveToRoot(path=path):
                self.call(["chown", "-hR", "root:root", str(self._path(path))])
            case MakeRelease(number=number, on_pi=on_pi):
                make_release(
                    self.source,
                    self._path(f"{places.RELEASES}/{number}"),
                    on_pi=on_pi,
                    call=self.call,
                    contents=contents_of(self.source),
                )
            case _:
                self._change_files(action)
        return ""

    def _change_files(self, action: Action) -> None:
        match action:
            case MakeFolder(path=path):
                self._path(path).mkdir(mode=0o755, exist_ok=True)
            case WriteFile(path=path, text=text):
                write_atomically(self._path(path), text)
            case MakeLink(path=path, target=target):
                link_atomically(self._path(path), target)
            case Switch(number=number):
                link_atomically(self._path(places.CURRENT), f"releases/{number}")
            case Remove(path=path):
                self._path(path).unlink(missing_ok=True)
            case RemoveTree(path=path, last=last):
                self._remove_tree(self._path(path), self._path(last) if last else None)
            case RemoveFolderIfEmpty(path=path):
                folder = self._path(path)
                if folder.is_dir() and not any(folder.iterdir()):
                    folder.rmdir()
            case _:
                raise TypeError(f"no step: {action!r}")

    def _run(self, words: Sequence[str], *, must: bool) -> str:
        try:
            self.call(words)
        except CommandFailed as error:
            if must:
                raise
            return str(error)
        return ""

    def _remove_tree(self, folder: Path, last: Path | None) -> None:
        if last is not None and last.exists():
            for path in folder.iterdir():
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path)
                elif path != last:
                    path.unlink()
        shutil.rmtree(folder)

    def _path(self, path: str) -> Path:
        return self.root / path.lstrip("/")


def write_atomically(path: Path, text: str) -> None:
    """Write a file: a power cut leaves the old text or the new, whole.

    Its mode is the process's usual one; FAT, where the firmware's config.txt lies,
    refuses to have it changed.

    Raises:
        OSError: The disk is full or the folder is missing; the old text stays.
    """
    new = path.with_name(f".{path.name}.new")
    try:
        with new.open("w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def link_atomically(path: Path, target: str) -> None:
    """Make a symbolic link or turn it round; at no moment is there none.

    Raises:
        OSError: The folder is missing, or a folder stands where the link should.
    """
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)
    new.symlink_to(target)
    try:
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _first(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
