"""Two phones and a tablet at one table play one attack to its end."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.chromium import Phone
from tests.web.games.foww.test_flow import ANN, ARMY, FOE
from tests.web.table import TestTable, live_die

pytestmark = pytest.mark.browser

FOES = ARMY.replace("Ranger", "Raider").replace("Рейнджер", "Рейдер")
TABLET = (820, 1180)
MOST_QUESTIONS = 15

WORDS = {
    "en": "throw the armour die",
    "ru": "Бросьте кубик брони",
}
DAMAGE = {"en": "3 damage", "ru": "Урон 3"}


def tap(page: Page, target: Locator) -> None:
    """Tap and wait for its answer: the next tap must not meet the old page."""
    seq = page.get_attribute("#page", "data-seq")
    target.first.click()
    page.wait_for_function(
        "(seq) => document.getElementById('page').dataset.seq !== seq", arg=seq
    )


def answer_until(page: Page, asked: str) -> None:
    """Answer the questions as they come, without extras, until something is asked."""
    for _ in range(MOST_QUESTIONS):
        if page.locator(asked).count():
            return
        number = page.locator("button[name=number].primary")
        no = page.locator("button[name=choose][value=no]")
        answers = page.locator("button[name=choose]")
        tap(page, number if number.count() else no if no.count() else answers)
    raise AssertionError(f"{asked} never came")


def test_an_attack_is_played_to_its_end_in_two_languages(
    phone: Callable[..., Phone], table: TestTable
) -> None:
    table.do("add_unit", side="a", roster=ARMY)
    table.do("add_unit", side="b", roster=FOES)
    ann = phone().join("Ann")
    boris = phone(language="ru").join("Борис")
    tablet = phone(language="ru", size=TABLET).join("Table", "spectator")
    all_three = (ann, boris, tablet)

    tap(
        ann.page,
        ann.page.locator(f"form:has([value=ready]):has([value='{ANN}']) button"),
    )
    tap(ann.page, ann.page.locator("button[value=activate_all]"))
    tap(ann.page, ann.page.locator("form:has([value=activate]) button"))
    tap(ann.page, ann.page.locator("form:has([value=shoot]) button"))
    answer_until(ann.page, ".ask")
    for one in all_three:
        expect(one.page.locator(".asked [data-die=skill]")).to_be_visible()
    table.settle(live_die("d1", "skill", "3"), live_die("d2", "black", "dmg+dmg"))
    for one in all_three:
        expect(one.page.locator("#flow-title")).to_contain_text(WORDS[one.language])
    type_in(boris.page, "armour", "1")
    for one in all_three:
        expect(one.page.locator("#flow-result")).to_contain_text(DAMAGE[one.language])
    tablet.go("/units")
    wounds = tablet.page.locator(f"[id='m-{FOE}'] [data-token=regular]")
    expect(wounds).to_contain_text("3")
    tablet.shot("together-units")

    # It was a 2, says the other one; the result and the tokens follow everywhere.
    ann.page.locator(".chip[data-die=armour]").first.click()
    tap(ann.page, ann.page.locator("#fix button[value='2']"))
    expect(wounds).to_contain_text("2")
    expect(boris.page.locator("#flow-result")).to_contain_text("Урон 2")
    tap(boris.page, boris.page.locator("form[action='/undo'] button"))
    expect(wounds).to_contain_text("3")
    expect(ann.page.locator("#flow-result")).to_contain_text(DAMAGE["en"])


def type_in(page: Page, die: str, face: str) -> None:
    """Type a face in, as a player does whose die rolled off the table."""
    page.locator("a[href*='type=1']").click()
    tap(page, page.locator(f"form:has([value={die}]) button[value='{face}']"))
