"""What is answered without Flask is right, and for who may see it alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.web.table import OWN, RUSSIAN, TestTable, joining, make_settings
from web import create_app
from web.again import Again, Environment, Kept, Start
from web.hub import Hub

FRAGMENT = {"X-Dicelight-Fragment": "1"}


class House:
    """A page with phones; counts the requests that went the whole way."""

    def __init__(self, table: TestTable) -> None:
        self.clock_s = 0.0
        self.asked: list[str] = []
        settings = make_settings(now_s=lambda: self.clock_s)
        self.app = create_app(table.companion, settings=settings)
        again = self.app.wsgi_app
        assert isinstance(again, Again)
        self._flask = again._app
        again._app = self._note
        hub = self.app.extensions["dicelight"]
        assert isinstance(hub, Hub)
        self.hub = hub

    def _note(self, environ: Environment, start: Start) -> Iterable[bytes]:
        self.asked.append(environ["PATH_INFO"])
        return self._flask(environ, start)

    def phone(self, name: str, role: str = "player") -> FlaskClient:
        phone = self.app.test_client()
        phone.post("/join", data=joining(name, role), headers=OWN)
        return phone

    def whole_way(self, look: Callable[[], object]) -> bool:
        """Say whether a request troubles Flask."""
        before = len(self.asked)
        look()
        return len(self.asked) > before


@pytest.fixture
def house(table: TestTable) -> House:
    return House(table)


def see(phone: FlaskClient, path: str = "/now", **headers: str) -> str:
    answer = phone.get(path, headers={**FRAGMENT, **headers})
    assert answer.status_code == 200
    return answer.text


def ask(phone: FlaskClient, path: str, answers: list[TestResponse]) -> None:
    answers.append(phone.get(path, headers=FRAGMENT))


def test_a_screen_asked_for_again_is_answered_as_before(
    house: House, table: TestTable
) -> None:
    ann, bob = house.phone("Ann", "spectator"), house.phone("Bob", "spectator")
    for path in ("/now", "/units", "/rulers", "/log", "/dice"):
        first = ann.get(path, headers=FRAGMENT)
        see(bob, path)
        for phone in (ann, bob):
            again: list[TestResponse] = []
            assert not house.whole_way(partial(ask, phone, path, again))
            assert again[0].data == first.data
            assert dict(again[0].headers) == dict(first.headers)
    table.open_skill_check(9)
    assert not house.whole_way(lambda: None)
    assert house.whole_way(lambda: see(ann)), "another version"
    assert not house.whole_way(lambda: see(bob)), "who is known shares it at once"
    assert "9" in see(bob)


def test_a_screen_is_answered_again_for_a_moment_only(house: House) -> None:
    ann = house.phone("Ann")
    see(ann)
    assert not house.whole_way(lambda: see(ann))
    house.clock_s += 0.25
    assert house.whole_way(lambda: see(ann))


@pytest.mark.parametrize(
    "other",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1"},
        {"Accept-Language": "ru"},
        {"Authorization": "Bearer dicelight-x"},
    ],
    ids=lambda other: next(iter(other.items()))[1],
)
def test_whoever_asks_otherwise_goes_the_whole_way(
    house: House, other: dict[str, str]
) -> None:
    ann = house.phone("Ann")
    see(ann)
    assert house.whole_way(lambda: ann.get("/now", headers={**FRAGMENT, **other}))
    assert house.whole_way(lambda: ann.get("/now"))
    assert house.whole_way(lambda: ann.get("/now?open=none", headers=FRAGMENT))
    assert house.whole_way(lambda: ann.head("/now", headers=FRAGMENT))
    assert house.whole_way(lambda: ann.post("/now", headers={**FRAGMENT, **OWN}))


def test_a_foreign_name_is_refused_however_often_a_screen_was_shown(
    house: House,
) -> None:
    ann = house.phone("Ann")
    for _ in range(2):
        see(ann)
        foreign = ann.get("/now", headers={**FRAGMENT, "Host": "evil.example"})
        assert foreign.status_code == 400


def test_a_cookie_that_is_not_the_same_to_the_letter_is_looked_at(
    house: House,
) -> None:
    ann = house.phone("Ann")
    see(ann)
    cookie = ann.get_cookie("dicelight")
    assert cookie is not None
    stranger = house.app.test_client(use_cookies=False)
    for forged, status in ((cookie.value, 200), (cookie.value[:-1], 303), ("", 303)):
        headers = {**FRAGMENT, "Cookie": f"dicelight={forged}"}
        assert stranger.get("/now", headers=headers).status_code == status


def test_who_is_removed_sees_nothing_more(house: House) -> None:
    ann, bob = house.phone("Ann"), house.phone("Bob", "spectator")
    for phone in (ann, bob):
        see(phone)
    (away,) = (one for one in house.hub.people.everyone() if one.name == "Bob")
    house.hub.dismiss(away.id, house.hub.people.remove)
    assert bob.get("/now", headers=FRAGMENT).status_code == 303
    see(ann)


def test_who_is_removed_while_the_screen_is_made_is_not_known_afterwards(
    house: House,
) -> None:
    house.phone("Ann")
    bob = house.phone("Bob", "spectator")
    (away,) = (one for one in house.hub.people.everyone() if one.name == "Bob")
    removed: list[str] = []

    def remove() -> None:
        if not removed:
            removed.append(away.id)
            house.hub.people.remove(away.id)

    # After the check of who asks, before the answer.
    house.app.view_functions["now.show"] = _first(
        remove, house.app.view_functions["now.show"]
    )
    bob.get("/now", headers=FRAGMENT)
    assert removed
    assert bob.get("/now", headers=FRAGMENT).status_code == 303


def _first(
    deed: Callable[[], None], view: Callable[..., object]
) -> Callable[..., object]:
    def shown(**args: object) -> object:
        made = view(**args)
        deed()
        return made

    return shown


def test_who_becomes_a_spectator_loses_the_buttons_at_once(house: House) -> None:
    house.phone("Host")
    ann = house.phone("Ann")
    assert 'action="/now' in see(ann)
    ann.post("/join", data=joining("Ann", "spectator"), headers=OWN)
    assert 'action="/now' not in see(ann)


def test_a_device_that_is_answered_again_counts_as_heard_of(house: House) -> None:
    ann = house.phone("Ann")
    see(ann)
    house.clock_s += 0.1
    (one,) = house.hub.people.everyone()
    assert house.hub.absent_s(one.id) == pytest.approx(0.1)
    assert not house.whole_way(lambda: see(ann))
    assert house.hub.absent_s(one.id) == 0.0


def test_languages_are_told_apart_by_cookie_too(house: House) -> None:
    ann = house.phone("Ann")
    assert "Сейчас" not in see(ann)
    assert "Сейчас" in see(ann, **RUSSIAN)
    ann.post("/language", data={"language": "ru", "back": "/now"}, headers=OWN)
    assert "Сейчас" in see(ann)


def test_few_things_are_kept() -> None:
    kept: Kept[int, int] = Kept(3)
    for number in (1, 2, 3, 1, 4):
        kept.put(number, number)
    assert [kept.get(number) for number in (1, 2, 3, 4)] == [1, None, 3, 4]
