"""``/dice``: the dice of the set in play, with their faces; nothing is changed here."""

from __future__ import annotations

from flask import Blueprint, render_template

from device.games.registry import dice_in_play
from web.hub import current_snapshot, hub
from web.screens import sought

bp = Blueprint("dice", __name__)


@bp.get("/dice")
def show() -> str:
    """Show every die and its faces; unverified ones say so and have no odds."""
    return render_template(
        "dice.html",
        dice_set=dice_in_play(current_snapshot().state.game, hub().settings.dice_set),
        in_order=lambda faces: sorted(faces, key=lambda face: sought(face.key)),
    )
