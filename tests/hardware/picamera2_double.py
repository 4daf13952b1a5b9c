"""Picamera2 and libcamera as modules that do what their documentation says.

The scene is red on the left, green in the middle, blue on the right; frames are taken
off a queue of one, with time stamps of the clock given.
"""

from types import ModuleType, SimpleNamespace

import numpy as np

STRIDE = 64
CONTROLS = (
    "FrameDurationLimits",
    "AeEnable",
    "ExposureTime",
    "AnalogueGain",
    "AwbEnable",
    "ColourGains",
    "AfMode",
    "LensPosition",
)


class Job:
    def __init__(self, camera) -> None:
        self._camera = camera

    def get_result(self, timeout=None):
        camera = self._camera
        if camera.module.hung:
            camera.module.clock.advance(timeout)
            raise TimeoutError
        if camera.module.capture_error:
            raise camera.module.capture_error
        camera.module.taken += 1
        return Request(camera)


class Request:
    def __init__(self, camera) -> None:
        self._camera = camera
        self._camera.module.held += 1
        if camera.module.stale_next > 0:
            # A completed request that waited in the queue (picamera2 426, 849).
            camera.module.stale_next -= 1
        else:
            camera.module.clock.advance(0.02)
            camera.module.read_s = camera.module.clock.now_s() - 0.005

    def make_array(self, name):
        config = self._camera.config[name]
        width, height = config["size"]
        rgb = np.zeros((height, width, 3), np.uint8)
        rgb[:, : width // 3, 0] = 200
        rgb[:, width // 3 : 2 * width // 3, 1] = 200
        rgb[:, 2 * width // 3 :, 2] = 200
        if name == "lores":
            stride = -(-width // STRIDE) * STRIDE
            planes = np.full((height * 3 // 2, stride), 255, np.uint8)
            luma = rgb @ np.array([0.299, 0.587, 0.114])
            planes[:height, :width] = np.rint(luma)
            return planes
        alpha = np.full((height, width, 1), 255, np.uint8)
        return {
            "RGB888": np.ascontiguousarray(rgb[..., ::-1]),
            "BGR888": rgb,
            "XRGB8888": np.concatenate([rgb[..., ::-1], alpha], axis=2),
            "XBGR8888": np.concatenate([rgb, alpha], axis=2),
        }[config["format"]]

    def get_metadata(self):
        module = self._camera.module
        metadata = {
            "SensorTimestamp": round((module.read_s + module.boot_ahead_s) * 1e9),
            "ExposureTime": 10_000,
            "FrameDuration": 20_000,
        }
        return {k: v for k, v in metadata.items() if k not in module.no_metadata}

    def release(self):
        self._camera.module.held -= 1


class Camera:
    module: "ModuleType"

    def __init__(self, index=0) -> None:
        if self.module.open_error:
            raise self.module.open_error
        self.module.opened += 1
        self.camera_properties = {"PixelArraySize": self.module.sensor_wh}
        self.camera_controls = dict.fromkeys(self.module.controls, (0, 1, 0))

    @classmethod
    def global_camera_info(cls):
        return [
            {"Model": name, "Num": i, "Id": f"/base/i2c@{i}/{name}"}
            for i, name in enumerate(cls.module.cameras)
        ]

    def create_video_configuration(self, **options):
        for stream in ("main", "lores"):
            if stream in options:
                assert all(side % 2 == 0 for side in options[stream]["size"])
        return options

    def configure(self, config):
        if "lores" in config and not self.module.two_streams:
            raise self.module.one_stream_error
        unknown = set(config["controls"]) - set(self.camera_controls)
        if unknown:
            raise RuntimeError(f"Control {unknown} is not advertised by libcamera")
        self.config = {k: dict(v) for k, v in config.items() if k in ("main", "lores")}
        if self.module.main_format:
            self.config["main"]["format"] = self.module.main_format
        self.module.configured = config

    def camera_configuration(self):
        return self.config

    def start(self):
        if self.module.start_error:
            raise self.module.start_error
        if self.module.configured["main"]["format"] not in self.module.starts_with:
            raise RuntimeError("Failed to start camera: Broken pipe")

    def capture_request(self, wait=None):
        assert wait is False, "would wait for ever"
        return Job(self)

    def set_controls(self, controls):
        unknown = set(controls) - set(self.camera_controls)
        if unknown:
            raise RuntimeError(f"Control {unknown} is not advertised by libcamera")
        self.module.set = controls

    def cancel_all_and_flush(self):
        self.module.cancelled += 1

    def close(self):
        self.module.closing.wait()
        self.module.closed += 1


def picamera2_modules(clock, closing):
    """Return the modules `picamera2` and `libcamera`."""
    module = ModuleType("picamera2")
    module.Picamera2 = type("Picamera2", (Camera,), {"module": module})
    module.clock, module.closing = clock, closing
    module.cameras, module.sensor_wh = ["imx708"], (4608, 2592)
    module.controls = CONTROLS
    module.two_streams, module.main_format = True, ""
    module.starts_with = ("RGB888", "BGR888")
    module.one_stream_error = RuntimeError("lores stream is not supported")
    module.no_metadata = ()
    module.boot_ahead_s = module.read_s = 0.0
    module.stale_next = module.taken = module.held = 0
    module.opened = module.closed = module.cancelled = 0
    module.hung = False
    module.open_error = module.start_error = module.capture_error = None
    libcamera = ModuleType("libcamera")
    libcamera.controls = SimpleNamespace(AfModeEnum=SimpleNamespace(Manual=0))
    return module, libcamera
