from __future__ import annotations

import re
import string
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from flask.testing import FlaskClient

from device.table.view import Message
from tests.web.messages import WEB, found
from tests.web.table import OWN, RUSSIAN, SCRIPT, TestTable, live_die
from web.language import LANGUAGES
from web.reasons import FIELDS, REASONS
from web.told import MESSAGES

OTHERS = [code for code in LANGUAGES if code != "en"]

NOT_WORDS = {
    "Dicelight",  # our name
    "English",  # a language's own name
    "QR",
    "Ann",  # the player in these tests
    "X",  # printed on the die
    "http",
    "ruler",  # the strip's own name in the config
    "JSON",
    "CSV",
    "Fallout",  # names of games stay as they are
    "Wasteland",
    "Warfare",
    "OpenAPI",
}
OPEN_POINT = re.compile(r"O\d+")


def read_catalogue(language: str) -> Catalog:
    path = WEB / "translations" / language / "LC_MESSAGES" / "messages.po"
    with path.open("rb") as file:
        return read_po(file, locale=language)


def placeholders(text: str) -> set[str]:
    brace = {name for _, name, _, _ in string.Formatter().parse(text) if name}
    return brace | set(re.findall(r"%\(\w+\)[sd]", text))


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_has_a_translation(language: str) -> None:
    catalogue = read_catalogue(language)
    lacking = []
    for message, where in found().items():
        context, _, text = (
            message.rpartition("\x04") if isinstance(message, str) else ("", "", "")
        )
        entry = catalogue.get(text or message, context or None)
        strings = entry.string if entry else ""
        forms = strings if isinstance(strings, tuple) else (strings,)
        if not all(forms):
            lacking.append((message, where))
    assert lacking == []


@pytest.mark.parametrize("language", OTHERS)
def test_no_entry_is_fuzzy_empty_or_left_over(language: str) -> None:
    catalogue = read_catalogue(language)
    known = found()
    for entry in catalogue:
        if not entry.id:
            continue
        assert not entry.fuzzy, entry.id
        assert entry.string and all(entry.string), entry.id
        key = f"{entry.context}\x04{entry.id}" if entry.context else entry.id
        key = tuple(key) if isinstance(key, list) else key
        assert key in known, f"nobody says {key!r} any more"
        if isinstance(entry.id, (tuple, list)):
            assert len(entry.string) == catalogue.num_plurals, entry.id


@pytest.mark.parametrize("language", OTHERS)
def test_translations_keep_every_placeholder(language: str) -> None:
    for entry in read_catalogue(language):
        ids = entry.id if isinstance(entry.id, (tuple, list)) else (entry.id,)
        strings = entry.string if isinstance(entry.string, tuple) else (entry.string,)
        wanted = set().union(*map(placeholders, ids))
        for text in strings:
            assert placeholders(text) <= wanted, entry.id
        assert set().union(*map(placeholders, strings)) == wanted, entry.id


def test_scripts_hold_no_texts_of_their_own() -> None:
    for path in sorted((WEB / "static").glob("*.js")):
        source = re.sub(r"//.*", "", path.read_text("utf-8"))
        for text in re.findall(r'"([^"\n]*)"|`([^`]*)`', source):
            words = "".join(text)
            assert not re.search(r"[a-z] [a-z]+ [a-z]", words), (path.name, words)


def test_templates_hold_no_bare_words() -> None:
    for path in sorted((WEB / "templates").glob("*.html")):
        bare = re.sub(
            r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", " ", path.read_text("utf-8"), flags=re.S
        )
        shown = _Shown()
        shown.feed(bare)
        words = set(re.findall(r"[A-Za-z]{2,}", " ".join(shown.texts)))
        assert words <= {"Dicelight", "JSON", "CSV"}, (path.name, words)


class _Shown(HTMLParser):
    """Collects what a reader or a screen reader gets to know."""

    SPOKEN = ("aria-label", "alt", "title", "placeholder", "data-failed")

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._skip = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._skip += tag in ("script", "style")
        given = dict(attrs)
        self.texts += [value for name in self.SPOKEN if (value := given.get(name))]

    def handle_endtag(self, tag: str) -> None:
        self._skip -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self._skip:
            self.texts.append(data)


def english_on(page: str) -> set[str]:
    shown = _Shown()
    shown.feed(page)
    text = re.sub(r"https?://\S+", " ", " ".join(shown.texts))
    words = set(re.findall(r"[A-Za-z][A-Za-z]+|\b[XO]\d*\b", text))
    return {word for word in words - NOT_WORDS if not OPEN_POINT.fullmatch(word)}


SCREENS = (
    "/now",
    "/now?open=skill_check",
    "/now?open=armour_check",
    "/now?type=1",
    "/now?die=d2",
    "/units",
    "/rulers",
    "/log",
    "/log?only=throws",
    "/log?before=3",
    "/log/report",
    "/dice",
    "/dice/statistics",
    "/dice/statistics?all=1",
    "/setup",
    "/join",
    "/people",
    "/nowhere",
)


def no_english(player: FlaskClient) -> None:
    for path in SCREENS:
        page = player.get(path, headers=RUSSIAN).text
        assert 'lang="ru"' in page
        assert english_on(page) == set(), path


def test_russian_screens_hold_no_english(player: FlaskClient, table: TestTable) -> None:
    no_english(player)
    weapon = {"damage": 2, "type": "physical"}
    dice = {"black": 1, "yellow": 1, "green": 1, "blue": 1}
    table.open_skill_check(
        7, dice=dice, attack="shoot", cover=1, bonus=2, specialisation=True,
        quick_action=True, into_melee=True, frozen=True, injured_arm=True,
        weapon=weapon,
    )  # fmt: skip
    no_english(player)
    thrown = [
        live_die("d1", "skill", "crit"),
        live_die("d2", "black", "bottle+dmg", status="unsure"),
        live_die("d3", "yellow", "pen+pen"),
        live_die("d4", "green", "acc2"),
        live_die("d5", "blue", "star+star"),
    ]
    table.settle(*thrown)
    no_english(player)
    table.do("confirm")
    no_english(player)
    table.do("light_ruler", cue={"bands": ["yellow", "black"]})
    table.do("light_ruler", cue={"length_mm": 203})
    table.do("light_ruler", cue={"area": {"from_mm": 0, "to_mm": 99}})
    table.do(
        "open_check", check="armour_check", amount=4, rating=2, sturdy=1, cover=1,
        penetration=1, boost_icons=1, ignore_armour=1,
    )  # fmt: skip
    no_english(player)
    table.settle(live_die("d6", "armour", "4"))
    table.do("undo")
    table.do("redo")
    table.do("ruler_off")
    table.do("close_check")
    table.companion.parts.fails("camera", "the cable is loose")
    table.companion.parts.works("strip:ruler", simulated=True)
    no_english(player)


@pytest.mark.parametrize("key", sorted(MESSAGES))
def test_every_message_is_said_in_russian(
    player: FlaskClient, table: TestTable, key: str
) -> None:
    params = {"dice": ({"die": "black", "count": 2}, {"die": "d20", "count": 1})}
    message = Message(key, params | {"die": "skill", "seconds": 5})
    table.open_skill_check(7)
    table.board.set_live(message=message)
    page = player.get("/now", headers=RUSSIAN).text
    assert english_on(page) == set()


def test_refusals_are_said_in_russian(player: FlaskClient) -> None:
    for path, form in (
        ("/now/close", {}),
        ("/undo", {}),
        ("/redo", {}),
        ("/now/throw", {}),
        ("/now/open", {"check": "skill_check", "rating": "x"}),
        ("/rulers/light", {"band": "pink"}),
        ("/nowhere", {}),
    ):
        answer = player.post(path, data=form, headers=SCRIPT | RUSSIAN)
        line = answer.json["error"]["message"]
        assert re.search("[а-я]", line) and english_on(line) == set(), path


def test_the_chosen_language_wins_over_the_browser(client: FlaskClient) -> None:
    form = {"language": "ru", "back": "/join"}
    answer = client.post("/language", data=form, headers=OWN)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/join")
    assert "Сесть за стол" in client.get("/join").text
    client.post("/language", data={"language": "en"}, headers=OWN | RUSSIAN)
    assert "Join the table" in client.get("/join", headers=RUSSIAN).text
    client.post("/language", data={"language": "xx"}, headers=OWN)
    assert "Join the table" in client.get("/join").text


@pytest.mark.parametrize(
    ("accepts", "language"),
    [("ru", "ru"), ("ru-RU,en;q=0.5", "ru"), ("de,en;q=0.3", "en"), ("de", "en")],
)
def test_the_browser_says_which_language(
    client: FlaskClient, accepts: str, language: str
) -> None:
    page = client.get("/join", headers={"Accept-Language": accepts}).text
    assert f'<html lang="{language}">' in page


@pytest.mark.parametrize(
    ("blocked", "line"),
    [
        (1, "Остановлена 1 единица урона."),
        (2, "Остановлены 2 единицы урона."),
        (5, "Остановлено 5 единиц урона."),
    ],
)
def test_russian_numbers_take_their_own_plural_form(
    player: FlaskClient, table: TestTable, blocked: int, line: str
) -> None:
    table.do("open_check", check="armour_check", amount=9, rating=0, sturdy=blocked)
    assert line in player.get("/now", headers=RUSSIAN).text


def test_numbers_are_written_as_the_language_does(player: FlaskClient) -> None:
    assert "101.6 mm" in player.get("/rulers").text
    assert "101,6 мм" in player.get("/rulers", headers=RUSSIAN).text


def test_every_reason_that_a_command_may_be_refused_for_has_words() -> None:
    root = Path(__file__).parents[2] / "device"
    used: set[str] = set()
    for path in root.rglob("*.py"):
        source = path.read_text("utf-8")
        for call in re.findall(r"TableError\((.*?)\)", source, re.S):
            used |= set(re.findall(r'"([a-z]+(?:_[a-z]+)+)"', call))
    assert used, "the search found nothing: has the error another name now?"
    assert used <= set(REASONS)
    assert all(FIELDS.values())
