"""A corpus as one HTML file, to send to somebody: the page with its data, opened from disk."""
