"""Learning from corrections: a die put right in a photograph becomes an example.

Only a die that is taught learns: a single example of a face, beside none of the others,
would take every face for it. A correction that is taken back, or put right once more,
takes its example back as well.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import cv2
import numpy as np

from device.companion import Companion
from device.errors import BadInput, DicelightError, RulesError
from device.eyes import Teacher
from device.lessons import Lessons
from device.table.state import LogEntry, RolledDie, TableState
from device.table.view import Command
from vision.frame import Image, Pose
from vision.markers import apply, inverse
from vision.rig import Rig, TopView

logger = logging.getLogger(__name__)

TAUGHT_SHARE: Final = 0.5
"""A die learns from corrections once so many of its faces are taught, two at least."""

Spot = tuple[str, str]
"""Roll and die in it."""


class Learner:
    """Follows the log; used from the tray's thread, but for its deed.

    Corrections made before the start are left alone: their examples, if any, are in
    the gallery already.

    Args:
        companion: Whose rolls they are.
        teacher: Where examples go.
        lessons: Told when something has been learnt.
        find_rig: Finds the printed frame in a photograph.
    """

    def __init__(
        self,
        companion: Companion,
        teacher: Teacher,
        lessons: Lessons,
        find_rig: Callable[[Image], Rig | None],
    ) -> None:
        self._companion = companion
        self._teacher = teacher
        self._lessons = lessons
        self._find_rig = find_rig
        snapshot = companion.snapshot()
        self._seq = snapshot.seq
        self._old = snapshot.seq
        self._learnt: dict[int, int] = {}
        self._forget: list[str] = []
        companion.offer({"forget_corrections": self._asked_to_forget})

    def keep_up(self) -> None:
        """Learn what has been put right, unlearn what has been taken back; cheap."""
        if self._forget:
            self._drop_corrections(self._forget.pop())
        snapshot = self._companion.snapshot()
        if snapshot.seq == self._seq:
            return
        self._seq = snapshot.seq
        wanted = {
            entry.seq: entry
            for entry in standing(snapshot.state)
            if entry.seq > self._old
        }
        gone = [seq for seq in self._learnt if seq not in wanted]
        fresh = [seq for seq in wanted if seq not in self._learnt]
        changed = [self._unlearn(seq) for seq in gone]
        changed += [self._learn(snapshot.state, wanted[seq]) for seq in fresh]
        if any(changed):
            self._keep()

    def _learn(self, state: TableState, entry: LogEntry) -> bool:
        """Take one correction as an example; False where it teaches nothing."""
        self._learnt[entry.seq] = 0
        die = die_of(state, entry.params)
        if die is None or die.box is None or not self._may_learn(die):
            return False
        try:
            found = self._find(str(entry.params["roll"]), die)
            taught = self._teacher.gallery.dice[die.die]
            if found is None or found[1].shape != taught.shape:
                logger.info("a corrected %s was not found again", die.die)
                return False
            self._learnt[entry.seq] = self._teacher.gallery.add(
                die.die,
                taught.shape,
                str(entry.params["face"]),
                *found,
                correction=True,
            )
        except DicelightError as error:
            logger.warning("nothing was learnt from a correction: %s", error)
            return False
        return True

    def _may_learn(self, die: RolledDie) -> bool:
        taught = self._teacher.gallery.dice.get(die.die)
        try:
            known = self._companion.dice.die(die.die).faces
        except RulesError:
            return False
        least = max(2, math.ceil(TAUGHT_SHARE * len(known)))
        return taught is not None and len(taught.faces) >= least

    def _find(self, roll: str, die: RolledDie) -> tuple[Image, Pose] | None:
        """Return the view and pose of a die in its roll's photograph."""
        jpeg = self._companion.roll_jpeg(roll)
        if jpeg is None or die.box is None:
            return None
        image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        if image is None:
            return None
        photo = np.asarray(image, np.uint8)
        view, poses = self._teacher.look(photo, self._find_rig(photo))
        at = _into_view(view, die.box)
        near = min(poses, key=lambda pose: math.dist(at, pose.top_xy_px), default=None)
        if near is None or math.dist(at, near.top_xy_px) > near.radius_px:
            return None
        return view.image, near

    def _unlearn(self, seq: int) -> bool:
        return self._teacher.gallery.remove(self._learnt.pop(seq))

    def _asked_to_forget(self, command: Command) -> None:
        """Forget all that corrections have taught of a die: ``die``."""
        name = command.args.get("die")
        if not isinstance(name, str) or name not in self._lessons.corrections:
            raise BadInput("expected a die that has been taught", "die")
        self._forget.append(name)

    def _drop_corrections(self, name: str) -> None:
        taught = self._teacher.gallery.dice.get(name)
        every = taught.faces.values() if taught is not None else ()
        shots = [shot.id for face in every for shot in face if shot.correction]
        for shot in shots:
            self._teacher.gallery.remove(shot)
        self._keep()

    def _keep(self) -> None:
        try:
            self._teacher.save()
            self._companion.parts.works("dice")
        except DicelightError as error:
            self._companion.parts.fails("dice", str(error))
        self._lessons.refresh()


def standing(state: TableState) -> list[LogEntry]:
    """Return the corrections that stand: not taken back, and of each die the last."""
    found: dict[Spot, LogEntry] = {}
    for entry in state.log:
        if entry.kind == "die_corrected" and not entry.undone:
            spot = (str(entry.params.get("roll")), str(entry.params.get("id")))
            found[spot] = entry
    return list(found.values())


def die_of(state: TableState, params: Mapping[str, Any]) -> RolledDie | None:
    """Return the die that a line of the log is about, while it can be put right."""
    checks = (state.check, state.last.check if state.last else None)
    rolls = [check.roll for check in checks if check is not None]
    for roll in (*rolls, state.seen):
        if roll is not None and roll.id == params.get("roll"):
            for die in roll.dice:
                if die.id == params.get("id"):
                    return die
    return None


def _into_view(
    view: TopView, box: tuple[float, float, float, float]
) -> tuple[float, float]:
    """Return the middle of a box of the given image, in the view's pixels."""
    x, y, w, h = box
    middle = np.array([[x + w / 2, y + h / 2]])
    at = apply(inverse(view.to_given), middle)[0]
    return (float(at[0]), float(at[1]))
