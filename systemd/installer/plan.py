"""Facts in, steps out; pure. What is as it should be needs no step."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from . import places, texts
from .actions import (
    Action,
    InstallPackages,
    MakeFolder,
    MakeGroup,
    MakeLink,
    MakeRelease,
    MakeUser,
    Plan,
    Refused,
    RemoveTree,
    Run,
    Switch,
    WriteFile,
)
from .facts import Facts, Made, Release, parents

RELEASE_BYTES: Final = 1_000_000_000
"""Room that a release must find: 0.5 GB with OpenCV, and as much while it is made."""

NOT_ROOT: Final = "this changes the system: start it with sudo"

PYTHONS: Final = ((3, 11), (3, 13))
"""Oldest and newest that the locked packages have wheels for."""

LINKS: Final = {
    places.ENVIRONMENT: "current/.venv",
    places.COMMAND: f"{places.ENVIRONMENT}/bin/dicelight",
    places.WANTS: f"../{places.UNIT_NAME}",
}
"""Where each of our links points; the one to the current release is `Switch`'s."""

RELOAD: Final = Run(("systemctl", "daemon-reload"))
RESET: Final = Run(("systemctl", "reset-failed", places.UNIT_NAME), must=False)
RESTART: Final = Run(("systemctl", "restart", places.UNIT_NAME))
UDEV_RELOAD: Final = Run(("udevadm", "control", "--reload"), must=False)
UDEV_TRIGGER: Final = Run(
    (
        "udevadm",
        "trigger",
        *(f"--subsystem-match={name}" for name in ("spidev", "gpio", "dma_heap")),
    ),
    must=False,
)


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for.

    Attributes:
        update: Make this checkout the release that runs.
        dry_run: Only say it.
        no_start: Leave the running system alone: nothing is started or reloaded.
        enable_spi: Consent to the change of the firmware's config.txt.
        port: Of the page, for the first configuration; 0 for 80 where it is free.
        purge: Remove data and configuration as well.
    """

    update: bool = False
    dry_run: bool = False
    no_start: bool = False
    enable_spi: bool = False
    port: int = 0
    purge: bool = False


def plan_install(facts: Facts, options: Options) -> Plan:
    """Return the steps that are missing for an installed Dicelight.

    Raises:
        Refused: With every reason at once.
    """
    runs, is_new = _release_to_run(facts, options)
    _refuse(facts, options, makes_release=is_new)
    files = _files(facts, options, runs)
    groups = [name for name in places.GROUPS if name not in facts.groups]
    packages = _packages_missing(facts)
    folders = _folders_missing(facts, [*(f.path for f in files), *LINKS])
    made = _made(facts, groups, folders, packages)

    # The list of what is made is there before any of it.
    home = [p for p in folders if p in (places.HOME, *parents(places.HOME))]
    actions: list[Action] = [MakeFolder(path) for path in home]
    if facts.texts.get(places.MADE) != made.text():
        actions.append(WriteFile(places.MADE, made.text(), "to be taken back one day"))
    actions += [MakeFolder(path) for path in folders if path not in home]
    if packages:
        actions.append(InstallPackages(packages))
    actions += [MakeGroup(name) for name in groups]
    if not facts.has_user:
        actions.append(MakeUser(places.NAME, places.STATE, places.GROUPS))
    actions += [
        RemoveTree(f"{places.RELEASES}/{r.number}")
        for r in facts.releases
        if not r.is_complete
    ]
    if is_new:
        actions.append(MakeRelease(runs.number, facts.is_pi))
    if runs.number != facts.current:
        # Two stay: the one to run and the one to go back to.
        keep = {runs.number, facts.current}
        actions += [
            RemoveTree(f"{places.RELEASES}/{r.number}")
            for r in facts.releases
            if r.is_complete and r.number not in keep
        ]
        actions.append(Switch(runs.number))
    actions += [f for f in files if facts.texts.get(f.path) != f.text]
    actions += [
        MakeLink(path, target)
        for path, target in LINKS.items()
        if facts.links.get(path) != target
    ]
    actions += _boot(facts, options)
    actions += _start(facts, options, actions)
    return Plan(tuple(actions), _notes(facts, options, runs))


def plan_roll_back(facts: Facts, options: Options, to: int = 0) -> Plan:
    """Return the steps to another release that is still there.

    Args:
        facts: The machine.
        options: What was asked for.
        to: Its number; 0 for the one before the one that runs.

    Raises:
        Refused: There is none.
    """
    need_root(facts, options)
    complete = [r for r in facts.releases if r.is_complete]
    older = [
        r for r in complete if (r.number == to if to else r.number < facts.current)
    ]
    if not older:
        runs = f"release {facts.current} runs" if facts.current else "none runs"
        raise Refused(f"there is no older release to go back to; {runs}")
    target = older[-1]
    actions: list[Action] = [Switch(target.number)]
    if facts.texts.get(places.UNIT) != target.unit:
        actions.append(WriteFile(places.UNIT, target.unit, "the unit of that release"))
    actions += _start(facts, options, actions)
    return Plan(
        tuple(actions),
        ("Games, taught dice and the configuration are as they were.",),
    )


def need_root(facts: Facts, options: Options) -> None:
    """Refuse what only root may do, unless it is only to be said.

    Raises:
        Refused: Not root.
    """
    if not facts.is_root and not options.dry_run:
        raise Refused(NOT_ROOT)


# --- Inside ------------------------------------------------------------------------


def _release_to_run(facts: Facts, options: Options) -> tuple[Release, bool]:
    """Return the release that runs in the end, and whether it is still to be made."""
    now = next((r for r in facts.releases if r.number == facts.current), None)
    same = now is not None and now.contents == facts.checkout.contents
    if now is not None and now.is_complete and (same or not options.update):
        return now, False
    complete = [r for r in facts.releases if r.is_complete]
    for release in complete:
        if release.contents == facts.checkout.contents:
            return release, False
    newest = max((r.number for r in facts.releases), default=0)
    return replace(facts.checkout, number=newest + 1), True


def _refuse(facts: Facts, options: Options, *, makes_release: bool) -> None:
    problems = []
    if not facts.is_root and not options.dry_run:
        problems.append(NOT_ROOT)
    if facts.bits != 64:
        problems.append(
            f"needs a 64-bit system and finds {facts.bits}-bit Python; "
            "OpenCV has no packages for it"
        )
    if not PYTHONS[0] <= facts.python <= PYTHONS[1]:
        found = ".".join(map(str, facts.python))
        problems.append(f"needs Python 3.11, 3.12 or 3.13 and finds {found}")
    if makes_release and facts.free_bytes < RELEASE_BYTES:
        problems.append(
            f"needs {RELEASE_BYTES / 1e9:.1f} GB for a release in {places.HOME} and "
            f"finds {facts.free_bytes / 1e9:.1f} GB free"
        )
    if facts.is_home_foreign:
        problems.append(
            f"{places.HOME} holds something that this program did not put there; move "
            "it away (a checkout may lie anywhere else)"
        )
    if options.update and not facts.current:
        problems.append("nothing is installed yet: start it without --update")
    if options.port and not 0 < options.port < 65536:
        problems.append(f"--port: from 1 to 65535, found {options.port}")
    if problems:
        raise Refused(*problems)


def _files(facts: Facts, options: Options, runs: Release) -> list[WriteFile]:
    """Return the files that should be there, whether they are or not."""
    config = facts.texts.get(places.CONFIG)
    if config is None:
        port = options.port or (80 if facts.is_port_80_free else texts.DEFAULT_PORT)
        config = texts.first_config(facts.example, port)
    port = texts.port_of(config)
    rules, by_name = not facts.has_pi_rules, _has_avahi(facts)
    name = texts.avahi_service(port)
    return [
        WriteFile(places.CONFIG, config, f"the configuration, page on port {port}"),
        *([WriteFile(places.UDEV_RULES, texts.UDEV, "devices")] if rules else []),
        WriteFile(places.UNIT, runs.unit, "the service"),
        *([WriteFile(places.AVAHI, name, "its .local name")] if by_name else []),
    ]


def _has_avahi(facts: Facts) -> bool:
    return places.AVAHI_FOLDER in facts.folders


def _packages_missing(facts: Facts) -> tuple[str, ...]:
    wanted = places.PACKAGES + (places.PI_PACKAGES if facts.is_pi else ())
    return tuple(name for name in wanted if name not in facts.packages)


def _folders_missing(facts: Facts, paths: list[str]) -> tuple[str, ...]:
    needed: dict[str, None] = {}
    for path in [places.MADE, f"{places.RELEASES}/0", *paths]:
        needed.update(dict.fromkeys(parents(path)))
    return tuple(path for path in needed if path not in facts.folders)


def _made(
    facts: Facts,
    groups: list[str],
    folders: tuple[str, ...],
    packages: tuple[str, ...],
) -> Made:
    """Return what was and will be added; written before any of it is done."""
    before = facts.made
    kept = (places.HOME, places.CONFIG_FOLDER, places.STATE)
    outside = [p for p in folders if not f"{p}/".startswith(f"{places.HOME}/")]

    def join(old: tuple[str, ...], new: list[str] | tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*old, *new)))

    return Made(
        user=before.user or not facts.has_user,
        groups=join(before.groups, groups),
        folders=join(before.folders, [p for p in outside if p not in kept]),
        packages=join(before.packages, packages),
    )


def _boot(facts: Facts, options: Options) -> list[Action]:
    if not (options.enable_spi and facts.boot_config) or texts.has_spi(facts.boot_text):
        return []
    text = texts.with_spi(facts.boot_text)
    return [WriteFile(facts.boot_config, text, "SPI on, as you asked")]


def _start(facts: Facts, options: Options, done: list[Action]) -> list[Action]:
    """Return what the running system must be told after these steps."""
    if not facts.has_systemd or options.no_start:
        return []
    written = {a.path for a in done if isinstance(a, (WriteFile, MakeLink))}
    switched = any(isinstance(a, Switch) for a in done)
    actions: list[Action] = []
    if places.UDEV_RULES in written:
        actions += [UDEV_RELOAD, UDEV_TRIGGER]
    if written & {places.UNIT, places.WANTS}:
        actions.append(RELOAD)
    if switched or not facts.is_active or written & {places.UNIT, places.CONFIG}:
        actions += [RESET, RESTART]
    return actions


def _notes(facts: Facts, options: Options, runs: Release) -> tuple[str, ...]:
    notes = []
    if not _has_avahi(facts):
        notes.append(
            "avahi-daemon is not installed: the page has no .local name, only its "
            "address by number."
        )
    if runs.contents != facts.checkout.contents:
        notes.append(
            f"Release {runs.number} runs and differs from this checkout; "
            "--update installs this one."
        )
    if not facts.has_systemd:
        notes.append("systemd does not run here: the service starts at the next boot.")
    elif options.no_start:
        notes.append("Nothing is started, as asked: sudo systemctl restart dicelight")
    spi = texts.has_spi(facts.boot_text)
    if facts.boot_config and not spi:
        notes.append(
            "SPI takes effect at the next restart of the machine."
            if options.enable_spi
            else "SPI is off: LED strips on SPI need it (--enable-spi changes "
            f"{facts.boot_config})."
        )
    if options.enable_spi and not facts.boot_config:
        notes.append("There is no config.txt of a Raspberry Pi here: SPI is as it was.")
    if options.port and places.CONFIG in facts.texts:
        notes.append(f"{places.CONFIG} is there and stays: --port changes nothing.")
    return tuple(notes)
