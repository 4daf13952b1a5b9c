"""Safe mode: after two failed starts in a row, the page alone, saying why.

A mark in the state folder counts the starts that did not hold. It is written before
anything is built and removed once the service was ready and alive for a while, or was
stopped properly. Another configuration or release starts counting anew. Safe mode that
has held leaves the mark one failure short: the next start tries everything again, and
one more failure brings safe mode back. A start that the camera's driver ended is no
failed one: see `device.crashes`.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import sys
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from device.config import Config, HardwareConfig, ServerConfig, load_config
from device.crashes import Crash
from device.durable import write_atomic
from device.errors import ConfigError, VisionError
from device.eyes import Eyes
from vision.arrivals import EmptyTray
from vision.frame import Image, Reading
from vision.rig import Rig
from vision.settle import Settle
from vision.track import Tracker

logger = logging.getLogger(__name__)

FAILED_STARTS: Final = 2
"""So many in a row are enough: a third would fail the same way."""

MARK: Final = "start.json"
_PORT: Final = re.compile(r"^\s*port\s*=\s*(\d{1,5})\s*(?:#|$)", re.MULTILINE)
_HOST: Final = re.compile(r"""^\s*host\s*=\s*["']([\w.:]+)["']""", re.MULTILINE)

NO_WORDS: Final = "it ended without a word: killed, hung, or the power went"


@dataclass(frozen=True, slots=True)
class Mark:
    """What the state folder says of the starts before.

    Attributes:
        key: Of configuration and release that were started.
        failed: Starts in a row that did not hold.
        reason: What the last of them said.
    """

    key: str
    failed: int = 0
    reason: str = ""


class Start:
    """One start of the service; used as a context around all of it.

    A state folder that cannot be written costs the count, not the start.

    Args:
        state: State folder.
        key: From `key_of`.
        crash: How the process before ended, where it crashed.
    """

    def __init__(self, state: Path, key: str, crash: Crash | None = None) -> None:
        self._path = state / MARK
        self._key = key
        self._spared = crash is not None and crash.is_camera
        self.reason = ""
        """Why this start is in safe mode; "" where it is not."""

    def __enter__(self) -> Self:
        """Count this start as failed until it has held."""
        before = _read(self._path)
        if before.key != self._key:
            before = Mark(self._key)
        if self._spared:
            # The camera's driver ended the last start: no fault of the start itself.
            before = replace(before, failed=max(0, before.failed - 1))
        if before.failed >= FAILED_STARTS:
            self.reason = before.reason or NO_WORDS
            logger.error("safe mode, the page alone: %s", self.reason)
        else:
            self._write(replace(before, failed=before.failed + 1, reason=""))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Keep the reason of a failure; a proper end is none."""
        if error is None:
            self.held()
        elif not self.reason:
            before = _read(self._path)
            said = " ".join(str(error).split()) or type(error).__name__
            self._write(replace(before, reason=said))

    def held(self) -> None:
        """Take it that this start has not failed."""
        if self.reason:
            self._write(Mark(self._key, FAILED_STARTS - 1, self.reason))
            return
        try:
            self._path.unlink(missing_ok=True)
        except OSError as error:
            logger.warning("%s cannot be removed: %s", self._path, error)

    def _write(self, mark: Mark) -> None:
        fields = {"key": mark.key, "failed": mark.failed, "reason": mark.reason}
        try:
            write_atomic(self._path, json.dumps(fields).encode())
        except OSError as error:
            logger.warning("this start is not counted: %s", error)


def key_of(config: Path | None) -> str:
    """Return what tells this configuration and this release from all others."""
    try:
        text = config.read_bytes() if config is not None else b""
    except OSError:
        text = b""
    try:
        release = version("dicelight")
    except PackageNotFoundError:
        release = ""
    whole = hashlib.sha256(text)
    # Releases of one version number live in different environments.
    whole.update(f"\0{release}\0{sys.prefix}".encode())
    return whole.hexdigest()


def safe_config(path: Path | None) -> Config:
    """Return the configuration without parts; the defaults where it cannot be read.

    In a damaged file only the page's address is looked for: phones know it, and a page
    that was for this machine alone must not open to the network.
    """
    if path is None:
        config = Config()
    else:
        try:
            config = load_config(path)
        except ConfigError:
            config = Config(server=_server_of(path))
    return replace(config, hardware=HardwareConfig(camera="none"), strip=())


def closed_eyes() -> Eyes:
    """Return eyes that see nothing and load nothing."""
    return Eyes(
        reader=_ClosedReader(),
        settle=Settle,
        tracker=Tracker,
        find_rig=lambda image: None,
    )


class _ClosedReader:
    """Reads nothing: in safe mode there is no camera to read from."""

    def read(
        self,
        image: Image,
        *,
        rig: Rig | None = None,
        exposed_s: float = 0.0,
        empty: EmptyTray | None = None,
    ) -> Reading:
        raise VisionError("safe mode: dice are not read")


def _read(path: Path) -> Mark:
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        return Mark(str(fields["key"]), int(fields["failed"]), str(fields["reason"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Mark("")


def _server_of(path: Path) -> ServerConfig:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ServerConfig()
    server = ServerConfig()
    if found := _PORT.search(text):
        port = int(found[1])
        server = replace(server, port=port) if 0 < port < 65536 else server
    if found := _HOST.search(text):
        server = replace(server, host=found[1])
    return server
