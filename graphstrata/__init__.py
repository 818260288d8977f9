"""What people use from Python: ``Index`` opens a finished index, asks it questions and hands out its tables."""

from pipeline import __version__
from pipeline.query.index import Index

__all__ = ["Index", "__version__"]
