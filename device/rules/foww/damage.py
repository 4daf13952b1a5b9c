"""Damage tokens, removal and healing (rulebook §2.9 p.19-20, §3.3 p.34, §5.2 p.45)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from device.rules.answer import Answer
from device.rules.foww.attacks import Damage
from device.rules.step import Step, step

HERO_HEALTH = 1
"""What a hero card adds to health, §6.1 p.50."""


@dataclass(frozen=True, slots=True)
class PowerArmour:
    """The tokens beside a power armour card.

    Attributes:
        endurance: Its END bonus: as many tokens break it.
        tokens: Tokens on it.
        broken: Its yellow side is up.

    Source: rulebook 2PB-002-111 §5.2 p.45.
    """

    endurance: int
    tokens: int
    broken: bool = False


@dataclass(frozen=True, slots=True)
class Model:
    """A model and the damage tokens on it.

    Attributes:
        health: Its health attribute with bonuses, without the hero's.
        hero: Has a hero card: health +1.
        regular: Regular damage tokens.
        radiation: Radiation damage tokens.
        ready: `unready`, `ready` or `activated`.
        power_armour: Its power armour, or None.

    Source: rulebook 2PB-002-111 §2.9 p.19.
    """

    health: int
    hero: bool = False
    regular: int = 0
    radiation: int = 0
    ready: str = "unready"
    power_armour: PowerArmour | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Damaged(Answer):
    """A model after damage.

    Attributes:
        health_limit: Tokens that remove it.
        regular: Regular tokens afterwards.
        radiation: Radiation tokens afterwards.
        power_armour: The power armour afterwards, or None.
        armour_broke: It broke now.
        removed: The model leaves the battle.
        last_gasp: `none`, `yes`, `no` or `toss_needed`.

    Source: rulebook 2PB-002-111 §2.9 p.19-20.
    """

    health_limit: int
    regular: int
    radiation: int
    power_armour: PowerArmour | None
    armour_broke: bool
    removed: bool
    last_gasp: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Healed(Answer):
    """Damage tokens after healing.

    Attributes:
        regular: Regular tokens left.
        radiation: Radiation tokens left.
        unused: Points of healing that found nothing to heal.

    Source: rulebook 2PB-002-111 §3.3 p.34.
    """

    regular: int
    radiation: int
    unused: int


def health_limit(health: int, hero: bool) -> int:
    """Return how many damage tokens remove a model.

    Source: rulebook 2PB-002-111 §2.9 p.19, §6.1 p.50.
    """
    return health + HERO_HEALTH * hero


def apply_damage(
    model: Model, damage: Sequence[Damage], luck_token: str | None = None
) -> Damaged:
    """Return the tokens on a model after damage that armour did not stop.

    Args:
        model: The model before.
        damage: Points in order, after the armour check.
        luck_token: Side of the token tossed for a removed ready model, or None.

    Source: rulebook 2PB-002-111 §2.9 p.19-20, §5.2 p.45.
    """
    armour, regular, radiation = model.power_armour, model.regular, model.radiation
    was_broken = armour is None or armour.broken
    steps: list[Step] = []
    opened: list[str] = []
    for part in damage:
        rest = part.amount
        if armour is not None and not armour.broken and rest:
            soaked = min(rest, max(0, armour.endurance - armour.tokens))
            armour = _hit(armour, soaked)
            rest -= soaked
            steps.append(step("power_armour.token", count=soaked))
            if armour.broken:
                steps.append(step("broken"))
            if part.type == "radiation":
                opened.append("O6")
        if part.type == "radiation":
            flipped = min(rest, regular)
            regular -= flipped
            if rest > flipped:
                opened.append("O5")
            radiation += rest
            if rest:
                steps.append(
                    step("radiation", count=rest, flipped=flipped, added=rest - flipped)
                )
        else:
            regular += rest
            if rest:
                steps.append(step("damage_token", count=rest))
    limit = health_limit(model.health, model.hero)
    removed = regular + radiation >= limit
    gasp = _last_gasp(removed, model.ready, luck_token)
    key = "removed" if removed else "health"
    steps.append(step(key, tokens=regular + radiation, limit=limit))
    if gasp != "none":
        steps.append(step(f"last_gasp.{gasp}"))
    return Damaged(
        health_limit=limit,
        regular=regular,
        radiation=radiation,
        power_armour=armour,
        armour_broke=not was_broken and armour is not None and armour.broken,
        removed=removed,
        last_gasp=gasp,
        steps=tuple(steps),
        open=tuple(dict.fromkeys(opened)),
    )


def _hit(armour: PowerArmour, soaked: int) -> PowerArmour:
    tokens = armour.tokens + soaked
    return replace(armour, tokens=tokens, broken=tokens >= armour.endurance)


def _last_gasp(removed: bool, ready: str, luck_token: str | None) -> str:
    if not removed or ready != "ready":
        return "none"
    if luck_token is None:
        return "toss_needed"
    return "yes" if luck_token == "luck" else "no"


def heal(regular: int, radiation: int, kind: str, amount: int) -> Healed:
    """Return the damage tokens after healing; excess is lost.

    Args:
        regular: Regular tokens before.
        radiation: Radiation tokens before.
        kind: `regular` removes regular tokens, `radiation` flips radiation tokens.
        amount: Points of healing.

    Source: rulebook 2PB-002-111 §3.3 p.34.
    """
    if kind == "regular":
        healed = min(amount, regular)
        regular -= healed
    else:
        healed = min(amount, radiation)
        regular, radiation = regular + healed, radiation - healed
    return Healed(
        regular=regular,
        radiation=radiation,
        unused=amount - healed,
        steps=(step(f"heal_{kind}", count=healed, unused=amount - healed),),
    )
