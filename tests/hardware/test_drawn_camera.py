"""The drawn camera: pace, throws, faults."""

import numpy as np
import pytest

from device.errors import HardwareFault
from hardware.sim.camera import DrawnCamera
from hardware.sim.faults import CameraFaults
from vision.synth.tray import DrawnDie, DrawnTray


def quiet(scene, clock, **options):
    return DrawnCamera(scene, clock, noise=0.0, **options)


def test_frames_come_at_the_rate_asked(scene, clock):
    camera = quiet(scene, clock, rate_hz=25)
    frames = [camera.capture() for _ in range(11)]
    steps = np.diff([frame.exposed_s for frame in frames])
    assert np.allclose(steps, 0.04)
    assert [frame.number for frame in frames] == list(range(11))


def test_a_frame_is_older_than_the_moment_it_is_had(scene, clock):
    camera = quiet(scene, clock)
    for _ in range(5):
        frame = camera.capture()
        assert 0.02 <= clock.now_s() - frame.exposed_s + 1e-9 <= 0.05


def test_a_slow_reader_misses_frames_and_gets_the_newest(scene, clock):
    camera = quiet(scene, clock, rate_hz=50)
    camera.capture()
    clock.advance(1.0)
    late = camera.capture()
    assert late.number == 50
    assert clock.now_s() - late.exposed_s < 0.05


def test_frames_exposed_before_a_throw_show_the_tray_before_it(scene, clock):
    camera = quiet(scene, clock)
    camera.capture()
    clock.advance(0.2)
    thrown_s = clock.now_s()
    camera.throw(["d6"])
    levels = {}
    for _ in range(10):
        frame = camera.capture()
        levels[frame.exposed_s >= thrown_s] = int(frame.image[0, 0, 0])
    assert levels[False] == 10
    assert levels[True] >= 100


def test_throws_repeat_with_the_seed(scene, clock):
    first = quiet(scene, clock, seed=5)
    first.throw(["a"])
    first.throw(["a"])
    second = quiet(scene, clock, seed=5)
    second.throw(["a"])
    seeds = [seed for _, seed in scene.thrown]
    assert seeds[0] == seeds[2] != seeds[1]


def test_clearing_empties_the_tray(scene, clock):
    camera = quiet(scene, clock)
    camera.throw(["d6"])
    clock.advance(1)
    assert camera.capture().image[0, 0, 0] > 100
    camera.clear()
    clock.advance(1)
    assert camera.capture().image[0, 0, 0] == 10


def test_stale_frames_carry_their_true_older_time(scene, clock):
    faults = CameraFaults(stale_s=0.3)
    camera = quiet(scene, clock, faults=faults)
    clock.advance(1)
    camera.throw(["d6"])
    thrown_s = clock.now_s()
    clock.advance(0.1)
    frame = camera.capture()
    assert frame.exposed_s < thrown_s
    assert frame.image[0, 0, 0] == 10


def test_lost_frames_leave_gaps_in_the_numbers(scene, clock):
    camera = quiet(scene, clock, faults=CameraFaults(drop=0.5), seed=2)
    numbers = [camera.capture().number for _ in range(100)]
    assert 150 < numbers[-1] < 260


def test_jitter_delays_frames_but_not_their_time_stamps(scene, clock):
    camera = quiet(scene, clock, faults=CameraFaults(jitter_s=0.015), seed=3)
    delays = []
    for _ in range(50):
        frame = camera.capture()
        delays.append(clock.now_s() - frame.exposed_s)
        assert (frame.exposed_s - 100.0) * 50 == pytest.approx(frame.number)
    assert max(delays) - min(delays) > 0.008


def test_a_stall_ends_by_itself(scene, clock):
    camera = quiet(scene, clock)
    camera.capture()
    camera.stall(3.0)
    with pytest.raises(HardwareFault, match="no frame within 2 s"):
        camera.capture()
    frame = camera.capture()
    assert clock.now_s() - frame.exposed_s < 0.1


def test_noise_differs_from_frame_to_frame_and_repeats_with_the_seed(scene, clock):
    first = DrawnCamera(scene, clock, noise=2.0, seed=9)
    one, two = first.capture(), first.capture()
    assert (one.image != two.image).any()
    assert one.image.std() == pytest.approx(2.0, abs=0.5)
    again = DrawnCamera(scene, clock, noise=2.0, seed=9)
    assert (again.capture().image == one.image).all()


def test_a_drawn_tray_comes_to_rest_before_the_camera_as_it_lies(clock):
    die = DrawnDie("d6", "d6", "white", ("1", "2", "3", "4", "5", "6"))
    tray = DrawnTray((die,), (640, 360), 1.2)
    camera = quiet(tray, clock, seed=4)
    empty = camera.capture().image
    camera.throw(["d6", "d6"])
    frames = [camera.capture() for _ in range(200)]
    moving = [(f.image != frames[-1].image).any() for f in frames]
    assert (frames[-1].image == tray.image(99)).all()
    assert (frames[-1].image != empty).any()
    assert moving.index(False, 1) > 10
    assert not any(moving[-50:])
    assert len(tray.truth()) == 2


def test_a_camera_opened_again_does_not_see_the_last_throw_roll_in_again(scene, clock):
    quiet(scene, clock).throw(["d6"])
    clock.advance(20)
    again = quiet(scene, clock)
    levels = {int(again.capture().image[0, 0, 0]) for _ in range(20)}
    assert levels == {200}


def test_a_rate_of_nothing_is_refused(scene, clock):
    with pytest.raises(ValueError, match="rate_hz"):
        DrawnCamera(scene, clock, rate_hz=0)
