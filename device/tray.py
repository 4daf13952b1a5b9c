"""The tray's loop: camera -> has it settled -> reading -> tracking -> roll.

One thread owns the camera, the reader and the tracker. Everything else only leaves
requests in a queue. `TrayLoop.step` is one turn; it never raises for a part that
fails, but says so on the page and tries again.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from device.companion import Companion
from device.decisions import Situation
from device.errors import DicelightError, HardwareError, JournalError, VisionError
from device.eyes import Eyes
from device.learning import Learner
from device.lessons import Lessons
from device.live import all_old, differs, live_die
from device.parts import kind_of
from device.picture import Picture
from device.place import Place
from device.ports import Camera, Clock
from device.retry import Backoff
from device.rolls import doubt_dice, judge_throw
from device.table.events import Draft
from device.table.view import Command, LiveDie
from device.units import Seconds
from vision.frame import Frame, Image, Reading

logger = logging.getLogger(__name__)

CAPTURE_S: Final[Seconds] = 2.0
"""A camera that is silent for so long has stalled: promised to be said within 5 s."""

HUNG_S: Final[Seconds] = 3.5
"""A loop that has not turned for so long is held up by its camera's driver."""

IDLE_S: Final[Seconds] = 0.1
"""Pause of a turn without a camera."""

UNSURE: Final = "unsure"


@dataclass(frozen=True, slots=True)
class TraySettings:
    """How the loop takes what it sees.

    Attributes:
        count_lying: Dice that lie there at start, or when a check is opened, count
            (photographs and videos); else a person has to confirm them.
        free_rolls: Keep throws that no check has asked for.
    """

    count_lying: bool = False
    free_rolls: bool = False


class TrayLoop:
    """Watches one tray; implements `device.companion.Tray`.

    Args:
        companion: What the rolls go to.
        open_camera: Opens the camera; raises HardwareError.
        eyes: How it is seen.
        clock: Time.
        settings: How it is taken.
        thrower: Throws dice into a simulated tray; None for a real one.
        picture: Draws the live picture.
    """

    def __init__(
        self,
        companion: Companion,
        open_camera: Callable[[], Camera],
        eyes: Eyes,
        clock: Clock,
        *,
        settings: TraySettings | None = None,
        thrower: Callable[[Sequence[str]], None] | None = None,
        picture: Picture | None = None,
    ) -> None:
        self._companion = companion
        self._open_camera = open_camera
        self._eyes = eyes
        self._clock = clock
        self._settings = settings or TraySettings()
        self._thrower = thrower
        self._picture = picture or Picture(clock)
        self._requests: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._camera: Camera | None = None
        self._backoff = Backoff(clock)
        self._settle = eyes.settle()
        self._tracker = eyes.tracker()
        self._begins = True
        self._place = Place(eyes.find_rig, clock)
        self._read_frame: Frame | None = None
        self._accepted = self._question()
        self._photographed = ""
        self._hung = False
        self._lessons: Lessons | None = None
        self._learner: Learner | None = None
        if (teacher := eyes.teacher) is not None:
            self._lessons = Lessons(companion, teacher, clock)
            self._learner = Learner(companion, teacher, self._lessons, eyes.find_rig)
        self.turned_s = clock.now_s()
        companion.attach(self, can_throw=thrower is not None)

    # --- Any thread ----------------------------------------------------------------

    def throw(self, names: Sequence[str]) -> None:
        """Throw dice into the simulated tray.

        Raises:
            TableError: It is not there yet.
        """
        if self._thrower is not None:
            self._thrower(names)

    def press(self, name: str) -> None:
        """Take a button's press: ``confirm`` or ``undo``; returns at once."""
        self._requests.put(lambda: self._pressed(name))

    def now_s(self) -> Seconds:
        """Return monotonic seconds of the loop's clock."""
        return self._clock.now_s()

    def turn(self) -> None:
        """Say that the loop's thread is alive, in something that takes long."""
        self.turned_s = self._clock.now_s()

    def in_thread(self, do: Callable[[], None]) -> None:
        """Have something done in the loop's thread, soon."""
        self._requests.put(do)

    @property
    def camera(self) -> Camera | None:
        """The open camera; only for what runs in the loop's thread."""
        return self._camera

    def image(self) -> Image | None:
        """Return the newest image, or None before the first."""
        return self._picture.image

    def jpeg(self) -> bytes | None:
        """Return the newest picture, annotated; None before the first frame."""
        return self._picture.jpeg(self._companion.snapshot().live.dice)

    def look_after(self) -> None:
        """Say so where the camera's driver holds the loop up; call once a second.

        A driver may hang for ever where it promised a fault. The page must not.
        """
        if not self._hung and self._clock.now_s() - self.turned_s > HUNG_S:
            self._hung = True
            self._companion.parts.fails(
                "camera",
                "the camera's driver does not answer; unplug it and restart",
                kind="hung",
            )
            self._companion.set_live(
                lambda live: replace(live, phase="no_camera", dice=())
            )

    # --- The loop's thread ---------------------------------------------------------

    def run(self, stop: threading.Event) -> None:
        """Turn until told to stop, then close the camera."""
        try:
            while not stop.is_set():
                self.step()
        finally:
            self.close()

    def step(self) -> None:
        """Do one turn: requests, a frame, what follows from it."""
        self.turned_s = self._clock.now_s()
        try:
            while not self._requests.empty():
                self._requests.get()()
            if self._lessons is not None:
                self._lessons.work()
            if self._learner is not None:
                self._learner.keep_up()
            self._keep_up()
            frame = self._capture()
            if frame is None:
                self._clock.sleep(IDLE_S)
                return
            self._picture.show(frame)
            self._keep_up()
            self._watch(frame)
            self._companion.parts.works("reader")
        except HardwareError as error:
            self._lost(error)  # while it was being set
        except VisionError as error:
            self._companion.parts.fails("reader", str(error))
        except JournalError:
            # The companion has said so. What lies there was not recorded; it is shown
            # again, and a person may confirm it once there is room.
            self._begin()

    def close(self) -> None:
        """Close the camera; may be called twice."""
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def _pressed(self, name: str) -> None:
        try:
            self._companion.do(Command(name, {}, by="panel"))
        except DicelightError as error:
            logger.info("button %s: %s", name, error)

    # --- Camera --------------------------------------------------------------------

    def _capture(self) -> Frame | None:
        """Return the next frame; None while there is no camera."""
        if self._camera is None and not self._open():
            return None
        try:
            frame = self._camera.capture(CAPTURE_S) if self._camera else None
        except HardwareError as error:
            self._lost(error)
            return None
        if self._hung:
            self._hung = False
            self._said_there()
        return frame

    def _open(self) -> bool:
        if not self._backoff.is_due():
            return False
        try:
            self._camera = self._open_camera()
        except HardwareError as error:
            self._lost(error)
            return False
        self._backoff.worked()
        self._said_there()
        return True

    def say_camera(self) -> None:
        """Say how the camera that is there fares; only in the loop's thread."""
        if (camera := self._camera) is None:
            return
        self._companion.parts.works(
            "camera",
            simulated=camera.simulated,
            label=camera.name,
            notice="\n".join(camera.notes),
        )

    def _said_there(self) -> None:
        """Say that the camera is there, and start watching anew."""
        camera = self._camera
        if camera is None:
            return
        self.say_camera()
        size = camera.size_wh_px
        self._begin()
        self._companion.set_live(
            lambda live: replace(live, phase="moving", frame_wh_px=size)
        )

    def _lost(self, error: HardwareError) -> None:
        """Say that the camera is gone and try again later."""
        self._backoff.failed()
        self._companion.parts.fails("camera", str(error), kind=kind_of(error))
        self._companion.set_live(lambda live: replace(live, phase="no_camera", dice=()))
        self.close()

    def _begin(self) -> None:
        """Start watching anew: what lies there now was not seen to be thrown."""
        self._settle = self._eyes.settle()
        self._tracker = self._eyes.tracker()
        self._begins = True
        self._place.forget()

    # --- What is seen --------------------------------------------------------------

    def _watch(self, frame: Frame) -> None:
        phase = self._settle.update(frame)
        name = phase.name
        if name != self._companion.snapshot().live.phase:
            self._companion.set_live(lambda live: replace(live, phase=name))
        if phase.read:
            self._read(frame)
        elif phase.look_again and not self._companion.snapshot().live.teaching:
            self._look_again(frame)
        elif name == "empty":
            self._forget(frame)
        elif name == "still":
            self._place.find_again(frame.image)

    def _read(self, frame: Frame) -> None:
        if self._place.rig is None:
            self._place.find(frame.image)
        reading = self._look(frame)
        tracked = self._tracker.update(reading)
        if not reading.detections:
            self._settle.mark_empty()
            self._place.learn_empty(frame.image)
        lying = self._begins and not self._settings.count_lying
        self._begins = False
        if lying:
            self._tracker.accept()
        dice = self._without_knocked(tuple(live_die(one, old=lying) for one in tracked))
        self._read_frame = frame
        self._companion.set_live(lambda live: replace(live, dice=dice))
        if self._lessons is not None and self._lessons.now is not None:
            self._teach(frame, reading, any(die.fresh for die in dice))
            return
        self._companion.record(self._judge, by="camera")
        self._keep_up()

    def _teach(self, frame: Frame, reading: Reading, has_fresh: bool) -> None:
        """Take what came to rest as a look of the lesson; no throw counts now."""
        self._tracker.accept()
        if has_fresh and self._lessons is not None:
            self._lessons.see(frame.image, self._place.rig, reading)

    def _without_knocked(self, dice: tuple[LiveDie, ...]) -> tuple[LiveDie, ...]:
        """Mark as old what lay there and was knocked so far that its track was lost.

        Only dice that the check does not ask for: they cannot be taken for the throw,
        and a wrong die that was really thrown did not lie there before.
        """
        snapshot = self._companion.snapshot()
        check = snapshot.state.check
        wanted = {want.die for want in check.wants} if check is not None else set()
        here = {die.id for die in dice}
        gone = [
            die.die
            for die in snapshot.live.dice
            if not die.fresh and die.id not in here and die.die not in wanted
        ]
        if check is None or not gone:
            return dice
        marked = []
        for die in dice:
            knocked = die.fresh and die.die in gone
            if knocked:
                gone.remove(die.die)
            marked.append(replace(die, fresh=False) if knocked else die)
        return tuple(marked)

    def _judge(self, now: Situation) -> Sequence[Draft]:
        check = now.fold.content.check
        if (check.id if check else "") != self._accepted[0]:
            # Opened this very moment: the dice lying there were thrown before.
            return []
        return judge_throw(now, free_rolls=self._settings.free_rolls)

    def _look_again(self, frame: Frame) -> None:
        """Look a second time; it may only withdraw."""
        reading = self._look(frame)
        dice = self._companion.snapshot().live.dice
        doubtful = [
            die.id for die in dice if die.fresh and differs(die, reading.detections)
        ]
        if not doubtful:
            return
        self._companion.set_live(
            lambda live: replace(
                live,
                dice=tuple(
                    replace(die, status=UNSURE)
                    if die.id in doubtful and die.status == "ok"
                    else die
                    for die in live.dice
                ),
            )
        )
        self._companion.record(lambda now: doubt_dice(now, doubtful), by="camera")

    def _look(self, frame: Frame) -> Reading:
        return self._eyes.reader.read(
            frame.image,
            rig=self._place.rig,
            exposed_s=frame.exposed_s,
            empty=self._place.empty,
        )

    def _forget(self, frame: Frame) -> None:
        """Take note of an empty tray."""
        self._place.learn_empty_again(frame.image)
        self._begins = False
        self._tracker.clear()
        if self._companion.snapshot().live.dice:
            self._companion.set_live(lambda live: replace(live, dice=()))

    # --- What has become of it -----------------------------------------------------

    def _keep_up(self) -> None:
        """Make dice old that a roll has used, or that lay there before a check."""
        self._photograph()
        check, roll = self._question()
        opened, answered = check != self._accepted[0], roll != self._accepted[1]
        self._accepted = (check, roll)
        if opened and check and not roll and self._settings.count_lying:
            # Photographs: what lies there is the throw, be it already read.
            self._companion.record(self._judge, by="camera")
        elif opened or answered:
            self._tracker.accept()
            if opened or not roll:
                # The dice of a roll just taken stay marked as the throw at hand.
                self._companion.set_live(all_old)

    def _question(self) -> tuple[str, str]:
        """Return the open check and the roll that answered it, "" for none."""
        state = self._companion.snapshot().state
        check = state.check
        if check is None:
            return "", state.seen.id if state.seen else ""
        done = check.status == "resolved" and check.roll is not None
        return check.id, check.roll.id if done and check.roll else ""

    def _photograph(self) -> None:
        """Keep the picture that a new roll was read from."""
        state = self._companion.snapshot().state
        roll = state.check.roll if state.check else state.seen
        frame = self._read_frame
        if roll is None or not roll.photo or frame is None:
            return
        # A roll read again, after a nudge, has another picture.
        key = f"{roll.id} {[die.box for die in roll.dice]}"
        if key != self._photographed:
            self._photographed = key
            self._companion.keep_photo(roll.id, self._picture.plain_jpeg(frame))
