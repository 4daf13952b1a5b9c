from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.web.table import OWN, RUSSIAN, TestTable, joining, live_die, make_settings
from web import create_app
from web.shared import SHARED, Shared

FRAGMENT = {"X-Dicelight-Fragment": "1"}


def test_many_who_ask_at_once_share_one_rendering() -> None:
    shared = Shared(0.2, lambda: 0.0)
    started, go_on = threading.Event(), threading.Event()
    rendered: list[str] = []

    def render() -> str:
        started.set()
        assert go_on.wait(10)
        rendered.append("screen")
        return rendered[-1]

    got: list[str] = []
    threads = [
        threading.Thread(target=lambda: got.append(shared.get(("now",), render)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    assert started.wait(10)
    go_on.set()
    for thread in threads:
        thread.join()
    assert (got, rendered) == (["screen"] * 8, ["screen"])


def test_a_screen_is_kept_for_a_moment_and_only_under_its_key() -> None:
    now = [0.0]
    shared = Shared(0.2, lambda: now[0])
    count = iter(range(99))

    def render() -> int:
        return next(count)

    assert [shared.get(("a",), render), shared.get(("b",), render)] == [0, 1]
    now[0] = 0.19
    assert shared.get(("a",), render) == 0
    now[0] = 0.2
    assert shared.get(("a",), render) == 2


def test_a_rendering_that_fails_is_not_kept() -> None:
    shared = Shared(0.2, lambda: 0.0)

    def fail() -> str:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        shared.get(("a",), fail)
    assert shared.get(("a",), lambda: "yes") == "yes"


@pytest.mark.parametrize("language", [{}, RUSSIAN], ids=["en", "ru"])
def test_shared_screens_say_nothing_of_the_device_that_looks(
    table: TestTable, language: dict[str, str]
) -> None:
    """Or else one phone would be shown what another one's screen says."""
    app = create_app(table.companion, settings=make_settings(share_s=0))
    phones = [app.test_client() for _ in range(3)]
    for number, phone in enumerate(phones):
        phone.post("/join", data=joining(f"Unlikely{number}"), headers=OWN)
    table.open_skill_check(7, dice={"black": 1})
    table.settle(live_die("d1", "skill", "5"), live_die("d2", "black", "dmg"))
    for endpoint in SHARED:
        path = "/" + endpoint.partition(".")[0]
        # The first is the host; the other two are alike in role and side.
        screens = [
            phone.get(path, headers=FRAGMENT | language).text for phone in phones[1:]
        ]
        assert screens[0] == screens[1], path
        assert "Unlikely" not in screens[0], path


def test_what_a_screen_may_differ_by_is_never_mixed_up(
    table: TestTable, tmp_path: Path
) -> None:
    app = create_app(table.companion, settings=make_settings(now_s=lambda: 0.0))
    player, spectator = app.test_client(), app.test_client()
    player.post("/join", data=joining("Ann"), headers=OWN)
    spectator.post("/join", data=joining("Sam", "spectator"), headers=OWN)
    assert "<form" in player.get("/now", headers=FRAGMENT).text
    assert 'action="/now' not in spectator.get("/now", headers=FRAGMENT).text
    assert "Сейчас" in player.get("/now", headers=FRAGMENT | RUSSIAN).text
    assert "Сейчас" not in player.get("/now", headers=FRAGMENT).text
    whole = player.get("/now").text
    assert whole.startswith("<!doctype html>")
    before = player.get("/now", headers=FRAGMENT).text
    table.open_skill_check(9)
    after = player.get("/now", headers=FRAGMENT).text
    assert before != after
    other = player.get("/now?type=1", headers=FRAGMENT).text
    assert other != after
