"""Frames with nothing to read, run through settling and reading as the loop does.

Each case is a short stream: an empty ground, then something lies there, reaches in or
shines on it, and rests. Whatever is vouched for in it is a false roll. Most are drawn,
with a seed; some are photographs of other people's dice, the dice painted over.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrivals import EmptyTray, renewed
from vision.frame import Detection, Frame, Image, Status
from vision.images import read_image
from vision.light import WIDTH_PX
from vision.reader import Reader
from vision.rig import Rig
from vision.scores import Label, score
from vision.settle import Settle
from vision.synth import clutter, lying
from vision.synth.ground import random_ground, tint
from vision.synth.lying import DIE_RADIUS_MM
from vision.synth.scene import Scene, photograph

Array: TypeAlias = NDArray[np.floating[Any]]
Draw: TypeAlias = Callable[[Random, Array, float], None]

SIZE_WH_PX = (640, 480)
RADII_PX = (18.0, 34.0)
"""Of the dice that could lie there."""

CAMERA_MM = 420.0
"""Height of the camera over the tray, where it is known."""

RATE_HZ = 30.0
EMPTY_FRAMES = 6
STIRRED_FRAMES = 3
REST_FRAMES = 7
"""Frames before something comes, while it moves, and while it rests."""

NASTY = 0.5
"""Share of the cases that are photographed badly and hold several things."""

PAINTED_RADII = 1.6
"""A die in a photograph is painted over so far round its middle."""

ROOM_PX = 900
"""Longer side that a photograph is shrunk to."""


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One stream with nothing to read.

    Attributes:
        kind: What is in it.
        name: Seed or file.
        frames: In the order of their exposure.
        rig: Where the camera stands; None as on a plain photograph.
    """

    kind: str
    name: str
    frames: tuple[Frame, ...]
    rig: Rig | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was made of one case.

    Attributes:
        kind, name: Of the case.
        readings: How often the loop would have read.
        vouched: Faces vouched for: false rolls.
        asked: Dice that a person would have been asked about.
    """

    kind: str
    name: str
    readings: int
    vouched: tuple[str, ...]
    asked: int


def _led_light(rng: Random, picture: Array, unit: float) -> None:
    """Shine on the ground as a lit ruler beside the tray: a row of coloured spots."""
    height, width = picture.shape[:2]
    small = np.zeros((height // 4, width // 4, 3), np.float32)
    y = rng.choice((-4.0, small.shape[0] + 4.0, rng.uniform(0, small.shape[0])))
    pitch, slope = unit / 4 * rng.uniform(0.5, 1.2), rng.uniform(-0.2, 0.2)
    colour = tint(rng.random(), rng.uniform(0.6, 1), 1)
    first, last = sorted(rng.uniform(0, small.shape[1]) for _ in range(2))
    at = first
    while at < last:
        place = (round(at), round(y + slope * (at - first)))
        cv2.circle(small, place, 1, [float(c) * 8 for c in colour], -1)
        at += pitch
    soft = cv2.GaussianBlur(small, (0, 0), unit / 4 * rng.uniform(0.4, 2))
    lit = np.asarray(cv2.resize(soft + 0.2 * small, (width, height)), np.float32)
    picture *= 1 + lit
    picture += 0.15 * lit
    np.clip(picture, 0, 1, out=picture)


def _shadow(rng: Random, picture: Array, unit: float) -> None:
    """Throw the shadow of somebody who leans over."""
    height, width = picture.shape[:2]
    small = np.zeros((height // 4, width // 4), np.uint8)
    corners = [(rng.randrange(width // 4), rng.randrange(height // 4)) for _ in "1234"]
    hull = cv2.convexHull(np.array(corners, np.int32))
    cv2.fillPoly(small, [hull], (255,))
    soft = cv2.GaussianBlur(small, (0, 0), rng.uniform(1, 9))
    share = np.asarray(cv2.resize(soft, (width, height)), np.float32) / 255
    picture *= (1 - share * rng.uniform(0.2, 0.6))[..., None]


DRAWN: dict[str, tuple[Draw, ...]] = {
    "hands": (clutter.hand,),
    "cards with numerals and pips": (
        lying.playing_card,
        lying.playing_card,
        lying.pip_tile,
        clutter.card,
    ),
    "coins and tokens": (lying.coin, lying.token, lying.token),
    "crumbs": (clutter.crumbs,),
    "coloured ruler light": (_led_light,),
    "moving shadow": (_shadow,),
    "all sorts": (
        clutter.text,
        clutter.marker,
        clutter.cable,
        clutter.slab,
        clutter.rim,
        clutter.knob,
        clutter.disc,
        clutter.glow,
    ),
}
"""What is drawn for each kind of case."""


def drawn_case(kind: str, seed: int) -> Case:
    """Draw a case of one of `DRAWN`; the same seed gives the same frames.

    For odd seeds the camera's place over the tray is known.
    """
    rng = Random(f"nothing {kind} {seed}")
    nasty = rng.random() < NASTY
    unit = rng.uniform(*RADII_PX)
    ground = random_ground(rng, SIZE_WH_PX)
    things = [
        (rng.choice(DRAWN[kind]), rng.getrandbits(32))
        for _ in range(rng.randint(2, 5) if nasty else 1)
    ]
    full = ground.copy()
    for draw, inner in things:
        draw(Random(inner), full, unit)
    rough = 0.8 if nasty else 0.3
    camera = rng.getrandbits(32)
    before = photograph(Random(camera), Scene(_image(ground), ()), rough=rough).image
    after = photograph(Random(camera), Scene(_image(full), ()), rough=rough).image
    rig = _rig(unit) if seed % 2 else None
    return Case(kind, str(seed), tuple(_stream(before, after, seed)), rig)


def _rig(unit: float) -> Rig:
    """Return the place of a camera above the middle, dice being of the usual size."""
    px_per_mm = unit / DIE_RADIUS_MM
    width, height = SIZE_WH_PX
    corners = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])
    return Rig(
        frame="a4",
        size_wh_px=SIZE_WH_PX,
        homography=np.diag([1 / px_per_mm, 1 / px_per_mm, 1.0]),
        px_per_mm=px_per_mm,
        tray_outline_px=corners,
        tray_outline_mm=corners / px_per_mm,
        camera_mm=(width / px_per_mm / 2, height / px_per_mm / 2, CAMERA_MM),
        tilt_deg=0.0,
        white_bgr=None,
        black_bgr=None,
        markers=(0, 1, 2, 3),
    )


def _image(picture: Array) -> Image:
    return np.asarray(np.clip(picture, 0, 1) * 255 + 0.5, np.uint8)


def _stream(before: Image, after: Image, seed: int) -> Iterator[Frame]:
    """Yield the empty ground, something that comes in, and it at rest."""
    chance = np.random.default_rng(seed)
    # One field of noise, moved about: drawing a new one takes longer than reading.
    noise = np.round(chance.normal(0, 1.5, before.shape)).astype(np.int16)
    pictures = [before] * EMPTY_FRAMES
    for step in range(STIRRED_FRAMES):
        edge = round(after.shape[1] * (step + 1) / (STIRRED_FRAMES + 1))
        mixed = before.copy()
        mixed[:, :edge] = after[:, :edge]
        pictures.append(mixed)
    pictures += [after] * REST_FRAMES
    for number, picture in enumerate(pictures):
        moved = np.roll(noise, tuple(chance.integers(0, 200, 2)), (0, 1))
        noisy = np.clip(picture + moved, 0, 255).astype(np.uint8)
        grey = cv2.cvtColor(noisy, cv2.COLOR_BGR2GRAY)
        size = (WIDTH_PX, round(grey.shape[0] * WIDTH_PX / grey.shape[1]))
        small = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA))
        yield Frame(noisy, number / RATE_HZ, number, small.astype(np.uint8))


def photographed_case(label: Label, reader: Reader) -> Case | None:
    """Return a photograph with its dice painted over.

    None where they are not all read right: then nobody here knows where they lie; and
    where they fill it: then there is nothing around to paint with.

    Raises:
        ImageError: It cannot be read.
    """
    image = read_image(label.path)
    scale = ROOM_PX / max(image.shape[:2])
    if scale < 1:
        image = np.asarray(
            cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA),
            np.uint8,
        )
    dice = reader.read(image).detections
    if score(label.dice, dice).right < len(label.dice):
        return None
    mask = np.zeros(image.shape[:2], np.uint8)
    for pose in (die.pose for die in dice if die.pose is not None):
        at = (round(pose.top_xy_px[0]), round(pose.top_xy_px[1]))
        cv2.circle(mask, at, math.ceil(PAINTED_RADII * pose.radius_px), (255,), -1)
    if mask.all():
        return None
    painted = np.asarray(cv2.inpaint(image, mask, 3, cv2.INPAINT_TELEA), np.uint8)
    plain = np.full_like(painted, 90)
    return Case("photographs", label.path.name, tuple(_stream(plain, painted, 0)))


def cases(each: int, labels: Sequence[Label], reader: Reader) -> Iterator[Case]:
    """Yield `each` cases of every drawn kind, then the photographs."""
    for kind in DRAWN:
        for seed in range(each):
            yield drawn_case(kind, seed)
    for label in labels:
        case = photographed_case(label, reader)
        if case is not None:
            yield case


def judge(case: Case, reader: Reader) -> tuple[Outcome, list[Detection]]:
    """Run a case through settling and reading; return what was made of it."""
    settle = Settle()
    empty: EmptyTray | None = None
    found: list[Detection] = []
    readings = 0
    for frame in case.frames:
        if not settle.update(frame).read:
            continue
        readings += 1
        dice = reader.read(
            frame.image, rig=case.rig, exposed_s=frame.exposed_s, empty=empty
        ).detections
        if not dice:
            settle.mark_empty()
            if case.rig is not None:
                empty = renewed(empty, frame.image, case.rig)
        found += dice
    vouched = tuple(f"{die.die} {die.face}" for die in found if die.status is Status.OK)
    return Outcome(
        case.kind, case.name, readings, vouched, len(found) - len(vouched)
    ), (found)


def table(outcomes: Sequence[Outcome]) -> str:
    """Return a Markdown table, one row a kind, their sum last; then the false rolls."""
    lines = [
        "| nothing to read | frames | read | false rolls | dice asked about |",
        "|---|---:|---:|---:|---:|",
    ]
    kinds = dict.fromkeys(one.kind for one in outcomes)
    for kind in (*kinds, ""):
        some = [one for one in outcomes if kind in ("", one.kind)]
        false = sum(bool(one.vouched) for one in some)
        read = sum(one.readings for one in some)
        asked = sum(one.asked for one in some)
        name = kind or "**all**"
        lines.append(f"| {name} | {len(some)} | {read} | {false} | {asked} |")
    lines += [
        f"- {one.kind} {one.name}: {', '.join(one.vouched)}"
        for one in outcomes
        if one.vouched
    ]
    return "\n".join(lines)
