"""Retrieval without a model: an index of passages, their words and names, and a walk over both."""
