"""Frozen values to plain JSON and back, hash for hash.

`to_json` loses nothing that `from_json` needs: dataclasses become objects, tuples
become lists, and a field's annotation says how to read it again.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import types
import typing
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar, Union

JSON: TypeAlias = Any
"""None, bool, int, float, str, or a list, tuple or mapping of these."""

Value = TypeVar("Value")


def freeze(value: JSON) -> JSON:
    """Return plain JSON made immutable: objects read-only, lists as tuples."""
    if isinstance(value, Mapping):
        return MappingProxyType({str(key): freeze(item) for key, item in value.items()})
    if isinstance(value, list | tuple):
        return tuple(freeze(item) for item in value)
    return value


def to_json(value: Any) -> JSON:
    """Return a value of ours as dicts, lists and plain numbers, for `json.dumps`.

    Takes dataclasses, mappings, tuples, lists and what JSON knows by itself.
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {name: to_json(getattr(value, name)) for name in _names(type(value))}
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(item) for item in value]
    return value


def from_json(kind: type[Value], data: JSON) -> Value:
    """Return the frozen dataclass `kind` that `to_json` turned into `data`.

    Fields that `data` lacks take their defaults, so that older journals still open;
    fields that `kind` does not know are left out.

    Raises:
        TypeError: `data` lacks a field without a default.
    """
    shape: Any = kind  # mypy holds that a type variable's type has no hash
    hints = _hints(shape)
    known = {
        name: _decode(hints[name], data[name]) for name in _names(shape) if name in data
    }
    return kind(**known)


def canonical(value: Any) -> str:
    """Return the one JSON text of a value: keys sorted, no spaces."""
    return json.dumps(
        to_json(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )


def digest(value: Any) -> str:
    """Return the SHA-256 of a value's canonical text, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(item.name for item in dataclasses.fields(kind))


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _decode(hint: Any, data: JSON) -> Any:
    """Read one field by its annotation."""
    origin = typing.get_origin(hint)
    if origin in (Union, types.UnionType):
        if data is None:
            return None
        kinds = [arg for arg in typing.get_args(hint) if arg is not type(None)]
        return _decode(kinds[0], data) if len(kinds) == 1 else freeze(data)
    if origin is tuple:
        args = typing.get_args(hint)
        if len(args) == 2 and args[1] is Ellipsis:
            return tuple(_decode(args[0], item) for item in data)
        return tuple(_decode(arg, item) for arg, item in zip(args, data, strict=True))
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return from_json(hint, data)
    if hint is float:
        return float(data)
    return freeze(data)
