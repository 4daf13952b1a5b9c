"""Stand-ins for vendor modules: they do what their documentation says, and record."""

from types import ModuleType


class SpySpi:
    """What `spidev.SpiDev` is, writing into a list."""

    def __init__(self, module) -> None:
        self._module = module
        self.max_speed_hz = 0
        self.mode = 3
        self.closed = False

    def open(self, bus, device) -> None:
        if self._module.open_error:
            raise self._module.open_error
        self._module.opened.append((bus, device))

    def writebytes2(self, values) -> None:
        if self._module.write_error:
            raise self._module.write_error
        self._module.written.append(bytes(values))

    def close(self) -> None:
        self.closed = True
        self._module.closed += 1


def spy_spidev() -> ModuleType:
    module = ModuleType("spidev")
    module.written, module.opened, module.closed = [], [], 0
    module.open_error = module.write_error = None
    module.last = None

    def make():
        module.last = SpySpi(module)
        return module.last

    module.SpiDev = make
    return module
