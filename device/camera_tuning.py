"""Sets a camera by the printed frame: exposure, colour and, where it can, focus."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, Protocol, runtime_checkable

from device.camera_setup import Calibration, find_focus, next_exposure
from device.ports import Camera
from vision.view import View, measure_view

ROUNDS: Final = 3
"""Exposure is set so often at most: a clipped white says only "less"."""

NEAR: Final = 0.15
"""An exposure within so much of the best is left alone."""

LATE_FRAMES: Final = 12
"""Controls take effect so many frames later (picamera2 issues 1278, 1287)."""


@runtime_checkable
class Adjustable(Protocol):
    """A camera that can be set while it runs."""

    @property
    def focus_range(self) -> tuple[float, float] | None:
        """Farthest and nearest focus in dioptres, None where it cannot be set."""
        ...

    def adjust(self, settings: Any) -> None:
        """Change exposure, gain, colour and focus; raises HardwareFault."""
        ...


def tune(
    camera: Camera,
    settings: Any,
    bar_mm: float,
    *,
    late_frames: int = LATE_FRAMES,
    tick: Callable[[], None] = lambda: None,
) -> tuple[View, Calibration]:
    """Set exposure, colour and focus where the camera can; return how it then is.

    Args:
        camera: Open.
        settings: As it was opened with; `hardware.settings.CameraSettings`.
        bar_mm: What the printed 100 mm bar measures.
        late_frames: Frames that are still as before after a change.
        tick: Called with every frame: this takes some seconds.

    Raises:
        HardwareFault: The camera failed meanwhile.
    """

    def frame() -> Any:
        for _ in range(max(1, late_frames)):
            taken = camera.capture()
            tick()
        return taken.image

    view = measure_view(frame(), bar_mm=bar_mm)
    if isinstance(camera, Adjustable):
        setter: Adjustable = camera

        def look(**changed: Any) -> View:
            nonlocal settings
            settings = replace(settings, **changed)
            setter.adjust(settings)
            return measure_view(frame(), bar_mm=bar_mm)

        def expose(view: View) -> View:
            for _ in range(ROUNDS):
                if view.white is None or abs(view.exposure_factor - 1) < NEAR:
                    break
                exposure_s, gain = next_exposure(
                    settings.exposure_s or 0.01,
                    settings.gain or 1.0,
                    view.exposure_factor,
                )
                view = look(exposure_s=exposure_s, gain=gain)
            return view

        view = expose(view)
        if setter.focus_range is not None:
            best = find_focus(
                lambda dioptres: look(focus_dioptres=dioptres).edge_px,
                *setter.focus_range,
            )
            # Out of focus the frame may not have been seen: only now its white is.
            view = expose(look(focus_dioptres=best))
        if view.white is not None:
            red, blue = settings.colour_gains or (1.0, 1.0)
            more_red, more_blue = view.colour_gains
            view = look(colour_gains=(red * more_red, blue * more_blue))
    return view, Calibration(
        camera=camera.name,
        exposure_s=settings.exposure_s,
        gain=settings.gain,
        focus_dioptres=settings.focus_dioptres,
        colour_gains=settings.colour_gains,
        size_wh_px=camera.size_wh_px,
        id=camera.id,
    )
