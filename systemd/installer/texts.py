"""The texts of the files that the installer writes."""

from __future__ import annotations

import re
import tomllib
from typing import Final

DEFAULT_PORT: Final = 8080
"""As in the configuration's own defaults."""

UDEV: Final = """\
# Dicelight: who may use the parts. Raspberry Pi OS has such rules of its own.
SUBSYSTEM=="spidev", GROUP="spi", MODE="0660"
SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660"
SUBSYSTEM=="dma_heap", GROUP="video", MODE="0660"
"""

SPI_BEGIN: Final = "# Dicelight begins: SPI for the LED strips"
SPI_END: Final = "# Dicelight ends"
_SPI_ON = re.compile(r"^\s*dtparam=(?:\S*,)?spi(=on)?\s*(,|$|#)", re.MULTILINE)
_SPI_BLOCK = re.compile(rf"\n?{re.escape(SPI_BEGIN)}\n.*?{re.escape(SPI_END)}\n", re.S)


def avahi_service(port: int) -> str:
    """Return the Avahi file that announces the page under the machine's own name."""
    return f"""\
<?xml version="1.0" standalone="no"?>
<!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<!-- Written by Dicelight's installer: the page in the list of devices nearby. -->
<service-group>
  <name replace-wildcards="yes">Dicelight on %h</name>
  <service>
    <type>_http._tcp</type>
    <port>{port}</port>
  </service>
</service-group>
"""


def first_config(example: str, port: int) -> str:
    """Return the first configuration: the defaults, what is an example commented out.

    Args:
        example: Text of ``dicelight.toml.example``; a line or a table whose header
            says ``# example`` describes parts that this machine may not have.
        port: Of the page.
    """
    lines = []
    in_example = False
    for line in example.splitlines():
        if line.startswith("["):
            in_example = "# example" in line
        is_setting = bool(line.strip()) and not line.startswith("#")
        if is_setting and (in_example or "# example" in line):
            line = f"# {line}"
        lines.append(re.sub(r"^port = \d+", f"port = {port}", line))
    return "\n".join(lines) + "\n"


def port_of(config: str) -> int:
    """Return the port that a configuration names; the default where it names none.

    A damaged file is the service's to complain about, not ours.
    """
    try:
        port = tomllib.loads(config).get("server", {}).get("port", DEFAULT_PORT)
    except (tomllib.TOMLDecodeError, AttributeError):
        return DEFAULT_PORT
    return port if isinstance(port, int) and 0 < port < 65536 else DEFAULT_PORT


def has_spi(boot_config: str) -> bool:
    """Say whether the firmware's config.txt switches SPI on."""
    return _SPI_ON.search(boot_config) is not None


def with_spi(boot_config: str) -> str:
    """Return config.txt with SPI on, in a block that `without_spi` knows again."""
    return f"{boot_config}\n{SPI_BEGIN}\n[all]\ndtparam=spi=on\n{SPI_END}\n"


def without_spi(boot_config: str) -> str:
    """Return config.txt without our block; what others wrote stays."""
    return _SPI_BLOCK.sub("", boot_config)
