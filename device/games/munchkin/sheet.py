"""What lies on a table of Munchkin Fallout, as frozen values of its sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from device.games.sheet import entities, entity, single
from device.table.state import Content

PLAYER: Final = "player"
FLOW: Final = "flow"
FIGHT: Final = "fight"

SLOTS: Final = ("none", "head", "armour", "feet", "hand", "two_hands")
"""Where an item is worn, as the rules' kind `items` names it (I4)."""


@dataclass(frozen=True, slots=True)
class Item:
    """An item in play.

    Attributes:
        id: Unique among its owner's.
        name: As the player calls it.
        slot: One of `SLOTS`.
        bonus: To combat strength while it is in use.
        price: Caps, 0 for "no price".
        big: A big item.
        in_use: Used, not in the backpack.
        one_shot: A one-shot item.
    """

    id: str
    name: str
    slot: str = "none"
    bonus: int = 0
    price: int = 0
    big: bool = False
    in_use: bool = False
    one_shot: bool = False


@dataclass(frozen=True, slots=True)
class Player:
    """A player.

    Attributes:
        id: ``player:12``.
        name: As typed.
        level: 1 to 10.
        hand: Cards in hand.
        bonus: Bonuses and penalties that no item below brings.
        radiation: Radiation penalty, 0 or more.
        irradiated: The card of gradual irradiation acts on the player.
        companion: Its name, "" for none.
        traps: Lasting traps that act on the player.
        items: In play.
    """

    id: str
    name: str
    level: int = 1
    hand: int = 0
    bonus: int = 0
    radiation: int = 0
    irradiated: bool = False
    companion: str = ""
    traps: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()

    @property
    def bonuses(self) -> tuple[int, ...]:
        """All that adds to the level in a fight (C2)."""
        worn = (item.bonus for item in self.items if item.in_use)
        every = (*worn, self.bonus, -self.radiation)
        return tuple(one for one in every if one)

    @property
    def strength(self) -> int:
        """Combat strength outside a fight (C2)."""
        return self.level + sum(self.bonuses)


@dataclass(frozen=True, slots=True)
class MonsterModifier:
    """A monster modifier as played: +10, +5 or -5, and its treasures (C4, C5)."""

    value: int
    treasures: int = 0


@dataclass(frozen=True, slots=True)
class Monster:
    """A monster in a fight.

    Attributes:
        id: Unique in the fight.
        name: As typed, may be empty.
        strength: As printed.
        treasures: As printed, 1 or more.
        levels: Levels for killing it.
        radiation: Its radioactivity, 0 for none.
        modifiers: Played on it.
        removed: It has left the fight.
        treasures_on_win: It left in a way that still pays its treasures.
    """

    id: str
    name: str
    strength: int
    treasures: int = 1
    levels: int = 1
    radiation: int = 0
    modifiers: tuple[MonsterModifier, ...] = ()
    removed: bool = False
    treasures_on_win: bool = False


@dataclass(frozen=True, slots=True)
class Fight:
    """The fight that is going on.

    Attributes:
        player: Who fights.
        helper: Who helps, "" for nobody.
        bonus: Played for the players' side until the end of the fight.
        monsters: Of this fight.
        outcome: "" while it goes on, then ``kill``, ``lose`` or ``no_monsters``.
    """

    player: str
    helper: str = ""
    bonus: int = 0
    monsters: tuple[Monster, ...] = ()
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class Flow:
    """Whose turn it is, and what the players have agreed on.

    Attributes:
        id: ``flow``.
        turn: Whose turn it is, "" before the first.
        run_away_target: What the throw to run away must reach; None until somebody
            has said it, for the rules do not (W1).
        radiation_target: The same for radiation protection (R3).
        start_level: Of a player who joins (P4).
        hand_limit: Cards in hand at the end of the own turn (H1).
        irradiation_step: By how much gradual irradiation grows (R4).
        harsh: Junk is not replaced (J3).
        bars: The ruler shows everybody's level.
        winner: Who has won, "" for nobody yet.
    """

    id: str = FLOW
    turn: str = ""
    run_away_target: int | None = None
    radiation_target: int | None = None
    start_level: int = 1
    hand_limit: int = 5
    irradiation_step: int = 1
    harsh: bool = False
    bars: bool = True
    winner: str = ""


def players(content: Content) -> tuple[Player, ...]:
    """Return every player, in the order in which they joined."""
    return entities(content, PLAYER, Player)


def flow(content: Content) -> Flow:
    """Return whose turn it is and what was agreed on."""
    return single(content, FLOW, Flow)


def fight(content: Content) -> Fight | None:
    """Return the fight that is going on, or None."""
    return entity(content, FIGHT, Fight)
