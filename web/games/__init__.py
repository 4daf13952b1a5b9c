"""What the page shows of each game, in a folder of its own."""
