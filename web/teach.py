"""``/dice/teach``: a die is taught on the phone, its sides named as they are seen."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Final

from flask import Blueprint, Response, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.lessons import TRIES, Lesson, Lessons
from web.act import act, text, whole
from web.hub import current_snapshot, hub
from web.language import marked as N_
from web.reasons import Refused
from web.screens import faces

bp = Blueprint("teach", __name__, url_prefix="/dice/teach")

NOTES: Final = MappingProxyType(
    {
        "no_die": N_("No die lies flat in the tray. Throw it again."),
        "several_dice": N_("Only the die that is taught may lie in the tray."),
        "wrong_shape": N_("That looks like a die of another kind."),
    }
)
"""What was wrong with the last look, by `Lesson.note`."""


def lessons() -> Lessons:
    """Return who gives lessons.

    Raises:
        Refused: Nobody can: there is no reader (503).
    """
    found = hub().companion.lessons
    if found is None:
        raise Refused(503, N_("Dice cannot be taught now: the reader is off."))
    return found


@bp.get("")
def show() -> str:
    """Show the lesson, or which dice can be taught."""
    teacher, snapshot = lessons(), current_snapshot()
    lesson = teacher.now
    view: dict[str, Any] = {
        "lesson": lesson,
        "live": snapshot.live,
        "dice_set": hub().companion.dice,
        "taught": teacher.taught,
        "corrections": teacher.corrections,
        "last": teacher.last,
        "notes": NOTES,
        "tries": TRIES,
    }
    if lesson is not None:
        view["faces"] = faces(hub(), snapshot.state.game, lesson.die)
        view["named"] = named(lesson)
        view["right"] = sum(one.is_right for one in lesson.tries)
        view["wrong"] = sum(one.is_wrong for one in lesson.tries)
    return render_template("dice_teach.html", **view)


def named(lesson: Lesson) -> dict[str, list[int]]:
    """Return the sides that show each face, by number."""
    found: dict[str, list[int]] = {}
    for group in lesson.groups:
        if group.face:
            found.setdefault(group.face, []).append(group.number)
    return found


@bp.get("/<kind>-<int:number>.jpg")
def look(kind: str, number: int) -> Response:
    """Return the picture of a side, or of a throw of the test."""
    lesson = lessons().now
    pictures: dict[int, bytes] = {}
    if lesson is not None and kind == "side":
        pictures = {group.number: group.jpeg for group in lesson.groups}
    elif lesson is not None and kind == "try":
        pictures = {one.number: one.jpeg for one in lesson.tries}
    if number in pictures:
        return Response(pictures[number], mimetype="image/jpeg")
    raise Refused(404, N_("There is nothing here (yet)."))


@bp.post("/<deed>")
def do(deed: str) -> AnyResponse:
    """Do one thing in the lesson."""
    args: dict[str, Any] = {}
    if deed == "start":
        args = {"die": text("die")}
    elif deed == "name":
        args = {"group": whole("group"), "face": text("face")}
    elif deed == "forget":
        args = {"group": whole("group")}
    elif deed == "judge":
        args = {"test": whole("test"), "face": text("face")}
    elif deed == "unlearn":
        args = {"die": text("die")}
        return act("forget_corrections", args, back=url_for(".show"))
    elif deed not in ("test", "more", "throw", "keep", "cancel", "undo"):
        raise Refused(404, N_("There is nothing here (yet)."))
    return act(f"teach_{deed}", args, back=url_for(".show"))
