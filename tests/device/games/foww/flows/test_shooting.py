"""Shooting and throwing as guided flows."""

from __future__ import annotations

import pytest

from device.errors import TableError
from tests.device.games.foww.flows.playing import (
    BRUTE,
    HOUND,
    KNIGHT,
    KNIGHT2,
    PALADIN,
    Play,
)


@pytest.fixture
def play() -> Play:
    return Play().act(KNIGHT)


def aim(
    play: Play, model: str, at: str, *, cover: int = 0, reach: str = "short"
) -> None:
    play.begin("shoot", model).say("0", at, reach, "no", cover, "no")


def test_a_shot_lights_both_bands_and_its_damage_lies_on_the_target(play: Play) -> None:
    play.begin("shoot", KNIGHT).say("0")
    assert play.content.ruler is not None
    assert play.content.ruler.cue == {"bands": ("green", "blue")}
    play.say(BRUTE, "short", "no", 1, "no")
    assert play.view.asks == "dice" and play.view.section == "§2.4 p.10"
    check = play.content.check
    assert check is not None and check.rating == 3  # PER 5, one cover
    play.roll(skill="4", green="acc1", black="dmg+dmg")
    # 2 energy + 2 damage icons against 2, +1 for cover
    play.roll(armour="3").over()
    assert play.model(BRUTE).regular == 1
    assert play.content.ruler is None
    assert play.turn.actions == 1


def test_a_miss_does_nothing_and_costs_the_action(play: Play) -> None:
    aim(play, KNIGHT, BRUTE)
    play.roll(skill="x_ap", green="blank", black="blank").over()
    assert play.model(BRUTE).regular == 0
    assert play.model(KNIGHT).ap == 1  # the action point counts on a miss too
    assert play.turn.actions == 1


def test_icons_pay_for_effects_one_after_another(play: Play) -> None:
    aim(play, KNIGHT, BRUTE)
    play.roll(skill="2", green="bottle", black="bottle+dmg")
    choices = {one.words or one.key: one.why_not for one in play.view.choices}
    assert choices == {"done": "", "ignore_armour": "", "burning": ""}
    play.say("0")
    assert {one.why_not for one in play.view.choices} == {"", "icons"}
    play.say("0")  # two points ignore the armour
    play.roll(armour="2").over()
    assert play.model(BRUTE).regular == 2
    assert play.model(BRUTE).conditions == ()


def test_burning_is_gained_and_excess_icons_are_lost(play: Play) -> None:
    aim(play, KNIGHT, BRUTE)
    play.roll(skill="2", green="bottle+bottle", black="blank").say("1")
    play.roll(armour="4").over()
    assert play.model(BRUTE).conditions == ("burning",)


def test_luck_before_and_after(play: Play) -> None:
    play = Play().act(PALADIN)
    aim(play, PALADIN, BRUTE)
    play.roll(skill="8", green="blank", black="blank")
    assert play.view.step == "luck_accuracy"  # rating 7
    play.say("yes").roll(luck="luck")
    assert play.model(PALADIN).luck == 2
    # a hit earns a critical point, and luck one more
    assert play.view.step == "luck_crit_point"
    play.say("yes").roll(luck="luck")
    play.roll(armour="1").over()
    assert play.model(PALADIN).luck == 1
    assert play.model(PALADIN).criticals[0] == 2
    assert play.model(BRUTE).regular == 1


def test_a_full_gauge_makes_a_critical_attack_without_a_skill_die() -> None:
    play = Play().act(PALADIN)
    for _ in range(2):
        play.do("token", model=PALADIN, token="critical:0", change=1)
    play.begin("shoot", PALADIN).say("0", "yes", BRUTE, "short", "no", 0, "no")
    play.roll(green="blank", black="dmg")
    play.roll(armour="2").over()
    assert play.model(BRUTE).regular == 3  # 4 + 1 - 2
    assert play.model(PALADIN).criticals[0] == 0


def test_the_target_may_dodge_and_take_it_easier() -> None:
    play = Play().act(HOUND)
    play.do("token", model=PALADIN, token="power_armour", change=1)
    play.do("end_activation", model=HOUND)
    play.act(BRUTE)
    play.begin("shoot", BRUTE).say("1", PALADIN, "short", "no", 0, "no")
    play.roll(skill="3", black="dmg")
    assert play.view.step == "luck_dodge"
    play.say("no").say("own_armour")
    play.roll(armour="4")  # 4 > 3: nothing stopped, 2 damage
    assert play.view.step == "luck_toughness" and play.view.params["damage"] == 2
    play.say("yes").roll(luck="luck").over()
    paladin = play.model(PALADIN)
    assert (paladin.power_armour, paladin.broken, paladin.regular) == (2, True, 0)


def test_a_dodged_hit_is_a_miss() -> None:
    play = Play().act(BRUTE)
    play.begin("shoot", BRUTE).say("1", PALADIN, "short", "no", 0, "no")
    play.roll(skill="3", black="dmg").say("yes").roll(luck="luck").over()
    assert play.model(PALADIN).power_armour == 0


def test_a_shot_into_a_fight_asks_the_red_die(play: Play) -> None:
    play.begin("shoot", KNIGHT).say("0", BRUTE, "short", "yes", 0, "no")
    check = play.content.check
    assert check is not None and check.rating == 7  # +2 into a fight
    play.roll(skill="2", green="blank", black="blank").say([KNIGHT2])
    play.roll(armour="2")  # token 2: the friend
    assert play.view.params["target"] != play.view.who
    play.roll(armour="2").over()
    assert play.model(BRUTE).regular == 0 and play.model(KNIGHT2).regular == 2


def test_nobody_is_shot_out_of_range(play: Play) -> None:
    play.begin("shoot", KNIGHT).say("0", BRUTE, "out_of_range").over()
    assert play.turn.actions == 2


def test_removal_and_a_last_action() -> None:
    play = Play().act(KNIGHT)
    play.do("ready", model=HOUND)
    for _ in range(2):
        play.do("token", model=HOUND, token="regular", change=1)
    aim(play, KNIGHT, HOUND)
    play.roll(skill="2", green="blank", black="blank").roll(armour="4")
    assert play.view.step == "last_gasp"
    play.roll(luck="luck").say("move").say("open").say("done").over()
    assert play.model(HOUND).removed and play.model(HOUND).regular == 4


def test_a_grenade_hits_everybody_inside() -> None:
    play = Play().act(PALADIN)
    play.begin("throw", PALADIN).say("2", BRUTE, "no", 0, "no")
    play.roll(skill="3")
    assert play.view.step == "inside"
    play.say([BRUTE, HOUND], [HOUND])
    play.roll(armour="4")  # the target: 2 + 1, nothing stopped
    play.roll(armour="2").over()  # shielded: 1 + 1, stops 2
    assert play.model(BRUTE).regular == 3 and play.model(HOUND).regular == 0


def test_a_missed_grenade_scatters_by_its_margin() -> None:
    play = Play().act(PALADIN)
    play.begin("throw", PALADIN).say("2", BRUTE, "no", 0, "no")
    play.roll(skill="10").say("no")  # AGI 6: missed by 4, no luck
    assert play.view.step == "direction"
    assert play.content.ruler is not None
    assert play.content.ruler.cue == {"bands": ("yellow",)}
    play.say(4, "done", [HOUND], []).roll(armour="4").over()
    assert play.model(HOUND).regular == 2 and play.model(BRUTE).regular == 0


def test_what_the_rules_refuse_is_refused_with_its_reason(play: Play) -> None:
    for args, reason in (
        ({"kind": "shoot", "model": BRUTE}, "not_active"),
        ({"kind": "unstun", "model": KNIGHT}, "not_stunned"),
        ({"kind": "shoot", "model": KNIGHT, "quick": True}, "no_icon"),
    ):
        with pytest.raises(TableError) as caught:
            play.do("flow_begin", **args)
        assert caught.value.reason == reason
    play.begin("shoot", BRUTE, override=True)
    assert play.log["override"] == "not_active"


def test_quick_actions_cost_a_point_and_an_icon() -> None:
    play = Play().act(PALADIN)
    play.do("token", model=PALADIN, token="ap", change=1)
    play.do("token", model=PALADIN, token="ap", change=1)
    play.begin("shoot", PALADIN, quick=True).say("0", BRUTE, "short", "no", 0, "no")
    check = play.content.check
    assert check is not None and check.rating == 5
    play.roll(skill="x_ap", green="blank", black="blank").over()
    assert play.model(PALADIN).ap == 1 and play.turn.actions == 2
    with pytest.raises(TableError) as caught:
        play.begin("melee", PALADIN, quick=True)
    assert caught.value.reason == "icon_used"
