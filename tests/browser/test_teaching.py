"""A die is taught on the phone, the whole way, by tap and by hand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.lesson import Effort, taught_on_a_phone

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

BENCH = os.environ.get("DICELIGHT_BENCH", "")


def told(effort: Effort) -> str:
    return (
        f"{effort.taps} taps, {effort.searches} searches, {effort.placed} sides laid "
        f"down, {effort.thrown} throws, machine {effort.machine_s:.0f} s, all in all "
        f"{effort.person_s:.0f} s for a person, {effort.wall_s:.0f} s here; "
        f"{effort.said}"
    )


def test_a_die_of_six_faces_is_taught_with_one_tap_a_face(
    browser: Browser, tmp_path: Path
) -> None:
    effort, app, _ = taught_on_a_phone(
        browser, tmp_path, game="special", die="d6", tries=2
    )
    print(told(effort))
    lessons = app.companion.lessons
    assert lessons is not None
    assert set(lessons.taught["d6"]) == set("123456")
    assert (effort.placed, effort.thrown) == (6, 2)
    assert effort.taps + effort.searches <= 2 + 6 + 2, told(effort)


@pytest.mark.skipif(not BENCH, reason="takes minutes; set DICELIGHT_BENCH=1 for it")
def test_a_die_of_twenty_faces_is_taught_in_under_three_minutes(
    browser: Browser, tmp_path: Path
) -> None:
    effort, app, _ = taught_on_a_phone(
        browser, tmp_path, game="foww", die="skill", tries=10
    )
    print(told(effort))
    lessons = app.companion.lessons
    assert lessons is not None
    faces = {face.key for face in app.companion.dice.die("skill").faces}
    assert set(lessons.taught["skill"]) == faces
    assert effort.person_s < 180, told(effort)
