"""Commands about the fight that is going on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from device.errors import BadInput
from device.games.game import sheet_draft
from device.games.given import Args, flag, named, refuse, whole
from device.games.munchkin.bars import level_bars
from device.games.munchkin.players import KEY, level_change, with_player
from device.games.munchkin.sheet import (
    FIGHT,
    Fight,
    Monster,
    MonsterModifier,
    Player,
    fight,
    flow,
)
from device.games.sheet import entity, find, written
from device.rules.resolve import resolve
from device.table.codec import JSON, to_json
from device.table.events import Draft
from device.table.state import Content

MOST_MONSTERS: Final = 12
MOST_MODIFIERS: Final = 12


def begin(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Begin a fight."""
    if fight(content) is not None:
        raise refuse("fight_goes_on")
    player = find(content, args, "player", Player)
    if player.level >= 10:
        raise refuse("game_won")
    return [_draft("munchkin.fight", Fight(player.id), who=player.name)]


def add_monster(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Bring a monster into the fight."""
    now = _current(content)
    if len(now.monsters) >= MOST_MONSTERS:
        raise refuse("token_limit")
    monster = Monster(
        id=f"m{seq}",
        name=named(args, default=""),
        strength=whole(args, "strength", -99, 999),
        treasures=whole(args, "treasures", 1, 20, 1),
        levels=whole(args, "levels", 0, 9, 1),
        radiation=whole(args, "radiation", 0, 20, 0),
    )
    after = replace(now, monsters=(*now.monsters, monster))
    return [
        _draft("munchkin.monster", after, name=monster.name, strength=monster.strength)
    ]


def modify_monster(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Play a monster modifier on one monster: +10, +5 or -5 (C4, C5)."""
    now, monster = _monster(content, args)
    if len(monster.modifiers) >= MOST_MODIFIERS:
        raise refuse("token_limit")
    value, treasures = whole(args, "value", -5, 10), whole(args, "treasures", -9, 9, 0)
    played = MonsterModifier(value, treasures)
    after = _with_monster(now, replace(monster, modifiers=(*monster.modifiers, played)))
    try:
        _ask(
            content, after
        )  # the rules refuse other values, and treasures against them
    except BadInput as error:
        raise BadInput(str(error), error.field.rpartition(".")[2]) from error
    return [_draft("munchkin.modifier", after, name=monster.name, value=value)]


def remove_monster(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Take a monster out of the fight without killing it (C6, C7), or back in."""
    now, monster = _monster(content, args)
    changed = replace(
        monster,
        removed=flag(args, "removed", True),
        treasures_on_win=flag(args, "treasures_on_win"),
    )
    said = "munchkin.monster_gone" if changed.removed else "munchkin.monster_back"
    return [_draft(said, _with_monster(now, changed), name=monster.name)]


def ask_helper(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Let another player help, or nobody with ``player`` left out."""
    now = _current(content)
    if args.get("player") is None:
        return [_draft("munchkin.alone", replace(now, helper=""))]
    helper = find(content, args, "player", Player)
    if helper.id == now.player:
        raise BadInput("nobody helps in the own fight", "player")
    if helper.level >= 10:
        raise refuse("game_won")
    return [_draft("munchkin.helper", replace(now, helper=helper.id), who=helper.name)]


def fight_bonus(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Add a bonus or penalty until the end of the fight (C8)."""
    now = _current(content)
    change = whole(args, "change", -50, 50)
    after = replace(now, bonus=now.bonus + change)
    return [_draft("munchkin.bonus", after, change=change)]


def decide_fight(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Compare the strengths; a kill gives its levels at once (C1, V2 to V4)."""
    now = _current(content)
    if not now.monsters:
        raise refuse("no_monsters")
    answer = _ask(content, now)
    after = replace(now, outcome=answer["outcome"])
    set_: dict[str, JSON] = {FIGHT: to_json(after)}
    player = entity(content, now.player, Player)
    assert player is not None  # a fight ends with its player
    steps, cue = list(answer["steps"]), None
    if answer["outcome"] == "kill":
        won = level_change(player, answer["levels"], "kill")
        player = replace(player, level=won["level"])
        steps += won["steps"]
        set_ |= written(player)
        agreed = flow(content)
        if won["won"]:
            set_ |= written(replace(agreed, winner=player.id))
        cue = level_bars(with_player(content, player)) if agreed.bars else None
    draft = sheet_draft(
        f"munchkin.{answer['outcome']}",
        set_,
        who=player.name,
        level=player.level,
        treasures=answer["treasures"],
        steps=steps,
    )
    return [draft if cue is None else replace(draft, data={**draft.data, "cue": cue})]


def end_fight(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Leave the fight behind: what acted until its end is discarded (C8)."""
    if fight(content) is None:
        raise refuse("no_fight")
    return [sheet_draft("munchkin.fight_over", drop=[FIGHT])]


def strengths(content: Content) -> dict[str, Any] | None:
    """Return what the rules say of the fight as it stands; None without monsters."""
    now = fight(content)
    return _ask(content, now) if now is not None and now.monsters else None


def _ask(content: Content, now: Fight) -> dict[str, Any]:
    sides = []
    for key in (now.player, now.helper):
        player = entity(content, key, Player)
        if player is not None:
            bonuses = list(player.bonuses)
            if key == now.player and now.bonus:
                bonuses.append(now.bonus)
            level = min(player.level, 9)  # who has won may look on, not fight
            sides.append({"id": player.id, "level": level, "bonuses": bonuses})
    monsters = [_as_asked(monster) for monster in now.monsters]
    return resolve(KEY, "combat", {"players": sides, "monsters": monsters})


def _as_asked(monster: Monster) -> dict[str, JSON]:
    asked: dict[str, JSON] = to_json(monster)
    for name in ("name", "radiation"):
        del asked[name]
    return asked


def _current(content: Content) -> Fight:
    now = fight(content)
    if now is None:
        raise refuse("no_fight")
    if now.outcome:
        raise refuse("fight_decided")
    return now


def _monster(content: Content, args: Args) -> tuple[Fight, Monster]:
    now = _current(content)
    for monster in now.monsters:
        if monster.id == args.get("monster"):
            return now, monster
    raise BadInput(f"there is no monster {args.get('monster')!r}", "monster")


def _with_monster(now: Fight, changed: Monster) -> Fight:
    monsters = (changed if one.id == changed.id else one for one in now.monsters)
    return replace(now, monsters=tuple(monsters))


def _draft(said: str, now: Fight, **params: JSON) -> Draft:
    return sheet_draft(said, {FIGHT: to_json(now)}, **params)
