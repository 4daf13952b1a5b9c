"""When the drawn tray counts as at rest: throws that roll in and stop."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np

from vision.frame import Frame
from vision.settle import Settle
from vision.synth.tray import DrawnDie, DrawnTray

RATE_HZ = 50.0


def test_each_drawn_throw_is_read_once_soon_after_it_stopped() -> None:
    faces = tuple(str(number) for number in range(1, 21))
    tray = DrawnTray(
        (DrawnDie("skill", "d20", "white", faces),), (640, 440), 2.0, Random(3)
    )
    settle = Settle()
    number = 0

    def play(seconds: float) -> list[float]:
        nonlocal number
        read = []
        for index in range(round(seconds * RATE_HZ)):
            t_s = index / RATE_HZ
            grey = cv2.cvtColor(tray.image(t_s), cv2.COLOR_BGR2GRAY)[::2, ::2]
            small = np.ascontiguousarray(grey)
            frame = Frame(
                np.zeros((2, 2, 3), np.uint8), number / RATE_HZ, number, small
            )
            number += 1
            if settle.update(frame).read:
                read.append(t_s)
        return read

    play(0.5)
    settle.mark_empty()
    for seed in range(6):
        tray.throw(("skill", "skill"), seed)
        (at_s,) = play(tray.rest_s + 0.5)
        assert tray.rest_s <= at_s <= tray.rest_s + 0.16
        if seed % 3 == 2:
            tray.clear()
            assert play(0.5) == []
