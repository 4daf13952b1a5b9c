"""What must hold on the machine: `python -m tests.appliance.checks BUILDER CONSOLE`.

Started by appliance.sh in a network of its own. Each check prints one line; the exit
status is 0 when all held.
"""

from __future__ import annotations

import base64
import random
import signal
import sys
import threading
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device.data.load import bands
from hardware.cues import parse_cue
from hardware.rulers import light
from hardware.strips import parse_strips
from tests.appliance.machine import ADDRESS, Machine, wait_for
from tests.appliance.phone import Phone
from tests.hardware.spi_decoders import ws2812_leds

LEDS = 60
SPI = "/sys/kernel/debug/fakespi"
PINS = "/sys/devices/platform/gpio-sim.0/gpiochip0"
CAMERA = "/sys/bus/platform/drivers/vimc"
CONFIG = f"""
[table]
dice = "demo"
[server]
port = 80
[hardware]
camera = "picamera2"
panel = true
[camera]
width = 640
height = 480
exposure_ms = 10.0
[panel]
confirm_button_pin_bcm = 5
undo_button_pin_bcm = 6
confirm_lamp_pin_bcm = 13
undo_lamp_pin_bcm = 19
buzzer_pin_bcm = 26
tray_light_pin_bcm = 12
[[strip]]
name = "ruler"
pixels = {LEDS}
pitch_mm = 16.667
first_pixel_mm = 8.0
limit_ma = 2000
driver = "ws2812"
"""


STRIPS = parse_strips(tomllib.loads(CONFIG)["strip"])


LONGEST_S = 90.0
"""This machine may have other work: what takes seconds alone may take a minute."""

LEAST_TOLD = 20
"""Commands that were answered before the power is cut."""

HELD_S = 25.0
"""A start that has lasted so long has not failed: two in a row lead to safe mode."""

JOURNAL = "journalctl -u dicelight -n 40 --no-pager -o cat | grep -vE '[█▀▄]|WARN|INFO'"


class Checks:
    """Counts what held."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.failed = 0
        self.held = 0
        self._began_s = time.monotonic()

    def holds(self, what: str, is_true: object, more: str = "") -> bool:
        """Print one line; a callable is asked for a minute and a half.

        Args:
            what: Must be true.
            is_true: Whether it is.
            more: Printed where it is short, or where it does not hold.
        """
        true = wait_for(is_true, LONGEST_S) if callable(is_true) else bool(is_true)
        self.held += true
        self.failed += not true
        at_s = time.monotonic() - self._began_s
        short = more and true and len(more) < 70
        note = f"  ({more.strip()})" if short else f"\n{more}" if not true else ""
        print(
            f"{at_s:6.1f} s {'ok    ' if true else 'FAILED'} {what}{note}", flush=True
        )
        if not true and not more:
            print(self.machine.ask(JOURNAL)[1])
        return true

    def works(self, what: str, shell: str, seconds: float = 60.0) -> str:
        """Hold where a line in the machine exits 0; return what it said."""
        status, said = self.machine.ask(shell, seconds)
        self.holds(what, status == 0, "" if status == 0 else said[-3000:])
        return said


def install(checks: Checks) -> None:
    ask = checks.machine.ask
    ask("mkdir -p /srv/dicelight && tar -C /srv/dicelight -xf /dev/ubdb")
    dry = checks.works("a dry run", "cd /srv/dicelight && systemd/install --dry-run")
    checks.holds("it names the groups that Debian lacks", "group spi" in dry, dry)
    began_s = time.monotonic()
    said = checks.works(
        "install",
        "cd /srv/dicelight && systemd/install --no-start --enable-spi",
        900,
    )
    took_s = time.monotonic() - began_s
    checks.holds("in minutes", took_s < 600, f"{took_s:.0f} s")
    checks.holds("SPI is on with consent", "SPI on, as you asked" in said, said)
    config = base64.b64encode(CONFIG.encode()).decode()
    ask(f"echo {config} | base64 -d >/etc/dicelight/dicelight.toml")
    checks.works("the rules take hold", "udevadm control --reload && udevadm trigger")
    checks.works("start", "systemctl daemon-reload && systemctl start dicelight", 120)
    ask("systemctl stop dicelight")
    report = checks.works(
        "the doctor finds all that is needed",
        "dicelight doctor",
        90,
    )
    print(report)
    checks.works("start again", "systemctl start dicelight", 120)
    owners = ask("stat -c '%G %n' /dev/spidev0.0 /dev/gpiochip0 /dev/dma_heap/system")[
        1
    ]
    checks.holds(
        "devices belong to our groups",
        all(f"{pair}" in owners for pair in ("spi /dev/spi", "gpio /dev/gpiochip0")),
        owners,
    )


def play(checks: Checks, phone: Phone) -> None:
    ask = checks.machine.ask
    checks.holds("the page is fetched from outside, on port 80", phone.is_there)
    said = ask("dicelight invite | sed -n 's/.*and the code \\([0-9 ]*\\).*/\\1/p'")[
        1
    ].strip()
    checks.holds("a phone joins by the code", phone.joins(said), said)
    for name in ("camera", "strip:ruler", "panel"):
        checks.holds(f"{name} works, and is real", lambda n=name: real(phone, n))
    checks.holds(
        "gpiozero drives real pins through lgpio",
        "reserved" not in ask("true")[1]
        and "lg"
        in ask(f"cat {PINS}/../consumer 2>/dev/null; cat /sys/kernel/debug/gpio")[1],
        ask("cat /sys/kernel/debug/gpio")[1],
    )
    cue = {"bands": ["yellow", "green"], "origin_mm": 0}
    phone.do("light_ruler", {"cue": cue})
    shown = light(parse_cue(cue, bands("foww")), STRIPS, bands("foww"))[0].pixels
    checks.holds("the cue lights something", shown.any())
    checks.holds(
        "SPI carries the cue's colours, bit by bit",
        lambda: on_wire(checks, [pixel.tobytes().hex() for pixel in shown]),
    )
    hz = ask(f"cat {SPI}/last_hz")[1].strip()
    checks.holds("at the clock that was asked for", hz == "2400000", f"{hz} Hz")
    before = ask(f"cat {SPI}/transfers")[1]
    time.sleep(3)
    after = ask(f"cat {SPI}/transfers")[1]
    checks.holds(
        "a still picture sends nothing", before == after, f"{after.strip()} transfers"
    )
    checks.holds("the lamp of undo is lit", lambda: pin(checks, 19) == "1")
    checks.holds("the tray light is on", pin(checks, 12) == "1")
    ask(
        f"cd {PINS} && echo pull-down >sim_gpio6/pull; sleep 0.2; "
        "echo pull-up >sim_gpio6/pull"
    )
    checks.holds(
        "the undo button takes the ruler back",
        lambda: phone.state()["content"]["ruler"] is None,
    )
    checks.holds("the strip is dark", lambda: on_wire(checks, ["000000"] * LEDS))
    picture = cv2.imdecode(
        np.frombuffer(phone.get("/tray.jpg"), np.uint8), cv2.IMREAD_COLOR
    )
    checks.holds(
        "Picamera2 gives vimc's test pattern through our driver",
        picture is not None and picture.shape[:2] == (480, 640) and picture.std() > 30,
        f"{picture.shape}, spread {picture.std():.0f}",
    )


def break_parts(checks: Checks, phone: Phone) -> None:
    ask = checks.machine.ask
    print("--- cables pulled")
    process = main_pid(checks)
    began_s = time.monotonic()
    ask(f"echo vimc.0 >{CAMERA}/unbind", 20)
    checks.holds(
        "a camera that is gone is said", lambda: not phone.part("camera")["ok"]
    )
    took_s = time.monotonic() - began_s
    checks.holds("within six seconds", took_s < 6, f"{took_s:.1f} s")
    told = phone.do("light_ruler", {"cue": {"length_mm": 200}}, tries=60)
    checks.holds(
        "the ruler goes on without it", lambda: on_wire(checks, phone.pixels("ruler"))
    )
    ask(f"echo vimc.0 >{CAMERA}/bind", 20)
    checks.holds(
        "plugged in again, it comes back by itself", lambda: real(phone, "camera")
    )
    # libcamera asserts, and ends the process, when a device that is gone is stopped or
    # comes back. A ribbon cable that slips is no such device: its frames only stall.
    ended = main_pid(checks) != process
    print(f"         libcamera {'ended' if ended else 'kept'} the process")
    checks.holds("the page is there", phone.answers)
    # Each restart so soon after a start would else have counted as a failed one.
    checks.holds("that is no failed start", phone.part("start") == {"ok": False})
    checks.holds("nothing that was told is lost", lambda: phone.seq() >= told)
    ask(f"echo 1 >{SPI}/fail")
    phone.do("light_ruler", {"cue": {"length_mm": 300}})
    checks.holds(
        "a bus that fails is said", lambda: not phone.part("strip:ruler")["ok"]
    )
    checks.holds("the camera goes on", phone.part("camera")["ok"])
    ask(f"echo 0 >{SPI}/fail")
    checks.holds("mended, the strip comes back", lambda: real(phone, "strip:ruler"))
    checks.holds(
        "with what it should show", lambda: on_wire(checks, phone.pixels("ruler"))
    )


def start_without(checks: Checks, phone: Phone) -> None:
    """Every part absent or closed to the service at its start, and given back."""
    ask = checks.machine.ask
    print("--- a start without any part")
    ask("systemctl stop dicelight")
    ask(f"echo vimc.0 >{CAMERA}/unbind", 20)
    ask("chmod 000 /dev/spidev0.0 /dev/gpiochip0")
    checks.works("start", "systemctl start dicelight", 120)
    checks.holds("the page is there", phone.answers)
    for name, said in (
        ("camera", "no camera"),
        ("strip:ruler", "no permission for /dev/spidev0.0"),
        ("panel", "no GPIO pins here"),
    ):
        checks.holds(
            f"{name} is said to be absent",
            lambda n=name, s=said: (
                not phone.part(n)["ok"] and s in phone.part(n).get("message", "")
            ),
        )
    told = phone.do("light_ruler", {"cue": {"length_mm": 250}})
    checks.holds("the table goes on", lambda: phone.seq() >= told)
    ask("chmod 660 /dev/spidev0.0 /dev/gpiochip0")
    ask(f"echo vimc.0 >{CAMERA}/bind", 20)
    for name in ("strip:ruler", "panel", "camera"):
        checks.holds(f"given back, {name} comes back", lambda n=name: real(phone, n))
    checks.holds(
        "with what the ruler should show",
        lambda: on_wire(checks, phone.pixels("ruler")),
    )
    checks.holds("the page is there still", phone.answers)


def break_service(checks: Checks, phone: Phone) -> None:
    ask = checks.machine.ask
    print("--- the process killed and hung")
    time.sleep(HELD_S)
    told = phone.do("light_ruler", {"cue": {"length_mm": 150}})
    ask("kill -KILL $(systemctl show dicelight -p MainPID --value)")
    checks.holds("killed, it is back", lambda: phone.answers())
    checks.holds(
        "with the last thing that was told",
        lambda: phone.seq() >= told,
        f"event {told}",
    )
    time.sleep(HELD_S)
    old = main_pid(checks)
    ask(f"kill -STOP {old}")
    renewed = wait_for(
        lambda: (
            ask("systemctl show dicelight -p MainPID --value")[1].strip()
            not in (old, "0")
        ),
        90,
        2,
    )
    checks.holds("hung, the watchdog ends it", renewed)
    checks.holds("and the page is back", lambda: phone.answers())
    checks.holds("the camera too", lambda: real(phone, "camera"))
    time.sleep(HELD_S)
    checks.works(
        "systemd-analyze verify prints nothing",
        "! systemd-analyze verify /etc/systemd/system/dicelight.service 2>&1 | grep .",
    )
    said = checks.works(
        "exposure is at most 2.5",
        "systemd-analyze security --threshold=25 --no-pager dicelight | tail -1",
    )
    print(f"         {said.strip()}")


def cut_power(checks: Checks, phone: Phone, rng: random.Random) -> None:
    """Play as fast as it goes, cut the power at a random moment, and compare."""
    print("--- the power cut in the middle of a game")
    done = threading.Event()
    told: list[int] = []

    def go_on() -> None:
        while not done.is_set():
            cue = {"length_mm": rng.randrange(20, 900)}
            try:
                told.append(phone.do("light_ruler", {"cue": cue}, tries=1))
            except OSError:
                return

    player = threading.Thread(target=go_on)
    player.start()
    wait_for(lambda: len(told) >= LEAST_TOLD, LONGEST_S)
    time.sleep(rng.random() * 2)
    checks.machine.cut_power()
    done.set()
    player.join()
    took_s = checks.machine.switch_on()
    checks.holds("it boots again", True, f"{took_s:.0f} s")
    checks.holds("the page comes up by itself", lambda: phone.answers())
    checks.holds(
        "nothing that was told is lost",
        lambda: bool(told) and phone.seq() >= max(told),
        f"{len(told)} commands, the last event {max(told)}, found {phone.seq()}",
    )
    checks.works(
        "the journal is whole",
        "for night in /var/lib/dicelight/nights/*.journal; do "
        "dicelight journal check $night || exit 1; done",
    )
    checks.holds("nobody has to join again", phone.is_known())
    for name in ("camera", "strip:ruler", "panel"):
        checks.holds(f"{name} works again", lambda n=name: real(phone, n))
    checks.holds(
        "the ruler shows it still", lambda: on_wire(checks, phone.pixels("ruler"))
    )


def main_pid(checks: Checks) -> str:
    words = "systemctl show dicelight -p MainPID --value"
    return checks.machine.ask(words)[1].strip()


def real(phone: Phone, name: str) -> bool:
    part = phone.part(name)
    return bool(part.get("ok")) and not part["simulated"]


def pin(checks: Checks, bcm: int) -> str:
    return checks.machine.ask(f"cat {PINS}/sim_gpio{bcm}/value")[1].strip()


def on_wire(checks: Checks, pixels: list[str]) -> bool:
    """Whether the last SPI transfer decodes to exactly these colours."""
    _, text = checks.machine.ask(f"base64 -w0 {SPI}/last_tx")
    data = base64.b64decode(text)
    if len(data) < LEDS * 9:
        return False
    shown, lead, reset_us = ws2812_leds(data, LEDS, 2_400_000)
    wanted = np.frombuffer(bytes.fromhex("".join(pixels)), np.uint8).reshape(-1, 3)
    return bool((shown == wanted).all()) and lead >= 64 and reset_us >= 280


def main(builder: Path, console: Path) -> int:
    machine = Machine(builder, builder / "work/disk.img", console)
    checks = Checks(machine)
    phone = Phone(ADDRESS)
    parts: list[Callable[[], Any]] = [
        lambda: checks.holds("it boots", True, f"{machine.switch_on():.0f} s"),
        lambda: print(
            machine.ask("uname -rm; systemctl --version | head -1")[1].strip()
        ),
        lambda: install(checks),
        lambda: play(checks, phone),
        lambda: break_parts(checks, phone),
        lambda: start_without(checks, phone),
        lambda: break_service(checks, phone),
        lambda: cut_power(checks, phone, random.Random()),
        lambda: checks.holds("it shuts down when told", machine.shut_down()),
    ]
    # Stopped by hand, the machine is to end too.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(143))
    try:
        for part in parts:
            part()
    finally:
        machine.cut_power()
    print(f"{checks.held} held, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
