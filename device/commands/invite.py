"""`dicelight invite`: how phones get to the page that runs on this machine."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from device.commands.owner import own_state
from device.config import SYSTEM_CONFIG
from device.errors import ConfigError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        "Shows the QR code, the addresses and the code for joining the table. The "
        "first player who joins is its host."
    )
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help=f"the configuration ({SYSTEM_CONFIG}, where that is there)",
    )
    parser.add_argument(
        "--port", type=int, metavar="N", help="of the page (the configuration's)"
    )


def run(options: argparse.Namespace) -> int:
    """Print the invitation."""
    from device.app import HTTP_PORT, SPARE_PORT, web_settings
    from device.commands.doctor import find_config
    from device.commands.serving import print_invitation
    from device.notify import page_answers
    from device.safemode import safe_config
    from web.invitation import invite
    from web.people import kept_code

    try:
        config, appliance = find_config(options.config)
    except ConfigError as error:
        # Then the page is there in safe mode, and phones have to get to it.
        path = options.config or SYSTEM_CONFIG
        if not path.exists():
            raise
        for problem in error.problems:
            sys.stderr.write(f"dicelight: {problem}\n")
        config, appliance = safe_config(path), path == SYSTEM_CONFIG
    state = own_state(appliance=appliance)
    code = kept_code(state)
    if code is None:
        raise ConfigError(f"{state}: nobody can join yet; start Dicelight first")
    port = options.port or config.server.port
    if port == HTTP_PORT and not page_answers(config.server.host, port):
        port = SPARE_PORT
    settings = web_settings(config, state, port)
    print_invitation(invite(settings, port, code, host="localhost"))
    return 0
