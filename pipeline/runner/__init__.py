"""Order, skip, check, run, publish: an index from settings."""
