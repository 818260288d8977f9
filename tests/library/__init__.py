"""Tests of the library as programs import it."""
