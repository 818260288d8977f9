"""Checks of what an index promises."""
