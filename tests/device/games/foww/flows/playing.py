"""Plays guided flows in tests: answers by words, dice by hand."""

from __future__ import annotations

from typing import Any

from device.games.foww.flows.show import flow_view, turn_view
from device.games.foww.flows.view import FlowView, TurnView
from device.table.state import Content
from tests.device.games.foww.armies import Night

KNIGHTS = """
format = 1
[[unit]]
name = "Paladin"
hero = true
health = 5
special = { str = 7, per = 7, end = 5, agi = 6, luc = 3 }
skills = { rifle = "per", melee = "str", throw = "agi", lockpick = "int" }
armour = { physical = 3, energy = 2, radiation = 1 }
ranges = { move = "red", charge = "green", awareness = "green", throw = "yellow" }
weapons = ["Laser rifle", "Sword", "Grenade", "Mine"]
items = [{ name = "Stimpak", count = 2 }, "Buffout"]
power_armour = "T-60"
[[unit]]
name = "Knight"
count = 2
health = 3
special = { str = 4, per = 5, end = 4, agi = 5, luc = 1 }
skills = { rifle = "per", melee = "str" }
armour = { physical = 2, energy = 1, radiation = "-" }
ranges = { move = "red", charge = "green", awareness = "red" }
weapons = ["Laser rifle"]
[[weapon]]
name = "Laser rifle"
skill = "rifle"
damage = { energy = 2 }
short = "green"
long = "blue"
short_dice = { green = 1, black = 1 }
long_dice = { black = 1 }
critical_rating = 2
critical_damage = { energy = 4 }
effects = [
  { does = "ignore_armour", cost = { bottle = 1 } },
  { does = "burning", cost = { bottle = 2 }, limit = 1 },
]
[[weapon]]
name = "Sword"
skill = "melee"
damage = { physical = 2 }
short_dice = { black = 1 }
[[weapon]]
name = "Grenade"
skill = "throw"
damage = { physical = 2 }
target_damage = { physical = 1 }
area = "yellow"
grenade = true
scatter = [{ from = 1, to = 2, range = "orange" }, { from = 3, range = "yellow" }]
[[weapon]]
name = "Mine"
mine = true
short = "orange"
area = "yellow"
damage = { physical = 2 }
[[item]]
name = "Stimpak"
duration = "instant"
heals = 2
cures = "stimpak"
[[item]]
name = "Buffout"
category = "chem"
duration = "decaying"
columns = [{ str = 2 }, { str = 1 }]
addiction = "star"
addicted = { str = -1 }
[[power_armour]]
name = "T-60"
endurance = 2
strength = 1
armour = { physical = "3+1", energy = "3+1" }
broken = { physical = 3, energy = 3 }
"""

MUTANTS = """
format = 1
[[unit]]
name = "Brute"
health = 6
kind = "super_mutant"
special = { str = 8, per = 3, end = 8, cha = 3, agi = 4, luc = 3 }
skills = { melee = "str", battle_cry = "str", rifle = "per" }
armour = { physical = 2, energy = 2, radiation = "X" }
ranges = { move = "red", charge = "green", awareness = "green", battle_cry = "orange" }
weapons = ["Board", "Pipe rifle"]
[[unit]]
name = "Hound"
health = 3
kind = "dog"
special = { str = 5, per = 5, agi = 6 }
skills = { melee = "str", resist_battle_cry = "str" }
armour = { physical = 1, energy = 1 }
ranges = { move = "green", charge = "blue", awareness = "red" }
[[weapon]]
name = "Board"
skill = "melee"
damage = { physical = 2 }
short_dice = { black = 1 }
[[weapon]]
name = "Pipe rifle"
skill = "rifle"
damage = { physical = 1 }
short = "yellow"
short_dice = { black = 1 }
"""

PALADIN, KNIGHT, KNIGHT2 = "u2-1.1", "u2-2.1", "u2-2.2"
BRUTE, HOUND = "u3-1.1", "u3-2.1"


class Play(Night):
    """A night that is played through its flows."""

    dice = "foww"

    def __init__(self) -> None:
        super().__init__()
        self.do("add_unit", side="a", roster=KNIGHTS)
        self.do("add_unit", side="b", roster=MUTANTS)

    @property
    def content(self) -> Content:
        return self.fold.content

    @property
    def view(self) -> FlowView:
        view = flow_view(self.content)
        assert view is not None
        return view

    @property
    def turn(self) -> TurnView:
        return turn_view(self.content)

    def begin(self, kind: str, model: str = "", **args: Any) -> Play:
        if model:
            args["model"] = model
        self.do("flow_begin", kind=kind, **args)
        return self

    def say(self, *answers: Any, step: str = "", **args: Any) -> Play:
        """Answer the questions in turn: a key, a list of keys, or a number."""
        for answer in answers:
            assert self.view.asks in ("choice", "several", "number"), self.view
            if step:
                assert self.view.step == step
            name = "number" if isinstance(answer, int) else "choose"
            self.do("flow_choose", **{name: answer}, **args)
        return self

    def roll(self, **faces: str) -> Play:
        """Type in the dice asked for: ``black="dmg"``, or two: ``black="dmg,pen"``."""
        assert self.view.asks == "dice", self.view
        wanted = [w.die for w in self.view.wants for _ in range(w.count)]
        given = {die: face.split(",") for die, face in faces.items()}
        assert sorted(wanted) == sorted(d for d, f in given.items() for _ in f), wanted
        for die in wanted:
            self.do("enter_die", die=die, face=given[die].pop(0))
        return self

    def over(self) -> Play:
        assert self.view.asks == "over", self.view
        return self

    def act(self, model: str) -> Play:
        """Make a model ready and active, whatever the turn says."""
        self.do("ready", model=model, override=True)
        self.do("activate", model=model, override=True)
        return self
