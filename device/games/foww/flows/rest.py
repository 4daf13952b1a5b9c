"""Everything else that a model does: overwatch, skills, searching, items.

Source: rulebook 2PB-002-111 §3.1 p.28, §3.2 p.29-31, §3.3 p.32-34, §4.4 p.41.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from device.games.foww.flows.acting import (
    Actor,
    activation,
    circumstances,
    contacts,
    part,
    rating_of,
    ruler_of,
    spend,
    touch,
)
from device.games.foww.flows.ask import (
    NO,
    YES,
    Script,
    amount,
    choose,
    go_on,
    is_so,
    pick,
    several,
    throw,
)
from device.games.foww.flows.engine import Flow
from device.games.foww.flows.react import Provoked, reactions
from device.games.foww.flows.scene import Scene, card
from device.games.foww.flows.turn import tick
from device.games.foww.flows.view import Choice
from device.games.foww.readings import choosable, points
from device.rules.foww.activation import condition_event
from device.rules.foww.checks import FAILING_FACES, modified_rating, skill_check
from device.rules.foww.damage import heal
from device.rules.foww.items import Item, Lender, User, item_use
from device.rules.foww.opposed import Side
from device.rules.foww.scavenging import DRAW_WITHOUT_CHECK, SKILL_OF_FACE, search_token
from device.table.cards import ItemCard
from device.table.codec import JSON, to_json

SKILLS: Final = ("computers", "lockpick", "search", "presence")
MARKERS: Final = ("blank", "number", "search_marker")
MOST_TOKENS: Final = 20


def overwatch(s: Scene, actor: Actor) -> Script[None]:
    """Take a reaction token."""
    spend(s, actor, "overwatch")
    s.change(actor.model, reaction=1)
    if any(s.unit(one.id).card.kind == "turret" for one in s.enemies(actor.model)):
        yield from reactions(s, actor, Provoked("overwatch"))


# --- Non-combat skills and searching --------------------------------------------------


def skill(s: Scene, actor: Actor) -> Script[None]:
    """Use a non-combat skill on something on the table."""
    who = s.thing(actor.model)
    locked = bool(s.entry("locked"))
    choices = [
        Choice(one, why_not="locked_out" if one == "computers" and locked else "")
        for one in SKILLS
    ]
    name = yield from choose("which_skill", choices, who=who)
    if name == "presence":
        s.light((yield from ruler_of(s, actor.model, "presence")))
    elif not (yield from is_so("interact", who=who)):
        return
    spend(s, actor, "skill")
    face = yield from _try(s, actor, name)
    if name == "computers" and face in FAILING_FACES and not _never_locked(s, actor):
        s.write("locked", {"side": s.unit(actor.model).side})
    if not actor.silent:
        yield from reactions(s, actor, Provoked("noncombat"))


def _try(s: Scene, actor: Actor, name: str) -> Script[str]:
    """Throw for a skill and return the face of the skill die."""
    printed = yield from rating_of(s, actor.model, name)
    terms = circumstances(s, actor)
    rated = modified_rating(printed, **terms)
    asked = {"check": "skill_check", "rating": printed, **terms}
    dice = yield from throw("check", asked, who=s.thing(actor.model), skill=name)
    face = dice.face("skill") or "x"
    check = skill_check(rated.rating, face, quick_action=actor.quick)
    s.note(check)
    model = s.model(actor.model)
    if check.ap and model.active and not actor.quick:
        s.change(actor.model, ap=model.ap + check.ap)
    return face


def _never_locked(s: Scene, actor: Actor) -> bool:
    return "never_locked_out" in s.unit(actor.model).card.abilities


def search(s: Scene, actor: Actor) -> Script[None]:
    """Look at a search token, and resolve it."""
    who = s.thing(actor.model)
    engaged = bool(contacts(s, actor.model))
    near = yield from is_so("interact", who=who)
    faces = (*DRAW_WITHOUT_CHECK, *SKILL_OF_FACE)
    face = yield from pick("token_face", faces, who=who)
    needs = SKILL_OF_FACE.get(face)
    side = None
    if needs and near and not engaged:
        locked = needs == "computers" and s.entry("locked")
        spent = actor.pays and not activation(s, actor.model)["actions"]
        why_not = "locked_out" if locked else "no_actions" if spent else ""
        yes = Choice(YES, why_not=why_not)
        tries = yield from choose(
            "take_check", [yes, Choice(NO)], skip=NO, who=who, skill=needs
        )
        if tries == YES:
            spend(s, actor, "skill")
            shown = yield from _try(s, actor, needs)
            printed = yield from rating_of(s, actor.model, needs)
            rating = modified_rating(printed, **circumstances(s, actor)).rating
            side = Side(rating, shown)
    never = _never_locked(s, actor)
    if needs == "search":
        s.open.append("O31")
    answer = search_token(face, near, engaged, side, never_locked_out=never)
    s.note(answer)
    if answer.locked_out:
        s.write("locked", {"side": s.unit(actor.model).side})
    for drawn in answer.draw:
        yield from go_on("draw", card=f"draw_{drawn}")
    if not answer.token_stays:
        s.set_table(search=max(0, s.armies.search - 1))
    if side is not None and not actor.silent:
        yield from reactions(s, actor, Provoked("noncombat"))


def investigate(s: Scene, actor: Actor) -> Script[None]:
    """Look at an investigation token, free and in secret; say only what changes."""
    s.light((yield from ruler_of(s, actor.model, "awareness")))
    shown = yield from pick("marker", MARKERS, who=s.thing(actor.model))
    if shown == "search_marker":
        s.set_table(
            investigation=max(0, s.armies.investigation - 1),
            search=s.armies.search + 1,
        )


# --- Items ----------------------------------------------------------------------------


def item(s: Scene, actor: Actor) -> Script[None]:
    """Use an item of one's own, or a consumable of a friend."""
    who = s.thing(actor.model)
    friends = [one for one in s.friends(actor.model) if any(one.items)]
    owner = actor.model
    if friends:
        lenders = [Choice(one.id, s.thing(one.id)) for one in friends]
        own = [Choice(actor.model, who)] if s.unit(actor.model).card.items else []
        owner = yield from choose("lender", [*own, *lenders])
    shared = None
    if owner != actor.model:
        s.light(s.reading("O20"))
        words: dict[str, Any] = {"who": who, "lender": s.thing(owner)}
        near = yield from is_so("sharing", **words)
        distance = Fraction(0 if near else 2)
        engaged = bool(contacts(s, owner))
        shared = Lender(distance, Fraction(1), engaged=engaged, los=near)
    place = yield from _which(s, actor, owner, shared)
    yield from _use(s, actor, owner, place)


def _which(s: Scene, actor: Actor, owner: str, shared: Lender | None) -> Script[int]:
    carried = s.unit(owner).card.items
    left = s.model(owner).items
    choices = [
        Choice(
            str(at),
            card(one.item.name),
            why_not=_refused(s, actor, one.item, shared) if left[at] else "no_token",
        )
        for at, one in enumerate(carried)
    ]
    return int((yield from choose("which_item", choices, who=s.thing(actor.model))))


def _refused(s: Scene, actor: Actor, one: ItemCard, shared: Lender | None) -> str:
    unit = s.unit(actor.model)
    cards = s.entry(f"items:{actor.model}").get("cards", ())
    kind = "robot" if unit.card.robot else unit.card.kind or "human"
    user = User(
        type=kind,
        engaged=bool(contacts(s, actor.model)),
        unit_size=len(unit.models),
        decaying_active=any(
            c["duration"] == "decaying" and c["state"] == "active" for c in cards
        ),
        consumables_this_action=int(_used_one(s, actor.model)),
    )
    asked = Item(
        category=one.category or "gear",
        consumable=one.consumable is not False,
        duration=one.duration or None,
        dog_ok=one.dogs,
    )
    return item_use(user, asked, shared).reason or ""


def _used_one(s: Scene, model: str) -> bool:
    """Say whether an item was used since the last action: one with each, §3.3 p.32."""
    act = activation(s, model)
    return bool(act.get("item") == act["actions"])


def _use(s: Scene, actor: Actor, owner: str, place: int) -> Script[None]:
    carried = s.unit(owner).card.items[place].item
    named: dict[str, Any] = {"item": card(carried.name), "who": s.thing(actor.model)}
    duration = carried.duration or s.known(f"{carried.name.any}:duration")
    if duration is None:
        kinds = ("instant", "fixed", "decaying")
        duration = yield from pick("fact.duration", kinds, **named)
        s.learn(f"{carried.name.any}:duration", duration)
    if carried.consumable is not False:
        left = list(s.model(owner).items)
        left[place] -= 1
        s.change(owner, items=tuple(left))
    act = activation(s, actor.model)
    s.write("act", act | {"item": act["actions"]})
    yield from _effect(s, actor.model, carried, named)
    lasting: dict[str, JSON] = {
        "name": to_json(carried.name),
        "state": "active",
        "duration": duration,
        "printed": carried.tokens,
        "tokens": 0,
        "columns": [dict(column) for column in carried.columns],
        "hidden": 0,
        "addiction": carried.addiction,
        "addicted": dict(carried.addicted),
    }
    if duration == "decaying" and not carried.columns:
        count = yield from amount("decaying", 1, MOST_TOKENS, 3, **named)
        lasting["columns"] = [{} for _ in range(count)]
    after = yield from tick(s, actor.model, lasting, "use")
    if after is not None:
        key = f"items:{actor.model}"
        cards = [*s.entry(key).get("cards", ()), after]
        s.write(key, {"cards": cards})


def _effect(
    s: Scene, model: str, carried: ItemCard, named: Mapping[str, Any]
) -> Script[None]:
    """Heal, cure and boost as the card says."""
    points = carried.heals
    if points is None and carried.cures in ("stimpak", "robot_repair_kit"):
        fact = f"{carried.name.any}:heals"
        points = s.known(fact)
        if points is None:
            points = yield from amount("heal", 0, MOST_TOKENS, 1, **named)
            s.learn(fact, points)
    for kind, healed in (("regular", points), ("radiation", carried.heals_radiation)):
        if healed:
            now = s.model(model)
            answer = heal(now.regular, now.radiation, kind, healed)
            s.note(answer)
            s.change(model, regular=answer.regular, radiation=answer.radiation)
    if carried.cures:
        cured = condition_event(
            "cure",
            s.model(model).conditions,
            item=carried.cures,
            robot=s.unit(model).card.robot,
        )
        s.note(cured)
        s.change(model, conditions=cured.conditions)
    if carried.boost:
        s.change(model, boost=carried.boost)


def readings(s: Scene, flow: Flow) -> Script[None]:
    """Choose how an unclear place of the rulebook is read at this table."""
    names = [point.id for point in choosable()]
    point = yield from pick("reading_point", names)
    chosen = yield from pick("reading", points()[point].readings, point=point)
    s.write("readings", s.entry("readings") | {point: chosen})


def touching(s: Scene, actor: Actor) -> Script[None]:
    """Say whom a model touches, where the table shows it otherwise than was noted."""
    enemies = [Choice(one.id, s.thing(one.id)) for one in s.enemies(actor.model)]
    near = yield from several("touching", enemies, who=s.thing(actor.model))
    part(s, actor.model)
    for enemy in near:
        touch(s, actor.model, enemy)


def collect(s: Scene, actor: Actor) -> Script[None]:
    """Lay a charge beside a charged weapon, as its card says when."""
    cards = s.unit(actor.model).card.weapons
    keys = [str(at) for at, one in enumerate(cards) if one.charges]
    choices = [Choice(key, card(cards[int(key)].name)) for key in keys]
    key = yield from choose("loaded_weapon", choices, who=s.thing(actor.model))
    entry = s.entry(f"charged:{actor.model}")
    count = min(cards[int(key)].charges, int(entry.get(key, 0)) + 1)
    s.write(f"charged:{actor.model}", entry | {key: count})
