"""What the doctor finds, in the reader's language: names, lines, advice.

The lines are the doctor's own, as on the command line; see `web.faults`.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from device.doctor.finding import Finding
from web.faults import fault_words, translated
from web.language import current, gettext
from web.language import marked as N_

NAMES: Final = MappingProxyType(
    {
        "board": N_("Board"),
        "buffer": N_("Buffer"),
        "camera": N_("Camera"),
        "camera set-up": N_("Camera set-up"),
        "clock": N_("Clock"),
        "core clock": N_("Core clock"),
        "dice": N_("Taught dice"),
        "exposure": N_("Exposure"),
        "hotspot": N_("Hotspot"),
        "journal": N_("Log on disk"),
        "name": N_("Name in the network"),
        "network": N_("Network"),
        "networks": N_("Networks that read the dice"),
        "panel": N_("Buttons and lamps"),
        "pins": N_("Pins"),
        "port": N_("Port of the page"),
        "power": N_("Power supply"),
        "spi clock": N_("SPI clock"),
        "starts": N_("Starts"),
        "state": N_("State folder"),
        "storage": N_("Storage"),
        "strip": N_("LED ruler"),
        "wi-fi": N_("Wi-Fi"),
    }
)
"""By `Finding.name`; packages and programs keep their own."""

LINES: Final = (
    N_("not a Raspberry Pi"),
    N_("no under-voltage, no throttling"),
    N_("well now; since the start: %(what)s"),
    N_("one megabyte kept in %(ms)s ms"),
    N_("a slow or worn card: rolls may take long to be taken"),
    N_("what was written was not what was read"),
    N_("the card is dying: copy /var/lib/dicelight off it and replace it"),
    N_("%(folder)s takes no megabyte: %(error)s"),
    N_("is the disk full, or the card read-only because it is worn out?"),
    N_("%(time)s, set from the network"),
    N_("%(time)s, set by hand"),
    N_("%(time)s: never set"),
    N_("connect a network once, or a clock module; only times in the log suffer"),
    N_("%(num)s starts in a row failed: %(reason)s"),
    N_("the next start is in safe mode, the page alone; mend what it names"),
    N_("%(path)s cannot be read"),
    N_("remove it"),
    N_("no address: no phone can come here"),
    N_(
        "plug in a cable, join a Wi-Fi (sudo nmtui), or open one: sudo "
        "/opt/dicelight/current/systemd/hotspot --help"
    ),
    N_("no %(name)s: avahi-daemon does not run"),
    N_("the address by number and the QR code work without it"),
    N_("%(name)s (not known to every phone)"),
    N_("its radio is blocked"),
    N_(
        "say where you are: sudo raspi-config nonint do_wifi_country XX (your "
        "country's two letters)"
    ),
    N_("its radio is free"),
    N_("on"),
    N_("made, off now"),
    N_("%(port)s is free"),
    N_("%(port)s: only the service may use it, as it should be"),
    N_("%(port)s: Dicelight answers there"),
    N_("another program holds it: stop that one, or choose server.port"),
    N_("picamera2 is there, and sees no camera"),
    N_(
        "reseat the ribbon cable with the power off, blue side to the clip, then "
        "restart"
    ),
    N_("libcamera did not list its cameras within %(seconds)s s"),
    N_("reseat the ribbon cable with the power off, then restart"),
    N_("picamera2 is not installed"),
    N_("sudo apt install python3-picamera2, or set hardware.camera"),
    N_("numpy from pip beside apt's picamera2 is the usual reason"),
    N_("not listed while the service has it, which says: %(what)s"),
    N_("for a closer look: sudo systemctl stop dicelight"),
    N_("no permission for %(path)s: is the user in the group video?"),
    N_("plug the camera in; `ls /dev/video*` lists them"),
    N_("camera.path names no folder or video"),
    N_("measured with %(camera)s; which camera is there now cannot be seen"),
    N_("measured with %(camera)s"),
    N_("measure again (page: Set-up, Camera), or connect the other camera"),
    N_("none: faces are typed in"),
    N_("simulated: a drawn tray"),
    N_("%(exposure)s ms with dimmed lamps (%(lamps)s): they band"),
    N_("set camera.exposure_ms to a multiple of 10"),
    N_("sudo raspi-config nonint do_spi 0, then restart"),
    N_("ask as the service does: sudo dicelight doctor"),
    N_("%(driver)s on %(path)s"),
    N_("WLED at %(address)s, %(count)s LEDs"),
    N_("is it on, on this network?"),
    N_(
        "Add spidev.bufsiz=%(size)s to the one line of /boot/firmware/cmdline.txt and "
        "restart"
    ),
    N_("a picture has %(needs)s bytes, the kernel takes %(takes)s at once"),
    N_("%(made)s MHz of %(asked)s asked for, from a core clock of %(core)s MHz"),
    N_("colours will be wrong"),
    N_("not fixed on this %(model)s; the SPI clock follows it"),
    N_("add to %(path)s and restart: %(lines)s"),
    N_("fixed in %(path)s"),
    N_("gpiozero on %(library)s"),
    N_("lgpio does not answer"),
    N_("lgpio crashed"),
    N_("restart"),
    N_("use Python 3.11, 3.12 or 3.13"),
    N_("version %(version)s"),
    N_("version %(version)s, release %(release)s"),
    N_("there, version unknown"),
    N_("%(folder)s, %(free)s GB free"),
    N_("free some space on the disk"),
    N_("set $DICELIGHT_STATE"),
    N_("no night yet"),
    N_("%(num)s nights; the last has %(events)s events"),
    N_("%(num)s files, %(size)s MB"),
    N_("install Dicelight again"),
    N_("does not import: %(error)s"),
    N_("run `make demo` again"),
    N_("start Dicelight: it keeps the damaged file and goes on"),
    N_("%(name)s was damaged and is kept"),
    N_("no faces of set %(name)s are taught"),
    N_("teach them: dicelight teach --help"),
    N_("%(num)s dice of %(name)s taught"),
    N_("still to teach: %(names)s"),
    N_("move %(path)s away and teach again"),
    N_("no permission for %(path)s"),
    N_("no %(path)s"),
)
"""The narrower ones before those that fit more."""

FEW_WORDS: Final = 4
"""A line of fewer words is a name, a number or a path: the same in any language."""


def finding_name(one: Finding) -> str:
    """Return what was looked at: ``strip ruler buffer`` is the LED ruler's buffer."""
    if one.name in NAMES:
        return gettext(NAMES[one.name])
    kind, _, rest = one.name.partition(" ")
    own, _, part = rest.rpartition(" ")
    if kind == "strip" and part in NAMES and own:
        return f"{gettext(NAMES['strip'])} ({own}): {gettext(NAMES[part])}"
    return f"{gettext(NAMES[kind])} ({rest})" if kind in NAMES and rest else one.name


def finding_words(text: str) -> str:
    """Return a line of the doctor in the reader's language.

    What has no words of a sentence (a number, a path, the name of a model) stays.
    """
    if not text or current() == "en":
        return text
    said = translated(text, LINES)
    if said is None and len(text.split()) < FEW_WORDS:
        return text
    return fault_words(text) if said is None else said
