from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from device.data.load import bands
from device.table.state import Cue
from device.table.view import StripView
from hardware.rulers import Strip, light, parse_cue
from tests.web.table import OWN, SCRIPT, TestTable
from web.rulers import ROW_MM, bars, draw, screen_colour, spans

FOWW = bands("foww")


def lit_strip(cue: dict[str, object], *, pitch_mm: float = 1000 / 60) -> StripView:
    strip = Strip("ruler", 60, pitch_mm, pitch_mm / 2, 2000)
    (shown,) = light(parse_cue(cue, FOWW), (strip,), FOWW)
    digits = shown.pixels.tobytes().hex()
    return StripView(
        "ruler",
        tuple(digits[at : at + 6] for at in range(0, len(digits), 6)),
        pitch_mm,
        pitch_mm / 2,
        shown.milliamps,
        True,
    )


def drawn_leds(page: str) -> dict[float, bool]:
    """Return which drawn LEDs are lit, by their centre in millimetres."""
    found = re.findall(r'<rect class="led( on)?"[^>]*data-mm="([\d.]+)"', page)
    return {float(at): bool(on) for on, at in found}


@pytest.mark.parametrize("band", [band.name for band in FOWW])
def test_a_band_is_drawn_lit_to_the_millimetre(
    player: FlaskClient, table: TestTable, band: str
) -> None:
    answer = player.post(
        "/rulers/light", data={"band": band, "how": "only"}, headers=OWN
    )
    assert answer.status_code == 303
    ruler = table.companion.snapshot().state.ruler
    assert ruler is not None and tuple(ruler.cue["bands"]) == (band,)
    table.board.set_live(strips=(lit_strip({"band": band}),))
    leds = drawn_leds(player.get("/rulers").text)
    assert len(leds) == 60
    length_mm = next(one.length_mm for one in FOWW if one.name == band)
    inside = [at for at in leds if at <= length_mm]
    assert leds[inside[0]] and leds[inside[-1]]
    assert not any(on for at, on in leds.items() if at > length_mm)


def test_bands_are_stacked_end_to_end(player: FlaskClient, table: TestTable) -> None:
    for band, how in (("yellow", "only"), ("green", "add"), ("green", "add")):
        form = {"band": band, "how": how}
        assert player.post("/rulers/light", data=form, headers=OWN).status_code == 303
    ruler = table.companion.snapshot().state.ruler
    assert ruler is not None
    assert tuple(ruler.cue["bands"]) == ("yellow", "green", "green")
    page = player.get("/rulers").text
    assert "508 mm" in page and "101.6 to 304.8 mm" in page
    assert player.post("/rulers/off", headers=OWN).status_code == 303
    assert table.companion.snapshot().state.ruler is None
    assert "dark" in player.get("/rulers").text


def test_adding_a_band_twice_under_one_id_adds_it_once(
    player: FlaskClient, table: TestTable
) -> None:
    table.do("light_ruler", cue={"bands": ["red"]})
    for _ in range(2):
        form = {"band": "green", "how": "add", "id": "tap-1"}
        assert player.post("/rulers/light", data=form, headers=OWN).status_code == 303
    ruler = table.companion.snapshot().state.ruler
    assert ruler is not None and tuple(ruler.cue["bands"]) == ("red", "green")


def test_any_length_can_be_lit(player: FlaskClient, table: TestTable) -> None:
    form = {"length_mm": "203,5"}
    assert player.post("/rulers/length", data=form, headers=OWN).status_code == 303
    ruler = table.companion.snapshot().state.ruler
    assert ruler is not None and ruler.cue["length_mm"] == 203.5


@pytest.mark.parametrize(
    ("path", "form", "field"),
    [
        ("/rulers/length", {"length_mm": "far"}, "length_mm"),
        ("/rulers/length", {"length_mm": "-5"}, "cue.length_mm"),
        ("/rulers/length", {"length_mm": "nan"}, "cue.length_mm"),
        ("/rulers/length", {}, "length_mm"),
        ("/rulers/light", {"band": "pink"}, "cue.bands[0]"),
        ("/rulers/light", {}, "band"),
    ],
)
def test_a_wrong_cue_is_named(
    player: FlaskClient, path: str, form: dict[str, str], field: str
) -> None:
    answer = player.post(path, data=form, headers=SCRIPT)
    assert answer.status_code == 400
    assert answer.json["error"]["field"] == field


def test_every_led_keeps_its_place_over_all_rows() -> None:
    drawn = draw(lit_strip({"length_mm": 700}))
    assert drawn.rows == 4
    for led in drawn.leds:
        assert led.row * ROW_MM + led.x_mm == pytest.approx(led.at_mm - drawn.zero_mm)
        assert 0 <= led.x_mm <= ROW_MM


def test_the_reach_beside_the_leds_ends_where_the_bands_end() -> None:
    cue = {"bands": ["yellow", "black"], "origin_mm": 10}
    lit = spans(Cue(cue), FOWW)
    drawn = draw(lit_strip(cue))
    reach = bars(drawn, lit)
    assert sum(bar.width_mm for bar in reach) == pytest.approx(101.6 + 304.8)
    assert reach[0].x_mm == pytest.approx(10.0)
    last = reach[-1]
    assert last.row * ROW_MM + last.x_mm + last.width_mm == pytest.approx(416.4)


@pytest.mark.parametrize(
    ("duty", "screen"),
    [("000000", ""), ("ff0000", "ff0000"), ("100000", "ff0000"), ("202020", "ffffff")],
)
def test_a_dim_led_still_shows_its_hue(duty: str, screen: str) -> None:
    assert screen_colour(duty) == screen


def test_without_a_strip_the_lengths_are_still_there(
    player: FlaskClient, table: TestTable
) -> None:
    table.board.set_live(strips=())
    page = player.get("/rulers").text
    assert "No LED strip is connected" in page and "304.8 mm" in page


def cue_of(table: TestTable) -> dict[str, object]:
    ruler = table.companion.snapshot().state.ruler
    assert ruler is not None
    return dict(ruler.cue)


def test_what_is_lit_steps_to_the_next_shorter_and_longer_band(
    player: FlaskClient, table: TestTable
) -> None:
    table.do("light_ruler", cue={"bands": ["red", "green"]})

    def step(by: int, status: int = 303) -> None:
        answer = player.post("/rulers/step", data={"by": str(by)}, headers=OWN)
        assert answer.status_code == status

    step(-1)
    assert cue_of(table)["bands"] == ("red", "red"), "the farthest one steps"
    step(-1)
    step(-1)
    assert cue_of(table)["bands"] == ("red", "orange")
    assert 'value="-1" disabled' in player.get("/rulers").text
    step(-1)
    assert cue_of(table)["bands"] == ("red", "orange"), "never below the shortest"
    step(1)
    assert cue_of(table)["bands"] == ("red", "yellow")
    step(7, 400)
    table.do("light_ruler", cue={"length_mm": 100})
    step(1, 409)
    assert "/rulers/step" not in player.get("/rulers").text


def test_measuring_starts_where_the_origin_slider_says(
    player: FlaskClient, table: TestTable
) -> None:
    assert "/rulers/origin" not in player.get("/rulers").text
    assert player.post("/rulers/origin", data={"origin_mm": "5"}, headers=OWN
        ).status_code == 409  # fmt: skip
    table.do("light_ruler", cue={"bands": ["yellow"]})
    page = player.get("/rulers").text
    assert 'name="origin_mm"' in page and 'max="1000"' in page, "as long as the strip"
    form = {"origin_mm": "250,5"}
    assert player.post("/rulers/origin", data=form, headers=OWN).status_code == 303
    assert cue_of(table) == {"bands": ("yellow",), "origin_mm": 250.5}
    assert "250.5 to 352.1 mm" in player.get("/rulers").text
    # It stays where the model stands, whatever is lit next.
    form = {"band": "red", "how": "add"}
    player.post("/rulers/light", data=form, headers=OWN)
    assert cue_of(table) == {"bands": ("yellow", "red"), "origin_mm": 250.5}
    player.post("/rulers/step", data={"by": "-1"}, headers=OWN)
    assert cue_of(table)["origin_mm"] == 250.5
    player.post("/rulers/length", data={"length_mm": "80"}, headers=OWN)
    assert cue_of(table) == {"length_mm": 80.0, "origin_mm": 250.5}
    player.post("/rulers/off", headers=OWN)
    player.post("/rulers/length", data={"length_mm": "80"}, headers=OWN)
    assert "origin_mm" not in cue_of(table)


@pytest.mark.parametrize("wrong", ["far", "nan", "99999999", ""])
def test_a_wrong_origin_is_named(
    player: FlaskClient, table: TestTable, wrong: str
) -> None:
    table.do("light_ruler", cue={"bands": ["yellow"]})
    form = {"origin_mm": wrong}
    answer = player.post("/rulers/origin", data=form, headers=SCRIPT)
    assert answer.status_code == 400
    assert answer.json["error"]["field"].endswith("origin_mm")
