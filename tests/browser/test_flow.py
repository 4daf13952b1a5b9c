"""A guided flow by keyboard, by ear, without scripts, and on two phones at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.chromium import DESK, Phone
from tests.browser.test_page import SMALL_TARGETS
from tests.web.games.foww.test_flow import ANN, ARMY
from tests.web.table import CODE, TestTable, live_die

pytestmark = pytest.mark.browser


@pytest.fixture
def armed(table: TestTable) -> TestTable:
    table.do("add_unit", side="a", roster=ARMY)
    table.do("add_unit", side="b", roster=ARMY.replace("Ranger", "Raider"))
    return table


def test_a_flow_goes_by_keyboard_and_every_question_is_spoken(
    phone: Callable[..., Phone], armed: TestTable
) -> None:
    ann = phone(size=DESK).join()
    bob = phone(language="ru", size=(320, 640)).join("Bob", "spectator")
    page = ann.page

    def press(selector: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("(s) => document.activeElement.matches(s)", selector):
                page.keyboard.press("Enter")
                return
        raise AssertionError(f"no way to {selector} by keyboard")

    press(f"form:has([value=ready]):has([value='{ANN}']) button")
    question = "First side: activate all ready models now?"
    expect(page.locator("#flow-title")).to_be_focused()
    expect(page.locator("#say")).to_have_text(question)
    expect(bob.page.locator("#flow-title")).to_contain_text("Первая сторона")
    assert bob.page.locator("main form").count() == 0
    press("button[value=activate_all]")
    expect(page.locator("#flow-title")).to_contain_text("done")
    press("form:has([value=activate]) button")
    expect(page.locator(".turn")).to_contain_text("2 actions left")
    for width in (320, 360, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        assert ann.overflow_px() <= 0, width
        assert page.evaluate(SMALL_TARGETS) == [], width
    ann.shot("flow-actions")
    page.locator("form[action='/undo'] button").click()
    expect(page.locator("form:has([value=activate]) button").first).to_be_visible()


def test_a_flow_goes_without_scripts_and_faces_may_be_typed(
    phone: Callable[..., Phone], armed: TestTable
) -> None:
    context = phone().context.browser.new_context(java_script_enabled=False)  # type: ignore[union-attr]
    page = context.new_page()
    page.goto(f"{phone().base}/")
    page.fill("[name=code]", CODE)
    page.fill("[name=name]", "Ann")
    page.click("[value=player]")
    page.click(f"form:has([value=ready]):has([value='{ANN}']) button")
    page.click("button[value=activate_all]")
    page.click("form:has([value=activate]) button")
    page.click("form:has([value=shoot]) button")
    for _ in range(12):
        if page.locator(".ask").count():
            break
        number = page.locator("button[name=number].primary")
        answers = page.locator("button[name=choose]")
        no = page.locator("button[name=choose][value=no]")
        target = number if number.count() else no if no.count() else answers
        with page.expect_navigation():
            target.first.click()
    page.get_by_role("link", name="Type the faces").click()
    page.locator("form[action='/now/enter']:has([value=skill]) [value='10']").click()
    page.locator("form[action='/now/enter']:has([value=black]) [value=dmg]").click()
    expect(page.locator("#flow-result")).to_contain_text("Miss")
    context.close()


def test_a_die_put_right_changes_what_the_flow_asks_next(
    phone: Callable[..., Phone], armed: TestTable
) -> None:
    armed.do("flow_begin", kind="ready", model=ANN)
    armed.do("flow_choose", choose="activate_all")
    armed.do("flow_begin", kind="activate", model=ANN)
    ann = phone().join()
    page = ann.page

    def tap(target: Locator) -> None:
        """Tap and wait for its answer: the next tap must not meet the old page."""
        seq = page.get_attribute("#page", "data-seq")
        target.first.tap()
        page.wait_for_function(
            "(seq) => document.getElementById('page').dataset.seq !== seq", arg=seq
        )

    tap(page.locator("form:has([value=shoot]) button"))
    for _ in range(12):
        if page.locator(".ask").count():
            break
        number = page.locator("button[name=number].primary")
        no = page.locator("button[name=choose][value=no]")
        answers = page.locator("button[name=choose]")
        tap(number if number.count() else no if no.count() else answers)
    armed.settle(live_die("d1", "skill", "9"), live_die("d2", "black", "dmg"))
    expect(page.locator("#flow-result")).to_contain_text("Miss")
    page.locator(".chip[data-die=skill]").first.tap()
    page.locator("#fix button[value='3']").first.tap()
    expect(page.locator("#flow-title")).to_contain_text("throw the armour die")
    ann.shot("flow-armour")
