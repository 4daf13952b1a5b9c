"""What the installer may do to a machine: values, each saying itself in one line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from .places import CURRENT, RELEASES


@dataclass(frozen=True, slots=True)
class InstallPackages:
    """Install Debian packages with apt."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        return f"install with apt: {' '.join(self.names)}"


@dataclass(frozen=True, slots=True)
class MakeGroup:
    """Make a system group."""

    name: str

    def __str__(self) -> str:
        return f"make the group {self.name}"


@dataclass(frozen=True, slots=True)
class MakeUser:
    """Make the system user that the service runs as; nobody can log in as it."""

    name: str
    home: str
    groups: tuple[str, ...]

    def __str__(self) -> str:
        groups = ", ".join(self.groups)
        return f"make the user {self.name}, who cannot log in, in the groups {groups}"


@dataclass(frozen=True, slots=True)
class RemoveUser:
    """Remove a user and the group of the same name."""

    name: str

    def __str__(self) -> str:
        return f"remove the user {self.name}"


@dataclass(frozen=True, slots=True)
class RemoveGroup:
    """Remove a group."""

    name: str

    def __str__(self) -> str:
        return f"remove the group {self.name}"


@dataclass(frozen=True, slots=True)
class MakeFolder:
    """Make a folder, root's, readable by all."""

    path: str

    def __str__(self) -> str:
        return f"make the folder {self.path}"


@dataclass(frozen=True, slots=True)
class WriteFile:
    """Write a file in one stroke: the old text or the new, also after a power cut."""

    path: str
    text: str
    why: str

    def __str__(self) -> str:
        return f"write {self.path} ({self.why})"


@dataclass(frozen=True, slots=True)
class MakeLink:
    """Make a symbolic link, or turn it round in one stroke."""

    path: str
    target: str

    def __str__(self) -> str:
        return f"link {self.path} -> {self.target}"


@dataclass(frozen=True, slots=True)
class MakeRelease:
    """Copy the checkout, make its environment, check it, mark it as complete.

    Attributes:
        number: Of the release.
        on_pi: numpy, picamera2 and the pins come from the system's packages.
    """

    number: int
    on_pi: bool

    def __str__(self) -> str:
        packages = "the system's packages beside it" if self.on_pi else "self-contained"
        return (
            f"make release {self.number} in {RELEASES}/{self.number}: copy, Python "
            f"environment ({packages}), check that all imports agree"
        )


@dataclass(frozen=True, slots=True)
class Switch:
    """Make a release the current one, in one stroke."""

    number: int

    def __str__(self) -> str:
        return f"switch {CURRENT} to release {self.number}"


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove a file or link."""

    path: str

    def __str__(self) -> str:
        return f"remove {self.path}"


@dataclass(frozen=True, slots=True)
class RemoveTree:
    """Remove a folder with all it holds; `last` names a file in it that goes last."""

    path: str
    last: str = ""

    def __str__(self) -> str:
        return f"remove {self.path} and all it holds"


@dataclass(frozen=True, slots=True)
class RemoveFolderIfEmpty:
    """Remove a folder unless somebody else has put something into it."""

    path: str

    def __str__(self) -> str:
        return f"remove the folder {self.path} if it is empty"


@dataclass(frozen=True, slots=True)
class GiveToRoot:
    """Let root own a folder and all it holds, so that no later user inherits it."""

    path: str

    def __str__(self) -> str:
        return f"give {self.path} to root"


@dataclass(frozen=True, slots=True)
class Run:
    """Run a command of the system.

    Attributes:
        words: The command.
        must: Whether its failure is ours.
    """

    words: tuple[str, ...]
    must: bool = True

    def __str__(self) -> str:
        return f"run {' '.join(self.words)}"


Action: TypeAlias = (
    InstallPackages
    | MakeGroup
    | MakeUser
    | RemoveUser
    | RemoveGroup
    | MakeFolder
    | WriteFile
    | MakeLink
    | MakeRelease
    | Switch
    | Remove
    | RemoveTree
    | RemoveFolderIfEmpty
    | GiveToRoot
    | Run
)


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps in order, and what a person should know besides.

    Attributes:
        actions: Empty where all is as it should be.
        notes: Whole sentences.
    """

    actions: tuple[Action, ...] = ()
    notes: tuple[str, ...] = ()


class Refused(Exception):
    """The machine or the request does not allow it; nothing was done.

    Attributes:
        problems: One line each.
    """

    def __init__(self, *problems: str) -> None:
        self.problems = problems
        super().__init__("; ".join(problems))
