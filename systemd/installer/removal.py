"""Taking Dicelight off: facts in, steps out; pure. The data stay unless purged."""

from __future__ import annotations

from typing import Final

from . import places, texts
from .actions import (
    Action,
    GiveToRoot,
    Plan,
    Remove,
    RemoveFolderIfEmpty,
    RemoveGroup,
    RemoveTree,
    RemoveUser,
    Run,
    WriteFile,
)
from .facts import Facts
from .plan import RELOAD, RESET, UDEV_RELOAD, Options, need_root

STOP: Final = Run(("systemctl", "stop", places.UNIT_NAME))
CLOSE_HOTSPOT: Final = Run(
    ("nmcli", "connection", "delete", places.HOTSPOT), must=False
)


def plan_uninstall(facts: Facts, options: Options) -> Plan:
    """Return the steps that take Dicelight off.

    Raises:
        Refused: Not root.
    """
    need_root(facts, options)
    kept_groups = [
        name
        for name in facts.made.groups
        if facts.groups.get(name, frozenset()) - {places.NAME}
    ]
    actions = [
        *_service_and_files(facts, options),
        *_user_and_groups(facts, options, kept_groups),
        *_folders(facts, options),
    ]
    return Plan(tuple(actions), _notes(facts, options, kept_groups))


def _service_and_files(facts: Facts, options: Options) -> list[Action]:
    running = facts.has_systemd and not options.no_start
    actions: list[Action] = []
    if running and (places.UNIT in facts.texts or facts.is_active):
        actions.append(STOP)
    if facts.has_hotspot and running:
        actions.append(CLOSE_HOTSPOT)
    elif facts.has_hotspot:
        actions.append(Remove(places.HOTSPOT_FILE))
    links = (places.WANTS, places.COMMAND)
    actions += [Remove(path) for path in links if path in facts.links]
    files = (places.UNIT, places.UDEV_RULES, places.AVAHI)
    actions += [Remove(path) for path in files if path in facts.texts]
    if running and places.UNIT in facts.texts:
        actions += [RELOAD, RESET]
    if running and places.UDEV_RULES in facts.texts:
        actions.append(UDEV_RELOAD)
    boot = texts.without_spi(facts.boot_text)
    if boot != facts.boot_text:
        actions.append(WriteFile(facts.boot_config, boot, "without our SPI lines"))
    return actions


def _user_and_groups(
    facts: Facts, options: Options, kept_groups: list[str]
) -> list[Action]:
    actions: list[Action] = []
    if facts.made.user and facts.has_user:
        if facts.is_state_ours and not options.purge:
            # Else the next user with that number would inherit the data.
            actions.append(GiveToRoot(places.STATE))
        actions.append(RemoveUser(places.NAME))
    actions += [
        RemoveGroup(name)
        for name in facts.made.groups
        if name in facts.groups and name not in kept_groups
    ]
    return actions


def _folders(facts: Facts, options: Options) -> list[Action]:
    actions: list[Action] = []
    if options.purge:
        data = (places.CONFIG_FOLDER, places.STATE)
        actions += [RemoveTree(path) for path in data if path in facts.folders]
    made = [path for path in reversed(facts.made.folders) if path in facts.folders]
    actions += [RemoveFolderIfEmpty(path) for path in made]
    # Last, for it holds the list of what else is to be removed.
    if places.HOME in facts.folders and not facts.is_home_foreign:
        actions.append(RemoveTree(places.HOME, last=places.MADE))
    return actions


def _notes(facts: Facts, options: Options, kept_groups: list[str]) -> tuple[str, ...]:
    notes = []
    data = [p for p in (places.STATE, places.CONFIG_FOLDER) if p in facts.folders]
    if data and not options.purge:
        notes.append(
            f"Kept: {' and '.join(data)} (games, photographs, taught dice, "
            "configuration); --purge removes them."
        )
    if kept_groups:
        notes.append(f"Kept: groups that others use: {', '.join(kept_groups)}.")
    if facts.has_user and not facts.made.user:
        notes.append(f"Kept: the user {places.NAME}, who was there before.")
    if facts.made.packages:
        names = " ".join(facts.made.packages)
        notes.append(f"Kept: Debian packages; to remove: apt-get remove {names}")
    return tuple(notes)
