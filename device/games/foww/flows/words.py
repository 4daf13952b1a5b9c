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
        "touching": "Say whom it touches",
        "end_activation": "End the activation",
        "end_turn": "End the turn",
        "end_round": "End the round",
        "first_player": "Who begins",
        "readings": "How the book is read",
    }
)
"""Kinds of flow, in the order in which the page offers them."""

_TURN = {
    "turn": ("§2.6 p.13", "{side}: activate all ready models now?"),
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
    "range": ("§2.8 p.16", "The ruler shows the range. How far is {target}?"),
    "fighting": ("§2.13 p.26", "Is {target} engaged in close combat?"),
    "cover": (
        "§2.8 p.17",
        "How many covers does the line from centre to centre cross?",
    ),
    "extras": ("§2.4 p.10", "Do cards or items change the rating or the dice?"),
    "bonus": ("§2.4 p.10", "What do cards and items add to the rating, in all?"),
    "more_dice": ("§2.4 p.11", "Do cards add a die? Which?"),
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
    "spend": (
        "§2.9 p.20",
        "Icons left: bottles {bottles}, stars {stars}, bursts {bursts}. Buy what?",
    ),
    "bystanders": ("§2.13 p.26", "Who touches {target} and is in sight of {who}?"),
    "who_is_hit": (
        "§2.13 p.26",
        "A shot into a fight: the armour die says who is hit.",
    ),
    "again": ("§5.3 p.47", "Shot {number} of {shots}: shoot again?"),
    "slide": ("§2.13 p.25", "{who} may slide round its enemy now. Go on when done."),
}

_HIT = {
    "wear": ("§5.2 p.45", "Which armour does {target} check with?"),
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
    "fall_armour": ("§4.2 p.39", "{who} falls: throw the armour die."),
    "move": ("§2.7 p.15", "Move {who} along the ruler. Go on when done."),
    "mine_zone": ("§5.3 p.46", "Did {who} enter or stop in the zone of a mine?"),
    "douse": ("§5.4 p.48", "{who} puts out the fire: throw for agility."),
    "charge_target": ("§2.12 p.23", "Whom does {who} charge?"),
    "charge_sight": ("§2.12 p.23", "Could {who} see {target} at the start?"),
    "contact": ("§2.12 p.23", "Does {who} end in contact with {target}?"),
    "charge_token": ("§2.12 p.23", "Which charge bonus does {who} take?"),
    "battle_cry": ("§4.1 p.36", "Does {who} raise a battle cry?"),
    "cry": ("§4.1 p.36", "Battle cry of {who}: throw the skill die."),
    "has_resistance": ("§4.1 p.36", "Has {target} the skill to resist a battle cry?"),
    "resist": ("§4.1 p.36", "{target} resists the battle cry: throw the skill die."),
    "push": ("§4.1 p.36", "Does {who} push {target} back?"),
    "follows": ("§4.1 p.36", "Does {who} follow into contact with {target}?"),
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
}

_REST = {
    "which_skill": ("§3.1 p.28", "Which skill?"),
    "interact": ("§3.1 p.28", "Is {who} in contact with it, and not engaged?"),
    "check": ("§3.1 p.28", "{who} tries: throw for {skill}."),
    "token_face": ("§3.2 p.31", "What does the search token show?"),
    "take_check": ("§3.2 p.31", "It needs a check: {skill}. Does {who} try now?"),
    "draw": ("§3.2 p.31", "Draw: {card}. Go on when done."),
    "marker": ("§3.2 p.29", "What does the investigation token show?"),
    "which_item": ("§3.3 p.32", "Which item does {who} use?"),
    "lender": ("§3.3 p.33", "Whose item is it?"),
    "sharing": (
        "§3.3 p.33",
        "Is {lender} within the lit ruler, in sight, and neither engaged?",
    ),
    "heal": ("§3.3 p.34", "How much does it heal?"),
    "reading_point": ("", "The book is unclear in these places. Which one?"),
    "reading": ("", "{point}: how is it read at this table?"),
    "touching": ("§2.13 p.24", "Which enemies does {who} touch now?"),
    "loaded_weapon": ("§5.3 p.47", "Which weapon collects a charge?"),
}

_FACTS = {
    "fact.rating": ("§2.4 p.10", "Rating of {who}, skill or attribute: {skill}?"),
    "fact.ruler": ("§2.2 p.9", "Which ruler does the card of {who} show for: {what}?"),
    "fact.weapon_range": ("§2.8 p.16", "Short range of {weapon}: which ruler?"),
    "fact.weapon_long": ("§2.8 p.16", "Long range of {weapon}: which ruler?"),
    "fact.weapon_kind": ("§2.8 p.16", "Which skill does {weapon} need?"),
    "fact.damage_type": ("§2.9 p.19", "Which damage does {weapon} do?"),
    "fact.damage": ("§2.9 p.19", "Base damage of {weapon}?"),
    "fact.health": ("§2.9 p.19", "Health of {target}, without a hero's bonus?"),
    "fact.armour": (
        "§2.10 p.21",
        "Armour rating of {target} against damage: {damage}?",
    ),
    "fact.endurance": (
        "§5.2 p.45",
        "How many tokens break the power armour of {target}?",
    ),
    "fact.duration": ("§3.3 p.33", "How long does {item} last?"),
}

QUESTIONS: Final = MappingProxyType(
    {
        key: Question(section, text)
        for part in (_TURN, _ATTACK, _HIT, _MOVE, _REACT, _REST, _FACTS)
        for key, (section, text) in part.items()
    }
)
"""By step."""

_MARK = (
    ("yes", "Yes"),
    ("no", "No"),
    ("done", "Go on"),
    ("none", "None"),
    ("nothing", "Nothing"),
    ("object", "an object, no model"),
    ("out_of_range", "Out of range"),
    ("short", "Short range"),
    ("long", "Long range"),
    ("activate_all", "Activate all ready models"),
    ("activate_none", "Leave them ready"),
    ("side_a", "Side A"),
    ("side_b", "Side B"),
)

_THINGS = (
    ("power_armour", "Power armour"),
    ("own_armour", "Its own armour"),
    ("model", "A model"),
    ("cover", "Cover"),
    ("blocking", "Blocking terrain"),
    ("edge", "The edge of the table"),
    ("open", "Open ground"),
    ("difficult", "Difficult terrain"),
    ("climb", "It climbs"),
    ("jump", "It jumps down"),
    ("over_black", "More than black"),
    ("black_token", "Black token: damage"),
    ("green_token", "Green token: accuracy"),
    ("near", "Within one length, in sight"),
    ("near_unseen", "Within one length, out of sight"),
    ("far", "Within two lengths, in sight"),
    ("friend_hit", "No, but it sees a friend hit within one length"),
    ("far_unseen", "Within two lengths, out of sight"),
)

_COLOURS = (
    ("orange", "orange"),
    ("yellow", "yellow"),
    ("red", "red"),
    ("green", "green"),
    ("blue", "blue"),
    ("black", "black"),
)

_SKILLS = (
    ("computers", "computers"),
    ("lockpick", "lockpick"),
    ("search", "search"),
    ("presence", "presence"),
    ("rifle", "rifle"),
    ("pistol", "pistol"),
    ("heavy", "heavy weapon"),
    ("throw", "throw"),
    ("melee", "close combat"),
    ("battle_cry", "battle cry"),
    ("resist_battle_cry", "battle cry resistance"),
    ("agi", "agility"),
    ("move", "move"),
    ("charge", "charge"),
    ("awareness", "awareness"),
    ("shoot", "shoot"),
    ("mine", "place a mine"),
    ("skill", "non-combat skill"),
    ("extinguish", "put out the fire"),
)

_CARDS = (
    ("physical", "physical"),
    ("energy", "energy"),
    ("radiation", "radiation"),
    ("instant", "Instant: acts at once"),
    ("fixed", "Fixed: counted with tokens"),
    ("decaying", "Decaying: columns are covered"),
    ("letter", "Letter"),
    ("blank", "Blank"),
    ("item", "Item"),
    ("lock", "Lock"),
    ("trapped_lock", "Trapped lock"),
    ("hazard_item", "Hazard and item"),
    ("hazard", "Hazard"),
    ("number", "Number"),
    ("search_marker", "Search: swap it for a search token"),
    ("draw_item", "an item card"),
    ("draw_hazard", "a hazard card"),
)

_READINGS = (
    ("O8", "Cover and power armour"),
    ("O11", "Throwing while engaged"),
    ("O20", "Sharing an item"),
    ("O28", "Charges after use"),
    ("cover_counts", "Cover raises its rating"),
    ("cover_ignored", "Cover does not raise its rating"),
    ("penalties", "Rating −2 and armour +1"),
    ("no_penalties", "No penalties"),
    ("charges_spent", "They are spent"),
    ("charges_stay", "They stay"),
)

_EFFECTS = (
    ("damage", "Damage +{number}"),
    ("penetration", "Penetration +{number}"),
    ("ignore_armour", "{number} damage ignores armour"),
    ("push_back", "Push the target back"),
    ("burning", "Burning"),
    ("frozen", "Frozen"),
    ("injured_arm", "Injured arm"),
    ("injured_leg", "Injured leg"),
    ("poisoned", "Poisoned"),
    ("slowed", "Slowed"),
    ("stunned", "Stunned"),
)

ANSWERS: Final = MappingProxyType(
    dict((*_MARK, *_THINGS, *_COLOURS, *_SKILLS, *_CARDS, *_READINGS, *_EFFECTS))
)
"""Words of the choices that have no name of their own, and of gaps in questions."""

REASONS: Final = MappingProxyType(
    {
        "flow_running": "another action is not finished; go on with it or leave it",
        "no_flow": "no guided action is running",
        "throw_dice": "the dice answer this; throw them or type them in",
        "cannot_skip": "this step cannot be passed over",
        "nothing_to_take_back": "there is no answer to take back",
        "changed_since": "something else has changed since; undo that first",
        "nothing_to_resume": "the flow does not wait for a closed check",
        "stuck": "a model that this needs has left; leave the action",
        "not_your_turn": "it is the other side's turn",
        "turn_begun": "this turn has made a model ready already",
        "not_chosen": "its side has not chosen to activate its ready models",
        "must_activate": "all models of this side have a token, so they must activate",
        "must_ready": "an unready model must be made ready first",
        "no_turn": "all models of this side have been activated",
        "not_unready": "this model already has a token",
        "not_ready": "only a ready model is activated",
        "another_active": "another model is being activated; end that first",
        "not_active": "this model is not being activated",
        "model_removed": "this model is out of the battle",
        "round_goes_on": "not every model has been activated yet",
        "no_actions": "both actions have been used",
        "no_icon": "the card has no AP-use icon for this",
        "icon_used": "this AP-use icon was used in this activation already",
        "no_ap": "there is no action point left",
        "engaged": "it is engaged in close combat",
        "apart": "it is not in contact",
        "no_enemies": "there is no enemy left",
        "stunned_only": "a stunned model can only shake that off",
        "not_stunned": "it is not stunned",
        "not_burning": "it does not burn",
        "no_weapon": "it carries nothing for this",
        "token_limit": "no more of these tokens can lie there",
        "no_token": "there is no such token to take away",
        "cannot_overwatch": "a frozen or stunned model takes no overwatch",
        "cannot_climb": "its card says that it cannot climb",
        "no_skill": "the card lacks the skill",
        "unloaded": "the weapon is not loaded",
        "heavy_used": "one heavy weapon an activation",
        "not_charged": "it has not collected its charges",
        "no_melee": "it has a minimum range, so it is not used in close combat",
        "missed": "the attack missed",
        "critical_only": "only a critical attack buys this",
        "limit": "it was bought as often as its card allows",
        "icons": "too few icons are left",
        "locked_out": "this terminal is locked for the rest of the turn",
        "type": "this kind of model cannot use it",
        "unit_size": "only units of one model use it",
        "decaying_active": "another decaying effect is in force",
        "one_per_action": "one consumable an action",
        "not_consumable": "only consumables are shared",
        "owner_engaged": "its owner is engaged",
        "out_of_range": "it is too far away",
        "no_los": "there is no line of sight",
    }
)
"""Why something is refused, by reason."""
