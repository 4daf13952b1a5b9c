"""The table as one run of a flow's script sees and changes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, Final, TypeAlias

from device.games.foww.flows.ask import Script
from device.games.foww.flows.view import Thing
from device.games.foww.readings import points
from device.rules.answer import Answer, as_json
from device.table.army import Armies, Model, Unit
from device.table.cards import CardName
from device.table.codec import JSON, freeze, from_json, to_json
from device.table.state import Content

FLOW: Final = "flow"
"""Entry of the sheet that holds the flow itself; no script sees it."""

BASE: Final = "flow_base"
"""Entry that holds the table as it was when the flow began: written once, so that
the events of its steps stay small."""

PAST: Final = "flow_past"
"""Entry that holds the flow before, while its dice can still be put right."""

TABLE: Final = (
    "round",
    "advantage",
    "mine",
    "search",
    "investigation",
    "marker",
)
"""Fields of `Armies` that a flow may change."""


Action: TypeAlias = Callable[["Scene", Any], Script[None]]
"""A script of an action, from its scene and its `acting.Actor`."""


class Gone(LookupError):
    """A model that the flow needs has left the table."""


def own_sheet(sheet: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return the sheet without what belongs to the flow itself."""
    return {key: one for key, one in sheet.items() if key not in (FLOW, BASE, PAST)}


def indexed(armies: Armies) -> dict[str, tuple[Unit, Model]]:
    """Return every model with its unit, by its id."""
    return {model.id: (unit, model) for unit, model in armies.models()}


class Scene:
    """What a script reads and changes; nothing outside it is touched.

    Args:
        armies: Both sides as the script finds them.
        sheet: The game's sheet without the flow.

    Attributes:
        cue: What the ruler shows, None as before.
        steps: Of the rules, not yet told.
        open: Open points that they met.
        actions: What a model can do, by kind; for actions that follow from others.
    """

    def __init__(self, armies: Armies, sheet: Mapping[str, JSON]) -> None:
        self.armies = armies
        self.sheet: dict[str, JSON] = own_sheet(sheet)
        self._index = indexed(armies)
        self.cue: Mapping[str, JSON] | None = None
        self.steps: list[Mapping[str, JSON]] = []
        self.open: list[str] = []
        self.actions: Mapping[str, Action] = {}

    # --- Models --------------------------------------------------------------------

    def unit(self, model_id: str) -> Unit:
        """Return the unit of a model.

        Raises:
            Gone: There is no such model.
        """
        return self._find(model_id)[0]

    def model(self, model_id: str) -> Model:
        """Return a model as it is now.

        Raises:
            Gone: There is no such model.
        """
        return self._find(model_id)[1]

    def find(self, model_id: str) -> tuple[Unit, Model] | None:
        """Return a model with its unit, or None."""
        return self._index.get(model_id)

    def _find(self, model_id: str) -> tuple[Unit, Model]:
        found = self.find(model_id)
        if found is None:
            raise Gone(model_id)
        return found

    def put(self, model: Model) -> None:
        """Give a model its tokens."""
        self.armies = self.armies.with_model(model)
        unit = next(one for one in self.armies.units if model in one.models)
        self._index.update({one.id: (unit, one) for one in unit.models})

    def change(self, model_id: str, **tokens: Any) -> Model:
        """Change some of a model's tokens and return it."""
        after = replace(self.model(model_id), **tokens)
        self.put(after)
        return after

    def set_table(self, **tokens: Any) -> None:
        """Change what lies on the table."""
        self.armies = replace(self.armies, **tokens)

    def others(self, model_id: str) -> Iterator[tuple[Unit, Model]]:
        """Iterate over every other model in the battle."""
        for unit, model in self.armies.models():
            if model.id != model_id and not model.removed:
                yield unit, model

    def enemies(self, model_id: str) -> list[Model]:
        """Return the enemies in the battle."""
        side = self.unit(model_id).side
        return [one for unit, one in self.others(model_id) if unit.side != side]

    def friends(self, model_id: str) -> list[Model]:
        """Return the other models of its side in the battle."""
        side = self.unit(model_id).side
        return [one for unit, one in self.others(model_id) if unit.side == side]

    def thing(self, model_id: str) -> Thing:
        """Return a model by name."""
        unit, model = self._find(model_id)
        number = model.number if len(unit.models) > 1 else 0
        return Thing(unit.card.name, number, unit.side, model_id)

    # --- The sheet -----------------------------------------------------------------

    def entry(self, key: str) -> dict[str, JSON]:
        """Return an entry of the sheet, empty where there is none."""
        return dict(self.sheet.get(key) or {})

    def write(self, key: str, entry: Mapping[str, JSON]) -> None:
        """Write an entry of the sheet; an empty one goes."""
        self.sheet.pop(key, None)
        if entry:
            self.sheet[key] = freeze(entry)

    def known(self, fact: str) -> JSON:
        """Return what somebody has said of a card, None where nobody has."""
        return self.entry("known").get(fact)

    def learn(self, fact: str, value: JSON) -> None:
        """Remember what somebody has said of a card."""
        self.write("known", self.entry("known") | {fact: value})

    def reading(self, point: str) -> str:
        """Return how an unclear place of the rulebook is read, and tell that it is."""
        self.open.append(point)
        return str(self.entry("readings").get(point) or points()[point].reading)

    # --- What is told --------------------------------------------------------------

    def note(self, answer: Answer) -> None:
        """Tell the steps of a rule behind the step at hand."""
        self.steps.extend(as_json(answer.steps))
        self.open.extend(answer.open)

    def light(self, *bands: str) -> None:
        """Light rulers end to end; none darkens."""
        self.cue = {"bands": list(bands)} if bands else {"off": True}


def card(name: CardName) -> Thing:
    """Return a card by name."""
    return Thing(name)


# --- The table as data ---------------------------------------------------------------


def photograph(content: Content) -> dict[str, JSON]:
    """Return all that a script may read or change, as small as it can be kept."""
    return {
        "models": {m.id: _small(m) for _, m in content.armies.models()},
        "table": {name: getattr(content.armies, name) for name in TABLE},
        "sheet": to_json(own_sheet(content.sheet)),
    }


def from_photograph(content: Content, taken: Mapping[str, JSON]) -> Scene:
    """Return the scene as it was then; cards and units are those of now."""
    known = taken["models"]
    units = tuple(
        replace(
            unit,
            models=tuple(
                from_json(Model, known[model.id]) if model.id in known else model
                for model in unit.models
            ),
        )
        for unit in content.armies.units
    )
    armies = replace(content.armies, units=units, **dict(taken["table"]))
    return Scene(armies, freeze(taken["sheet"]))


def difference(scene: Scene, content: Content) -> dict[str, JSON]:
    """Return what is otherwise in `content`, as an overlay; empty where nothing is."""
    models = {}
    for _, model in content.armies.models():
        found = scene.find(model.id)
        if found is not None and found[1] != model:
            models[model.id] = {"is": _small(model), "was": _small(found[1])}
    table = {
        name: getattr(content.armies, name)
        for name in TABLE
        if getattr(content.armies, name) != getattr(scene.armies, name)
    }
    now, was = to_json(own_sheet(content.sheet)), to_json(scene.sheet)
    sheet = {key: now.get(key) for key in {*now, *was} if now.get(key) != was.get(key)}
    parts = {"models": models, "table": table, "sheet": sheet}
    return {name: part for name, part in parts.items() if part}


def overlay(scene: Scene, hand: Mapping[str, JSON]) -> list[str]:
    """Lay changes by hand over a scene; return the models that were not as expected."""
    surprised = []
    for model_id, change in hand.get("models", {}).items():
        if scene.find(model_id) is None:
            continue
        if to_json(_small(scene.model(model_id))) != to_json(change["was"]):
            surprised.append(model_id)
        scene.put(from_json(Model, change["is"]))
    scene.set_table(**dict(hand.get("table", {})))
    for key, entry in hand.get("sheet", {}).items():
        scene.write(key, entry or {})
    return surprised


def _small(model: Model) -> dict[str, JSON]:
    """Return a model as JSON, without the fields that are as at the start."""
    blank = Model(model.id)
    return {
        one.name: to_json(getattr(model, one.name))
        for one in fields(Model)
        if one.name == "id" or getattr(model, one.name) != getattr(blank, one.name)
    }
