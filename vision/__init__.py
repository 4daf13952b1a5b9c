"""Frames in, readings out; no camera, no window."""
