"""The doctor: what is connected, what is missing, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from device.config import Config
from device.doctor import calibration, machine, network, parts, software
from device.doctor.finding import Finding

__all__ = ["Finding", "examine", "is_well"]

ROOT = Path("/")


def examine(
    config: Config,
    state: Path,
    root: Path = ROOT,
    opened: calibration.Opened | None = None,
) -> tuple[Finding, ...]:
    """Look at everything; opens no camera and lights nothing.

    Args:
        config: Checked.
        state: State folder.
        root: Where the system's own files lie; a folder stands for a board in tests.
        opened: Camera that this program has open, with the size of its images.
    """
    return tuple(_looks(config, state, root, opened))


def is_well(findings: tuple[Finding, ...]) -> bool:
    """Return whether nothing that is needed is missing."""
    return all(finding.state != "missing" for finding in findings)


def _looks(
    config: Config, state: Path, root: Path, opened: calibration.Opened | None
) -> Iterator[Finding]:
    yield from software.look(config, state)
    yield from machine.look(state, root)
    yield from parts.look(config, root, state, opened)
    yield from network.look(config, root)
