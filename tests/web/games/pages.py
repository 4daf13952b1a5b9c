"""Shorthand for playing a game on the page, and for what must hold on each screen."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from tests.web.table import OWN, RUSSIAN
from tests.web.test_languages import english_on


def open_game(player: FlaskClient, game: str) -> None:
    answer = player.post("/game", data={"game": game}, headers=OWN)
    assert answer.status_code == 303


def play(phone: FlaskClient, command: str, /, **form: Any) -> None:
    answer = phone.post(f"/play/{command}", data=form, headers=OWN)
    assert answer.status_code == 303, answer.text


def ask(phone: FlaskClient, check: str, /, **form: Any) -> None:
    answer = phone.post("/now/open", data={"check": check, **form}, headers=OWN)
    assert answer.status_code == 303, answer.text


def no_english(player: FlaskClient, *paths: str, known: tuple[str, ...] = ()) -> None:
    """Hold that no screen shows an English word but those that players typed."""
    for path in ("/now", "/units", "/rulers", "/log", "/dice", "/game", *paths):
        answer = player.get(path, headers=RUSSIAN)
        assert answer.status_code == 200, path
        words = english_on(answer.text) - set(known) - NAMES
        assert words == set(), (path, words)


NAMES = {"STALKER", "ZONA", "Munchkin", "Fallout", "Wasteland", "Warfare", "CIAL"}
"""Names of games are not translated; `S.P.E.C.I.A.L.` is no word at all."""


def reasons_of(game: str) -> set[str]:
    """Return every reason for which a game's commands are refused."""
    root = Path(__file__).parents[3] / "device" / "games"
    found: set[str] = set()
    for path in (root / game).rglob("*.py"):
        for call in re.findall(r"refuse\((.*?)\)", path.read_text("utf-8"), re.S):
            found |= set(re.findall(r'"([a-z]+(?:_[a-z0-9]+)+)"', call))
    return found


def said_by(game: str) -> set[str]:
    """Return every key under which a game tells the log something."""
    root = Path(__file__).parents[3] / "device" / "games" / game
    sources = (path.read_text("utf-8") for path in root.rglob("*.py"))
    return {
        key for text in sources for key in re.findall(rf'"({game}\.[a-z_]+)"', text)
    }
