"""Pure game rules: no file, clock, thread, random or numpy in here."""
