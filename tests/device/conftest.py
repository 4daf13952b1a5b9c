"""Fixtures of the companion's tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.device.builders import Bench

MakeBench = Callable[..., Bench]


@pytest.fixture
def make_bench(tmp_path: Path) -> Iterator[MakeBench]:
    benches: list[Bench] = []

    def make(**settings: Any) -> Bench:
        benches.append(Bench(tmp_path / str(len(benches)), **settings))
        return benches[-1]

    yield make
    for one in benches:
        one.close()


@pytest.fixture
def bench(make_bench: MakeBench) -> Bench:
    return make_bench()
