"""Eyes: what the tray's loop asks of seeing, so that tests can see for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from vision.arrivals import EmptyTray
from vision.embedder import SideEmbedder
from vision.frame import Detection, Frame, Image, Pose, Reading
from vision.gallery import Gallery
from vision.rig import Rig, TopView


class Phase(Protocol):
    """What the tray is doing, as of one frame; `vision.settle.Phase`."""

    @property
    def name(self) -> str:
        """``moving``, ``settling``, ``still``, ``empty`` or ``hand``."""
        ...

    @property
    def read(self) -> bool:
        """This frame is to be read."""
        ...

    @property
    def look_again(self) -> bool:
        """This frame is the second look."""
        ...


class Settle(Protocol):
    """Watches frames; `vision.settle.Settle`."""

    def update(self, frame: Frame) -> Phase:
        """Take the next frame."""
        ...

    def mark_empty(self) -> None:
        """The frame last read held no die."""
        ...


class Tracked(Protocol):
    """A die followed from reading to reading; `vision.track.Tracked`."""

    @property
    def detection(self) -> Detection:
        """As read, its id set; a knocked die keeps its accepted face."""
        ...

    @property
    def fresh(self) -> bool:
        """It arrived or moved since the last accepted reading."""
        ...


class Tracker(Protocol):
    """Follows dice; `vision.track.Tracker`."""

    def update(self, reading: Reading) -> Sequence[Tracked]:
        """Take a reading."""
        ...

    def accept(self) -> None:
        """From now on, all dice lying there are old."""
        ...

    def clear(self) -> None:
        """Forget all dice: the tray is seen to be empty."""
        ...


class Reader(Protocol):
    """Reads dice; `vision.reader.Reader`."""

    def read(
        self,
        image: Image,
        *,
        rig: Rig | None = None,
        exposed_s: float = 0.0,
        empty: EmptyTray | None = None,
    ) -> Reading:
        """Read one settled image; `empty` is the tray before the dice came."""
        ...


@dataclass(frozen=True, slots=True)
class Teacher:
    """How dice are taught at the table; all of it in the tray's thread.

    Attributes:
        gallery: What the reader knows; examples are added to it.
        embedder: Shared with the reader.
        look: Finds the dice that lie flat, in the view that the reader sees.
        save: Keeps the gallery; raises VisionError where it cannot.
    """

    gallery: Gallery
    embedder: SideEmbedder
    look: Callable[[Image, Rig | None], tuple[TopView, tuple[Pose, ...]]]
    save: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Eyes:
    """How the tray is seen; made anew with every camera that is opened.

    Attributes:
        reader: Kept for good; loading it takes a while.
        settle: Makes a watcher.
        tracker: Makes a tracker.
        find_rig: Finds the printed frame, or None where it is not in view.
        teacher: Teaches dice; None where none can be taught.
    """

    reader: Reader
    settle: Callable[[], Settle]
    tracker: Callable[[], Tracker]
    find_rig: Callable[[Image], Rig | None]
    teacher: Teacher | None = None
