"""graphstrata: texts into tables, tables into answers. ``from graphstrata import Index`` opens a finished index."""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Hand out ``Index`` to programs that import it from here, as they did before there was a package graphstrata; with a
    warning.

    The module is named in a string: an import statement would make every stage rest on the whole program, and stale
    whenever anything changes.
    """
    if name == "Index":
        warn = import_module("pipeline.deprecation").warn_deprecated
        warn("pipeline.Index", since="0.1", instead="from graphstrata import Index", gone="0.3")
        return import_module("pipeline.query.index").Index
    raise AttributeError(f"module 'pipeline' has no attribute {name!r}")
