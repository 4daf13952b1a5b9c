"""Rosters: armies and cards as TOML, and import of other programs' roster files."""
