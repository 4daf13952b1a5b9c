"""Composition root: builds all parts from the config, closes them in reverse.

Nothing is made at import. If a part fails to open, those before it are closed again
and one clear line says why.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, Protocol

from device.ailing import Ailing
from device.board import Board
from device.buttons import PanelWatch
from device.companion import Companion
from device.config import Config, make_state_folder
from device.crashes import CameraGuard, Crash
from device.data.load import bands
from device.errors import ConfigError
from device.eyes import Eyes
from device.faces import FaceBook
from device.fitting import camera_of, camera_settings, render_of, strips_of
from device.folder import Closing, lock_folder, log_to
from device.games.registry import dice_in_play
from device.light import Light
from device.notify import Herald, page_answers
from device.parts import Parts
from device.photos import Photos
from device.picture import Picture
from device.ports import Camera, Clock, Panel, PixelStrip
from device.strip_setup import measured
from device.table.codec import JSON
from device.table.table import open_table
from device.tray import TrayLoop, TraySettings
from device.units import Seconds
from device.workbench import Rulers, lit_strip, open_workshop
from device.workshop import Safe
from hardware.clock import SystemClock
from hardware.cues import parse_cue
from hardware.parts import open_strip
from hardware.strips import Strip
from web.addresses import interfaces_of
from web.app import create_app
from web.invitation import Invitation
from web.serve import serve
from web.settings import Hotspot, WebSettings, keep_secret

logger = logging.getLogger(__name__)

ALIVE_S: Final[Seconds] = 20.0
"""A loop that has not turned for so long hangs; a capture takes 2 s at most, opening a
camera a few."""

WATCH_S: Final[Seconds] = 1.0
"""How often the watchdog is fed."""

STATUS_CHARS: Final = 300
"""More than a line or two of `systemctl status` nobody reads."""

SAFE_NOTICE: Final = (
    "safe mode, because two starts in a row failed: %s. Faces are typed in; "
    "camera, lights and buttons are off until the next start"
)
"""What every phone is told, among the parts."""

HTTP_PORT: Final = 80
SPARE_PORT: Final = 8080
"""Where the page is if port 80 is taken or not permitted."""


class Page(Closing, Protocol):
    """The page, served.

    Attributes:
        port: The one it is really served at.
    """

    port: int

    def invitation(self) -> Invitation:
        """Return how phones get there."""
        ...


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the parts come from; the demonstration and tests bring their own.

    Attributes:
        camera: Opens the camera; None builds the one of the config.
        eyes: Makes what reads the tray, once the state folder is there.
        thrower: Throws dice into a simulated tray.
        strip: Opens a strip.
        panel: Opens the panel; None where there is none.
        page: Serves the page.
        clock: Time.
    """

    eyes: Callable[[Path], Eyes]
    camera: Callable[[], Camera] | None = None
    thrower: Callable[[Sequence[str]], None] | None = None
    strip: Callable[[Strip], PixelStrip] = open_strip
    panel: Callable[[], Panel] | None = None
    page: Callable[[Companion, Config, Path], Page] = field(
        default_factory=lambda: serve_page
    )
    clock: Clock = field(default_factory=SystemClock)
    picture: Callable[[Clock], Picture] = Picture


class App:
    """Everything, built; `start` sets it going, `close` takes it apart.

    Attributes:
        companion: Commands and snapshots.
        port: Where the page is served.
        invitation: Returns how phones get there.
        loop: The tray's loop.
    """

    def __init__(
        self,
        companion: Companion,
        page: Page,
        loop: TrayLoop,
        ruler: Light,
        clock: Clock,
        host: str = "",
        watch: Sequence[Callable[[], None]] = (),
        again: threading.Event | None = None,
    ) -> None:
        self.companion = companion
        self.port = page.port
        self.invitation = page.invitation
        self._host = host
        self._watch = tuple(watch)
        self.loop = loop
        self._light = ruler
        self._clock = clock
        self._built_s = loop.turned_s
        self._stop = threading.Event()
        self._again = again or threading.Event()
        self._threads: list[threading.Thread] = []
        self._stack = ExitStack()

    def start(self) -> None:
        """Start watching the tray and following the ruler."""
        for name, run in (("tray", self.loop.run), ("light", self._light.run)):
            thread = threading.Thread(
                target=run, args=(self._stop,), name=name, daemon=True
            )
            self._threads.append(thread)
            thread.start()

    def serve_until_stopped(self, held: Callable[[], None] = lambda: None) -> None:
        """Wait for `stop`, telling systemd how all fares.

        Args:
            held: Called once this start has proven itself.
        """
        herald = Herald(
            self._clock,
            answers=self._answers,
            alive=lambda: self._clock.now_s() - self.loop.turned_s < ALIVE_S,
            status=self._status,
            held=held,
        )
        herald.tick()
        while not self._stop.wait(WATCH_S) and not self.again:
            for look in self._watch:
                look()
            herald.tick()
        herald.stop()

    @property
    def again(self) -> bool:
        """Whether somebody wants all of it started anew."""
        return self._again.is_set()

    def stop(self) -> None:
        """Have `serve_until_stopped` return; safe in a signal handler."""
        self._stop.set()

    def close(self) -> None:
        """Stop the threads and close every part, last opened first."""
        self._stop.set()
        for thread in self._threads:
            thread.join(timeout=5.0)
        self._stack.close()

    def _answers(self) -> bool:
        has_turned = self.loop.turned_s != self._built_s
        return has_turned and page_answers(self._host, self.port)

    def _status(self) -> str:
        parts = self.companion.snapshot().live.parts
        failing = [f"{part.name}: {part.message}" for part in parts if not part.ok]
        return "; ".join([f"page on port {self.port}", *failing])[:STATUS_CHARS]

    def own(self, stack: ExitStack) -> None:
        """Take over what `build` has opened."""
        self._stack = stack.pop_all()


def build(
    config: Config,
    state: Path,
    sources: Sources,
    *,
    settings: TraySettings | None = None,
    safe: str = "",
    crash: Crash | None = None,
) -> App:
    """Build everything; what was opened is closed again if a later part fails.

    Args:
        config: Checked.
        state: State folder, made if missing.
        sources: Where the parts come from.
        settings: How the tray is taken; None takes the config's.
        safe: Why this start is in safe mode, "" where it is not.
        crash: How the process before ended, where it crashed.

    Raises:
        ConfigError: The state folder, the port or a setting cannot be used.
        JournalError: The journal cannot be used.
    """
    clock = sources.clock
    with ExitStack() as stack:
        make_state_folder(state)
        stack.callback(lock_folder(state).close)
        stack.callback(log_to(state / "log").close)
        table = open_table(state, game=config.table.game, wall_s=clock.wall_s)
        stack.callback(table.close)
        board = Board(table.state, table.seq)
        parts = Parts(board, clock.wall_s)
        if safe:
            parts.fails("start", SAFE_NOTICE % safe)
        if crash is not None and crash.is_camera:
            # Whatever is found in its place, the camera is away since then.
            parts.fails(
                "camera",
                "the camera's driver ended the program; it was started again by itself",
                kind="failed",
                since_s=crash.at_s,
            )
        book = FaceBook(state / "dice", clock.wall_s)
        photos = Photos(state / "photos", config.reading.photos)
        companion = Companion(
            table,
            board,
            parts,
            dice=lambda game: book.over(dice_in_play(game, config.table.dice)),
            faces=book,
            photos=photos,
            check_cue=_check_cue,
        )
        rulers = Rulers(strips_of(config), measured(state, strips_of(config)), state)
        lit = partial(lit_strip, open_it=sources.strip)
        ruler = Light(
            board, parts, [*map(lit, rulers.strips)], render_of(rulers.strips), clock
        )
        rulers.follow(ruler, lit)
        stack.callback(ruler.close)
        open_camera = sources.camera or (lambda: camera_of(config, clock, state))
        guard = CameraGuard(open_camera, state, clock)
        loop = TrayLoop(
            companion,
            guard,
            sources.eyes(state),
            clock,
            settings=settings or _tray_settings(config),
            thrower=sources.thrower,
            picture=sources.picture(clock),
        )
        stack.callback(loop.close)
        workshop = open_workshop(
            companion, config, state, loop, rulers, photos, camera_settings
        )
        again = threading.Event()
        if safe:
            workshop.safe = Safe(safe, clock.wall_s(), again.set)
        watch = [loop.look_after, guard.look, Ailing(parts, clock).look]
        if sources.panel is not None:
            panel = PanelWatch(sources.panel, loop.press, parts, clock)
            stack.callback(panel.close)
            panel.open()
            ruler.also(panel.show)
            watch.append(panel.look_after)
        page = sources.page(companion, config, state)
        stack.callback(page.close)
        host = config.server.host
        app = App(companion, page, loop, ruler, clock, host, watch, again)
        app.own(stack)
        return app


def serve_page(companion: Companion, config: Config, state: Path) -> Page:
    """Serve the page for phones; where port 80 cannot be had, on port 8080.

    Raises:
        ConfigError: The port is taken or not permitted.
    """
    port = config.server.port
    try:
        return _serve(companion, config, state, port)
    except ConfigError as error:
        if port != HTTP_PORT:
            raise
        logger.warning("%s; the page is on port %d", error, SPARE_PORT)
        page = _serve(companion, config, state, SPARE_PORT)
        companion.parts.works("page", notice=f"{error}; on port {SPARE_PORT} instead")
        return page


def web_settings(config: Config, state: Path, port: int) -> WebSettings:
    """Return what the page needs to know of the config.

    Raises:
        ConfigError: Its key cannot be read or written.
    """
    server, hotspot = config.server, config.hotspot
    return WebSettings(
        secret=keep_secret(state),
        port=port,
        names=server.names,
        interfaces=lambda: interfaces_of(server.host),
        hotspot=Hotspot(hotspot.name, hotspot.password) if hotspot.name else None,
        state=state,
        streams=server.streams,
    )


# --- Inside ------------------------------------------------------------------------


def _serve(companion: Companion, config: Config, state: Path, port: int) -> Page:
    server = config.server
    settings = web_settings(config, state, port)
    page = create_app(companion, settings=settings)
    return serve(page, server.host, port, server.streams)


def _check_cue(game: str, cue: JSON) -> None:
    parse_cue(cue, bands(game))


def _tray_settings(config: Config) -> TraySettings:
    return TraySettings(
        count_lying=config.reading.count_lying, free_rolls=config.reading.free_rolls
    )
