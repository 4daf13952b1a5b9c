"""Import of rosters that BattleScribe and New Recruit write: ``.ros`` and ``.rosz``.

1. A zip is opened within limits; the XML is read without entities (`markup`).
2. Selections of models become units; what is selected below them is what they carry.
3. Values come from the file where it has any, else from known cards of that name;
   names that nothing is known of are listed.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from dataclasses import replace
from typing import Final

from device.rosters.cards import ATTRIBUTES, MOST, Cards, find_card
from device.rosters.markup import Element, parse_markup
from device.rosters.problems import RosterError, problem
from device.rosters.reading import LIST_LENGTH, NAME_LETTERS, RATING
from device.rosters.roster import (
    MOST_MODELS,
    Roster,
    RosterUnit,
    filled,
    says_nothing,
)
from device.table.cards import (
    CardName,
    Carried,
    ItemCard,
    PowerArmourCard,
    Ratings,
    Special,
    UnitCard,
    WeaponCard,
)

MOST_BYTES: Final = 1 << 20
"""Of a file as given; real ones have 5 to 300 KiB."""

MOST_UNPACKED: Final = 4 << 20
"""Of the roster inside an archive."""

MOST_MEMBERS: Final = 16
"""Files in an archive; there should be one."""

PACKED: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Ways of packing that their programs use; others unpack with more memory."""

GAME: Final = "Fallout: Wasteland Warfare"

UNIT_PROFILE: Final = "Unit Card"
POWER_ARMOUR: Final = ("Power Armor", "Power Armour")
WEAPONS: Final = ("Item: Range Weapon", "Item: Melee Weapon")


def is_foreign(data: bytes) -> bool:
    """Say whether a file looks like one of theirs: XML, or a zip."""
    return data.startswith(b"PK") or data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<"


def import_roster(data: bytes, known: Cards) -> Roster:
    """Return the roster in a ``.ros`` or ``.rosz`` file.

    Args:
        data: The file.
        known: Cards that values are taken from.

    Raises:
        RosterError: It is no roster of this game, or larger than any roster.
    """
    if len(data) > MOST_BYTES:
        raise RosterError(problem("too_large", most=MOST_BYTES >> 10))
    root = parse_markup(_unpacked(data) if data.startswith(b"PK") else data)
    if root.tag != "roster":
        raise RosterError(problem("not_roster", found=root.tag[:NAME_LETTERS]))
    game = root.attributes.get("gameSystemName", GAME)
    if "wasteland warfare" not in game.casefold():
        raise RosterError(problem("other_game", found=game[:NAME_LETTERS]))
    chosen = [
        (selection, force.attributes.get("catalogueName", ""))
        for force in root.all("forces", "force")
        for selection in force.all("selections", "selection")
        if _is_unit(selection, known)
    ]
    if not chosen:
        raise RosterError(problem("no_units"))
    if len(chosen) > LIST_LENGTH:
        raise RosterError(problem("too_many", most=LIST_LENGTH))
    nameless = [
        problem("missing", where=f"unit {number}", field="name")
        for number, (selection, _) in enumerate(chosen, 1)
        if not _name(selection)
    ]
    if nameless:
        raise RosterError(nameless)
    units = [_unit(selection, faction, known) for selection, faction in chosen]
    cards = Cards(units=tuple(unit.card for unit in units))
    name = _clean(root.attributes.get("name", ""))
    return Roster(name, tuple(units), cards)


def _unpacked(data: bytes) -> bytes:
    """Return the one roster in an archive, never more of it than allowed."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            rosters = [one for one in members if one.filename.endswith(".ros")]
            if len(members) > MOST_MEMBERS or len(rosters) != 1:
                raise RosterError(problem("zip_members", found=len(rosters)))
            if rosters[0].flag_bits & 1:
                raise RosterError(problem("locked"))
            if rosters[0].compress_type not in PACKED:
                raise RosterError(problem("not_zip"))
            with archive.open(rosters[0]) as file:
                # The size that the archive claims may be a lie: read, and stop.
                text = file.read(MOST_UNPACKED + 1)
    except RosterError:
        raise
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        OSError,
        ArithmeticError,
        RuntimeError,
        ValueError,
    ) as error:
        raise RosterError(problem("not_zip")) from error
    if len(text) > MOST_UNPACKED:
        raise RosterError(problem("too_large", most=MOST_UNPACKED >> 10))
    return text


# --- Units -------------------------------------------------------------------------


def _is_unit(selection: Element, known: Cards) -> bool:
    kind = selection.attributes.get("type", "")
    if kind in ("model", "unit") or _profile(selection, UNIT_PROFILE) is not None:
        return True
    return find_card(known.units, _name(selection)) is not None


def _unit(selection: Element, faction: str, known: Cards) -> RosterUnit:
    name = _name(selection)
    profile = _profile(selection, UNIT_PROFILE)
    values = _values(profile) if profile is not None else {}
    card = _equipped(
        UnitCard(
            name=CardName(en=name),
            faction=_clean(faction),
            special=Special(
                **{
                    field: _number(values.get(short, ""))
                    for short, field in ATTRIBUTES.items()
                }
            ),
            armour=_ratings(values),
        ),
        selection,
        known,
    )
    known_card = find_card(known.units, name)
    if not says_nothing(card):
        card = replace(card, source="roster file")
    card = filled(card, known_card)
    models = [
        one
        for one in selection.all("selections", "selection")
        if one.attributes.get("type") == "model"
    ]
    count = sum(map(_count, models)) if models else _count(selection)
    return RosterUnit(card, min(count, MOST_MODELS), _points(selection))


def _equipped(card: UnitCard, selection: Element, known: Cards) -> UnitCard:
    """Return a unit with what is selected below it, sorted by what it is."""
    weapons, items, armour = list[WeaponCard](), list[Carried](), card.power_armour
    models = _count(selection)
    for chosen in _below(selection):
        name = _name(chosen)
        kinds = [one.attributes.get("typeName", "") for one in _profiles(chosen)]
        weapon = find_card(known.weapons, name)
        worn = find_card(known.power_armour, name)
        item = find_card(known.items, name)
        if worn or any(kind in POWER_ARMOUR for kind in kinds):
            armour = worn or PowerArmourCard(CardName(en=name))
        elif weapon or any(kind in WEAPONS for kind in kinds):
            weapons.append(weapon or WeaponCard(CardName(en=name)))
        else:
            each = max(1, _count(chosen) // max(1, models))
            items.append(Carried(item or ItemCard(CardName(en=name)), each))
    return replace(
        card,
        weapons=tuple(weapons[:LIST_LENGTH]),
        items=tuple(items[:LIST_LENGTH]),
        power_armour=armour,
    )


def _below(selection: Element) -> list[Element]:
    """Return everything selected below, models of the unit itself left out."""
    found: list[Element] = []
    waiting = list(selection.all("selections", "selection"))
    while waiting:
        one = waiting.pop(0)
        waiting += one.all("selections", "selection")
        if one.attributes.get("type") not in ("model", "unit") and _name(one):
            found.append(one)
    return found


# --- Values ------------------------------------------------------------------------


def _profiles(selection: Element) -> list[Element]:
    return selection.all("profiles", "profile")


def _profile(selection: Element, kind: str) -> Element | None:
    inside = [
        one
        for model in selection.all("selections", "selection")
        if model.attributes.get("type") == "model"
        for one in _profiles(model)
    ]
    for one in (*_profiles(selection), *inside):
        if one.attributes.get("typeName") == kind:
            return one
    return None


def _values(profile: Element) -> dict[str, str]:
    """Return a profile's characteristics that have a value, by lower-case name."""
    return {
        one.attributes.get("name", "").casefold(): one.text.strip()
        for one in profile.all("characteristics", "characteristic")
        if one.text.strip()
    }


def _ratings(values: dict[str, str]) -> Ratings:
    found = {}
    for kind in ("physical", "energy", "radiation"):
        text = values.get(f"armor {kind}", "").replace(" ", "").upper()
        found[kind] = text if RATING.fullmatch(text) else ""
    return Ratings(**found)


def _number(text: str) -> int | None:
    value = int(text) if re.fullmatch(r"\d{1,2}", text) else None
    return value if value is not None and value <= MOST else None


def _count(selection: Element) -> int:
    text = selection.attributes.get("number", "1")
    return max(1, int(text)) if re.fullmatch(r"\d{1,3}", text) else 1


def _points(selection: Element) -> int | None:
    """Return the caps of a selection and all below it, None where none are named."""
    total, named = 0.0, False
    waiting = [selection]
    while waiting:
        one = waiting.pop()
        waiting += one.all("selections", "selection")
        for cost in one.all("costs", "cost"):
            text = cost.attributes.get("value", "")
            is_number = re.fullmatch(r"\d{1,5}(\.\d{1,3})?", text)
            if cost.attributes.get("name") == "Caps" and is_number:
                total, named = total + float(text), True
    return min(9999, round(total)) if named else None


def _name(selection: Element) -> str:
    return _clean(selection.attributes.get("name", ""))


def _clean(text: str) -> str:
    """Return a name on one line, as long as names may be."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split())[:NAME_LETTERS].strip()
