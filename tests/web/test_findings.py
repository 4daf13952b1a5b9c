from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.ailing import WORST_FIRST
from device.doctor.finding import Finding
from hardware.ws2812 import buffer_advice
from tests.web.test_faults import filled
from web.faults import FAULTS, fits
from web.findings import FEW_WORDS, LINES, NAMES, finding_name

DOCTOR = Path(__file__).parents[2] / "device" / "doctor"


def said(node: ast.expr) -> Iterator[str]:
    """Yield every text that an expression may come to, its places filled with X."""
    if isinstance(node, ast.IfExp):
        yield from said(node.body)
        yield from said(node.orelse)
    elif isinstance(node, ast.BinOp):
        for left in said(node.left):
            yield from (left + right for right in said(node.right))
    else:
        yield filled(node)


def findings() -> Iterator[tuple[str, ast.Call]]:
    for path in sorted(DOCTOR.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Finding":
                yield f"{path.name}:{node.lineno}", node


def test_every_line_of_the_doctor_is_known_to_the_page() -> None:
    calls = list(findings())
    assert len(calls) > 40, "the search found too little"
    unknown = {
        (where, text)
        for where, call in calls
        for part in call.args[2:]
        for text in said(part)
        if len(text.split()) >= FEW_WORDS and not fits(text, (*LINES, *FAULTS))
    }
    assert unknown == set()
    assert fits(buffer_advice(9000), LINES)
    assert all(fits(advice, FAULTS) for advice in WORST_FIRST.values())


def test_every_thing_that_is_looked_at_has_a_name() -> None:
    names = {text for _, call in findings() for text in said(call.args[0])}
    own = {"X", "strip X buffer", "dicelight", "python", "sqlite"}
    assert names - own <= set(NAMES)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("camera", "Camera"),
        ("strip ruler", "LED ruler (ruler)"),
        ("strip ruler buffer", "LED ruler (ruler): Buffer"),
        ("numpy", "numpy"),
    ],
)
def test_a_name_is_told(name: str, shown: str) -> None:
    assert finding_name(Finding(name, "ok", "")) == shown
