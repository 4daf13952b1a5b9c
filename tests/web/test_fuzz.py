from __future__ import annotations

from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.web.table import OWN, SCRIPT, TestTable, joining, live_die

FORMS = {
    "/now/open": (
        "check", "rating", "bonus", "attack", "cover", "dice_black", "dice_blue",
        "weapon_damage", "weapon_type", "specialisation", "amount", "sturdy",
        "penetration", "boost_icons", "ignore_armour",
    ),
    "/now/close": (),
    "/now/throw": (),
    "/now/enter": ("die", "face"),
    "/now/correct": ("roll", "die", "face"),
    "/now/confirm": (),
    "/undo": ("seq",),
    "/redo": (),
    "/rulers/light": ("band", "how"),
    "/rulers/length": ("length_mm",),
    "/rulers/off": (),
    "/units/starter": ("side", "army"),
    "/units/remove": ("unit",),
    "/units/health": ("unit", "health"),
    "/units/token": ("model", "put", "override", "more"),
    "/units/damage": ("model", "amount", "type", "what", "override"),
    "/units/apply": ("model", "override"),
    "/units/turn": ("model", "what", "luck_token", "override"),
    "/units/round": ("override",),
    "/join": ("name", "role"),
    "/language": ("language", "back"),
}  # fmt: skip

LIKELY = (
    "skill_check", "armour_check", "7", "-3", "0", "99999", "1e400", "nan", "٣", "−2",
    "shoot", "melee", "skill", "black", "ap", "dmg+dmg", "blank", "r3", "d1", "yellow",
    "u2-1.1", "u2-1", "a", "brotherhood", "regular +1", "boost -1", "activate",
    "add", "player", "ru", "//x", "\x00", "💥" * 40,
)  # fmt: skip

VALUES = st.one_of(st.sampled_from(LIKELY), st.text(max_size=12))


@given(data=st.data())
@settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_no_form_brings_the_page_down(
    player: FlaskClient, table: TestTable, data: st.DataObject
) -> None:
    path = data.draw(st.sampled_from(sorted(FORMS)), label="path")
    names = st.sampled_from((*FORMS[path], "id", "other"))
    form = data.draw(st.dictionaries(names, VALUES, max_size=8), label="form")
    answer = player.post(path, data=form, headers=SCRIPT)
    assert answer.status_code in (200, 303, 400, 409, 429)
    if answer.status_code >= 400:
        assert answer.json["error"]["message"]
    if data.draw(st.booleans(), label="dice fall"):
        table.settle(live_die("d1", "skill", "5"), live_die("d2", "black", "dmg"))
    for screen in ("/now", "/now?die=d1", "/units", "/rulers", "/log"):
        assert player.get(screen).status_code in (200, 303)
    player.post("/join", data=joining("Ann"), headers=OWN)


@given(
    query=st.dictionaries(
        st.sampled_from(("open", "die", "roll", "type", "x")), VALUES, max_size=4
    )
)
@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_no_address_brings_the_page_down(
    player: FlaskClient, table: TestTable, query: dict[str, str]
) -> None:
    assert player.get("/now", query_string=query).status_code == 200
