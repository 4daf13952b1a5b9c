"""Port 80 that is taken or not permitted: the page is on port 8080 and says so."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import device.app
from device.app import Sources, build
from device.config import Config, HardwareConfig, ServerConfig
from device.errors import ConfigError
from device.notify import page_answers
from device.safemode import closed_eyes

CONFIG = Config(hardware=HardwareConfig(camera="none"))


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


@pytest.fixture
def free() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def on(port: int) -> Config:
    return replace(CONFIG, server=ServerConfig(host="127.0.0.1", port=port))


def test_port_80_not_to_be_had_falls_back_to_8080_with_a_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taken: int, free: int
) -> None:
    monkeypatch.setattr(device.app, "HTTP_PORT", taken)
    monkeypatch.setattr(device.app, "SPARE_PORT", free)
    app = build(on(taken), tmp_path, Sources(lambda folder: closed_eyes()))
    try:
        assert app.port == free
        assert page_answers("127.0.0.1", free)
        parts = {part.name: part for part in app.companion.snapshot().live.parts}
        assert f"port {taken} is taken" in parts["page"].message
        assert str(free) in parts["page"].message
    finally:
        app.close()


def test_any_other_port_that_is_taken_stops_the_start(
    tmp_path: Path, taken: int
) -> None:
    with pytest.raises(ConfigError, match=f"port {taken} is taken"):
        build(on(taken), tmp_path, Sources(lambda folder: closed_eyes()))
