"""The doctor looks at programs and data: versions, networks, journal, taught dice."""

from __future__ import annotations

import platform
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from device.config import Config, make_state_folder
from device.doctor.finding import Finding
from device.errors import DicelightError
from device.table.table import find_nights, read_night

FREE_BYTES: Final = 200 << 20
"""Less room than this on the disk is said: an evening's photographs take 60 MB."""

PACKAGES: Final = {
    "numpy": "numpy",
    "cv2": "opencv-python-headless",
    "flask": "flask",
    "cheroot": "cheroot",
    "babel": "babel",
    "segno": "segno",
    "reportlab": "reportlab",
    "gpiozero": "gpiozero",
}
"""What is always needed: import name and distribution."""


def look(config: Config, state: Path) -> Iterator[Finding]:
    """Look at all of it.

    Args:
        config: Checked.
        state: State folder.
    """
    for each in (_python, _packages, _networks, _state, _nights, _dice):
        yield from each(config, state)


def _python(config: Config, state: Path) -> Iterator[Finding]:
    found = f"Python {platform.python_version()}, {platform.machine()}"
    good = (3, 11) <= sys.version_info[:2] <= (3, 13)
    yield Finding(
        "python",
        "ok" if good else "missing",
        found,
        "" if good else "use Python 3.11, 3.12 or 3.13",
    )
    yield Finding("sqlite", "ok", f"SQLite {sqlite3.sqlite_version}")
    release = Path(sys.prefix).resolve().parent.name
    yield Finding(
        "dicelight",
        "ok",
        f"version {_version('dicelight')}"
        + (f", release {release}" if release.isdigit() else ""),
    )


def _packages(config: Config, state: Path) -> Iterator[Finding]:
    for name, distribution in PACKAGES.items():
        try:
            import_module(name)
        except (
            ImportError,
            OSError,
            RuntimeError,
            ValueError,
            AttributeError,
        ) as error:
            # A binary package built against another numpy fails in any of these ways.
            yield Finding(
                name, "missing", f"does not import: {error}", "run `make demo` again"
            )
            continue
        yield Finding(name, "ok", _version(distribution))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "there, version unknown"


def _networks(config: Config, state: Path) -> Iterator[Finding]:
    import vision
    from device.sight import NETWORKS

    folder = Path(vision.__file__).parent / "models"
    lost = [name for name in NETWORKS if not (folder / name).is_file()]
    if lost:
        yield Finding(
            "networks", "missing", f"no {', '.join(lost)}", "install Dicelight again"
        )
    else:
        size = sum((folder / name).stat().st_size for name in NETWORKS)
        yield Finding("networks", "ok", f"{len(NETWORKS)} files, {size / 1e6:.2f} MB")


def _state(config: Config, state: Path) -> Iterator[Finding]:
    try:
        make_state_folder(state)
    except DicelightError as error:
        yield Finding("state", "missing", str(error), "set $DICELIGHT_STATE")
        return
    free = shutil.disk_usage(state).free
    low = free < FREE_BYTES
    yield Finding(
        "state",
        "note" if low else "ok",
        f"{state}, {free / 1e9:.1f} GB free",
        "free some space on the disk" if low else "",
    )


def _nights(config: Config, state: Path) -> Iterator[Finding]:
    nights = find_nights(state / "nights") if state.is_dir() else ()
    if not nights:
        yield Finding("journal", "ok", "no night yet")
        return
    try:
        fold = read_night(nights[-1])
    except DicelightError as error:
        yield Finding(
            "journal",
            "note",
            str(error),
            "start Dicelight: it keeps the damaged file and goes on",
        )
    else:
        yield Finding(
            "journal", "ok", f"{len(nights)} nights; the last has {fold.seq} events"
        )
    for path in sorted((state / "nights").glob("*.damaged-*")):
        if not path.name.endswith(("-wal", "-shm")):
            yield Finding("journal", "note", f"{path.name} was damaged and is kept")


def _dice(config: Config, state: Path) -> Iterator[Finding]:
    from device.data.load import load_dice_set
    from device.teach import gallery_path
    from vision.gallery import Gallery

    path = gallery_path(state, config.table.dice)
    if not path.exists():
        if config.hardware.camera not in ("none", "drawn"):
            yield Finding(
                "dice",
                "note",
                f"no faces of set {config.table.dice!r} are taught",
                "teach them: dicelight teach --help",
            )
        return
    try:
        taught = Gallery.load(path).dice
    except DicelightError as error:
        yield Finding(
            "dice", "missing", str(error), f"move {path} away and teach again"
        )
        return
    names = [die.name for die in load_dice_set(config.table.dice).dice]
    lacking = [name for name in names if name not in taught]
    yield Finding(
        "dice",
        "note" if lacking else "ok",
        f"{len(taught)} dice of {config.table.dice!r} taught",
        f"still to teach: {', '.join(lacking)}" if lacking else "",
    )
