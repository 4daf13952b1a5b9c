"""Import of other programs' rosters, honest and hostile ones."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from device.cli import main
from device.rosters.battlescribe import MOST_BYTES, import_roster, is_foreign
from device.rosters.cards import Cards
from device.rosters.problems import RosterError
from device.rosters.roster import parse_roster
from device.rosters.store import shipped_cards
from device.rosters.writing import roster_toml

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    '<roster name="Patrol" gameSystemName="Fallout: Wasteland Warfare" '
    'xmlns="http://www.battlescribe.net/schema/rosterSchema"><forces>'
    '<force catalogueName="Brotherhood of Steel"><selections>'
)
TAIL = "</selections></force></forces></roster>"
PALADIN = """
<selection name="Paladin" number="1" type="model"><selections>
  <selection name="Laser Rifle" number="1" type="upgrade"/>
  <selection name="T-60 Power Armor" number="1" type="upgrade">
    <selections><selection name="Jet Pack" number="1" type="upgrade"/></selections>
  </selection>
  <selection name="Stimpak" number="2" type="upgrade"/></selections>
  <costs><cost name="Caps" value="160.0"/></costs>
  <profiles><profile name="Paladin" typeName="Unit Card"><characteristics>
    <characteristic name="Str">9</characteristic>
    <characteristic name="Per"></characteristic>
    <characteristic name="Agi">quick</characteristic>
    <characteristic name="Armor Physical">3 + 1</characteristic>
  </characteristics></profile></profiles>
</selection>"""
KNIGHTS = """
<selection name="Knight Patrol" number="3" type="model"><selections>
  <selection name="Assault Rifle" number="3" type="upgrade"/></selections>
</selection>"""
SQUAD = """
<selection name="Scribes" number="1" type="unit"><selections>
  <selection name="Scribe" number="2" type="model"/>
  <selection name="Scribe leader" number="1" type="model"/></selections></selection>"""


def ros(*units: str) -> bytes:
    return (HEAD + "".join(units) + TAIL).encode()


def rosz(data: bytes, name: str = "army.ros", more: int = 0) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
        for number in range(more):
            archive.writestr(f"{number}.ros", b"")
    return packed.getvalue()


def refusal(data: bytes) -> str:
    assert is_foreign(data)
    with pytest.raises(RosterError) as caught:
        import_roster(data, Cards())
    (only,) = caught.value.problems
    assert "\n" not in only.english
    return only.key


@pytest.mark.parametrize("pack", [lambda data: data, rosz], ids=["ros", "rosz"])
def test_units_come_with_numbers_equipment_points_and_values(pack) -> None:  # type: ignore[no-untyped-def]
    roster = import_roster(pack(ros(PALADIN, KNIGHTS, SQUAD)), shipped_cards())
    assert roster.name == "Patrol"
    paladin, knights, scribes = roster.units
    assert (paladin.count, knights.count, scribes.count) == (1, 3, 3)
    assert (paladin.points, knights.points) == (160, None)
    card = paladin.card
    assert card.special.strength == 9  # the file's own value
    assert card.special.perception == 7  # empty there: from the known card
    assert card.special.agility == 7  # no number there
    assert card.armour.physical == "3+1"
    assert card.power_armour is not None and card.power_armour.endurance == 4
    assert [weapon.name.ru for weapon in card.weapons] == ["Лазерная винтовка"]
    assert [(one.item.name.en, one.count) for one in card.items] == [
        ("Stimpak", 2),
        ("Jet Pack", 1),
    ]
    assert knights.card.weapons[0].damage
    assert [name.en for name in roster.missing] == ["Jet Pack", "Scribes"]


def test_a_roster_without_values_needs_no_known_card() -> None:
    roster = import_roster(ros(KNIGHTS), Cards())
    assert [name.en for name in roster.missing] == ["Knight Patrol", "Assault Rifle"]
    assert roster.units[0].count == 3


def test_names_are_kept_short_and_on_one_line() -> None:
    name = "Kni&#10;ght " + "x" * 500
    unit = f'<selection name="{name}" number="999" type="model"/>'
    roster = import_roster(ros(unit), Cards())
    assert roster.units[0].card.name.en.startswith("Kni ght xxx")
    assert len(roster.units[0].card.name.en) == 80
    assert roster.units[0].count == 20


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE roster ['
    + '<!ENTITY a0 "ha">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    + "]><roster>&a11;</roster>"
)
OUTSIDE = (
    '<!DOCTYPE roster [<!ENTITY x SYSTEM "file:///etc/passwd">]><roster>&x;</roster>'
)


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (BOMB.encode(), "doctype"),
        (OUTSIDE.encode(), "doctype"),
        (BOMB.encode("utf-16"), "not_toml_here"),
        (b"<roster>&unknown;</roster>", "not_xml"),
        (b"<" * 10, "not_xml"),
        (b"<roster", "not_xml"),
        (b'<?xml version="1.0" encoding="klingon"?><roster/>', "not_xml"),
        (b"<a>" * 1000, "too_deep"),
        (b"<roster>" + b"<a/>" * 60_000 + b"</roster>", "too_many"),
        (b"<catalogue/>", "not_roster"),
        (b'<roster gameSystemName="Chess"/>', "other_game"),
        (b"<roster/>", "no_units"),
        (b"<" + b" " * MOST_BYTES, "too_large"),
        (rosz(b" " * (5 << 20)), "too_large"),
        (rosz(ros(PALADIN), more=2), "zip_members"),
        (rosz(ros(PALADIN), name="army.exe"), "zip_members"),
        (rosz(ros(PALADIN))[:-30], "not_zip"),
        (b"PK\x03\x04" + b"\0" * 100, "not_zip"),
    ],
)
def test_a_hostile_or_broken_file_is_refused_in_one_line(data: bytes, key: str) -> None:
    if key == "not_toml_here":
        # UTF-16 starts with a mark that is no "<": the TOML reader refuses it.
        assert not is_foreign(data)
        return
    assert refusal(data) == key


def test_a_unit_without_a_name_is_refused_for_it_could_not_be_saved() -> None:
    nameless = PALADIN.replace('name="Paladin"', 'name=" "', 1)
    assert nameless != PALADIN
    with pytest.raises(RosterError, match=r"^unit 2: name is missing$"):
        import_roster(ros(KNIGHTS, nameless), shipped_cards())


CHANGES = st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 255)), max_size=4)


@given(CHANGES, st.sampled_from(["ros", "rosz"]), st.integers(0, 100))
@example(changes=[(236, 32)], kind="ros", cut=0)
@settings(max_examples=300, deadline=None)
def test_whatever_is_changed_in_a_file_it_is_read_or_refused(
    changes: list[tuple[int, int]], kind: str, cut: int
) -> None:
    sound = ros(PALADIN, KNIGHTS, SQUAD)
    broken = bytearray(rosz(sound) if kind == "rosz" else sound)
    for at, value in changes:
        broken[at % len(broken)] = value
    del broken[len(broken) - cut :]
    try:
        roster = import_roster(bytes(broken), shipped_cards())
    except RosterError as error:
        assert "\n" not in str(error)
        return
    again = parse_roster(roster_toml(roster).encode(), Cards())
    assert again.units == roster.units


def test_only_plain_ways_of_packing_are_unpacked() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("army.ros", ros(PALADIN))
    assert refusal(packed.getvalue()) == "not_zip"


def test_a_zip_bomb_takes_no_memory() -> None:
    bomb = rosz(b"<" + b" " * (200 << 20))
    assert len(bomb) < MOST_BYTES
    tracemalloc.start()
    assert refusal(bomb) == "too_large"
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 32 << 20


def test_the_command_writes_an_army_that_it_finds_sound(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DICELIGHT_STATE", str(tmp_path))
    theirs, ours = tmp_path / "army.rosz", tmp_path / "army.toml"
    theirs.write_bytes(rosz(ros(PALADIN, KNIGHTS)))
    assert main(["roster", "import", str(theirs), "-o", str(ours)]) == 0
    said = capsys.readouterr().out
    assert "1 x Paladin, 160 caps" in said and "values unknown: Jet Pack" in said
    assert main(["roster", "check", str(ours)]) == 0
    assert "values unknown: Jet Pack" in capsys.readouterr().out
    theirs.write_bytes(BOMB.encode())
    assert main(["roster", "import", str(theirs), "-o", str(ours)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
