"""The tasks that stages ask."""
