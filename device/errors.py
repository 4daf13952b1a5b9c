"""Every error that Dicelight raises on purpose.

An uncertain reading is a value, never an exception; these mean "cannot go on".
"""

from __future__ import annotations

from collections.abc import Sequence


class DicelightError(Exception):
    """Root of all our errors; its text is one clear line for a person."""


class ConfigError(DicelightError, ValueError):
    """The configuration is wrong; every problem is listed at once.

    Attributes:
        problems: One line each, naming the field and what was expected.
    """

    def __init__(self, problems: Sequence[str] | str) -> None:
        self.problems: tuple[str, ...] = (
            (problems,) if isinstance(problems, str) else tuple(problems)
        )
        super().__init__("; ".join(self.problems))


class RulesError(DicelightError):
    """A question that the rules cannot answer as asked.

    Attributes:
        field: Path of the offending input, e.g. ``effects[0].icons[1]``; "" where
            no single field is at fault.
    """

    def __init__(self, message: str, field: str = "") -> None:
        self.field = field
        super().__init__(message)


class UnknownFace(RulesError, LookupError):
    """A label that this die does not have."""


class UnknownTable(RulesError, LookupError):
    """No such table or row in the rulebook data."""


class OutOfRange(RulesError, ValueError):
    """A number outside what the rule allows."""


class BadInput(RulesError, ValueError):
    """Not a well-formed question: missing, unknown or wrongly typed field."""


class TableError(DicelightError):
    """A command that does not fit what is true at the table now (HTTP 409).

    Attributes:
        reason: A key for the page's message catalogue, e.g. ``no_open_check``.
    """

    def __init__(self, message: str, reason: str = "refused") -> None:
        self.reason = reason
        super().__init__(message)


class JournalError(DicelightError):
    """The journal cannot be read or written."""


class JournalFull(JournalError):
    """There is no room for it on the disk; nothing was recorded."""


class JournalDamaged(JournalError):
    """The journal's file is torn, changed or shorter than it was."""


class VisionError(DicelightError):
    """Seeing failed as a whole (a single doubtful die is no error)."""


class ImageError(VisionError, ValueError):
    """A file that is not a readable image or video."""


class TrayNotFound(VisionError):
    """The whole tray cannot be seen."""


class CalibrationError(VisionError, ValueError):
    """Points that give no usable homography."""


class HardwareError(DicelightError):
    """A part of the hardware."""


class HardwareNotFound(HardwareError):
    """Absent or not permitted: do not retry, say what to check."""


class HardwareFault(HardwareError):
    """It worked and stopped: retry with back-off."""


class HardwareClosed(HardwareError):
    """Used after close()."""
