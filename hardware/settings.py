"""What a camera is asked for; what it lacks is said, never fatal."""

from __future__ import annotations

from dataclasses import dataclass

from device.errors import ConfigError


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """Wishes for a camera. None leaves a thing to the camera or its automatics.

    Attributes:
        width_px: Of the main image. None is 1536 on the Pi's cameras (a numeral of
            5 mm in a 250 mm tray is then 30 pixels high), 1280 on webcams.
        height_px: Of the main image. None follows from the sensor's shape.
        rate_hz: Frames a second.
        exposure_s: Fixed exposure. A multiple of 10 ms sees no bands of lamps on
            50 Hz mains nor of the Pi's own PWM.
        gain: Fixed amplification, 1 and more.
        focus_dioptres: Fixed focus, 1 / distance in metres; each unit differs, so
            set-up measures it.
        colour_gains: Fixed white balance: red and blue relative to green.
        buffers: Frames in flight; 2 on a Zero 2 W, whose memory is small.
    """

    width_px: int | None = None
    height_px: int | None = None
    rate_hz: float = 50.0
    exposure_s: float | None = None
    gain: float | None = None
    focus_dioptres: float | None = None
    colour_gains: tuple[float, float] | None = None
    buffers: int = 4

    def __post_init__(self) -> None:
        """Refuse what no camera can do.

        Raises:
            ConfigError: Every number out of range, by its name.
        """
        problems = [
            f"{name}: {value} is not {least:g} to {most:g}"
            for name, value, least, most in (
                ("width_px", self.width_px, 320, 4608),
                ("height_px", self.height_px, 240, 3496),
                ("rate_hz", self.rate_hz, 1, 240),
                ("exposure_s", self.exposure_s, 1e-5, 1),
                ("gain", self.gain, 1, 64),
                ("focus_dioptres", self.focus_dioptres, 0, 32),
                ("buffers", self.buffers, 1, 16),
            )
            if value is not None and not least <= value <= most
        ]
        if problems:
            raise ConfigError(problems)
