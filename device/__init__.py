"""The companion: what is true at this table."""
