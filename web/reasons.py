"""Why a command was refused, and what its inputs are called, in words."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from device.errors import DicelightError
from web.language import marked as N_


class Refused(DicelightError):
    """The page itself refuses a request.

    Attributes:
        status: HTTP status.
    """

    def __init__(self, status: int, message: str) -> None:
        self.status = status
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
        "seq": N_("line of the log"),
    }
)
"""By the last name in `RulesError.field`."""
