"""Random questions made from the readers themselves, well-formed piece by piece."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from device.rules import fields
from device.rules.fields import Reader
from device.rules.foww.resolve_items import OwnerReader
from device.rules.foww.vocabulary import ProtectionReader
from device.rules.stalker.resolve import WeaponReader


def questions(reader: Reader) -> st.SearchStrategy[Any]:
    """Return JSON values that the reader accepts field by field."""
    match reader:
        case fields.Whole(low, high):
            low = -12 if low is None else low
            return st.integers(low, low + 30 if high is None else high)
        case fields.Number(low, high, above):
            low = -300 if low is None else low
            numbers = st.integers(low + (above is not None), high or low + 600)
            return numbers | numbers.map(lambda n: n + 0.5)
        case fields.Flag():
            return st.booleans()
        case fields.Text():
            return st.sampled_from("abcd")
        case fields.OneOf(choices):
            return st.sampled_from(choices)
        case fields.Nullable(inner):
            return st.none() | questions(inner)
        case fields.Optional(inner):
            return questions(inner)
        case fields.ListOf(item, low, high):
            most = low + 5 if high is None else high
            return st.lists(questions(item), min_size=low, max_size=most)
        case fields.MapOf(item, keys):
            names = st.sampled_from(keys) if keys else st.sampled_from("abcd")
            return st.dictionaries(names, questions(item), max_size=4)
        case fields.Record(_, named):
            return st.fixed_dictionaries(
                {k: questions(r) for k, r in named.items() if not optional(r)},
                optional={k: questions(r) for k, r in named.items() if optional(r)},
            )
        case fields.Variants(tag, records):
            return st.one_of(
                questions(record).map(lambda given, v=value: {tag: v, **given})
                for value, record in records.items()
            )
    if isinstance(reader, ProtectionReader):
        return st.integers(0, 5) | st.sampled_from(["-", "2+1", "0+2", None])
    if isinstance(reader, OwnerReader):
        return st.just("self") | questions(reader.lender)
    if isinstance(reader, WeaponReader):
        return st.sampled_from(["sample_rifle", "pistol", "club"]) | questions(
            reader.card
        )
    raise AssertionError(f"no questions for {reader!r}")


def optional(reader: Reader) -> bool:
    return isinstance(reader, fields.Optional)
