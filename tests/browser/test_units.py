"""Both armies on a phone, in Russian: added, hit, pressed long, laid out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import Phone
from tests.browser.test_page import FAINT_WORDS, OPEN_DETAILS, SMALL_TARGETS
from tests.web.table import TestTable

pytestmark = pytest.mark.browser

LONG_MS = 900
"""Longer than a long press of press.js."""


def test_armies_are_played_with_a_thumb_in_russian(
    phone: Callable[..., Phone], table: TestTable
) -> None:
    ann = phone(language="ru", size=(320, 640)).join()
    page = ann.page
    page.get_by_role("link", name="Отряды").click()
    ann.wait_live()
    page.get_by_role("button", name="Стартовая армия").first.click()
    paladin = page.locator(".model").first
    expect(paladin).to_contain_text("Паладин")
    put = paladin.locator("[data-token=regular] .put").first
    put.tap()
    expect(put).to_contain_text("1")
    put.tap()
    expect(put).to_contain_text("2")
    ann.shot("units-armies")
    page.locator(".brief").nth(3).tap()
    expect(page.locator(".model").nth(3)).to_be_in_viewport()
    page.locator(".brief").first.tap()
    box = put.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    page.wait_for_timeout(LONG_MS)
    page.mouse.up()
    expect(put).to_contain_text("1")
    paladin.locator("[data-token=regular] .take").first.focus()
    page.keyboard.press("Enter")
    expect(put).to_contain_text("0")
    table.do("open_check", check="armour_check", amount=2, rating=0, sturdy=0)
    page.get_by_role("button", name="Нанести сюда").first.click()
    expect(page.get_by_role("button", name="Нанести сюда")).to_have_count(0)
    expect(paladin.locator("[data-token=power_armour]").first).to_contain_text("2")
    page.get_by_role("link", name="Вручную, вопреки").click()
    paladin.get_by_role("button", name="Подготовить").click()
    paladin.get_by_role("button", name="Активировать").click()
    expect(paladin).to_contain_text("активируется")
    paladin.get_by_role("link", name="Все жетоны").click()
    burning = paladin.locator(".named [data-token=burning] .put")
    burning.tap()
    expect(burning).to_contain_text("1")
    expect(paladin.get_by_role("link", name="Меньше жетонов")).to_be_visible()
    paladin.get_by_role("link", name="Атака: Штурмовая винтовка").click()
    expect(page.locator("#f-rating")).to_have_value("7")
    expect(page.locator("#f-dice_green")).to_have_value("1")
    ann.shot("units-attack")
    table.do("close_check")
    page.goto(f"{ann.base}/now?open=armour_check")
    page.get_by_role("link", name="Рыцарь-патрульный 2").click()
    expect(page.locator("#f-rating")).to_have_value("2")
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        assert ann.overflow_px() <= 0, width
        assert page.evaluate(SMALL_TARGETS) == [], width
    page.goto(f"{ann.base}/units?more=u2-1.1")
    ann.wait_live()
    page.evaluate(OPEN_DETAILS)
    for width in (320, 360, 768, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        assert ann.overflow_px() <= 0, width
        assert page.evaluate(SMALL_TARGETS) == [], width
    assert page.evaluate(FAINT_WORDS) == []
    page.set_viewport_size({"width": 320, "height": 640})
    ann.shot("units-open")
    page.set_viewport_size({"width": 1280, "height": 800})
    ann.shot("units-wide")


EDITOR = (
    "/army/new?side=b",
    "/army/unit/u2-1",
    "/army/cards",
    "/army/ask",
    "/army/cards/unit?name=Paladin",
    "/army/cards/weapon?name=Assault%20rifle",
    "/army/cards/item?name=Stimpak",
    "/army/cards/power_armour",
)


def test_missing_values_are_filled_in_with_a_thumb_in_russian(
    phone: Callable[..., Phone], table: TestTable
) -> None:
    roster = 'format = 1\n[[unit]]\nname = "Бродяга"\nweapons = ["Обрез"]\n'
    table.do("add_unit", side="a", roster=roster)
    ann = phone(language="ru", size=(320, 640)).join()
    page = ann.page
    page.emulate_media(reduced_motion="reduce")
    ann.go("/units")
    ann.wait_live()
    page.get_by_role("link", name="Заполнить недостающие значения").tap()
    page.wait_for_url("**/army/ask")
    ann.wait_live()
    page.get_by_label("Здоровье", exact=True).fill("6")
    page.get_by_role("button", name="Сохранить и дальше").tap()
    expect(page.locator("#card-title")).to_have_text("Обрез")
    page.locator("[name=skill]").select_option("rifle")
    page.get_by_label("Физический").first.fill("2")
    page.get_by_role("button", name="Сохранить и дальше").tap()
    expect(page.locator("h1")).to_have_text("Карточки")
    (unit,) = table.companion.snapshot().state.armies.units
    assert unit.card.health == 6 and unit.card.weapons[0].damage[0].value == 2
    for path in EDITOR:
        ann.go(path)
        page.evaluate(OPEN_DETAILS)
        for width in (320, 1280):
            page.set_viewport_size({"width": width, "height": 740})
            assert ann.overflow_px() <= 0, (path, width)
            assert page.evaluate(SMALL_TARGETS) == [], (path, width)
        assert page.evaluate(FAINT_WORDS) == [], path
