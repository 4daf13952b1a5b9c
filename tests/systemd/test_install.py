"""Install, update, roll back and uninstall on a machine in a scratch folder."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.systemd.scratch import ScratchMachine, make_checkout

from installer import places, texts  # isort: skip
from installer.actions import MakeRelease, Plan, Refused, RemoveTree, Switch
from installer.machine import CommandFailed
from installer.plan import Options, plan_install, plan_roll_back
from installer.removal import plan_uninstall

PLAIN = Options()
UPDATE = Options(update=True)
DATA = (places.STATE, places.CONFIG_FOLDER)


@pytest.fixture(scope="module", autouse=True)
def no_waiting_for_the_disk() -> Iterator[None]:
    """The scratch folder need not outlive a power cut."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda number: None)
        yield


@pytest.fixture
def machine(tmp_path: Path) -> ScratchMachine:
    return ScratchMachine(make_checkout(tmp_path / "checkout"), tmp_path / "root")


def install(machine: ScratchMachine, options: Options = PLAIN) -> Plan:
    plan = plan_install(machine.facts(), options)
    machine.carry_out(plan)
    return plan


def newer(machine: ScratchMachine, text: str) -> None:
    machine.source = make_checkout(machine.root.parent / text, text=text)


def current(machine: ScratchMachine) -> str:
    return str((machine.root / places.CURRENT[1:]).readlink())


def keep_data(machine: ScratchMachine) -> None:
    nights = machine.root / places.STATE[1:] / "nights"
    nights.mkdir(parents=True)
    (nights / "one.journal").write_text("a game", encoding="utf-8")


def test_a_second_install_has_nothing_to_do(machine: ScratchMachine) -> None:
    assert install(machine).actions
    before = machine.files()
    again = plan_install(machine.facts(), PLAIN)
    assert again.actions == ()
    assert machine.files() == before


def test_planning_changes_nothing(machine: ScratchMachine) -> None:
    before = machine.files()
    plan_install(machine.facts(), PLAIN)
    assert machine.files() == before
    assert machine.said == []


def test_the_service_starts_after_all_else_is_there(machine: ScratchMachine) -> None:
    install(machine)
    assert machine.said[-1] == "systemctl restart dicelight.service"
    assert machine.active


def test_no_start_leaves_the_running_system_alone(machine: ScratchMachine) -> None:
    install(machine, replace(PLAIN, no_start=True))
    assert not [line for line in machine.said if line.startswith(("systemctl", "udev"))]
    assert plan_install(machine.facts(), replace(PLAIN, no_start=True)).actions == ()


def test_without_systemd_it_says_that_nothing_is_started(
    machine: ScratchMachine,
) -> None:
    machine.has_systemd = False
    plan = install(machine)
    assert any("systemd does not run here" in note for note in plan.notes)
    assert not [line for line in machine.said if line.startswith("systemctl")]
    assert plan_install(machine.facts(), PLAIN).actions == ()


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    groups=st.sets(st.sampled_from(places.GROUPS)),
    on_pi=st.booleans(),
    pi_rules=st.booleans(),
    avahi=st.booleans(),
    spi=st.sampled_from(["", "dtparam=spi=on\n", "#dtparam=spi=on\n[pi4]"]),
    has_user=st.booleans(),
    systemd=st.booleans(),
    taken=st.booleans(),
    asks_spi=st.booleans(),
    stop_after=st.integers(0, 40),
)
def test_a_plan_applied_twice_is_empty_from_any_beginning(
    groups: set[str],
    on_pi: bool,
    pi_rules: bool,
    avahi: bool,
    spi: str,
    has_user: bool,
    systemd: bool,
    taken: bool,
    asks_spi: bool,
    stop_after: int,
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        machine = ScratchMachine(make_checkout(Path(folder) / "checkout"), root)
        (root / "etc/group").write_text(
            "root:x:0:\n" + "".join(f"{name}:x:1:\n" for name in sorted(groups))
        )
        if has_user:
            machine.call(["useradd", places.NAME])
        if pi_rules:
            (root / "etc/udev/rules.d").mkdir(parents=True)
            (root / "etc/udev/rules.d/99-com.rules").write_text('X, GROUP="spi"\n')
        if avahi:
            (root / places.AVAHI_FOLDER[1:]).mkdir(parents=True)
        if on_pi:
            (root / "boot/firmware").mkdir(parents=True)
            (root / "boot/firmware/config.txt").write_text(spi)
        machine.is_pi, machine.has_systemd = on_pi, systemd
        machine.taken = {80} if taken else set()
        options = Options(enable_spi=asks_spi)
        begun = machine.files()

        # The power goes in the middle; the second start goes on from there.
        machine.carry_out(plan_install(machine.facts(), options), until=stop_after)
        install(machine, options)
        assert plan_install(machine.facts(), options).actions == ()

        machine.carry_out(plan_uninstall(machine.facts(), PLAIN), until=stop_after)
        machine.carry_out(plan_uninstall(machine.facts(), PLAIN))
        assert plan_uninstall(machine.facts(), PLAIN).actions == ()
        machine.carry_out(plan_uninstall(machine.facts(), Options(purge=True)))
        assert machine.files() == begun


def test_uninstall_keeps_the_data_and_the_configuration(
    machine: ScratchMachine,
) -> None:
    before = machine.files()
    install(machine)
    keep_data(machine)
    machine.carry_out(plan := plan_uninstall(machine.facts(), PLAIN))
    left = {path for path in machine.files() if path not in before}
    assert left and all(path.startswith(DATA) for path in left)
    assert any(all(path in note for path in DATA) for note in plan.notes)


def test_data_that_stay_belong_to_root_not_to_the_next_user(
    machine: ScratchMachine,
) -> None:
    install(machine)
    keep_data(machine)
    machine.said.clear()
    machine.carry_out(plan_uninstall(machine.facts(), PLAIN))
    given = next(i for i, line in enumerate(machine.said) if line.startswith("chown"))
    assert machine.said[given].startswith("chown -hR root:root")
    assert given < machine.said.index("userdel dicelight")


def test_a_purge_names_what_it_removes(machine: ScratchMachine) -> None:
    install(machine)
    keep_data(machine)
    plan = plan_uninstall(machine.facts(), Options(purge=True))
    assert {a.path for a in plan.actions if isinstance(a, RemoveTree)} >= set(DATA)


def test_a_configuration_that_is_there_is_never_touched(
    machine: ScratchMachine,
) -> None:
    install(machine)
    config = machine.root / places.CONFIG[1:]
    config.write_text("[server]\nport = 8123\n", encoding="utf-8")
    newer(machine, "two")
    install(machine, UPDATE)
    assert config.read_text(encoding="utf-8") == "[server]\nport = 8123\n"


def test_a_group_that_others_joined_stays(machine: ScratchMachine) -> None:
    install(machine)
    machine.call(["usermod", "--append", "--groups", "spi", "ada"])
    plan = plan_uninstall(machine.facts(), PLAIN)
    machine.carry_out(plan)
    assert "spi:x:990:ada" in machine.files()["/etc/group"]
    assert any("spi" in note and "others" in note for note in plan.notes)


# --- Updates -----------------------------------------------------------------------


def test_another_checkout_waits_for_update(machine: ScratchMachine) -> None:
    install(machine)
    newer(machine, "two")
    plan = install(machine)
    assert plan.actions == ()
    assert any("--update" in note for note in plan.notes)


def test_an_update_can_be_taken_back_and_taken_again(machine: ScratchMachine) -> None:
    install(machine)
    newer(machine, "two")
    install(machine, UPDATE)
    assert current(machine) == "releases/2"
    assert plan_install(machine.facts(), UPDATE).actions == ()

    machine.carry_out(plan_roll_back(machine.facts(), PLAIN))
    assert current(machine) == "releases/1"
    unit = machine.files()[places.UNIT]
    assert unit.endswith("# one\n"), "the unit goes back with the release"

    again = plan_install(machine.facts(), UPDATE)
    assert Switch(2) in again.actions
    assert not [a for a in again.actions if isinstance(a, MakeRelease)]


def test_two_releases_are_kept_and_the_bad_one_is_not_gone_back_to(
    machine: ScratchMachine,
) -> None:
    install(machine)
    for text in ("two", "three"):
        newer(machine, text)
        install(machine, UPDATE)
    assert [r.number for r in machine.facts().releases] == [2, 3]
    machine.carry_out(plan_roll_back(machine.facts(), PLAIN))
    newer(machine, "four")
    install(machine, UPDATE)
    machine.carry_out(plan_roll_back(machine.facts(), PLAIN))
    assert current(machine) == "releases/2"


def test_an_older_checkout_as_update_can_be_taken_back_to_the_newer_release(
    machine: ScratchMachine,
) -> None:
    install(machine)
    first = machine.source
    newer(machine, "two")
    install(machine, UPDATE)
    machine.source = first
    install(machine, UPDATE)
    assert current(machine) == "releases/1"
    machine.carry_out(plan_roll_back(machine.facts(), PLAIN, 2))
    assert current(machine) == "releases/2"
    assert machine.files()[places.UNIT].endswith("# two\n")


def test_roll_back_with_nothing_older_is_refused(machine: ScratchMachine) -> None:
    install(machine)
    with pytest.raises(Refused, match="no older release"):
        plan_roll_back(machine.facts(), PLAIN)


@pytest.mark.parametrize("steps", range(0, 12))
def test_power_cut_in_an_update_leaves_one_release_whole(
    machine: ScratchMachine, steps: int
) -> None:
    install(machine)
    newer(machine, "two")
    machine.carry_out(plan_install(machine.facts(), UPDATE), until=steps)
    facts = machine.facts()
    runs = next(r for r in facts.releases if r.number == facts.current)
    assert runs.is_complete
    install(machine, UPDATE)
    assert current(machine) == "releases/2"


def test_a_release_whose_making_was_cut_short_is_made_anew(
    machine: ScratchMachine,
) -> None:
    hollow = machine.root / places.RELEASES[1:] / "1" / "device"
    hollow.mkdir(parents=True)
    install(machine)
    assert current(machine) == "releases/2"
    assert [r.number for r in machine.facts().releases] == [2]


# --- Refusals ----------------------------------------------------------------------


def test_every_reason_to_refuse_is_said_at_once(machine: ScratchMachine) -> None:
    machine.is_root = False
    machine.bits = 32
    machine.python = (3, 9)
    machine.free = 10**8
    with pytest.raises(Refused) as refused:
        plan_install(machine.facts(), PLAIN)
    for word in ("sudo", "64-bit", "3.9", "0.1 GB free"):
        assert word in str(refused.value)
    assert machine.said == []


def test_a_dry_run_needs_no_root(machine: ScratchMachine) -> None:
    machine.is_root = False
    assert plan_install(machine.facts(), Options(dry_run=True)).actions


def test_a_checkout_in_the_place_of_the_releases_is_refused(
    machine: ScratchMachine,
) -> None:
    make_checkout(machine.root / places.HOME[1:])
    with pytest.raises(Refused, match="did not put there"):
        plan_install(machine.facts(), PLAIN)
    assert plan_uninstall(machine.facts(), PLAIN).actions == ()


def test_picamera2_and_numpy_that_disagree_are_both_named(
    machine: ScratchMachine,
) -> None:
    machine.is_pi = True
    machine.report = {
        "numpy": {"version": "2.1.0", "path": "/usr/lib/python3/dist-packages/numpy"},
        "picamera2": {
            "version": "0.3.31",
            "error": "ValueError: numpy.dtype size changed, may indicate binary "
            "incompatibility. Expected 96 from C header, got 88 from PyObject",
        },
    }
    with pytest.raises(Refused, match=r"picamera2 0\.3\.31 and numpy 2\.1\.0"):
        install(machine)
    facts = machine.facts()
    assert (facts.releases, facts.current) == ((), 0), "nothing half made is left"


def test_numpy_from_pip_over_the_systems_is_refused(machine: ScratchMachine) -> None:
    machine.is_pi = True
    environment = machine.root / places.RELEASES[1:] / "1/.venv"
    machine.report = {
        "numpy": {"version": "2.4.6", "path": f"{environment}/lib/numpy/__init__.py"},
        "picamera2": {"version": "0.3.31"},
    }
    with pytest.raises(Refused, match=r"numpy 2\.4\.6 .*picamera2 0\.3\.31"):
        install(machine)


def test_a_pi_sees_the_systems_packages_and_pip_brings_no_numpy(
    machine: ScratchMachine,
) -> None:
    machine.is_pi = True
    install(machine)
    assert any("--system-site-packages" in line for line in machine.said)
    assert not any("not-on-pi" in line for line in machine.said)
    assert machine.packages >= set(places.PI_PACKAGES)


def test_a_failing_command_leaves_the_old_release_running(
    machine: ScratchMachine,
) -> None:
    install(machine)
    newer(machine, "two")
    machine.fails = str(
        machine.root / places.RELEASES[1:] / "2/.venv/bin/python -m pip"
    )
    with pytest.raises(CommandFailed, match="it said no"):
        install(machine, UPDATE)
    assert current(machine) == "releases/1"
    assert [r.number for r in machine.facts().releases] == [1]


# --- Consent -----------------------------------------------------------------------


def test_spi_is_switched_on_only_with_consent_and_off_with_uninstall(
    machine: ScratchMachine,
) -> None:
    boot = machine.root / "boot/firmware/config.txt"
    boot.parent.mkdir(parents=True)
    boot.write_text("[pi4]\narm_boost=1\n", encoding="utf-8")
    plan = install(machine)
    assert boot.read_text() == "[pi4]\narm_boost=1\n"
    assert any("--enable-spi" in note for note in plan.notes)

    install(machine, Options(enable_spi=True))
    assert texts.has_spi(boot.read_text())
    assert "[all]\ndtparam=spi=on" in boot.read_text(), "not inside another section"

    machine.carry_out(plan_uninstall(machine.facts(), PLAIN))
    assert boot.read_text() == "[pi4]\narm_boost=1\n"


def test_the_host_name_is_never_touched(machine: ScratchMachine) -> None:
    (machine.root / "etc/hostname").write_text("raspberrypi\n")
    install(machine)
    assert (machine.root / "etc/hostname").read_text() == "raspberrypi\n"
    assert not any("hostname" in line for line in machine.said)


@pytest.mark.parametrize(
    ("taken", "asked", "port"),
    [(False, 0, 80), (True, 0, 8080), (False, 9000, 9000), (True, 9000, 9000)],
)
def test_the_page_is_on_port_80_where_it_is_free(
    machine: ScratchMachine, taken: bool, asked: int, port: int
) -> None:
    machine.taken = {80} if taken else set()
    (machine.root / places.AVAHI_FOLDER[1:]).mkdir(parents=True)
    install(machine, Options(port=asked))
    assert texts.port_of(machine.files()[places.CONFIG]) == port
    assert f"<port>{port}</port>" in machine.files()[places.AVAHI]


def test_uninstall_closes_the_hotspot_that_we_opened(machine: ScratchMachine) -> None:
    install(machine)
    file = machine.root / places.HOTSPOT_FILE[1:]
    file.parent.mkdir(parents=True)
    file.write_text("[connection]\n", encoding="utf-8")
    plan = plan_uninstall(machine.facts(), PLAIN)
    asked = f"nmcli connection delete {places.HOTSPOT}"
    assert any(asked in str(action) for action in plan.actions)
    still = plan_uninstall(machine.facts(), Options(no_start=True))
    machine.carry_out(still)
    assert not file.exists()
