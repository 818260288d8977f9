"""Tests mirror the modules; each reads like the promise it asserts."""
