"""Lessons: teaching a die on the phone, one at a time for the whole table.

1. A player says which die. It is thrown or placed; each rest is one look.
2. Looks are grouped by side (`vision.sides`); each new side's face is asked for once.
3. Ten throws try the die out; a wrong one is put right and becomes an example too.
4. Kept, or given up: then nothing of it stays. What was kept can be taken back.

While a lesson goes on no throw counts. A lesson that nobody touches ends by itself.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from device.companion import Companion
from device.errors import BadInput, DicelightError, RulesError, TableError
from device.eyes import Teacher
from device.ports import Clock
from device.rules.dice import SIDES, Die
from device.table.view import Command
from device.units import Seconds
from vision.frame import Image, Pose, Reading
from vision.rig import Rig
from vision.sides import Group, Sides, picture

logger = logging.getLogger(__name__)

TRIES: Final = 10
"""Throws of the test: ten right ones in a row show at least 74 in 100 (95 %)."""

LEAST_FACES: Final = 2
LIKELY: Final = 3

ENDS_S: Final[Seconds] = 600.0
"""A lesson that nobody has touched for so long is given up: the table goes on."""

Deed: TypeAlias = Callable[[Command], None]


@dataclass(frozen=True, slots=True)
class Try:
    """One throw of the test.

    Attributes:
        number: From 1.
        face: As read, or None.
        status: ``ok``, ``unsure`` or ``cocked``.
        jpeg: The die.
        said: Face that a person gave instead, or "".
    """

    number: int
    face: str | None
    status: str
    jpeg: bytes
    said: str = ""

    @property
    def is_right(self) -> bool:
        """Whether it was read and vouched for, and nobody said otherwise."""
        return self.status == "ok" and self.said in ("", self.face)

    @property
    def is_wrong(self) -> bool:
        """Whether a face was vouched for that it was not."""
        return self.status == "ok" and not self.is_right


@dataclass(frozen=True, slots=True)
class Lesson:
    """How a lesson stands.

    Attributes:
        die: Name of the die.
        sides: How many it has.
        phase: ``seeing``, ``trying`` or ``tried``.
        groups: Sides seen so far.
        likely: Faces to offer first, by group.
        missing: Faces of the die that have not been named yet.
        tries: Throws of the test.
        note: Key of what was wrong with the last look, or "".
    """

    die: str
    sides: int
    phase: str = "seeing"
    groups: tuple[Group, ...] = ()
    likely: Mapping[int, tuple[str, ...]] | None = None
    missing: tuple[str, ...] = ()
    tries: tuple[Try, ...] = ()
    note: str = ""

    @property
    def unnamed(self) -> tuple[Group, ...]:
        """Sides whose face nobody has said yet, the oldest first."""
        return tuple(group for group in self.groups if not group.face)

    @property
    def can_test(self) -> bool:
        """Whether enough is known to try the die out."""
        faces = {group.face for group in self.groups if group.face}
        return len(faces) >= LEAST_FACES and not self.unnamed


class Lessons:
    """Gives lessons; deeds from any thread, `see` and `work` from the tray's.

    Attributes:
        now: The lesson at hand, or None.
        taught: Examples by die and face.
        corrections: Examples that came from corrections, by die.
        last: Die of the last lesson that was kept and can be taken back, or "".

    Args:
        companion: Whose dice they are.
        teacher: How the dice are seen and kept.
        clock: Time.
    """

    def __init__(self, companion: Companion, teacher: Teacher, clock: Clock) -> None:
        self.now: Lesson | None = None
        self.last = ""
        self.taught: dict[str, dict[str, int]] = {}
        self.corrections: dict[str, int] = {}
        self._companion = companion
        self._teacher = teacher
        self._clock = clock
        self._lock = threading.RLock()
        self._todo: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._sides: Sides | None = None
        self._die: Die | None = None
        self._looks: dict[int, tuple[Image, Pose]] = {}
        self._added: list[int] = []
        self._judged: dict[int, int] = {}
        self._kept: list[int] = []
        self._touched_s = clock.now_s()
        self.refresh()
        companion.offer(self.deeds)
        companion.lessons = self

    @property
    def deeds(self) -> dict[str, Deed]:
        """The commands."""
        return {
            "teach_start": self._start,
            "teach_name": self._name,
            "teach_forget": self._forget,
            "teach_test": self._test,
            "teach_judge": self._judge,
            "teach_more": self._more,
            "teach_throw": self._throw,
            "teach_keep": self._keep,
            "teach_cancel": self._cancel,
            "teach_undo": self._undo,
        }

    # --- The tray's thread ---------------------------------------------------------

    def see(self, image: Image, rig: Rig | None, reading: Reading) -> None:
        """Take a look at the die that has just come to rest."""
        top, poses = self._teacher.look(image, rig)
        view = top.image
        with self._lock:
            lesson, sides = self.now, self._sides
            if lesson is None or sides is None:
                return
            self._touched_s = self._clock.now_s()
            right = [pose for pose in poses if pose.shape == sides.shape]
            if len(poses) != 1 or len(right) != 1:
                note = "no_die" if not poses else "wrong_shape"
                self._show(note="several_dice" if len(poses) > 1 else note)
            elif lesson.phase == "trying":
                self._try(view, right[0], reading)
            else:
                group = sides.take(view, right[0])
                likely = dict(lesson.likely or {})
                if group.looks == 1:
                    likely[group.number] = self._likely(reading)
                self._show(note="", likely=likely)
        self._companion.nudge()

    def work(self) -> None:
        """Do what was asked for, and give up a lesson that nobody touches."""
        while not self._todo.empty():
            try:
                self._todo.get()()
            except DicelightError as error:
                self._companion.parts.fails("dice", str(error))
            self.refresh()
        idle_s = self._clock.now_s() - self._touched_s
        if self.now is not None and idle_s > ENDS_S:
            logger.info("the lesson is given up: nobody has touched it")
            with suppress(TableError):  # somebody was faster
                self._companion.do(Command("teach_cancel"))

    def refresh(self) -> None:
        """Say anew what has been taught: the gallery has changed."""
        dice = self._teacher.gallery.dice
        self.taught = {
            name: {face: len(shots) for face, shots in die.faces.items()}
            for name, die in dice.items()
        }
        self.corrections = {
            name: sum(shot.correction for shots in die.faces.values() for shot in shots)
            for name, die in dice.items()
        }
        self._companion.nudge()

    def _try(self, view: Image, pose: Pose, reading: Reading) -> None:
        lesson = self._lesson()
        found = [one for one in reading.detections if one.die == lesson.die]
        read = found[0] if len(found) == 1 and len(reading.detections) == 1 else None
        number = len(lesson.tries) + 1
        face, status = (read.face, str(read.status)) if read else (None, "unsure")
        made = Try(number, face, status, picture(view, pose))
        self._looks[number] = (view, pose)
        tries = (*lesson.tries, made)
        phase = "tried" if len(tries) == TRIES else "trying"
        self._show(note="", tries=tries, phase=phase)

    def _likely(self, reading: Reading) -> tuple[str, ...]:
        """Return faces that the reader thinks of, where the die has them."""
        assert self._die is not None
        known = {face.key for face in self._die.faces}
        offered = [
            face
            for one in reading.detections
            for face, _ in one.alternatives
            if face in known
        ]
        return tuple(dict.fromkeys(offered))[:LIKELY]

    # --- Deeds ---------------------------------------------------------------------

    def _start(self, command: Command) -> None:
        check = self._companion.snapshot().state.check
        if self.now is not None:
            raise TableError("another lesson goes on", "lesson_on")
        if check is not None and check.status != "resolved":
            raise TableError("a check is open; close it first", "check_open")
        name = _text(command, "die")
        try:
            die = self._companion.dice.die(name)
        except RulesError as error:
            raise BadInput(str(error), "die") from error
        with self._lock:
            self._die = die
            self._sides = Sides(die.shape, self._teacher.embedder)
            self._looks, self._added, self._judged = {}, [], {}
            self.now = Lesson(name, SIDES[die.shape])
            self._show()
        self._tell(name)

    def _name(self, command: Command) -> None:
        face = _text(command, "face")
        with self._lock:
            self._lesson("seeing")
            assert self._die is not None and self._sides is not None
            try:
                self._die.face(face)
            except RulesError as error:
                raise BadInput(str(error), "face") from error
            self._sides.name(self._group(command), face)
            self._show()

    def _forget(self, command: Command) -> None:
        with self._lock:
            self._lesson("seeing")
            assert self._sides is not None
            self._sides.forget(self._group(command))
            self._show()

    def _test(self, command: Command) -> None:
        """Try the die out with what has been named so far."""
        with self._lock:
            if not self._lesson("seeing").can_test:
                raise TableError("name every side that was seen first", "too_few_faces")
            self._looks = {}
            self._show(phase="trying", tries=(), note="")
            self._todo.put(self._adopt)

    def _judge(self, command: Command) -> None:
        """Say which face a throw of the test really showed."""
        face = _text(command, "face")
        with self._lock:
            lesson = self._lesson("trying", "tried")
            number = command.args.get("test")
            tried = next((one for one in lesson.tries if one.number == number), None)
            if tried is None:
                raise BadInput("expected the number of a throw", "test")
            assert self._die is not None
            try:
                self._die.face(face)
            except RulesError as error:
                raise BadInput(str(error), "face") from error
            judged = replace(tried, said=face)
            tries = tuple(judged if one is tried else one for one in lesson.tries)
            self._show(tries=tries)
            self._todo.put(lambda: self._learn(judged))

    def _more(self, command: Command) -> None:
        """Go on teaching after a test."""
        with self._lock:
            self._lesson("trying", "tried")
            self._show(phase="seeing", note="")
            self._todo.put(self._take_back)

    def _throw(self, command: Command) -> None:
        """Throw the die into a simulated tray."""
        self._companion.throw([self._lesson().die])

    def _keep(self, command: Command) -> None:
        with self._lock:
            lesson = self._lesson("trying", "tried")
            self._todo.put(self._save)
            self.last = lesson.die
            self._end()

    def _cancel(self, command: Command) -> None:
        with self._lock:
            self._lesson()
            self._todo.put(self._take_back)
            self._end()

    def _undo(self, command: Command) -> None:
        """Take back what the last lesson that was kept has taught."""
        with self._lock:
            if not self.last:
                raise TableError("there is nothing to undo", "nothing_to_undo")
            self.last = ""
            kept = self._kept
            self._todo.put(lambda: self._unlearn(kept))

    # --- Inside; what touches the gallery runs in the tray's thread -----------------

    def _adopt(self) -> None:
        with self._lock:
            if self._sides is None or self._die is None:
                return
            die = self._die
            for face, shots in self._sides.faces().items():
                kept = self._teacher.gallery.adopt(
                    die.name, die.shape, face, shots, colour=die.colour
                )
                self._added += [shot.id for shot in kept]

    def _learn(self, judged: Try) -> None:
        """Take a throw that was put right as an example, in place of the one before."""
        before = self._judged.pop(judged.number, None)
        if before is not None:
            self._teacher.gallery.remove(before)
            self._added.remove(before)
        if judged.is_right or self._die is None or judged.number not in self._looks:
            return
        die, (view, pose) = self._die, self._looks[judged.number]
        shot = self._teacher.gallery.add(
            die.name, die.shape, judged.said, view, pose, colour=die.colour
        )
        self._judged[judged.number] = shot
        self._added.append(shot)

    def _take_back(self) -> None:
        with self._lock:
            for shot in self._added:
                self._teacher.gallery.remove(shot)
            self._added, self._judged = [], {}

    def _save(self) -> None:
        self._kept, self._added, self._judged = self._added, [], {}
        self._store()

    def _unlearn(self, shots: list[int]) -> None:
        for shot in shots:
            self._teacher.gallery.remove(shot)
        self._store()

    def _store(self) -> None:
        self._teacher.save()
        self._companion.parts.works("dice")

    def _end(self) -> None:
        self.now, self._sides, self._looks = None, None, {}
        self._tell("")

    def _tell(self, die: str) -> None:
        self._companion.set_live(lambda live: replace(live, teaching=die))

    def _lesson(self, *phases: str) -> Lesson:
        if self.now is None:
            raise TableError("no die is being taught", "no_lesson")
        if phases and self.now.phase not in phases:
            raise TableError("that does not fit how far the lesson is", "other_phase")
        self._touched_s = self._clock.now_s()
        return self.now

    def _group(self, command: Command) -> int:
        number = command.args.get("group")
        assert self._sides is not None
        if not isinstance(number, int) or number not in self._sides.groups:
            raise BadInput("expected the number of a side", "group")
        return number

    def _show(self, **changes: object) -> None:
        assert self.now is not None and self._die is not None
        groups = tuple(self._sides.groups.values()) if self._sides else ()
        named = {group.face for group in groups}
        missing = [face.key for face in self._die.faces if face.key not in named]
        self.now = replace(
            self.now,
            groups=groups,
            missing=tuple(missing),
            **changes,  # type: ignore[arg-type]
        )


def _text(command: Command, name: str) -> str:
    value = command.args.get(name)
    if not isinstance(value, str) or not value:
        raise BadInput("expected a text", name)
    return value
