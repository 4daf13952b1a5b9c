"""Checks, the combat round and armour class (S.P.E.C.I.A.L., Битва, Защита)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.special.charts import Charts
from device.rules.step import step

FAST_SHOT = ("light", "heavy", "energy", "bow")
"""Kinds of attack that the trait fast_shot makes cheaper and never aimed."""

DEFENDING_STATES = ("normal", "crouching", "crawling")
"""States in which unspent action points defend (B11, B12)."""


def check_roll(roll: int, die: int) -> None:
    """Refuse a roll that the die cannot show.

    Raises:
        BadInput: The roll is higher than the die.

    Source: S.P.E.C.I.A.L., кубики (Q1, Q2).
    """
    if roll > die:
        raise BadInput(f"a d{die} does not show {roll}", "roll")


@dataclass(frozen=True, slots=True, kw_only=True)
class Check(Answer):
    """A roll against a number.

    Source: S.P.E.C.I.A.L., readings Q1 and Q2.
    """

    target: int
    success: bool
    margin: int


def check(value: int, die: int, roll: int, modifier: int = 0) -> Check:
    """Return whether a roll is at most a number.

    Args:
        value: Skill or stat.
        die: 100 for skills, 10 for stats (Q2).
        roll: What it shows, 1 to `die`.
        modifier: Added to the number.

    Raises:
        BadInput: The die cannot show this.

    Source: S.P.E.C.I.A.L., readings Q1 and Q2.
    """
    check_roll(roll, die)
    target = value + modifier
    success = roll <= target
    key = "special_check" if success else "special_check.failed"
    return Check(
        target=target,
        success=success,
        margin=target - roll,
        steps=(step(key, roll=roll, target=target),),
        open=("Q1",) if die == 100 else ("Q1", "Q2"),
    )


@dataclass(frozen=True, slots=True)
class Fighter:
    """Somebody in a fight.

    Attributes:
        id: Name in this question.
        sequence: Place in the order, higher first.
        tie_roll: A d10 against others of the same sequence.

    Source: S.P.E.C.I.A.L., Битва (B1, B2).
    """

    id: str
    sequence: int
    tie_roll: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Order(Answer):
    """The order of a fight.

    Attributes:
        order: Who acts in which order; None while ties are open.
        needs_roll: Fighters whose tie is not settled, in input order.
        opening: Who spends all action points before the order is set.

    Source: S.P.E.C.I.A.L., Битва (B1, B2).
    """

    order: tuple[str, ...] | None
    needs_roll: tuple[str, ...]
    opening: str | None


def fight_order(fighters: Sequence[Fighter], starter: str | None = None) -> Order:
    """Return the order of a fight: highest sequence first, ties by d10.

    Args:
        fighters: Everybody in it, at least one.
        starter: Who started the fight, if anybody did.

    Raises:
        BadInput: The starter is not among the fighters.

    Source: S.P.E.C.I.A.L., Битва (B1, B2).
    """
    if starter is not None and starter not in [fighter.id for fighter in fighters]:
        raise BadInput(f"no fighter {starter!r}", "starter")
    open_ties = tuple(f.id for f in fighters if any(_is_open(f, o) for o in fighters))
    ordered = sorted(fighters, key=lambda f: (-f.sequence, -(f.tie_roll or 0)))
    order = None if open_ties else tuple(fighter.id for fighter in ordered)
    if order is None:
        steps = tuple(step("special_order.tie", id=name) for name in open_ties)
    else:
        steps = tuple(
            step("special_order", number=number, id=name)
            for number, name in enumerate(order, 1)
        )
    return Order(order=order, needs_roll=open_ties, opening=starter, steps=steps)


def _is_open(fighter: Fighter, other: Fighter) -> bool:
    """Whether the order of two fighters is not settled."""
    if fighter is other or fighter.sequence != other.sequence:
        return False
    rolls = (fighter.tie_roll, other.tie_roll)
    return None in rolls or rolls[0] == rolls[1]


@dataclass(frozen=True, slots=True)
class Action:
    """Something done in a turn.

    Attributes:
        do: `move`, `equip`, `pick_up`, `use`, `stand_up`, `stance`, `treat` or
            `attack`.
        hexes: Hexes moved.
        terrain: Ground moved over.
        stance: Stance moved in.
        broken_legs: Broken legs of the mover.
        items: Items equipped or picked up.
        from_: Stance before.
        to: Stance wanted; another one.
        attack: Kind of attack.
        cost: Action points on the weapon.
        aimed: An aimed attack.

    Source: S.P.E.C.I.A.L., Битва (B4 to B13).
    """

    do: str
    hexes: int = 0
    terrain: str = "dry"
    stance: str = "standing"
    broken_legs: int = 0
    items: int = 1
    from_: str = ""
    to: str = ""
    attack: str = ""
    cost: int = 0
    aimed: bool = False

    def __post_init__(self) -> None:
        if self.do == "stance" and self.from_ == self.to:
            raise BadInput("a change of stance ends in another one", "to")


@dataclass(frozen=True, slots=True, kw_only=True)
class ApSpent(Answer):
    """The action points of a turn.

    Attributes:
        costs: Of each action.
        total: Their sum.
        left: What is left, may be negative.
        legal: All of it may be done.
        reasons: Why not: `two_broken_legs`, `fast_shot_no_aim`, `not_enough_ap`.

    Source: S.P.E.C.I.A.L., Битва (B4 to B13).
    """

    costs: tuple[int, ...]
    total: int
    left: int
    legal: bool
    reasons: tuple[str, ...]


def spend_ap(
    charts: Charts, ap: int, actions: Sequence[Action], traits: Sequence[str] = ()
) -> ApSpent:
    """Return what the actions of a turn cost and whether they may be done.

    Args:
        charts: The game's tables.
        ap: Action points of the round.
        actions: What is done, in order.
        traits: The character's traits.

    Source: S.P.E.C.I.A.L., Битва (B4 to B13), Уникальные особенности.
    """
    costs, steps = [], []
    reasons: dict[str, None] = {}
    crawled = 0
    for action in actions:
        cost = _cost(charts, action, traits)
        costs.append(cost)
        steps.append(step(f"special_ap.{action.do}", cost=cost))
        if action.do == "move" and action.broken_legs == 2:
            crawled += action.hexes
            if crawled > 1:
                reasons["two_broken_legs"] = None
        quick = "fast_shot" in traits and action.attack in FAST_SHOT
        if action.do == "attack" and action.aimed and quick:
            reasons["fast_shot_no_aim"] = None
    total = sum(costs)
    if total > ap:
        reasons["not_enough_ap"] = None
    steps += [step(f"special_ap.{reason}") for reason in reasons]
    return ApSpent(
        costs=tuple(costs),
        total=total,
        left=ap - total,
        legal=not reasons,
        reasons=tuple(reasons),
        steps=tuple(steps),
        open=_open_points(actions),
    )


def _cost(charts: Charts, action: Action, traits: Sequence[str]) -> int:
    if action.do == "move":
        legs = charts.number("action_ap", "broken_leg_factor")
        return (
            action.hexes
            * charts.number("terrain_ap", action.terrain)
            * charts.number("stance_ap", action.stance)
            * (legs if action.broken_legs else 1)
        )
    if action.do == "attack":
        cheaper = ("fast_shot" in traits and action.attack in FAST_SHOT) or (
            "heavy_throw" in traits and action.attack == "thrown"
        )
        return action.cost - cheaper
    if action.do == "stance":
        rises = (action.from_, action.to) == ("prone", "standing")
        return charts.number("action_ap", "prone_to_standing" if rises else "stance")
    each = charts.number("action_ap", action.do)
    return each * action.items if action.do in ("equip", "pick_up") else each


def _open_points(actions: Sequence[Action]) -> tuple[str, ...]:
    mixed = any(
        (a.terrain != "dry") + (a.stance != "standing") + (a.broken_legs > 0) > 1
        for a in actions
    )
    lies_down = any((a.from_, a.to) == ("standing", "prone") for a in actions)
    return ("B6",) * mixed + ("B9",) * lies_down


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmourClass(Answer):
    """How hard somebody is to hit.

    Attributes:
        base: What Agility gives in this state.
        total: With armour and, when defending, unspent action points.

    Source: S.P.E.C.I.A.L., Защита (B11, B12).
    """

    base: int
    total: int


def armour_class(
    charts: Charts,
    agility: int,
    armour: int = 0,
    state: str = "normal",
    unspent_ap: int = 0,
    defending: bool = False,
    kamikaze: bool = False,
) -> ArmourClass:
    """Return somebody's armour class in a state.

    Args:
        charts: The game's tables.
        agility: Agility.
        armour: Armour class of what is worn.
        state: `normal`, `crouching`, `crawling`, `using_skill`, `down` or `rolling`.
        unspent_ap: Action points not spent.
        defending: The turn was ended by defending.
        kamikaze: Has that trait: no natural armour class.

    Source: S.P.E.C.I.A.L., Защита, Смена позиции (B11, B12).
    """
    base = agility
    if state != "normal":
        base = min(agility, charts.number("state_armour_class", state))
    base = 0 if kamikaze else base
    spared = unspent_ap if defending and state in DEFENDING_STATES else 0
    steps = [step("special_armour_class", base=base, armour=armour)]
    if spared:
        steps.append(step("special_armour_class.defending", ap=spared))
    return ArmourClass(base=base, total=base + armour + spared, steps=tuple(steps))
