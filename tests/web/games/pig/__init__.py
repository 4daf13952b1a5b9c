"""A fifth game, as small as can be: Pig. What `device/rules/README.md` asks for."""
