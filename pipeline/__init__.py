"""graphstrata: texts into tables, tables into answers. ``from pipeline import Index`` opens a finished index."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pipeline.query.index import Index as Index

__version__ = "0.1.0"
__all__ = ["Index", "__version__"]


def __getattr__(name: str) -> Any:
    if name == "Index":
        from pipeline.query.index import Index

        return Index
    raise AttributeError(f"module 'pipeline' has no attribute {name!r}")
