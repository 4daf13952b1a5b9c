"""Dice as values: faces, dice, sets of dice, made from tables that others read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from device.errors import UnknownFace, UnknownTable
from device.rules.tables import row_of, rows_of

SKILL_FACES: Final = (
    *(str(number) for number in range(2, 11)),
    "ap",
    "crit",
    "x",
    "x_ap",
)
"""Faces of the white d20 (rulebook 2PB-002-111 §2.4 p.10)."""

ARMOUR_FACES: Final = ("1", "2", "3", "4")
"""Faces of the red d12 (rulebook 2PB-002-111 §2.4 p.11)."""

EFFECT_COLOURS: Final = ("black", "yellow", "green", "blue")
"""The four effect dice (rulebook 2PB-002-111 §2.4 p.11)."""

EFFECT_ICONS: Final = ("acc1", "acc2", "acc3", "bottle", "burst", "dmg", "pen", "star")
"""Every icon of an effect die; any colour may show any of them (§2.4 p.11)."""

LUCK_SIDES: Final = ("luck", "blank")
"""Sides of a luck token: the clover, and nothing (§6.2 p.52)."""

BLANK: Final = "blank"
MAX_ICONS: Final = 2  # icons on one face of an effect die, §2.4 p.11
SIDES: Final = {
    "d20": 20,
    "d12": 12,
    "d10": 10,
    "d%": 10,
    "d8": 8,
    "d6": 6,
    "d4": 4,
    "coin": 2,
}
"""Sides of each shape; a `d%` is a d10 that bears tens."""


@dataclass(frozen=True, slots=True)
class Face:
    """One distinct face of a die.

    Attributes:
        key: The face as the reader and the resolver name it, e.g. `7`, `dmg+dmg`.
        icons: Effect icons on it, sorted; empty for numbers and blanks.
        count: How many of the die's sides show it; None where nobody has counted.

    Source: house rule; the face keys of the resolver's contract, section 3.
    """

    key: str
    icons: tuple[str, ...] = ()
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Die:
    """One kind of die.

    Attributes:
        name: Name in its set, e.g. `skill`.
        shape: `d20`, `d12`, ..., `d%` (a d10 with tens) or `coin`.
        colour: Body colour, a plain English word.
        faces: Distinct faces that are known, in the order of the data.
        sides: Face key of each physical side, in order; empty where not all are known.
        complete: Whether `faces` names every distinct face.
        verified: Whether somebody has counted the real die.
        source: Where the faces come from.

    Source: house rule; the dice of rulebook 2PB-002-111 §2.4 p.10-11.
    """

    name: str
    shape: str
    colour: str
    faces: tuple[Face, ...]
    sides: tuple[str, ...]
    complete: bool
    verified: bool
    source: str

    def face(self, key: str) -> Face:
        """Return the face with this key.

        An effect die whose faces are not all known accepts any face that an effect
        die may have: players teach them as they meet them.

        Raises:
            UnknownFace: The die has no such face.
        """
        for face in self.faces:
            if face.key == key:
                return face
        if not self.complete and self.name in EFFECT_COLOURS:
            return Face(key, face_icons(key))
        known = ", ".join(face.key for face in self.faces)
        raise UnknownFace(f"the {self.name} die has no face {key!r}; it has {known}")


@dataclass(frozen=True, slots=True)
class DiceSet:
    """The dice of one game, as one box holds them.

    Source: house rule.
    """

    name: str
    dice: tuple[Die, ...]
    note: str

    def die(self, name: str) -> Die:
        """Return the die with this name.

        Raises:
            UnknownTable: The set has no such die.
        """
        for die in self.dice:
            if die.name == name:
                return die
        known = ", ".join(die.name for die in self.dice)
        raise UnknownTable(
            f"dice set {self.name!r} has no die {name!r}; it has {known}"
        )


def face_key(icons: Sequence[str]) -> str:
    """Return the key of an effect face, e.g. `bottle+star`; `blank` without icons.

    Raises:
        UnknownFace: An unknown icon, or more than two.

    Source: rulebook 2PB-002-111 §2.4 p.11; the key's form is a house rule.
    """
    unknown = [icon for icon in icons if icon not in EFFECT_ICONS]
    if unknown:
        raise UnknownFace(
            f"unknown icon {unknown[0]!r}; effect dice show {', '.join(EFFECT_ICONS)}"
        )
    if len(icons) > MAX_ICONS:
        raise UnknownFace(f"a face has at most {MAX_ICONS} icons, not {len(icons)}")
    return "+".join(sorted(icons)) or BLANK


def face_icons(key: str) -> tuple[str, ...]:
    """Return the icons of an effect face's key, sorted; the inverse of `face_key`.

    Raises:
        UnknownFace: Not a face that an effect die may have, or not in sorted order.

    Source: rulebook 2PB-002-111 §2.4 p.11; the key's form is a house rule.
    """
    icons = () if key == BLANK else tuple(key.split("+"))
    if face_key(icons) != key:
        raise UnknownFace(f"write the face {key!r} as {face_key(icons)!r}")
    return icons


def face_chances(die: Die) -> tuple[tuple[Face, Fraction], ...]:
    """Return every face with its exact chance; the chances add to 1.

    Raises:
        UnknownTable: Nobody has verified the die's faces, so it has no odds.

    Source: house rule; design.md section 8 (no odds for an unverified die).
    """
    if not die.verified or not die.sides:
        raise UnknownTable(
            f"the faces of the {die.name} die are not verified, so it has no odds"
        )
    total = len(die.sides)
    return tuple((face, Fraction(face.count or 0, total)) for face in die.faces)


def dice_set(table: Mapping[str, Any], where: str) -> DiceSet:
    """Return the dice set that a table (a TOML document) describes.

    Args:
        table: `format`, `name`, `note` and one `die` row each.
        where: Name of the document, for messages.

    Raises:
        UnknownTable: A missing, unknown or ill-formed entry, named in the message.

    Source: house rule; the format of `device/data/dice_*.toml`.
    """
    head = row_of(table, where, {"format": int, "name": str, "note": str, "die": list})
    dice = tuple(
        _die(row, f"{where}: die {number}")
        for number, row in enumerate(rows_of(head, "die", where), 1)
    )
    names = [die.name for die in dice]
    if len(set(names)) != len(names):
        raise UnknownTable(f"{where}: two dice of one name in {', '.join(names)}")
    return DiceSet(head["name"], dice, head["note"])


_DIE_ROW = {"name": str, "shape": str, "colour": str, "source": str, "verified": bool}
_DIE_OPTIONAL = {"sides": list, "face": list, "complete": bool, "why": str}


def _die(row: Mapping[str, Any], where: str) -> Die:
    row = row_of(row, where, _DIE_ROW, _DIE_OPTIONAL)
    name = row["name"]
    sides = tuple(row.get("sides", ()))
    if row["shape"] not in SIDES:
        raise UnknownTable(f"{where} ({name}): unknown shape {row['shape']!r}")
    if sides and len(sides) != SIDES[row["shape"]]:
        raise UnknownTable(
            f"{where} ({name}): a {row['shape']} has {SIDES[row['shape']]} sides, "
            f"the table lists {len(sides)}"
        )
    if row["verified"] and not sides:
        raise UnknownTable(f"{where} ({name}): verified, but its sides are not listed")
    if sides:
        faces = tuple(
            Face(key, _icons_on(name, key, where), count)
            for key, count in Counter(sides).items()
        )
    else:
        faces = tuple(
            _face(name, face, f"{where} ({name})")
            for face in rows_of(row, "face", where)
        )
    complete = row.get("complete", bool(sides))
    return Die(
        name=name,
        shape=row["shape"],
        colour=row["colour"],
        faces=faces,
        sides=sides,
        complete=complete,
        verified=row["verified"],
        source=row["source"],
    )


def _face(die: str, row: Mapping[str, Any], where: str) -> Face:
    row = row_of(
        row, where, {"key": str, "source": str, "verified": bool}, {"count": int}
    )
    return Face(row["key"], _icons_on(die, row["key"], where), row.get("count"))


def _icons_on(die: str, key: object, where: str) -> tuple[str, ...]:
    """Icons of a face, after checking that a die of this name may have it."""
    if not isinstance(key, str):
        raise UnknownTable(f"{where}: a face is a text, not {key!r}")
    if die in EFFECT_COLOURS:
        return face_icons(key)
    allowed = {"skill": SKILL_FACES, "armour": ARMOUR_FACES, "luck": LUCK_SIDES}
    if die in allowed and key not in allowed[die]:
        raise UnknownFace(f"{where}: the {die} die has no face {key!r}")
    return ()
