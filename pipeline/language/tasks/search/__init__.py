"""The tasks that searches ask."""
