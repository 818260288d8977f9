"""Tests of what indexes, answers and maps show of themselves."""
