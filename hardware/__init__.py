"""Drivers: the only folder that touches a pin, a bus or a camera."""
