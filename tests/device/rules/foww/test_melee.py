from __future__ import annotations

import pytest

from tests.device.rules.foww.asking import ask, fault

GOOD = {"los_at_start": True, "reaches_contact": True, "token": "green"}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"engaged": True, "los_at_start": False}, "engaged"),
        ({"los_at_start": False, "reaches_contact": False}, "no_los"),
        ({"reaches_contact": False}, "no_contact"),
        ({"los_at_start": False, "ignore_los": True}, None),
        ({}, None),
    ],
)
def test_a_charge_needs_sight_and_contact(changes: dict, reason: str | None) -> None:
    found = ask("charge", **GOOD | changes)
    assert (found["allowed"], found["reason"]) == (reason is None, reason)
    assert found["tokens"] == ([] if reason else ["green"])
    assert found["provocation_for_target"] is (reason is None)
    assert (found["push_back"], found["defender_may_leave"]) == (False, False)


@pytest.mark.parametrize(
    ("winner", "tokens", "provokes", "push", "leave"),
    [
        (None, ["green"], True, False, False),
        ("attacker", ["black", "green"], False, True, False),
        ("defender", [], True, False, True),
    ],
)
def test_a_battle_cry_decides_the_tokens(winner, tokens, provokes, push, leave) -> None:
    found = ask("charge", **GOOD, battle_cry=winner)
    assert found["tokens"] == tokens
    assert found["provocation_for_target"] is provokes
    assert (found["push_back"], found["defender_may_leave"]) == (push, leave)


def test_an_allowed_charge_needs_its_token() -> None:
    assert fault("charge", los_at_start=True, reaches_contact=True) == "token"
    assert ask("charge", engaged=True)["reason"] == "engaged"


def seen(*names: str) -> list[dict]:
    return [{"id": name, "contact": True, "los": True} for name in names]


@pytest.mark.parametrize(
    ("others", "tokens"),
    [
        ([], "tttt"),
        (seen("a"), "tata"),
        (seen("a", "b"), "tabt"),
        (seen("a", "b", "c"), "tabc"),
        (seen("a", "b", "c", "d"), "tabc"),
        ([{"id": "x", "contact": True}, {"id": "y", "los": True}, *seen("a")], "tata"),
    ],
)
def test_tokens_are_given_out_and_start_again_with_the_target(others, tokens) -> None:
    for die in "1234":
        found = ask("melee_allocation", target="t", others=others, die=die)
        assert found["tokens"] == dict(zip("1234", tokens, strict=True))
        assert found["hit"] == tokens[int(die) - 1]


ENEMIES = [
    {"id": "a"},
    {"id": "b", "other_engaged": True},
    {"id": "c", "stunned": True},
    {"id": "d"},
]


@pytest.mark.parametrize(
    ("by", "allowed", "attacks"),
    [
        ("move", True, ["a", "d"]),
        ("slide", True, []),
        ("push_back", True, []),
        ("charge", False, []),
    ],
)
def test_free_attacks_come_only_from_idle_enemies_of_a_mover(by, allowed, attacks):
    found = ask("melee_exit", by=by, enemies=ENEMIES)
    assert (found["allowed"], found["free_attacks"]) == (allowed, attacks)
    assert found["rating_modifier"] == -2
