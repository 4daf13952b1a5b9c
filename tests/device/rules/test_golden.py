"""The golden cases that lie beside the checkout, where they do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from device.rules.resolve import GAMES, resolve_batch

CASES = Path(__file__).parents[3].parent / "shared" / "rules" / "cases"

pytestmark = pytest.mark.skipif(
    not CASES.is_dir(), reason=f"no golden cases beside the checkout ({CASES})"
)


def holds(expected: Any, got: Any) -> bool:
    """Whether `got` has everything that `expected` states."""
    if isinstance(expected, dict):
        return isinstance(got, dict) and all(
            key in got and holds(value, got[key]) for key, value in expected.items()
        )
    if isinstance(expected, list):
        return (
            isinstance(got, list)
            and len(got) == len(expected)
            and all(holds(e, g) for e, g in zip(expected, got, strict=True))
        )
    if isinstance(expected, bool) or isinstance(got, bool):
        return expected is got
    return bool(expected == got)


@pytest.mark.parametrize("game", GAMES)
def test_every_golden_case_holds(game: str) -> None:
    lines = (CASES / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()
    cases = {case["id"]: case for case in map(json.loads, filter(None, lines))}
    asked = [
        json.dumps({"id": i, "game": game, "kind": c["kind"], "given": c["given"]})
        for i, c in cases.items()
    ]
    wrong = []
    for line in resolve_batch(asked):
        answer = json.loads(line)
        case = cases[answer["id"]]
        got = answer.get("result", answer)
        if not holds(case["expect"], got):
            wrong.append(f"{case['id']}: {case['why']}: got {got}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_the_cases_is_known(game: str) -> None:
    lines = (CASES / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()
    kinds = {json.loads(line)["kind"] for line in filter(None, lines)}
    assert kinds - {"no_such_kind"} <= set(GAMES[game])
