"""Calls into vendor code that may never come back."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from device.units import Seconds

logger = logging.getLogger(__name__)


def run_bounded(what: str, call: Callable[[], None], seconds: Seconds) -> bool:
    """Run a call, and go on without it if it does not end in time.

    A call that hangs keeps its daemon thread; the caller must not use the device
    again.

    Args:
        what: For the log, e.g. ``closing imx708``.
        call: Its errors are logged.
        seconds: How long to wait.

    Returns:
        Whether it ended.
    """

    def run() -> None:
        try:
            call()
        except (OSError, RuntimeError, ValueError) as error:
            logger.warning("%s failed: %s", what, error)

    thread = threading.Thread(target=run, name=what, daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        logger.error("%s hangs; going on without it", what)
    return not thread.is_alive()
