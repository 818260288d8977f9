"""Graphs of other programs, or made by hand, in the form in which indexes of Microsoft GraphRAG are imported."""
