"""Buttons, lamps, buzzer and tray light."""

import sys
import threading
import time

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.errors import HardwareClosed, HardwareFault, HardwareNotFound
from hardware.panel import BOUNCE_S, NO_PANEL, GpiozeroPanel, PanelPins
from hardware.pins import PHYSICAL, PINS, SPI0, default_factory

PANEL = PanelPins()


def on_mock_pins(request):
    return GpiozeroPanel(PANEL, pin_factory=request.getfixturevalue("mock_pins"))


def on_real_pins(request):
    try:
        return GpiozeroPanel(PANEL)
    except HardwareNotFound as error:
        pytest.skip(str(error))


@pytest.fixture(
    params=[
        pytest.param(on_mock_pins, id="mock"),
        pytest.param(on_real_pins, id="lgpio", marks=pytest.mark.hardware),
    ]
)
def panel(request):
    opened = request.param(request)
    yield opened
    opened.close()


@pytest.fixture
def mocked(mock_pins):
    opened = GpiozeroPanel(PANEL, pin_factory=mock_pins)
    yield opened
    opened.close()


def state(factory, pin):
    return bool(factory.pin(f"GPIO{pin}").state)


def test_every_part_takes_its_orders(panel):
    for lit in (True, False):
        panel.lamp("confirm", lit)
        panel.lamp("undo", lit)
        panel.tray_light(lit)
    panel.buzz(0.001)
    panel.listen([].append)


def test_closing_twice_is_fine_and_use_after_it_is_refused(panel):
    panel.close()
    panel.close()
    for use in (
        lambda: panel.lamp("undo", True),
        lambda: panel.buzz(0.1),
        lambda: panel.tray_light(True),
        lambda: panel.listen(print),
    ):
        with pytest.raises(HardwareClosed):
            use()


def test_orders_that_cannot_be_are_refused(panel):
    with pytest.raises(ValueError, match="lamps are confirm and undo"):
        panel.lamp("start", True)
    for seconds in (0, -1, 60, float("nan")):
        with pytest.raises(ValueError, match="buzz"):
            panel.buzz(seconds)


def test_lamps_and_light_switch_their_own_pins_only(mocked, mock_pins):
    mocked.lamp("confirm", True)
    mocked.tray_light(True)
    lit = {pin for pin in PANEL.used().values() if state(mock_pins, pin)}
    # A button that nobody presses is pulled up.
    assert lit == {
        PANEL.confirm_button,
        PANEL.undo_button,
        PANEL.confirm_lamp,
        PANEL.tray_light,
    }
    mocked.lamp("confirm", False)
    assert not state(mock_pins, PANEL.confirm_lamp)


def press(factory, pin):
    factory.pin(f"GPIO{pin}").drive_low()
    time.sleep(2 * BOUNCE_S)
    factory.pin(f"GPIO{pin}").drive_high()
    time.sleep(2 * BOUNCE_S)


def test_a_press_is_posted_once_by_name(mocked, mock_pins):
    posted = []
    mocked.listen(posted.append)
    press(mock_pins, PANEL.undo_button)
    press(mock_pins, PANEL.confirm_button)
    press(mock_pins, PANEL.undo_button)
    assert posted == ["undo", "confirm", "undo"]


def test_buzzing_returns_at_once_and_ends_by_itself(mocked, mock_pins):
    begun_s = time.monotonic()
    mocked.buzz(0.05)
    assert time.monotonic() - begun_s < 0.04
    buzzer = mock_pins.pin(f"GPIO{PANEL.buzzer}")
    ended = threading.Event()
    for _ in range(200):
        if buzzer.state == 0 and len(buzzer.states) > 1:
            ended.set()
            break
        time.sleep(0.005)
    assert ended.is_set()


def test_absent_parts_ignore_their_orders(mock_pins):
    for pins in (NO_PANEL, PanelPins(5, None, None, None, None, None)):
        panel = GpiozeroPanel(pins, pin_factory=mock_pins)
        panel.listen(print)
        panel.lamp("undo", True)
        panel.buzz(0.1)
        panel.tray_light(True)
        panel.close()


def test_no_panel_at_all_needs_no_gpio():
    GpiozeroPanel(NO_PANEL).close()


def test_wrong_and_clashing_pins_are_all_refused_by_name(mock_pins):
    pins = PanelPins(
        confirm_button=10, undo_button=1, confirm_lamp=7, undo_lamp=7, buzzer=99
    )
    with pytest.raises(HardwareNotFound) as caught:
        GpiozeroPanel(pins, pin_factory=mock_pins, reserved=SPI0)
    said = str(caught.value)
    assert "confirm_button: GPIO10 is already taken by SPI0 MOSI" in said
    assert "undo_button: 1 is no usable pin" in said
    assert "undo_lamp: GPIO7 is already taken by confirm_lamp" in said
    assert "buzzer: 99 is no usable pin" in said


def test_the_usual_pins_clash_with_nothing():
    assert PANEL.problems(SPI0) == []
    assert set(PANEL.used().values()).isdisjoint({2, 3, 14, 15})


def test_a_pin_in_use_is_refused_and_the_other_parts_are_let_go(mock_pins):
    with (
        gpiozero.LED(PANEL.tray_light, pin_factory=mock_pins),
        pytest.raises(HardwareNotFound, match="tray_light on GPIO12"),
    ):
        GpiozeroPanel(PANEL, pin_factory=mock_pins)
    GpiozeroPanel(PANEL, pin_factory=mock_pins).close()


def test_a_pin_that_fails_later_is_a_fault_of_that_part(mocked, mock_pins, monkeypatch):
    def fail(*_args):
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as broken:
        broken.setattr(MockPWMPin, "_set_state", fail)
        with pytest.raises(HardwareFault, match=r"confirm_lamp: .*Input/output"):
            mocked.lamp("confirm", True)
    mocked.lamp("confirm", True)
    assert state(mock_pins, PANEL.confirm_lamp)


def test_mock_pins_are_called_simulated(mocked):
    assert mocked.simulated


def test_bcm_numbers_and_header_pins_agree_with_gpiozero():
    board = MockFactory().board_info
    for bcm in PINS:
        ((_, info),) = list(board.find_pin(f"GPIO{bcm}"))
        assert info.number == PHYSICAL[bcm]


def test_no_gpio_on_a_laptop_says_what_to_check():
    try:
        import lgpio  # noqa: F401
    except ImportError:
        with pytest.raises(HardwareNotFound, match="python3-lgpio"):
            default_factory()
    else:
        pytest.skip("lgpio is installed here")


class LgpioDouble:
    """A back end module in place of gpiozero's, whose factory fails as told."""

    def __init__(self, error) -> None:
        self._error = error

    def LGPIOFactory(self, chip=None):
        raise self._error


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (gpiozero.PinUnknownPi("unknown RPi revision 0xffff"), "does not know this"),
        (OSError(2, "can not open gpiochip"), "is this a Raspberry Pi"),
        (gpiozero.BadPinFactory("none"), "is this a Raspberry Pi"),
    ],
    ids=["hardware revision is not supported", "cannot open gpiochip", "bad factory"],
)
def test_unknown_boards_and_missing_gpio_chips_are_said_clearly(
    monkeypatch, error, said
):
    # rpi_ws281x 528, 555; gpiozero 1166, 840: a new board or kernel.
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", LgpioDouble(error))
    with pytest.raises(HardwareNotFound, match=said):
        default_factory()
