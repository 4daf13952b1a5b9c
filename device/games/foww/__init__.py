"""Fallout: Wasteland Warfare at the table."""
