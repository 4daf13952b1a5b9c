"""One module a command of `dicelight`: its arguments, and the one thing it calls."""
