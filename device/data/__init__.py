"""Data files that the appliance ships, and the one place that reads them."""
