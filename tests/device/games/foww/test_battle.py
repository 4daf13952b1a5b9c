"""Units, models and tokens: what commands do, refuse and never do."""

from __future__ import annotations

from typing import Any

import pytest

from device.errors import BadInput, TableError
from device.games.foww.game import FOWW
from device.games.foww.tokens import REFUSALS, token_names
from device.rosters.problems import RosterError
from tests.device.games.foww.armies import (
    HEROES,
    KNIGHT,
    MODELS,
    ROBOT,
    ROBOT2,
    STRANGER,
    Night,
    hurt,
    make_night,
    put_right,
)


@pytest.fixture
def night() -> Night:
    return make_night()


def refused(night: Night, reason: str, name: str, **args: Any) -> None:
    before = night.fold
    with pytest.raises(TableError) as caught:
        night.do(name, **args)
    assert caught.value.reason == reason
    assert night.fold is before


# --- Units -------------------------------------------------------------------------


def test_units_start_with_what_their_cards_say(night: Night) -> None:
    knight = night.model(KNIGHT)
    assert (knight.luck, knight.items, knight.loaded) == (3, (2,), (1, 1))
    assert night.model(ROBOT).luck == 0
    assert [unit.side for unit in night.armies.units] == ["a", "a", "b"]
    assert night.log["names"][0]["en"] == "Stranger"


def test_a_unit_leaves_with_its_tokens_and_undo_brings_all_back(night: Night) -> None:
    hurt(night, KNIGHT, ("physical", 6))
    before = night.fold.content
    night.do("remove_unit", unit="u2-1")
    assert night.armies.find(KNIGHT) is None
    night.do("undo")
    assert night.fold.content == before


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ({"side": "c", "roster": HEROES}, BadInput),
        ({"side": "a", "roster": ""}, BadInput),
        ({"side": "a", "roster": 5}, BadInput),
        ({"side": "a", "roster": "nonsense"}, RosterError),
        ({"side": "a", "roster": HEROES, "more": 1}, BadInput),
    ],
)
def test_a_roster_is_checked_on_arrival(
    night: Night, args: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        night.do("add_unit", **args)


def test_a_table_holds_only_so_many_models(night: Night) -> None:
    crowd = 'format = 1\n[[unit]]\nname = "Ghoul"\ncount = 20\n'
    for _ in range(5):
        night.do("add_unit", side="b", roster=crowd)
    refused(night, "army_full", "add_unit", side="b", roster=crowd)


# --- Tokens ------------------------------------------------------------------------


def test_every_token_comes_and_goes(night: Night) -> None:
    night.do("activate", model=KNIGHT, override=True)
    night.do("token", model=KNIGHT, token="luck", change=-1)
    night.do("token", model=KNIGHT, token="loaded:1", change=-1)
    names = token_names(night.armies.units[0])
    assert {"regular", "critical:0", "loaded:1", "item:0", "power_armour"} <= set(names)
    for name in names:
        if name == "critical:1":  # a weapon without a known gauge
            continue
        before = night.count(KNIGHT, name)
        night.do("token", model=KNIGHT, token=name, change=1)
        assert night.count(KNIGHT, name) == before + 1, name
        night.do("token", model=KNIGHT, token=name, change=-1)
        assert night.count(KNIGHT, name) == before, name


@pytest.mark.parametrize("name", ["regular", "reaction", "burning", "boost", "ap"])
def test_no_token_goes_below_none(night: Night, name: str) -> None:
    for override in (False, True):
        args = {"model": ROBOT, "token": name, "change": -1, "override": override}
        refused(night, "no_token", "token", **args)


def test_tokens_that_do_not_exist_help_no_override(night: Night) -> None:
    for name, reason in (
        ("luck", "token_limit"),
        ("ap", "not_active"),
        ("loaded:0", "token_limit"),
        ("critical:1", "gauge_unknown"),
    ):
        args = {"model": KNIGHT, "token": name, "change": 1, "override": True}
        refused(night, reason, "token", **args)
    luck = {"model": STRANGER, "token": "luck", "change": 1, "override": True}
    refused(night, "luck_unknown", "token", **luck)


def test_fire_and_frost_replace_each_other_and_a_leg_slows(night: Night) -> None:
    for name in ("burning", "frozen", "injured_leg"):
        night.do("token", model=ROBOT, token=name, change=1)
    assert night.model(ROBOT).conditions == ("frozen", "injured_leg", "slowed")


def test_what_the_rules_refuse_can_be_done_by_hand_and_the_log_says_so(
    night: Night,
) -> None:
    poison = {"model": ROBOT, "token": "poisoned", "change": 1}
    refused(night, "immune", "token", **poison)
    night.do("token", **poison, override=True)
    assert night.model(ROBOT).conditions == ("poisoned",)
    assert night.log["override"] == "immune"
    night.do("token", model=ROBOT, token="stunned", change=1)
    reaction = {"model": ROBOT, "token": "reaction", "change": 1}
    refused(night, "cannot_overwatch", "token", **reaction)
    assert "override" not in night.log


def test_tokens_on_the_table_are_counted(night: Night) -> None:
    for name in ("mine", "search", "investigation", "marker"):
        refused(night, "no_token", "token", token=name, change=-1)
        night.do("token", token=name, change=1)
        assert getattr(night.armies, name) == 1
    night.do("token", token="b", change=1)
    assert night.armies.advantage == "b"
    night.do("token", token="b", change=-1)
    assert night.armies.advantage == ""


# --- Damage ------------------------------------------------------------------------


def test_power_armour_takes_damage_before_the_model(night: Night) -> None:
    hurt(night, KNIGHT, ("physical", 3))
    knight = night.model(KNIGHT)
    assert (knight.power_armour, knight.broken, knight.regular) == (3, False, 0)
    hurt(night, KNIGHT, ("energy", 3), ("radiation", 1))
    knight = night.model(KNIGHT)
    assert (knight.power_armour, knight.broken) == (4, True)
    assert (knight.regular, knight.radiation, knight.removed) == (1, 1, False)
    hurt(night, KNIGHT, ("physical", 4))
    assert night.model(KNIGHT).removed  # health 5, hero 6


def test_a_model_of_unknown_health_takes_tokens_and_stays(night: Night) -> None:
    args = {"model": STRANGER, "damage": [{"type": "physical", "amount": 9}]}
    refused(night, "armour_unknown", "damage", **args)
    night.do("damage", **args, override=True)
    assert night.model(STRANGER).regular == 9
    assert not night.model(STRANGER).removed
    assert all(one["rule"] != "health" for one in night.log["steps"])
    night.do("set_health", unit="u3-1", health=8)
    assert night.model(STRANGER).removed
    night.do("undo")
    assert not night.model(STRANGER).removed


def test_a_ready_model_that_falls_may_have_a_last_gasp(night: Night) -> None:
    night.do("ready", model=ROBOT)
    hurt(night, ROBOT, ("physical", 4))
    assert [one["rule"] for one in night.log["steps"]][-1] == "last_gasp"
    refused(night, "model_removed", "ready", model=ROBOT)
    refused(night, "model_removed", "heal", model=ROBOT, kind="regular", amount=1)
    night.do("token", model=ROBOT, token="regular", change=-1)
    assert not night.model(ROBOT).removed


def test_healing_turns_radiation_into_regular_damage(night: Night) -> None:
    hurt(night, ROBOT, ("radiation", 2), ("physical", 1))
    night.do("heal", model=ROBOT, kind="radiation", amount=5)
    assert (night.model(ROBOT).regular, night.model(ROBOT).radiation) == (3, 0)
    night.do("heal", model=ROBOT, kind="regular", amount=2)
    assert night.model(ROBOT).regular == 1


def test_the_damage_of_a_resolved_attack_is_given_with_one_command(
    night: Night,
) -> None:
    refused(night, "no_damage", "apply_result", model=ROBOT)
    night.do("token", model=ROBOT, token="boost", change=1)
    night.do(
        "open_check",
        check="armour_check", amount=3, rating=0, sturdy=0, type="radiation",
        boost_icons=1,
    )  # fmt: skip
    night.do("apply_result", model=ROBOT)
    robot = night.model(ROBOT)
    assert (robot.radiation, robot.regular, robot.boost) == (2, 0, 0)
    refused(night, "already_applied", "apply_result", model=ROBOT2)
    night.do("undo")
    assert night.model(ROBOT).radiation == 0 and night.model(ROBOT).boost == 1
    night.do("apply_result", model=ROBOT2)
    night.do("apply_result", model=ROBOT, override=True)
    assert night.log["override"] == "already_applied"
    night.do("close_check")
    refused(night, "no_damage", "apply_result", model=ROBOT)


def hit_by_dice(night: Night, model: str) -> None:
    """Have a model hit for three, an armour die of 4 against rating 3 stopping none."""
    night.do("open_check", check="armour_check", amount=3, rating=3)
    night.do("enter_die", die="armour", face="4")
    night.do("apply_result", model=model)


@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
def test_the_tokens_follow_a_corrected_armour_die(night: Night, closed: bool) -> None:
    hit_by_dice(night, ROBOT)
    assert night.model(ROBOT).regular == 3
    if closed:
        night.do("close_check")
    before = night.fold.content
    put_right(night, "2")
    assert night.model(ROBOT).regular == 1
    put_right(night, "3")
    assert night.model(ROBOT).regular == 0
    night.do("undo")
    night.do("undo")
    assert night.fold.content == before


def test_a_model_hit_twice_follows_twice_and_others_on_their_own(night: Night) -> None:
    hit_by_dice(night, KNIGHT)
    night.do("apply_result", model=ROBOT, override=True)
    night.do("apply_result", model=KNIGHT, override=True)
    knight = night.model(KNIGHT)
    assert (knight.power_armour, knight.regular, knight.broken) == (4, 2, True)
    put_right(night, "1")
    knight = night.model(KNIGHT)
    assert (knight.power_armour, knight.regular, knight.broken) == (4, 0, True)
    assert night.model(ROBOT).regular == 2


def test_a_model_that_more_has_happened_to_keeps_its_tokens(night: Night) -> None:
    hit_by_dice(night, ROBOT)
    night.do("apply_result", model=ROBOT2, override=True)
    night.do("heal", model=ROBOT, kind="regular", amount=1)
    put_right(night, "3")
    assert night.model(ROBOT).regular == 2
    assert night.model(ROBOT2).regular == 0
    assert night.log["kept"] == (
        {"side": "a", "name": {"en": "Robot", "ru": ""}, "number": 1},
    )


def test_a_correction_leaves_alone_who_was_hit_by_another_check(night: Night) -> None:
    hit_by_dice(night, ROBOT)
    night.do("close_check")
    night.do("open_check", check="armour_check", amount=1, rating=1)
    night.do("enter_die", die="armour", face="4")
    put_right(night, "1")
    assert night.model(ROBOT).regular == 3


# --- Turns -------------------------------------------------------------------------


def test_a_model_goes_from_unready_over_ready_to_activated(night: Night) -> None:
    refused(night, "not_ready", "activate", model=KNIGHT)
    night.do("ready", model=KNIGHT)
    refused(night, "not_unready", "ready", model=KNIGHT)
    night.do("activate", model=KNIGHT)
    night.do("token", model=KNIGHT, token="ap", change=1)
    night.do("ready", model=ROBOT)
    refused(night, "another_active", "activate", model=ROBOT)
    refused(night, "not_active", "end_activation", model=ROBOT)
    night.do("end_activation", model=KNIGHT)
    assert (night.model(KNIGHT).readiness, night.model(KNIGHT).ap) == ("activated", 0)
    night.do("activate", model=ROBOT)
    assert night.model(ROBOT).active


def test_an_activation_starts_with_fire_poison_and_reloading(night: Night) -> None:
    night.do("ready", model=KNIGHT)
    for name, change in (
        ("burning", 1), ("poisoned", 1), ("reaction", 1), ("loaded:1", -1),
    ):  # fmt: skip
        night.do("token", model=KNIGHT, token=name, change=change)
    refused(night, "toss_needed", "activate", model=KNIGHT)
    night.do("activate", model=KNIGHT, luck_token="luck")
    knight = night.model(KNIGHT)
    assert (knight.regular, knight.power_armour) == (2, 0)
    assert knight.conditions == ("poisoned",)
    assert (knight.reaction, knight.loaded) == (0, (1, 1))
    night.do("token", model=KNIGHT, token="frozen", change=1)
    night.do("end_activation", model=KNIGHT)
    assert night.model(KNIGHT).conditions == ("poisoned",)


def test_a_round_ends_when_every_model_has_been_activated(night: Night) -> None:
    refused(night, "round_goes_on", "end_round")
    hurt(night, ROBOT2, ("physical", 9))
    for model in (KNIGHT, ROBOT, STRANGER):
        night.do("ready", model=model)
        night.do("activate", model=model)
        night.do("end_activation", model=model)
    night.do("end_round")
    assert night.armies.round == 2 and night.armies.advantage == "b"
    assert {night.model(one).readiness for one in MODELS} == {"unready"}
    night.do("end_round", override=True)
    assert night.log["override"] == "round_goes_on"


@pytest.mark.parametrize(
    ("name", "args", "field"),
    [
        ("token", {"model": KNIGHT, "token": "joy", "change": 1}, "token"),
        ("token", {"model": KNIGHT, "token": "item:9", "change": 1}, "token"),
        ("token", {"model": KNIGHT, "token": "item:x", "change": 1}, "token"),
        ("token", {"model": "u9.1", "token": "regular", "change": 1}, "model"),
        ("token", {"model": KNIGHT, "token": "regular", "change": 2}, "change"),
        ("token", {"model": KNIGHT, "token": "regular", "change": True}, "change"),
        ("token", {"token": "regular", "change": 1}, "token"),
        ("damage", {"model": KNIGHT, "damage": []}, "damage"),
        ("damage", {"model": KNIGHT, "damage": [{"type": "physical"}]}, "damage[0]"),
        ("heal", {"model": KNIGHT, "kind": "all", "amount": 1}, "kind"),
        ("heal", {"model": KNIGHT, "kind": "regular", "amount": 0}, "amount"),
        ("ready", {"model": KNIGHT, "override": "yes"}, "override"),
        ("ready", {}, "model"),
        ("remove_unit", {"unit": "u7-1"}, "unit"),
        ("set_health", {"unit": "u2-1", "health": 99}, "health"),
        ("activate", {"model": KNIGHT, "luck_token": "heads"}, "luck_token"),
    ],
)
def test_wrong_arguments_are_named(
    night: Night, name: str, args: dict[str, Any], field: str
) -> None:
    if name == "activate":
        night.do("ready", model=KNIGHT)
    with pytest.raises(BadInput) as caught:
        night.do(name, **args)
    assert caught.value.field == field


def test_every_refusal_has_a_sentence() -> None:
    assert all(line and line[0].islower() for line in REFUSALS.values())


def test_every_command_about_armies_is_known_to_the_table() -> None:
    assert {"add_unit", "token", "damage", "apply_result", "end_round"} <= set(
        FOWW.commands
    )
