"""Every form of the page, filled in by somebody who means no good."""

from __future__ import annotations

import inspect
import io
import random
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.routing import Rule

from tests.web.forms import Form, find_forms
from tests.web.table import (
    OWN,
    SCRIPT,
    TestTable,
    joining,
    live_die,
    make_settings,
)
from web import create_app

SCREENS = ("/now", "/units", "/rulers", "/log", "/dice", "/setup", "/people", "/join")

ANSWERS = (200, 303, 400, 403, 404, 409, 413, 429)
"""403 and 404 only for what depends on who asks, or on an address that is made up."""

LIKELY = (
    "skill_check", "armour_check", "7", "-3", "0", "99999", "1e400", "nan", "٣", "−2",
    "shoot", "melee", "skill", "black", "ap", "dmg+dmg", "blank", "r3", "d1", "yellow",
    "u2-1.1", "u2-1", "a", "brotherhood", "regular +1", "boost -1", "activate", "",
    "add", "player", "ru", "//x", "\x00", "💥" * 40, "../../web-secret", "x" * 3000,
    "\ud7ff\r\nSet-Cookie: a=b", "<script>", "%s%n{}", "munchkin", "foww",
)  # fmt: skip

VALUES = st.one_of(st.sampled_from(LIKELY), st.text(max_size=12))

TRIES = 60
"""Forms sent in each situation."""

NOT_FORMS = {"/api/v1/commands"}
"""POST routes for programs; `test_contract` looks after them."""

Setting = Callable[[TestTable, FlaskClient], None]
SITUATIONS: dict[str, Setting] = {}


def situation(make: Setting) -> Setting:
    SITUATIONS[make.__name__.strip("_")] = make
    return make


@situation
def _nothing_yet(table: TestTable, phone: FlaskClient) -> None:
    pass


@situation
def _both_armies_and_a_throw(table: TestTable, phone: FlaskClient) -> None:
    for side, army in (("a", "brotherhood"), ("b", "super_mutants")):
        form = {"side": side, "army": army}
        assert phone.post("/units/starter", data=form, headers=OWN).status_code == 303
    table.open_skill_check(7, dice={"black": 1, "green": 1})
    table.settle(
        live_die("d1", "skill", "5"),
        live_die("d2", "black", "dmg+dmg"),
        live_die("d3", "green", "acc2", status="unsure"),
    )


@situation
def _damage_to_give(table: TestTable, phone: FlaskClient) -> None:
    _both_armies_and_a_throw(table, phone)
    table.do("close_check")
    table.do("open_check", check="armour_check", amount=3, rating=0, sturdy=0)
    table.do("light_ruler", cue={"bands": ["red"]})


@situation
def _dice_to_type_in(table: TestTable, phone: FlaskClient) -> None:
    table.open_skill_check(7, dice={"black": 1})
    table.do("light_ruler", cue={"bands": ["red"]})
    table.do("undo")


@situation
def _in_the_middle_of_a_flow(table: TestTable, phone: FlaskClient) -> None:
    _both_armies_and_a_throw(table, phone)
    table.do("close_check")
    begin = next(
        form
        for form in forms_of(table, phone).values()
        if form.action == "/flow/begin" and "model" in form.fields
    )
    form = {name: values[0] for name, values in begin.fields.items()}
    assert phone.post("/flow/begin", data=form, headers=OWN).status_code == 303


@pytest.fixture
def host(table: TestTable, tmp_path: Path) -> FlaskClient:
    return host_of(table, tmp_path)


def host_of(table: TestTable, folder: Path) -> FlaskClient:
    """Return the host's phone: others at the table, a program, no limit on joining."""
    plenty = make_settings(
        state=folder,
        joins_per_minute=10**6,
        wrong_codes_per_minute=10**6,
        wrong_codes_in_all=10**6,
    )
    app = create_app(table.companion, settings=plenty)
    client = app.test_client()
    for name, role in (("Ann", "player"), ("Bob", "player"), ("Sam", "spectator")):
        phone = client if name == "Ann" else app.test_client()
        assert phone.post("/join", data=joining(name, role), headers=OWN).status_code
    client.post("/people/tokens", data={"program": "board"}, headers=OWN)
    return client


def forms_of(table: TestTable, phone: FlaskClient) -> dict[Any, Form]:
    """Return every form, those too that no screen shows in this situation."""
    found = find_forms(phone, (*SCREENS, "/now?type=1", "/now?open=armour_check"))
    found |= find_forms(phone.application.test_client(), ("/join",))
    adapter = phone.application.url_map.bind("localhost")
    shown = {adapter.match(form.action, "POST")[0] for form in found.values()}
    for rule in phone.application.url_map.iter_rules():
        takes = "POST" in (rule.methods or ()) and rule.rule not in NOT_FORMS
        if takes and rule.endpoint not in shown:
            form = form_by_source(rule, phone.application.view_functions)
            found[form.key] = form
    return found


def form_by_source(rule: Rule, views: Mapping[str, Callable[..., Any]]) -> Form:
    """Return what a route seems to take, going by the fields its module names."""
    source = inspect.getsource(inspect.getmodule(inspect.unwrap(views[rule.endpoint])))
    names = re.findall(r'(?:text|whole|ticked|form\.get|_field)\(\s*"(\w+)"', source)
    path = re.sub(r"<(\w+:)?\w+>", lambda kind: "1" if kind[1] else "a", rule.rule)
    return Form(path, {name: [""] for name in names}, "files" in source)


def test_forms_that_no_screen_shows_are_found_all_the_same(
    host: FlaskClient, table: TestTable
) -> None:
    forms = [form for form in forms_of(table, host).values()]
    adapter = host.application.url_map.bind("localhost")
    reached = {adapter.match(form.action, "POST")[0] for form in forms}
    rules = host.application.url_map.iter_rules()
    takes = {rule.endpoint for rule in rules if "POST" in (rule.methods or ())}
    assert takes - reached == {"api.command"}
    typed = next(form for form in forms if form.action == "/now/enter")
    assert {"die", "face"} <= set(typed.fields)


@pytest.mark.parametrize("name", sorted(SITUATIONS))
def test_no_form_brings_the_page_down_and_every_refusal_names_the_field(
    host: FlaskClient, table: TestTable, name: str
) -> None:
    rng = random.Random(name)
    SITUATIONS[name](table, host)
    forms = sorted(forms_of(table, host).items())
    for _ in range(TRIES):
        _, form = rng.choice(forms)
        sent = fill_in(form, rng)
        answer = host.post(form.action, data=sent, headers=SCRIPT)
        assert answer.status_code in ANSWERS, (form.action, sent, answer.text)
        if answer.status_code >= 400:
            assert answer.json["error"]["message"]
        if answer.status_code == 400:
            assert answer.json["error"]["field"], (form.action, sent, answer.json)
        host.post("/join", data=joining("Ann") | {"code": code_of(host)}, headers=OWN)
        screen = rng.choice(SCREENS)
        assert host.get(screen).status_code == 200, (screen, form.action, sent)
    for screen in SCREENS:
        assert host.get(screen).status_code == 200, screen


def fill_in(form: Form, rng: random.Random) -> dict[str, Any]:
    """Fill in a form: as offered, with something else, or not at all."""
    sent: dict[str, Any] = {}
    for field, values in form.fields.items():
        how = rng.random()
        if how < 0.6:
            sent[field] = rng.choice(values)
        elif how < 0.9:
            sent[field] = any_text(rng)
    if rng.random() < 0.5:
        sent[rng.choice(("id", "other"))] = any_text(rng)
    if form.has_file and rng.random() < 0.8:
        sent["file"] = (io.BytesIO(rng.randbytes(rng.randrange(99))), any_text(rng))
    return sent


def any_text(rng: random.Random) -> str:
    if rng.random() < 0.7:
        return rng.choice(LIKELY)
    return "".join(chr(rng.randrange(1, 0x3000)) for _ in range(rng.randrange(12)))


def code_of(client: FlaskClient) -> str:
    return str(client.application.extensions["dicelight"].people.code)


@given(
    query=st.dictionaries(
        st.sampled_from(
            ("open", "die", "roll", "type", "x", "more", "free", "model", "weapon")
        ),
        VALUES,
        max_size=4,
    ),
    screen=st.sampled_from(SCREENS),
)
@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_no_address_brings_the_page_down(
    player: FlaskClient, table: TestTable, screen: str, query: dict[str, str]
) -> None:
    assert player.get(screen, query_string=query).status_code == 200


@given(path=st.lists(VALUES, min_size=1, max_size=3).map("/".join))
@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_no_made_up_path_brings_the_page_down(player: FlaskClient, path: str) -> None:
    for rule in player.application.url_map.iter_rules():
        if "<" in rule.rule and "GET" in (rule.methods or ()):
            filled = re.sub(r"<[^>]*>", lambda _: path, rule.rule)
            answer = player.get(filled)
            assert answer.status_code in (200, 303, 308, 400, 404, 405), filled
