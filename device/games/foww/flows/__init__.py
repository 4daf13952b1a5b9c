"""Guided flows: whole actions and turns, step by step, in the rulebook's order."""
