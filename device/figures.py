"""A measured figure: its value, how often it was measured, what was promised."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure.

    Attributes:
        name: What was measured.
        value: The median, or a count; None where it could not be measured.
        unit: Of `value`.
        count: How many measurements.
        p95: 95th percentile, where that says more.
        must: The promised limit of `value`, or None.
        must_p95: The promised limit of `p95`, or None.
        note: What else to know; the reason where `value` is None.
    """

    name: str
    value: float | None
    unit: str
    count: int
    p95: float | None = None
    must: float | None = None
    must_p95: float | None = None
    note: str = ""

    @property
    def kept(self) -> bool | None:
        """Whether what was promised holds; None where nothing was or could be."""
        pairs = ((self.value, self.must), (self.p95, self.must_p95))
        judged = [
            found <= most
            for found, most in pairs
            if found is not None and most is not None
        ]
        return all(judged) if judged else None


def times_ms(work: Callable[[], object], count: int) -> list[float]:
    """Return milliseconds of each run."""
    times = []
    for _ in range(count):
        began = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - began))
    return times


def figure_ms(
    name: str,
    times: list[float],
    *,
    must: float | None = None,
    must_p95: float | None = None,
    note: str = "",
) -> Figure:
    """Return the median and the 95th percentile of some milliseconds."""
    if not times:
        return Figure(name, None, "ms", 0, must=must, note=note or "nothing measured")
    ordered = sorted(times)
    return Figure(
        name,
        round(statistics.median(ordered), 3),
        "ms",
        len(ordered),
        p95=round(ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 3),
        must=must,
        must_p95=must_p95,
        note=note,
    )
