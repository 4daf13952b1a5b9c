from __future__ import annotations

import pytest

from tests.device.rules.foww.asking import ask, dice, fault

RIFLE = {
    "damage": [{"type": "physical", "value": 2}, {"type": "energy", "value": 1}],
    "crit_rating": 3,
    "critical_damage": [{"type": "physical", "value": 4}],
}
EFFECTS = dice("black", "dmg+dmg", "bottle") + dice("yellow", "pen+pen", "star+burst")


def test_damage_icons_go_to_the_first_type() -> None:
    found = ask("attack", rating=5, weapon=RIFLE, skill="4", effects=EFFECTS)
    assert found["damage"] == [
        {"type": "physical", "amount": 4},
        {"type": "energy", "amount": 1},
    ]
    assert found["penetration"] == 2
    assert found["icons"] == {"bottle": 1, "star": 1, "burst": 1}
    assert "O9" in found["open"]


def test_a_miss_has_no_damage_and_no_icons() -> None:
    found = ask("attack", rating=5, weapon=RIFLE, skill="x_ap", effects=EFFECTS)
    assert (found["hit"], found["damage"], found["penetration"]) == (False, [], 0)
    assert found["icons"] == {"bottle": 0, "star": 0, "burst": 0}
    assert found["ap"] == 1


@pytest.mark.parametrize(
    ("changes", "points", "tokens"),
    [
        ({}, 1, 2),
        ({"skill": "crit"}, 2, 3),
        ({"skill": "crit", "crit_tokens": 2}, 2, 3),
        ({"crit_tokens": 3}, 1, 3),
        ({"skill": "9"}, 0, 1),
        ({"target": "object"}, 0, 1),
        ({"target": "friendly", "skill": "crit"}, 0, 1),
        ({"has_critical": False}, 0, 1),
        ({"weapon": {**RIFLE, "thrown": True}}, 0, 1),
        ({"weapon": {"damage": [], "crit_rating": None}}, 0, 1),
        ({"quick_action": True}, 1, 2),
    ],
)
def test_critical_points_come_from_hits_on_enemies(changes, points, tokens) -> None:
    asked = {
        "rating": 5,
        "weapon": RIFLE,
        "skill": "4",
        "has_critical": True,
        "crit_tokens": 1,
        **changes,
    }
    found = ask("attack", **asked)
    assert (found["crit_points"], found["crit_tokens"]) == (points, tokens)
    gauge = asked["weapon"]["crit_rating"]
    assert found["crit_full"] is (gauge is not None and tokens >= gauge)


def critical(**changes: object) -> dict:
    return ask(
        "attack",
        **{
            "rating": 0,
            "weapon": RIFLE,
            "critical_attack": True,
            "has_critical": True,
            "crit_tokens": 3,
            "effects": EFFECTS,
            **changes,
        },
    )


def test_a_critical_attack_hits_with_its_own_damage_and_empties_the_gauge() -> None:
    found = critical()
    assert (found["allowed"], found["hit"]) == (True, True)
    assert found["damage"] == [{"type": "physical", "amount": 6}]
    assert (found["penetration"], found["ap"]) == (2, 0)
    assert (found["crit_points"], found["crit_tokens"]) == (0, 0)
    assert found["crit_full"] is False


def test_a_critical_attack_without_damage_of_its_own_uses_the_normal_one() -> None:
    plain = {"damage": RIFLE["damage"], "crit_rating": 2}
    found = critical(weapon=plain)
    assert found["damage"][0]["amount"] == 4
    assert found["crit_tokens"] == 1


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"weapon": {**RIFLE, "thrown": True}, "has_critical": False}, "thrown"),
        ({"has_critical": False, "crit_tokens": 0}, "no_critical"),
        ({"weapon": {"damage": [], "crit_rating": None}}, "no_critical"),
        ({"crit_tokens": 2}, "gauge_not_full"),
    ],
)
def test_a_critical_attack_may_be_impossible(changes: dict, reason: str) -> None:
    found = critical(**changes)
    assert (found["allowed"], found["reason"]) == (False, reason)
    assert (found["hit"], found["damage"]) == (False, [])
    assert found["crit_tokens"] == changes.get("crit_tokens", 3)


def test_a_critical_attack_rolls_no_skill_die_and_any_other_does() -> None:
    asked = {"rating": 5, "weapon": RIFLE}
    assert fault("attack", **asked, critical_attack=True, skill="4") == "skill"
    assert fault("attack", **asked) == "skill"
    assert fault("attack", weapon=RIFLE, skill="4") == "rating"
    assert fault("attack", rating=5, skill="4") == "weapon"
