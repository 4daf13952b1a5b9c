"""Words for keys that the rules' steps carry in Fallout: Wasteland Warfare."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from web.language import marked as N_

STEPS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "move": N_("movement"),
        "attack": N_("attack"),
        "noncombat": N_("non-combat skill"),
        "overwatch": N_("overwatch"),
        "charge": N_("charge"),
    }
)
"""AP-use icons, and actions that provoke."""
