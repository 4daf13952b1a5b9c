"""Draws labelled dice: for training, for tests and for the demo's tray."""
