"""Skill checks and armour checks: what each asks of the dice, and what comes of it.

1. Opening one reads what a player entered, has the rules sum the modifiers and cap
   the pool, and says which dice to throw.
2. Resolving it turns the faces into the rules' question and returns their answer.

The rules check every value; here only names are translated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from device.errors import BadInput
from device.games.game import Answer, Args, CheckKind, Resolve
from device.rules.dice import EFFECT_COLOURS, face_icons
from device.rules.resolve import resolve
from device.table.codec import JSON, freeze
from device.table.state import Check, Content, RolledDie, Want

GAME: Final = "foww"

RATING_FIELDS: Final = (
    "rating",
    "bonus",
    "specialisation",
    "quick_action",
    "attack",
    "cover",
    "ranged_weapon_in_melee",
    "charge_reaction",
    "into_melee",
    "target_stunned",
    "injured_arm",
    "frozen",
)
"""Arguments of a skill check that the kind `rating` sums up."""

POOL_FIELDS: Final = ("dice", "melee")
"""Arguments that the kind `dice_pool` turns into effect dice."""

SKILL_FIELDS: Final = ("quick_action", "result_modifier")
"""Arguments that `skill_check` and `attack` take as they are."""

ATTACK_FIELDS: Final = ("has_critical", "crit_tokens", "target", "critical_attack")
"""Arguments that only an attack (a check with a weapon) takes."""

ARMOUR_FIELDS: Final = (
    "amount",
    "rating",
    "sturdy",
    "cover",
    "penetration",
    "boost_icons",
    "ignore_armour",
)
"""Arguments of an armour check, as the kind `armour_check` names them."""

DAMAGE_TYPES: Final = ("physical", "energy", "radiation")


# --- Skill checks and attacks ------------------------------------------------------


def _open_skill_check(
    content: Content, args: Args, check_id: str
) -> tuple[Check, Answer]:
    known = ("check", "weapon", *RATING_FIELDS, *POOL_FIELDS, *SKILL_FIELDS)
    _refuse_unknown(args, (*known, *ATTACK_FIELDS))
    rated = resolve(GAME, "rating", _some(args, RATING_FIELDS))
    pool = _pool(args)
    check = Check(
        id=check_id,
        kind="skill_check",
        given=freeze({**args, "armour_bonus": rated["target_armour_bonus"]}),
        wants=_skill_wants(pool["pool"], skill=not _is_critical(args))
        if rated["can_attempt"]
        else (),
        rating=rated["rating"],
        notes=freeze([*rated["steps"], *pool["steps"]]),
    )
    if args.get("weapon") is None:
        for name in ATTACK_FIELDS:
            if name in args:
                raise BadInput("only an attack with a weapon takes this", name)
    # The rules look at every remaining argument now, not only once dice have fallen.
    _ask_skill(check, None if _is_critical(args) else "2", ())
    return _opened(content, check, _resolve_skill)


def _is_critical(args: Args) -> bool:
    """Say whether it is a critical attack, which throws no skill die (§6.3 p.53)."""
    return args.get("critical_attack") is True


def _skill_wants(pool: Mapping[str, int], *, skill: bool) -> tuple[Want, ...]:
    effects = (Want(colour, pool[colour]) for colour in EFFECT_COLOURS if pool[colour])
    return (*((Want("skill", 1),) if skill else ()), *effects)


def _pool(args: Mapping[str, JSON]) -> dict[str, Any]:
    """Return the effect dice, capped, naming a fault by the player's own field."""
    given: dict[str, JSON] = {
        "sources": [{"name": "check", "dice": args.get("dice", {})}]
    }
    if "melee" in args:
        given["melee"] = args["melee"]
    try:
        return resolve(GAME, "dice_pool", given)
    except BadInput as error:
        field = error.field.replace("sources[0].dice", "dice")
        raise BadInput(str(error), field) from error


def _resolve_skill(content: Content, check: Check, dice: Sequence[RolledDie]) -> Answer:
    skill = next((die.face for die in dice if die.die == "skill"), None)
    effects = tuple(die for die in dice if die.die in EFFECT_COLOURS)
    kind, answer = _ask_skill(check, skill, effects)
    return Answer(
        result=_result(check, kind, answer),
        offer=_armour_offer(check, answer) if kind == "attack" else None,
    )


def _ask_skill(
    check: Check, skill: str | None, effects: Sequence[RolledDie]
) -> tuple[str, dict[str, Any]]:
    """Ask the rules about a skill check; with a weapon, about the attack."""
    question: dict[str, JSON] = {
        "rating": check.rating,
        "effects": [
            {"die": die.die, "icons": list(face_icons(die.face or ""))}
            for die in effects
        ],
        **_some(check.given, SKILL_FIELDS),
    }
    if skill is not None:
        question["skill"] = skill
    weapon = check.given.get("weapon")
    if weapon is None or check.rating is None:
        return "skill_check", resolve(GAME, "skill_check", question)
    question |= {"weapon": _weapon(weapon), **_some(check.given, ATTACK_FIELDS)}
    return "attack", resolve(GAME, "attack", question)


def _weapon(weapon: JSON) -> JSON:
    """Return a weapon as the rules want it.

    ``{"damage": 3, "type": "energy"}`` is short for one kind of damage and no
    critical gauge.
    """
    if not isinstance(weapon, Mapping):
        raise BadInput("expected a weapon with damage and type", "weapon")
    weapon = dict(weapon)
    if isinstance(weapon.get("damage"), list | tuple):
        return {"crit_rating": None, **_plain(weapon)}
    if "damage" not in weapon:
        raise BadInput("how much damage does the weapon do?", "weapon.damage")
    damage, kind = weapon.pop("damage"), weapon.pop("type", "physical")
    if isinstance(damage, bool) or not isinstance(damage, int) or damage < 0:
        raise BadInput("expected a whole number, 0 or more", "weapon.damage")
    if kind not in DAMAGE_TYPES:
        raise BadInput(f"expected one of {', '.join(DAMAGE_TYPES)}", "weapon.type")
    damages = [{"type": kind, "value": damage}]
    return {"damage": damages, "crit_rating": None, **_plain(weapon)}


def _armour_offer(check: Check, answer: Mapping[str, Any]) -> Mapping[str, JSON] | None:
    """Return the armour check that a hit asks of its target."""
    harm = next((entry for entry in answer["damage"] if entry["amount"] > 0), None)
    if harm is None:
        return None
    return {
        "check": "armour_check",
        "amount": harm["amount"],
        "type": harm["type"],
        "penetration": answer["penetration"],
        "cover": check.given["armour_bonus"],
    }


# --- Armour checks -----------------------------------------------------------------


def _open_armour_check(
    content: Content, args: Args, check_id: str
) -> tuple[Check, Answer]:
    _refuse_unknown(args, ("check", "type", *ARMOUR_FIELDS))
    if args.get("type") not in (None, *DAMAGE_TYPES):
        raise BadInput(f"expected one of {', '.join(DAMAGE_TYPES)}", "type")
    question = _some(args, ARMOUR_FIELDS)
    try:
        resolve(GAME, "armour_check", question)
        wants: tuple[Want, ...] = ()
    except BadInput as error:
        if error.field != "die":
            raise
        # A well-formed question that lacks nothing but its die: so throw it.
        wants = (Want("armour", 1),)
    faced = resolve(GAME, "armour_check", question | {"die": "1"})
    check = Check(
        id=check_id,
        kind="armour_check",
        given=freeze(dict(args)),
        wants=wants,
        rating=faced["effective_rating"],
    )
    return _opened(content, check, _resolve_armour)


def _resolve_armour(
    content: Content, check: Check, dice: Sequence[RolledDie]
) -> Answer:
    question = _some(check.given, ARMOUR_FIELDS)
    if dice:
        question["die"] = dice[0].face
    answer = resolve(GAME, "armour_check", question)
    return Answer(result=_result(check, "armour_check", answer))


# --- Single dice and tosses ---------------------------------------------------------


def _open_single(content: Content, args: Args, check_id: str) -> tuple[Check, Answer]:
    """Ask for one die whose meaning the one who asks knows: a fall, addiction."""
    _refuse_unknown(args, ("check", "die"))
    if args.get("die") not in ("armour", *EFFECT_COLOURS):
        known = ", ".join(("armour", *EFFECT_COLOURS))
        raise BadInput(f"expected one of {known}", "die")
    return _thrown("single", args, check_id, str(args["die"])), Answer()


def _open_toss(content: Content, args: Args, check_id: str) -> tuple[Check, Answer]:
    """Ask for the toss of a luck token (§6.2 p.52)."""
    _refuse_unknown(args, ("check",))
    return _thrown("toss", args, check_id, "luck"), Answer()


def _thrown(kind: str, args: Args, check_id: str, die: str) -> Check:
    return Check(check_id, kind, freeze(dict(args)), (Want(die, 1),))


def _resolve_single(
    content: Content, check: Check, dice: Sequence[RolledDie]
) -> Answer:
    face = dice[0].face
    has_icons = dice[0].die in EFFECT_COLOURS
    icons = list(face_icons(face or "")) if has_icons else []
    return Answer(
        result={"kind": check.kind, "face": face, "icons": icons, "steps": []}
    )


def is_guided(check: Check) -> bool:
    """Say whether a flow asked for a check: then the flow gives out what follows."""
    return "." in check.id  # ``f17.c18``; a check by hand is ``c18``


# --- Shared ------------------------------------------------------------------------

CHECKS: Final[Mapping[str, CheckKind]] = MappingProxyType(
    {
        "skill_check": CheckKind(_open_skill_check, _resolve_skill),
        "armour_check": CheckKind(_open_armour_check, _resolve_armour),
        "single": CheckKind(_open_single, _resolve_single),
        "toss": CheckKind(_open_toss, _resolve_single),
    }
)
"""Every kind of check of this game."""


def _opened(
    content: Content, check: Check, resolve_it: Resolve
) -> tuple[Check, Answer]:
    """Return a new check, at once resolved where it needs no dice."""
    if check.wants:
        return check, Answer()
    answer = resolve_it(content, check, ())
    return replace(check, status="resolved"), answer


def _result(check: Check, kind: str, answer: Mapping[str, Any]) -> Mapping[str, JSON]:
    return {"kind": kind, **answer, "steps": [*check.notes, *answer["steps"]]}


def _some(args: Mapping[str, JSON], names: Sequence[str]) -> dict[str, JSON]:
    return {name: args[name] for name in names if name in args}


def _plain(args: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return frozen JSON as plain dicts and lists again, which the rules read."""
    return {
        key: _plain(value)
        if isinstance(value, Mapping)
        else [_plain(v) if isinstance(v, Mapping) else v for v in value]
        if isinstance(value, tuple)
        else value
        for key, value in args.items()
    }


def _refuse_unknown(args: Mapping[str, JSON], known: Sequence[str]) -> None:
    for name in args:
        if name not in known:
            raise BadInput("this check does not take such an argument", name)
