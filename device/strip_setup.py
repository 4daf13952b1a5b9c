"""Set-up of the rulers: what was measured of each strip, kept beside the journals.

It holds as long as the config says of the strip what it said when it was measured:
whoever changes the strip there means it.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from device.durable import write_atomic
from device.errors import ConfigError
from device.units import Millimetres

logger = logging.getLogger(__name__)

FILE: Final = "strips.json"
MEASURED: Final = ("pitch_mm", "first_pixel_mm", "reversed")


class Measurable(Protocol):
    """A strip as far as it is measured; `hardware.strips.Strip`."""

    @property
    def name(self) -> str:
        """As in the config."""
        ...

    @property
    def pixels(self) -> int:
        """How many LEDs."""
        ...

    @property
    def pitch_mm(self) -> Millimetres:
        """From LED to LED."""
        ...

    @property
    def first_pixel_mm(self) -> Millimetres:
        """From the ruler's zero to LED 0."""
        ...

    @property
    def reversed(self) -> bool:
        """The LEDs run towards the ruler's zero."""
        ...


AnyStrip = TypeVar("AnyStrip", bound=Measurable)


def save(state: Path, configured: Measurable, learned: Measurable) -> None:
    """Keep what was measured of one strip; those of others stay.

    Args:
        state: State folder.
        configured: As in the config.
        learned: As measured, from `hardware.fit.fit_strip`.

    Raises:
        ConfigError: The state folder cannot be written.
    """
    kept = _read(state)
    kept[configured.name] = {"was": _facts(configured), "is": _facts(learned)}
    path = state / FILE
    try:
        write_atomic(path, json.dumps(kept).encode())
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from error


def measured(state: Path, strips: Sequence[AnyStrip]) -> tuple[AnyStrip, ...]:
    """Return the config's strips with what was measured of them."""
    kept = _read(state)
    return tuple(_measured(strip, kept.get(strip.name)) for strip in strips)


def _measured(strip: AnyStrip, entry: Any) -> AnyStrip:
    if not isinstance(entry, dict) or entry.get("was") != _facts(strip):
        return strip
    found = entry.get("is")
    if not isinstance(found, dict):
        return strip
    pitch, first, runs = (found.get(name) for name in MEASURED)
    numbers = all(
        isinstance(value, (int, float)) and math.isfinite(value)
        for value in (pitch, first)
    )
    if not numbers or not isinstance(runs, bool) or pitch <= 0:  # type: ignore[operator]
        logger.warning("%s: strip %s is damaged and not used", FILE, strip.name)
        return strip
    changes: Any = {"pitch_mm": pitch, "first_pixel_mm": first, "reversed": runs}
    return replace(strip, **changes)  # type: ignore[type-var]


def _facts(strip: Measurable) -> dict[str, Any]:
    return {name: getattr(strip, name) for name in ("pixels", *MEASURED)}


def _read(state: Path) -> dict[str, Any]:
    try:
        kept = json.loads((state / FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        logger.warning("%s is not used: %s", state / FILE, error)
        return {}
    return kept if isinstance(kept, dict) else {}
