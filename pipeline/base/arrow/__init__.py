"""Arrow arrays: building them without pandas, and reading them as numbers and lists."""
