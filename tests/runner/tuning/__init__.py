"""Tests of what is proposed for a corpus, and of writing it."""
