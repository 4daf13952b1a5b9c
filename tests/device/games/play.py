"""Shorthand for playing a game by its public commands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from device.table.state import state_hash
from device.table.table import read_night
from tests.device.builders import Bench


class Night:
    """A night of one game, its dice typed in."""

    def __init__(self, folder: Path, game: str) -> None:
        self.bench = Bench(folder)
        self.bench.do("choose_game", {"game": game})

    def do(self, command: str, /, **args: Any) -> None:
        self.bench.do(command, args)

    def throw(self, *dice: tuple[str, str]) -> Mapping[str, Any]:
        """Type in the faces of a throw and return what the rules say."""
        for die, face in dice:
            self.do("enter_die", die=die, face=face)
        return self.result

    def roll(self, check: str, *dice: tuple[str, str], **args: Any) -> Any:
        """Open a check and throw for it."""
        self.do("open_check", check=check, **args)
        return self.throw(*dice)

    @property
    def content(self) -> Any:
        return self.bench.content

    @property
    def result(self) -> Any:
        return self.content.result

    @property
    def said(self) -> str:
        """What the log said last."""
        return str(self.log.get("said", ""))

    @property
    def log(self) -> Mapping[str, Any]:
        return self.bench.board.snapshot.state.log[-1].params

    def ids(self, prefix: str) -> list[str]:
        return [key for key in self.content.sheet if key.startswith(f"{prefix}:")]

    def undo_all(self) -> None:
        while self.bench.board.snapshot.state.can_undo:
            self.do("undo")

    def replayed_hash(self) -> str:
        return state_hash(read_night(self.bench.table.path).state)

    @property
    def hash(self) -> str:
        return state_hash(self.bench.board.snapshot.state)

    def close(self) -> None:
        self.bench.close()
