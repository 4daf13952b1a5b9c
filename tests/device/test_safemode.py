"""Two failed starts in a row, then the page alone, and how it is left again."""

from __future__ import annotations

import socket
import subprocess
import sys
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from device.config import Config
from device.errors import ConfigError
from device.safemode import MARK, NO_WORDS, Start, closed_eyes, key_of, safe_config
from web.people import kept_code

KEY = "one"


def fail(state: Path, text: str = "the camera bit", key: str = KEY) -> str:
    """Start and fail; returns why it was in safe mode."""
    with pytest.raises(ConfigError), Start(state, key) as start:
        raise ConfigError(text)
    return start.reason


def die(state: Path) -> None:
    """Start and be killed."""
    Start(state, KEY).__enter__()


def reason(state: Path, key: str = KEY) -> str:
    with Start(state, key) as start:
        return start.reason


def test_two_failed_starts_in_a_row_lead_to_safe_mode(tmp_path: Path) -> None:
    assert fail(tmp_path) == ""
    assert fail(tmp_path, "the lamp bit") == ""
    assert reason(tmp_path) == "the lamp bit"


def test_one_failed_start_does_not(tmp_path: Path) -> None:
    fail(tmp_path)
    assert reason(tmp_path) == ""
    fail(tmp_path)
    assert reason(tmp_path) == "", "a proper start between them counts anew"


def test_a_start_that_ends_without_a_word_has_failed(tmp_path: Path) -> None:
    die(tmp_path)
    die(tmp_path)
    assert reason(tmp_path) == NO_WORDS


def test_a_start_that_held_and_is_killed_later_has_not_failed(tmp_path: Path) -> None:
    for _ in range(5):
        start = Start(tmp_path, KEY).__enter__()
        assert start.reason == ""
        start.held()
    assert not (tmp_path / MARK).exists()


def test_safe_mode_stays_until_it_has_held(tmp_path: Path) -> None:
    fail(tmp_path)
    fail(tmp_path)
    die(tmp_path)
    die(tmp_path)
    assert Start(tmp_path, KEY).__enter__().reason == "the camera bit"


def test_after_safe_mode_all_is_tried_once_and_one_failure_brings_it_back(
    tmp_path: Path,
) -> None:
    fail(tmp_path)
    fail(tmp_path)
    assert reason(tmp_path)
    assert fail(tmp_path, "still biting") == ""
    assert reason(tmp_path) == "still biting"


def test_another_configuration_or_release_counts_anew(tmp_path: Path) -> None:
    fail(tmp_path)
    fail(tmp_path)
    assert reason(tmp_path, key="two") == ""


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"key": "one"}', "\0\0\0"])
def test_a_torn_mark_says_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / MARK).write_text(text)
    assert reason(tmp_path) == ""


def test_a_state_folder_that_cannot_be_written_costs_no_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with Start(tmp_path / "gone", KEY) as start:
        assert start.reason == ""
    assert "not counted" in caplog.text


def test_the_key_changes_with_the_configuration(tmp_path: Path) -> None:
    config = tmp_path / "dicelight.toml"
    keys = {key_of(None), key_of(config)}
    assert len(keys) == 1, "a missing file is no file"
    config.write_text("[server]\nport = 8000\n")
    keys.add(key_of(config))
    config.write_text("[server]\nport = 8001\n")
    keys.add(key_of(config))
    assert len(keys) == 3


@pytest.mark.parametrize(
    ("text", "port"),
    [
        ("[server]\nport = 8123\n", 8123),
        ("[server]\nport = 8123\nnonsense = [\n", 8123),
        ("port = 99999\nnonsense = [\n", Config().server.port),
        ("nonsense", Config().server.port),
    ],
)
def test_the_page_stays_where_phones_know_it(
    tmp_path: Path, text: str, port: int
) -> None:
    path = tmp_path / "dicelight.toml"
    path.write_text(text)
    config = safe_config(path)
    assert config.server.port == port
    assert (config.hardware.camera, config.hardware.panel) == ("none", False)
    assert config.strip == ()


def test_closed_eyes_load_no_network() -> None:
    loads = "import device.safemode as s, vision.find as f; s.closed_eyes()"
    code = f"import cv2; cv2.dnn.readNetFromONNX = None; {loads}"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert closed_eyes().find_rig(None) is None  # type: ignore[arg-type]


def test_a_page_for_this_machine_alone_does_not_open_to_the_network(
    tmp_path: Path,
) -> None:
    path = tmp_path / "dicelight.toml"
    path.write_text("[server]\nhost = '127.0.0.1'  # only here\nnonsense = [\n")
    assert safe_config(path).server.host == "127.0.0.1"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def test_a_broken_configuration_ends_in_a_page_that_says_so(tmp_path: Path) -> None:
    port = free_port()
    config = tmp_path / "dicelight.toml"
    config.write_text(f"[server]\nhost = '127.0.0.1'\nport = {port}\nnonsense = [\n")
    command = [sys.executable, "-m", "device.cli", "run", "--config", str(config)]
    environment = {"DICELIGHT_STATE": str(tmp_path / "state"), "PATH": "/usr/bin:/bin"}
    for _ in range(2):
        failed = subprocess.run(command, capture_output=True, env=environment)
        assert failed.returncode == 2
    with subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as served:
        assert served.stdout is not None and served.stderr is not None
        try:
            # The address is said once the port is open.
            assert f":{port}/ (safe mode)" in served.stdout.readline()
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
                assert answer.status == 200
        finally:
            served.terminate()
        assert "safe mode, the page alone" in served.stderr.read()
    assert served.returncode == 0


def test_safe_mode_is_left_on_the_page_once_the_cause_is_gone(tmp_path: Path) -> None:
    state, config = tmp_path / "state", tmp_path / "dicelight.toml"
    command = [sys.executable, "-m", "device.cli", "run", "--config", str(config)]
    environment = {"DICELIGHT_STATE": str(state), "PATH": "/usr/bin:/bin"}
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        config.write_text(
            f"[server]\nhost = '127.0.0.1'\nport = {port}\n"
            "[hardware]\ncamera = 'none'\n"
        )
        for _ in range(2):
            failed = subprocess.run(command, capture_output=True, env=environment)
            assert failed.returncode == 2
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, text=True
    ) as served:
        assert served.stdout is not None
        try:
            assert "(safe mode)" in served.stdout.readline()
            phone = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            page = f"http://127.0.0.1:{port}"

            def post(path: str, **form: str) -> str:
                data = urllib.parse.urlencode(form).encode()
                asked = urllib.request.Request(page + path, data, {"Origin": page})
                answer: bytes = phone.open(asked).read()
                return answer.decode()

            code = kept_code(state)
            assert code is not None
            post("/join", name="Ann", role="player", code=code)
            shown = phone.open(page + "/setup").read().decode()
            assert "Safe mode is on" in shown and f"port {port} is taken" in shown
            post("/setup/safe/leave")
            while "Dicelight is at" not in (line := served.stdout.readline()):
                assert line, "it ended instead of starting again"
            assert "(none)" in line
            shown = phone.open(page + "/setup").read().decode()
            assert "Safe mode is off" in shown
        finally:
            served.terminate()
    assert served.returncode == 0
