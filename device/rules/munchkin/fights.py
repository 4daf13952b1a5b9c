"""Fights, running away and radiation (МОНСТРЫ, НАПАРНИКИ, РАДИОАКТИВНЫЕ МОНСТРЫ)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.fields import needed
from device.rules.munchkin.deck import Numbers
from device.rules.step import step

MODIFIERS = (10, 5, -5)
"""Values of a monster modifier (C4)."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player in a fight, or the helper.

    Source: Munchkin Fallout 0.9.84, Противоречия, rule 2 (C1, C2).
    """

    id: str
    level: int
    bonuses: tuple[int, ...] = ()

    def strength(self) -> int:
        """Return level and all bonuses and penalties."""
        return self.level + sum(self.bonuses)


@dataclass(frozen=True, slots=True)
class Modifier:
    """A monster modifier.

    Attributes:
        value: +10, +5 or -5.
        treasures: Treasures that it adds (never with -5) or removes (never with +).

    Source: Munchkin Fallout 0.9.84, МОДИФИКАТОРЫ МОНСТРОВ (C4, C5).
    """

    value: int
    treasures: int = 0

    def __post_init__(self) -> None:
        if self.treasures * self.value < 0:
            raise BadInput(
                "a modifier adds treasures with strength and removes them with it",
                "treasures",
            )


@dataclass(frozen=True, slots=True)
class Monster:
    """A monster in a fight.

    Attributes:
        id: Its name in this question.
        strength: Printed combat strength.
        treasures: Printed treasures.
        levels: Levels for killing it.
        modifiers: Modifiers on it.
        removed: It left the fight otherwise than by a kill.
        treasures_on_win: The way it left still pays its treasures on a win.

    Source: Munchkin Fallout 0.9.84, МОНСТРЫ, МОДИФИКАТОРЫ МОНСТРОВ (C3 to C7).
    """

    id: str
    strength: int
    treasures: int
    levels: int = 1
    modifiers: tuple[Modifier, ...] = ()
    removed: bool = False
    treasures_on_win: bool = False

    def full_strength(self) -> int:
        """Return the printed strength with its modifiers."""
        return self.strength + sum(modifier.value for modifier in self.modifiers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Combat(Answer):
    """A fight.

    Attributes:
        players_strength: Sum of the players' strengths.
        monsters_strength: Sum over the monsters present.
        outcome: `kill`, `lose` or `no_monsters`.
        levels: Levels gained.
        treasures: Treasures gained.

    Source: Munchkin Fallout 0.9.84, Противоречия, rules 1 to 3 (C1, V1 to V3).
    """

    players_strength: int
    monsters_strength: int
    outcome: str
    levels: int
    treasures: int


def combat(
    numbers: Numbers, players: Sequence[Player], monsters: Sequence[Monster]
) -> Combat:
    """Return who wins a fight and what it pays.

    Args:
        numbers: The game's numbers.
        players: The player, and the helper if any.
        monsters: All monsters of the fight, those removed too.

    Source: Munchkin Fallout 0.9.84, Противоречия (V1 to V3), МОНСТРЫ (C1 to C7).
    """
    present = [monster for monster in monsters if not monster.removed]
    paying = [monster for monster in monsters if monster.treasures_on_win]
    gone = [monster for monster in paying if monster.removed]
    ours = sum(player.strength() for player in players)
    theirs = sum(monster.full_strength() for monster in present)
    if not present:
        outcome, levels, paid = "no_monsters", 0, gone
    elif ours > theirs:
        outcome, paid = "kill", [*present, *gone]
        levels = sum(monster.levels for monster in present)
    else:
        outcome, levels, paid = "lose", 0, []
    treasures = sum(_treasures(numbers, monster) for monster in paid)
    return Combat(
        players_strength=ours,
        monsters_strength=theirs,
        outcome=outcome,
        levels=levels,
        treasures=treasures,
        steps=(
            step("munchkin_strength", ours=ours, theirs=theirs),
            step(f"munchkin_combat.{outcome}", levels=levels, treasures=treasures),
        ),
        open=("C2",),
    )


def _treasures(numbers: Numbers, monster: Monster) -> int:
    changed = monster.treasures + sum(m.treasures for m in monster.modifiers)
    return max(numbers.number("monster", "treasures_min"), changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Escape(Answer):
    """Running away.

    Attributes:
        escaped: The player gets away.
        total: Die and bonus; None where nothing is rolled.
        automatic: Nothing was rolled.
        companion_lost: A companion was left behind.

    Source: Munchkin Fallout 0.9.84, НАПАРНИКИ (W1, W2).
    """

    escaped: bool
    total: int | None
    automatic: bool
    companion_lost: bool


def run_away(
    die: int | None = None,
    target: int | None = None,
    bonus: int = 0,
    sacrifice: bool = False,
    forbidden: bool = False,
) -> Escape:
    """Return whether a player runs away.

    Args:
        die: A d6; needed unless a companion is left behind or escape is forbidden.
        target: Lowest total that escapes; needed likewise. The text has none (W1).
        bonus: Added to the die.
        sacrifice: A companion is left behind: escapes even where it is forbidden.
        forbidden: The monster forbids escape.

    Raises:
        BadInput: The die or the target is missing.

    Source: Munchkin Fallout 0.9.84, НАПАРНИКИ (W1 to W3).
    """
    if sacrifice or forbidden:
        key = "munchkin_escape.companion" if sacrifice else "munchkin_escape.forbidden"
        return Escape(
            escaped=sacrifice,
            total=None,
            automatic=True,
            companion_lost=sacrifice,
            steps=(step(key),),
        )
    wanted = needed(target, "target")
    total = needed(die, "die") + bonus
    key = "munchkin_escape" if total >= wanted else "munchkin_escape.failed"
    return Escape(
        escaped=total >= wanted,
        total=total,
        automatic=False,
        companion_lost=False,
        steps=(step(key, total=total, target=wanted),),
        open=("W1",),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Radiation(Answer):
    """A roll for radiation protection.

    Source: Munchkin Fallout 0.9.84, РАДИОАКТИВНЫЕ МОНСТРЫ (R1 to R3).
    """

    total: int
    protected: bool
    penalty: int


def radiation(die: int, target: int, strength: int, bonus: int = 0) -> Radiation:
    """Return the radiation penalty of meeting a radioactive monster.

    Args:
        die: A d6.
        target: Lowest total that protects; the text has none (R3).
        strength: The monster's radioactivity, >= 1.
        bonus: Added to the die.

    Source: Munchkin Fallout 0.9.84, РАДИОАКТИВНЫЕ МОНСТРЫ (R1 to R3).
    """
    total = die + bonus
    protected = total >= target
    penalty = 0 if protected else strength
    key = "munchkin_radiation" if protected else "munchkin_radiation.failed"
    return Radiation(
        total=total,
        protected=protected,
        penalty=penalty,
        steps=(step(key, total=total, target=target, penalty=penalty),),
        open=("R3",),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Irradiation(Answer):
    """The card "gradual irradiation".

    Source: Munchkin Fallout 0.9.84, ДЕЙСТВИЕ КАРТ (R4).
    """

    penalty: int
    dead: bool


def irradiation(
    numbers: Numbers,
    penalty: int,
    phase: str,
    step_size: int | None = None,
) -> Irradiation:
    """Return the penalty of gradual irradiation at the start or end of a turn.

    Args:
        numbers: The game's numbers.
        penalty: The penalty before, >= 0.
        phase: `turn_start`, where it grows, or `turn_end`, where it may kill.
        step_size: By how much it grows; None for the usual reading (R4).

    Source: Munchkin Fallout 0.9.84, ДЕЙСТВИЕ КАРТ (R4).
    """
    if phase == "turn_start":
        grown = penalty + (
            numbers.number("irradiation", "step") if step_size is None else step_size
        )
        return Irradiation(
            penalty=grown,
            dead=False,
            steps=(step("munchkin_irradiation", penalty=grown),),
            open=("R4",) if step_size is None else (),
        )
    dead = penalty >= numbers.number("irradiation", "death_at")
    key = "munchkin_irradiation.dead" if dead else "munchkin_irradiation.alive"
    return Irradiation(penalty=penalty, dead=dead, steps=(step(key, penalty=penalty),))
