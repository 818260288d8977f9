"""The tasks that the reading agent asks (GraphReader)."""
