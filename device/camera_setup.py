"""Set-up of the camera: focus by the markers, exposure and colour by the grey patches.

What is measured is kept beside the journals, for each camera and size that it was
measured with and no other; the config, where it says something, wins.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from device.durable import write_atomic
from device.errors import ConfigError
from device.units import Seconds

logger = logging.getLogger(__name__)

FILE: Final = "camera.json"
MOST_KEPT: Final = 20
"""Cameras and sizes; the oldest go."""

COARSE: Final = 9
"""Steps of the first sweep; a lens blurs visibly within one of them."""

FINE: Final = 6
"""Halvings round the best: below the lens's own repeatability."""

SAME: Final = 1.04
"""Edges this much wider are as sharp."""

STEP_S: Final[Seconds] = 0.01
"""Exposures are whole multiples of it: no bands of 50 Hz mains or dimmed lamps."""

MOST_EXPOSURE_S: Final[Seconds] = 0.03
"""Longer smears a die that still turns."""

GAINS: Final = (1.0, 8.0)
"""Beyond it noise eats the numerals."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """How one camera is to be set.

    Attributes:
        camera: Its name, e.g. ``imx708``.
        exposure_s: Fixed exposure.
        gain: Fixed amplification.
        focus_dioptres: Fixed focus, None where the lens has no motor.
        colour_gains: Red and blue relative to green, None for the camera's own.
        size_wh_px: Of its images; None where it was not kept, which fits any.
        id: Which unit it is; "" where that was not kept, then the name tells it.
    """

    camera: str = ""
    exposure_s: Seconds | None = None
    gain: float | None = None
    focus_dioptres: float | None = None
    colour_gains: tuple[float, float] | None = None
    size_wh_px: tuple[int, int] | None = None
    id: str = ""


Kept: TypeAlias = tuple[Calibration, ...]
"""What was measured, of each camera and size; the newest last."""


def suited(
    kept: Kept, camera_id: str, name: str, size_wh_px: tuple[int, int] | None = None
) -> tuple[Calibration, str]:
    """Return what was measured with a camera.

    Args:
        kept: As measured some time.
        camera_id: Of the camera that is there.
        name: Its name.
        size_wh_px: Of its images; None where that is not known yet.

    Returns:
        The calibration and ""; or an empty one, and a line that says why. The line is
        "" too where nothing was ever measured.
    """
    mine = [one for one in kept if _is_of(one, camera_id, name)]
    right = [one for one in mine if _same_size(one.size_wh_px, size_wh_px)]
    if right or not kept:
        return (right[-1] if right else Calibration()), ""
    other = (mine or kept)[-1]
    measured, found = called(other), called(Calibration(name, size_wh_px=size_wh_px))
    if measured == found:
        measured, found = f"{measured} ({other.id})", f"{found} ({camera_id})"
    return Calibration(), (
        f"set-up measured {measured}, this camera is {found}: its exposure, colour and "
        "focus are not used until it is set up"
    )


def called(measured: Calibration) -> str:
    """Return a camera's name with the size of its images, for people."""
    size = measured.size_wh_px
    shape = "" if size is None else f", {size[0]} x {size[1]}"
    return f"{measured.camera or 'a camera without a name'}{shape}"


def _is_of(measured: Calibration, camera_id: str, name: str) -> bool:
    return measured.camera == name and measured.id in ("", camera_id)


def find_focus(
    edge_at: Callable[[float], float | None], least: float, most: float
) -> float | None:
    """Return the focus at which edges are narrowest.

    Args:
        edge_at: Sets the lens to so many dioptres and returns the width of the
            markers' edges in pixels, None where no marker is seen.
        least: Farthest, dioptres.
        most: Nearest, dioptres.

    Returns:
        None where no marker was seen at any setting.
    """
    step = (most - least) / (COARSE - 1)
    widths: dict[float, float] = {}

    def try_at(dioptres: float) -> None:
        if dioptres not in widths:
            edge = edge_at(dioptres)
            widths[dioptres] = math.inf if edge is None else edge

    for index in range(COARSE):
        try_at(least + index * step)
    for _ in range(FINE):
        best = min(widths, key=lambda d: widths[d])
        if math.isinf(widths[best]):
            return None
        step /= 2
        for dioptres in (best - step, best + step):
            if least <= dioptres <= most:
                try_at(dioptres)
    # Round the best lies a plateau that measuring does not tell apart: its middle.
    sharp = sorted(
        d for d, edge in widths.items() if edge <= min(widths.values()) * SAME
    )
    return (sharp[0] + sharp[-1]) / 2


def next_exposure(
    exposure_s: Seconds, gain: float, factor: float
) -> tuple[Seconds, float]:
    """Return exposure and gain whose product is `factor` times the given one.

    The exposure is a multiple of 10 ms, as short as gains allow.

    Args:
        exposure_s: As it is, above 0.
        gain: As it is, 1 and more.
        factor: See `vision.view.View.exposure_factor`.
    """
    wanted = exposure_s * gain * factor
    steps = round(MOST_EXPOSURE_S / STEP_S)
    # 2 is the gain at which sensors are still clean; longer exposures before more.
    for limit in (2.0, GAINS[1]):
        for count in range(1, steps + 1):
            needed = wanted / (count * STEP_S)
            if needed <= limit:
                return count * STEP_S, max(GAINS[0], needed)
    return MOST_EXPOSURE_S, GAINS[1]


def save(state: Path, calibration: Calibration) -> None:
    """Keep what was measured; that of other cameras and sizes stays.

    A power cut leaves the old or the new, whole.

    Raises:
        ConfigError: The state folder cannot be written.
    """
    path = state / FILE
    others = [one for one in load(state) if not _replaces(calibration, one)]
    cameras = [asdict(one) for one in (*others, calibration)][-MOST_KEPT:]
    try:
        write_atomic(path, json.dumps({"cameras": cameras}).encode())
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from error


def load(state: Path) -> Kept:
    """Return what was measured; nothing where there is none or it is damaged."""
    path = state / FILE
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        # Before there could be several, the file held the one.
        cameras = data.get("cameras", [data])
        return tuple(_parsed(fields) for fields in cameras)
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError, AttributeError, LookupError) as error:
        logger.warning("%s is not used: %s", path, error)
        return ()


def _replaces(new: Calibration, old: Calibration) -> bool:
    return _is_of(old, new.id, new.camera) and _same_size(
        old.size_wh_px, new.size_wh_px
    )


def _same_size(one: tuple[int, int] | None, other: tuple[int, int] | None) -> bool:
    return None in (one, other) or one == other


def _parsed(fields: dict[str, Any]) -> Calibration:
    gains, size = fields.get("colour_gains"), fields.get("size_wh_px")
    return Calibration(
        camera=str(fields.get("camera", "")),
        exposure_s=_number(fields, "exposure_s", 1e-5, 1),
        gain=_number(fields, "gain", 1, 64),
        focus_dioptres=_number(fields, "focus_dioptres", 0, 32),
        colour_gains=(float(gains[0]), float(gains[1])) if gains else None,
        size_wh_px=(int(size[0]), int(size[1])) if size else None,
        id=str(fields.get("id", "")),
    )


def _number(fields: dict[str, Any], name: str, low: float, high: float) -> float | None:
    value = fields.get(name)
    if value is None:
        return None
    if not isinstance(value, (int, float)) or not low <= value <= high:
        raise ValueError(f"{name}: {value!r} is not {low:g} to {high:g}")
    return float(value)
