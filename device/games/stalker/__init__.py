"""A table of STALKER: ZONA: figures, activation, shooting, events."""
