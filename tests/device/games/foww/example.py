"""Reads the example game: a whole game as data, line by line a command.

``example_game.toml`` names both armies, short names of the models, the parts of the
game with one command a line, and what lies on the table in the end:

    begin KIND [MODEL] [quick] [override]    flow_begin
    choose KEY [KEY ...] [override]          flow_choose; several where it asks for them
    number N                                 flow_choose
    skip, back, resume, cancel               flow_skip, ...
    roll skill=3 black=dmg,pen               enter_die for every die
    fix armour=2                             correct_die of the last die of that name
    token MODEL NAME +1                      token, by hand
    do NAME KEY=VALUE ...                    any other command
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from device.games.foww.flows.show import flow_view
from device.table.state import Content

FILE = "example_game.toml"


@dataclass(frozen=True)
class Line:
    """One line of the game."""

    number: int
    part: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"line {self.number} ({self.part}): {' '.join(self.words)}"


@dataclass(frozen=True)
class Game:
    """The example game."""

    rosters: Mapping[str, str]
    models: Mapping[str, str]
    lines: tuple[Line, ...]
    end: Mapping[str, Any]

    def commands(self, line: Line, content: Content) -> Iterator[tuple[str, Any]]:
        """Iterate over the commands of a line, each a name and its arguments."""
        verb, *words = line.words
        words = [self.models.get(word, word) for word in words]
        flags = {name: True for name in ("quick", "override") if name in words}
        words = [word for word in words if word not in flags]
        if verb == "begin":
            model = {"model": words[1]} if len(words) > 1 else {}
            yield "flow_begin", {"kind": words[0], **model, **flags}
        elif verb == "choose":
            view = flow_view(content)
            several = view is not None and view.asks == "several"
            yield "flow_choose", {"choose": words if several else words[0], **flags}
        elif verb == "number":
            yield "flow_choose", {"number": int(words[0])}
        elif verb in ("skip", "back", "resume", "cancel"):
            yield f"flow_{verb}", {}
        elif verb == "roll":
            for word in words:
                die, _, faces = word.partition("=")
                for face in faces.split(","):
                    yield "enter_die", {"die": die, "face": face}
        elif verb == "fix":
            yield "correct_die", _last_die(content, *words[0].split("="))
        elif verb == "token":
            change = {"token": words[-2], "change": int(words[-1]), **flags}
            model = {"model": words[0]} if len(words) == 3 else {}
            yield "token", model | change
        else:
            yield words[0], dict(word.split("=") for word in words[1:]) | flags


def _last_die(content: Content, name: str, face: str) -> dict[str, str]:
    for check in (content.check, content.last.check if content.last else None):
        for die in check.roll.dice if check is not None and check.roll else ():
            if check is not None and check.roll is not None and die.die == name:
                return {"roll": check.roll.id, "die": die.id, "face": face}
    raise AssertionError(f"no {name} die was thrown")


def load_game() -> Game:
    """Return the example game."""
    text = resources.files(__package__).joinpath(FILE).read_text("utf-8")
    data = tomllib.loads(text)
    lines = []
    for part in data["part"]:
        for text_line in part["play"].splitlines():
            words = tuple(text_line.partition("#")[0].split())
            if words:
                lines.append(Line(len(lines) + 1, part["name"], words))
    return Game(data["rosters"], data["models"], tuple(lines), data["end"])
