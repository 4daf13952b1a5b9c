"""Entities on a game's sheet, and counters that the dice of a check change.

A sheet holds one object an entity, by an id like ``player:12``. What a check has
changed is written down beside (``done:c17``), so that putting one of its dice right
takes back exactly that and nothing that has happened since.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from device.errors import BadInput
from device.games.game import sheet_change
from device.games.given import Args
from device.table.codec import JSON, from_json, to_json
from device.table.state import Check, Content

Entity = TypeVar("Entity")

DONE: Final = "done:"


def entities(content: Content, prefix: str, kind: type[Entity]) -> tuple[Entity, ...]:
    """Return every entity of a kind, oldest first.

    Args:
        content: With the sheet.
        prefix: Of their ids, ``player``.
        kind: Frozen dataclass that `to_json` wrote.
    """
    keys = [key for key in content.sheet if key.startswith(f"{prefix}:")]
    return tuple(from_json(kind, content.sheet[key]) for key in sorted(keys, key=_age))


def entity(content: Content, key: str, kind: type[Entity]) -> Entity | None:
    """Return one entity by its id, or None."""
    found = content.sheet.get(key)
    return None if found is None else from_json(kind, found)


def find(
    content: Content, args: Args, name: str, kind: type[Entity], prefix: str = ""
) -> Entity:
    """Return the entity whose id an argument gives.

    Args:
        content: With the sheet.
        args: Arguments of a command or a check.
        name: Of the argument.
        kind: Frozen dataclass of the entity.
        prefix: Of its id; as the argument's name where it is not given.

    Raises:
        BadInput: There is none.
    """
    wanted = args.get(name)
    found = None
    if isinstance(wanted, str) and wanted.startswith(f"{prefix or name}:"):
        found = entity(content, wanted, kind)
    if found is None:
        raise BadInput(f"there is no {prefix or name} {wanted!r}", name)
    return found


def single(content: Content, key: str, kind: type[Entity]) -> Entity:
    """Return an entity of which there is one, as it begins where it is not there."""
    return entity(content, key, kind) or kind()


def written(*changed: Any) -> dict[str, JSON]:
    """Return entities by their ids, as a change of the sheet sets them."""
    return {one.id: to_json(one) for one in changed}


# --- Counters that dice change -----------------------------------------------------


@dataclass(frozen=True, slots=True)
class Change:
    """What a check does to one counter.

    Attributes:
        entity: Id on the sheet.
        counter: Field that holds a whole number.
        by: Added.
        low: It does not fall below.
        high: It does not rise above; None for no limit.
    """

    entity: str
    counter: str
    by: int
    low: int = 0
    high: int | None = None


def settled(
    content: Content, check: Check, changes: Iterable[Change]
) -> Mapping[str, JSON]:
    """Return the change of the sheet that a check's dice make, in place of the last.

    Args:
        content: As it is now, with what the same check did before.
        check: Whose dice they are.
        changes: What they do to counters; of entities that are gone nothing.
    """
    objects: dict[str, dict[str, Any]] = {}

    def touched(key: str) -> dict[str, Any] | None:
        if key not in objects and key in content.sheet:
            objects[key] = dict(content.sheet[key])
        return objects.get(key)

    for key, counter, by in content.sheet.get(DONE + check.id, {}).get("by", ()):
        found = touched(key)
        if found is not None:
            found[counter] = found[counter] - by
    done = []
    for change in changes:
        found = touched(change.entity)
        if found is None:
            continue
        before = int(found.get(change.counter, 0))
        after = max(change.low, before + change.by)
        after = after if change.high is None else min(change.high, after)
        found[change.counter] = after
        done.append([change.entity, change.counter, after - before])
    set_: dict[str, JSON] = {key: to_json(found) for key, found in objects.items()}
    if done:
        set_[DONE + check.id] = {"by": done}
    drop = _outdated(content, check.id)
    own = DONE + check.id
    if not done and own in content.sheet:
        drop.append(own)
    return sheet_change(set_, [key for key in drop if key not in set_])


def _outdated(content: Content, check_id: str) -> list[str]:
    """Return the notes about checks whose dice nobody can put right any more."""
    checks = [content.check, content.last.check if content.last else None]
    kept = {DONE + check.id for check in checks if check is not None}
    return [key for key in content.sheet if key.startswith(DONE) and key not in kept]


def _age(key: str) -> tuple[Sequence[int], str]:
    numbers = key.partition(":")[2].split("-")
    return ([int(one) if one.isdecimal() else 0 for one in numbers], key)
