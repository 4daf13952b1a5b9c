"""`dicelight demo`: all of it on this computer, on simulated hardware."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from device.commands.serving import Serving, serve_app
from device.config import (
    Config,
    HardwareConfig,
    ServerConfig,
    TableConfig,
    make_state_folder,
    state_folder,
)
from device.errors import ConfigError
from device.ports import Panel

if TYPE_CHECKING:
    from device.app import App
    from device.demo import DemoTray


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--port", type=int, default=8080, metavar="N", help="of the page (8080)"
    )
    parser.add_argument(
        "--host", default="0.0.0.0", metavar="ADDRESS", help="to listen on (all)"
    )
    parser.add_argument(
        "--frames",
        type=Path,
        metavar="DIR-or-VIDEO",
        help="use these pictures as the camera instead of the drawn tray; dice that "
        "lie there count, and throws that no check asked for are logged",
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="of the throws (0)"
    )


def run(options: argparse.Namespace) -> int:
    """Serve until stopped."""
    if not 0 <= options.port <= 65535:
        raise ConfigError(f"--port: {options.port} is no port (0 to 65535)")
    if options.frames is not None and not options.frames.exists():
        raise ConfigError(f"--frames: {options.frames}: no such folder or video")
    state = make_state_folder(state_folder(appliance=False))
    build = _replay if options.frames is not None else _drawn
    return serve_app(lambda: build(options, state), "simulated tray, strips and panel")


def _config(options: argparse.Namespace) -> Config:
    return demo_config(options.host, options.port)


def demo_config(host: str, port: int) -> Config:
    """Return the demonstration's config: our dice, one simulated strip."""
    from device.demo import USUAL_STRIP

    server = ServerConfig(host=host, port=port)
    return Config(
        table=TableConfig(dice="demo"),
        server=server,
        hardware=HardwareConfig(camera="drawn"),
        strip=(USUAL_STRIP,),
    )


def _drawn(options: argparse.Namespace, state: Path) -> Serving:
    return drawn_app(state, config=_config(options), seed=options.seed, say=_say)[0]


def drawn_app(
    state: Path,
    *,
    config: Config | None = None,
    seed: int = 0,
    say: Callable[[str], None] = lambda line: None,
    gallery_state: Path | None = None,
) -> tuple[App, DemoTray]:
    """Build the demonstration.

    Args:
        state: State folder.
        config: Of the page; None takes any free port on this computer alone.
        seed: Of the throws.
        say: Told what is going on.
        gallery_state: Where the learnt dice lie; None for `state`.
    """
    from device.app import Sources, build
    from device.data.load import load_dice_set
    from device.demo import DemoTray, plain_dice
    from device.games.registry import other_dice
    from device.sight import annotated_picture, demo_eyes
    from hardware.clock import SystemClock

    dice = load_dice_set("demo")
    clock = SystemClock()
    tray = DemoTray(dice, clock, seed=seed, plain=plain_dice(other_dice("foww")))
    sources = Sources(
        eyes=lambda folder: demo_eyes(dice, gallery_state or folder, say),
        camera=tray.open_camera,
        thrower=tray.roll,
        panel=_simulated_panel,
        clock=clock,
        picture=annotated_picture,
    )
    return build(config or demo_config("127.0.0.1", 0), state, sources), tray


def _replay(options: argparse.Namespace, state: Path) -> Serving:
    from device.app import Sources, build
    from device.sight import annotated_picture, taught_eyes
    from device.tray import TraySettings
    from hardware.clock import SystemClock
    from hardware.sim.replay import ReplayCamera

    clock = SystemClock()
    ReplayCamera(options.frames, clock).close()  # a bad path is said before the start
    config = replace(
        _config(options),
        table=TableConfig(dice="foww"),
        hardware=HardwareConfig(camera="replay"),
    )
    sources = Sources(
        eyes=lambda folder: taught_eyes(config, folder, hand_held=True),
        camera=lambda: ReplayCamera(options.frames, clock),
        panel=_simulated_panel,
        clock=clock,
        picture=annotated_picture,
    )
    settings = TraySettings(count_lying=True, free_rolls=True)
    return build(config, state, sources, settings=settings)


def _simulated_panel() -> Panel:
    from hardware.panel import PanelPins
    from hardware.parts import open_panel

    return open_panel("simulated", PanelPins())


def _say(line: str) -> None:
    sys.stderr.write(f"dicelight: {line}\n")
