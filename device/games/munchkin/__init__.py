"""A table of Munchkin Fallout: players, fights, running away."""
