"""A table of S.P.E.C.I.A.L. by its public commands."""

from __future__ import annotations

from typing import Any

import pytest

from device.errors import BadInput, TableError
from device.games.special.sheet import characters, derive, flow
from tests.device.games.play import Night
from tests.device.games.special.scene import STATS, d100, raider, rifle, shot, vic


def test_what_the_rules_derive_from_a_sheet(night: Night) -> None:
    now = derive(vic(night))
    assert (now.hp, now.numbers["ap"], now.numbers["sequence"]) == (33, 9, 14)
    assert now.numbers["crit_chance"] == 5 + 10
    assert (now.level, now.next_xp, now.skills["firearms"]) == (1, 1000, 16)


def test_levels_bring_hit_points_and_skill_points_to_spend(night: Night) -> None:
    night.do("gain_xp", character=vic(night).id, xp=3000)
    now = derive(vic(night))
    assert (now.level, now.hp, now.points) == (3, 33 + 2 * 6, 2 * 15)
    night.do("raise_skill", character=vic(night).id, skill="firearms", to=46)
    assert derive(vic(night)).skills["firearms"] == 46
    assert derive(vic(night)).points == 0
    with pytest.raises(TableError) as caught:
        night.do("raise_skill", character=vic(night).id, skill="firearms", to=47)
    assert caught.value.reason == "points_short"


def test_the_chance_shows_every_modifier(night: Night) -> None:
    night.do("agree", light="clouds")
    night.do("count", character=vic(night).id, what="points_extra", change=84)
    night.do("raise_skill", character=vic(night).id, skill="firearms", to=100)
    night.do("open_check", check="attack", **shot(night, distance=15, cover=15))
    # 100 skill, four hexes beyond eleven, clouds, armour class 4 + 5, cover
    assert night.content.check.rating == 100 - 12 - 10 - 9 - 15
    keys = [step["key"] for step in night.content.check.notes]
    for part in ("base", "range", "light", "armour", "cover"):
        assert f"special_hit.{part}" in keys


def test_a_shot_hits_and_its_damage_wears_the_armour(night: Night) -> None:
    night.do("count", character=vic(night).id, what="points_extra", change=84)
    night.do("raise_skill", character=vic(night).id, skill="firearms", to=100)
    result = night.roll("attack", *d100(40), **shot(night))
    assert (result["outcome"], result["roll"]) == ("hit", 40)
    assert rifle(night).ammo == 9
    assert vic(night).ap_spent == 5
    offer = dict(night.content.offer)
    assert offer["dice"] == "1d10+6"
    result = night.roll(offer.pop("check"), ("d10", "8"), **offer)
    # 14 less 2, less a quarter of 12: 9, then finesse leaves 6.3
    assert result["per_hit"] == (6,)
    assert raider(night).hurt == 6
    assert raider(night).armour_hits == 1
    assert result["left"] == derive(raider(night)).hp_left


def test_a_corrected_damage_die_puts_the_hit_points_right(night: Night) -> None:
    target = raider(night).id
    night.roll("damage", ("d6", "6"), target=target, dice="1d6+20", dt=0, dr=0)
    night.do("count", character=target, what="hurt", change=3)
    roll = night.content.check.roll.id
    night.do("correct_die", roll=roll, die="h1", face="1")
    assert raider(night).hurt == 21 + 3
    assert night.result["left"] == derive(raider(night)).hp_left


def test_one_die_thrown_twice_makes_a_percentile(night: Night) -> None:
    result = night.roll("attack", ("d10", "0"), **shot(night, twice=True))
    assert (result["kind"], result["at"], result["of"]) == ("throw", 1, 2)
    offer = dict(night.content.offer)
    result = night.roll(offer.pop("check"), ("d10", "0"), **offer)
    assert (result["roll"], result["outcome"]) == (100, "critical_failure")
    assert rifle(night).boxes == 1
    assert night.content.offer["check"] == "fumble"


def test_double_nought_is_a_hundred_and_a_failed_attack_wears(night: Night) -> None:
    result = night.roll("attack", *d100(100), **shot(night))
    assert (result["roll"], result["boxes"]) == (100, 1)
    night.do("correct_die", roll=night.content.check.roll.id, die="h1", face="50")
    assert (night.result["roll"], night.result["outcome"]) == (50, "miss")
    assert rifle(night).boxes == 1


@pytest.mark.parametrize(
    ("face", "effect", "field", "value"),
    [
        ("3", "ap_lost", "ap_spent", 9),
        ("8", "fall", "down", 1),
        ("0", "heart_attack", "down", 1),
    ],
)
def test_a_fumble_falls_on_the_attacker(
    night: Night, face: str, effect: str, field: str, value: int
) -> None:
    args = {"attacker": vic(night).id, "weapon": rifle(night).id}
    assert night.roll("fumble", ("d10", face), **args)["effect"] == effect
    assert getattr(vic(night), field) == value


def test_a_destroyed_weapon_has_all_its_boxes_filled(night: Night) -> None:
    args = {"attacker": vic(night).id, "weapon": rifle(night).id}
    night.roll("fumble", ("d10", "9"), **args)
    assert rifle(night).boxes == 10


def test_an_aimed_critical_needs_no_throw_and_breaks_the_limb(night: Night) -> None:
    night.do("count", character=vic(night).id, what="points_extra", change=134)
    night.do("raise_skill", character=vic(night).id, skill="firearms", to=125)
    result = night.roll("attack", *d100(25), **shot(night, aimed="left_arm"))
    assert (result["crit_threshold"], result["outcome"]) == (25, "critical_hit")
    assert vic(night).ap_spent == 6
    offer = dict(night.content.offer)
    result = night.roll(offer.pop("check"), **offer)
    assert result["effect"] == "broken_arm"
    assert raider(night).broken_arms == 1
    assert night.content.offer["check"] == "damage"


def test_a_rolled_critical_multiplies_and_may_stun_first(night: Night) -> None:
    target = raider(night).id
    args = {"target": target, "dice": "1d6", "attacker": vic(night).id}
    night.roll("critical", ("d10", "6"), **args)
    offer = dict(night.content.offer)
    assert offer["check"] == "stun"
    night.roll(offer.pop("check"), ("d4", "3"), **offer)
    assert raider(night).unconscious == 3
    night.roll("critical", ("d10", "5"), **args)
    offer = dict(night.content.offer)
    assert offer["percent"] == 150
    result = night.roll(offer.pop("check"), ("d6", "5"), dt=0, dr=0, **offer)
    assert result["per_hit"] == (5,)  # 7.5, finesse leaves 5.25


def test_a_grouped_burst_takes_all_its_dice_in_one_throw(night: Night) -> None:
    night.do("count", character=vic(night).id, what="points_extra", change=84)
    night.do("raise_skill", character=vic(night).id, skill="firearms", to=82)
    faces = [("d10", face) for face in ("1", "7", "8", "0")]
    result = night.roll("burst", *faces, bullets=4, **shot(night))
    # 82 less 9 is 73: up to 80 for four bullets
    assert (result["rounded"], result["hits"]) == (80, 3)
    assert result["knockdown_check"]
    assert rifle(night).ammo == 6
    offer = dict(night.content.offer)
    assert (offer["check"], offer["hits"]) == ("damage", 3)
    hits = [("d10", face) for face in ("2", "2", "2")]
    result = night.roll(offer.pop("check"), *hits, **offer)
    assert result["total"] == sum(result["per_hit"]) == 3 * 3
    assert raider(night).armour_hits == 3


def test_a_plain_burst_goes_bullet_by_bullet(night: Night) -> None:
    night.do("count", character=vic(night).id, what="points_extra", change=84)
    night.do("raise_skill", character=vic(night).id, skill="firearms", to=82)
    args: dict[str, Any] = shot(night, mode="single", bullets=3)
    for roll in (73, 74):
        result = night.roll("burst", *d100(roll), **args)
        assert result["kind"] == "throw"
        args = dict(night.content.offer)
        args.pop("check")
    result = night.roll("burst", *d100(9), **args)
    assert result["per_bullet"] == (True, False, True)
    assert (result["critical"], result["fumbles"]) == (True, 0)
    assert rifle(night).ammo == 7
    assert night.content.offer["check"] == "critical"


def test_a_burst_needs_its_rounds(night: Night) -> None:
    night.do("count_weapon", weapon=rifle(night).id, what="ammo", change=-6)
    with pytest.raises(BadInput) as caught:
        night.do("open_check", check="burst", bullets=5, **shot(night))
    assert caught.value.field == "bullets"
    night.do("reload", weapon=rifle(night).id)
    assert rifle(night).ammo == 10


def test_the_order_of_a_fight_with_a_tie(night: Night) -> None:
    night.do("add_character", name="Dog", side="a", special=STATS)
    night.do("begin_fight")
    dog = characters(night.content)[2].id
    assert flow(night.content).order == ()
    night.roll("tie", ("d10", "4"), character=vic(night).id)
    assert night.content.offer == {"check": "tie", "character": dog}
    night.roll("tie", ("d10", "7"), character=dog)
    assert flow(night.content).order == (dog, vic(night).id, raider(night).id)
    assert flow(night.content).turn == dog
    with pytest.raises(BadInput) as caught:
        night.do("open_check", check="tie", character=raider(night).id)
    assert caught.value.field == "character"
    # the corrected die ties them again: both throw anew
    night.do("correct_die", roll=night.content.check.roll.id, die="h1", face="4")
    assert (flow(night.content).order, flow(night.content).ties) == ((), {})


def test_turns_bring_action_points_and_defence(night: Night) -> None:
    night.do("begin_fight", starter=raider(night).id)
    assert flow(night.content).turn == raider(night).id
    night.do("next_turn")
    assert flow(night.content).turn == vic(night).id
    night.do("act", character=vic(night).id, actions=[{"do": "move", "hexes": 4}])
    assert vic(night).ap_spent == 4
    night.do("next_turn", defend=True)
    assert vic(night).defending == 1
    night.do(
        "open_check", check="attack", attacker=vic(night).id, weapon=rifle(night).id
    )
    night.do("close_check")
    night.do("next_turn")
    assert (flow(night.content).round, flow(night.content).turn) == (2, vic(night).id)
    assert (vic(night).ap_spent, vic(night).defending) == (0, 0)
    night.do("end_fight")
    assert flow(night.content).round == 0


def test_what_action_points_do_not_pay_is_refused(night: Night) -> None:
    night.do("count", character=vic(night).id, what="broken_legs", change=2)
    far = [{"do": "move", "hexes": 3}]
    with pytest.raises(TableError) as caught:
        night.do("act", character=vic(night).id, actions=far)
    assert caught.value.reason == "ap_two_broken_legs"
    night.do("act", character=vic(night).id, actions=far, override=True)
    assert vic(night).ap_spent == 6
    with pytest.raises(TableError) as caught:
        night.do("act", character=vic(night).id, actions=[{"do": "treat"}])
    assert caught.value.reason == "ap_not_enough_ap"


def test_a_stance_changes_and_changes_what_moving_costs(night: Night) -> None:
    who = vic(night).id
    night.do("act", character=who, actions=[{"do": "stance", "to": "crouching"}])
    assert (vic(night).stance, vic(night).ap_spent) == ("crouching", 2)
    night.do("act", character=who, actions=[{"do": "move", "hexes": 1}])
    assert vic(night).ap_spent == 4


def test_hexes_are_lit_by_perception_and_weapon(night: Night) -> None:
    night.do("show_range", character=vic(night).id)
    assert night.content.ruler.cue == {"length_mm": 11 * 25}
    night.do("agree", hex_mm=10)
    night.do("show_range", character=vic(night).id, weapon=rifle(night).id)
    assert night.content.ruler.cue == {"lengths_mm": (110, 200)}
    night.do("show_move", character=vic(night).id, terrain="mud")
    assert night.content.ruler.cue == {"length_mm": 30}
    night.do("count", character=vic(night).id, what="ap_spent", change=9)
    night.do("show_move", character=vic(night).id)
    assert night.content.ruler is None


@pytest.mark.parametrize(
    ("task", "more", "dice", "expect"),
    [
        ("check", {"skill": "trade"}, d100(16), {"success": True}),
        ("check", {"stat": "ag"}, (("d10", "0"),), {"success": False}),
        ("check", {"stat": "ag", "modifier": 2}, (("d10", "0"),), {"success": True}),
        ("lockpick", {}, d100(96), {"lock_broken": True}),
        ("sneak", {}, d100(24), {"success": True}),
        ("steal", {"sneaking": True}, d100(64), {"chance": 64, "success": True}),
        ("detect", {"light": "dark"}, d100(13), {"chance": 12, "success": False}),
        ("encounter", {}, d100(22), {"distance": 30, "aware": True}),
        ("trap_detect", {}, (("d10", "6"),), {"result": "noticed"}),
        ("trap_disarm", {}, d100(15), {"result": "disarmed"}),
        ("poison", {}, d100(31), {"resisted": False, "level": 1}),
        ("radiation", {"antirad": True}, d100(52), {"resisted": True}),
        ("drug", {"strength": 30}, d100(30), {"addicted": True}),
        ("knockdown", {"weapon_kg": 2.5}, d100(7), {"chance": 7, "down": True}),
        ("knockdown", {"weapon_kg": 2.5}, d100(8), {"down": False}),
        ("repair_machine", {}, d100(15), {"success": True, "hp_restored": None}),
        ("repair_machine", {}, d100(16), {"success": False, "hp_restored": 0}),
    ],
    ids=lambda value: str(value),
)
def test_tasks(
    night: Night, task: str, more: Any, dice: Any, expect: dict[str, Any]
) -> None:
    args = {"task": task, "character": vic(night).id, **more}
    result = night.roll("task", *dice, **args)
    assert {name: result[name] for name in expect} == expect


def test_poison_rises_and_falls_with_the_die(night: Night) -> None:
    night.roll("task", *d100(31), task="poison", character=vic(night).id)
    assert vic(night).poison == 1
    night.do("correct_die", roll=night.content.check.roll.id, die="h1", face="00")
    assert vic(night).poison == 0


def test_medicine_heals_after_a_success_four_times_a_day(night: Night) -> None:
    who, target = vic(night).id, raider(night).id
    night.do("count", character=target, what="hurt", change=20)
    night.roll("task", *d100(1), task="medicine", character=who, target=target)
    offer = dict(night.content.offer)
    night.roll(offer.pop("check"), ("d10", "0"), **offer)
    assert (raider(night).hurt, vic(night).medicine_today) == (10, 1)
    night.do("count", character=who, what="medicine_today", change=3)
    with pytest.raises(BadInput) as caught:
        night.do("open_check", check="task", task="medicine", character=who)
    assert caught.value.field == "task"


def test_repair_clears_boxes(night: Night) -> None:
    who = vic(night).id
    night.do("count_weapon", weapon=rifle(night).id, what="boxes", change=3)
    args = {"character": who, "weapon": rifle(night).id}
    night.roll("task", *d100(15), task="repair_weapon", **args)
    assert rifle(night).boxes == 1
    night.do("count", character=who, what="armour_hits", change=12)
    args = {"character": who, "target": who}
    night.roll("task", *d100(15), task="repair_armour", **args)
    assert (vic(night).armour_boxes, vic(night).armour_hits) == (0, 2)


def test_time_heals_poisons_and_ends_an_addiction(night: Night) -> None:
    who = vic(night).id
    night.do("count", character=who, what="hurt", change=20)
    night.do("rest", character=who, resting_hours=6)
    assert vic(night).hurt == 8
    night.do("poison_hours", character=who, hours=30, saves=10)
    assert vic(night).hurt == 16
    night.do("addict", character=who, drug="Jet")
    night.do("withdrawal", character=who, hours=80, checks=[True] * 5)
    assert vic(night).drug == ""
    assert vic(night).special["en"] == 5


def test_fire_burns_once_a_round(night: Night) -> None:
    dice = [("d6", "3"), ("d6", "4")]
    night.roll("fire", *dice, target=vic(night).id, rounds=2, extinguish=True)
    assert vic(night).hurt == 7


@pytest.mark.parametrize(
    ("name", "args", "field"),
    [
        ("add_character", {"name": "X"}, "special.st"),
        ("add_character", {"name": "X", "special": dict(STATS, st=11)}, "special.st"),
        (
            "add_character",
            {"name": "X", "special": STATS, "traits": ["gifted"] * 2},
            "traits[1]",
        ),
        (
            "add_weapon",
            {"name": "X", "attack": "light", "ap": 5, "damage": "1d20"},
            "damage",
        ),
        (
            "add_weapon",
            {"name": "X", "attack": "bite", "ap": 5, "damage": "1d6"},
            "attack",
        ),
        ("open_check", {"check": "damage", "dice": "10d6"}, "dice"),
        ("open_check", {"check": "damage", "dice": "1d6", "dr": 101}, "dr"),
        ("open_check", {"check": "damage", "dice": "1d6", "luck": 1}, "luck"),
        ("open_check", {"check": "attack"}, "attacker"),
        ("open_check", {"check": "roll", "dice": 6}, "dice"),
        ("agree", {"light": "bright"}, "light"),
        ("begin_fight", {"fighters": ["character:9999"]}, "fighters[0]"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_fault_is_named(night: Night, name: str, args: Any, field: str) -> None:
    if name == "add_weapon":
        args = {"character": vic(night).id} | args
    with pytest.raises(BadInput) as caught:
        night.do(name, **args)
    assert caught.value.field == field


def test_a_played_fight_replays_to_the_same_hash_and_back(night: Night) -> None:
    """Vic shoots, the raider bursts into a critical hit, Vic is patched up."""
    night.do("count", character=vic(night).id, what="points_extra", change=84)
    night.do("raise_skill", character=vic(night).id, skill="firearms", to=100)
    night.do("begin_fight", starter=vic(night).id)
    night.roll("attack", *d100(40), **shot(night))
    offer = dict(night.content.offer)
    night.roll(offer.pop("check"), ("d10", "8"), **offer)
    night.do("next_turn")
    night.do("next_turn", defend=True)
    night.roll("attack", *d100(99), **shot(night))
    offer = dict(night.content.offer)
    night.roll(offer.pop("check"), ("d10", "8"), **offer)
    assert vic(night).down == 1
    night.do(
        "act", character=vic(night).id, actions=[{"do": "stand_up"}], override=True
    )
    night.do("end_fight")
    night.do("gain_xp", character=vic(night).id, xp=1000)
    assert night.replayed_hash() == night.hash
    night.undo_all()
    assert (night.content.game, night.content.sheet) == ("foww", {})
    assert night.replayed_hash() == night.hash
