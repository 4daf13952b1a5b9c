from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from device.doctor.finding import Finding
from device.errors import HardwareFault
from device.light import Light, LitStrip
from device.strip_setup import measured
from device.workbench import Rulers
from device.workshop import Backstage, Safe, Storage, Workshop
from hardware.sim.clock import ManualClock
from hardware.sim.strip import SimulatedStrip
from hardware.strips import Strip, parse_strips
from tests.vision.test_view import covered, places, shot
from tests.web.table import OWN, RUSSIAN, SCRIPT, TestTable
from tests.web.test_dice import text_of
from tests.web.test_languages import english_on
from vision.frame import Image
from web.told import clock

STRIP = {"name": "edge", "pixels": 60, "pitch_mm": 16.0, "first_pixel_mm": 8.0,
         "limit_ma": 900, "driver": "simulated"}  # fmt: skip


class Shed:
    """Set-up with a drawn picture and one simulated strip."""

    def __init__(self, table: TestTable, folder: Path) -> None:
        self.image: Image | None = shot()
        self.clock = ManualClock()
        self.tuned: list[str] = []
        self.fails = False
        strips = parse_strips([STRIP])
        self.rulers = Rulers(strips, strips, folder)
        self.state = folder
        self.findings = [Finding("port", "note", "8080 is taken", "choose another")]
        self.later: list[Callable[[], None]] = []
        backstage = Backstage(
            doctor=lambda: self.findings,
            bundle=_zip,
            storage=lambda: Storage("/x", 5_300_000_000, 2, 70_000, 3, 450_000),
            image=lambda: self.image,
            bar_mm=100.0,
            tune=self._tune,
            in_tray=self.later.append,
            now_s=self.clock.now_s,
        )
        self.workshop = Workshop(table.companion, backstage, self.rulers)

    def _tune(self) -> bool:
        if self.fails:
            raise HardwareFault("camera x failed: y")
        self.tuned.append("tuned")
        return True


def _zip() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("versions.txt", "1")
    return file.getvalue()


@pytest.fixture
def shed(table: TestTable, tmp_path: Path) -> Shed:
    return Shed(table, tmp_path)


def test_set_up_leads_to_everything(player: FlaskClient, shed: Shed) -> None:
    page = player.get("/setup").text
    for way in ("/setup/camera", "/setup/ruler", "/setup/doctor", "/setup/bundle.zip"):
        assert f'href="{way}"' in page
    assert "5,300 MB" in page and "3 photographs" in page
    russian = player.get("/setup", headers=RUSSIAN).text
    assert english_on(russian) == set() and "3 фотографии" in russian


def test_a_good_picture_is_called_good(player: FlaskClient, shed: Shed) -> None:
    page = text_of(player.get("/setup/camera").text)
    assert "All 4 found" in page and "All well" in page and "What to do" not in page


def outlines(page: str) -> dict[str, str]:
    """Return each corner's number on the picture, with how it is drawn."""
    found = re.findall(r'<g class="mark (\w+)">.*?<text[^>]*>(\d)(.)<', page, re.DOTALL)
    return {number: f"{kind} {sign}" for kind, number, sign in found}


def test_the_markers_are_outlined_on_the_very_picture_they_were_found_in(
    player: FlaskClient, shed: Shed
) -> None:
    page = player.get("/setup/camera").text
    assert outlines(page) == dict.fromkeys("1234", "seen ✓")
    assert 'viewBox="0 0 1536 864"' in page
    first = " ".join(f"{x:.1f},{y:.1f}" for x, y in places()[0])
    drawn = re.findall(r'<polygon points="([^"]+)"', page)[0]
    near = [abs(float(a) - float(b)) for a, b in zip(
        re.split("[ ,]", first), re.split("[ ,]", drawn), strict=True)]  # fmt: skip
    assert max(near) < 1.5
    (address,) = re.findall(r'<img [^>]*src="(/setup/camera.jpg[^"]*)"', page)
    shed.image = np.zeros_like(shot())
    picture = player.get(address)
    assert picture.mimetype == "image/jpeg"
    shown = cv2.imdecode(np.frombuffer(picture.data, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None and shown.mean() > 60, "not the newer, black one"
    shed.clock.sleep(2)
    assert address not in player.get("/setup/camera").text


@pytest.mark.parametrize(
    ("hidden", "said", "drawn"),
    [
        ((1,), "3 of 4 found. Missing: 2 (top right).", "awaited ?"),
        ((0, 3), "2 of 4 found. Missing: 1 (top left), 4 (bottom left).", None),
    ],
    ids=["one", "two"],
)
def test_a_corner_that_is_missing_is_named_and_shown_where_it_should_be(
    player: FlaskClient, shed: Shed, hidden: tuple[int, ...], said: str,
    drawn: str | None,
) -> None:  # fmt: skip
    shed.image = covered(shot(), *(places()[index] for index in hidden))
    page = player.get("/setup/camera").text
    assert said in text_of(page)
    for index in hidden:
        assert outlines(page).get(str(index + 1)) == drawn
    assert "Missing" in page.split('id="markers-said" role="status"')[1][:200]
    russian = player.get("/setup/camera", headers=RUSSIAN).text
    assert english_on(russian) == set()
    assert "2 (справа вверху)" in russian or "1 (слева вверху)" in russian


def test_the_camera_screen_looks_again_by_itself(
    player: FlaskClient, shed: Shed
) -> None:
    assert player.get("/setup/camera.jpg").status_code == 404
    assert 'data-again="1000"' in player.get("/setup/camera").text
    shed.image = None
    assert 'data-again="1000"' in player.get("/setup/camera").text


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda image: cv2.GaussianBlur(image, (0, 0), 3), "Out of focus"),
        (lambda image: image // 3, "Too dark"),
        (lambda image: np.zeros_like(image), "The printed frame is not in view"),
    ],
    ids=["blurred", "dark", "no frame"],
)
def test_what_is_off_with_a_picture_is_said(
    player: FlaskClient, shed: Shed, spoil: Callable[[Image], Image], said: str
) -> None:
    shed.image = np.asarray(spoil(shot()), np.uint8)
    assert said in text_of(player.get("/setup/camera").text)
    assert english_on(player.get("/setup/camera", headers=RUSSIAN).text) == set()
    shed.image = None
    shed.clock.sleep(5)
    assert "No camera picture" in player.get("/setup/camera").text


def test_the_camera_is_set_in_the_trays_thread(player: FlaskClient, shed: Shed) -> None:
    player.post("/setup/camera/tune", data={}, headers=OWN)
    assert "is being set" in player.get("/setup/camera").text and not shed.tuned
    assert player.post("/setup/camera/tune", headers=SCRIPT).status_code == 409
    shed.later.pop()()
    assert shed.tuned and "that is kept" in player.get("/setup/camera").text
    shed.fails = True
    player.post("/setup/camera/tune", data={}, headers=OWN)
    with pytest.raises(HardwareFault):
        shed.later.pop()()
    assert "failed while it was being set" in player.get("/setup/camera").text


def test_a_ruler_is_measured_by_walking_a_light(
    player: FlaskClient, shed: Shed, table: TestTable
) -> None:
    lit: list[tuple[int, ...]] = []
    light = _light(shed, table, lit)

    def do(deed: str, **form: object) -> str:
        answer = player.post(f"/setup/ruler/{deed}", data=form, headers=OWN)
        assert answer.status_code == 303
        light.step()
        return text_of(player.get("/setup/ruler").text)

    assert "LED 0 of edge is lit" in do("start", strip="edge")
    assert lit[-1] == (0,)
    assert "LED 59 of edge is lit" in do("point", at_mm="12,5")
    assert lit[-1] == (59,)
    page = do("point", at_mm="897.5")
    assert "One LED every 15 mm, the first at 12.5 mm" in page and "a third" in page
    page = do("point", at_mm=str(12.5 + 29 * 15 + 1))
    assert "largest error 0.7 mm" in page
    assert "29" not in do("undo").split("Measured")[1].split("mm")[0]
    assert lit[-1] == (29,)
    assert "No LED strip" not in do("step", led=5) and lit[-1] == (5,)
    do("keep")
    assert lit[-1] == (), "the table has nothing lit"
    assert shed.rulers.strips[0].pitch_mm == pytest.approx(15.0)
    again = measured(shed.state, parse_strips([STRIP]))
    assert again[0].first_pixel_mm == pytest.approx(12.5)
    view = table.companion.snapshot().live.strips[0]
    assert view.pitch_mm == pytest.approx(15.0)


def _light(shed: Shed, table: TestTable, lit: list[tuple[int, ...]]) -> Light:
    class Spy(SimulatedStrip):
        def show(self, colours: np.ndarray) -> None:
            super().show(colours)
            lit.append(tuple(int(at) for at in np.flatnonzero(colours.any(axis=1))))

    def lit_strip(strip: Strip) -> LitStrip:
        return LitStrip(
            strip.name,
            strip.pitch_mm,
            strip.first_pixel_mm,
            lambda: Spy(strip.name, strip.pixels),
        )

    dark = np.zeros((60, 3), np.uint8)
    light = Light(
        table.board,
        table.companion.parts,
        [*map(lit_strip, shed.rulers.strips)],
        lambda game, cue, *, dim_near_tray: [(dark, 0)],
        shed.clock,
    )
    shed.rulers.follow(light, lit_strip)
    return light


@pytest.mark.parametrize(
    ("deed", "form", "status", "line"),
    [
        ("start", {"strip": "pink"}, 400, "strip"),
        ("point", {"at_mm": "far"}, 400, "millimetres"),
        ("point", {"at_mm": "nan"}, 400, "millimetres"),
        ("point", {"at_mm": "99999"}, 400, "millimetres"),
        ("step", {"led": "60"}, 400, "LED"),
        ("keep", {}, 409, "not measured"),
        ("undo", {}, 409, "nothing to take back"),
        ("fly", {}, 404, "nothing here"),
    ],
)
def test_a_wrong_measurement_is_refused_in_words(
    player: FlaskClient, shed: Shed, deed: str, form: dict[str, str], status: int,
    line: str,
) -> None:  # fmt: skip
    if deed != "start":
        player.post("/setup/ruler/start", data={"strip": "edge"}, headers=OWN)
    answer = player.post(f"/setup/ruler/{deed}", data=form, headers=SCRIPT)
    assert answer.status_code == status
    assert line in answer.json["error"]["message"]  # type: ignore[index]


def test_points_that_do_not_fit_are_said(player: FlaskClient, shed: Shed) -> None:
    player.post("/setup/ruler/start", data={"strip": "edge"}, headers=OWN)
    for _ in range(2):
        player.post("/setup/ruler/point", data={"at_mm": "10"}, headers=OWN)
    page = player.get("/setup/ruler").text
    assert "do not fit together" in page and "Keep and use it" not in page
    russian = player.get("/setup/ruler", headers=RUSSIAN).text
    assert english_on(russian) <= {"edge"}


def test_the_doctor_is_had_from_the_page(player: FlaskClient, shed: Shed) -> None:
    page = player.get("/setup/doctor").text
    assert "8080 is taken → choose another" in page
    shed.findings = [
        Finding("port", "ok", "8080 is free"),
        Finding("strip edge", "missing", "no /dev/spidev0.0", "restart"),
        Finding("dice", "note", "2 dice of 'foww' taught", "still to teach: luck"),
    ]
    russian = player.get("/setup/doctor", headers=RUSSIAN).text
    assert "8080 свободен" in russian and "осталось обучить: luck" in russian
    assert english_on(russian) <= {"edge", "dev", "spidev", "foww", "luck"}


def test_the_bundle_is_for_players_alone(
    client: FlaskClient, spectator: FlaskClient, shed: Shed
) -> None:
    assert spectator.get("/setup/bundle.zip").status_code == 403


def test_the_bundle_is_a_sound_zip_file(player: FlaskClient, shed: Shed) -> None:
    answer = player.get("/setup/bundle.zip")
    assert answer.mimetype == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
        assert archive.testzip() is None


def test_safe_mode_says_since_when_and_why_and_is_left(
    player: FlaskClient, shed: Shed
) -> None:
    assert "Safe mode is off" in player.get("/setup").text
    refused = player.post("/setup/safe/leave", headers=SCRIPT)
    assert refused.status_code == 409
    left: list[bool] = []
    shed.workshop.safe = Safe(
        "port 80 is taken; stop the other program or choose another port",
        1_800_000_000.0,
        lambda: left.append(True),
    )
    page = text_of(player.get("/setup").text)
    assert "Safe mode is on" in page and f"Since {clock(1_800_000_000.0)} this" in page
    assert "port 80 is taken" in page
    russian = player.get("/setup", headers=RUSSIAN).text
    assert "порт 80 занят" in russian and english_on(russian) == set()
    shed.workshop.safe = replace(shed.workshop.safe, reason="[strip] x: <odd>")
    russian = player.get("/setup", headers=RUSSIAN).text
    assert '<q lang="en">[strip] x: &lt;odd&gt;</q>' in russian
    assert left == []
    assert player.post("/setup/safe/leave", headers=SCRIPT).status_code == 200
    assert left == [True]


def test_a_spectator_cannot_leave_safe_mode(
    client: FlaskClient, spectator: FlaskClient, shed: Shed
) -> None:
    left: list[bool] = []
    shed.workshop.safe = Safe("x", 0.0, lambda: left.append(True))
    assert "/setup/safe/leave" not in spectator.get("/setup").text
    answer = spectator.post("/setup/safe/leave", headers=SCRIPT)
    assert (answer.status_code, left) == (403, [])


def test_without_a_device_behind_it_the_page_still_stands(player: FlaskClient) -> None:
    assert player.get("/setup").status_code == 200
    assert player.get("/setup/camera").status_code == 503
