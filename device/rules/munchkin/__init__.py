"""Rules of Munchkin Fallout, one module a chapter."""
