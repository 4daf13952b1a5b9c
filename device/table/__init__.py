"""State of one table: events, reducers, undo, journal."""
