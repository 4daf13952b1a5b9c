"""The command line: one line for every mistake, exit 2, nothing half done."""

from __future__ import annotations

import io
import json
import socket
import subprocess
import sys
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cli import COMMANDS, main
from device.data.load import load_dice_set
from device.demo import drawn_shots
from device.table.events import Draft
from device.table.state import state_hash
from device.table.table import open_table


@pytest.fixture(autouse=True)
def state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("DICELIGHT_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def night(tmp_path: Path) -> Path:
    table = open_table(tmp_path / "nights", game="foww", wall_s=lambda: 1.7e9)
    table.record([Draft("ruler_lit", {"cue": {"band": "red"}})], by="=1+1")
    table.close()
    return table.path


def type_in(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")
    )


def one_line(capsys: pytest.CaptureFixture[str]) -> str:
    said = capsys.readouterr()
    assert said.err.count("\n") == 1, said.err
    return said.err


@pytest.mark.parametrize("command", [*COMMANDS, ""])
def test_every_command_explains_itself(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main([command, "--help"] if command else ["--help"])
    assert caught.value.code == 0
    assert f"usage: dicelight {command}".strip() in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [[], ["fly"], ["resolve", "--bach"], ["mat"], ["journal", "burn", "x"]],
    ids=["none", "command", "option", "output", "action"],
)
def test_a_wrong_call_is_one_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "--help" in one_line(capsys)


def test_resolve_answers_one_question(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, '{"ranges": ["red", "green"]}')
    assert main(["resolve", "foww", "ruler"]) == 0
    assert json.loads(capsys.readouterr().out)["mm"] == 356


@pytest.mark.parametrize(
    ("arguments", "text", "field"),
    [
        (["resolve", "foww", "ruler"], '{"ranges": []}', "ranges"),
        (["resolve", "foww", "ruler"], "ranges", ""),
        (["resolve", "foww", "ruler"], "[1]", ""),
        (["resolve", "foww", "flying"], "{}", "kind"),
        (["resolve", "chess", "ruler"], "{}", "game"),
        (["ruler", "foww", "--json", "--cue", '{"band": "pink"}'], "", "band"),
        (["ruler", "foww", "--json", "--cue", "red"], "", ""),
        (["ruler", "chess", "--json", "--cue", "{}"], "", "game"),
    ],
)
def test_a_wrong_question_is_answered_with_its_field(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    text: str,
    field: str,
) -> None:
    type_in(monkeypatch, text)
    assert main(arguments) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["field"] == field
    assert error["message"]


def test_a_batch_is_answered_line_by_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good = '{"id": 1, "game": "foww", "kind": "ruler", "given": {"ranges": ["red"]}}'
    bad = '{"id": "b", "game": "foww", "kind": "ruler", "given": {}}'
    type_in(monkeypatch, f"{good}\n\n{bad}\n")
    assert main(["resolve", "--batch"]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["id"] == 1 and first["result"]["mm"] == 152
    assert second["id"] == "b" and second["error"]["field"] == "ranges"


def test_a_batch_with_a_line_without_id_ends_with_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, '{"game": "foww"}\n')
    assert main(["resolve", "--batch"]) == 2


def test_ruler_prints_the_pixels_of_every_strip(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "strips.toml"
    file.write_text(
        '[[strip]]\nname = "a"\npixels = 40\npitch_mm = 5\n'
        "first_pixel_mm = 2.5\nlimit_ma = 900\n"
    )
    cue = '{"band": "red"}'
    arguments = ["ruler", "foww", "--cue", cue, "--strip", str(file), "--json"]
    assert main(arguments) == 0
    (strip,) = json.loads(capsys.readouterr().out)["strips"]
    assert strip["name"] == "a" and len(strip["pixels"]) == 40
    lit = [at for at, pixel in enumerate(strip["pixels"]) if pixel != "000000"]
    assert (lit[0], lit[-1]) == (0, 29)
    assert main([*arguments[:5], str(tmp_path / "none.toml"), "--json"]) == 2


def test_mat_writes_a_pdf(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mat.pdf"
    assert main(["mat", "--paper", "letter", "-o", str(path)]) == 0
    assert path.read_bytes().startswith(b"%PDF")
    capsys.readouterr()
    assert main(["mat", "-o", str(tmp_path / "none" / "mat.pdf")]) == 2
    one_line(capsys)


def test_the_journal_is_checked_exported_and_replayed(
    night: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["journal", "check", str(night)]) == 0
    assert "2 events" in capsys.readouterr().out
    assert main(["journal", "replay", str(night)]) == 0
    shown = capsys.readouterr().out.strip()
    table = open_table(tmp_path / "nights", game="foww", wall_s=lambda: 1.7e9)
    assert shown == state_hash(table.state)
    table.close()
    assert main(["journal", "replay", "--json", str(night)]) == 0
    assert json.loads(capsys.readouterr().out)["hash"] == shown
    assert main(["journal", "export", str(night)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["kind"] for line in lines] == [
        "night_started",
        "ruler_lit",
    ]
    out = tmp_path / "night.csv"
    assert (
        main(["journal", "export", "--format", "csv", "-o", str(out), str(night)]) == 0
    )
    assert "'=1+1" in out.read_text()


def test_a_damaged_journal_is_one_line(
    night: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    night.write_bytes(b"not a journal" * 999)
    assert main(["journal", "check", str(night)]) == 2
    assert "damaged" in one_line(capsys)
    assert main(["journal", "replay", "/nowhere.journal"]) == 2
    assert "no such journal" in one_line(capsys)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('[server]\nport = "x"\n[camra]\n[table]\ngame = "chess"\n', 3),
        ("[panel]\nbuzzer_pin_bcm = 99\n[[strip]]\npixels = 0\n", 6),
        ("\0", 1),
    ],
)
def test_a_wrong_config_stops_the_start_with_a_line_for_each_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, lines: int
) -> None:
    path = tmp_path / "dicelight.toml"
    path.write_text(text)
    assert main(["run", "--config", str(path)]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == lines, said
    assert all(line.startswith("dicelight: ") for line in said)


def test_a_state_folder_that_cannot_be_written_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DICELIGHT_STATE", str(tmp_path / "file"))
    for arguments in (["demo"], ["run"], ["bench"]):
        assert main(arguments) == 2
        assert "cannot be written" in one_line(capsys)


def test_frames_that_are_no_pictures_are_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name in ("notes.jpg", "notes.mp4", "notes.txt"):
        (tmp_path / name).write_text("not a picture")
        assert main(["demo", "--frames", str(tmp_path / name)]) == 2
        assert name in one_line(capsys)
    assert main(["demo", "--frames", "/nowhere"]) == 2
    assert "/nowhere" in one_line(capsys)
    assert main(["demo", "--port", "99999"]) == 2
    assert "port" in one_line(capsys)


def test_pictures_are_read_and_what_is_none_is_said_in_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    felt = np.full((240, 320, 3), (70, 110, 60), np.uint8)
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        cv2.imwrite(str(tmp_path / folder / "felt.png"), felt)
    (tmp_path / "notes.jpg").write_text("not a picture")
    images = [
        str(tmp_path / name) for name in ("a/felt.png", "notes.jpg", "b/felt.png")
    ]
    overlay = ["--overlay", str(tmp_path / "seen")]
    assert main(["read", "--json", *overlay, *images]) == 2
    first, wrong, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["image"] == images[0] and first["dice"] == last["dice"] == []
    assert set(first["ms"]) == {"find", "faces", "total"}
    assert wrong["image"] == images[1] and wrong["error"]["field"] == "image"
    seen = sorted(path.name for path in (tmp_path / "seen").iterdir())
    assert seen == ["felt-2.jpg", "felt.jpg"]
    assert main(["read", images[0]]) == 0
    assert "no dice" in capsys.readouterr().out
    assert main(["read", "--dice", "none", images[0]]) == 2
    assert "no set 'none'" in one_line(capsys)


def test_a_die_is_taught_and_read_by_its_own_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dice = load_dice_set("demo")
    die = dice.die("armour")
    pictures: dict[str, str] = {}
    sides = len(die.sides)
    for shot, (side, image) in enumerate(islice(drawn_shots(die, 900), 3 * sides)):
        path = tmp_path / f"{side}-{shot // sides}.png"
        cv2.imwrite(str(path), image)
        pictures[str(path)] = die.sides[side]
    taught = [
        f"block{face}={path}"
        for path, face in pictures.items()
        if "-2" not in Path(path).name
    ]
    status = main(["teach", "--dice", "own", "--die", "red", *taught])
    said = capsys.readouterr()
    assert status == 0, said.err
    assert "4 faces known: block1, block2, block3, block4" in said.out
    asked = [path for path in pictures if "-2" in path]
    assert main(["read", "--json", "--dice", "own", *asked]) == 0
    right = 0
    for line in capsys.readouterr().out.splitlines():
        reading = json.loads(line)
        found = [(die["die"], die["face"]) for die in reading["dice"]]
        right += found == [("red", f"block{pictures[reading['image']]}")]
    assert right >= 11, f"{right} of {sides}"


def test_teach_says_what_it_needs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for arguments in (
        [],
        ["star"],
        ["--from", str(tmp_path / "none")],
        ["--from", str(tmp_path)],
    ):
        assert main(["teach", "--dice", "own", "--die", "plot", *arguments]) == 2
        one_line(capsys)
    assert main(["teach", "--dice", "own", "--die", "../x", "star=a.png"]) == 2
    assert "no name" in one_line(capsys)


def test_the_doctor_reports_and_says_whether_all_is_well(
    state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["doctor", "--json"])
    report = json.loads(capsys.readouterr().out)
    assert status == (0 if report["well"] else 1)
    names = [one["name"] for one in report["findings"]]
    assert {"python", "numpy", "networks", "state", "journal", "camera"} <= set(names)
    config = tmp_path / "dicelight.toml"
    config.write_text('[hardware]\ncamera = "v4l2"\n[camera]\ndevice = "/dev/none"\n')
    assert main(["doctor", "--config", str(config)]) == 1
    assert "MISSING camera: no /dev/none" in capsys.readouterr().out


def test_the_bundle_holds_no_secret_and_no_name(
    state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import zipfile

    config = tmp_path / "dicelight.toml"
    config.write_text('[wifi]\npassword = "hunter2"\n[server]\nport = 80\n')
    out = tmp_path / "help.zip"
    assert main(["bundle", "-o", str(out), "--config", str(config)]) == 0
    with zipfile.ZipFile(out) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert {"versions.txt", "config.json", "doctor.json"} <= set(texts)
    assert json.loads(texts["config.json"])["server"]["port"] == 80
    assert "hunter2" not in "".join(texts.values())


def test_a_reader_that_went_away_is_no_error(tmp_path: Path) -> None:
    done = subprocess.run(
        f"{sys.executable} -m device.cli --help | true",
        shell=True,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    from device.app import serve_page
    from device.commands.demo import demo_config
    from device.errors import ConfigError
    from tests.device.builders import Bench

    bench = Bench(tmp_path / "bench")
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        config = demo_config("127.0.0.1", holder.getsockname()[1])
        with pytest.raises(ConfigError, match="taken"):
            serve_page(bench.companion, config, tmp_path)
    bench.close()
