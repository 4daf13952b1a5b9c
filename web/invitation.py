"""How other phones get to the page: its addresses, the code, the QR codes."""

from __future__ import annotations

from dataclasses import dataclass

import segno
import segno.helpers

from web.addresses import page_urls, url_of
from web.settings import Hotspot, WebSettings


@dataclass(frozen=True, slots=True)
class Invitation:
    """How other phones get to the page.

    Attributes:
        url: The page's likeliest address, by number: many phones do not know
            ``.local``.
        others: Its further addresses, by number and by name.
        code: What a stranger must say to join.
        hotspot: The network that this device runs, or None.
    """

    url: str
    others: tuple[str, ...]
    code: str
    hotspot: Hotspot | None = None

    @property
    def join_url(self) -> str:
        """The address that brings its code along; for a QR code."""
        return f"{self.url}j/{self.code}"

    @property
    def spaced_code(self) -> str:
        """The code as people read it out, in two halves."""
        half = len(self.code) // 2
        return f"{self.code[:half]} {self.code[half:]}"


def invite(
    settings: WebSettings, port: int, code: str, *, host: str, remote: str = ""
) -> Invitation:
    """Return the invitation that fits a device which asks.

    Args:
        settings: Of the page.
        port: Where it is really served.
        code: Of the table.
        host: The request's ``Host`` header, or where the page listens.
        remote: Address of the asking device, "" if there is none.
    """
    first, *others = urls(settings, port, host=host, remote=remote)
    return Invitation(first, tuple(others), code, settings.hotspot)


def urls(
    settings: WebSettings, port: int, *, host: str, remote: str = ""
) -> tuple[str, ...]:
    """Return the page's addresses: by number, likeliest first; then by name."""
    by_number = page_urls(host, remote, settings.interfaces(), port)
    own = settings.local_name()
    names = [name for name in settings.names if name.endswith(".local")]
    known = dict.fromkeys([*names, own] if own else names)
    by_name = (url_of(name, port) for name in known)
    return tuple(dict.fromkeys((*by_number, *by_name)))


def wifi_text(hotspot: Hotspot) -> str:
    """Return what phones understand as "join this network"."""
    kind = "WPA" if hotspot.password else None
    text = segno.helpers.make_wifi_data(hotspot.name, hotspot.password or None, kind)
    return str(text)


def qr_svg(text: str) -> str:
    """Return a QR code as an SVG that stands in a page."""
    drawn = segno.make(text, error="m", micro=False).svg_inline(
        scale=4, border=2, dark="#14120e", light="#ffffff", omitsize=True
    )
    return str(drawn)
