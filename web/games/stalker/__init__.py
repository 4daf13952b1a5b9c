"""STALKER: ZONA on the page."""
