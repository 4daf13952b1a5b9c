"""Items and the attributes they change (rulebook §3.3 p.32-34, §6.1 p.51)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.fields import needed
from device.rules.foww.pool import STRONG
from device.rules.step import Step, plain, step

FORBIDDEN = {
    "robot": ("power_armour", "food", "alcohol", "chem"),
    "creature": ("power_armour", "food", "alcohol", "chem"),
}
"""Categories that a type of model cannot use, §3.3 p.32, §6.1 p.51."""

DOG_FOOD = "food"
"""Dogs use food; anything else only where the card names dogs, §6.1 p.51."""

ONE_MODEL_ONLY = ("power_armour", "slow_firing_weapon", "unique_weapon")
"""Only for units of one model, §3.3 p.33, §5.3 p.46."""


@dataclass(frozen=True, slots=True)
class ArmourBonus:
    """What power armour adds to attributes.

    Attributes:
        broken: Its yellow side is up.
        bonus: Attributes while unbroken; needed then.
        broken_bonus: Attributes while broken; needed then.

    Source: rulebook 2PB-002-111 §5.2 p.45.
    """

    broken: bool = False
    bonus: Mapping[str, int] | None = None
    broken_bonus: Mapping[str, int] | None = None

    def __post_init__(self) -> None:
        name = "broken_bonus" if self.broken else "bonus"
        if getattr(self, name) is None:
            raise BadInput(f"{name!r} is missing", name)

    def current(self) -> Mapping[str, int]:
        """Return the attributes that the side in play adds."""
        return (self.broken_bonus if self.broken else self.bonus) or {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats(Answer):
    """Attributes with all cards in play.

    Attributes:
        final: Each attribute asked for.
        melee_strength_die: Strong enough for a black die in close combat.

    Source: rulebook 2PB-002-111 §3.3 p.33-34, §5.2 p.45, §2.13 p.24.
    """

    final: Mapping[str, int]
    melee_strength_die: bool


def stats(
    base: Mapping[str, int],
    power_armour: ArmourBonus | None = None,
    decaying: Sequence[Mapping[str, int]] = (),
    hidden: int = 0,
    other: Sequence[Mapping[str, int]] = (),
) -> Stats:
    """Return a model's attributes with its active cards.

    Args:
        base: Printed attributes.
        power_armour: Power armour worn, or None.
        decaying: Columns of a decaying item; the first are covered first.
        hidden: Columns already covered.
        other: Changes by addictions, fixed effects, clothing.

    Source: rulebook 2PB-002-111 §3.3 p.33-34, §5.2 p.45.
    """
    parts: list[tuple[str, Mapping[str, int]]] = []
    if power_armour is not None:
        key = "power_armour.broken" if power_armour.broken else "power_armour.bonus"
        parts.append((key, power_armour.current()))
    parts += [("decaying.column", column) for column in decaying[hidden:]]
    parts += [("fixed.bonus", change) for change in other]
    final: Counter[str] = Counter(base)
    steps = []
    for key, change in parts:
        for name, value in change.items():
            if name in base and value:
                final[name] += value
                steps.append(step(key, attribute=name, change=f"{value:+d}"))
    strong = final["str"] >= STRONG
    if strong:
        steps.append(step("strength_die", strength=final["str"]))
    return Stats(
        final={name: final[name] for name in base},
        melee_strength_die=strong,
        steps=tuple(steps),
        open=("O7",) if power_armour is not None and "end" in base else (),
    )


@dataclass(frozen=True, slots=True)
class User:
    """Who wants to use an item.

    Source: rulebook 2PB-002-111 §3.3 p.32-33.
    """

    type: str
    engaged: bool = False
    unit_size: int = 1
    decaying_active: bool = False
    consumables_this_action: int = 0


@dataclass(frozen=True, slots=True)
class Item:
    """An item card.

    Source: rulebook 2PB-002-111 §3.3 p.32-34.
    """

    category: str
    consumable: bool = False
    duration: str | None = None
    dog_ok: bool = False


@dataclass(frozen=True, slots=True)
class Lender:
    """A friend whose consumable is used.

    Attributes:
        distance: From the user, mm; needed unless somebody is engaged.
        yellow: Length of the yellow ruler, mm; likewise.
        engaged: The friend is engaged.
        los: In the user's sight.

    Source: rulebook 2PB-002-111 §3.3 p.33.
    """

    distance: Fraction | None = None
    yellow: Fraction | None = None
    engaged: bool = False
    los: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemUse(Answer):
    """Whether an item may be used.

    Attributes:
        allowed: It may.
        reason: None, or the first thing that forbids it.

    Source: rulebook 2PB-002-111 §3.3 p.32-33, §6.1 p.51.
    """

    allowed: bool
    reason: str | None


def item_use(user: User, item: Item, owner: Lender | None = None) -> ItemUse:
    """Return whether a model may use an item.

    Args:
        user: The model.
        item: The item.
        owner: The friend who lends it; None for the user's own.

    Source: rulebook 2PB-002-111 §3.3 p.32-33, §5.3 p.46, §6.1 p.51.
    """
    reason = _own_reason(user, item)
    if reason is None and owner is not None:
        reason = _sharing_reason(user, item, owner)
    if reason is not None:
        why: Step = step(f"consumable.{reason}")
    elif owner is not None:
        why = step("shared", distance=plain(needed(owner.distance, "owner.distance")))
    else:
        why = step("consumable.own")
    lent = owner is not None and reason in (None, "out_of_range", "no_los")
    return ItemUse(
        allowed=reason is None,
        reason=reason,
        steps=(why,),
        open=("O20",) if lent else (),
    )


def _own_reason(user: User, item: Item) -> str | None:
    dog_must_not = user.type == "dog" and item.category != DOG_FOOD and not item.dog_ok
    if item.category in FORBIDDEN.get(user.type, ()) or dog_must_not:
        return "type"
    decaying = item.duration == "decaying"
    if user.unit_size > 1 and (decaying or item.category in ONE_MODEL_ONLY):
        return "unit_size"
    if decaying and user.decaying_active:
        return "decaying_active"
    if item.consumable and user.consumables_this_action:
        return "one_per_action"
    return None


def _sharing_reason(user: User, item: Item, owner: Lender) -> str | None:
    if not item.consumable:
        return "not_consumable"
    if user.engaged:
        return "engaged"
    if owner.engaged:
        return "owner_engaged"
    if needed(owner.distance, "owner.distance") > needed(owner.yellow, "owner.yellow"):
        return "out_of_range"
    return None if owner.los else "no_los"


@dataclass(frozen=True, slots=True)
class LastingItem:
    """An item card with a duration.

    Attributes:
        duration: `instant`, `fixed` or `decaying`.
        printed: Tokens printed on a fixed card; None for none.
        tokens: Tokens on it.
        columns: Attribute columns of a decaying card, first covered first.
        hidden: Columns covered.
        addiction: Icon that makes its user addicted; None without one.

    Source: rulebook 2PB-002-111 §3.3 p.33-34.
    """

    duration: str
    printed: int | None = None
    tokens: int = 0
    columns: tuple[Mapping[str, int], ...] = ()
    hidden: int = 0
    addiction: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemTick(Answer):
    """An item card after a use or at an activation.

    Attributes:
        active: Its effect goes on.
        ended: Its effect ended now.
        tokens: Tokens on it afterwards.
        hidden: Columns covered afterwards.
        bonuses: Sum of the columns in force.
        addiction_check: A blue die is rolled for addiction.
        addicted: Its result; None without a roll.
        card: `kept`, `discarded` or `addiction`.

    Source: rulebook 2PB-002-111 §3.3 p.33-34.
    """

    active: bool
    ended: bool
    tokens: int
    hidden: int
    bonuses: Mapping[str, int]
    addiction_check: bool
    addicted: bool | None
    card: str


def item_tick(
    event: str, item: LastingItem, blue_die: Sequence[str] | None = None
) -> ItemTick:
    """Return an item card after it is used or at its user's activation.

    Args:
        event: `use` or `activation`.
        item: The card before.
        blue_die: Icons of the blue die; needed where addiction is rolled for.

    Raises:
        BadInput: The blue die is missing.

    Source: rulebook 2PB-002-111 §3.3 p.33-34.
    """
    tokens, hidden, ended, steps = _tick(event, item)
    rolls = ended and item.addiction is not None
    addicted = None
    if rolls:
        icons = set(needed(blue_die, "blue_die"))
        if icons == {"bottle", "star"}:
            icons = {"star"}  # bottle and star count as a star alone
        addicted = item.addiction in icons
        steps.append(step("addiction" if addicted else "addiction.none"))
    bonuses: Counter[str] = Counter()
    if not ended:
        for column in item.columns[hidden:]:
            bonuses.update(column)
    card = "addiction" if addicted else "discarded" if ended else "kept"
    return ItemTick(
        active=not ended,
        ended=ended,
        tokens=tokens,
        hidden=hidden,
        bonuses=dict(bonuses),
        addiction_check=rolls,
        addicted=addicted,
        card=card,
        steps=tuple(steps),
    )


def _tick(event: str, item: LastingItem) -> tuple[int, int, bool, list[Step]]:
    """Tokens, covered columns, whether it ended, and why."""
    if item.duration == "instant":
        return item.tokens, item.hidden, True, [step("instant")]
    if item.duration == "fixed":
        if event == "use":
            tokens = item.printed or 0
            return tokens, item.hidden, False, [step("fixed", tokens=tokens)]
        if not item.tokens:
            return 0, item.hidden, True, [step("fixed.ended")]
        left = item.tokens - 1
        return left, item.hidden, False, [step("fixed.tick", tokens=left)]
    if event == "use":
        return item.tokens, 0, False, [step("decaying", columns=len(item.columns))]
    hidden = item.hidden + 1
    left = len(item.columns) - hidden
    if left <= 0:
        return item.tokens, hidden, True, [step("decaying.ended")]
    return item.tokens, hidden, False, [step("decaying.tick", columns=left)]
