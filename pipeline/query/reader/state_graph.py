"""LangGraph, on which two search methods run: imported when it is first needed, named where it is not installed."""

from importlib.util import find_spec
from typing import Any

from pipeline.base.errors import QuestionError

RUN_ON_IT = ("fusion", "local")
"""The search methods that run on LangGraph."""


def has_langgraph() -> bool:
    """Return whether LangGraph is installed, without importing it."""
    try:
        return find_spec("langgraph") is not None
    except (ImportError, ValueError):  # a program that keeps it from being imported
        return False


def langgraph_graph() -> Any:
    """Return the module ``langgraph.graph``; QuestionError where it is not installed."""
    try:
        import langgraph.graph
    except ImportError as error:
        raise QuestionError(
            f"LangGraph is not installed: {error}",
            f"the search methods {' and '.join(RUN_ON_IT)} run on it",
            "pip install langgraph, or ask by another method, such as basic or entity",
        ) from error
    return langgraph.graph
