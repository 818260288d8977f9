"""Answering questions over a finished index: the searches by name, each in a file of its own."""
