"""The page in a real browser; what lies in the tray is said by the test."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import DESK, Phone
from tests.browser.relay import Relay
from tests.web.table import CODE, TestTable, live_die
from web.serve import Served

pytestmark = pytest.mark.browser

Make = Callable[..., Phone]

SCREENS = {
    "now": "/now",
    "armour": "/now?open=armour_check",
    "units": "/units",
    "rulers": "/rulers",
    "log": "/log",
    "dice": "/dice",
    "setup": "/setup",
    "join": "/join",
    "people": "/people",
}

PATIENCE_MS = 5000
"""How long the page waits for an answer; as in screen.js."""

WORDS = {
    "en": {"open": "Open the check", "yes": "Success", "no": "Failure"},
    "ru": {"open": "Начать проверку", "yes": "Успех", "no": "Провал"},
}

THROWN = (
    live_die("d1", "skill", "5"),
    live_die("d2", "black", "dmg+dmg"),
    live_die(
        "d3",
        "green",
        "acc2",
        status="unsure",
        alternatives=(("acc2", 0.5), ("acc1", 0.4)),
    ),
)


def settle_to(page: Page, what: Callable[[], int], value: int) -> None:
    """Wait until something on the server has come to a value."""
    for _ in range(60):
        if what() == value:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{what()} instead of {value}")


def play_one_check(table: TestTable) -> None:
    table.open_skill_check(7, dice={"black": 1, "green": 1})
    table.settle(*THROWN)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_check_is_opened_read_corrected_and_undone_on_a_phone(
    phone: Make, table: TestTable, language: str
) -> None:
    words = WORDS[language]
    ann = phone(language=language).join()
    page = ann.page
    ann.shot("now-open")
    page.fill("#f-rating", "4")
    page.click("#f-dice_black ~ [data-step='1']")
    page.get_by_role("button", name=words["open"]).click()
    page.locator("[data-die=skill]").wait_for()
    ann.shot("now-ask")
    table.settle(live_die("d1", "skill", "5"), live_die("d2", "black", "dmg"))
    expect(page.locator("#result-word")).to_contain_text(words["no"])
    page.locator(".spot").first.wait_for()
    ann.shot("now-failure")
    page.locator(".spot").first.click()
    expect(page.locator("#fix-title")).to_be_focused()
    ann.shot("now-fix")
    page.locator("#fix button[value='3']").first.click()
    expect(page.locator("#result-word")).to_contain_text(words["yes"])
    expect(page.locator("#fix")).to_have_count(0)
    ann.shot("now-success")
    page.locator("form[action='/undo'] button").click()
    expect(page.locator("#result-word")).to_contain_text(words["no"])


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_screen_fits_and_can_be_hit_with_a_finger(
    phone: Make, table: TestTable, language: str
) -> None:
    ann = phone(language=language).join()
    states: list[tuple[Callable[[], None], tuple[str, ...]]] = [
        (lambda: None, tuple(SCREENS.values())),
        (lambda: table.open_skill_check(7), ("/now", "/now?type=1")),
        (lambda: table.do("close_check"), ()),
        (lambda: play_one_check(table), ("/now", "/now?die=d3")),
        (lambda: table.do("light_ruler", cue={"bands": BANDS}), ("/rulers",)),
        (lambda: table.do("confirm"), ("/now", "/log")),
    ]
    for happens, paths in states:
        happens()
        for path in paths:
            ann.go(path)
            ann.page.evaluate(OPEN_DETAILS)
            for width in WIDTHS:
                ann.page.set_viewport_size({"width": width, "height": 740})
                assert ann.overflow_px() <= 0, (path, width)
                assert ann.page.evaluate(SMALL_TARGETS) == [], (path, width)
                assert ann.page.evaluate(STICKING_OUT) == [], (path, width)


WIDTHS = (320, 360, 768, 1280)

BANDS = ["green", "black"]

OPEN_DETAILS = "document.querySelectorAll('details').forEach((d) => (d.open = true))"

SMALL_TARGETS = """() => [...document.querySelectorAll(
    'button, a[href], summary, input:not([type=hidden]), select')]
  .map((target) => [target, target.closest('label') ?? target])
  .map(([target, area]) => [target, area.getBoundingClientRect()])
  .filter(([target, box]) => box.width && !target.closest('.said, .skip'))
  .filter(([target, box]) => box.width < 43.5 || box.height < 43.5)
  .map(([target, box]) => `${target.outerHTML.slice(0, 90)} ${box.width}x${box.height}`)
"""


STICKING_OUT = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const el = walker.currentNode.parentElement;
    if (!walker.currentNode.nodeValue.trim() || !el.getClientRects().length) continue;
    if (el.closest('svg, .said, .skip, [hidden], select')) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const text = range.getBoundingClientRect();
    const around = el.closest('button, .button, .choice, .pill, .field, .card, main');
    const box = (around ?? document.body).getBoundingClientRect();
    if (text.right > box.right + 1 || text.left < box.left - 1)
      found.push(`${el.textContent.trim()} in ${around.className || around.nodeName}`);
  }
  return found;
}"""
"""Words that are wider than what they stand in."""


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_words_stand_out_from_their_ground(
    phone: Make, table: TestTable, dark: bool
) -> None:
    ann = phone(dark=dark).join()
    play_one_check(table)
    table.do("light_ruler", cue={"bands": ["yellow"]})
    table.companion.parts.fails("camera", "the cable is loose")
    for path in (*SCREENS.values(), "/now?die=d3"):
        ann.go(path)
        assert ann.page.evaluate(FAINT_WORDS) == [], path
    table.do("confirm")
    ann.go("/now")
    assert ann.page.evaluate(FAINT_WORDS) == []


FAINT_WORDS = """() => {
  const parse = (css) => css.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (el) => {
    for (let at = el; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.length < 4 || colour[3] > 0.99) return colour;
    }
    return [255, 255, 255];
  };
  const faint = [];
  for (const el of document.querySelectorAll('body *')) {
    const own = [...el.childNodes].some((n) => n.nodeType === 3 && n.nodeValue.trim());
    const style = getComputedStyle(el);
    if (!own || el.closest('svg, .said, .skip, [hidden], :disabled')) continue;
    if (!el.getClientRects().length) continue;
    const [a, b] = [light(parse(style.color)), light(ground(el))].sort((x, y) => y - x);
    const large = parseFloat(style.fontSize) >= 24;
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < (large ? 3 : 4.5)) faint.push(`${el.textContent.trim()} ${ratio}`);
  }
  return faint;
}"""


@pytest.mark.parametrize("language", ["en", "ru"])
def test_screenshots_of_every_screen(
    phone: Make, table: TestTable, language: str
) -> None:
    play_one_check(table)
    table.do("light_ruler", cue={"bands": ["yellow", "green"]})
    small = phone(language=language).join()
    dark = phone(language=language, dark=True).join("Bob", "spectator")
    wide = phone(language=language, size=DESK).join("Cat")
    for name, path in SCREENS.items():
        for which, one in (("phone", small), ("phone-dark", dark), ("desk", wide)):
            one.go(path)
            one.page.wait_for_load_state()
            one.shot(f"{name}-{which}")


def test_what_one_phone_does_every_phone_shows(phone: Make, table: TestTable) -> None:
    ann, bob = phone().join("Ann"), phone(language="ru").join("Боб", "spectator")
    ann.page.get_by_role("button", name="Open the check").click()
    bob.page.locator("[data-die=skill]").wait_for()
    assert bob.page.locator("form[action^='/now']").count() == 0
    table.settle(live_die("d1", "skill", "2"))
    expect(bob.page.locator("#result-word")).to_contain_text("Успех")
    expect(bob.page.locator("#say")).to_contain_text("Успех")
    bob.go("/log")
    bob.wait_for("Начато: Проверка навыка")


def test_a_phone_frozen_past_the_heartbeat_shows_the_truth_when_it_thaws(
    phone: Make, table: TestTable
) -> None:
    ann = phone().join()
    table.open_skill_check(7)
    ann.page.locator("[data-die=skill]").wait_for()
    session = ann.context.new_cdp_session(ann.page)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    table.settle(live_die("d1", "skill", "9"))
    for _ in range(40):
        table.do("light_ruler", cue={"bands": ["red"]})
        table.do("ruler_off")
    table.companion.wait_newer(table.companion.snapshot().version, 4.0)
    session.send("Page.setWebLifecycleState", {"state": "active"})
    expect(ann.page.locator("#result-word")).to_contain_text("Failure", timeout=2000)
    expect(ann.page.locator("#offline")).to_be_hidden()


def test_a_cut_network_is_said_and_mends_by_itself(
    cable: Relay, phone: Make, table: TestTable
) -> None:
    ann = phone(port=cable.port).join()
    cable.is_cut = True
    expect(ann.page.locator("#offline")).to_be_visible()
    ann.shot("now-offline")
    table.open_skill_check(7)
    cable.is_cut = False
    ann.page.locator("[data-die=skill]").wait_for()
    expect(ann.page.locator("#offline")).to_be_hidden()
    ann.forgive("ERR_")


def test_two_tabs_of_one_browser_share_one_stream(
    phone: Make, table: TestTable, served: Served
) -> None:
    ann = phone().join()
    other = ann.context.new_page()
    other.goto(f"{ann.base}/now")
    streams = served._hub.streams
    table.open_skill_check(7)
    for page in (ann.page, other):
        page.locator("[data-die=skill]").wait_for()
    settle_to(ann.page, lambda: streams.open, 1)
    ann.page.close()
    table.settle(live_die("d1", "skill", "2"))
    expect(other.locator("#result-word")).to_contain_text("Success")
    settle_to(other, lambda: streams.open, 1)


def test_a_full_house_asks_now_and_then_instead(
    phone: Make, table: TestTable, served: Served
) -> None:
    from web.people import Role, Visitor

    streams = served._hub.streams
    while streams.take(Visitor(f"v{streams.open}", "V", Role.SPECTATOR)):
        pass
    ann = phone().join()
    table.open_skill_check(7)
    ann.page.locator("[data-die=skill]").wait_for()
    ann.forgive("503")


def test_a_command_whose_answer_was_lost_is_not_done_twice(
    cable: Relay, phone: Make, table: TestTable
) -> None:
    ann = phone(port=cable.port).join()
    table.do("light_ruler", cue={"bands": ["red"]})
    ann.go("/rulers")
    ann.wait_live()

    cable.lose_answer_to = b"POST /rulers/light"
    more = ann.page.get_by_role("button", name="Add green behind")
    more.click()
    told = expect(ann.page.locator("#notice"))
    told.to_contain_text("did not answer", timeout=PATIENCE_MS * 2)
    more.click()
    expect(ann.page.locator("#notice")).to_be_hidden()
    ruler = table.companion.snapshot().state.ruler
    assert ruler is not None and tuple(ruler.cue["bands"]) == ("red", "green")
    ann.forgive("ERR_")


def test_two_conflicting_commands_get_one_order_and_one_polite_refusal(
    phone: Make, table: TestTable
) -> None:
    bob = phone().join("Bob")
    for what in ("**/stream*", "**/now", "**/health"):
        bob.page.route(what, lambda route: route.abort())
    table.open_skill_check(7)
    bob.page.get_by_role("button", name="Open the check").click()
    expect(bob.page.locator("#notice")).to_contain_text("Another check is open")
    bob.page.unroute_all()
    bob.page.locator("[data-die=skill]").wait_for()
    bob.forgive("ERR_FAILED")
    bob.forgive("409")


def test_a_half_filled_form_survives_what_others_do(
    phone: Make, table: TestTable
) -> None:
    ann = phone().join()
    ann.page.fill("#f-rating", "9")
    ann.page.focus("#f-rating")
    before = ann.page.get_attribute("#page", "data-version")
    table.do("light_ruler", cue={"bands": ["red"]})
    ann.page.locator(f"#page:not([data-version='{before}'])").wait_for()
    expect(ann.page.locator("#f-rating")).to_have_value("9")
    expect(ann.page.locator("#f-rating")).to_be_focused()


def test_all_of_it_works_by_keyboard(phone: Make, table: TestTable) -> None:
    ann = phone(size=DESK).join()
    page = ann.page

    def tab_to(selector: str) -> None:
        for _ in range(80):
            page.keyboard.press("Tab")
            if page.evaluate("(s) => document.activeElement.matches(s)", selector):
                return
        raise AssertionError(f"no way to {selector} by keyboard")

    tab_to("#f-rating")
    page.keyboard.press("Control+A")
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    page.locator("[data-die=skill]").wait_for()
    table.settle(live_die("d1", "skill", "9"))
    page.locator(".spot").wait_for()
    tab_to(".spot")
    page.keyboard.press("Enter")
    expect(page.locator("#fix-title")).to_be_focused()
    tab_to("#fix button[value='2']")
    page.keyboard.press("Enter")
    expect(page.locator("#result-word")).to_contain_text("Success")


def test_without_scripts_the_forms_still_work(
    phone: Make, table: TestTable, served: Served
) -> None:
    ann = phone()
    context = ann.context.browser.new_context(java_script_enabled=False)  # type: ignore[union-attr]
    page = context.new_page()
    page.goto(f"{ann.base}/")
    page.fill("[name=code]", CODE)
    page.fill("[name=name]", "Ann")
    page.click("[value=player]")
    page.fill("#f-rating", "6")
    page.get_by_role("button", name="Open the check").click()
    page.get_by_role("link", name="Type the faces").click()
    page.locator("form[action='/now/enter'] button[value='4']").click()
    expect(page.locator("#result-word")).to_contain_text("Success")
    page.locator("form[action='/undo'] button").click()
    expect(page.locator("[data-die=skill]")).to_be_visible()
    context.close()


def test_the_live_picture_is_refreshed_only_while_it_is_seen(
    phone: Make, table: TestTable
) -> None:
    ann = phone().join()
    looks: list[str] = []
    ann.page.on(
        "request",
        lambda request: (
            looks.append(request.url) if "/tray.jpg" in request.url else None
        ),
    )
    with ann.page.expect_request("**/tray.jpg?at=*"):
        ann.page.locator("#tray-picture").scroll_into_view_if_needed()
    ann.go("/log")
    looks.clear()
    ann.page.wait_for_timeout(700)
    assert looks == []
