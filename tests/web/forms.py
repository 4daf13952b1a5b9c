"""Every form of the page as a browser would send it, found by following its links."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import parse_qs, urljoin, urlsplit

from flask.testing import FlaskClient

AWAY = ("/static/", "/tray.jpg", "/rolls/", "/api/", "/stream", "/r/", "/j/", "/log/")
"""Not looked at for forms: pictures, files, the interface, other devices' ways in."""


@dataclass(slots=True)
class Form:
    """A form with what it would send if nothing is changed.

    Attributes:
        action: Path that it is sent to.
        fields: Values that it may send, by name.
        has_file: It sends a file.
    """

    action: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    has_file: bool = False

    @property
    def key(self) -> tuple[str, ...]:
        """Tells forms apart that ask for different things."""
        return (self.action, *sorted(self.fields))


class _Forms(HTMLParser):
    """Collects the forms and links of one page."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: list[str] = []
        self._open: Form | None = None
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag == "form":
            self._open = None
            if given.get("method", "").lower() == "post":
                self._open = Form(given["action"])
                self.forms.append(self._open)
        if self._open is None:
            return
        if tag == "select":
            self._select = given.get("name", "")
        elif tag == "option" and self._select:
            self._keep(self._select, given.get("value", ""))
        elif tag in ("input", "button", "textarea") and given.get("name"):
            self._open.has_file |= given.get("type") == "file"
            self._keep(given["name"], given.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag == "select":
            self._select = ""

    def _keep(self, name: str, value: str) -> None:
        assert self._open is not None
        values = self._open.fields.setdefault(name, [])
        if value not in values:
            values.append(value)


def find_forms(client: FlaskClient, starts: Sequence[str]) -> dict[tuple, Form]:  # type: ignore[type-arg]
    """Return every form that can be reached from some pages, by `Form.key`."""
    found: dict[tuple, Form] = {}  # type: ignore[type-arg]
    for page in _pages(client, starts):
        for form in page.forms:
            known = found.setdefault(form.key, form)
            for name, values in form.fields.items():
                fresh = [one for one in values if one not in known.fields[name]]
                known.fields[name] += fresh
    return found


def _pages(client: FlaskClient, starts: Sequence[str]) -> Iterator[_Forms]:
    waiting, seen = list(starts), {_kind(start) for start in starts}
    while waiting:
        path = waiting.pop(0)
        answer = client.get(path)
        assert answer.status_code in (200, 303), path
        if answer.mimetype != "text/html":
            continue
        page = _Forms()
        page.feed(answer.text)
        yield page
        for link in page.links:
            parts = urlsplit(urljoin(path, link))
            target = parts.path + (f"?{parts.query}" if parts.query else "")
            if parts.netloc or _kind(target) in seen or target.startswith(AWAY):
                continue
            seen.add(_kind(target))
            waiting.append(target)


def _kind(target: str) -> str:
    """Return what a page has in common with those that show other models or dice."""
    path, _, query = target.partition("?")
    names = sorted(parse_qs(query, keep_blank_values=True))
    return f"{re.sub(r'[0-9][0-9.-]*', '0', path)}?{'&'.join(names)}"
