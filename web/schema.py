"""Frozen dataclasses as JSON Schema, and JSON read as such a dataclass.

What is sent is a value turned by `device.table.codec.to_json`; what is received is
read by `parse`. Both are described by `Schemas` from the same annotations, so that the
description cannot say anything else than the program does.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import types
import typing
from collections.abc import Mapping
from typing import Any, Final, TypeVar, Union

from device.errors import BadInput
from device.table.codec import JSON
from web.language import marked as N_

Value = TypeVar("Value")

PLAIN: Final[Mapping[Any, str]] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    type(None): "null",
}


def limits(
    *, least: int | None = None, most: int | None = None, one_of: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return the metadata of a text field: its length, or the words it may be."""
    given = {"minLength": least, "maxLength": most, "enum": list(one_of) or None}
    return {name: value for name, value in given.items() if value is not None}


class Schemas:
    """Collects the schemas of dataclasses under their names.

    Attributes:
        found: By name; for ``components/schemas`` of an OpenAPI document.
    """

    def __init__(self) -> None:
        self.found: dict[str, dict[str, Any]] = {}
        self._kinds: dict[str, Any] = {}

    def of(self, hint: Any) -> dict[str, Any]:
        """Return the schema of a type, dataclasses by reference.

        Raises:
            TypeError: A type that no value of ours has.
        """
        origin, args = typing.get_origin(hint), typing.get_args(hint)
        if hint is Any:
            return {}
        if hint in PLAIN:
            return {"type": PLAIN[hint]}
        if origin in (Union, types.UnionType):
            return {"anyOf": [self.of(arg) for arg in args]}
        if origin is tuple and args[-1] is Ellipsis:
            return {"type": "array", "items": self.of(args[0])}
        if origin is tuple:
            items = [self.of(arg) for arg in args]
            return {
                "type": "array",
                "prefixItems": items,
                "minItems": len(items),
                "maxItems": len(items),
            }
        if origin is Mapping or (isinstance(origin, type) and origin is dict):
            return {"type": "object", "additionalProperties": self.of(args[1])}
        if dataclasses.is_dataclass(hint):
            return self._named(hint)
        raise TypeError(f"no schema for {hint!r}")

    def _named(self, kind: Any) -> dict[str, Any]:
        name = kind.__name__
        if self._kinds.setdefault(name, kind) is not kind:
            raise TypeError(f"two types are called {name}")
        if name not in self.found:
            self.found[name] = {}  # a type that holds itself must not go on for ever
            self.found[name] = self._object(kind)
        return {"$ref": f"#/components/schemas/{name}"}

    def _object(self, kind: Any) -> dict[str, Any]:
        hints = typing.get_type_hints(kind)
        summary, told = _docstring(kind)
        received = issubclass(kind, Received)
        properties, required = {}, []
        for field in dataclasses.fields(kind):
            schema = self.of(hints[field.name]) | dict(field.metadata)
            if field.name in told:
                schema["description"] = told[field.name]
            properties[field.name] = schema
            if not received or not _has_default(field):
                required.append(field.name)  # whatever we send is sent whole
        return {
            "type": "object",
            "description": summary,
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }


class Received:
    """Marks a dataclass that is read from what others send."""

    __slots__ = ()


def parse(kind: type[Value], data: JSON) -> Value:
    """Return JSON as the dataclass `kind`, a `Received`.

    Raises:
        BadInput: It does not fit; `field` says where.
    """
    if not isinstance(data, Mapping):
        raise BadInput(N_("Expected a JSON object."), "")
    shape: Any = kind
    hints = typing.get_type_hints(shape)
    fields = {field.name: field for field in dataclasses.fields(shape)}
    for name in data:
        if name not in fields:
            raise BadInput(N_("There is no such field."), str(name)[:64])
    values = {}
    for name, field in fields.items():
        if name in data:
            values[name] = _read(hints[name], field.metadata, data[name], name)
        elif not _has_default(field):
            raise BadInput(N_("This field is missing."), name)
    return kind(**values)


def _read(hint: Any, rule: Mapping[str, Any], value: JSON, name: str) -> Any:
    """Read one field: a text within limits, or an object of anything."""
    if typing.get_origin(hint) is Mapping:
        if not isinstance(value, Mapping):
            raise BadInput(N_("Expected a JSON object."), name)
        return dict(value)
    if hint is not str:
        raise TypeError(f"no way to read {hint!r}")
    if not isinstance(value, str):
        raise BadInput(N_("Expected a text."), name)
    if not rule.get("minLength", 0) <= len(value) <= rule.get("maxLength", len(value)):
        raise BadInput(N_("This text is too short or too long."), name)
    if "enum" in rule and value not in rule["enum"]:
        raise BadInput(N_("There is no such thing to choose."), name)
    return value


def _has_default(field: dataclasses.Field[Any]) -> bool:
    missing = dataclasses.MISSING
    return field.default is not missing or field.default_factory is not missing


def _docstring(kind: Any) -> tuple[str, dict[str, str]]:
    """Return a class's first sentence, and what it says of each attribute."""
    text = inspect.cleandoc(kind.__doc__ or "")
    summary = " ".join(text.split("\n\n")[0].split())
    _, _, attributes = text.partition("Attributes:\n")
    told = re.findall(r"^    (\w+): (.*(?:\n      +.*)*)", attributes, re.M)
    return summary, {name: " ".join(said.split()) for name, said in told}
