"""Random questions made from the readers themselves, well-formed piece by piece."""

from __future__ import annotations

from random import Random
from typing import Any

from device.rules import fields
from device.rules.fields import Reader
from device.rules.foww.resolve_items import OwnerReader
from device.rules.foww.vocabulary import ProtectionReader
from device.rules.special.vocabulary import TimeReader
from device.rules.stalker.resolve import WeaponReader

TIMES = ("00:00", "06:00", "06:01", "18:00", "18:01", "23:59")


def question(reader: Reader, rng: Random) -> Any:
    """Return a JSON value that the reader accepts field by field."""
    match reader:
        case fields.Whole(low, high):
            low = -12 if low is None else low
            return rng.randint(low, low + 30 if high is None else high)
        case fields.Number(low, high, above):
            low = -300 if low is None else low
            number = rng.randint(low + (above is not None), high or low + 600)
            return number + rng.choice((0, 0, 0.5))
        case fields.Flag():
            return rng.random() < 0.5
        case fields.Text():
            return rng.choice("abcd")
        case fields.OneOf(choices):
            return rng.choice(choices)
        case fields.Nullable(inner):
            return None if rng.random() < 0.3 else question(inner, rng)
        case fields.Optional(inner):
            return question(inner, rng)
        case fields.ListOf(item, low, high):
            size = rng.randint(low, low + 4 if high is None else high)
            return [question(item, rng) for _ in range(size)]
        case fields.MapOf(item, keys):
            names = rng.sample(keys or "abcd", rng.randint(0, 3))
            return {name: question(item, rng) for name in names}
        case fields.Record(_, named):
            return {
                name: question(inner, rng)
                for name, inner in named.items()
                if not isinstance(inner, fields.Optional) or rng.random() < 0.6
            }
        case fields.Variants(tag, readers):
            value = rng.choice(list(readers))
            return {tag: value, **question(readers[value], rng)}
        case ProtectionReader():
            return rng.choice((rng.randint(0, 5), "-", "2+1", "0+2", None))
        case OwnerReader():
            return "self" if rng.random() < 0.3 else question(reader.lender, rng)
        case WeaponReader():
            keys = ("sample_rifle", "pistol", "club")
            named = rng.random() < 0.5
            return rng.choice(keys) if named else question(reader.card, rng)
        case TimeReader():
            return rng.choice(TIMES)
    raise AssertionError(f"no questions for {reader!r}")


def nonsense(rng: Random) -> Any:
    """Return some JSON value, most likely not what was asked for."""
    plain = (None, True, False, -1, 0, 1.5, 10**400, 1e308, "", "x", "1", [], {})
    value = rng.choice(plain)
    shape = rng.random()
    if shape < 0.2:
        return [value, rng.choice(plain)]
    return {rng.choice(("id", "x")): value} if shape < 0.4 else value
