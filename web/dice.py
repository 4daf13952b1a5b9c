"""``/dice``: the dice in play, what they have shown, and their faces by hand."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement

from flask import Blueprint, render_template, request, url_for
from werkzeug.wrappers import Response

from device.fairness import (
    ODD,
    Fairness,
    Share,
    Tally,
    chances,
    fairness,
    shares,
)
from device.rules.dice import (
    ARMOUR_FACES,
    BLANK,
    EFFECT_COLOURS,
    EFFECT_ICONS,
    LUCK_SIDES,
    SIDES,
    SKILL_FACES,
    Die,
    face_key,
)
from web.act import act, ticked, whole
from web.hub import current_snapshot, hub
from web.language import marked as N_
from web.language import percent
from web.reasons import Refused
from web.screens import sought

bp = Blueprint("dice", __name__)

SIDE = "side_"
"""Fields of the editor: so many sides show the face that follows."""


@bp.get("/dice")
def show() -> str:
    """Show every die and its faces; unverified ones say so and have no odds."""
    companion = hub().companion
    dice = companion.dice
    return render_template(
        "dice.html",
        dice_set=dice,
        can_teach=companion.lessons is not None,
        may_change=lambda name: companion.faces.may_change(dice.name, name),
        counted=lambda name: companion.faces.last(dice.name, name),
        odds=lambda die: chances(die, die.name),
        percent=percent,
        in_order=lambda faces: sorted(faces, key=lambda face: sought(face.key)),
    )


# --- What they have shown -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shown:
    """One kind of die and what it has shown.

    Attributes:
        name: Of the die.
        tally: Its counts.
        shares: Each face, in the order looked for.
        fair: Whether that looks fair; None without odds or throws.
        odd: It strays too far for chance.
    """

    name: str
    tally: Tally
    shares: tuple[Share, ...]
    fair: Fairness | None
    odd: bool


@bp.get("/dice/statistics")
def statistics() -> str:
    """Show how often each face came, and whether that looks fair.

    Query: ``all`` counts every night, not only this one.
    """
    companion, snapshot = hub().companion, current_snapshot()
    every = "all" in request.args
    night, seq = snapshot.state.night, snapshot.seq
    lost = 0
    if every:
        tallies, lost = companion.ledger.all_nights(night, seq)
    else:
        tallies = companion.ledger.tonight(night, seq)
    known = {die.name: die for die in companion.dice.dice}
    names = [*known, *sorted(set(tallies) - set(known))]
    tested = [name for name in names if name in tallies and tallies[name].throws]
    return render_template(
        "dice_statistics.html",
        every=every,
        lost=lost,
        dice=[shown(one, tallies[one], known.get(one), len(tested)) for one in tested],
        percent=percent,
    )


def shown(name: str, tally: Tally, die: Die | None, tested: int) -> Shown:
    """Return what one kind of die has shown."""
    odds = chances(die, name)
    fair = fairness(tally.faces, odds, tested) if odds else None
    each = sorted(shares(tally.faces, odds), key=lambda share: sought(share.face))
    odd = fair is not None and fair.p_value < ODD / tested
    return Shown(name, tally, tuple(each), fair, odd)


# --- Faces by hand ------------------------------------------------------------------


@bp.get("/dice/<name>/faces")
def faces(name: str) -> str:
    """Show the form in which a die's faces are counted."""
    die = changeable(name)
    singles, pairs = possible(die)
    return render_template(
        "dice_faces.html",
        die_shown=die,
        sides=SIDES[die.shape],
        counts={face.key: face.count or 0 for face in die.faces},
        singles=singles,
        pairs=pairs,
        last=hub().companion.faces.last(hub().companion.dice.name, name),
    )


@bp.post("/dice/<name>/faces")
def set_faces(name: str) -> Response:
    """Take what was counted."""
    die = changeable(name)
    counts = {
        face: whole(SIDE + face, 0)
        for faces in possible(die)
        for face in faces
        if SIDE + face in request.form
    }
    args = {"die": name, "faces": counts, "verified": ticked("verified")}
    return act("set_faces", args, back=url_for(".faces", name=name))


@bp.post("/dice/<name>/faces/undo")
def undo_faces(name: str) -> Response:
    """Take the last change back."""
    return act("undo_faces", {"die": name}, back=url_for(".faces", name=name))


def changeable(name: str) -> Die:
    """Return a die whose faces players fill in.

    Raises:
        Refused: There is none of that name (404).
    """
    companion = hub().companion
    if not companion.faces.may_change(companion.dice.name, name):
        raise Refused(404, N_("The faces of this die are known."))
    return companion.dice.die(name)


def possible(die: Die) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the faces that a die may have: with one sign, and with two."""
    known = {"skill": SKILL_FACES, "armour": ARMOUR_FACES, "luck": LUCK_SIDES}
    if die.name in EFFECT_COLOURS:
        both = combinations_with_replacement(EFFECT_ICONS, 2)
        return (*EFFECT_ICONS, BLANK), tuple(map(face_key, both))
    faces = known.get(die.name) or tuple(face.key for face in die.faces)
    return tuple(sorted(faces, key=sought)), ()
