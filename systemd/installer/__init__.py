"""Installs Dicelight on a machine with systemd, and takes it off again.

1. `facts` looks at the machine, 2. `plan` compares it with what should be and returns
the steps that are missing, 3. `machine` does them. A dry run stops after the second.
Only the standard library: this runs before anything is installed.
"""
