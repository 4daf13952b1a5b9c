"""What is wrong with a part, in the reader's language.

The drivers and the doctor say it in English, in one line, also in the log. Here the
same lines stand as templates; a line that fits one is said in the reader's language,
any other leads to the log of the device.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from web.language import current, gettext
from web.language import marked as N_

ELSEWHERE: Final = N_("The log of the device says more.")
"""Said of a line that nobody has translated."""

PICAMERA: Final = (
    N_("no camera found: is the ribbon cable seated, blue side to the clip?"),
    N_("no camera %(index)s; there are %(known)s"),
    N_(
        "camera %(name)s does not open (%(error)s): is another program using it, is "
        "the cable firm?"
    ),
    N_("camera %(name)s gave no frame within %(seconds)s s"),
    N_(
        "camera %(name)s gives %(format)s images; expected one of %(known)s",
    ),
    N_("camera %(name)s failed: %(error)s"),
    N_(
        "%(package)s is not installed: on a Raspberry Pi sudo apt install "
        "python3-picamera2 and a virtual environment with --system-site-packages; "
        "elsewhere use a webcam or files as the camera"
    ),
    N_(
        "picamera2 does not load (%(error)s): numpy from pip lies over apt's; "
        "uninstall it from the virtual environment"
    ),
    N_("the camera's driver does not answer; unplug it and restart"),
    N_("its driver does not answer"),
    N_("the camera's driver ended the program; it was started again by itself"),
    N_(
        "the camera's driver ended the program %(count)s times in a row; it is left "
        "alone for %(minutes)s min after the start"
    ),
    N_("no camera is configured; faces are typed in"),
    N_("picamera2 takes a camera's number, not %(number)s"),
    N_(
        "set-up measured %(kept)s, this camera is %(found)s: its exposure, colour and "
        "focus are not used until it is set up"
    ),
    N_("one stream only: motion is watched in the main image"),
    N_("it has no frame rate"),
    N_("it has no manual exposure"),
    N_("it has no manual gain"),
    N_("it has no manual focus"),
    N_("it has no manual colour"),
    N_("it has no %(control)s"),
)

WEBCAM: Final = (
    N_("no webcam found: is it plugged in?"),
    N_("no webcam %(wanted)s; there are %(there)s"),
    N_(
        "no permission for %(path)s: sudo usermod -aG video USER, then log in again",
    ),
    N_(
        "webcam %(name)s (%(path)s) does not open: is another program using it, is it "
        "a camera at all?"
    ),
    N_("webcam %(name)s gave no frame within %(seconds)s s"),
    N_("webcam %(name)s was unplugged or failed"),
)

SIMULATED: Final = (
    N_("no camera %(name)s: it is not plugged in"),
    N_("camera %(name)s is there but does not open"),
    N_("camera %(name)s was unplugged"),
    N_("camera %(name)s failed at capture %(count)s"),
    N_("no strip %(name)s: it is not plugged in"),
    N_("strip %(name)s is there but does not open"),
    N_("strip %(name)s was unplugged"),
    N_("strip %(name)s failed at show %(count)s"),
    N_("no such file or folder: %(path)s"),
    N_("no images in %(path)s: expected %(kinds)s"),
    N_("not an image that can be read: %(path)s"),
    N_("not a video that can be read: %(path)s"),
)

STRIPS: Final = (
    N_("python3-spidev is not installed: sudo apt install python3-spidev"),
    N_(
        "there is no %(name)s: switch SPI on (sudo raspi-config nonint do_spi 0) and "
        "restart"
    ),
    N_("no permission for %(name)s: sudo usermod -aG spi USER, then log in again"),
    N_("strip %(name)s: the SPI bus failed: %(error)s"),
    N_("%(name)s does not open: %(error)s"),
    N_(
        "strip %(name)s: %(count)s LEDs need %(bytes)s bytes in one SPI transfer, the "
        "kernel takes %(allowed)s (%(fits)s LEDs). Add spidev.bufsiz=%(needed)s to the "
        "one line of /boot/firmware/cmdline.txt and restart"
    ),
    N_("strip %(name)s: no host %(address)s on this network"),
    N_("strip %(name)s: %(address)s answers, but is no WLED"),
    N_("strip %(name)s: the WLED at %(address)s is gone: %(error)s"),
    N_(
        "strip %(name)s: the WLED at %(address)s is set to %(count)s LEDs, the config "
        "says %(pixels)s"
    ),
    N_("strip %(name)s: address is the host of a WLED, not %(address)s"),
    N_(
        "strip %(name)s: %(pixels)s pieces take %(one)s or %(three)s pins, not %(pins)s"
    ),
    N_("strip %(name)s: no driver %(driver)s"),
    N_("strip %(name)s: SPI address %(address)s"),
    N_("SPI address %(address)s: expected bus and device, e.g. 0.0"),
    N_(
        "address %(address)s: expected BCM pin numbers, e.g. '17 27 22', and 'pwm' to "
        "dim"
    ),
)

PANEL: Final = (
    N_(
        "%(package)s is not installed: sudo apt install python3-gpiozero python3-lgpio",
    ),
    N_(
        "gpiozero does not know this board: sudo apt update && sudo apt full-upgrade "
        "brings a newer one (%(error)s)"
    ),
    N_(
        "lgpio cannot keep its pipe in the folder this runs in (%(error)s): run it "
        "from one that may be written"
    ),
    N_(
        "no GPIO pins here (%(error)s): is this a Raspberry Pi, is the user in the "
        "group gpio, and is python3-lgpio from apt, not from pip?"
    ),
)

JOURNAL: Final = (
    N_("%(path)s: the disk is full, nothing was recorded; free some space"),
    N_("%(path)s cannot be opened for writing: check the folder's permissions"),
    N_("%(path)s is in use by another program"),
    N_(
        "%(why)s; the old file is kept as %(kept)s; the night goes on from event "
        "%(seq)s"
    ),
    N_("%(why)s; the night goes on from event %(seq)s"),
    N_("%(path)s was missing"),
    N_("%(path)s is damaged or no journal (%(error)s)"),
    N_("%(path)s: event %(seq)s is damaged"),
    N_("%(path)s is damaged: %(error)s"),
    N_("%(path)s is empty: its events are lost"),
    N_("%(path)s ends at event %(last)s, but %(seq)s were recorded"),
)

POWER: Final = (
    N_(
        "the supply is too weak or its cable too thin: use the board's own power "
        "supply, and never feed strips from the board"
    ),
    N_("the processor is slowed down, by heat or a weak supply"),
    N_("the board is hot: give it air or a heat sink"),
    N_("the processor's clock is limited, by heat or a weak supply"),
    N_("since the start: %(what)s"),
)

PAST: Final = {
    "undervoltage": N_("under-voltage"),
    "throttled": N_("slowed down"),
    "hot": N_("too hot"),
    "capped": N_("slowed down"),
}
"""What the power was at some time since the start."""

AROUND: Final = (
    N_("strip %(name)s: %(problems)s"),
    N_("panel: %(problems)s"),
)
"""Lines around whatever else may be wrong; asked last."""

START: Final = (
    N_(
        "safe mode, because two starts in a row failed: %(reason)s. Faces are typed "
        "in; camera, lights and buttons are off until the next start"
    ),
    N_("it ended without a word: killed, hung, or the power went"),
    N_("safe mode: dice are not read"),
    N_("port %(port)s is taken; stop the other program or choose another port"),
    N_("port %(port)s is not permitted to this user; choose one above 1023"),
    N_("%(folder)s lacks %(files)s; install Dicelight again"),
    N_("the picture could not be encoded as JPEG"),
)

FAULTS: Final = (
    *PICAMERA,
    *WEBCAM,
    *SIMULATED,
    *STRIPS,
    *PANEL,
    *JOURNAL,
    *POWER,
    *START,
)
"""Every line, the narrower ones before those that fit more."""

PROBLEMS: Final = "problems"
"""Place for sentences of our own; other values are names, numbers, errors of the
system."""

_PLACE: Final = re.compile(r"%\((\w+)\)s")


def fault_words(text: str) -> str:
    """Return a line about a part in the reader's language.

    A line of no known template is given as it is in English; in another language it
    leads to the log, where it stands in full.
    """
    if not text or current() == "en":
        return text
    said = translated(text, (*FAULTS, *AROUND))
    return gettext(ELSEWHERE) if said is None else said


def translated(text: str, templates: Sequence[str]) -> str | None:
    """Return a line in the reader's language; None where it fits no template."""
    found = _fitting(text, templates)
    if found is None:
        return None
    said = gettext(found[0])
    return said % {name: _inner(name, value) for name, value in found[1].items()}


def is_known(text: str) -> bool:
    """Say whether a whole line fits one of the templates."""
    return fits(text, FAULTS)


def _inner(name: str, value: str) -> str:
    """Return a value in the reader's language where it is itself such a line."""
    if name == "what" and value in PAST:
        return gettext(PAST[value])
    return fault_words(value) if name == PROBLEMS or is_known(value) else value


def fits(text: str, templates: Sequence[str]) -> bool:
    """Say whether a line fits one of the templates."""
    return _fitting(text, templates) is not None


def _fitting(text: str, templates: Sequence[str]) -> tuple[str, dict[str, str]] | None:
    for template in templates:
        found = _pattern(template).fullmatch(text)
        if found is not None:
            return template, found.groupdict()
    return None


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """Return what a template's filled-in text looks like."""
    parts = _PLACE.split(template)
    texts, names = parts[::2], parts[1::2]
    found = re.escape(texts[0])
    for name, text in zip(names, texts[1:], strict=True):
        found += f"(?P<{name}>.+?)" + re.escape(text)
    return re.compile(found, re.DOTALL)
