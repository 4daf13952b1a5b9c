"""Replaying folders, images and videos."""

import cv2
import numpy as np
import pytest

from device.errors import HardwareNotFound
from hardware.sim.replay import ReplayCamera
from tests.hardware.test_camera_contract import make_video


def write(path, level, size_wh=(60, 40)):
    cv2.imwrite(str(path), np.full((size_wh[1], size_wh[0], 3), level, np.uint8))


def test_each_image_of_a_folder_stays_long_enough_to_lie_still(tmp_path, clock):
    for level in (10, 200):
        write(tmp_path / f"{level:03}.png", level)
    camera = ReplayCamera(tmp_path, clock, hold_s=1.0)
    levels = [int(camera.capture().image[0, 0, 0]) for _ in range(60)]
    assert levels[:25] == [10] * 25
    assert levels[25:] == [200] * 35
    assert camera.ended


def test_images_are_shown_in_the_order_of_their_names(tmp_path, clock):
    for name, level in (("b", 20), ("a", 10), ("c", 30)):
        write(tmp_path / f"{name}.png", level)
    camera = ReplayCamera(tmp_path, clock, hold_s=0)
    assert [int(camera.capture().image[0, 0, 0]) for _ in range(4)] == [10, 20, 30, 30]


def test_a_loop_starts_again_with_fresh_numbers(tmp_path, clock):
    for name, level in (("a", 10), ("b", 20)):
        write(tmp_path / f"{name}.png", level)
    camera = ReplayCamera(tmp_path, clock, hold_s=0, loop=True)
    frames = [camera.capture() for _ in range(4)]
    assert [int(f.image[0, 0, 0]) for f in frames] == [10, 20, 10, 20]
    assert [f.number for f in frames] == [0, 1, 2, 3]


def test_images_of_other_sizes_are_fitted_into_the_first_ones(tmp_path, clock):
    write(tmp_path / "a.png", 10, (60, 40))
    write(tmp_path / "b.png", 90, (40, 60))
    camera = ReplayCamera(tmp_path, clock, hold_s=0)
    camera.capture()
    assert camera.capture().image.shape == (40, 60, 3)


def test_a_large_photograph_is_brought_to_a_cameras_size(tmp_path, clock):
    write(tmp_path / "a.png", 10, (4000, 3000))
    camera = ReplayCamera(tmp_path / "a.png", clock)
    assert camera.size_wh_px == (1920, 1440)


def test_a_video_keeps_its_own_pace(tmp_path, clock):
    camera = ReplayCamera(make_video(tmp_path / "v.avi", 10, rate_hz=20), clock)
    frames = [camera.capture() for _ in range(10)]
    assert np.allclose(np.diff([f.exposed_s for f in frames]), 0.05)
    levels = [int(f.image[0, 0, 0]) for f in frames]
    assert np.allclose(levels, range(0, 200, 20), atol=4)


def test_a_slow_reader_of_a_video_misses_frames(tmp_path, clock):
    camera = ReplayCamera(make_video(tmp_path / "v.avi", 10, rate_hz=20), clock)
    camera.capture()
    clock.advance(0.3)
    frame = camera.capture()
    assert frame.number == 6
    assert int(frame.image[0, 0, 0]) == pytest.approx(120, abs=4)


def test_an_unpaced_video_gives_every_frame_whatever_the_clock_does(tmp_path, clock):
    path = make_video(tmp_path / "v.avi", 10, rate_hz=20)
    camera = ReplayCamera(path, clock, paced=False)
    frames = []
    for _ in range(12):
        clock.advance(5)
        frames.append(camera.capture())
    assert [f.number for f in frames] == list(range(12))
    assert np.allclose(np.diff([f.exposed_s for f in frames]), 0.05)
    assert camera.ended


def test_after_its_end_a_video_holds_its_last_frame(tmp_path, clock):
    camera = ReplayCamera(make_video(tmp_path / "v.avi", 4), clock)
    frames = [camera.capture() for _ in range(9)]
    assert camera.ended
    assert (frames[-1].image == frames[3].image).all()
    assert frames[-1].number == 8


def test_a_video_loops(tmp_path, clock):
    camera = ReplayCamera(make_video(tmp_path / "v.avi", 4), clock, loop=True)
    levels = [int(camera.capture().image[0, 0, 0]) for _ in range(8)]
    assert levels[0] < 5
    assert min(levels[4:]) < 5


def test_an_empty_folder_says_what_was_expected(tmp_path, clock):
    with pytest.raises(HardwareNotFound, match=r"no images in .*expected .*jpg"):
        ReplayCamera(tmp_path, clock)


def test_a_missing_path_is_named(tmp_path, clock):
    with pytest.raises(HardwareNotFound, match=r"no such file or folder: .*gone"):
        ReplayCamera(tmp_path / "gone", clock)


@pytest.mark.parametrize("name", ["notes.txt", "fake.png", "fake.mp4"])
def test_a_file_that_is_no_picture_is_named(tmp_path, clock, name, capfd):
    (tmp_path / name).write_text("hello")
    with pytest.raises(HardwareNotFound, match=name):
        ReplayCamera(tmp_path / name, clock)


def test_a_folder_with_one_broken_image_is_refused_before_the_start(tmp_path, clock):
    write(tmp_path / "a.png", 10)
    (tmp_path / "b.png").write_text("hello")
    with pytest.raises(HardwareNotFound, match=r"b\.png"):
        ReplayCamera(tmp_path, clock)


def test_an_image_cut_short_fails_with_its_name_while_running(tmp_path, clock):
    write(tmp_path / "a.png", 10)
    write(tmp_path / "b.png", 10)
    data = (tmp_path / "b.png").read_bytes()
    (tmp_path / "b.png").write_bytes(data[:33])
    camera = ReplayCamera(tmp_path, clock, hold_s=0)
    camera.capture()
    with pytest.raises(HardwareNotFound, match=r"b\.png"):
        camera.capture()
