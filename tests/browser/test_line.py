"""The whole line: drawn dice thrown, seen as pixels, read, resolved, lit, on a phone.

The truth is asked of the drawn tray; the reader and the page only get pixels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from device.app import App
from device.commands.demo import demo_config, drawn_app
from device.data.load import bands
from device.demo import USUAL_STRIP, DemoTray
from device.rules.dice import face_icons
from device.rules.resolve import resolve
from hardware.rulers import light, parse_cue, parse_strips
from tests.browser.chromium import DESK, NAME, Phone

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

RATING = 7
READ_MS = 30_000
"""A throw rolls for some seconds, and two cores may be busy."""

WORDS = {"en": ("Success", "Failure"), "ru": ("Успех", "Провал")}


@dataclass(frozen=True, slots=True)
class Demo:
    """The demonstration, running."""

    app: App
    tray: DemoTray

    @property
    def code(self) -> str:
        return self.app.invitation().code

    def truth(self) -> dict[str, list[str]]:
        """Return the faces that really lie up, by die."""
        faces: dict[str, list[str]] = {}
        for die in self.tray.tray.truth():
            faces.setdefault(die.name, []).append(die.face)
        return {name: sorted(found) for name, found in faces.items()}


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the drawn dice are learnt once for all tests here."""
    return tmp_path_factory.mktemp("learnt")


@pytest.fixture
def demo(tmp_path: Path, learnt: Path) -> Iterator[Demo]:
    plain = demo_config("127.0.0.1", 0)
    config = replace(plain, server=replace(plain.server, names=(NAME,), streams=8))
    app, tray = drawn_app(tmp_path, config=config, seed=5, gallery_state=learnt)
    app.start()
    yield Demo(app, tray)
    app.close()


def shown(phone: Phone) -> dict[str, list[str]]:
    """Return the faces that the page shows, by die."""
    faces: dict[str, list[str]] = {}
    for chip in phone.page.locator(".tray .chip").all():
        die, face = chip.get_attribute("data-die"), chip.get_attribute("data-face")
        faces.setdefault(str(die), []).append(str(face))
    return {name: sorted(found) for name, found in faces.items()}


def take_throw(phone: Phone, demo: Demo, answered: str = "#result-word") -> None:
    """Wait for the throw to be read; tell the page what it is not sure of.

    A die that the page is sure of must be right; for one that it doubts, a person
    taps it and says which face it is.
    """
    page = phone.page
    doubtful = page.locator(".tray .chip:is(.unsure, .cocked)")
    page.locator(answered).or_(doubtful).first.wait_for(timeout=READ_MS)
    truth = demo.truth()
    sure = page.locator(".tray .chip.ok")
    for chip in sure.all():
        die, face = chip.get_attribute("data-die"), chip.get_attribute("data-face")
        assert face in truth[str(die)], f"silently wrong: {die} {face}, {truth}"
    for left in range(doubtful.count() - 1, -1, -1):
        die = doubtful.first.get_attribute("data-die")
        doubtful.first.click()
        (face,) = truth[str(die)]
        page.locator(f"#fix button[value='{face}']").last.click()
        expect(doubtful).to_have_count(left)


def right_answer(faces: Mapping[str, list[str]]) -> dict[str, Any]:
    """Return what the rules make of these faces."""
    return resolve(
        "foww",
        "skill_check",
        {
            "rating": RATING,
            "skill": faces["skill"][0],
            "effects": [
                {"die": die, "icons": list(face_icons(face))}
                for die, found in faces.items()
                if die != "skill"
                for face in found
            ],
        },
    )


def expect_answer(phone: Phone, faces: Mapping[str, list[str]]) -> None:
    """Expect the right word and the right icons in the phone's language."""
    answer = right_answer(faces)
    word = WORDS[phone.language][0 if answer["success"] else 1]
    expect(phone.page.locator("#result-word")).to_contain_text(word, timeout=READ_MS)
    counts = [*answer["icons"].values(), answer["ap"], answer["crit_icons"]]
    icons = phone.page.locator(".result .icons b")
    expect(icons).to_have_text([str(count) for count in counts if count])


def open_check(phone: Phone) -> None:
    page = phone.page
    page.fill("#f-rating", str(RATING))
    page.fill("#f-dice_black", "1")
    page.fill("#f-dice_green", "1")
    page.locator(".open-form button.primary").click()
    page.locator("form[action='/now/throw'] button").click()


def test_a_throw_is_read_resolved_corrected_and_undone_in_both_languages(
    browser: Browser, demo: Demo
) -> None:
    ann = Phone(browser, demo.app.port).join("Ann", code=demo.code)
    vera = Phone(browser, demo.app.port, language="ru", size=DESK).join(
        "Вера", code=demo.code
    )
    open_check(ann)
    take_throw(ann, demo)
    truth = demo.truth()
    assert sorted(truth) == ["black", "green", "skill"]
    for phone in (ann, vera):
        expect_answer(phone, truth)
        assert shown(phone) == truth
        phone.page.locator(".spot").first.wait_for()
        phone.shot("line-result")

    success = right_answer(truth)["success"]
    other = "x" if success else "2"
    roll = demo.app.companion.snapshot().state.check
    assert roll is not None and roll.roll is not None
    skill = next(die for die in roll.roll.dice if die.die == "skill")
    ann.page.locator(f".spot[href*='die={skill.id}&']").click()
    ann.page.locator(f"#fix button[value='{other}']").last.click()
    corrected = {**truth, "skill": [other]}
    for phone in (ann, vera):
        expect_answer(phone, corrected)
        assert shown(phone) == corrected
    vera.page.locator("form[action='/undo'] button").click()
    for phone in (ann, vera):
        expect_answer(phone, truth)
        assert shown(phone) == truth
    vera.go("/log")
    vera.wait_for("Исправлено: кубик навыка")
    vera.shot("line-log")
    for phone in (ann, vera):
        phone.close()


def test_a_band_is_lit_to_the_millimetre_that_it_says(
    browser: Browser, demo: Demo
) -> None:
    ann = Phone(browser, demo.app.port).join(code=demo.code)
    ann.go("/rulers")
    ann.wait_live()
    strips = parse_strips([USUAL_STRIP])
    known = bands("foww")
    for band in known:
        button = f"Light {band.name}"
        ann.page.get_by_role("button", name=button, exact=True).click()
        inside = [
            at_mm
            for at_mm in (led_mm(index) for index in range(USUAL_STRIP["pixels"]))
            if at_mm <= band.length_mm
        ]
        last = ann.page.locator(f"rect.led.on[data-mm='{inside[-1]:.3f}']")
        expect(last).to_be_attached()
        expect(ann.page.locator(".lit .big")).to_have_text(f"{band.length_mm:g} mm")
        lit = {
            float(str(led.get_attribute("data-mm")))
            for led in ann.page.locator("rect.led.on").all()
        }
        (wanted,) = light(parse_cue({"band": band.name}, known), strips, known)
        assert lit == {
            round(led_mm(index), 3)
            for index in range(USUAL_STRIP["pixels"])
            if wanted.pixels[index].any()
        }
        assert min(lit) == round(inside[0], 3) and max(lit) == round(inside[-1], 3)
    ann.shot("line-rulers")
    ann.close()


def led_mm(index: int) -> float:
    """Return where an LED of the demonstration's strip has its centre."""
    return float(USUAL_STRIP["first_pixel_mm"] + index * USUAL_STRIP["pitch_mm"])


def test_a_second_check_takes_only_the_dice_newly_thrown(
    browser: Browser, demo: Demo
) -> None:
    ann = Phone(browser, demo.app.port).join(code=demo.code)
    open_check(ann)
    take_throw(ann, demo)
    first = demo.truth()
    ann.go("/now?open=armour_check")
    ann.page.fill("#f-amount", "5")
    ann.page.fill("#f-rating", "3")
    ann.page.locator(".open-form button.primary").click()
    ann.page.locator("form[action='/now/throw'] button").click()
    take_throw(ann, demo, ".tray .chip[data-die=armour]")
    truth = demo.truth()
    assert truth == {**first, "armour": truth["armour"]}
    assert shown(ann) == {"armour": truth["armour"]}
    face = int(truth["armour"][0])
    taken = 5 - (face if face <= 3 else 0)
    expect(ann.page.locator("#result-word")).to_contain_text(f"{taken} damage")
    ann.close()
