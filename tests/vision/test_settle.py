"""When a tray counts as at rest, on small drawn sequences with sensor noise."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cache

import cv2
import numpy as np
import pytest

from vision.frame import Frame
from vision.settle import Phase, Settle

SIZE = (320, 180)
RATE_HZ = 50.0
Draw = Callable[[float], np.ndarray]


def mat() -> np.ndarray:
    """A felt-like mat with a printed frame's corner squares."""
    return _mat(1).copy()


@cache
def _mat(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    ground = cv2.GaussianBlur(rng.normal(0, 1, SIZE[::-1]), (0, 0), 1.2)
    image = 95 + 10 * ground / ground.std() * 0.4
    for x in (8, SIZE[0] - 28):
        for y in (8, SIZE[1] - 28):
            image[y : y + 20, x : x + 20] = 30
            image[y + 6 : y + 11, x + 6 : x + 14] = 200
    return image


def die(
    image: np.ndarray, x: float, y: float, turn_deg: float = 0.0, pips: int = 3
) -> None:
    """Draw a white die of 16 px with dark pips at a sub-pixel place."""
    fine = 8
    side = 40
    patch = np.zeros((side * fine, side * fine), np.float32)
    mask = np.zeros_like(patch)
    middle = side * fine / 2
    box = cv2.boxPoints(((middle, middle), (16 * fine, 16 * fine), turn_deg))
    cv2.fillPoly(mask, [box.astype(np.int32)], 1.0)
    patch += 220
    turn = math.radians(turn_deg)
    for pip in range(pips):
        reach = (pip - (pips - 1) / 2) * 5 * fine
        spot = (
            int(middle + reach * math.cos(turn + 0.7)),
            int(middle + reach * math.sin(turn + 0.7)),
        )
        cv2.circle(patch, spot, int(1.7 * fine), 25, -1)
    left, top = math.floor(x) - side // 2, math.floor(y) - side // 2
    move = np.array([[1, 0, (x % 1) * fine], [0, 1, (y % 1) * fine]], np.float64)
    size = (side * fine, side * fine)
    patch, mask = (
        cv2.warpAffine(a, move, size, borderValue=b)
        for a, b in ((patch, 220), (mask, 0))
    )
    small = [
        cv2.resize(a, (side, side), interpolation=cv2.INTER_AREA) for a in (patch, mask)
    ]
    region = image[top : top + side, left : left + side]
    high, wide = region.shape
    region[:] = (
        region * (1 - small[1][:high, :wide])
        + small[0][:high, :wide] * small[1][:high, :wide]
    )


def frames(
    draw: Draw,
    seconds: float,
    *,
    rate_hz: float = RATE_HZ,
    noise: float = 2.0,
    start_s: float = 0.0,
    first: int = 0,
) -> Iterable[Frame]:
    """Expose a scene, with noise, from `start_s` on."""
    rng = np.random.default_rng(5)
    for index in range(round(seconds * rate_hz)):
        t_s = start_s + index / rate_hz
        light = draw(t_s) + rng.normal(0, noise, SIZE[::-1])
        grey = np.clip(light, 0, 255).astype(np.uint8)
        image = np.zeros((4, 4, 3), np.uint8)
        yield Frame(image, t_s, first + index, grey)


def watch(settle: Settle, stream: Iterable[Frame]) -> list[Phase]:
    return [settle.update(frame) for frame in stream]


def rolling_in(stop_s: float = 0.4, x: float = 200.0) -> Draw:
    """A die that rolls in from the left and lies still from `stop_s` on."""

    def draw(t_s: float) -> np.ndarray:
        image = mat()
        left = max(0.0, stop_s - t_s)
        die(image, x - 300 * left, 90 + 40 * left, 500 * left, 3 if left < 0.1 else 5)
        return image

    return draw


def reads(phases: list[Phase]) -> int:
    return sum(phase.read for phase in phases)


def test_a_throw_is_read_once_after_it_stopped() -> None:
    settle = Settle()
    watch(settle, frames(lambda t: mat(), 1.0))
    phases = watch(settle, frames(rolling_in(1.4), 2.0, start_s=1.0, first=50))
    at = [1.0 + i / RATE_HZ for i, phase in enumerate(phases) if phase.read]
    assert len(at) == 1
    assert 1.4 + 0.08 - 0.021 <= at[0] <= 1.4 + 0.14
    assert not any(phase.name in ("still", "empty") for phase in phases[2:19])
    rest = phases[-1]
    assert rest.name == "still"
    assert rest.rest_since_s == pytest.approx(1.4, abs=0.021)


def test_the_settled_photograph_is_blurred_unless_exposed_after_rest() -> None:
    settle = Settle()
    stream = list(frames(rolling_in(0.4), 1.0))
    for frame, phase in zip(stream, watch(settle, stream), strict=True):
        if phase.read:
            assert phase.rest_since_s is not None
            assert frame.exposed_s >= phase.rest_since_s + 0.08 - 1e-9


def test_at_a_low_rate_four_frames_are_waited_for() -> None:
    settle = Settle()
    phases = watch(settle, frames(rolling_in(0.4), 2.0, rate_hz=10))
    at = [i / 10 for i, phase in enumerate(phases) if phase.read]
    assert at == [pytest.approx(0.7)]


def test_the_second_look_comes_once_a_fifth_of_a_second_later() -> None:
    settle = Settle()
    phases = watch(settle, frames(rolling_in(0.4), 2.0))
    read = [i for i, phase in enumerate(phases) if phase.read]
    again = [i for i, phase in enumerate(phases) if phase.look_again]
    assert len(again) == 1
    assert 0.15 <= (again[0] - read[0]) / RATE_HZ <= 0.25


def test_a_spinning_die_is_no_rest() -> None:
    def draw(t_s: float) -> np.ndarray:
        image = mat()
        die(image, 160, 90, t_s * 360)
        return image

    phases = watch(Settle(hand_held=False), frames(draw, 2.0))
    assert {phase.name for phase in phases} <= {"moving", "settling"}


@pytest.mark.parametrize("speed_deg_s", [60, 90, 1500])
def test_a_slow_or_fast_spin_is_no_rest_on_a_stand(speed_deg_s: float) -> None:
    def draw(t_s: float) -> np.ndarray:
        image = mat()
        die(image, 160, 90, max(0.0, t_s - 1.0) * speed_deg_s)
        return image

    settle = Settle()
    phases = watch(settle, frames(draw, 2.5))
    assert reads(phases) == 1  # before it began to spin
    assert not any(phase.name == "still" for phase in phases[60:])


def test_a_late_die_that_nudges_an_old_one_gives_a_second_reading() -> None:
    def draw(t_s: float) -> np.ndarray:
        image = mat()
        late = max(0.0, 1.6 - t_s)
        if t_s > 1.0:
            die(image, 190 - 200 * late, 90, 300 * late, 2)
        die(image, 206 + 6 * min(max(t_s - 1.5, 0), 0.1) * 10, 90)
        return image

    settle = Settle()
    phases = watch(settle, frames(draw, 2.5))
    at = [i / RATE_HZ for i, phase in enumerate(phases) if phase.read]
    assert len(at) == 2
    assert at[0] < 1.0 < 1.6 < at[1]


def test_what_lies_still_is_not_read_again() -> None:
    phases = watch(Settle(), frames(rolling_in(0.2), 6.0))
    assert reads(phases) == 1


def test_a_passing_shadow_does_not_have_the_tray_read_again() -> None:
    def draw(t_s: float) -> np.ndarray:
        image = mat()
        die(image, 160, 90)
        if 1.0 < t_s < 1.4:
            edge = round((t_s - 1.0) * 800)
            image[:, max(0, edge - 60) : edge] *= 0.5
        return image

    phases = watch(Settle(), frames(draw, 2.5))
    assert reads(phases) == 1


def hand(image: np.ndarray, reach: float, shake: float = 0.0) -> None:
    """A hand and arm from the right border; `reach` 0 is out of view."""
    tip = 320 - reach * 190
    cv2.ellipse(image, (round(tip + 30 + shake), 90), (34, 26), 0, 0, 360, 165.0, -1)
    cv2.rectangle(image, (round(tip + 40 + shake), 70), (320, 112), 160.0, -1)
    for finger in range(4):
        y = 74 + finger * 10
        cv2.line(image, (round(tip + 4 + shake), y), (round(tip + 40), y), 120.0, 1)


def test_a_hand_that_stays_is_not_read() -> None:
    def draw(t_s: float) -> np.ndarray:
        image = mat()
        die(image, 130, 60)
        if 1.0 < t_s < 4.0:
            hand(image, min(1.0, (t_s - 1.0) * 3))
        return image

    settle = Settle()
    phases = watch(settle, frames(draw, 5.0))
    during = phases[70:190]
    assert any(phase.name == "hand" for phase in during)
    assert not any(phase.name == "still" or phase.read for phase in during)
    assert phases[-1].name == "still"
    assert reads(phases) == 1  # the tray is as it was before the hand


def test_a_hand_that_trembles_is_no_rest() -> None:
    def draw(t_s: float) -> np.ndarray:
        image = mat()
        hand(image, 1.0, 2 * math.sin(t_s * 40))
        return image

    settle = Settle()
    watch(settle, frames(lambda t: mat(), 1.0))
    phases = watch(settle, frames(draw, 2.0, start_s=1.0, first=50))
    assert not any(phase.name == "still" for phase in phases)


def test_a_thing_laid_down_is_no_hand_for_ever() -> None:
    def draw(t_s: float) -> np.ndarray:
        image = mat()
        if t_s > 1.0:
            hand(image, min(1.0, (t_s - 1.0) * 2))
        return image

    phases = watch(Settle(), frames(draw, 12.0, rate_hz=10))
    assert phases[60].name == "hand"
    assert phases[-1].name == "still"


def test_a_hand_learned_as_the_empty_tray_is_unlearned() -> None:
    def draw(t_s: float) -> np.ndarray:
        image = mat()
        hand(image, 1.0 - min(max((t_s - 1.0) * 2, 0.0), 1.0))
        return image

    settle = Settle()
    watch(settle, frames(draw, 1.0, rate_hz=10))
    settle.mark_empty()  # the reader saw no die beside the hand
    phases = watch(settle, frames(draw, 12.0, rate_hz=10, start_s=1.0, first=50))
    assert phases[-1].name == "still"
    assert reads(phases) == 1
    settle.mark_empty()
    phases = watch(settle, frames(draw, 2.0, rate_hz=10, start_s=14.0, first=500))
    assert phases[-1].name == "empty"


def test_a_cut_to_another_picture_is_no_hand() -> None:
    def draw(t_s: float) -> np.ndarray:
        image = mat()
        if int(t_s) % 2:
            hand(image, 1.0)  # a photograph of something large at the border
        return image

    phases = watch(Settle(), frames(draw, 4.0, rate_hz=25))
    assert "hand" not in {phase.name for phase in phases}
    assert reads(phases) == 4


def test_camera_shake_counts_as_moving() -> None:
    def draw(t_s: float) -> np.ndarray:
        image = mat()
        die(image, 160, 90)
        if t_s < 1.0:
            return image
        swing = 3 * math.exp(-3 * (t_s - 1)) * math.sin(40 * (t_s - 1))
        move = np.array([[1, 0, swing], [0, 1, swing / 2]], np.float64)
        return cv2.warpAffine(image, move, SIZE, borderMode=cv2.BORDER_REPLICATE)

    settle = Settle()
    phases = watch(settle, frames(draw, 4.0))
    shaken = phases[52:75]
    assert not any(phase.name == "still" for phase in shaken)
    assert phases[-1].name == "still"
    assert reads(phases) == 1  # it came back to where it was


@pytest.mark.parametrize("depth", [0.05, 0.15, 0.3])
def test_mains_flicker_is_no_motion(depth: float) -> None:
    rows = np.arange(SIZE[1])[:, None]

    def draw(t_s: float) -> np.ndarray:
        image = rolling_in(0.4)(t_s)
        # Rolling shutter: bands, 100 Hz light, that wander from frame to frame.
        return image * (1 + depth * np.sin(2 * math.pi * (100.7 * t_s + rows / 75)))

    phases = watch(Settle(), frames(draw, 2.0))
    assert reads(phases) == 1
    assert phases[-1].rest_since_s == pytest.approx(0.4, abs=0.05)


@pytest.mark.parametrize("gain", [0.6, 1.3])
def test_a_lamp_switched_on_is_no_motion(gain: float) -> None:
    def draw(t_s: float) -> np.ndarray:
        image = mat()
        die(image, 160, 90)
        across = np.linspace(0.9, 1.1, SIZE[0])[None, :]
        return image * (gain * across if t_s > 1.0 else 0.8)

    phases = watch(Settle(), frames(draw, 2.0, noise=1.0))
    assert reads(phases) == 1
    assert all(phase.name == "still" for phase in phases[20:])


@pytest.mark.parametrize("noise", [0.5, 3.0, 6.0])
def test_sensor_noise_is_no_motion(noise: float) -> None:
    phases = watch(Settle(), frames(rolling_in(0.4), 3.0, noise=noise))
    assert reads(phases) == 1
    assert phases[-1].rest_since_s == pytest.approx(0.4, abs=0.05)


def test_stale_frames_change_nothing() -> None:
    settle = Settle()
    stream = list(frames(rolling_in(0.4), 1.0))
    shown = []
    for index, frame in enumerate(stream):
        shown.append(settle.update(frame))
        if index >= 8:  # the driver hands out an old frame again, still rolling
            shown.append(settle.update(stream[index - 8]))
            assert not shown[-1].read
    assert reads(shown) == 1
    assert shown[-1].rest_since_s == pytest.approx(0.4, abs=0.021)


def test_dropped_frames_do_not_hurry_the_reading() -> None:
    settle = Settle()
    stream = list(frames(rolling_in(0.4), 1.6))
    few = [frame for frame in stream if frame.number % 7 == 0]
    phases = watch(settle, few)
    assert reads(phases) == 1
    index = next(i for i, phase in enumerate(phases) if phase.read)
    since = phases[index].rest_since_s
    assert since is not None and since >= 0.4 - 1e-9
    assert sum(frame.exposed_s >= since for frame in few[: index + 1]) >= 4


def test_the_empty_tray_is_known_once_learned_and_kept_fresh() -> None:
    settle = Settle()
    phases = watch(settle, frames(lambda t: mat(), 1.0))
    assert reads(phases) == 1
    settle.mark_empty()

    def day(t_s: float) -> np.ndarray:
        return mat() * (1 + 0.02 * t_s)  # a cloud goes by

    phases = watch(settle, frames(day, 9.0, rate_hz=20, start_s=1.0, first=50))
    assert phases[-1].name == "empty"
    assert reads(phases) == 0
    phases = watch(settle, frames(rolling_in(10.5), 2.0, start_s=10.0, first=900))
    assert reads(phases) == 1
    assert phases[-1].name == "still"


def test_rearming_has_the_same_tray_read_again() -> None:
    settle = Settle()
    watch(settle, frames(rolling_in(0.2), 1.0))
    settle.rearm()
    phases = watch(settle, frames(rolling_in(0.2), 1.0, start_s=1.0, first=50))
    assert reads(phases) == 1


def test_a_hand_held_camera_is_compensated_where_the_dice_are_at_rest() -> None:
    def draw(t_s: float) -> np.ndarray:
        image = mat()
        die(image, 160, 90, 20)
        die(image, 120, 70, 60, 2)
        drift = np.array([3 * math.sin(1.3 * t_s), 4 * math.cos(1.1 * t_s)])
        move = np.array([[1, 0, drift[0]], [0, 1, drift[1]]])
        return cv2.warpAffine(image, move, SIZE, borderMode=cv2.BORDER_REPLICATE)

    phases = watch(Settle(hand_held=True), frames(draw, 2.0, rate_hz=30))
    assert reads(phases) == 1
    assert phases[-1].name == "still"
    moved = [phase.shift_px for phase in phases if phase.name == "still"][-1]
    assert math.hypot(*moved) > 2 / SIZE[0]
    still = watch(Settle(hand_held=False), frames(draw, 2.0, rate_hz=30))
    assert reads(still) == 0


def test_a_frame_without_a_small_grey_image_is_thinned_out() -> None:
    settle = Settle()
    big = cv2.resize(mat().astype(np.uint8), (1280, 720))
    image = cv2.cvtColor(big, cv2.COLOR_GRAY2BGR)
    phases = [settle.update(Frame(image.copy(), i / 50, i)) for i in range(10)]
    assert reads(phases) == 1
