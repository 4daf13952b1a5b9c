"""What a well-formed question looks like, said once and checked everywhere.

A reader checks one JSON value and returns it as the rules want it: lists become
tuples, objects become frozen values, numbers become exact. Every fault is a
`BadInput` that names the path of the field, e.g. `effects[0].icons[1]`.
"""

from __future__ import annotations

import difflib
import keyword
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, Protocol, TypeVar

from device.errors import BadInput, RulesError

_T = TypeVar("_T")

LARGEST: Final = 10**15
"""No count, length or sum at a table comes near it; keeps answers of sane size."""


class Reader(Protocol):
    """Checks one kind of value.

    Source: the resolvers' contracts, section 1 (error fields, types).
    """

    def read(self, value: Any, path: str) -> Any:
        """Return the checked value.

        Raises:
            BadInput: It is not of this kind; `field` is its path.
        """


def join(path: str, name: str) -> str:
    """Return the path of a field inside an object or list at `path`.

    Source: the resolvers' contracts, section 1 (dots for objects, [n] for lists).
    """
    if not path or not name:
        return path or name
    return f"{path}{name}" if name.startswith("[") else f"{path}.{name}"


@dataclass(frozen=True, slots=True)
class Whole:
    """A JSON integer in a closed range; never `true`, `"3"` or `3.0`.

    Source: the resolvers' contracts, section 1 (types).
    """

    low: int | None = None
    high: int | None = None

    def read(self, value: Any, path: str) -> int:
        """Return the integer."""
        if isinstance(value, bool) or not isinstance(value, int):
            raise BadInput(f"expected a whole number, not {_shown(value)}", path)
        _check_range(value, self.low, self.high, path)
        return value


@dataclass(frozen=True, slots=True)
class Number:
    """A finite JSON number, kept exact: 0.1 is one tenth; a fraction stays itself.

    Source: the resolvers' contracts, section 1 (types; arithmetic is exact).
    """

    low: int | None = None
    high: int | None = None
    above: int | None = None

    def read(self, value: Any, path: str) -> Fraction:
        """Return the number as an exact fraction."""
        if isinstance(value, bool) or not isinstance(value, (int, float, Fraction)):
            raise BadInput(f"expected a number, not {_shown(value)}", path)
        if isinstance(value, float) and value - value != 0:  # NaN or infinite
            raise BadInput("expected a finite number", path)
        # repr() of a float is the shortest decimal that means it: what was typed
        exact = value if isinstance(value, Fraction) else Fraction(repr(value))
        _check_range(exact, self.low, self.high, path)
        if self.above is not None and exact <= self.above:
            raise BadInput(f"expected more than {self.above}, not {value}", path)
        return exact


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false.

    Source: the resolvers' contracts, section 1 (types).
    """

    def read(self, value: Any, path: str) -> bool:
        """Return the bool."""
        if not isinstance(value, bool):
            raise BadInput(f"expected true or false, not {_shown(value)}", path)
        return value


@dataclass(frozen=True, slots=True)
class Text:
    """A text that is not empty.

    Source: the resolvers' contracts, section 1 (types).
    """

    def read(self, value: Any, path: str) -> str:
        """Return the text."""
        if not isinstance(value, str) or not value:
            raise BadInput(f"expected a text, not {_shown(value)}", path)
        return value


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few words or numbers.

    Source: the resolvers' contracts, section 1 (types).
    """

    choices: tuple[str | int, ...]

    def read(self, value: Any, path: str) -> str | int:
        """Return the choice."""
        for choice in self.choices:
            if type(value) is type(choice) and value == choice:
                return choice
        known = ", ".join(str(choice) for choice in self.choices)
        raise BadInput(f"expected one of {known}, not {_shown(value)}", path)


@dataclass(frozen=True, slots=True)
class Nullable:
    """A value that may be null.

    Source: the resolvers' contracts, section 1 (types).
    """

    inner: Reader

    def read(self, value: Any, path: str) -> Any:
        """Return None or the inner value."""
        return None if value is None else self.inner.read(value, path)


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list, read as a tuple.

    Attributes:
        item: Reader of each element.
        low: Fewest elements.
        high: Most elements; None for no limit.
        check: Called with the tuple; raises a `RulesError` whose field is a path
            inside the list ("" for the list itself).

    Source: the resolvers' contracts, section 1 (error fields).
    """

    item: Reader
    low: int = 0
    high: int | None = None
    check: Callable[[tuple[Any, ...]], None] | None = None

    def read(self, value: Any, path: str) -> tuple[Any, ...]:
        """Return the elements."""
        if not isinstance(value, list):
            raise BadInput(f"expected a list, not {_shown(value)}", path)
        if len(value) < self.low or (self.high is not None and len(value) > self.high):
            wanted = _span(self.low, self.high)
            raise BadInput(f"expected {wanted} entries, not {len(value)}", path)
        items = tuple(
            self.item.read(item, join(path, f"[{n}]")) for n, item in enumerate(value)
        )
        if self.check is not None:
            _inside(path, self.check, items)
        return items


@dataclass(frozen=True, slots=True)
class Optional:
    """A field that may be left out, and its value then (not read, taken as it is).

    Source: the resolvers' contracts, section 1 (defaults).
    """

    inner: Reader
    default: Any = None

    def read(self, value: Any, path: str) -> Any:
        """Return the inner value."""
        return self.inner.read(value, path)


@dataclass(frozen=True, slots=True)
class MapOf:
    """An object with free keys, or with keys from a list, all of one kind of value.

    Source: the resolvers' contracts, section 1 (types).
    """

    item: Reader
    keys: tuple[str, ...] | None = None

    def read(self, value: Any, path: str) -> dict[str, Any]:
        """Return the entries in their order."""
        if not isinstance(value, Mapping):
            raise BadInput(f"expected an object, not {_shown(value)}", path)
        if self.keys is not None:
            _check_known(value, self.keys, path)
        return {key: self.item.read(v, join(path, key)) for key, v in value.items()}


@dataclass(frozen=True, slots=True)
class Record:
    """An object with known fields, made into a value.

    Attributes:
        make: Called with the fields by name; a field named like a Python keyword
            gets an underscore (`from_`). A `RulesError` that it raises is reported
            at its field inside this object.
        fields: Readers by name; a missing field is a fault unless `Optional`.

    Source: the resolvers' contracts, section 1 (error fields).
    """

    make: Callable[..., Any]
    fields: Mapping[str, Reader] = field(default_factory=dict)

    def read(self, value: Any, path: str) -> Any:
        """Return the value made of the fields."""
        if not isinstance(value, Mapping):
            raise BadInput(f"expected an object, not {_shown(value)}", path)
        _check_known(value, self.fields, path)
        read: dict[str, Any] = {}
        for name, reader in self.fields.items():
            if name in value:
                got = reader.read(value[name], join(path, name))
            elif isinstance(reader, Optional):
                got = reader.default
            else:
                raise BadInput(f"{name!r} is missing", join(path, name))
            read[f"{name}_" if keyword.iskeyword(name) else name] = got
        return _inside(path, self.make, **read)


@dataclass(frozen=True, slots=True)
class Variants:
    """An object whose other fields depend on one of them.

    Attributes:
        tag: Name of the field that decides.
        records: Readers of the object without the tag, by the tag's value.

    Source: the resolvers' contracts, section 1 (error fields).
    """

    tag: str
    records: Mapping[str, Reader]

    def read(self, value: Any, path: str) -> Any:
        """Return the value of the variant."""
        if not isinstance(value, Mapping):
            raise BadInput(f"expected an object, not {_shown(value)}", path)
        if self.tag not in value:
            raise BadInput(f"{self.tag!r} is missing", join(path, self.tag))
        variant = OneOf(tuple(self.records)).read(value[self.tag], join(path, self.tag))
        rest = {name: v for name, v in value.items() if name != self.tag}
        return self.records[str(variant)].read(rest, path)


INT: Final = Whole()
NAT: Final = Whole(0)
POSITIVE: Final = Whole(1)
LENGTH: Final = Number(0)
FLAG: Final = Flag()
TEXT: Final = Text()
OFF: Final = Optional(FLAG, False)
ON: Final = Optional(FLAG, True)


def record(make: Callable[..., Any], /, **fields: Reader) -> Record:
    """Return the reader of an object with these fields.

    Source: house rule.
    """
    return Record(make, fields)


def one_of(*choices: str | int) -> OneOf:
    """Return the reader of one of these words or numbers.

    Source: house rule.
    """
    return OneOf(choices)


def needed(value: _T | None, name: str) -> _T:
    """Return a value that this question needs, though others of its kind do not.

    Raises:
        BadInput: It was left out; `field` is its name.

    Source: the resolvers' contracts, section 1 (required when the kind needs it).
    """
    if value is None:
        raise BadInput(f"{name!r} is missing", name)
    return value


def distinct(name: str) -> Callable[[tuple[Any, ...]], None]:
    """Return a list check: no two elements share this attribute.

    Source: the resolvers' contracts (distinct ids; the second one is at fault).
    """

    def check(items: tuple[Any, ...]) -> None:
        seen = set()
        for number, item in enumerate(items):
            value = getattr(item, name)
            if value in seen:
                raise BadInput(f"{value!r} is there twice", f"[{number}].{name}")
            seen.add(value)

    return check


def _inside(
    path: str, function: Callable[..., Any], /, *args: Any, **named: Any
) -> Any:
    """Call a function; move a fault that it finds to its place below `path`."""
    try:
        return function(*args, **named)
    except RulesError as error:
        raise BadInput(str(error), join(path, error.field)) from error


def _check_range(
    value: int | Fraction, low: int | None, high: int | None, path: str
) -> None:
    if not -LARGEST <= value <= LARGEST:
        raise BadInput("the number is too large", path)
    if (low is not None and value < low) or (high is not None and value > high):
        shown = value if isinstance(value, int) else f"{float(value):g}"
        raise BadInput(f"expected {_span(low, high)}, not {shown}", path)


def _check_known(value: Mapping[str, Any], known: Iterable[str], path: str) -> None:
    names = list(known)
    for name in value:
        if name not in names:
            near = difflib.get_close_matches(str(name), names, 1)
            hint = (
                f"did you mean {near[0]!r}?" if near else f"known: {', '.join(names)}"
            )
            raise BadInput(f"unknown field {name!r}; {hint}", join(path, str(name)))


def _span(low: int | None, high: int | None) -> str:
    if high is None:
        return f"at least {low}"
    if low is None:
        return f"at most {high}"
    return str(low) if low == high else f"{low} to {high}"


def _shown(value: Any) -> str:
    """A short form of any JSON value, as JSON spells it where that is short."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, (list, tuple)):
        return "a list"
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
