from __future__ import annotations

import pytest

from tests.device.rules.foww.asking import ask, fault

MISS = {"rating": 5, "skill": "7"}
HIT = {"rating": 5, "skill": "4"}
USES = {
    "accuracy": {"check": MISS},
    "dodge": {"check": HIT},
    "toughness": {"damage": 3},
    "crit_point": {"hit": True, "crit_tokens": 1, "crit_rating": 3},
}


def luck(use: str, **changes: object) -> dict:
    return ask("luck", **{"use": use, "tokens": 2, "token": "luck"} | changes)


@pytest.mark.parametrize("use", USES)
def test_a_token_is_spent_on_either_side(use: str) -> None:
    for token in ("luck", "blank"):
        found = luck(use, token=token, **USES[use])
        assert (found["allowed"], found["tokens_left"]) == (True, 1)
        assert found["success"] is (token == "luck")


@pytest.mark.parametrize("use", USES)
def test_one_token_for_one_result_and_none_without_a_token(use: str) -> None:
    for changes, reason in (
        ({"tokens": 0, "already_used": True}, "no_tokens"),
        ({"already_used": True}, "already_used"),
    ):
        found = luck(use, **USES[use], **changes)
        assert (found["allowed"], found["reason"]) == (False, reason)
        assert found["success"] is False
        assert found["tokens_left"] == changes.get("tokens", 2)


@pytest.mark.parametrize("use", USES)
def test_a_use_that_is_not_allowed_needs_no_toss(use: str) -> None:
    found = ask("luck", use=use, tokens=0, **USES[use])
    assert found["allowed"] is False
    assert fault("luck", use=use, tokens=1, **USES[use]) == "token"


@pytest.mark.parametrize(
    ("check", "token", "result", "success"),
    [
        (MISS, "luck", 5, True),
        (MISS, "blank", 7, False),
        ({"rating": 5, "skill": "8"}, "luck", 6, False),
        ({"rating": 5, "skill": "9", "result_modifier": -1}, "luck", 6, False),
        ({"rating": 0, "skill": "2"}, "luck", 0, False),
    ],
)
def test_accuracy_makes_the_own_result_two_better(check, token, result, success):
    found = luck("accuracy", check=check, token=token)
    assert (found["result"], found["check_success"]) == (result, success)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"check": HIT, "dodge_declared": True}, "check_succeeded"),
        ({"check": {"rating": 5, "skill": "x_ap"}, "dodge_declared": True}, "x"),
        ({"check": MISS, "dodge_declared": True}, "after_dodge"),
    ],
)
def test_accuracy_comes_before_a_dodge_and_never_helps_an_x(changes, reason) -> None:
    found = luck("accuracy", **changes)
    assert found["reason"] == reason
    assert found["tokens_left"] == 2


@pytest.mark.parametrize(
    ("check", "token", "result", "success"),
    [
        (HIT, "luck", 6, False),
        (HIT, "blank", 4, True),
        ({"rating": 9, "skill": "4"}, "luck", 6, True),
        ({"rating": 5, "skill": "7", "result_modifier": -2}, "luck", 7, False),
    ],
)
def test_a_dodge_makes_the_attackers_result_two_worse(check, token, result, success):
    found = luck("dodge", check=check, token=token)
    assert (found["result"], found["check_success"]) == (result, success)


def test_nobody_dodges_a_miss_or_a_critical_attack() -> None:
    assert luck("dodge", check=MISS)["reason"] == "attack_missed"
    critical = luck("dodge", critical_attack=True)
    assert critical["reason"] == "critical_attack"
    assert (critical["result"], critical["check_success"]) == (1, True)


def test_toughness_never_makes_damage_negative() -> None:
    assert luck("toughness", damage=3)["damage"] == 2
    assert luck("toughness", damage=0)["damage"] == 0
    assert luck("toughness", damage=3, token="blank")["damage"] == 3


def test_a_critical_point_stops_at_the_gauge() -> None:
    for tokens, after in ((0, 1), (2, 3), (3, 3)):
        found = luck("crit_point", hit=True, crit_tokens=tokens, crit_rating=3)
        assert found["crit_tokens"] == after
    missed = luck("crit_point", hit=False, crit_tokens=1, crit_rating=3)
    assert (missed["reason"], missed["crit_tokens"]) == ("attack_missed", 1)


@pytest.mark.parametrize(
    ("use", "field"),
    [
        ("accuracy", "check"),
        ("dodge", "check"),
        ("toughness", "damage"),
        ("crit_point", "crit_tokens"),
        ("prayer", "use"),
    ],
)
def test_each_use_says_what_it_lacks(use: str, field: str) -> None:
    assert fault("luck", use=use, tokens=1, token="luck") == field


def test_a_check_without_its_die_is_refused_inside_the_check() -> None:
    asked = {"use": "accuracy", "tokens": 1, "token": "luck"}
    assert fault("luck", **asked, check={"rating": 4}) == "check.skill"
    assert fault("luck", **asked, check={"skill": "4"}) == "check.rating"
