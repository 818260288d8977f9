"""Measured claims, each one command; the last line of each on stdout is one JSON object of its figures."""
