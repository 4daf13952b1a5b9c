"""The games that a table can be opened for, each in a folder of its own."""
