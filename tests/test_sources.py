"""What every source file must be, as far as a program can tell."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OURS = ("device", "vision", "web", "hardware")
SOURCES = sorted(p for d in OURS for p in (ROOT / d).rglob("*.py"))
ALL = SOURCES + sorted((ROOT / "tests").rglob("*.py"))
LONGEST = 450
BAD_NAMES = {"utils", "helpers", "misc", "common", "manager", "stuff"}


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def may_print(path: Path) -> bool:
    return (
        name(path).startswith(("device/cli", "device/commands", "vision/train"))
        or path.name == "__main__.py"
    )


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_a_source_says_in_one_sentence_what_it_is(path: Path) -> None:
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert text and text.splitlines()[0].strip()[-1] in ".!?:;", name(path)


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_only_the_command_line_prints(path: Path) -> None:
    if may_print(path):
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    demo = {
        inner
        for node in tree.body
        if isinstance(node, (ast.If, ast.FunctionDef))
        and (isinstance(node, ast.If) or node.name in ("main", "_demo"))
        for inner in ast.walk(node)
    }
    lines = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "print"
        and node not in demo
    ]
    assert not lines, f"print in lines {lines}"


@pytest.mark.parametrize("path", ALL, ids=name)
def test_errors_are_caught_narrowly(path: Path) -> None:
    wrong = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ExceptHandler):
            silent = all(isinstance(s, ast.Pass) for s in node.body)
            wide = node.type is None or (
                isinstance(node.type, ast.Name)
                and node.type.id in ("Exception", "BaseException")
            )
            if node.type is None or (wide and silent):
                wrong.append(node.lineno)
    assert not wrong, f"too wide in lines {wrong}"


@pytest.mark.parametrize("path", ALL, ids=name)
def test_a_file_is_small_and_named_after_a_thing(path: Path) -> None:
    assert path.stem not in BAD_NAMES
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


def test_nothing_is_left_half_done() -> None:
    marks = re.compile(r"\b(TODO|FIXME|XXX|NotImplementedError)\b")
    found = [
        f"{name(path)}:{number}"
        for path in ALL
        if path != Path(__file__)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if marks.search(line)
    ]
    assert not found, found


def test_product_code_does_not_know_that_it_is_tested() -> None:
    words = re.compile(r"\b(if|elif) .*\b(testing|pytest|PYTEST_CURRENT_TEST)\b")
    found = [name(p) for p in SOURCES if words.search(p.read_text(encoding="utf-8"))]
    assert not found, found


def test_our_own_names_are_spelt_the_british_way() -> None:
    american = re.compile(r"(^|_)(color|armor|gray|center|serialize)($|_|s$)")
    found = []
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                names = [node.name]
                if isinstance(node, ast.FunctionDef):
                    names += [a.arg for a in node.args.args + node.args.kwonlyargs]
                found += [
                    f"{name(path)}:{node.lineno} {n}"
                    for n in names
                    if american.search(n.lower())
                ]
    assert not found, found


def test_every_test_folder_is_a_package() -> None:
    folders = {p.parent for p in (ROOT / "tests").rglob("*.py")}
    assert not [f for f in folders if not (f / "__init__.py").exists()]
