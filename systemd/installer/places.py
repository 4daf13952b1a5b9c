"""Where everything lies on the machine."""

from __future__ import annotations

from typing import Final

NAME: Final = "dicelight"
"""The service's user, its group and the command."""

HOME: Final = "/opt/dicelight"
RELEASES: Final = f"{HOME}/releases"
CURRENT: Final = f"{HOME}/current"
"""Link to the release that runs, relative: ``releases/3``."""

ENVIRONMENT: Final = f"{HOME}/.venv"
"""Link to the current release's virtual environment; the unit names it."""

COMMAND: Final = "/usr/local/bin/dicelight"
MADE: Final = f"{HOME}/made.json"
"""What the installer added to the machine outside its own folders."""

CONFIG_FOLDER: Final = "/etc/dicelight"
CONFIG: Final = f"{CONFIG_FOLDER}/dicelight.toml"
DEFAULTS: Final = "/etc/default/dicelight"
"""Optional, never written by us: the environment file of the unit."""

STATE: Final = "/var/lib/dicelight"

UNIT_NAME: Final = "dicelight.service"
UNITS: Final = "/etc/systemd/system"
UNIT: Final = f"{UNITS}/{UNIT_NAME}"
WANTS: Final = f"{UNITS}/multi-user.target.wants/{UNIT_NAME}"
"""The link that ``systemctl enable`` makes; made by us it needs no running systemd."""

UDEV_RULES: Final = "/etc/udev/rules.d/60-dicelight.rules"
UDEV_FOLDERS: Final = ("/etc/udev/rules.d", "/usr/lib/udev/rules.d")
AVAHI_FOLDER: Final = "/etc/avahi/services"
AVAHI: Final = f"{AVAHI_FOLDER}/dicelight.service"
BOOT_CONFIGS: Final = ("/boot/firmware/config.txt", "/boot/config.txt")
"""Raspberry Pi OS since 12, and before."""

HOTSPOT: Final = "dicelight-hotspot"
HOTSPOT_FILE: Final = f"/etc/NetworkManager/system-connections/{HOTSPOT}.nmconnection"
"""Where NetworkManager keeps the network that `systemd/hotspot` opens."""

GROUPS: Final = ("video", "render", "spi", "gpio")
"""Who may use the parts. Raspberry Pi OS has them all, Debian only the first two."""

RELEASED: Final = (
    "device",
    "vision",
    "web",
    "hardware",
    "systemd",
    ".ci/lock",
    "pyproject.toml",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
)
"""What a release holds of the checkout."""

PACKAGES: Final = ("python3-venv",)
PI_PACKAGES: Final = (
    "python3-numpy",
    "python3-picamera2",
    "python3-gpiozero",
    "python3-lgpio",
    "python3-spidev",
)
"""These must agree with the system's libcamera and kernel, so never from pip."""
