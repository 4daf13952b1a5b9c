"""What holds for the code of every game: exact numbers, nothing asked by game."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from device.games.registry import GAMES
from device.rules.step import plain
from web.games.registry import PAGES

ROOT = Path(__file__).parents[3]
OTHERS = ("munchkin", "special", "stalker")
FOR_LEDS = {"_inches"}
"""Functions that turn exact lengths into millimetres of light."""

EXACT = [
    path
    for game in OTHERS
    for folder in ("rules", "games")
    for path in sorted((ROOT / "device" / folder / game).glob("*.py"))
] + sorted((ROOT / "device" / "games").glob("*.py"))

ASKED_BY_NOBODY = [
    ROOT / "device" / "games" / "foww",
    ROOT / "device" / "rules" / "foww",
    ROOT / "web",
    *(ROOT / "device" / f"{name}.py" for name in ("companion", "decisions", "rolls")),
]


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def inexact(tree: ast.AST) -> Iterator[str]:
    """Yield what would take a number through binary floating point."""
    spared: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name in FOR_LEDS:
            spared |= set(ast.walk(node))
    for node in ast.walk(tree):
        if node in spared:
            continue
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            yield f"line {node.lineno}: /"
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            yield f"line {node.lineno}: {node.value}"
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "float":
            yield f"line {node.lineno}: float()"


@pytest.mark.parametrize("path", EXACT, ids=name)
def test_no_number_of_a_game_goes_through_binary_floating_point(path: Path) -> None:
    assert list(inexact(ast.parse(path.read_text("utf-8")))) == []


def test_the_search_for_inexact_numbers_finds_them() -> None:
    found = list(inexact(ast.parse("a = b / 2\nc = 0.7 * d\ne = float(f)")))
    assert len(found) == 3


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Fraction(3), 3),
        (Fraction(508, 10), "50.8"),
        (Fraction(-1, 3), "-0.3333"),
        (Fraction(2, 3), "0.6667"),
        (Fraction(9, 20), "0.45"),
    ],
)
def test_a_sentence_shows_a_fraction_by_its_digits(
    value: Fraction, shown: int | str
) -> None:
    assert plain(value) == shown


def asks_for_a_game(tree: ast.AST) -> Iterator[int]:
    """Yield lines that compare something with the key of a game."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            keys = [one.value for one in sides if isinstance(one, ast.Constant)]
            if any(key in GAMES for key in keys if isinstance(key, str)):
                yield node.lineno
        case = node.value if isinstance(node, ast.MatchValue) else None
        if isinstance(case, ast.Constant) and case.value in GAMES:
            yield node.lineno


def sources(place: Path) -> list[Path]:
    return [place] if place.is_file() else sorted(place.rglob("*.py"))


def test_nothing_shared_asks_which_game_it_is() -> None:
    wrong = [
        f"{name(path)}:{line}"
        for place in ASKED_BY_NOBODY
        for path in sources(place)
        for line in asks_for_a_game(ast.parse(path.read_text("utf-8")))
    ]
    keys = "|".join(GAMES)
    asked = re.compile(
        rf"game *[=!]= *['\"]({keys})|['\"]({keys})['\"] *[=!]= *\S*game"
    )
    wrong += [
        name(path)
        for path in sorted((ROOT / "web" / "templates").rglob("*.html"))
        if asked.search(path.read_text("utf-8"))
    ]
    assert wrong == []


def test_the_search_for_games_finds_them() -> None:
    tree = ast.parse("if game == 'foww': pass\nmatch game:\n    case 'special': pass")
    assert sorted(asks_for_a_game(tree)) == [1, 3]


def test_every_game_has_a_page_and_no_two_share_a_kind_of_check() -> None:
    assert set(GAMES) == set(PAGES)
    kinds = [kind for game in GAMES.values() for kind in game.checks]
    assert len(set(kinds)) == len(kinds)
    for key, game in GAMES.items():
        page = PAGES[key]
        assert set(page.asks) | set(page.check_words) >= set(game.checks)
