"""Simulated parts, shipped peers of the real ones."""
