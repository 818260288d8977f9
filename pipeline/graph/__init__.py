"""Graphs as arrays: merging mentions, Leiden communities, report contexts, personalised PageRank."""
