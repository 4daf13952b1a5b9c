from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.device.rules.foww.asking import ask, fault

points = st.integers(0, 6)
kinds = st.sampled_from(["physical", "energy", "radiation", "regular"])
damage_lists = st.lists(
    st.fixed_dictionaries({"type": kinds, "amount": points}), max_size=4
)


@given(points, points, points, st.booleans(), damage_lists)
def test_every_point_is_a_token_or_flips_one(health, regular, radiation, hero, damage):
    model = {
        "health": health,
        "hero": hero,
        "regular": regular,
        "radiation": radiation,
    }
    found = ask("apply_damage", model=model, damage=damage)
    tokens, flipped = [regular, radiation], 0
    for part in damage:
        for _ in range(part["amount"]):
            if part["type"] != "radiation":
                tokens[0] += 1
            elif tokens[0]:
                tokens = [tokens[0] - 1, tokens[1] + 1]
                flipped += 1
            else:
                tokens[1] += 1
    assert [found["regular"], found["radiation"]] == tokens
    assert found["health_limit"] == health + hero
    assert found["removed"] is (sum(tokens) >= health + hero)
    assert found["power_armour"] is None
    total = sum(part["amount"] for part in damage)
    assert sum(tokens) == regular + radiation + total - flipped


@given(st.integers(1, 5), points, damage_lists)
def test_unbroken_power_armour_takes_points_until_it_breaks(endurance, tokens, damage):
    tokens = min(tokens, endurance - 1)
    armour = {"endurance": endurance, "tokens": tokens, "broken": False}
    model = {"health": 99, "power_armour": armour}
    found = ask("apply_damage", model=model, damage=damage)
    total = sum(part["amount"] for part in damage)
    soaked = min(total, endurance - tokens)
    broke = tokens + soaked == endurance
    assert found["power_armour"] == {
        "endurance": endurance,
        "tokens": tokens + soaked,
        "broken": broke,
    }
    assert found["armour_broke"] is broke


def test_broken_power_armour_takes_nothing() -> None:
    armour = {"endurance": 4, "tokens": 4, "broken": True}
    found = ask(
        "apply_damage",
        model={"health": 9, "power_armour": armour},
        damage=[{"type": "physical", "amount": 2}],
    )
    assert (found["regular"], found["armour_broke"]) == (2, False)


@pytest.mark.parametrize(
    ("ready", "regular", "token", "gasp"),
    [
        ("ready", 0, "luck", "none"),
        ("unready", 9, "luck", "none"),
        ("activated", 9, "luck", "none"),
        ("ready", 9, None, "toss_needed"),
        ("ready", 9, "luck", "yes"),
        ("ready", 9, "blank", "no"),
    ],
)
def test_only_a_removed_ready_model_has_a_last_gasp(ready, regular, token, gasp):
    model = {"health": 5, "ready": ready, "regular": regular}
    assert ask("apply_damage", model=model, luck_token=token)["last_gasp"] == gasp


def test_the_model_must_be_described() -> None:
    assert fault("apply_damage", damage=[]) == "model"
    assert fault("apply_damage", model={}) == "model.health"
    bad = [{"type": "fire", "amount": 1}]
    assert fault("apply_damage", model={"health": 3}, damage=bad) == "damage[0].type"
    assert fault("apply_damage", model={"health": 3}, luck_token="x") == "luck_token"


@given(points, points, st.sampled_from(["regular", "radiation"]), st.integers(0, 9))
def test_healing_touches_only_its_kind_and_loses_the_excess(
    regular: int, radiation: int, kind: str, amount: int
) -> None:
    found = ask("heal", regular=regular, radiation=radiation, kind=kind, amount=amount)
    if kind == "regular":
        used = min(amount, regular)
        assert (found["regular"], found["radiation"]) == (regular - used, radiation)
    else:
        used = min(amount, radiation)
        assert found["regular"] == regular + used
        assert found["radiation"] == radiation - used
    assert found["unused"] == amount - used
