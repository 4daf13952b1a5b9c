"""Trains and exports the networks; needs the `train` extra."""
