"""The live picture of the tray, and the photograph kept of every roll."""

from __future__ import annotations

from flask import Blueprint, Response, request

from web.hub import hub
from web.language import marked as N_
from web.reasons import Refused

bp = Blueprint("pictures", __name__)


@bp.get("/tray.jpg")
def tray() -> Response:
    """Return the newest picture; 404 before the first."""
    picture = hub().companion.tray_jpeg()
    if picture is None:
        raise Refused(404, N_("There is no picture of the tray yet."))
    return Response(picture, mimetype="image/jpeg")


@bp.get("/rolls/<roll_id>.jpg")
def roll(roll_id: str) -> Response:
    """Return the photograph of a roll.

    Query: ``night`` and ``seq``, the event that tells of the reading; with them a
    picture never changes.
    """
    seq = request.args.get("seq", 0, type=int)
    night = request.args.get("night", "")
    picture = hub().companion.roll_jpeg(roll_id, seq, night)
    if picture is None:
        raise Refused(404, N_("No photograph was kept of this roll."))
    return Response(
        picture,
        mimetype="image/jpeg",
        headers={"Cache-Control": "private, max-age=86400, immutable"},
    )


def jpeg_size(picture: bytes) -> tuple[int, int] | None:
    """Return a JPEG's width and height from its frame header, or None.

    Source: ITU-T T.81, B.2.2: SOF markers are C0..CF but C4, C8 and CC.
    """
    at = 2
    while at + 9 <= len(picture) and picture[at] == 0xFF:
        marker = picture[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height = int.from_bytes(picture[at + 5 : at + 7], "big")
            width = int.from_bytes(picture[at + 7 : at + 9], "big")
            return (width, height) if width and height else None
        at += 2 + int.from_bytes(picture[at + 2 : at + 4], "big")
    return None
