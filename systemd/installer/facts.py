"""What the installer knows of a machine before it decides anything."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from . import places
from .releases import MARK, contents_of

EXAMPLE: Final = "device/data/dicelight.toml.example"
UNIT_SOURCE: Final = f"systemd/{places.UNIT_NAME}"
TEXTS: Final = (
    places.MADE,
    places.CONFIG,
    places.UNIT,
    places.UDEV_RULES,
    places.AVAHI,
)
LINKS: Final = (places.CURRENT, places.ENVIRONMENT, places.COMMAND, places.WANTS)


@dataclass(frozen=True, slots=True)
class Made:
    """What the installer added outside its own folders, to be taken back one day.

    Attributes:
        user: It made the service's user.
        groups: It made these.
        folders: It made these, outermost first.
        packages: It had apt install these; they stay, and are named.
    """

    user: bool = False
    groups: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()

    def text(self) -> str:
        """Return it as the text of its file."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return json.dumps(fields, indent=1, sort_keys=True) + "\n"

    @classmethod
    def parse(cls, text: str) -> Made:
        """Return what a text says; a damaged one says nothing."""
        try:
            fields = json.loads(text)
            lists = {k: tuple(fields[k]) for k in ("groups", "folders", "packages")}
            return cls(user=bool(fields["user"]), **lists)
        except (ValueError, KeyError, TypeError):
            return cls()


@dataclass(frozen=True, slots=True)
class Release:
    """One release on the machine, or the checkout that may become one.

    Attributes:
        number: Counts up.
        contents: Hash of what it holds.
        is_complete: False where its making was interrupted.
        unit: Text of its unit file.
    """

    number: int
    contents: str
    is_complete: bool
    unit: str


@dataclass(frozen=True, slots=True)
class Facts:
    """The machine as found.

    Attributes:
        is_root: Of the program's own user.
        is_pi: A Raspberry Pi, whatever its system.
        bits: Of the system's Python, 32 or 64.
        python: Version of the system's Python.
        free_bytes: Where releases go.
        groups: Members of each group, the primary ones not counted.
        has_user: The service's user is there.
        packages: Which of the packages asked for are installed.
        has_pi_rules: Somebody else's udev rules care for the groups.
        texts: Of our files that are there.
        links: Of our links that are there.
        folders: Which of the folders that we may need are there.
        is_home_foreign: ``/opt/dicelight`` holds something that is not ours.
        releases: By number.
        current: Number of the release that runs, 0 for none.
        checkout: What lies beside this program.
        example: Text of the example configuration.
        boot_config: Path of the firmware's config.txt, or "".
        boot_text: Its text.
        has_systemd: It runs here (not so in a chroot).
        is_active: The service runs.
        is_port_80_free: Nobody else listens there.
        is_state_ours: The data belong to the service's user.
        has_hotspot: NetworkManager keeps a network that `systemd/hotspot` opened.
    """

    is_root: bool
    is_pi: bool
    bits: int
    python: tuple[int, int]
    free_bytes: int
    groups: Mapping[str, frozenset[str]]
    has_user: bool
    packages: frozenset[str]
    has_pi_rules: bool
    texts: Mapping[str, str]
    links: Mapping[str, str]
    folders: frozenset[str]
    is_home_foreign: bool
    releases: tuple[Release, ...]
    current: int
    checkout: Release
    example: str
    boot_config: str
    boot_text: str
    has_systemd: bool
    is_active: bool
    is_port_80_free: bool
    is_state_ours: bool
    has_hotspot: bool

    @property
    def made(self) -> Made:
        """What earlier runs have added."""
        return Made.parse(self.texts.get(places.MADE, ""))


class Probe(Protocol):
    """Questions that only the running system answers."""

    is_root: bool
    is_pi: bool
    bits: int
    python: tuple[int, int]
    has_systemd: bool

    def free_bytes(self) -> int:
        """Return the free space where releases go."""
        ...

    def installed(self, names: Sequence[str]) -> frozenset[str]:
        """Return which Debian packages are installed."""
        ...

    def is_active(self) -> bool:
        """Say whether the service runs."""
        ...

    def is_port_free(self, port: int) -> bool:
        """Say whether nobody listens there."""
        ...


def gather(root: Path, source: Path, probe: Probe) -> Facts:
    """Look at the machine; changes nothing.

    Args:
        root: ``/``, or a folder that stands for it.
        source: The checkout, or the release that this program is part of.
        probe: Answers what files do not.
    """

    def under(path: str) -> Path:
        return root / path.lstrip("/")

    texts = _present(TEXTS, lambda path: _read(under(path)))
    boot = next((p for p in places.BOOT_CONFIGS if under(p).is_file()), "")
    passwd = _table(under("/etc/passwd"))
    owner = next((row[2] for row in passwd if row[0] == places.NAME), "")
    state = under(places.STATE)
    releases = _releases(under(places.RELEASES))
    return Facts(
        is_root=probe.is_root,
        is_pi=probe.is_pi,
        bits=probe.bits,
        python=probe.python,
        free_bytes=probe.free_bytes(),
        groups={
            row[0]: frozenset(filter(None, row[3].split(",")))
            for row in _table(under("/etc/group"))
        },
        has_user=bool(owner),
        packages=probe.installed((*places.PACKAGES, *places.PI_PACKAGES)),
        has_pi_rules=_has_pi_rules(under),
        texts=texts,
        links=_present(LINKS, lambda path: _target(under(path))),
        folders=frozenset(p for p in _folders_needed() if under(p).is_dir()),
        is_home_foreign=_is_foreign(under(places.HOME)),
        releases=releases,
        current=_current(_target(under(places.CURRENT)), releases),
        checkout=Release(
            number=0,
            contents=contents_of(source),
            is_complete=True,
            unit=(source / UNIT_SOURCE).read_text(encoding="utf-8"),
        ),
        example=(source / EXAMPLE).read_text(encoding="utf-8"),
        boot_config=boot,
        boot_text=(_read(under(boot)) or "") if boot else "",
        has_systemd=probe.has_systemd,
        is_active=probe.is_active(),
        is_port_80_free=probe.is_port_free(80),
        is_state_ours=state.is_dir() and str(state.stat().st_uid) == owner,
        has_hotspot=under(places.HOTSPOT_FILE).exists(),
    )


def parents(path: str) -> tuple[str, ...]:
    """Return the folders above a path, outermost first, without ``/``."""
    above = [str(folder) for folder in Path(path).parents if str(folder) != "/"]
    return tuple(reversed(above))


def _folders_needed() -> tuple[str, ...]:
    inside = (*TEXTS, *LINKS, f"{places.RELEASES}/0")
    found = {folder for path in inside for folder in parents(path)}
    return (*sorted(found), places.STATE)


def _present(paths: Sequence[str], look: Callable[[str], str | None]) -> dict[str, str]:
    found = {path: look(path) for path in paths}
    return {path: text for path, text in found.items() if text is not None}


def _read(path: Path) -> str | None:
    """Return a file's text, None where there is none; strange bytes are kept apart."""
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except FileNotFoundError:
        return None


def _target(path: Path) -> str | None:
    return str(path.readlink()) if path.is_symlink() else None


def _table(path: Path) -> list[list[str]]:
    """Return the rows of passwd(5) or group(5)."""
    rows = [line.split(":") for line in (_read(path) or "").splitlines()]
    return [row for row in rows if len(row) >= 4]


def _has_pi_rules(under: Callable[[str], Path]) -> bool:
    files = [
        file
        for folder in places.UDEV_FOLDERS
        for file in sorted(under(folder).glob("*.rules"))
        if file != under(places.UDEV_RULES)
    ]
    return any('GROUP="spi"' in (_read(file) or "") for file in files)


def _is_foreign(home: Path) -> bool:
    known = {Path(places.MADE).name, Path(places.RELEASES).name}
    return (
        home.is_dir()
        and any(home.iterdir())
        and not any((home / name).exists() for name in known)
    )


def _releases(folder: Path) -> tuple[Release, ...]:
    numbered = [p for p in folder.glob("*") if p.name.isdigit() and p.is_dir()]
    return tuple(_release(p) for p in sorted(numbered, key=lambda p: int(p.name)))


def _release(folder: Path) -> Release:
    try:
        mark: Any = json.loads((folder / MARK).read_text(encoding="utf-8"))
        contents = str(mark["contents"])
    except (OSError, ValueError, KeyError, TypeError):
        contents = ""
    unit = _read(folder / UNIT_SOURCE) or ""
    return Release(int(folder.name), contents, bool(contents and unit), unit)


def _current(target: str | None, releases: Sequence[Release]) -> int:
    name = Path(target or "").name
    number = int(name) if name.isdigit() else 0
    return number if any(r.number == number for r in releases) else 0
