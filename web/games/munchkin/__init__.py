"""Munchkin Fallout on the page."""
