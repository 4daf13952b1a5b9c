"""Log, Dice, Set-up, report and lessons in a real browser; axe on every screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.chromium import Phone
from tests.browser.test_page import (
    FAINT_WORDS,
    OPEN_DETAILS,
    SCREENS,
    SMALL_TARGETS,
    STICKING_OUT,
    WIDTHS,
)
from tests.vision.test_view import covered, places, shot
from tests.web.table import TestTable, live_die, make_table
from tests.web.test_setup import Shed
from tests.web.test_teach import SIDES, Desk

pytestmark = pytest.mark.browser

Make = Callable[..., Phone]

OURS = {
    "log": "/log",
    "log-throws": "/log?only=throws",
    "throw": "/log/3",
    "report": "/log/report",
    "dice": "/dice",
    "statistics": "/dice/statistics",
    "faces": "/dice/black/faces",
    "setup": "/setup",
    "camera": "/setup/camera",
    "doctor": "/setup/doctor",
    "ruler": "/setup/ruler",
}
"""Screens about what was thrown, with what, and what it all stands on."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TestTable]:
    """Return a table with the printed dice, on which something has happened."""
    with make_table(tmp_path, dice="foww") as made:
        made.open_skill_check(7)
        made.settle(live_die("d1", "skill", "5"))
        check = made.companion.snapshot().state.check
        assert check is not None and check.roll is not None
        made.do("correct_die", roll=check.roll.id, die="d1", face="6")
        for number in range(3):
            made.do("close_check")
            made.do("open_check", check="armour_check", amount=3, rating=1)
            made.settle(live_die(f"d{number}", "armour", str(number + 1)))
        made.do("light_ruler", cue={"bands": ["red"]})
        made.do("undo")
        yield made


@pytest.fixture
def shed(table: TestTable, tmp_path: Path) -> Shed:
    """Set-up behind the table, a strip half measured."""
    made = Shed(table, tmp_path)
    table.do("walk_start", strip="edge")
    table.do("walk_point", at_mm=12.5)
    table.do("walk_point", at_mm=897.5)
    return made


@pytest.fixture
def desk(table: TestTable) -> Desk:
    return Desk(table)


def lesson_states(table: TestTable, desk: Desk) -> Iterator[str]:
    """Yield the name of each state that a lesson's screen comes to."""
    yield "choose"
    table.do("teach_start", die="luck")
    yield "throw"
    desk.see(0, 1)
    yield "ask"
    table.do("teach_name", group=1, face="luck")
    desk.see(1, 2)
    table.do("teach_name", group=2, face="blank")
    table.do("teach_test")
    desk.lessons.work()
    for number in range(3):
        desk.see(0, 5 + number, SIDES[0] if number else None)
    yield "try"
    table.do("teach_cancel")


def faults(page: Page) -> list[str]:
    """Return what axe holds to be serious, one line each."""
    page.emulate_media(reduced_motion="reduce")  # not a word half faded in
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:120]} ({len(one['nodes'])})"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize(("language", "dark"), [("en", False), ("ru", True)])
def test_axe_finds_no_serious_fault_on_any_screen(
    phone: Make,
    table: TestTable,
    desk: Desk,
    shed: Shed,
    language: str,
    dark: bool,
) -> None:
    ann = phone(language=language, dark=dark).join()
    others = () if dark else SCREENS.values()  # their contrast has a test of its own
    for path in (*others, *OURS.values()):
        ann.go(path)
        ann.page.evaluate(OPEN_DETAILS)
        assert faults(ann.page) == [], path
    for state in lesson_states(table, desk):
        ann.go("/dice/teach")
        ann.page.evaluate(OPEN_DETAILS)
        assert faults(ann.page) == [], state


@pytest.mark.parametrize("language", ["en", "ru"])
def test_what_was_thrown_and_with_what_fits_every_width(
    phone: Make, table: TestTable, desk: Desk, shed: Shed, language: str
) -> None:
    ann = phone(language=language).join()

    def look(name: str) -> None:
        ann.page.wait_for_load_state()
        ann.page.evaluate(OPEN_DETAILS)
        for width in WIDTHS:
            ann.page.set_viewport_size({"width": width, "height": 740})
            assert ann.overflow_px() <= 0, (name, width)
            assert ann.page.evaluate(SMALL_TARGETS) == [], (name, width)
            assert ann.page.evaluate(STICKING_OUT) == [], (name, width)
            if width in (360, 1280):
                ann.shot(f"{name}-{width}")
        assert ann.page.evaluate(FAINT_WORDS) == [], name

    for name, path in OURS.items():
        ann.go(path)
        look(name)
    for state in lesson_states(table, desk):
        ann.go("/dice/teach")
        look(f"teach-{state}")


@pytest.mark.parametrize(("language", "dark"), [("en", True), ("ru", False)])
def test_the_screens_of_the_other_games_fit_and_have_no_serious_fault(
    phone: Make, table: TestTable, language: str, dark: bool
) -> None:
    ann = phone(language=language, dark=dark).join()
    for game in ("special", "stalker", "munchkin"):
        table.do("choose_game", game=game)
        for path in ("/now", "/units", "/rulers", "/dice"):
            ann.go(path)
            ann.page.evaluate(OPEN_DETAILS)
            for width in WIDTHS:
                ann.page.set_viewport_size({"width": width, "height": 740})
                where = (game, path, width)
                assert ann.overflow_px() <= 0, where
                assert ann.page.evaluate(SMALL_TARGETS) == [], where
                assert ann.page.evaluate(STICKING_OUT) == [], where
                if width in (360, 1280):
                    ann.shot(f"{game}-{path[1:]}-{width}")
            if dark:  # once is enough for what no language changes
                assert ann.page.evaluate(FAINT_WORDS) == [], path
                assert faults(ann.page) == [], (game, path)


def test_a_die_is_taught_by_keyboard_alone(
    phone: Make, table: TestTable, desk: Desk
) -> None:
    ann = phone().join()
    page = ann.page
    ann.go("/dice/teach")

    def press(selector: str) -> None:
        for _ in range(80):
            page.keyboard.press("Tab")
            if page.evaluate("(s) => document.activeElement.matches(s)", selector):
                page.keyboard.press("Enter")
                return
        raise AssertionError(f"the focus never came to {selector}")

    press("button[value=luck]")
    page.get_by_text("Throw the die, or place it").wait_for()
    for group, face in enumerate(SIDES, 1):
        desk.see(group - 1, group)
        page.locator(f"#side-{group}").wait_for()
        press(f".likely button[value={face}]")
        page.get_by_text(f"{group} sides seen of 2, {group} faces named").wait_for()
    press("form[action$='/test'] button")
    page.get_by_text("Now throw it ten times").wait_for()
    desk.see(0, 9, "luck")
    page.get_by_text("Throw 1 of 10: 1 right").wait_for()


def test_the_markers_on_the_camera_picture_follow_the_camera(
    phone: Make, table: TestTable, shed: Shed
) -> None:
    ann = phone(language="ru", size=(320, 640)).join()
    ann.go("/setup/camera")
    ann.wait_for("Найдены все 4")
    page = ann.page
    expect(page.locator(".mark.seen")).to_have_count(4)
    before = page.locator(".photo img").get_attribute("src")
    shed.image = covered(shot(), places()[1])
    shed.clock.sleep(2)
    expect(page.locator(".mark.awaited")).to_have_count(1)
    expect(page.locator("#markers-said")).to_contain_text("2 (справа вверху)")
    image = page.locator(".photo img")
    assert image.get_attribute("src") != before
    assert image.evaluate("(one) => one.decode().then(() => one.naturalWidth)") == 1536
    sign = page.locator(".mark text").first.bounding_box()
    assert sign is not None and sign["height"] >= 12
    assert ann.overflow_px() <= 0
    ann.shot("camera-missing-320")


VOICE = """
globalThis.spoken = [];
globalThis.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(globalThis, "speechSynthesis", { value: {
  cancel() {}, speak(words) { spoken.push(`${words.lang}: ${words.text}`); } } });
"""


def test_results_are_read_out_on_the_device_that_asked_for_it(
    phone: Make, table: TestTable
) -> None:
    ann = phone(language="ru")
    ann.page.add_init_script(VOICE)
    ann.join()
    table.do("close_check")
    table.open_skill_check(7)
    table.settle(live_die("d1", "skill", "9"))
    expect(ann.page.locator("#result-word")).to_contain_text("Провал")
    assert ann.page.evaluate("spoken") == [], "off until somebody asks for it"
    ann.go("/setup")
    switch = ann.page.locator("[data-voice]")
    expect(switch).to_have_attribute("aria-pressed", "false")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    assert len(ann.page.evaluate("spoken")) == 1, "it says so itself"
    ann.go("/now")
    ann.wait_live()
    assert ann.page.evaluate("spoken") == [], "an old result is not news"
    table.do("undo")
    expect(ann.page.locator("#result-word")).to_have_count(0)
    table.settle(live_die("d2", "skill", "2"))
    expect(ann.page.locator("#result-word")).to_contain_text("Успех")
    (said,) = ann.page.evaluate("spoken")
    assert said.startswith("ru: Успех")
