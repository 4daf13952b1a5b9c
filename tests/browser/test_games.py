"""The other games on the page: their own dice thrown into the drawn tray and read."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from device.app import App, Page, Sources, build
from device.commands.demo import demo_config
from device.companion import Companion
from device.config import Config
from device.data.load import load_dice_set
from device.demo import DemoTray, plain_dice
from device.games.registry import other_dice
from device.sight import taught_eyes
from device.table.state import state_hash
from device.table.table import find_nights, read_night
from hardware.clock import SystemClock
from tests.browser.chromium import DESK, NAME, WAIT_MS, Phone
from tests.web.table import make_settings
from web import create_app
from web.serve import serve

TRIES = 4
"""Throws until every die is read surely; the reader says when it is not."""


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    """The demonstration, with a reader that nobody has taught anything."""
    clock = SystemClock()
    config = demo_config("127.0.0.1", 0)
    plain = plain_dice(other_dice("foww"))
    tray = DemoTray(load_dice_set("demo"), clock, seed=5, plain=plain)
    sources = Sources(
        eyes=lambda folder: taught_eyes(config, folder, hand_held=False),
        camera=tray.open_camera,
        thrower=tray.roll,
        page=_page,
        clock=clock,
    )
    made = build(config, tmp_path, sources)
    made.start()
    yield made
    made.close()


def _page(companion: Companion, config: Config, state: Path) -> Page:
    settings = make_settings(names=(NAME,), state=state, heartbeat_s=0.5)
    return serve(create_app(companion, settings=settings), "127.0.0.1", 0, 6)


@pytest.fixture
def table(app: App, browser: Browser) -> Iterator[Callable[[str], Phone]]:
    phones: list[Phone] = []

    def open_table(game: str) -> Phone:
        phone = Phone(browser, app.port, size=DESK)
        phones.append(phone)
        phone.join()
        phone.go("/game")
        phone.page.locator(f"[data-game={game}] button.primary").click()
        phone.page.wait_for_url("**/now")
        return phone

    yield open_table
    for phone in phones:
        phone.close()


def press(phone: Phone, command: str, text: str = "") -> None:
    """Press the button of a command and wait until the page shows what came of it."""
    page = phone.page
    form = f"form[action='/play/{command}']"
    button = page.locator(f"{form} button", has_text=text).first
    before = page.locator("#page").get_attribute("data-seq")
    button.click()
    page.wait_for_function(
        "seq => document.querySelector('#page').dataset.seq !== seq", arg=before
    )


def fill(phone: Phone, command: str, **values: str) -> None:
    """Fill the first form of a command."""
    form = phone.page.locator(f"form[action='/play/{command}']").first
    for name, value in values.items():
        field = form.locator(f"[name={name}]")
        if field.evaluate("one => one.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)


def throw(app: App, phone: Phone) -> None:
    """Throw until the dice are read surely, then wait for the result."""
    for _ in range(TRIES):
        button = phone.page.locator("form[action='/now/throw'] button").first
        button.wait_for()  # the check is open
        before = app.companion.snapshot().state.check.roll
        button.click()
        snapshot = app.companion.snapshot()
        until_s = time.monotonic() + WAIT_MS / 1000
        while (check := snapshot.state.check).roll == before:
            assert time.monotonic() < until_s, "nothing was read"
            snapshot = app.companion.wait_newer(snapshot.version, 1.0)
        if check.status == "resolved":
            phone.page.locator(".result").wait_for()
            return
    raise AssertionError("the dice were never read surely")


def ends_where_it_began(app: App, phone: Phone, nights: Path) -> None:
    """The night replays to the same hash; undo takes everything back."""
    (path,) = find_nights(nights)
    now = app.companion.snapshot().state
    assert state_hash(read_night(path).state) == state_hash(now)
    phone.go("/now")
    while not (undo := phone.page.locator("form[action='/undo'] button")).is_disabled():
        before = phone.page.locator("#page").get_attribute("data-seq")
        undo.click()
        phone.page.wait_for_function(
            "seq => document.querySelector('#page').dataset.seq !== seq", arg=before
        )
    assert app.companion.snapshot().state.content.sheet == {}


def test_munchkin_is_played(
    app: App, table: Callable[[str], Phone], tmp_path: Path
) -> None:
    phone = table("munchkin")
    page = phone.page
    fill(phone, "add_player", name="Ann")
    press(phone, "add_player")
    phone.go("/units")
    fill(phone, "agree", run_away_target="1", radiation_target="7")
    press(phone, "agree")
    phone.go("/now")
    press(phone, "turn")
    press(phone, "begin_fight")
    fill(phone, "add_monster", name="Ghoul", strength="3", radiation="2")
    press(phone, "add_monster", "Add a monster")
    page.get_by_role("link", name="Radiation protection (2)").click()
    page.locator("form[action='/now/open'] button.primary").click()
    throw(app, phone)
    assert page.locator("#result-word").inner_text().endswith("Irradiated")
    press(phone, "decide_fight")
    page.get_by_role("link", name="Run away: Ann").click()
    page.locator("form[action='/now/open'] button.primary").click()
    throw(app, phone)
    assert page.locator("#result-word").inner_text().endswith("Escaped")
    phone.shot("munchkin-now")
    phone.go("/units")
    assert page.locator("[data-counter=radiation] b").inner_text() == "2"
    press(phone, "level", "Level +1")
    phone.shot("munchkin-players")
    assert phone.overflow_px() <= 0
    phone.go("/rulers")
    phone.shot("munchkin-ruler")
    assert page.locator(".led.on").count() >= 10
    ends_where_it_began(app, phone, tmp_path / "nights")


def test_special_is_played(
    app: App, table: Callable[[str], Phone], tmp_path: Path
) -> None:
    phone = table("special")
    page = phone.page
    phone.go("/units")
    for name in ("Vic", "Raider"):
        page.locator("form[action='/play/add_character']").evaluate(
            "one => one.closest('details').open = true"
        )
        fill(phone, "add_character", name=name, special_ag="8")
        press(phone, "add_character", "Add a character")
    vic = page.locator("[data-character=Vic]")
    for opened in ("gear", "time", "skills"):
        vic.locator(f"details[id^={opened}]").evaluate("one => one.open = true")
    fill(phone, "add_weapon", name="Rifle", damage="1d6", range="20", magazine="9")
    press(phone, "add_weapon", "Give this weapon")
    phone.shot("special-sheets")
    assert phone.overflow_px() <= 0
    vic.get_by_role("link", name="Attack").click()
    page.select_option("[name=target]", label="Raider")
    page.fill("[name=distance]", "5")
    page.locator("form[action='/now/open'] button.primary").click()
    page.locator(".ask").wait_for()
    phone.wait_for("percentile die")
    throw(app, phone)
    result = app.companion.snapshot().state.result
    assert result is not None
    assert 1 <= result["roll"] <= 100
    phone.shot("special-attack")
    phone.go("/now?open=damage")
    page.fill("[name=dice]", "2d6+1")
    page.select_option("[name=target]", label="Raider")
    page.locator("form[action='/now/open'] button.primary").click()
    throw(app, phone)
    result = app.companion.snapshot().state.result
    assert result is not None
    phone.go("/units")
    hurt = page.locator("[data-character=Raider] [data-counter=hurt] b").inner_text()
    assert int(hurt) == result["total"]
    press(phone, "show_range", "Show the range")
    phone.go("/rulers")
    assert page.locator(".led.on").count() > 50
    ends_where_it_began(app, phone, tmp_path / "nights")


def test_stalker_is_played(
    app: App, table: Callable[[str], Phone], tmp_path: Path
) -> None:
    phone = table("stalker")
    page = phone.page
    phone.go("/units")
    for name, side in (("Wolf", "a"), ("Bandit", "b")):
        page.locator("form[action='/play/add_figure']").evaluate(
            "one => one.closest('details').open = true"
        )
        fill(phone, "add_figure", name=name, side=side, skill="5")
        press(phone, "add_figure", "Add a figure")
    wolf = page.locator("[data-figure=Wolf]")
    for opened in ("gear", "move"):
        wolf.locator(f"details[id^={opened}]").evaluate("one => one.open = true")
    press(phone, "add_weapon", "Sample card 1")
    fill(phone, "show_move", inches_0="2", terrain_0="rough")
    press(phone, "show_move", "Show")
    phone.shot("stalker-figures")
    assert phone.overflow_px() <= 0
    phone.go("/now?open=activation")
    page.locator("form[action='/now/open'] button.primary").click()
    throw(app, phone)
    page.locator("form[action='/now/follow'] button").click()
    page.locator(".ask").wait_for()
    throw(app, phone)
    state = app.companion.snapshot().state
    assert state.result is not None
    assert state.result["kind"] == "activation"
    phone.go("/units")
    wolf.get_by_role("link", name="Shoot").click()
    page.select_option("[name=target_0]", label="Bandit")
    page.fill("[name=shots_0]", "3")
    page.locator("form[action='/now/open'] button.primary").click()
    page.locator(".ask").wait_for()
    throw(app, phone)
    state = app.companion.snapshot().state
    assert state.result is not None
    assert len(state.result["shots"]) == 3
    phone.shot("stalker-shooting")
    phone.go("/rulers")
    assert page.locator(".led.on").count() > 10
    ends_where_it_began(app, phone, tmp_path / "nights")
