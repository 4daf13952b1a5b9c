"""Stands in for pykms, which only Raspberry Pi OS has; no picture goes to a screen."""


class PixelFormat:
    """Names of formats; picamera2 lists some of them when it is imported."""

    def __getattr__(self, name: str) -> str:
        return name


PixelFormat = PixelFormat()  # type: ignore[assignment,misc]
