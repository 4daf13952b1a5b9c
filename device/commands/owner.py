"""Commands on the appliance: its state belongs to the user that the service runs as.

Whoever is at the keyboard is somebody else, `pi` say. As root (sudo) a command becomes
that user, so that what it writes is the service's and what it may not do is seen. One
that also reads or writes files of the person at the keyboard stays root; what it writes
into the state is given to the service (`device.durable`). Anybody else is told the line
to type.
"""

from __future__ import annotations

import os
import pwd
import shlex
import sys
import tempfile
from pathlib import Path

from device.config import state_folder
from device.doctor.parts import service_status
from device.errors import ConfigError


def own_state(*, appliance: bool, stay_root: bool = False) -> Path:
    """Return the state folder, as a user to whom it belongs.

    Args:
        appliance: This is the installed one, not a laptop.
        stay_root: The command has to do with other people's files too.

    Raises:
        ConfigError: It belongs to somebody else; the message is the line to type.
    """
    state = state_folder(appliance=appliance)
    if not appliance or "DICELIGHT_STATE" in os.environ:
        return state
    try:
        owner = pwd.getpwuid(state.stat().st_uid)
    except (OSError, KeyError):  # not there yet, or of a user who is gone
        return state
    if owner.pw_uid == os.geteuid():
        return state
    if os.geteuid() != 0:
        raise ConfigError(f"{state} belongs to the service; type: {with_sudo()}")
    if not stay_root:
        _become(owner, state)
    return state


def need_part(what: str, *, appliance: bool) -> None:
    """Refuse to use a part that the running service has.

    Args:
        what: The part, for the message.
        appliance: This is the installed one, not a laptop.

    Raises:
        ConfigError: The service runs; the message is the line to type first.
    """
    if appliance and service_status():
        raise ConfigError(
            f"the service has the {what}; first: sudo systemctl stop dicelight"
        )


def with_sudo() -> str:
    """Return the line that was typed, to be typed with sudo."""
    return shlex.join(["sudo", "dicelight", *sys.argv[1:]])


def _become(owner: pwd.struct_passwd, state: Path) -> None:
    """Become a user for good, with the groups that open its devices."""
    os.initgroups(owner.pw_name, owner.pw_gid)
    os.setgid(owner.pw_gid)
    os.setuid(owner.pw_uid)
    os.environ["HOME"] = str(state)
    # lgpio keeps a pipe where it runs: not in a folder of the person at the keyboard.
    os.chdir(tempfile.gettempdir())
