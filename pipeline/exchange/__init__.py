"""Verifies an index, imports those of other programs and graphs, and exports an index for other programs."""
