"""Questions about Fallout: Wasteland Warfare as JSON asks them: items, searching."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from device.rules.fields import (
    INT,
    LENGTH,
    NAT,
    OFF,
    ON,
    TEXT,
    ListOf,
    Nullable,
    Optional,
    Reader,
    one_of,
    record,
)
from device.rules.foww.heroes import aura
from device.rules.foww.items import (
    ArmourBonus,
    Item,
    LastingItem,
    Lender,
    User,
    item_tick,
    item_use,
    stats,
)
from device.rules.foww.scavenging import (
    DRAW_WITHOUT_CHECK,
    SKILL_OF_FACE,
    Marker,
    investigation,
    search_token,
)
from device.rules.foww.vocabulary import ATTRIBUTE_MAP, FACE, ICON, SIDE

_ZERO = Optional(NAT, 0)
_TYPES = one_of("human", "super_mutant", "robot", "creature", "dog")
_DURATION = one_of("instant", "fixed", "decaying")


class OwnerReader:
    """Reads the owner of an item: `self`, or the friend who lends it.

    Source: the resolver's contract, section 4.31.
    """

    lender = record(
        Lender,
        engaged=OFF,
        distance=Optional(LENGTH),
        yellow=Optional(LENGTH),
        los=OFF,
    )

    def read(self, value: Any, path: str) -> Lender | None:
        """Return None for the user's own item, else the lender."""
        if value == "self":
            return None
        return self.lender.read(value, path)  # type: ignore[no-any-return]


KINDS: Final[Mapping[str, Reader]] = {
    "stats": record(
        stats,
        base=ATTRIBUTE_MAP,
        power_armour=Optional(
            Nullable(
                record(
                    ArmourBonus,
                    bonus=Optional(ATTRIBUTE_MAP),
                    broken_bonus=Optional(ATTRIBUTE_MAP),
                    broken=OFF,
                )
            )
        ),
        decaying=Optional(ListOf(ATTRIBUTE_MAP), ()),
        hidden=_ZERO,
        other=Optional(ListOf(ATTRIBUTE_MAP), ()),
    ),
    "item_use": record(
        item_use,
        user=record(
            User,
            type=_TYPES,
            engaged=OFF,
            unit_size=Optional(NAT, 1),
            decaying_active=OFF,
            consumables_this_action=_ZERO,
        ),
        item=record(
            Item,
            category=one_of(
                "chem",
                "alcohol",
                "food",
                "power_armour",
                "clothing",
                "gear",
                "armour",
                "weapon",
                "slow_firing_weapon",
                "unique_weapon",
                "junk",
                "mod",
            ),
            consumable=OFF,
            duration=Optional(_DURATION),
            dog_ok=OFF,
        ),
        owner=Optional(OwnerReader()),
    ),
    "item_tick": record(
        item_tick,
        event=one_of("use", "activation"),
        item=record(
            LastingItem,
            duration=_DURATION,
            printed=Optional(Nullable(NAT)),
            tokens=_ZERO,
            columns=Optional(ListOf(ATTRIBUTE_MAP), ()),
            hidden=_ZERO,
            addiction=Optional(Nullable(ICON)),
        ),
        blue_die=Optional(FACE),
    ),
    "search_token": record(
        search_token,
        face=one_of(*DRAW_WITHOUT_CHECK, *SKILL_OF_FACE),
        contact=ON,
        engaged=OFF,
        check=Optional(SIDE),
        never_locked_out=OFF,
    ),
    "investigation": record(
        investigation,
        awareness=Optional(LENGTH),
        moving=OFF,
        markers=Optional(
            ListOf(
                record(
                    Marker,
                    id=TEXT,
                    distance=Optional(LENGTH),
                    los=OFF,
                    seen_before=OFF,
                )
            ),
            (),
        ),
    ),
    "aura": record(
        aura,
        ability=one_of("leader", "dog_handler"),
        same_faction=OFF,
        radius=OFF,
        distance=Optional(LENGTH),
        presence=Optional(LENGTH),
        los=OFF,
        target_type=Optional(_TYPES),
        handler_hero=OFF,
        already_used=OFF,
        phase=Optional(one_of("activation", "reaction"), "activation"),
        per=Optional(INT),
    ),
}
"""Reader of each kind of question."""
