"""graphstrata: texts into tables, tables into answers. ``from graphstrata import Index`` opens a finished index."""

__version__ = "0.1.0"
