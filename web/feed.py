"""The open event streams: a budget for all, few for one device, a clean end."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from web.people import Visitor

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
