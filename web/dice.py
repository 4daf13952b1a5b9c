"""``/dice``: the dice of the set in play, with their faces; nothing is changed here."""

from __future__ import annotations

from flask import Blueprint, render_template

from device.data.load import load_dice_set
from web.hub import hub
from web.screens import sought

bp = Blueprint("dice", __name__)


@bp.get("/dice")
def show() -> str:
    """Show every die and its faces; unverified ones say so and have no odds."""
    return render_template(
        "dice.html",
        dice_set=load_dice_set(hub().settings.dice_set),
        in_order=lambda faces: sorted(faces, key=lambda face: sought(face.key)),
    )
