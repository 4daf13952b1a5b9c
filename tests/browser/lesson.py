"""A person with a phone teaches a die: taps on the page, sides laid in a drawn tray.

Reader, grouping and page are real, and nothing is taught beforehand. What a person
does is counted; how long a person takes follows from the counts with the allowances
below. What the machine takes is measured.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Locator

from device.app import App, Sources, build
from device.commands.demo import demo_config
from device.data.load import load_dice_set
from device.demo import DemoTray, plain_dice
from device.games.registry import other_dice
from device.sight import annotated_picture, taught_eyes
from device.table.view import Command
from hardware.clock import SystemClock
from tests.browser.chromium import NAME, Phone

TAP_S: Final = 1.5
"""A person reads what is asked and taps one of the faces offered first."""

SEARCH_S: Final = 3.0
"""The same where the face has to be found among all of the die."""

PLACE_S: Final = 3.5
"""A person looks for a side that is still missing, lays the die down with it up and
takes the hand away."""

THROW_S: Final = 2.5
"""A person picks the die up and throws it; its rolling is measured."""

WAIT_MS: Final = 30_000


class Hand(DemoTray):
    """The demonstration's tray; a person may lay the die down instead of throwing."""

    side: int | None = None

    def throw(self, names: Sequence[str], seed: int) -> None:
        """Lay the die down with `side` up, or throw it."""
        if self.side is None:
            super().throw(names, seed)
            return
        self.clear()
        self.tray.throw(names, seed, [self.side])


@dataclass(slots=True)
class Effort:
    """What teaching took.

    Attributes:
        taps: On what was offered first, and on buttons.
        searches: Taps on one of all faces.
        placed: Sides laid down.
        thrown: Throws of the test.
        machine_s: From the die at rest until the page went on, all together.
        wall_s: All of it, as the machine went through it.
        said: What the page said of the test.
    """

    taps: int = 0
    searches: int = 0
    placed: int = 0
    thrown: int = 0
    machine_s: float = 0.0
    wall_s: float = 0.0
    said: str = ""

    @property
    def person_s(self) -> float:
        """How long a person needs."""
        return (
            self.taps * TAP_S
            + self.searches * SEARCH_S
            + self.placed * PLACE_S
            + self.thrown * THROW_S
            + self.machine_s
        )


class Pupil:
    """One die at one table, taught through the page."""

    def __init__(self, app: App, hand: Hand, phone: Phone, die: str) -> None:
        self.app = app
        self.hand = hand
        self.page = phone.page
        self.phone = phone
        self.die = die
        self.done = Effort()
        known = app.companion.dice.die(die)
        self.sides = known.sides

    def teach(self, tries: int) -> Effort:
        """Go the whole way: choose the die, lay down each side, try it, keep it."""
        began = time.monotonic()
        self.phone.go("/dice")
        self.tap(self.page.locator("a[href='/dice/teach']").first)
        self.tap(self.page.locator(f"button[value='{self.die}'].primary"))
        self.page.locator("h1.with-die").wait_for()
        for side in range(len(self.sides)):
            self.lay(side)
        self.tap(self.page.locator("form[action$='/test'] button"))
        self.page.locator("ol.tries").wait_for(state="attached")
        for number in range(1, tries + 1):
            self.throw(number)
        self.done.said = self.page.locator(".total").inner_text()
        self.tap(self.page.locator("form[action$='/keep'] button"))
        self.page.locator("form[action$='/undo'] button").last.wait_for()
        self.done.wall_s = time.monotonic() - began
        return self.done

    def tap(self, button: Locator) -> None:
        button.click()
        self.done.taps += 1

    def lay(self, side: int) -> None:
        """Lay the die down with a side up, and answer what the page asks."""
        lessons = self.app.companion.lessons
        assert lessons is not None and lessons.now is not None
        looks = sum(group.looks for group in lessons.now.groups)
        self.hand.side = side
        self.hand.roll([self.die])
        self.done.placed += 1
        rest_s = time.monotonic() + self.hand.rest_s
        self._wait(lambda: self._looks() > looks or self._note() != "", rest_s)
        if self._note():
            self.hand.side = None
            raise AssertionError(f"side {side}: {self._note()}")
        if not lessons.now.unnamed:
            return  # seen before, by that name
        face = self.sides[side]
        asked = self.page.locator(".ask-side").first
        asked.wait_for(timeout=WAIT_MS)
        self.done.machine_s += max(0.0, time.monotonic() - rest_s)
        likely = asked.locator(f".likely button[value='{face}']")
        if likely.count():
            self.tap(likely)
        else:
            asked.locator(f".faces:not(.likely) > button[value='{face}']").last.click()
            self.done.searches += 1
        asked.wait_for(state="detached", timeout=WAIT_MS)

    def throw(self, number: int) -> None:
        self.hand.side = None
        self.hand.roll([self.die])
        self.done.thrown += 1
        rest_s = time.monotonic() + self.hand.rest_s
        self.page.locator(f"#try-{number}").wait_for(timeout=WAIT_MS)
        self.done.machine_s += max(0.0, time.monotonic() - rest_s)

    def _looks(self) -> int:
        lessons = self.app.companion.lessons
        assert lessons is not None and lessons.now is not None
        return sum(group.looks for group in lessons.now.groups)

    def _note(self) -> str:
        lessons = self.app.companion.lessons
        assert lessons is not None and lessons.now is not None
        return lessons.now.note

    def _wait(self, done: Callable[[], bool], rest_s: float) -> None:
        until = rest_s + WAIT_MS / 1000
        while not done():
            if time.monotonic() > until:
                raise AssertionError("the die was not looked at")
            self.page.wait_for_timeout(30)


@contextmanager
def untaught(folder: Path, game: str) -> Iterator[tuple[App, Hand]]:
    """Run the demonstration at a table where no die has been taught."""
    plain = demo_config("127.0.0.1", 0)
    config = replace(plain, server=replace(plain.server, names=(NAME,), streams=4))
    clock = SystemClock()
    hand = Hand(
        load_dice_set("demo"), clock, seed=3, plain=plain_dice(other_dice("foww"))
    )
    sources = Sources(
        eyes=lambda state: taught_eyes(config, state),
        camera=hand.open_camera,
        thrower=hand.roll,
        clock=clock,
        picture=annotated_picture,
    )
    app = build(config, folder, sources)
    app.start()
    try:
        if game != "foww":
            app.companion.do(Command("choose_game", {"game": game}))
        yield app, hand
    finally:
        app.close()


def taught_on_a_phone(
    browser: Browser, folder: Path, *, game: str, die: str, tries: int
) -> tuple[Effort, App, Hand]:
    """Teach a die at 360 pixels; return what it took."""
    with untaught(folder, game) as (app, hand):
        phone = Phone(browser, app.port)
        try:
            phone.join(code=app.invitation().code)
            effort = Pupil(app, hand, phone, die).teach(tries)
            phone.shot(f"taught-{die}")
        finally:
            phone.close()
        return effort, app, hand
