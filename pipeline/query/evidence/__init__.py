"""From evidence to citations: what is shown to a search, and where each statement comes from."""
