"""Coming to the table and leaving it, in a real browser; what others may try there."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from ipaddress import IPv4Network

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.chromium import Phone
from tests.web.table import TestTable
from web.addresses import Interface
from web.serve import Served

pytestmark = pytest.mark.browser

Make = Callable[..., Phone]

MOST_KB = 150
"""What "Now" may weigh before pictures."""

HERE = Interface("lo", "127.0.0.1", IPv4Network("127.0.0.0/8"))
"""The page's other address in these tests: the same machine by number."""


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_host_invites_hands_over_and_removes(
    phone: Make, table: TestTable, language: str
) -> None:
    ann = phone(language=language).join("Ann")
    ann.page.locator(".alone a").click()
    ann.page.wait_for_url("**/people")
    expect(ann.page.locator("#code")).to_have_text("246 810")
    ann.wait_live()
    ann.shot("people-alone")

    bob = phone(language=language)
    bob.page.goto(f"{bob.base}/")
    assert bob.page.evaluate("isSecureContext") is False
    bob.page.fill("[name=code]", "111 111")
    bob.page.fill("[name=name]", "Bob")
    bob.page.locator("label:has([name=side][value=b])").click()
    bob.page.click("[value=player]")
    expect(bob.page.locator("h1")).to_be_visible()
    bob.shot("join-wrong-code")
    assert [one.name for one in table.companion.snapshot().live.people] == ["Ann"]
    bob.forgive("403")
    bob.page.goto(f"{bob.base}/join")
    bob.page.fill("[name=code]", "246 810")
    bob.page.fill("[name=name]", "Bob")
    bob.page.locator("label:has([name=side][value=b])").click()
    bob.shot("join-code")
    bob.page.click("[value=player]")
    bob.page.wait_for_url("**/now")
    bob.wait_live()
    people = ann.page.locator(".person")
    expect(people).to_have_count(2)
    expect(people.last).to_contain_text("Bob")
    assert table.companion.snapshot().live.people[1].side == "b"

    manage = people.last.locator("details")
    manage.locator("summary").click()
    ann.shot("people-manage")
    for width in (320, 1280):
        ann.page.set_viewport_size({"width": width, "height": 740})
        assert ann.overflow_px() <= 0, width
    manage.locator("form[action='/people/host'] button").click()
    expect(people.last).to_contain_text("★")
    expect(ann.page.locator("#code")).to_have_count(0)
    bob.go("/people")
    expect(bob.page.locator("#code")).to_have_text("246 810")
    bob.wait_live()
    ann_there = bob.page.locator(".person").first
    ann_there.locator("summary").click()
    ann_there.locator("form[action='/people/remove'] button").click()
    expect(bob.page.locator("#code")).to_have_text("246 811")
    ann.page.wait_for_url("**/join")
    ann.forgive("403")


def test_a_token_is_made_copied_and_revoked_without_leaving_the_page(
    phone: Make, table: TestTable, served: Served
) -> None:
    ann = phone().join("Ann")
    ann.go("/people")
    ann.wait_live()
    ann.page.fill("[name=program]", "Hall screen")
    ann.page.get_by_role("button", name="Make a token").click()
    token = ann.page.locator("#fresh-token")
    expect(token).to_contain_text("dicelight-")
    shown = token.inner_text()
    table.open_skill_check(7)
    expect(token).to_have_text(shown)
    ann.shot("people-token")
    got = ann.page.request.get(
        f"http://127.0.0.1:{served.port}/api/v1/rolls",
        headers={"Authorization": f"Bearer {shown}"},
    )
    assert got.status == 200
    ann.page.get_by_role("button", name="Revoke the token of Hall screen").click()
    expect(ann.page.get_by_text("Hall screen")).to_have_count(0)


def test_a_device_stays_joined_when_the_page_gets_another_address(
    phone: Make, served: Served, table: TestTable
) -> None:
    """Cookies belong to one address; a link with a ticket takes the device along."""
    hub = served._hub
    hub.settings = replace(hub.settings, interfaces=lambda: (HERE,))
    ann = phone().join("Ann")
    link = ann.page.locator("#elsewhere a").first
    target = link.get_attribute("href") or ""
    assert target.startswith(f"http://127.0.0.1:{served.port}/r/")
    expect(ann.page.locator("#elsewhere")).to_be_hidden()
    link.evaluate("(link) => link.click()")
    ann.page.wait_for_url(f"http://127.0.0.1:{served.port}/now")
    table.open_skill_check(7)
    ann.page.locator("[data-die=skill]").wait_for()
    assert [one.name for one in table.companion.snapshot().live.people] == ["Ann"]
    ann.page.close()  # or it goes on asking for the live picture
    ann.elsewhere = [url for url in ann.elsewhere if "127.0.0.1" not in url]


@pytest.fixture
def evil_site() -> Iterator[Callable[[str], str]]:
    """Serve a page of somebody else's; returns its address."""
    body = {"html": ""}

    class Evil(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body["html"].encode())

        def log_message(self, *what: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Evil)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()

    def serve(html: str) -> str:
        body["html"] = html
        return f"http://127.0.0.1:{server.server_port}/"

    yield serve
    server.shutdown()
    thread.join()
    server.server_close()


def test_another_site_can_neither_frame_the_page_nor_post_to_it_nor_read_it(
    browser: Browser,
    phone: Make,
    table: TestTable,
    evil_site: Callable[[str], str],
) -> None:
    ann = phone().join("Ann")
    evil = ann.context.new_page()
    evil.goto(
        evil_site(
            f"""<iframe src="{ann.base}/now" name="inner"></iframe>
            <form method="post" action="{ann.base}/now/open">
            <input name="check" value="skill_check"><input name="rating" value="7">
            <button>go</button></form>"""
        )
    )
    # By its element: a frame that is refused may be without its name for a while.
    inner = evil.locator("iframe[name=inner]").element_handle()
    framed = inner.content_frame()
    assert framed is not None
    assert framed.locator("#page").count() == 0
    read = evil.evaluate(
        """(url) => fetch(url, {credentials: 'include'})
             .then((answer) => answer.text()).catch(() => 'refused')""",
        f"{ann.base}/api/v1/state",
    )
    assert read == "refused" or '"error"' in read
    evil.get_by_role("button", name="go").click()
    evil.wait_for_load_state()
    assert table.companion.snapshot().state.check is None
    evil.close()


def test_now_is_light_and_fetches_nothing_from_elsewhere(
    phone: Make, table: TestTable
) -> None:
    ann = phone().join("Ann")
    sizes: dict[str, int] = {}

    def weigh(response) -> None:  # type: ignore[no-untyped-def]
        kind = response.request.resource_type
        if kind in ("document", "stylesheet", "script", "font", "fetch"):
            sizes[response.url] = len(response.body()) + 400  # and its headers

    ann.page.on("response", weigh)
    ann.page.reload()
    ann.wait_live()
    table.open_skill_check(7)
    ann.page.locator("[data-die=skill]").wait_for()
    ann.page.remove_listener("response", weigh)
    assert any(url.endswith("page.css") for url in sizes)
    assert any(url.endswith("live.js") for url in sizes)
    weight_kb = sum(sizes.values()) / 1024
    assert weight_kb <= MOST_KB, sorted(sizes.items(), key=lambda one: -one[1])
    assert ann.elsewhere == []
