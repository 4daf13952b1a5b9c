"""Fallout: Wasteland Warfare, one module a rulebook chapter."""
