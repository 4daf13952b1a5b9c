"""`dicelight run`: the appliance."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from device.commands.owner import own_state
from device.commands.serving import AGAIN, Serving, serve_app
from device.config import SYSTEM_CONFIG, Config, load_config, make_state_folder

if TYPE_CHECKING:
    from device.crashes import Crash


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help=f"the configuration ({SYSTEM_CONFIG}, where that is there)",
    )


def run(options: argparse.Namespace) -> int:
    """Serve until stopped; after two failed starts in a row the page alone.

    Where somebody leaves safe mode on the page, systemd starts the service again;
    without systemd this does.
    """
    path = options.config
    if path is None and SYSTEM_CONFIG.exists():
        path = SYSTEM_CONFIG
    state = make_state_folder(own_state(appliance=True))
    status = _serve(path, state)
    while status == AGAIN and "NOTIFY_SOCKET" not in os.environ:
        status = _serve(path, state)
    return status


def _serve(path: Path | None, state: Path) -> int:
    """Start once, and serve."""
    from device.crashes import keep_crashes
    from device.fitting import hardware_problems
    from device.safemode import Start, key_of, safe_config

    with keep_crashes(state) as crash, Start(state, key_of(path), crash) as start:
        if reason := start.reason:
            config = safe_config(path)
            return serve_app(
                lambda: _build_safe(config, state, reason),
                "safe mode",
                start.held,
                show_code=sys.stdout.isatty(),
            )
        config = load_config(path, hardware_problems) if path is not None else Config()
        return serve_app(
            lambda: _build(config, state, crash),
            config.hardware.camera,
            start.held,
            show_code=sys.stdout.isatty(),
        )


def _build_safe(config: Config, state: Path, reason: str) -> Serving:
    from device.app import Sources, build
    from device.safemode import closed_eyes

    return build(config, state, Sources(lambda folder: closed_eyes()), safe=reason)


def _build(config: Config, state: Path, crash: Crash | None) -> Serving:
    from device.app import Sources, build
    from device.data.load import load_dice_set
    from device.demo import DemoTray
    from device.fitting import panel_of
    from device.sight import annotated_picture, demo_eyes, taught_eyes
    from hardware.clock import SystemClock

    clock = SystemClock()
    if config.hardware.camera != "drawn":
        sources = Sources(
            eyes=lambda folder: taught_eyes(config, folder),
            panel=panel_of(config),
            clock=clock,
            picture=annotated_picture,
        )
        return build(config, state, sources, crash=crash)
    dice = load_dice_set("demo")
    tray = DemoTray(dice, clock)
    sources = Sources(
        eyes=lambda folder: demo_eyes(dice, folder),
        camera=tray.open_camera,
        thrower=tray.roll,
        panel=panel_of(config),
        clock=clock,
        picture=annotated_picture,
    )
    return build(config, state, sources)
