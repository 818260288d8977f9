"""Tests of the commands eval."""
