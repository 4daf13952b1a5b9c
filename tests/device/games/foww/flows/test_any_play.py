"""Whatever is played through the flows, in any order: what must always hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from device.data.load import load_dice_set
from device.errors import BadInput, TableError
from device.games.foww.tokens import count_of, token_names
from device.table.army import Model
from device.table.codec import canonical, from_json, to_json
from device.table.events import Draft, parse_event
from device.table.fold import Fold, fold_events
from device.table.state import state_hash
from tests.device.games.foww.armies import Night
from tests.device.games.foww.flows.playing import BRUTE, HOUND, KNIGHT, PALADIN, Play

MODELS = (PALADIN, KNIGHT, BRUTE, HOUND)
BY_HAND = ("regular", "reaction", "burning", "frozen", "stunned", "luck", "ap")
FACES = {
    die.name: [face.key for face in load_dice_set("demo").dice[at].faces]
    for at, die in enumerate(load_dice_set("demo").dice)
}
NUMBERS = st.lists(st.integers(0, 10**6), max_size=50)


def step(play: Play, number: int) -> tuple[str, dict[str, Any]]:
    """Return one of the many things that people may do now."""
    kind, pick = number % 20, number // 20
    if kind == 0:
        change = 1 if pick % 3 else -1
        token = BY_HAND[pick % len(BY_HAND)]
        model = MODELS[pick // 7 % 4]
        return "token", {"model": model, "token": token, "change": change}
    if kind == 1:
        return ("undo", "redo", "flow_back", "flow_cancel", "close_check")[pick % 5], {}
    if kind == 2 and (fixed := corrected(play, pick)):
        return "correct_die", fixed
    return guided(play, pick)


def guided(play: Play, pick: int) -> tuple[str, dict[str, Any]]:
    running = play.content.sheet.get("flow") is not None
    view = play.view if running else None
    if view is None or view.asks == "over":
        offered = play.turn.beginnings
        one = offered[pick % len(offered)]
        args = {"kind": one.kind, "quick": one.quick, "override": pick % 11 == 0}
        return "flow_begin", args | ({"model": one.model} if one.model else {})
    if view.asks == "dice":
        check = play.content.check
        assert check is not None
        have = [die.die for die in check.roll.dice] if check.roll else []
        wanted = [w.die for w in check.wants for _ in range(w.count)]
        die = next(d for d in wanted if have.count(d) < wanted.count(d))
        return "enter_die", {"die": die, "face": FACES[die][pick % len(FACES[die])]}
    if view.asks == "number":
        return "flow_choose", {"number": view.low + pick % (view.high - view.low + 1)}
    if view.asks in ("choice", "several"):
        keys = [one.key for one in view.choices]
        chosen: Any = keys[pick % len(keys)] if keys else ""
        if view.asks == "several":
            chosen = [key for at, key in enumerate(keys) if pick >> at & 1]
        return "flow_choose", {"choose": chosen, "override": pick % 13 == 0}
    return ("flow_cancel" if view.asks == "stuck" else "flow_resume"), {}


def corrected(play: Play, pick: int) -> dict[str, Any]:
    for check in (play.content.check, play.content.last and play.content.last.check):
        if check is not None and check.roll is not None and check.roll.dice:
            die = check.roll.dice[pick % len(check.roll.dice)]
            face = FACES[die.die][pick // 5 % len(FACES[die.die])]
            return {"roll": check.roll.id, "die": die.id, "face": face}
    return {}


def played(numbers: list[int]) -> Iterator[Play]:
    """Play what is allowed, and give the table after every deed."""
    play = Play()
    for number in numbers:
        name, args = step(play, number)
        try:
            play.do(name, **args)
        except (TableError, BadInput):  # the model may be gone by undo
            continue
        yield play


@given(NUMBERS)
@settings(max_examples=30, deadline=None)
def test_no_play_breaks_what_must_hold(numbers: list[int]) -> None:
    for play in played(numbers):
        active = 0
        for unit, model in play.armies.models():
            for name in token_names(unit):
                assert count_of(unit, model, name) >= 0, name
            assert model.luck <= (unit.card.special.luck or 0)
            assert model.ap == 0 or model.active
            assert not (model.active and model.removed)
            armour = unit.card.power_armour
            most = (armour.endurance or 0) if armour else 0
            assert model.power_armour <= most
            for points, weapon in zip(model.criticals, unit.card.weapons, strict=True):
                assert points <= (weapon.critical_rating or 0)
            active += model.active
        assert active <= 1
        assert min(play.armies.mine, play.armies.search) >= 0
        mines = [key for key in play.content.sheet if key.startswith("mine:")]
        assert len(mines) == play.armies.mine


@given(NUMBERS)
@settings(max_examples=10, deadline=None)
def test_undo_of_any_suffix_and_replay_give_the_exact_state(
    numbers: list[int],
) -> None:
    play = Play()
    for play in played(numbers):  # noqa: B007 - the last one counts
        pass
    again = fold_events(parse_event(one.text()) for one in play.events)
    assert state_hash(again.state) == state_hash(play.fold.state)
    assert from_json(Fold, to_json(play.fold)) == play.fold
    for count in range(1, len(play.fold.past) + 1):
        seqs = [one.seq for one in reversed(play.fold.past)][:count]
        back = Night()
        back.fold, back.events = play.fold, []
        back.record(Draft("undone", {"seqs": seqs}))
        was = play.fold.past[-count].content
        assert canonical(back.fold.content) == canonical(was)


def lies(model: Model) -> int:
    return model.regular + model.radiation + model.power_armour


@given(
    st.sampled_from(FACES["black"]),
    st.sampled_from(FACES["black"]),
    st.sampled_from(["power_armour", "own_armour"]),
    st.sampled_from(FACES["armour"]),
    st.integers(0, 2),
    st.sampled_from([None, "luck", "blank"]),
)
@settings(max_examples=40, deadline=None)
def test_damage_is_neither_lost_nor_doubled(
    one: str, two: str, worn: str, die: str, before: int, token: str | None
) -> None:
    play = Play().act(BRUTE)
    for _ in range(before):
        play.do("token", model=PALADIN, token="power_armour", change=1)
    was = lies(play.model(PALADIN))
    play.begin("melee", BRUTE).say("0", PALADIN, "no", "no")
    play.roll(skill="8", black=f"{one},{two}").say("no", worn)
    if play.view.asks == "dice" and play.view.step == "armour":
        play.roll(armour=die)
    less = 0
    if play.view.step == "luck_toughness":
        play.say("yes" if token else "no")
        if token:
            play.roll(luck=token)
            less = int(token == "luck")
    told = [step for passed in play.view.told for step in passed.steps]
    taken = sum(s["params"]["taken"] for s in told if s["key"] == "armour_check.taken")
    paladin = play.model(PALADIN)
    assert lies(paladin) - was == taken - less
    assert paladin.regular == 0 or paladin.broken
