"""The demonstration: a drawn tray with dice of our own faces, taught from drawings.

The reader gets pixels only. What it knows of the dice it learns once, through the
same `teach_face` as real dice, and keeps in the state folder.
"""

from __future__ import annotations

import hashlib
import logging
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import vision
from device.errors import ImageError, TableError
from device.ports import Camera, Clock
from device.rules.dice import DiceSet, Die
from device.table.codec import digest
from device.teach import Find, teach_face
from device.units import Seconds
from hardware.sim.camera import DrawnCamera
from hardware.sim.faults import CameraFaults
from vision.frame import Image
from vision.gallery import Gallery
from vision.gallery_file import GalleryError
from vision.synth.marks import pips
from vision.synth.numbering import as_usual
from vision.synth.tray import DrawnDie, DrawnTray

logger = logging.getLogger(__name__)

SIZE_WH_PX: Final = (1280, 960)
PX_PER_MM: Final = 4.0
"""A tray of 250 mm fits; a numeral of 5 mm is 20 pixels high."""

TEACH_SIZE_WH_PX: Final = (480, 480)
"""Room for one die to roll, found quickly."""

SHOTS: Final = 3
"""Examples of each side, each lying elsewhere and turned otherwise. Faces that come
several times on a die are learnt with the neighbours of each."""

TRIES: Final = 24
"""Throws for each side to get its shots: one may stop half out of sight."""

RATE_HZ: Final = 50.0

PICKED_S: Final[Seconds] = 0.4
"""From picking dice up to throwing them. The tray rests in between, as it does with a
real player: so the camera sees that they are gone, and not pushed aside."""

USUAL_STRIP: Final[dict[str, Any]] = {
    "name": "ruler",
    "pixels": 144,
    "pitch_mm": 1000 / 144,
    "first_pixel_mm": 1000 / 288,
    "limit_ma": 2000,
    "driver": "simulated",
}
"""A metre of the usual dense strip, its first LED half a pitch from zero."""


def drawn_dice(dice: DiceSet) -> tuple[DrawnDie, ...]:
    """Return the dice of a set, every side known, as they are drawn."""
    return tuple(
        DrawnDie(die.name, die.shape, die.colour, die.sides) for die in dice.dice
    )


def plain_dice(sets: Sequence[DiceSet]) -> tuple[DrawnDie, ...]:
    """Return dice with numerals or pips, as other games use: nobody has to teach them.

    Args:
        sets: Of those games; a die of one name is drawn once.
    """
    found: dict[str, DrawnDie] = {}
    for die in (die for one in sets for die in one.dice):
        solid = "d10" if die.shape == "d%" else die.shape
        masks = tuple(pips(int(side)) for side in die.sides) if solid == "d6" else ()
        sides = as_usual(solid, die.sides)
        drawn = DrawnDie(die.name, solid, die.colour, sides, masks)
        found.setdefault(die.name, drawn)
    return tuple(found.values())


class DemoTray:
    """The drawn tray of the demonstration, and its camera.

    Args:
        dice: The dice there are.
        clock: Paces the frames.
        seed: Of all throws.
        faults: What the camera does wrong, and when.
        plain: More dice, which nobody has taught.
    """

    def __init__(
        self,
        dice: DiceSet,
        clock: Clock,
        *,
        seed: int = 0,
        faults: CameraFaults | None = None,
        plain: Sequence[DrawnDie] = (),
    ) -> None:
        drawn = (*drawn_dice(dice), *plain)
        self.tray = DrawnTray(drawn, SIZE_WH_PX, PX_PER_MM, random.Random(seed))
        self.size_wh_px = SIZE_WH_PX
        self._clock = clock
        self._seed = seed
        self._faults = faults
        self._camera: DrawnCamera | None = None
        self._held_s = 0.0
        self._picked: Image = self.tray.image(0.0)

    @property
    def rest_s(self) -> Seconds:
        """Seconds after the last throw at which everything has stopped."""
        return self._held_s + self.tray.rest_s

    def open_camera(self) -> Camera:
        """Open the camera over the tray (again)."""
        self._camera = DrawnCamera(
            self, self._clock, RATE_HZ, seed=self._seed, faults=self._faults
        )
        # Another camera must not throw the same dice again.
        self._seed += 1
        return self._camera

    def roll(self, names: Sequence[str]) -> None:
        """Throw dice in, as a player would.

        Raises:
            TableError: No camera is there to see it.
        """
        if self._camera is None:
            raise TableError("the camera is not there yet", "no_camera")
        self._camera.throw(names)

    # --- What the camera looks at --------------------------------------------------

    def throw(self, names: Sequence[str], seed: int) -> None:
        """Pick up what lies there of these dice, then throw."""
        lying = len(self.tray.truth())
        self.tray.take(names)
        self._picked = self.tray.image(self.tray.rest_s)
        self._held_s = PICKED_S if len(self.tray.truth()) < lying else 0.0
        self.tray.throw(names, seed)

    def clear(self) -> None:
        """Take all dice out."""
        self._held_s = 0.0
        self.tray.clear()

    def image(self, t_s: float) -> Image:
        """Return the tray as it looks some seconds after the last throw."""
        if t_s < self._held_s:
            return self._picked
        return self.tray.image(t_s - self._held_s)


# --- The gallery -------------------------------------------------------------------


def demo_gallery(
    dice: DiceSet,
    state: Path,
    find: Callable[[], Find],
    progress: Callable[[str], None] = lambda line: None,
) -> Gallery:
    """Return the taught faces of drawn dice, from the state folder where they lie.

    Args:
        dice: Every side known.
        state: State folder.
        find: Makes a finder; asked only where there is something to teach.
        progress: Told what is going on, a line at a time.
    """
    path = state / "dice" / f"{dice.name}-{_version_key(dice)}.npz"
    if path.exists():
        try:
            return Gallery.load(path)
        except GalleryError as error:
            logger.warning("%s is made anew: %s", path, error)
    gallery = Gallery(name=dice.name)
    finder = find()
    for number, die in enumerate(dice.dice, 1):
        progress(f"learning the drawn dice: {die.name} ({number} of {len(dice.dice)})")
        _teach_die(gallery, finder, die)
    path.parent.mkdir(parents=True, exist_ok=True)
    for old in path.parent.glob(f"{dice.name}-*.npz"):
        old.unlink(missing_ok=True)
    gallery.save(path)
    return gallery


def drawn_shots(die: Die, seed: int) -> Iterator[tuple[int, Image]]:
    """Yield pictures of a die, each thrown anew: every side in turn, again and again.

    Yields:
        (number of the side that is up, picture).
    """
    own = DrawnDie(die.name, die.shape, die.colour, die.sides)
    for number in range(TRIES):
        tray = DrawnTray(
            [own],
            TEACH_SIZE_WH_PX,
            PX_PER_MM,
            random.Random(seed + number),
            frame_marks=False,
        )
        for side in range(len(die.sides)):
            tray.clear()
            tray.throw([die.name], seed + number * len(die.sides) + side, [side])
            yield side, tray.image(tray.rest_s)


def _teach_die(gallery: Gallery, find: Find, die: Die) -> None:
    counts = [0] * len(die.sides)
    # Any seed would do; it only must not be that of a throw in the demonstration.
    seed = int.from_bytes(hashlib.sha256(die.name.encode()).digest()[:4], "big")
    for side, image in drawn_shots(die, seed):
        face = die.sides[side]
        if counts[side] < SHOTS and _taught(gallery, find, die, face, image):
            counts[side] += 1
        if min(counts) >= SHOTS:
            break
    poor = [die.sides[side] for side, count in enumerate(counts) if count == 0]
    if poor:
        # It will be seen as no die that we know, and asked for: no reason not to start.
        logger.warning("of the drawn %s die %s could not be learnt", die.name, poor)


def _taught(gallery: Gallery, find: Find, die: Die, face: str, image: Image) -> bool:
    try:
        teach_face(
            gallery,
            find,
            die=die.name,
            face=face,
            image=image,
            where=f"drawn {die.name} {face}",
            shape=die.shape,
            colour=die.colour,
        )
    except ImageError as error:
        logger.info("a drawn shot is left out: %s", error)
        return False
    return True


def _version_key(dice: DiceSet) -> str:
    """Return a key that changes with the dice, the drawing and the networks."""
    root = Path(vision.__file__).parent
    found = hashlib.sha256(digest(dice).encode())
    for folder, ending in (("synth", "*.py"), ("models", "*.onnx")):
        for path in sorted((root / folder).glob(ending)):
            found.update(path.read_bytes())
    found.update(Path(__file__).read_bytes())
    return found.hexdigest()[:12]
