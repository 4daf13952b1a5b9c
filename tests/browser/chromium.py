"""Debian's chromium, the page opened by a name that is not this machine's own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.web.table import CODE

NAME = "dicelight.test"
"""Mapped to loopback by the browser alone; to it the page is plain, foreign HTTP."""

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    f"--host-resolver-rules=MAP {NAME} 127.0.0.1",
)

ARTEFACTS = Path(__file__).parents[2] / "artefacts"
"""Screenshots for people; git-ignored."""

PHONE = (360, 740)
DESK = (1280, 800)

WAIT_MS = 15_000
"""Generous: two cores may be busy with other tests."""


def chromium_path() -> str:
    """Return Debian's chromium; skip the test where there is none."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("chromium is not installed (apt install chromium)")
    return path


@contextmanager
def launch() -> Iterator[Browser]:
    path = chromium_path()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


class Phone:
    """One visitor with a screen of its own; faults in the page fail the test."""

    def __init__(
        self,
        browser: Browser,
        port: int,
        *,
        language: str = "en",
        size: tuple[int, int] = PHONE,
        dark: bool = False,
    ) -> None:
        self.base = f"http://{NAME}:{port}"
        self.language = language
        self.context: BrowserContext = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale=language,
            color_scheme="dark" if dark else "light",
            has_touch=size[0] < 700,
        )
        self.context.set_default_timeout(WAIT_MS)
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.elsewhere: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on(
            "console",
            lambda said: (
                self.faults.append(said.text) if said.type == "error" else None
            ),
        )
        self.page.on("request", self._note)

    def _note(self, request) -> None:  # type: ignore[no-untyped-def]
        if not request.url.startswith((f"{self.base}/", "data:", "blob:")):
            self.elsewhere.append(request.url)

    def join(self, name: str = "Ann", role: str = "player", code: str = CODE) -> Phone:
        """Join as a phone does that has scanned the QR code."""
        self.page.goto(f"{self.base}/j/{code}")
        assert self.page.evaluate("isSecureContext") is False
        self.page.fill("[name=name]", name)
        self.page.click(f"[value={role}]")
        self.page.wait_for_url("**/now")
        self.wait_live()
        return self

    def go(self, path: str) -> None:
        self.page.goto(f"{self.base}{path}")

    def wait_live(self) -> None:
        """Wait until the page's script runs."""
        # Not wait_for_function: the page's policy forbids the eval of its later looks.
        self.page.locator("html[data-ready='1']").wait_for(state="attached")

    def wait_for(self, text: str, where: str = "main") -> None:
        self.page.locator(where).get_by_text(text).first.wait_for()

    def overflow_px(self) -> int:
        return int(
            self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        )

    def shot(self, name: str) -> None:
        ARTEFACTS.mkdir(exist_ok=True)
        self.page.screenshot(
            path=ARTEFACTS / f"{name}-{self.language}.png", full_page=True
        )

    def forgive(self, part: str) -> None:
        """Forget the faults that a test has caused on purpose."""
        self.faults = [fault for fault in self.faults if part not in fault]

    def close(self) -> None:
        self.context.close()
        assert not self.faults, "\n".join(self.faults)
        assert not self.elsewhere, "\n".join(self.elsewhere)
