"""The example game of Wasteland Warfare, played on a phone in Russian, tap by tap.

Dice fall into the simulated tray; everything else is done on the page as a player
would: buttons, ticks, tokens, a face put right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page

from device.games.foww.flows.show import flow_view
from device.table.state import Content
from tests.browser.chromium import PHONE, Phone
from tests.browser.test_page import FAINT_WORDS, SMALL_TARGETS
from tests.device.games.foww.armies import Night
from tests.device.games.foww.example import Game, Line, load_game
from tests.web.table import TestTable, live_die
from tests.web.test_languages import english_on

pytestmark = pytest.mark.browser

LOOK_EVERY = 40
"""Lines between two looks at the layout."""


class Player:
    """Plays the lines of the game on the page."""

    def __init__(self, phone: Phone, table: TestTable, game: Game) -> None:
        self.phone = phone
        self.page: Page = phone.page
        self.table = table
        self.game = game
        self.thrown = 0
        self.names = set(re.findall(r"[A-Za-z]{2,}", " ".join(_names(game))))

    @property
    def content(self) -> Content:
        return self.table.companion.snapshot().state.content

    def play(self, line: Line) -> None:
        verb, *words = line.words
        words = [self.game.models.get(word, word) for word in words]
        free = "override" in words
        words = [word for word in words if word != "override"]
        {
            "begin": lambda: self.begin(words, free=free),
            "choose": lambda: self.choose(words, free=free),
            "number": lambda: self.number(words[0]),
            "skip": self.skip,
            "cancel": lambda: self.press("/flow/leave"),
            "resume": lambda: self.press("/flow/resume"),
            "back": self.back,
            "roll": lambda: self.roll(words),
            "fix": lambda: self.fix(*words[0].split("=")),
            "token": lambda: self.token(words),
        }[verb]()
        self.catch_up()

    def catch_up(self) -> None:
        """Wait until the page shows what is true."""
        self.page.wait_for_function(
            "(seq) => document.getElementById('page').dataset.seq === seq",
            arg=str(self.table.companion.snapshot().seq),
        )

    def tap(self, target: Locator) -> None:
        """Tap something, opening what it is folded into."""
        fold = target.locator("xpath=ancestor::details[not(@open)]/summary")
        if fold.count():
            fold.first.tap()
        before = self.table.companion.snapshot().seq
        target.tap()
        for _ in range(200):
            if self.table.companion.snapshot().seq != before:
                return
            self.page.wait_for_timeout(15)
        raise AssertionError("nothing happened")

    def press(self, action: str) -> None:
        self.tap(self.page.locator(f"form[action='{action}'] button").first)

    def begin(self, words: list[str], *, free: bool) -> None:
        kind, model = words[0], (*words[1:], "")[0]
        form = f"form[action='/flow/begin']:has([name=kind][value='{kind}'])"
        if model not in ("", "quick"):
            form += f":has([name=model][value='{model}'])"
        form += ":has([name=quick])" if "quick" in words else ":not(:has([name=quick]))"
        form += ":has([name=override])" if free else ":not(:has([name=override]))"
        self.tap(self.page.locator(f"{form} button").first)

    def choose(self, keys: list[str], *, free: bool) -> None:
        form = "form[action='/flow/choose']"
        form += ":has([name=override])" if free else ":not(:has([name=override]))"
        shown = flow_view(self.content)
        assert shown is not None
        if shown.asks != "several":
            self.tap(self.page.locator(f"{form} button[value='{keys[0]}']").first)
            return
        for key in keys:
            self.page.locator(f"{form} label:has([value='{key}'])").tap()
        self.tap(self.page.locator(f"{form} button").last)

    def number(self, number: str) -> None:
        button = self.page.locator(f"button[name=number][value='{number}']")
        if button.count() == 0:
            self.page.fill("#f-number", number)
            button = self.page.locator("form[action='/flow/choose'] button.primary")
        self.tap(button.last)

    def skip(self) -> None:
        """Skip, or say no where that is the same and stands there already."""
        skip = self.page.locator("form[action='/flow/skip'] button")
        answers = "form[action='/flow/choose'] button:is([value=no], [value=done])"
        self.tap(skip.first if skip.count() else self.page.locator(answers).first)

    def back(self) -> None:
        self.press("/flow/back")

    def roll(self, words: list[str]) -> None:
        dice = []
        for word in words:
            die, _, faces = word.partition("=")
            for face in faces.split(","):
                self.thrown += 1
                dice.append(live_die(f"d{self.thrown}", die, face, box=None))
        self.table.settle(*dice)

    def fix(self, die: str, face: str) -> None:
        self.page.locator(f".chip[data-die='{die}']").first.tap()
        self.tap(self.page.locator(f"#fix button[value='{face}']").first)

    def token(self, words: list[str]) -> None:
        model, name, change = ("", *words)[-3:]
        self.phone.go(f"/units?more={model}" if model else "/units")
        self.phone.wait_live()
        where = f"[data-token='{name}'] .{'put' if change == '+1' else 'take'}"
        self.tap(self.page.locator(f".named {where}" if model else where).first)
        self.phone.go("/now")
        self.phone.wait_live()

    def look(self) -> None:
        """Check what the page shows: words, width, targets."""
        shown = self.page.locator("main").inner_html()
        assert english_on(shown) - self.names - VATS == set(), flow_view(self.content)


VATS = {"V.A.T.S", "VATS"}


def _names(game: Game) -> Iterator[str]:
    for roster in game.rosters.values():
        yield from re.findall(r'name = "([^"]+)"', roster)
    yield "Improvised weapon"


def by_commands(game: Game) -> Content:
    """Return the table after the game, played by commands alone."""
    night = Night()
    for side, roster in game.rosters.items():
        night.do("add_unit", side=side, roster=roster)
    for line in game.lines:
        for name, args in game.commands(line, night.fold.content):
            night.do(name, **args)
    return night.fold.content


@pytest.mark.timeout(420)
def test_the_example_game_is_played_on_a_phone_in_russian(
    phone: Callable[..., Phone], table: TestTable
) -> None:
    game = load_game()
    for side, roster in game.rosters.items():
        table.do("add_unit", side=side, roster=roster)
    ann = phone(language="ru", size=PHONE).join()
    ann.page.emulate_media(reduced_motion="reduce")
    player = Player(ann, table, game)
    for line in game.lines:
        try:
            player.play(line)
            player.look()
        except Exception as error:
            raise AssertionError(f"{line}: {error}") from error
        if line.number % LOOK_EVERY == 0:
            assert ann.overflow_px() <= 0, line
            assert ann.page.evaluate(SMALL_TARGETS) == [], line
            assert ann.page.evaluate(FAINT_WORDS) == [], line
            ann.shot(f"game-{line.number:03}")
    expected = by_commands(game)
    assert player.content.armies == expected.armies
