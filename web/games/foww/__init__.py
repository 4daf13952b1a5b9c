"""Fallout: Wasteland Warfare on the page."""
