"""A small tree out of XML that strangers wrote: no entities, no depth, no bulk."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

from device.rosters.problems import RosterError, problem

DEEPEST: Final = 64
"""Elements in one another; a roster nests force, unit, weapon, mod: about twenty."""

MOST_ELEMENTS: Final = 50_000
"""A full roster with every rule text has a few thousand."""


@dataclass(slots=True)
class Element:
    """An element of XML.

    Attributes:
        tag: Without its namespace.
        attributes: By name.
        children: In order.
        text: Directly inside it, stripped by the reader where needed.
    """

    tag: str
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, *path: str) -> list[Element]:
        """Return what lies at a path of tags below this element."""
        found = [self]
        for tag in path:
            found = [one for above in found for one in above.children if one.tag == tag]
        return found


def parse_markup(data: bytes) -> Element:
    """Return the outermost element.

    Raises:
        RosterError: Not XML, or more of it than any roster has. A document type is
            refused before anything in it is read, so no entity is ever declared.
    """
    builder = _Builder()
    try:
        builder.parser.Parse(data, True)
    except RosterError:
        raise
    except expat.ExpatError as error:
        raise RosterError(problem("not_xml", line=error.lineno)) from error
    except (ValueError, LookupError) as error:  # an encoding that Python lacks
        raise RosterError(problem("not_xml", line=1)) from error
    return builder.root.children[0]


class _Builder:
    """Handlers of expat that build the tree and count."""

    def __init__(self) -> None:
        self.root = Element("", {})
        self._open = [self.root]
        self._count = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.EntityDeclHandler = self._doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters

    def _doctype(self, *declared: object) -> None:
        raise RosterError(problem("doctype"))

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > MOST_ELEMENTS:
            raise RosterError(problem("too_many", most=MOST_ELEMENTS))
        if len(self._open) > DEEPEST:
            raise RosterError(problem("too_deep", most=DEEPEST))
        element = Element(tag.rpartition(":")[2], attributes)
        self._open[-1].children.append(element)
        self._open.append(element)

    def _end(self, tag: str) -> None:
        self._open.pop()

    def _characters(self, text: str) -> None:
        self._open[-1].text += text
