"""Groups, leaders and who may act (STALKER: ZONA, ГРУППЫ, ЛИДЕРЫ, АКТИВАЦИЯ)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.stalker.zona import Zona
from device.rules.step import step

ON_A_TIE = ("reload", "change_weapon", "pick_up")  # A2
ON_A_TURN = ("move_and_shoot", "stay_and_shoot", "melee")  # A11


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a group.

    Attributes:
        id: Its name in this question.
        skill: 1 to 5.
        leader: The group's named leader.
        out: Out of play.
        radio: Carries a personal transmitter, or has a like ability.

    Source: STALKER: ZONA, УМЕНИЕ (F1), ЛИДЕРЫ (L1 to L3), ГРУППЫ (G3).
    """

    id: str
    skill: int
    leader: bool = False
    out: bool = False
    radio: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """A group as activation sees it.

    Source: STALKER: ZONA, ГРУППЫ (G1).
    """

    id: str
    figures: tuple[Figure, ...]

    def leader_skill(self) -> int:
        """Return the leader's Skill: the named one's, else the highest."""
        named = [figure.skill for figure in self.figures if figure.leader]
        return named[0] if named else max(figure.skill for figure in self.figures)


@dataclass(frozen=True, slots=True)
class Side:
    """One side of the game.

    Source: STALKER: ZONA, ГРУППЫ (G1).
    """

    name: str
    groups: tuple[Group, ...]


def check_one_leader(figures: Sequence[Figure]) -> None:
    """Refuse two named leaders in a group, and two figures of one id.

    Raises:
        BadInput: The list is at fault, or the second figure's id.

    Source: STALKER: ZONA, ЛИДЕРЫ (L1).
    """
    seen = set()
    for number, figure in enumerate(figures):
        if figure.id in seen:
            raise BadInput(f"{figure.id!r} is there twice", f"[{number}].id")
        seen.add(figure.id)
    if sum(figure.leader for figure in figures) > 1:
        raise BadInput("a group has one leader")


@dataclass(frozen=True, slots=True)
class ActiveSide:
    """What one side may do in a turn.

    Attributes:
        name: The side's name.
        threshold: Lowest Skill that may act; None on a tie.
        active: Figures that may act, in input order.
        groups: Groups with such a figure, by the leader's Skill from high to low.

    Source: STALKER: ZONA, ПОРЯДОК ХОДА И АКТИВАЦИЯ (A4 to A6).
    """

    name: str
    threshold: int | None
    active: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Activation(Answer):
    """A turn's activation roll.

    Attributes:
        tie: Nobody moves or shoots.
        order: Sides in playing order; empty on a tie.
        sides: What each side may do, in input order.
        allowed: Actions open to figures.

    Source: STALKER: ZONA, ПОРЯДОК ХОДА И АКТИВАЦИЯ (A1 to A11).
    """

    tie: bool
    order: tuple[str, ...]
    sides: tuple[ActiveSide, ...]
    allowed: tuple[str, ...]


def activation(mode: str, dice: Sequence[int], sides: Sequence[Side]) -> Activation:
    """Return who may act in a turn, and in which order.

    Args:
        mode: `solo` (one player, the higher die counts) or `versus` (each side has
            its own die).
        dice: Two d6; in versus one for each side.
        sides: One side in solo, two in versus.

    Raises:
        BadInput: The wrong number of sides.

    Source: STALKER: ZONA, ПОРЯДОК ХОДА И АКТИВАЦИЯ (A1 to A11).
    """
    wanted = 1 if mode == "solo" else 2
    if len(sides) != wanted:
        raise BadInput(f"{mode} play has {wanted} side(s), not {len(sides)}", "sides")
    if dice[0] == dice[1]:
        return Activation(
            tie=True,
            order=(),
            sides=tuple(ActiveSide(side.name, None) for side in sides),
            allowed=ON_A_TIE,
            steps=(step("stalker_activation.tie", die=dice[0]),),
        )
    thresholds = [max(dice)] if mode == "solo" else list(dice)
    active = tuple(
        _active(side, threshold)
        for side, threshold in zip(sides, thresholds, strict=True)
    )
    first = sorted(active, key=lambda side: -(side.threshold or 0))
    equal = any(_has_equal_groups(side) for side in sides)
    return Activation(
        tie=False,
        order=tuple(side.name for side in first),
        sides=active,
        allowed=ON_A_TURN,
        steps=tuple(
            step("stalker_activation", side=side.name, threshold=side.threshold or 0)
            for side in first
        ),
        open=("A9",) * (mode == "versus") + ("A10",) * equal,
    )


def _active(side: Side, threshold: int) -> ActiveSide:
    figures: list[str] = []
    groups: list[tuple[int, str]] = []
    for group in side.groups:
        lead = group.leader_skill()
        may = [f.id for f in group.figures if max(f.skill, lead) >= threshold]
        figures += may
        if may:
            groups.append((lead, group.id))
    groups.sort(key=lambda entry: -entry[0])  # stable: equal ones in input order
    return ActiveSide(
        side.name, threshold, tuple(figures), tuple(name for _, name in groups)
    )


def _has_equal_groups(side: Side) -> bool:
    skills = [group.leader_skill() for group in side.groups]
    return len(set(skills)) < len(skills)


@dataclass(frozen=True, slots=True)
class Pair:
    """What lies between two figures.

    Attributes:
        a: One figure's id.
        b: The other's.
        inches: Distance between them.
        los: Clear line of sight between them.

    Source: STALKER: ZONA, ГРУППЫ (G2).
    """

    a: str
    b: str
    inches: Fraction
    los: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupCheck(Answer):
    """Whether figures form a group, and who leads it.

    Attributes:
        group: They do.
        broken: Pairs that are no link, in input order.
        candidates: Who may lead.
        leader: The only candidate, else None.
        leader_skill: The leader's Skill; None without figures.

    Source: STALKER: ZONA, ГРУППЫ (G1 to G5), ЛИДЕРЫ (L1 to L3).
    """

    group: bool
    broken: tuple[tuple[str, str], ...]
    candidates: tuple[str, ...]
    leader: str | None
    leader_skill: int | None


def group_check(
    zona: Zona,
    figures: Sequence[Figure],
    pairs: Sequence[Pair] = (),
    rule: str = "chain",
) -> GroupCheck:
    """Return whether figures form a group, and who may lead it.

    Args:
        zona: The game's tables.
        figures: The figures, those out of play too.
        pairs: One entry for every two figures in play.
        rule: `chain` (all connected by links) or `every_pair` (G5).

    Raises:
        BadInput: An unknown figure, or a pair missing or given twice.

    Source: STALKER: ZONA, ГРУППЫ (G1 to G5), ЛИДЕРЫ (L1 to L3).
    """
    playing = [figure for figure in figures if not figure.out]
    counted = _pairs_of(figures, playing, pairs)
    reach = zona.number("group", "distance_inches")
    radios = all(figure.radio for figure in playing)
    links: list[tuple[str, str]] = []
    broken: list[tuple[str, str]] = []
    for pair in counted:
        linked = pair.los and (radios or pair.inches <= reach)
        (links if linked else broken).append((pair.a, pair.b))
    ids = [figure.id for figure in playing]
    together = _connected(ids, links) if rule == "chain" else not broken
    candidates = _candidates(playing)
    steps = [step("stalker_group.broken", a=a, b=b) for a, b in broken]
    is_group = bool(playing) and together
    steps.append(step("stalker_group" if is_group else "stalker_group.none"))
    steps += [step("stalker_leader", id=f.id, skill=f.skill) for f in candidates]
    return GroupCheck(
        group=is_group,
        broken=tuple(broken),
        candidates=tuple(figure.id for figure in candidates),
        leader=candidates[0].id if len(candidates) == 1 else None,
        leader_skill=candidates[0].skill if candidates else None,
        steps=tuple(steps),
        open=("G5",) if len(playing) > 2 and broken else (),
    )


def _pairs_of(
    figures: Sequence[Figure], playing: Sequence[Figure], pairs: Sequence[Pair]
) -> list[Pair]:
    """The pairs of figures in play, each exactly once."""
    known = {figure.id for figure in figures}
    ids = {figure.id for figure in playing}
    for number, pair in enumerate(pairs):
        for name, value in (("a", pair.a), ("b", pair.b)):
            if value not in known:
                raise BadInput(f"no figure {value!r}", f"pairs[{number}].{name}")
        if pair.a == pair.b:
            raise BadInput("a pair is of two figures", f"pairs[{number}].b")
    counted = [pair for pair in pairs if {pair.a, pair.b} <= ids]
    met = [frozenset((pair.a, pair.b)) for pair in counted]
    wanted = len(ids) * (len(ids) - 1) // 2
    if len(set(met)) < len(met) or len(met) < wanted:
        raise BadInput("every two figures in play need one entry, once", "pairs")
    return counted


def _connected(ids: Sequence[str], links: Iterable[tuple[str, str]]) -> bool:
    """Whether links join all figures into one chain."""
    links = list(links)
    reached = set(ids[:1])
    grows = True
    while grows:
        found = {b for a, b in links if a in reached} | {
            a for a, b in links if b in reached
        }
        grows = not found <= reached
        reached |= found
    return reached == set(ids)


def _candidates(playing: Sequence[Figure]) -> list[Figure]:
    named = [figure for figure in playing if figure.leader]
    if named or not playing:
        return named
    best = max(figure.skill for figure in playing)
    return [figure for figure in playing if figure.skill == best]
