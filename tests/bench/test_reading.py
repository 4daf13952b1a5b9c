"""What reading and watching cost, on any machine: shares, memory, processor's time."""

from __future__ import annotations

import os

import cv2
import pytest

from device.bench import measure_watching
from device.bench_reading import measure_reading
from device.data.load import load_dice_set
from device.figures import Figure
from device.sight import demo_eyes
from vision.reader import Reader

LIMIT_MS = 25.0
"""For five dice on the development machine; others may take twice as long."""

BUSY = 1.2
"""Load a core above which times say nothing."""


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Figure]:
    cv2.setNumThreads(1)
    eyes = demo_eyes(load_dice_set("demo"), tmp_path_factory.mktemp("state"))
    found = measure_reading(eyes.reader, Reader(), eyes.find_rig, readings=3)
    return {one.name: one for one in found}


def test_the_readers_memory_stays_small(figures: dict[str, Figure]) -> None:
    figure = figures["memory of the reader at its peak"]
    assert figure.value is not None, figure.note
    assert 0 < figure.value <= 120, figure


def test_twenty_dice_cost_at_most_twenty_times_one(figures: dict[str, Figure]) -> None:
    figure = figures["reading 20 untaught dice"]
    assert figure.value is not None and figure.must is not None
    assert figure.value <= figure.must, figure


def test_five_dice_are_read_in_time(figures: dict[str, Figure]) -> None:
    if os.getloadavg()[0] > BUSY * (os.cpu_count() or 1):
        pytest.skip("other work runs here")
    late = [
        figure
        for name, figure in figures.items()
        if "five" in name and figure.value is not None and figure.value > 2 * LIMIT_MS
    ]
    assert len([name for name in figures if "five" in name]) == 2
    assert not late, late


def test_watching_costs_a_small_part_of_a_core() -> None:
    figure = measure_watching()
    assert figure.value is not None and figure.must is not None
    assert figure.value <= 2 * figure.must, figure
