"""Why a command was refused, and what its inputs are called, in words."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from device.errors import DicelightError
from web.games import words as more
from web.language import marked as N_


class Refused(DicelightError):
    """The page itself refuses a request.

    Attributes:
        status: HTTP status.
        field: The input at fault, "" for none.
    """

    def __init__(self, status: int, message: str, field: str = "") -> None:
        self.status = status
        self.field = field
        super().__init__(message)


REASONS: Final = MappingProxyType(
    {
        "no_open_check": N_("No check is open."),
        "check_open": N_("Another check is open. Close it first."),
        "nothing_to_confirm": N_("There is nothing to confirm."),
        "no_face": N_("One die shows no face. Tap it and say which."),
        "dice_differ": N_("The dice in the tray are not those asked for."),
        "has_dice": N_("That die is already there. Put it right instead."),
        "roll_gone": N_("Only the dice of the last two checks can be put right."),
        "nothing_to_undo": N_("There is nothing to take back."),
        "cannot_undo": N_("This step can no longer be taken back."),
        "nothing_to_redo": N_("There is nothing to do again."),
        "no_simulated_tray": N_("This tray is real: throw the dice by hand."),
        "no_camera": N_("The camera is not there yet."),
        "still_rolling": N_("The dice are still rolling."),
        "token_limit": N_("No more of these tokens can lie there."),
        "no_token": N_("There is no such token to take away."),
        "luck_unknown": N_("Nobody has said this unit's luck."),
        "gauge_unknown": N_("Nobody has said this weapon's critical rating."),
        "not_active": N_("This model is not being activated."),
        "model_removed": N_("This model is out of the battle."),
        "immune": N_("This model is immune to that."),
        "cannot_overwatch": N_("A frozen or stunned model takes no overwatch."),
        "armour_unknown": N_("Nobody has said how much this power armour holds."),
        "not_unready": N_("This model already has a readiness token."),
        "no_turn": N_("All models of this side have been activated."),
        "not_ready": N_("Only a ready model is activated."),
        "another_active": N_("Another model is being activated. End that first."),
        "toss_needed": N_("A burning model tosses a luck token. Say which side."),
        "round_goes_on": N_("Not every model has been activated yet."),
        "no_damage": N_("There is no damage to give."),
        "already_applied": N_("This damage has already been given."),
        "faces_known": N_("The faces of this die are known."),
        "too_many_sides": N_("That is more sides than this die has."),
        "sides_missing": N_("Not every side has been counted yet."),
        "tuning_on": N_("The camera is being set already."),
        "not_safe": N_("The device is not in safe mode."),
        "not_measured": N_("The strip is not measured yet."),
        "no_walk": N_("No strip is being measured."),
        "lesson_on": N_("Another die is being taught. End that lesson first."),
        "no_lesson": N_("No die is being taught."),
        "other_phase": N_("That does not fit how far the lesson is."),
        "too_few_faces": N_("Name every side that was seen first, two faces at least."),
        "army_full": N_("No more models fit on this table."),
        "table_full": N_("No more devices can join. The host can remove some."),
        "too_many_tokens": N_("There are too many tokens. Revoke one first."),
        **more.REASONS,
    }
)
"""By `TableError.reason`."""

FIELDS: Final = MappingProxyType(
    {
        "name": N_("your name"),
        "role": N_("player or spectator"),
        "check": N_("kind of check"),
        "rating": N_("rating"),
        "bonus": N_("bonus"),
        "cover": N_("cover"),
        "attack": N_("attack"),
        "dice": N_("effect dice"),
        "effects": N_("effect dice"),
        "amount": N_("damage points"),
        "sturdy": N_("sturdy"),
        "penetration": N_("penetration"),
        "boost_icons": N_("armour boost"),
        "ignore_armour": N_("points that ignore armour"),
        "weapon": N_("weapon"),
        "damage": N_("damage"),
        "die": N_("die"),
        "face": N_("face"),
        "roll": N_("roll"),
        "cue": N_("what to light"),
        "bands": N_("bands"),
        "length_mm": N_("length"),
        "origin_mm": N_("start of measuring"),
        "seq": N_("line of the log"),
        "model": N_("model"),
        "unit": N_("unit"),
        "side": N_("side"),
        "token": N_("token"),
        "health": N_("health"),
        "file": N_("roster file"),
        "type": N_("type of damage"),
        "army": N_("army"),
        "card": N_("card"),
        "person": N_("person at the table"),
        "program": N_("name of the program"),
        "faces": N_("faces"),
        "group": N_("side of the die"),
        "strip": N_("strip"),
        "led": N_("LED"),
        "at_mm": N_("millimetres"),
        "test": N_("throw of the test"),
        "night": N_("night"),
        **more.FIELDS,
    }
)
"""By the last name in `RulesError.field`."""
