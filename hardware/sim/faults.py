"""Faults on request: what a simulated part can be told to do wrong.

The knobs live outside the part, because a pulled plug outlives the object that
stood for the device: a camera opened again on the same `CameraFaults` is still
missing until somebody plugs it in.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from device.errors import HardwareFault, HardwareNotFound
from device.units import Seconds


@dataclass(slots=True)
class CameraFaults:
    """Knobs of a simulated camera; may be turned from any thread.

    Attributes:
        plugged: False: opening finds no camera, capturing fails at once.
        fail_open: Opening fails though the camera is there (busy, no memory).
        fail_at: The capture of this number (1 = the first) and all after it fail,
            until the camera is opened again.
        hung: No more frames, until the camera is opened again.
        stalled_until_s: Monotonic seconds before which no frame comes.
        stale_s: Frames are this much older than a healthy camera's.
        drop: Share of frames that are lost, 0 to below 1.
        jitter_s: Frames come up to this much late.
        failed: `fail_at` struck; the next opening mends it.
    """

    plugged: bool = True
    fail_open: bool = False
    fail_at: int | None = None
    hung: bool = False
    stalled_until_s: Seconds = 0.0
    stale_s: Seconds = 0.0
    drop: float = 0.0
    jitter_s: Seconds = 0.0
    failed: bool = field(default=False, init=False)

    def opening(self, name: str) -> None:
        """Pass or refuse an opening; a hang and a failure end with it.

        Raises:
            HardwareNotFound: Unplugged.
            HardwareFault: It is there and does not open.
        """
        if not self.plugged:
            raise HardwareNotFound(f"no camera {name}: it is not plugged in")
        if self.fail_open:
            raise HardwareFault(f"camera {name} is there but does not open")
        self.hung = False
        if self.failed:
            self.failed, self.fail_at = False, None

    def capturing(self, name: str, count: int) -> None:
        """Pass or refuse the capture numbered `count`, 1 being the first.

        Raises:
            HardwareFault: Unplugged, or told to fail by now.
        """
        if not self.plugged:
            raise HardwareFault(f"camera {name} was unplugged")
        if self.fail_at is not None and count >= self.fail_at:
            self.failed = True
            raise HardwareFault(f"camera {name} failed at capture {count}")


@dataclass(slots=True)
class StripFaults:
    """Knobs of a simulated strip; may be turned from any thread.

    Attributes:
        plugged: False: opening finds no strip, showing fails.
        fail_at: The show of this number (1 = the first) and all after it fail,
            until the strip is opened again.
        fail_open: Opening fails though the strip is there.
        hangs_until: Showing does not come back before this event is set.
        failed: `fail_at` struck; the next opening mends it.
    """

    plugged: bool = True
    fail_at: int | None = None
    fail_open: bool = False
    hangs_until: threading.Event | None = None
    failed: bool = field(default=False, init=False)

    def opening(self, name: str) -> None:
        """Pass or refuse an opening.

        Raises:
            HardwareNotFound: Unplugged.
            HardwareFault: It is there and does not open.
        """
        if not self.plugged:
            raise HardwareNotFound(f"no strip {name}: it is not plugged in")
        if self.fail_open:
            raise HardwareFault(f"strip {name} is there but does not open")
        if self.failed:
            self.failed, self.fail_at = False, None

    def showing(self, name: str, count: int) -> None:
        """Pass or refuse the show numbered `count`, 1 being the first.

        Raises:
            HardwareFault: Unplugged, or told to fail by now.
        """
        if self.hangs_until is not None:
            self.hangs_until.wait()
        if not self.plugged:
            raise HardwareFault(f"strip {name} was unplugged")
        if self.fail_at is not None and count >= self.fail_at:
            self.failed = True
            raise HardwareFault(f"strip {name} failed at show {count}")
