"""Rules of STALKER: ZONA, one module a chapter."""
