"""Commands about figures, weapons, groups and events; and what the ruler shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from device.errors import BadInput
from device.games.game import sheet_draft
from device.games.given import (
    Args,
    choice,
    flag,
    named,
    objects,
    refuse,
    whole,
    whole_or_none,
)
from device.games.own import Row
from device.games.sheet import find, written
from device.games.stalker.sheet import (
    ARMOURS,
    FLAGS,
    KEY,
    MOTIVATIONS,
    SIDES,
    Card,
    Figure,
    Weapon,
    cards,
    figures,
    flow,
    weapons,
)
from device.rules.fields import Number
from device.rules.resolve import resolve
from device.table.codec import JSON, to_json
from device.table.events import Draft
from device.table.state import Content

MOST_FIGURES: Final = 60
MOST_WEAPONS: Final = 8
MM_PER_INCH: Final = Fraction(254, 10)

BAND_OF: Final = {2: "2in", 6: "6in", 8: "8in", 12: "12in", 16: "16in"}
"""Lengths in inches that have a band of their own."""

TERRAINS: Final = ("open", "bushes", "hilly", "rough", "road", "built_up", "ford")
CLOSED: Final = ("impassable", "river")

COUNTERS: Final = {
    "damage": (0, 99),
    "xp": (-99, 999),
    "loot": (-99, 999),
    **dict.fromkeys(FLAGS, (0, 1)),
}
"""Counters of a figure that are set by hand, with their limits."""

FIGURE_FIELDS: Final = (
    "name",
    "side",
    "group",
    "skill",
    "armour",
    "motivation",
    "leader",
    "radio",
    "move",
)


def add_figure(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Put a figure on the table."""
    if len(figures(content)) >= MOST_FIGURES:
        raise refuse("no_room")
    made = Figure(id=f"figure:{seq}", name=named(args))
    return [_draft("stalker.joined", _described(content, made, args))]


def change_figure(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Change what a figure is; what is not given stays."""
    figure = find(content, args, "figure", Figure)
    return [_draft("stalker.changed", _described(content, figure, args))]


def _described(content: Content, figure: Figure, args: Args) -> Figure:
    changed = replace(
        figure,
        name=named(args, default=figure.name),
        side=choice(args, "side", SIDES, figure.side),
        group=named(args, "group", default=figure.group),
        skill=whole(args, "skill", 1, 5, figure.skill),
        armour=choice(args, "armour", ARMOURS, figure.armour),
        motivation=choice(args, "motivation", ("", *MOTIVATIONS), figure.motivation),
        leader=flag(args, "leader", figure.leader),
        radio=flag(args, "radio", figure.radio),
        move=whole_or_none(args, "move", 1, 60) if "move" in args else figure.move,
    )
    others = [one for one in figures(content, changed.side) if one.id != figure.id]
    if changed.leader and any(
        one.leader and one.group == changed.group for one in others
    ):
        raise BadInput("this group has a leader already", "leader")
    return changed


def remove_figure(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Take a figure with its weapons and cards off the table."""
    figure = find(content, args, "figure", Figure)
    own = [one.id for one in weapons(content, figure.id)]
    own += [one.id for one in cards(content, figure.id)]
    return [sheet_draft("stalker.left", drop=[figure.id, *own], who=figure.name)]


def count(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Put so many more or fewer on a counter, or say what a figure is."""
    figure = find(content, args, "figure", Figure)
    what = choice(args, "what", tuple(COUNTERS))
    change, (low, high) = whole(args, "change", -99, 99), COUNTERS[what]
    value = max(low, min(high, getattr(figure, what) + change))
    if value == getattr(figure, what):
        raise refuse("no_token" if change < 0 else "token_limit")
    after = replace(figure, **{what: value})
    return [_draft("stalker.count", after, what=what, value=value)]


# --- Weapons and own tables --------------------------------------------------------

WEAPON_FIELDS: Final = (
    "name",
    "range",
    "rate",
    "damage_none",
    "damage_light",
    "damage_medium",
    "suppression",
)


def weapon_of(args: Args, key: str, owner: str) -> Weapon:
    """Return the weapon that arguments describe; damage left out has no effect."""
    return Weapon(
        id=key,
        owner=owner,
        name=named(args),
        range=whole(args, "range", 0, 999, 0),
        rate=whole(args, "rate", 0, 20, 0),
        damage_none=whole_or_none(args, "damage_none", 0, 99),
        damage_light=whole_or_none(args, "damage_light", 0, 99),
        damage_medium=whole_or_none(args, "damage_medium", 0, 99),
        suppression=whole(args, "suppression", 0, 99, 0),
    )


def add_weapon(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Give a figure a weapon."""
    figure = find(content, args, "figure", Figure)
    if len(weapons(content, figure.id)) >= MOST_WEAPONS:
        raise refuse("token_limit")
    weapon = weapon_of(args, f"weapon:{seq}", figure.id)
    log = {"who": figure.name, "weapon": weapon.name}
    return [sheet_draft("stalker.weapon", written(weapon), **log)]


def remove_weapon(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Take a weapon away."""
    weapon = find(content, args, "weapon", Weapon)
    return [sheet_draft("stalker.unarmed", drop=[weapon.id], weapon=weapon.name)]


def weapon_row(args: Args) -> Row:
    """Return a weapon as a row of the players' own table."""
    weapon = to_json(weapon_of(args, "", ""))
    return {name: weapon[name] for name in WEAPON_FIELDS if weapon[name] is not None}


SHOOTING_FIELDS: Final = ("name", "hit_from", "miss_to")


def shooting_row(args: Args) -> Row:
    """Return a row of the shooting table: for the first target, or later ones (H5)."""
    row: Row = {"name": choice(args, "name", ("first", "later"))}
    for name in ("hit_from", "miss_to"):
        value = whole_or_none(args, name, -20, 30)
        if value is not None:
            row[name] = value
    if row.get("miss_to", -99) >= row.get("hit_from", 99):
        raise BadInput("what misses lies below what hits", "miss_to")
    return row


TEST_FIELDS: Final = ("name", "dice", "passed_0", "passed_1", "passed_2", "passed_3")


def test_row(args: Args) -> Row:
    """Return a test of the players' own: its dice, and what each result means (D3)."""
    row: Row = {"name": named(args), "dice": whole(args, "dice", 1, 3)}
    return row | {name: named(args, name, default="") for name in TEST_FIELDS[2:]}


EVENT_FIELDS: Final = ("name", "xp", "loot")


def event_row(args: Args) -> Row:
    """Return an event card of the players' own (E3, E5)."""
    limits = {"low": -99, "high": 99, "default": 0}
    earned = {name: whole(args, name, **limits) for name in ("xp", "loot")}
    return {"name": named(args), **earned}


# --- Events ------------------------------------------------------------------------


def draw_card(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """A figure touches a marker and draws a card (E3)."""
    figure = find(content, args, "figure", Figure)
    card = Card(f"card:{seq}", figure.id, **event_row(args))
    now = flow(content)
    if len(cards(content)) >= now.deck:
        raise refuse("deck_empty")
    return [
        sheet_draft(
            "stalker.card",
            written(card),
            who=figure.name,
            name=card.name,
            xp=card.xp,
            loot=card.loot,
        )
    ]


def remove_card(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Put a drawn card back."""
    card = find(content, args, "card", Card)
    return [sheet_draft("stalker.card_back", drop=[card.id], name=card.name)]


def earned(content: Content) -> dict[str, Any]:
    """Return what the rules say of the deck and of everybody's cards (E1 to E4)."""
    now, names = flow(content), {one.id: one.name for one in figures(content)}
    drawn = [
        {"figure": names[card.figure], "xp": max(0, card.xp), "loot": max(0, card.loot)}
        for card in cards(content)
        if card.figure in names
    ]
    asked = {"markers": now.markers, "deck": max(now.deck, len(drawn)), "drawn": drawn}
    return resolve(KEY, "events", asked)


# --- What is agreed on -------------------------------------------------------------


def agree(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Say what holds for the whole table; what is not given stays."""
    before = flow(content)
    after = replace(
        before,
        mode=choice(args, "mode", ("versus", "solo"), before.mode),
        allies=flag(args, "allies", before.allies),
        night=flag(args, "night", before.night),
        bad_weather=flag(args, "bad_weather", before.bad_weather),
        every_pair=flag(args, "every_pair", before.every_pair),
        markers=whole(args, "markers", 1, 200, before.markers),
        deck=whole(args, "deck", 0, 200, before.deck),
    )
    told = {name: getattr(after, name) for name in args}
    return [sheet_draft("stalker.agreed", written(after), agreed=told)]


def check_group(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Say whether figures form a group, by the distances given (G1 to G5, L1 to L3)."""
    side, name = choice(args, "side", SIDES), named(args, "group")
    members = [one for one in figures(content, side) if one.group == name]
    if not members:
        raise BadInput(f"there is no group {name!r}", "group")
    asked = [
        {
            "id": one.name,
            "skill": one.skill,
            "leader": one.leader,
            "out": bool(one.out),
            "radio": one.radio,
        }
        for one in members
    ]
    names = {one.id: one.name for one in members}
    pairs = [
        {**one, **{end: names.get(str(one.get(end)), "?") for end in ("a", "b")}}
        for one in objects(args, "pairs", 200)
    ]
    rule = "every_pair" if flow(content).every_pair else "chain"
    given = {"figures": asked, "pairs": pairs, "rule": rule}
    answer = resolve(KEY, "group", given)
    log = {"who": name, "steps": answer["steps"]}
    return [sheet_draft("stalker.group", **log)]


# --- The ruler ---------------------------------------------------------------------


def show_move(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Light what is left of a move on some ground, behind the way so far (T1 to T8)."""
    figure = find(content, args, "figure", Figure)
    terrain = choice(args, "terrain", TERRAINS, "open")
    mode = choice(args, "mode", ("standard", "fast"), "standard")
    path = [dict(one) for one in objects(args, "path", 12)] if args.get("path") else []
    asked: dict[str, JSON] = {
        "skill": figure.skill,
        "mode": mode,
        "path": path,
        "carriers": whole(args, "carriers", 0, 2, 0),
        "crossings": {
            "hilly": whole(args, "hilly", 0, 20, 0),
            "building": whole(args, "building", 0, 20, 0),
        },
    }
    if mode == "fast":
        asked["passed"] = whole(args, "passed", 0, 2)
    answer = resolve(KEY, "movement", asked)
    left = Fraction(str(answer["left"]))
    if mode == "standard" and figure.move is not None:
        left += figure.move - answer["allowance"]  # the card overrides the rule (F7)
    each = resolve(
        KEY, "movement", {**asked, "path": [{"terrain": terrain, "inches": 1}]}
    )
    once = Fraction(str(each["cost"])) - _crossed(asked)
    reach = Fraction(max(Fraction(0), left), once)
    gone = [Number(0).read(one.get("inches"), "path") for one in path]
    cue = _inches([*gone, reach]) if gone else _inch_cue(reach)
    log = {"who": figure.name, "inches": _told(reach), "steps": answer["steps"]}
    return [_lit("stalker.move", cue, **log)]


def _crossed(asked: Mapping[str, JSON]) -> Fraction:
    """Return what the borders on the way cost."""
    return Fraction(str(resolve(KEY, "movement", {**asked, "path": []})["cost"]))


def show_range(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Light a weapon's range (F3)."""
    weapon = find(content, args, "weapon", Weapon)
    cue = _inch_cue(Fraction(weapon.range))
    return [_lit("stalker.range", cue, weapon=weapon.name, inches=weapon.range)]


def show_inches(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Light a distance of the rules: a group's, or how deep one deploys (G2, U4)."""
    what = choice(args, "what", ("group", "deployment"))
    inches = {"group": 2, "deployment": 6}[what]
    return [
        _lit("stalker.inches", _inch_cue(Fraction(inches)), what=what, inches=inches)
    ]


def show_sight(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Light how far one sees by night, in woods or in bad weather (S1 to S7)."""
    now = flow(content)
    names = ("woods", "woods_edge", "lit_target", "night_vision")
    asked: dict[str, JSON] = {name: flag(args, name) for name in names}
    asked |= {"night": now.night, "bad_weather": now.bad_weather, "inches": 0}
    answer = resolve(KEY, "line_of_sight", asked)
    limit = answer["limit"]
    cue = {"off": True} if limit is None else _inch_cue(Fraction(limit))
    return [_lit("stalker.sight", cue, inches=limit)]


def sight_trigger(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Say whether a moving enemy causes the in-sight test (R2, R6)."""
    names = ("seen_at_start", "seen_now", "in_range_at_start", "in_range_now")
    answer = resolve(KEY, "sight_trigger", {name: flag(args, name) for name in names})
    return [sheet_draft("stalker.trigger", steps=answer["steps"])]


def _lit(said: str, cue: Mapping[str, JSON], **log: JSON) -> Draft:
    draft = sheet_draft(said, **log)
    return replace(draft, data={**draft.data, "cue": dict(cue)})


def _inch_cue(inches: Fraction) -> dict[str, JSON]:
    """Return the cue of a length: its band where it has one."""
    band = BAND_OF.get(int(inches)) if inches == int(inches) else None
    return {"bands": [band]} if band else _inches([inches])


def _inches(lengths: Sequence[Fraction]) -> dict[str, JSON]:
    """Return the cue of lengths end to end."""
    shown = [float(MM_PER_INCH * one) for one in lengths if one > 0]
    if not shown:
        return {"off": True}
    return {"length_mm": shown[0]} if len(shown) == 1 else {"lengths_mm": shown}


def _told(inches: Fraction) -> str:
    """Return inches as a sentence shows them, to a tenth."""
    tenths = inches * 10 // 1
    return f"{tenths // 10}.{tenths % 10}" if tenths % 10 else str(tenths // 10)


def _draft(said: str, figure: Figure, **params: JSON) -> Draft:
    return sheet_draft(said, written(figure), who=figure.name, **params)
