"""``/setup``: parts, people, language; camera, rulers, storage, doctor, bundle."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from babel.numbers import format_decimal
from flask import Blueprint, Response, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.errors import BadInput
from device.workshop import Walk, Workshop
from web import corners
from web.act import act, text, whole
from web.faults import fault_words, is_known
from web.findings import finding_name, finding_words
from web.hub import hub
from web.language import current
from web.language import marked as N_
from web.reasons import Refused
from web.told import clock
from web.visitors import visitor

bp = Blueprint("setup", __name__)

ADVICE: Final = MappingProxyType(
    {
        "no_frame": N_(
            "The printed frame is not in view: raise the camera until all four markers "
            "are in the picture, lay the sheet flat, light it."
        ),
        "bent": N_(
            "The markers do not lie in one plane: lay the sheet flat, and one sheet "
            "only."
        ),
        "blurred": N_("Out of focus: set the focus, wipe the lens, steady the arm."),
        "dark": N_("Too dark: more light, or a longer exposure."),
        "bright": N_("Too bright: less light, or a shorter exposure."),
        "uneven": N_("One side is much brighter: light it from two sides."),
        "tinted": N_("White is not white: set the colour."),
        "far": N_("The camera is too high: numerals are too small to be read."),
        "tilted": N_("The camera does not look straight down: level it."),
        "marker_hidden": N_("One marker is hidden or out of the picture."),
    }
)
"""What to do, by `View.problems`."""

TUNED: Final = MappingProxyType(
    {
        "running": N_("The camera is being set; this takes some seconds."),
        "done": N_("The camera was set by the frame, and that is kept."),
        "fixed": N_("This camera cannot be set from here."),
        "failed": N_("The camera failed while it was being set."),
    }
)

STATES: Final = MappingProxyType(
    {"ok": N_("in order"), "note": N_("works without"), "missing": N_("needed")}
)
"""By `Finding.state`."""


def workshop() -> Workshop:
    """Return who sets the device up.

    Raises:
        Refused: Nobody does here (503).
    """
    found = hub().companion.workshop
    if found is None:
        raise Refused(503, N_("Nothing can be set up from here."))
    return found


def megabytes(size: int) -> str:
    """Write a size in megabytes, as this language writes numbers."""
    return format_decimal(round(size / 1e6, 1), format="#,##0.#", locale=current())


@bp.get("/setup")
def show() -> str:
    """Show the parts with their state, who has joined, and the ways to set up."""
    desk = hub().companion.workshop
    return render_template(
        "setup.html",
        desk=desk,
        storage=desk.backstage.storage() if desk else None,
        strips=desk.strips.sizes() if desk else {},
        megabytes=megabytes,
        clock=clock,
        fault_words=fault_words,
        is_known=is_known,
    )


@bp.get("/setup/camera")
def camera() -> str:
    """Show the picture and what is off with it."""
    desk = workshop()
    return render_template(
        "setup_camera.html",
        look=desk.look(),
        marks=corners.marks,
        markers_said=corners.said,
        tuning=desk.tuning,
        tuned=TUNED,
        advice=ADVICE,
    )


@bp.get("/setup/camera.jpg")
def camera_jpeg() -> Response:
    """Return the picture that was judged last; 404 before the first."""
    picture = workshop().looked_jpeg()
    if picture is None:
        raise Refused(404, N_("There is no picture of the tray yet."))
    return Response(picture, mimetype="image/jpeg")


@bp.post("/setup/camera/tune")
def tune() -> AnyResponse:
    """Set exposure, colour and focus by the frame."""
    return act("camera_tune", {}, back=url_for(".camera"))


@bp.get("/setup/doctor")
def doctor() -> str:
    """Show what is connected, what is missing, what to do."""
    findings = workshop().backstage.doctor()
    return render_template(
        "setup_doctor.html",
        findings=findings,
        states=STATES,
        finding_name=finding_name,
        finding_words=finding_words,
    )


@bp.post("/setup/safe/leave")
def leave_safe_mode() -> AnyResponse:
    """Leave safe mode: the service starts again, with everything."""
    return act("leave_safe_mode", {}, back=url_for(".show"))


@bp.get("/setup/bundle.zip")
def bundle() -> Response:
    """Return the diagnostics bundle; for players alone."""
    who = visitor()
    if who is None or not who.may_act:
        raise Refused(403, N_("Spectators only look. Join as a player to act."))
    name = 'attachment; filename="dicelight-bundle.zip"'
    return Response(
        workshop().backstage.bundle(),
        mimetype="application/zip",
        headers={"Content-Disposition": name},
    )


@bp.get("/setup/ruler")
def ruler() -> str:
    """Show the strip that is being measured, or which there are."""
    desk = workshop()
    return render_template(
        "setup_ruler.html", walk=desk.walk, strips=desk.strips.sizes(), known=known
    )


def known(walk: Walk) -> bool:
    """Say whether the lit LED has been measured."""
    return any(led == walk.led for led, _ in walk.points)


@bp.post("/setup/ruler/<deed>")
def measure(deed: str) -> AnyResponse:
    """Do one thing in measuring a strip."""
    args: dict[str, object] = {}
    if deed == "start":
        args = {"strip": text("strip")}
    elif deed == "step":
        args = {"led": whole("led")}
    elif deed == "point":
        args = {"at_mm": millimetres("at_mm")}
    elif deed not in ("undo", "keep", "cancel"):
        raise Refused(404, N_("There is nothing here (yet)."))
    return act(f"walk_{deed}", args, back=url_for(".ruler"))


def millimetres(field: str) -> float:
    """Return a length from the form, ``992.5`` or ``992,5``.

    Raises:
        BadInput: It is no number.
    """
    try:
        return float(request.form.get(field, "").strip().replace(",", "."))
    except ValueError:
        raise BadInput(N_("Please type a number of millimetres."), field) from None
