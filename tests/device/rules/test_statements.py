"""Every rule says where it comes from, every row of data what it rests on."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from device.data.load import table
from device.rules.texts import TEXTS

ROOT = Path(__file__).parents[3]
RULES = sorted((ROOT / "device" / "rules").rglob("*.py"))
SHARED = ROOT.parent / "shared" / "rules"
DATA = ("bands", "dice_demo", "dice_foww", "munchkin", "special", "stalker")


@pytest.mark.parametrize("path", RULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_public_rule_names_its_source(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    silent = [
        node.name
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
        and not node.name.startswith("_")
        and "Source:" not in (ast.get_docstring(node) or "")
    ]
    assert not silent, f"no `Source:` in {', '.join(silent)}"


def rows(value: object) -> list[dict]:
    """Every table that stands in a list, at any depth."""
    if isinstance(value, dict):
        return [row for inner in value.values() for row in rows(inner)]
    if isinstance(value, list):
        own = [item for item in value if isinstance(item, dict)]
        return own + [row for item in own for row in rows(item)]
    return []


@pytest.mark.parametrize("name", DATA)
def test_every_row_of_data_has_a_source_and_says_whether_it_is_verified(
    name: str,
) -> None:
    found = rows(table(name))
    assert found
    for row in found:
        assert isinstance(row.get("verified"), bool), row
        assert row.get("source"), row


def test_every_sentence_is_short_and_has_no_stray_brace() -> None:
    for key, text in TEXTS.items():
        assert 0 < len(text) <= 90, key
        assert "{" not in re.sub(r"\{[a-z_]+\}", "", text), key


@pytest.mark.skipif(not SHARED.is_dir(), reason="no rules text beside the checkout")
def test_every_step_of_the_main_game_is_a_rule_of_its_glossary() -> None:
    text = (SHARED / "foww.md").read_text(encoding="utf-8")
    glossary = text.split("## 24. Glossary")[1].split("## 25.")[0]
    keys = {
        key
        for line in glossary.splitlines()
        if line.startswith("| `")
        for key in re.findall(r"`(\w+)`", line.split("|")[1])
    }
    from device.rules.foww.texts import TEXTS as FOWW

    assert {key.partition(".")[0] for key in FOWW} - keys == set()
