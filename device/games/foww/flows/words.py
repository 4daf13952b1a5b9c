"""English sentences of the guided flows, and the rulebook section of every step.

Gaps in braces are filled from the step's params: names, words of `ANSWERS`, numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Question:
    """A step of a flow.

    Attributes:
        section: Of the rulebook 2PB-002-111.
        text: What is asked, or what is to be done.
    """

    section: str
    text: str


FLOWS: Final = MappingProxyType(
    {
        "ready": "Make ready",
        "activate": "Activate",
        "move": "Move",
        "charge": "Charge",
        "shoot": "Shoot",
        "melee": "Close combat",
        "throw": "Throw",
        "mine": "Place a mine",
        "overwatch": "Overwatch",
        "skill": "Non-combat skill",
        "search": "Look at a search token",
        "investigate": "Look at an investigation token",
        "item": "Use an item",
        "extinguish": "Put out the fire",
        "unstun": "Shake off the stun",
        "collect": "Collect a charge",
        "end_activation": "End the activation",
        "end_turn": "End the turn",
        "end_round": "End the round",
        "first_player": "Who begins",
    }
)
"""Kinds of flow, in the order in which the page offers them."""

_TURN = {
    "turn": ("§2.6 p.13", "Does this side activate all its ready models now?"),
    "first": ("§2.6 p.13", "Toss for the advantage token: who gets it?"),
    "first_passes": ("§2.6 p.14", "Who begins the round, as its holder decides?"),
    "burning_toss": ("§5.4 p.48", "{who} burns. Toss a luck token."),
    "vats": ("§4.3 p.40", "V.A.T.S.: {who} rolls a blue die for action points."),
    "addiction": ("§3.3 p.33", "{item} wears off. Roll a blue die for addiction."),
    "last_gasp": ("§2.9 p.19", "{who} was ready. Toss a luck token for a last action."),
    "last_action": ("§2.9 p.19", "{who} falls, but acts once more. How?"),
    "decaying": ("§3.3 p.33", "How many columns of attributes has {item}?"),
}

_ATTACK = {
    "weapon": ("§2.8 p.16", "Which weapon does {who} use?"),
    "critical": ("§6.3 p.53", "{weapon}: the critical gauge is full. Use it now?"),
    "target": ("§2.8 p.16", "Who or what is the target?"),
    "next_target": ("§5.3 p.47", "Shot {number} of {shots}: at whom?"),
    "range": ("§2.8 p.16", "The ruler shows the range. How far is the target?"),
    "in_sight": ("§2.8 p.17", "Can {who} see {target}?"),
    "fighting": ("§2.13 p.26", "Is {target} engaged in close combat?"),
    "cover": (
        "§2.8 p.17",
        "How many covers does the line from centre to centre cross?",
    ),
    "bonus": ("§2.4 p.10", "What do cards and items add to the rating, in all?"),
    "more_dice": ("§2.4 p.11", "Do cards add another die?"),
    "strength": ("§2.13 p.24", "Strength of {who}, all bonuses in?"),
    "outnumbered": ("§2.13 p.25", "Is {target} engaged with several enemies?"),
    "attack": ("§2.4 p.10", "{who} attacks {target}: throw these dice."),
    "critical_attack": ("§6.3 p.53", "Critical attack by {who}: throw these dice."),
    "luck_accuracy": ("§6.2 p.52", "Missed. Does {who} use luck for accuracy?"),
    "luck_dodge": ("§6.2 p.52", "Hit. Does {target} use luck to dodge?"),
    "luck_crit_point": (
        "§6.2 p.52",
        "Does {who} use luck for one more critical point?",
    ),
    "luck_toughness": (
        "§6.2 p.52",
        "{damage} damage to {target}. Use luck against it?",
    ),
    "luck_toss": ("§6.2 p.52", "Toss the luck token of {who}."),
    "spend": ("§2.9 p.20", "Rolled icons pay for special effects. Which?"),
    "bystanders": ("§2.13 p.26", "Who touches {target} and is in sight of {who}?"),
    "who_is_hit": (
        "§2.13 p.26",
        "A shot into a fight: the armour die says who is hit.",
    ),
    "again": ("§5.3 p.47", "Shoot again?"),
    "slide": ("§2.13 p.25", "{who} may slide round its enemy now. Go on when done."),
}

_HIT = {
    "wear": ("§5.2 p.45", "Which armour does {target} check with?"),
    "armour_cover": ("§2.10 p.21", "Does an object between give {target} cover?"),
    "armour": ("§2.10 p.21", "{target} is hit: throw the armour die."),
    "pushed": ("§4.1 p.36", "{target} is pushed straight away. What stops it?"),
    "inside": ("§5.3 p.46", "Which models are inside the area, wholly or in part?"),
    "shielded": (
        "§5.3 p.46",
        "Which of them have an object between them and the centre?",
    ),
    "direction": ("§5.3 p.47", "It scatters: toss the arrow token. Towards what hour?"),
    "scattered": (
        "§5.3 p.47",
        "The ruler shows how far. Go on when the centre is found.",
    ),
}

_MOVE = {
    "leaving": ("§2.13 p.25", "With which enemies does {who} break contact?"),
    "free_attack": ("§2.13 p.25", "Free attack by {attacker} on {target}?"),
    "terrain": ("§4.2 p.37", "What does the move cross?"),
    "climb": ("§4.2 p.38", "{who} climbs: throw for agility."),
    "height": ("§4.2 p.39", "From how high? The shortest ruler that covers it."),
    "fall": ("§4.2 p.39", "{who} falls: throw the black die."),
    "move": ("§2.7 p.15", "Move {who} along the ruler. Go on when done."),
    "mine_zone": ("§5.3 p.46", "Did {who} enter or stop in the zone of a mine?"),
    "douse": ("§5.4 p.48", "{who} puts out the fire: throw for agility."),
    "charge_target": ("§2.12 p.23", "Whom does {who} charge?"),
    "charge_sight": ("§2.12 p.23", "Could {who} see {target} at the start?"),
    "contact": ("§2.12 p.23", "Does {who} end in contact with {target}?"),
    "charge_token": ("§2.12 p.23", "Which charge bonus does {who} take?"),
    "battle_cry": ("§4.1 p.36", "Does {who} raise a battle cry?"),
    "cry": ("§4.1 p.36", "Battle cry of {who}: throw the skill die."),
    "resist": ("§4.1 p.36", "{target} resists the battle cry: throw the skill die."),
    "push": ("§4.1 p.36", "Does {who} push {target} back?"),
    "defender_leaves": (
        "§4.1 p.36",
        "Does {target} use its reaction to leave contact?",
    ),
}

_REACT = {
    "noticed": (
        "§4.4 p.41",
        "The ruler shows one and two awareness lengths of {observer}. Does it notice "
        "{who}?",
    ),
    "reaction": ("§4.4 p.42", "{observer} reacts to {who}. How?"),
    "placed": ("§5.3 p.46", "Lay the mine within the lit ruler. Go on when done."),
    "set_off": ("§5.3 p.46", "Which mine goes off?"),
}

_REST = {
    "which_skill": ("§3.1 p.28", "Which skill?"),
    "interact": ("§3.1 p.28", "Is {who} in contact with it, and not engaged?"),
    "check": ("§3.1 p.28", "{who} tries: throw for the skill."),
    "token_face": ("§3.2 p.31", "What does the search token show?"),
    "take_check": ("§3.2 p.31", "It needs a check. Does {who} try now?"),
    "draw": ("§3.2 p.31", "Draw the card. Go on when done."),
    "marker": ("§3.2 p.29", "What does the investigation token show?"),
    "which_item": ("§3.3 p.32", "Which item does {who} use?"),
    "lender": ("§3.3 p.33", "Whose item is it?"),
    "sharing": (
        "§3.3 p.33",
        "Is {lender} within the lit ruler, in sight, and neither engaged?",
    ),
    "heal": ("§3.3 p.34", "How much does it heal?"),
    "loaded_weapon": ("§5.3 p.47", "Which weapon collects a charge?"),
}

_FACTS = {
    "fact.rating": ("§2.4 p.10", "Rating of {who} in this skill?"),
    "fact.ruler": ("§2.2 p.9", "Which ruler does the card of {who} show for this?"),
    "fact.weapon_range": ("§2.8 p.16", "Short range of {weapon}: which ruler?"),
    "fact.weapon_long": ("§2.8 p.16", "Long range of {weapon}: which ruler?"),
    "fact.weapon_kind": ("§2.8 p.16", "Which skill does {weapon} need?"),
    "fact.damage_type": ("§2.9 p.19", "Which damage does {weapon} do?"),
    "fact.damage": ("§2.9 p.19", "Base damage of {weapon}?"),
    "fact.area": ("§5.3 p.46", "Diameter of the area of {weapon}: which ruler?"),
    "fact.scatter": ("§5.3 p.47", "How far does it scatter, by its card?"),
    "fact.armour": ("§2.10 p.21", "Armour rating of {target} against this damage?"),
    "fact.endurance": (
        "§5.2 p.45",
        "How many tokens break the power armour of {target}?",
    ),
    "fact.duration": ("§3.3 p.33", "How long does {item} last?"),
    "fact.tokens": ("§3.3 p.33", "How many tokens does {item} print?"),
    "fact.addiction": ("§3.3 p.33", "Which icon of {item} makes addicted?"),
}

QUESTIONS: Final = MappingProxyType(
    {
        key: Question(section, text)
        for part in (_TURN, _ATTACK, _HIT, _MOVE, _REACT, _REST, _FACTS)
        for key, (section, text) in part.items()
    }
)
"""By step."""
