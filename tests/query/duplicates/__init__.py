"""Tests of duplicate documents."""
