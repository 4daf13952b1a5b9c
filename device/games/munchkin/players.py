"""Commands about the players: levels, cards, items, companions, traps, turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from device.errors import BadInput
from device.games.game import sheet_draft
from device.games.given import Args, choice, flag, named, refuse, whole, whole_or_none
from device.games.munchkin.bars import level_bars
from device.games.munchkin.sheet import (
    SLOTS,
    Flow,
    Item,
    Player,
    fight,
    flow,
    players,
)
from device.games.sheet import find, written
from device.rules.resolve import resolve
from device.table.codec import JSON
from device.table.events import Draft
from device.table.state import Content

KEY: Final = "munchkin"

MOST_PLAYERS: Final = 6
"""The box is for three to six (P2)."""

WINNING: Final = 10

COUNTERS: Final = {"hand": (0, 99), "bonus": (-99, 99), "radiation": (0, 99)}
"""Counters of a player that are set by hand, with their limits."""


def add_player(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Let a player join: at the start level, with the first hand."""
    everybody = players(content)
    if len(everybody) >= MOST_PLAYERS:
        raise refuse("no_room")
    agreed = flow(content)
    dealt = resolve(KEY, "setup", {"players": 3})
    player = Player(
        id=f"player:{seq}",
        name=named(args),
        level=agreed.start_level,
        hand=dealt["doors_each"] + dealt["treasures_each"],
    )
    draft = _draft("munchkin.joined", player, seq)
    return [_lit(draft, content, (*everybody, player))]


def remove_player(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Take a player off the table."""
    player = find(content, args, "player", Player)
    left = [one for one in players(content) if one.id != player.id]
    agreed, drop = flow(content), [player.id]
    fought = fight(content)
    if fought is not None and player.id in (fought.player, fought.helper):
        drop.append("fight")
    if agreed.turn == player.id:
        agreed = replace(agreed, turn="")
    draft = sheet_draft(
        "munchkin.left", written(agreed), drop, who=player.name, player=player.id
    )
    return [_lit(draft, content, left)]


def level(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Change a player's level: never below 1, the last one only by a kill."""
    player = find(content, args, "player", Player)
    source = choice(args, "source", ("kill", "card", "other"), "other")
    answer = level_change(player, whole(args, "change", -9, 9), source)
    return [_levelled(content, player, answer)]


def level_change(player: Player, change: int, source: str) -> dict[str, Any]:
    """Return what the rules say of a change of level.

    Raises:
        TableError: The player has won already.
    """
    if player.level >= WINNING:
        raise refuse("game_won")
    given = {"level": player.level, "change": change, "source": source}
    return resolve(KEY, "level", given)


def _levelled(content: Content, player: Player, answer: Mapping[str, Any]) -> Draft:
    """Return the event of a new level, with the bars."""
    after = replace(player, level=answer["level"])
    set_ = written(after)
    if answer["won"]:
        set_ |= written(replace(flow(content), winner=player.id))
    draft = sheet_draft(
        "munchkin.level",
        set_,
        who=player.name,
        level=answer["level"],
        change=answer["change"],
        steps=answer["steps"],
    )
    return _lit(draft, content, with_player(content, after))


def with_player(content: Content, changed: Player) -> tuple[Player, ...]:
    """Return everybody, one of them changed."""
    return tuple(changed if one.id == changed.id else one for one in players(content))


def count(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Put one more or less on a counter: hand, other bonuses, radiation penalty."""
    player = find(content, args, "player", Player)
    what = choice(args, "what", tuple(COUNTERS))
    change = whole(args, "change", -20, 20)
    low, high = COUNTERS[what]
    value = max(low, min(high, getattr(player, what) + change))
    if value == getattr(player, what):
        raise refuse("no_token" if change < 0 else "token_limit")
    after = replace(player, **{what: value})
    return [_draft("munchkin.count", after, seq, what=what, value=value)]


# --- Items -------------------------------------------------------------------------


def add_item(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Put an item before a player."""
    player = find(content, args, "player", Player)
    item = Item(
        id=f"i{seq}",
        name=named(args),
        slot=choice(args, "slot", SLOTS, "none"),
        bonus=whole(args, "bonus", -20, 20, 0),
        price=whole(args, "price", 0, 100_000, 0),
        big=flag(args, "big"),
        one_shot=flag(args, "one_shot"),
        in_use=flag(args, "in_use"),
    )
    after = replace(player, items=(*player.items, item))
    return [_item_draft("munchkin.item", after, item)]


def use_item(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Use an item, or put it into the backpack."""
    player, item = _owned(content, args)
    fought = fight(content)
    if fought is not None and not fought.outcome:
        raise refuse("no_swap_in_fight")
    changed = replace(item, in_use=flag(args, "in_use", not item.in_use))
    said = "munchkin.used" if changed.in_use else "munchkin.stowed"
    return [_item_draft(said, _with_item(player, changed), changed)]


def drop_item(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Take an item out of play."""
    player, item = _owned(content, args)
    left = tuple(one for one in player.items if one.id != item.id)
    return [_item_draft("munchkin.dropped", replace(player, items=left), item)]


def sell(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Sell items in play, and cards in hand, for levels."""
    player = find(content, args, "player", Player)
    if player.level >= WINNING:
        raise refuse("game_won")
    wanted = args.get("items", ())
    if not isinstance(wanted, list | tuple) or len(set(wanted)) < len(wanted):
        raise BadInput("expected a list of different items", "items")
    known = {item.id: item for item in player.items}
    for at, one in enumerate(wanted):
        if one not in known:
            raise BadInput(f"there is no item {one!r}", f"items[{at}]")
    caps = whole(args, "caps", 0, 100_000, 0)
    values = [known[one].price for one in wanted] + ([caps] if caps else [])
    if not values:
        raise BadInput("nothing to sell", "items")
    fought = fight(content)
    given = {
        "level": player.level,
        "values": values,
        "own_turn": flow(content).turn in ("", player.id),
        "in_combat": fought is not None and not fought.outcome,
    }
    answer = resolve(KEY, "sell", given)
    if not answer["allowed"]:
        raise refuse(f"sale_{answer['reasons'][0]}")
    left = tuple(item for item in player.items if item.id not in wanted)
    after = replace(player, items=left, level=answer["level"])
    draft = sheet_draft(
        "munchkin.sold",
        written(after),
        who=player.name,
        level=after.level,
        caps=answer["total"],
        steps=answer["steps"],
    )
    return [_lit(draft, content, with_player(content, after))]


def item_problems(player: Player) -> tuple[str, ...]:
    """Return what the rules find wrong with a player's items (I2, I4, I5)."""
    rows = [
        {
            "id": item.id,
            "slot": item.slot,
            "big": item.big,
            "in_use": item.in_use,
            "one_shot": item.one_shot,
        }
        for item in player.items
    ]
    return tuple(resolve(KEY, "items", {"items": rows})["problems"])


def _owned(content: Content, args: Args) -> tuple[Player, Item]:
    player = find(content, args, "player", Player)
    for item in player.items:
        if item.id == args.get("item"):
            return player, item
    raise BadInput(f"there is no item {args.get('item')!r}", "item")


def _with_item(player: Player, changed: Item) -> Player:
    items = (changed if one.id == changed.id else one for one in player.items)
    return replace(player, items=tuple(items))


def _item_draft(said: str, player: Player, item: Item) -> Draft:
    return sheet_draft(said, written(player), who=player.name, item=item.name)


# --- Companions, traps, death ------------------------------------------------------


def companion(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Play a companion, or discard it with an empty name; one at a time (N1)."""
    player = find(content, args, "player", Player)
    name = named(args, default="")
    if not name and not player.companion:
        raise refuse("no_companion")
    said = "munchkin.companion" if name else "munchkin.companion_left"
    shown = name or player.companion
    return [_draft(said, replace(player, companion=name), seq, name=shown)]


def trap(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Put a lasting trap on a player, or end it with ``over``."""
    player = find(content, args, "player", Player)
    name = named(args)
    if not flag(args, "over"):
        after = replace(player, traps=(*player.traps, name))
        return [_draft("munchkin.trap", after, seq, name=name)]
    if name not in player.traps:
        raise BadInput(f"no trap {name!r} acts on this player", "name")
    at = player.traps.index(name)
    after = replace(player, traps=player.traps[:at] + player.traps[at + 1 :])
    return [_draft("munchkin.trap_over", after, seq, name=name)]


def irradiate(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Put the card of gradual irradiation on a player, or cure it with ``over``."""
    player = find(content, args, "player", Player)
    over = flag(args, "over")
    said = "munchkin.cured" if over else "munchkin.irradiated"
    radiation = 0 if over else player.radiation
    after = replace(player, irradiated=not over, radiation=radiation)
    return [_draft(said, after, seq)]


def die(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """A player dies: companion and traps go (N3, L4); the rest is done by hand."""
    player = find(content, args, "player", Player)
    return [_draft("munchkin.died", dead(player), seq)]


def dead(player: Player) -> Player:
    """Return a player who has died."""
    return replace(player, companion="", traps=(), irradiated=False)


# --- Turns and what is agreed on ---------------------------------------------------


def turn(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Begin a turn, the next player's or somebody's; the one before ends (H1, R4)."""
    everybody = players(content)
    if not everybody:
        raise refuse("no_players")
    if fight(content) is not None:
        raise refuse("fight_goes_on")
    agreed = flow(content)
    ids = [player.id for player in everybody]
    if args.get("player") is None:
        at = ids.index(agreed.turn) + 1 if agreed.turn in ids else 0
        begins = everybody[at % len(ids)]
    else:
        begins = find(content, args, "player", Player)
    changed = {player.id: player for player in everybody}
    steps: list[JSON] = []
    if agreed.turn in changed:
        changed[agreed.turn] = _turn_ends(changed[agreed.turn], agreed, steps)
    changed[begins.id] = _turn_begins(changed[begins.id], agreed, steps)
    now = [player for player in everybody if changed[player.id] != player]
    set_ = written(*(changed[player.id] for player in now))
    set_ |= written(replace(agreed, turn=begins.id))
    return [sheet_draft("munchkin.turn", set_, who=begins.name, steps=steps)]


def _turn_ends(player: Player, agreed: Flow, steps: list[JSON]) -> Player:
    hand = resolve(KEY, "hand", {"cards": player.hand, "limit": agreed.hand_limit})
    if not hand["ok"]:
        steps += hand["steps"]
    if not player.irradiated:
        return player
    answer = _irradiation(player, "turn_end", agreed)
    steps += answer["steps"]
    return dead(player) if answer["dead"] else player


def _turn_begins(player: Player, agreed: Flow, steps: list[JSON]) -> Player:
    if not player.irradiated:
        return player
    answer = _irradiation(player, "turn_start", agreed)
    steps += answer["steps"]
    return replace(player, radiation=answer["penalty"])


def _irradiation(player: Player, phase: str, agreed: Flow) -> dict[str, Any]:
    given = {"penalty": player.radiation, "phase": phase}
    return resolve(KEY, "irradiation", given | {"step": agreed.irradiation_step})


def agree(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Set what the rules leave to the players; what is not given stays."""
    before = flow(content)
    after = replace(
        before,
        run_away_target=whole_or_none(args, "run_away_target", -20, 20)
        if "run_away_target" in args
        else before.run_away_target,
        radiation_target=whole_or_none(args, "radiation_target", -20, 20)
        if "radiation_target" in args
        else before.radiation_target,
        start_level=whole(args, "start_level", 1, 9, before.start_level),
        hand_limit=whole(args, "hand_limit", 0, 99, before.hand_limit),
        irradiation_step=whole(args, "irradiation_step", 0, 9, before.irradiation_step),
        harsh=flag(args, "harsh", before.harsh),
        bars=flag(args, "bars", before.bars),
    )
    told = {name: getattr(after, name) for name in args}
    return [sheet_draft("munchkin.agreed", written(after), agreed=told)]


def junk(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Say whether a drawn junk card is replaced (J1 to J3)."""
    given = {
        "junk": True,
        "compensation": flag(args, "compensation"),
        "open": flag(args, "open", True),
        "harsh": flow(content).harsh,
    }
    answer = resolve(KEY, "junk", given)
    return [sheet_draft("munchkin.junk", steps=answer["steps"])]


# --- Shared ------------------------------------------------------------------------


def _draft(said: str, player: Player, seq: int, **params: JSON) -> Draft:
    return sheet_draft(said, written(player), who=player.name, **params)


def _lit(draft: Draft, content: Content, everybody: Sequence[Player]) -> Draft:
    """Return the event with everybody's level on the ruler, where that is wished."""
    if not flow(content).bars:
        return draft
    return replace(draft, data={**draft.data, "cue": level_bars(everybody)})
