"""Searching and investigating (rulebook §3.1 p.28, §3.2 p.29-31)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from device.rules.answer import Answer
from device.rules.fields import needed
from device.rules.foww.checks import FAILING_FACES, skill_check
from device.rules.foww.opposed import Side
from device.rules.step import plain, step

SKILL_OF_FACE = {
    "lock": "lockpick",
    "trapped_lock": "lockpick",
    "search": "search",
    "computers": "computers",
}
"""Skill that a face of a search token needs, §3.2 p.31."""

DRAW_WITHOUT_CHECK = {
    "letter": (),
    "blank": (),
    "item": ("item",),
    "hazard_item": ("hazard", "item"),
    "hazard": ("hazard",),
}
"""What the other faces draw, §3.2 p.31."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchToken(Answer):
    """A search token that a model looks at.

    Attributes:
        can_interact: In contact and not engaged.
        needs_check: Skill of the check, or None.
        success: Outcome of the check; None without one.
        draw: `item` and `hazard` cards to draw, in order.
        token_stays: The token stays on the table.
        locked_out: The terminal is locked for the rest of the player's turn.

    Source: rulebook 2PB-002-111 §3.1 p.28, §3.2 p.29-31.
    """

    can_interact: bool
    needs_check: str | None
    success: bool | None
    draw: tuple[str, ...]
    token_stays: bool
    locked_out: bool


def search_token(
    face: str,
    contact: bool = True,
    engaged: bool = False,
    check: Side | None = None,
    never_locked_out: bool = False,
) -> SearchToken:
    """Return what a search token yields.

    Args:
        face: Face of the token.
        contact: In contact with it.
        engaged: Engaged with an enemy.
        check: The skill check as rolled; None where it is not rolled yet.
        never_locked_out: The unit is never locked out of terminals.

    Source: rulebook 2PB-002-111 §3.1 p.28, §3.2 p.29-31.
    """
    if not contact or engaged:
        key = "engaged.interact" if engaged else "contact.none"
        return SearchToken(
            can_interact=False,
            needs_check=None,
            success=None,
            draw=(),
            token_stays=True,
            locked_out=False,
            steps=(step(key),),
        )
    skill = SKILL_OF_FACE.get(face)
    if skill is None:
        return SearchToken(
            can_interact=True,
            needs_check=None,
            success=None,
            draw=DRAW_WITHOUT_CHECK[face],
            token_stays=False,
            locked_out=False,
            steps=(step(f"search_token.{face}"),),
            open=("O18",) if face in ("letter", "blank") else (),
        )
    return _checked(face, skill, check, never_locked_out)


def _checked(
    face: str, skill: str, check: Side | None, never_locked_out: bool
) -> SearchToken:
    success, stays, locked_out = None, True, False
    draw: tuple[str, ...] = ()
    steps = [step("search_token.check", skill=skill)]
    opened: tuple[str, ...] = ()
    if check is not None:
        rolled = skill_check(check.rating, check.skill)
        success, opened = rolled.success, rolled.open
        steps += rolled.steps
        if success:
            draw, stays = ("item",), False
            steps.append(step("search_token.item"))
        elif check.rating is not None and face == "trapped_lock":
            draw, stays = ("hazard", "item"), False
            steps.append(step("search_token.hazard_item"))
        elif check.rating is not None and face == "computers":
            locked_out = check.skill in FAILING_FACES and not never_locked_out
            if locked_out:
                steps.append(step("locked_out"))
    return SearchToken(
        can_interact=True,
        needs_check=skill,
        success=success,
        draw=draw,
        token_stays=stays,
        locked_out=locked_out,
        steps=tuple(steps),
        open=opened,
    )


@dataclass(frozen=True, slots=True)
class Marker:
    """An investigation token.

    Attributes:
        id: Its name in this question.
        distance: From the model, mm; needed unless its face is known.
        los: In the sight of any own model.
        seen_before: Its face is known already.

    Source: rulebook 2PB-002-111 §3.2 p.29.
    """

    id: str
    distance: Fraction | None = None
    los: bool = False
    seen_before: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Investigation(Answer):
    """Which investigation tokens may be looked at.

    Source: rulebook 2PB-002-111 §3.2 p.29.
    """

    viewable: tuple[str, ...]


def investigation(
    awareness: Fraction | None = None,
    markers: Sequence[Marker] = (),
    moving: bool = False,
) -> Investigation:
    """Return the investigation tokens that may be looked at secretly.

    Args:
        awareness: Length of the awareness range, mm; a token on the line counts.
            Not needed while moving, nor for known tokens.
        markers: The tokens.
        moving: During an own movement, when none may.

    Raises:
        BadInput: A length that the answer needs is missing.

    Source: rulebook 2PB-002-111 §3.2 p.29.
    """
    if moving:
        return Investigation(viewable=(), steps=(step("investigation.moving"),))
    viewable, steps = [], []
    for number, marker in enumerate(markers):
        if marker.seen_before:
            viewable.append(marker.id)
            steps.append(step("investigation.known", id=marker.id))
            continue
        distance = needed(marker.distance, f"markers[{number}].distance")
        key = "investigation"
        if distance > needed(awareness, "awareness"):
            key = "investigation.too_far"
        elif not marker.los:
            key = "investigation.no_los"
        else:
            viewable.append(marker.id)
        steps.append(step(key, id=marker.id, distance=plain(distance)))
    return Investigation(viewable=tuple(viewable), steps=tuple(steps))
