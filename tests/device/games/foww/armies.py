"""Armies for tests: every kind of token, made up values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from device.data.load import load_dice_set
from device.decisions import Situation, decide
from device.errors import TableError
from device.games.foww.tokens import count_of
from device.table.army import Armies, Model
from device.table.events import Draft, Event, make_event
from device.table.fold import Fold, apply
from device.table.view import Live

HEROES = """
format = 1
[[unit]]
name = { en = "Knight", ru = "Рыцарь" }
hero = true
health = 5
special = { luc = 3, end = 5 }
weapons = ["Rifle", "Launcher"]
items = [{ name = "Stimpak", count = 2 }]
power_armour = "Suit"
[[unit]]
name = "Robot"
robot = true
health = 4
count = 2
[[weapon]]
name = "Rifle"
critical_rating = 3
[[weapon]]
name = "Launcher"
slow_fire = true
[[item]]
name = "Stimpak"
[[power_armour]]
name = "Suit"
endurance = 4
"""

STRANGERS = """
format = 1
[[unit]]
name = "Stranger"
weapons = ["Shovel"]
power_armour = "Rusty suit"
"""


class Night:
    """A night without a journal: commands become events and are applied."""

    dice = "demo"

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.fold = Fold()
        self.record(Draft("night_started", {"game": "foww"}))

    def record(self, draft: Draft) -> None:
        event = make_event(
            draft,
            table="t1",
            night="n1",
            seq=self.fold.seq + 1,
            at_s=float(self.fold.seq),
            by="Ann",
            command="",
        )
        self.fold = apply(self.fold, event)
        self.events.append(event)

    def do(self, name: str, **args: Any) -> None:
        situation = Situation(
            self.fold, Live(), load_dice_set(self.dice), lambda cue: None
        )
        for draft in decide(situation, name, args):
            self.record(draft)

    @property
    def armies(self) -> Armies:
        return self.fold.content.armies

    @property
    def log(self) -> Mapping[str, Any]:
        return self.fold.log[-1].params

    def model(self, model_id: str) -> Model:
        found = self.armies.find(model_id)
        assert found is not None
        return found[1]

    def count(self, model_id: str, token: str) -> int:
        found = self.armies.find(model_id)
        assert found is not None
        return count_of(*found, token)


KNIGHT, ROBOT, ROBOT2, STRANGER = "u2-1.1", "u2-2.1", "u2-2.2", "u3-1.1"
MODELS = (KNIGHT, ROBOT, ROBOT2, STRANGER)


def make_night() -> Night:
    """Return a night with both sides on the table."""
    night = Night()
    night.do("add_unit", side="a", roster=HEROES)
    night.do("add_unit", side="b", roster=STRANGERS)
    return night


def hurt(night: Night, model: str, *parts: tuple[str, int], **args: Any) -> None:
    damage = [{"type": kind, "amount": amount} for kind, amount in parts]
    night.do("damage", model=model, damage=damage, **args)


def put_right(night: Night, face: str) -> None:
    content = night.fold.content
    check = content.check or (content.last and content.last.check)
    if check is None or check.roll is None:
        raise TableError("nothing was rolled", "roll_gone")
    night.do("correct_die", roll=check.roll.id, die="h1", face=face)
