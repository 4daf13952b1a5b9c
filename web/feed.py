"""The open event streams: a budget for all, few for one device, a clean end."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from device.units import Seconds
from web.people import Visitor

AT_ONCE = 16
"""Phones that are told in the same moment."""

APART_S: Seconds = 0.001
"""Beyond these, one after the other: each comes and fetches its screen at once, and
whoever presses a button meanwhile would wait behind all of them. The hundredth hears a
tenth of a second later."""

STREAMS_EACH = 2
"""One device's streams at once: one, and the one it has left without a word."""


@dataclass(eq=False, slots=True)
class Ticket:
    """The right to one open stream.

    Attributes:
        holder: Whose stream it is.
        ended: Set when the stream has to stop: replaced, or the server closes.
        gone: Set before that where the device was taken off the table.
    """

    holder: Visitor
    ended: threading.Event = field(default_factory=threading.Event)
    gone: bool = False


class Pace:
    """Gives out turns: a few at once, then one after the other; from any thread.

    Args:
        at_once: How many need not wait after a pause.
        apart_s: Between the others.
        now_s: Monotonic seconds.
    """

    def __init__(
        self, at_once: int, apart_s: Seconds, now_s: Callable[[], float]
    ) -> None:
        self._room_s = (at_once - 1) * apart_s
        self._apart_s = apart_s
        self._now_s = now_s
        self._lock = threading.Lock()
        self._next_s = -math.inf

    def wait_s(self) -> Seconds:
        """Take a turn; return how long it is until then."""
        with self._lock:
            now_s = self._now_s()
            turn_s = max(self._next_s, now_s - self._room_s)
            self._next_s = turn_s + self._apart_s
            return max(0.0, turn_s - now_s)


class Streams:
    """Counts the open streams; safe from several threads."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._open: list[Ticket] = []
        self._closed = False

    @property
    def open(self) -> int:
        """How many streams are open now."""
        with self._lock:
            return len(self._open)

    def take(self, holder: Visitor) -> Ticket | None:
        """Return a ticket, or None where the budget is spent.

        A device that opens another stream ends its oldest: a phone that slept never
        says goodbye.
        """
        with self._lock:
            own = [ticket for ticket in self._open if ticket.holder.id == holder.id]
            for oldest in own[: len(own) - STREAMS_EACH + 1]:
                oldest.ended.set()
                self._open.remove(oldest)
            if self._closed or len(self._open) >= self._limit:
                return None
            ticket = Ticket(holder)
            self._open.append(ticket)
            return ticket

    def give_back(self, ticket: Ticket) -> None:
        """Free a ticket; may be called twice."""
        ticket.ended.set()
        with self._lock:
            if ticket in self._open:
                self._open.remove(ticket)

    def end(self, holder_id: str) -> None:
        """End the streams of a device that was taken off the table."""
        with self._lock:
            for ticket in [one for one in self._open if one.holder.id == holder_id]:
                ticket.gone = True
                ticket.ended.set()
                self._open.remove(ticket)

    def present(self) -> tuple[Visitor, ...]:
        """Return who has the page open now, each device once, oldest first."""
        with self._lock:
            latest = {ticket.holder.id: ticket.holder for ticket in self._open}
        return tuple(latest.values())

    def close(self) -> None:
        """End every stream and give out no more."""
        with self._lock:
            self._closed = True
            for ticket in self._open:
                ticket.ended.set()
