from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.device.rules.asking import Game

GAME = Game("munchkin")
ask, fault = GAME.ask, GAME.fault
levels = st.integers(1, 9)


@pytest.mark.parametrize("players", range(3, 7))
def test_everybody_draws_four_of_each(players: int) -> None:
    found = ask("setup", players=players)
    assert (found["doors_each"], found["treasures_each"]) == (4, 4)
    assert found["doors_left"] == 128 - 4 * players
    assert found["treasures_left"] == 132 - 4 * players
    assert found["perks_left"] == 20


@given(levels, st.integers(-12, 12), st.sampled_from(["kill", "card", "sale", "other"]))
def test_a_level_stays_on_its_track(level: int, change: int, source: str) -> None:
    found = ask("level", level=level, change=change, source=source)
    highest = 10 if source == "kill" else 9
    assert found["level"] == max(1, min(level + change, highest))
    assert found["change"] == found["level"] - level
    assert found["won"] is (found["level"] == 10)
    assert found["capped"] is (found["change"] != change)


def test_a_hand_has_five_cards_unless_a_card_says_otherwise() -> None:
    assert ask("hand", cards=5)["ok"] is True
    found = ask("hand", cards=7)
    assert (found["over"], found["ok"], found["limit"]) == (2, False, 5)
    assert ask("hand", cards=7, limit=6)["over"] == 1


def items(*entries: str, **more: object) -> dict:
    """Items written `slot`, with ! for big, - for unused, 1 for one-shot."""
    listed = [
        {
            "id": str(number),
            "slot": entry.rstrip("!-1"),
            "big": "!" in entry,
            "in_use": "-" not in entry,
            "one_shot": "1" in entry,
        }
        for number, entry in enumerate(entries)
    ]
    return ask("items", items=listed, **more)


@pytest.mark.parametrize(
    ("entries", "problems"),
    [
        ([], []),
        (["head", "armour", "feet", "hand", "hand", "none", "none"], []),
        (["head", "head"], ["head"]),
        (["head", "head-"], []),
        (["armour", "armour", "feet", "feet"], ["armour", "feet"]),
        (["hand", "hand", "hand"], ["hands"]),
        (["two_hands", "hand"], ["hands"]),
        (["two_hands", "hand-"], []),
        (["none!", "none!-"], ["big"]),
        (["none1"], ["one_shot"]),
        (["none1-"], []),
        (
            ["none!1", "head!", "head", "two_hands", "two_hands"],
            ["big", "head", "hands", "one_shot"],
        ),
    ],
)
def test_what_may_be_used_at_a_time(entries: list[str], problems: list[str]) -> None:
    found = items(*entries)
    assert (found["problems"], found["legal"]) == (problems, not problems)


def test_a_card_may_allow_more_big_items() -> None:
    assert items("none!", "none!", big_limit=2)["legal"] is True
    assert items("none!", big_limit=0)["problems"] == ["big"]
    twice = [{"id": "a", "slot": "none"}] * 2
    assert fault("items", items=twice) == "items[1].id"


@given(levels, st.lists(st.integers(0, 3000), min_size=1, max_size=4))
def test_a_sale_never_buys_the_winning_level(level: int, values: list[int]) -> None:
    found = ask("sell", level=level, values=values)
    total = sum(values)
    if total < 1000 or level == 9:
        assert (found["allowed"], found["gained"], found["wasted"]) == (False, 0, 0)
    else:
        assert found["gained"] == min(total // 1000, 9 - level)
        assert found["wasted"] == total - 1000 * found["gained"]
    assert found["level"] == level + found["gained"] <= 9


def test_every_reason_against_a_sale_is_told_in_order() -> None:
    found = ask("sell", level=9, values=[1], own_turn=False, in_combat=True)
    assert found["reasons"] == [
        "not_own_turn",
        "in_combat",
        "under_1000",
        "winning_level",
    ]


def monster(**more: object) -> dict:
    return {"id": "m", "strength": 5, "treasures": 2, **more}


def fight(level: int, /, *monsters: dict, **helper: object) -> dict:
    players = [{"id": "p", "level": level}]
    if helper:
        players.append({"id": "h", **helper})
    return ask("combat", players=players, monsters=list(monsters))


def test_a_monster_is_killed_only_by_more_strength() -> None:
    assert fight(5, monster())["outcome"] == "lose"
    won = fight(6, monster(levels=2))
    assert (won["outcome"], won["levels"], won["treasures"]) == ("kill", 2, 2)
    helped = fight(5, monster(), level=3, bonuses=[-2, 1])
    assert (helped["players_strength"], helped["outcome"]) == (7, "kill")
    lost = fight(1, monster(treasures_on_win=True, removed=True), monster())
    assert (lost["outcome"], lost["levels"], lost["treasures"]) == ("lose", 0, 0)


def test_modifiers_change_strength_and_treasures_but_never_the_last() -> None:
    stronger = [{"value": 10, "treasures": 2}, {"value": 5, "treasures": 1}]
    weaker = [{"value": -5, "treasures": -1}, {"value": -5, "treasures": -1}]
    assert fight(1, monster(modifiers=stronger))["monsters_strength"] == 20
    won = fight(1, monster(modifiers=weaker))
    assert (won["monsters_strength"], won["treasures"]) == (-5, 1)


def test_a_removed_monster_gives_no_level_but_may_pay() -> None:
    gone = monster(removed=True, treasures_on_win=True, modifiers=[{"value": 10}])
    both = fight(6, monster(), gone, monster(removed=True))
    assert (both["outcome"], both["levels"], both["treasures"]) == ("kill", 1, 4)
    alone = fight(1, gone, monster(removed=True))
    assert (alone["outcome"], alone["levels"], alone["treasures"]) == (
        "no_monsters",
        0,
        2,
    )


@pytest.mark.parametrize(
    ("modifier", "field"),
    [
        ({"value": 3}, "value"),
        ({"value": 10, "treasures": -1}, "treasures"),
        ({"value": -5, "treasures": 1}, "treasures"),
    ],
)
def test_a_monster_modifier_is_one_that_exists(modifier: dict, field: str) -> None:
    asked = {
        "players": [{"id": "p", "level": 1}],
        "monsters": [monster(), monster(modifiers=[modifier])],
    }
    path = f"monsters[1].modifiers[0].{field}"
    assert fault("combat", **asked) == path


def test_a_fight_has_a_player_and_at_most_one_helper() -> None:
    player = {"id": "p", "level": 1}
    for players in ([], [player] * 3):
        asked = {"players": players, "monsters": [monster()]}
        assert fault("combat", **asked) == "players"


@pytest.mark.parametrize(
    ("given_", "escaped", "total", "lost"),
    [
        ({"die": 4, "target": 5}, False, 4, False),
        ({"die": 4, "target": 5, "bonus": 1}, True, 5, False),
        ({"forbidden": True, "die": 6, "target": 1}, False, None, False),
        ({"sacrifice": True}, True, None, True),
        ({"sacrifice": True, "forbidden": True}, True, None, True),
    ],
)
def test_running_away(given_, escaped, total, lost) -> None:
    found = ask("run_away", **given_)
    assert (found["escaped"], found["total"]) == (escaped, total)
    assert (found["automatic"], found["companion_lost"]) == (total is None, lost)


def test_the_text_has_no_target_so_none_is_assumed() -> None:
    assert fault("run_away", target=5) == "die"
    assert fault("run_away", die=5) == "target"
    assert fault("radiation", die=5, strength=1) == "target"


def test_radiation_protects_or_costs_the_monsters_strength() -> None:
    kept = ask("radiation", die=3, target=4, bonus=1, strength=2)
    assert (kept["protected"], kept["penalty"], kept["total"]) == (True, 0, 4)
    hurt = ask("radiation", die=3, target=4, strength=2)
    assert (hurt["protected"], hurt["penalty"]) == (False, 2)
    assert fault("radiation", die=3, target=4, strength=0) == "strength"


def test_gradual_irradiation_grows_and_kills_at_three() -> None:
    assert ask("irradiation", penalty=2, phase="turn_start") | {"steps": 0} == {
        "penalty": 3,
        "dead": False,
        "steps": 0,
        "open": ["R4"],
    }
    assert ask("irradiation", penalty=1, phase="turn_start", step=2)["penalty"] == 3
    for penalty, dead in ((2, False), (3, True)):
        found = ask("irradiation", penalty=penalty, phase="turn_end")
        assert (found["penalty"], found["dead"]) == (penalty, dead)


@pytest.mark.parametrize(
    ("given_", "another", "show", "open_"),
    [
        ({"junk": True}, True, False, True),
        ({"junk": True, "open": False}, True, True, False),
        ({"junk": False, "open": False}, False, False, None),
        ({"junk": True, "compensation": True}, False, False, None),
        ({"junk": True, "harsh": True, "open": False}, False, False, None),
    ],
)
def test_junk_is_replaced_once_as_it_was_drawn(given_, another, show, open_) -> None:
    found = ask("junk", **given_)
    assert (found["draw_another"], found["must_show"]) == (another, show)
    assert found["another_open"] is open_
