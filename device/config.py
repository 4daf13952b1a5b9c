"""dicelight.toml -> frozen values; every mistake is reported at once.

Defaults stand in the dataclasses; the file overrides them, flags of the command line
override the file. The environment only says where state lies.
"""

from __future__ import annotations

import dataclasses
import difflib
import os
import tomllib
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

from device.durable import make_folder
from device.errors import ConfigError
from device.games.registry import GAMES
from device.units import Millimetres

SYSTEM_STATE: Final = Path("/var/lib/dicelight")
"""Where the appliance keeps its state."""

SYSTEM_CONFIG: Final = Path("/etc/dicelight/dicelight.toml")
"""Where the appliance's config lies."""

CAMERAS: Final = ("picamera2", "v4l2", "replay", "drawn", "none")
DICE_SETS: Final = ("foww", "demo")
SSID_BYTES: Final = 32
WPA_LETTERS: Final = range(8, 64)
"""IEEE 802.11: length of a network's name and of its passphrase."""

MOST_BYTES: Final = 1 << 20
"""A config larger than this is another file by mistake."""

Strips: TypeAlias = tuple[Mapping[str, Any], ...]


def _limits(low: float, high: float) -> dict[str, Any]:
    return {"low": low, "high": high}


def _choices(*names: str) -> dict[str, Any]:
    return {"choices": names}


@dataclass(frozen=True, slots=True)
class TableConfig:
    """``[table]``: what is played.

    Attributes:
        game: Key of the game.
        dice: Dice set in play.
    """

    game: str = field(default="foww", metadata=_choices(*GAMES))
    dice: str = field(default="foww", metadata=_choices(*DICE_SETS))


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """``[server]``: the page.

    Attributes:
        host: Address to listen on; ``0.0.0.0`` for all.
        port: Below 1024 the unit needs a capability.
        names: Host names the page answers to, besides addresses by number.
        streams: Phones that may follow at once.
    """

    host: str = "0.0.0.0"
    port: int = field(default=8080, metadata=_limits(1, 65535))
    names: tuple[str, ...] = ()
    streams: int = field(default=64, metadata=_limits(1, 2000))


@dataclass(frozen=True, slots=True)
class HotspotConfig:
    """``[hotspot]``: the wireless network that this machine runs, if it does.

    The system runs it; Dicelight only draws the QR code that joins it.

    Attributes:
        name: Its SSID, at most 32 bytes; "" for none.
        password: 8 to 63 letters; "" for an open network.
    """

    name: str = ""
    password: str = ""


@dataclass(frozen=True, slots=True)
class HardwareConfig:
    """``[hardware]``: which parts there are.

    Attributes:
        camera: Kind of camera; ``none`` for faces typed in only.
        panel: Whether the buttons are connected.
    """

    camera: str = field(default="picamera2", metadata=_choices(*CAMERAS))
    panel: bool = False


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """``[camera]``: how it is set; all of it fixed while playing.

    Attributes:
        device: V4L2 device, e.g. ``/dev/video0``.
        path: Folder or video to replay.
        width: Of the frames, px.
        height: Of the frames, px. None follows from the sensor's shape.
        rate_hz: Frames a second.
        exposure_ms: A multiple of 10 keeps mains light and dimmed LEDs steady. None
            takes what set-up measured.
        gain: Analogue gain, None as above.
        lens_dioptres: Focus where the camera has a motor, None as above; 0 is far away.
    """

    device: str = "/dev/video0"
    path: str = ""
    width: int = field(default=2304, metadata=_limits(320, 4656))
    height: int | None = field(default=None, metadata=_limits(240, 3496))
    rate_hz: float = field(default=50.0, metadata=_limits(1, 240))
    exposure_ms: float | None = field(default=None, metadata=_limits(0.1, 200))
    gain: float | None = field(default=None, metadata=_limits(1, 32))
    lens_dioptres: float | None = field(default=None, metadata=_limits(0, 32))


@dataclass(frozen=True, slots=True)
class PanelConfig:
    """``[panel]``: pins by BCM number; a pin left out means no such part."""

    confirm_button_pin_bcm: int | None = None
    confirm_lamp_pin_bcm: int | None = None
    undo_button_pin_bcm: int | None = None
    undo_lamp_pin_bcm: int | None = None
    buzzer_pin_bcm: int | None = None
    tray_light_pin_bcm: int | None = None

    @property
    def pins(self) -> dict[str, int]:
        """The pins in use, by name."""
        pins = {name: getattr(self, name) for name in _fields(type(self))}
        return {name: pin for name, pin in pins.items() if pin is not None}


@dataclass(frozen=True, slots=True)
class ReadingConfig:
    """``[reading]``: how rolls are taken.

    Attributes:
        free_rolls: Log throws that no check has asked for.
        count_lying: Dice lying there at start count as thrown.
        bar_mm: What the printed 100 mm bar really measures.
        photos: Photographs of rolls that are kept.
    """

    free_rolls: bool = False
    count_lying: bool = False
    bar_mm: Millimetres = field(default=100.0, metadata=_limits(80, 120))
    photos: int = field(default=400, metadata=_limits(0, 100_000))


@dataclass(frozen=True, slots=True)
class Config:
    """All of it.

    Attributes:
        table: What is played.
        server: The page.
        hotspot: The network that phones join, if this machine runs it.
        hardware: Which parts there are.
        camera: How the camera is set.
        panel: Pins of the buttons.
        reading: How rolls are taken.
        strip: ``[[strip]]`` tables as they are; `hardware.strips` reads them.
        source: The file, or None for the defaults.
    """

    table: TableConfig = field(default_factory=TableConfig)
    server: ServerConfig = field(default_factory=ServerConfig)
    hotspot: HotspotConfig = field(default_factory=HotspotConfig)
    hardware: HardwareConfig = field(default_factory=HardwareConfig)
    camera: CameraConfig = field(default_factory=CameraConfig)
    panel: PanelConfig = field(default_factory=PanelConfig)
    reading: ReadingConfig = field(default_factory=ReadingConfig)
    strip: Strips = ()
    source: Path | None = None


HardwareCheck: TypeAlias = Callable[[Sequence[Any], Mapping[str, int]], Sequence[str]]
"""Strip tables and pins by name in, problems out; see `device.fitting`."""


def load_config(path: Path, check: HardwareCheck = lambda strips, pins: ()) -> Config:
    """Read a config file.

    Raises:
        ConfigError: Every mistake in it, one line each.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ConfigError(f"{path}: larger than a config can be")
        text = path.read_text("utf-8")
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not a text file") from error
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: {error}") from error
    config = parse_config(data, check)
    return dataclasses.replace(config, source=path)


def parse_config(
    data: Mapping[str, Any], check: HardwareCheck = lambda strips, pins: ()
) -> Config:
    """Return the config that a TOML document describes.

    Raises:
        ConfigError: Every mistake in it, one line each.
    """
    problems: list[str] = []
    values: dict[str, Any] = {}
    sections = {
        name: hint
        for name, hint in typing.get_type_hints(Config).items()
        if dataclasses.is_dataclass(hint)
    }
    for name, value in data.items():
        if name in sections:
            values[name] = _section(sections[name], name, value, problems)
        elif name == "strip":
            values[name] = _strips(value, problems)
        else:
            problems.append(_unknown(name, (*sections, "strip"), "section"))
    problems += _hotspot_problems(values.get("hotspot") or HotspotConfig())
    panel = values.get("panel") or PanelConfig()
    problems += check(values.get("strip") or (), panel.pins)
    if problems:
        raise ConfigError(problems)
    config = Config(**values)
    if config.hardware.camera == "replay" and not config.camera.path:
        raise ConfigError('camera.path: hardware.camera = "replay" needs it')
    return config


def _hotspot_problems(hotspot: HotspotConfig) -> list[str]:
    problems = []
    if len(hotspot.name.encode()) > SSID_BYTES:
        problems.append(f"hotspot.name: expected at most {SSID_BYTES} bytes")
    if hotspot.password and not hotspot.name:
        problems.append("hotspot.name: hotspot.password needs it")
    if hotspot.password and len(hotspot.password) not in WPA_LETTERS:
        problems.append("hotspot.password: expected 8 to 63 letters, or none")
    return problems


def _strips(value: Any, problems: list[str]) -> Strips:
    if isinstance(value, list) and all(isinstance(item, Mapping) for item in value):
        return tuple(value)
    problems.append("strip: expected [[strip]] tables")
    return ()


def _section(kind: Any, name: str, value: Any, problems: list[str]) -> Any:
    """Return one section; its mistakes are added to `problems`."""
    if not isinstance(value, Mapping):
        problems.append(f"{name}: expected a section [{name}]")
        return kind()
    hints = typing.get_type_hints(kind)
    known = _fields(kind)
    right: dict[str, Any] = {}
    for key, item in value.items():
        where = f"{name}.{key}"
        if key not in known:
            problems.append(_unknown(where, [f"{name}.{one}" for one in known], "key"))
            continue
        wrong = _wrong(hints[key], known[key].metadata, item)
        if wrong:
            problems.append(f"{where}: expected {wrong}, found {item!r}")
        else:
            right[key] = tuple(item) if isinstance(item, list) else item
    return kind(**right)


def _wrong(hint: Any, rule: Mapping[str, Any], value: Any) -> str:
    """Return what was expected where a value is wrong, else an empty text."""
    if typing.get_origin(hint) is types.UnionType:
        (hint,) = (arg for arg in typing.get_args(hint) if arg is not type(None))
    if "choices" in rule:
        names = rule["choices"]
        return "" if value in names else f"one of {', '.join(names)}"
    if hint is bool:
        return "" if isinstance(value, bool) else "true or false"
    if hint is str:
        return "" if isinstance(value, str) else "a text"
    if hint in (int, float):
        return _wrong_number(hint, rule, value)
    right = isinstance(value, list) and all(isinstance(item, str) for item in value)
    return "" if right else "a list of texts"


def _wrong_number(hint: Any, rule: Mapping[str, Any], value: Any) -> str:
    low, high = rule.get("low"), rule.get("high")
    what = "a whole number" if hint is int else "a number"
    if low is not None:
        what += f" from {low:g} to {high:g}"
    number = isinstance(value, int if hint is int else (int, float))
    if not number or isinstance(value, bool):
        return what
    return "" if low is None or low <= value <= high else what


def _unknown(name: str, known: Sequence[str], what: str) -> str:
    near = difflib.get_close_matches(name, known, 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"{name}: unknown {what}{hint}"


def _fields(kind: Any) -> dict[str, dataclasses.Field[Any]]:
    return {item.name: item for item in dataclasses.fields(kind)}


# --- State -------------------------------------------------------------------------


def state_folder(*, appliance: bool) -> Path:
    """Return where journals, dice galleries and calibration live.

    ``$DICELIGHT_STATE`` if set, else /var/lib/dicelight for the appliance, and the
    user's state folder otherwise.
    """
    named = os.environ.get("DICELIGHT_STATE", "")
    if named:
        return Path(named)
    if appliance:
        return SYSTEM_STATE
    base = os.environ.get("XDG_STATE_HOME", "")
    return (Path(base) if base else Path.home() / ".local" / "state") / "dicelight"


def make_state_folder(folder: Path) -> Path:
    """Make the state folder and see that it can be written.

    Raises:
        ConfigError: It cannot.
    """
    probe = folder / ".writable"
    try:
        make_folder(folder)
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise ConfigError(
            f"{folder}: cannot be written ({error.strerror}); "
            "set $DICELIGHT_STATE to another folder"
        ) from error
    return folder
