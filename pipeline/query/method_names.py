"""The names of the search methods and efforts, as types that a checker knows, and the method of whoever names none."""

from typing import Literal, get_args

Method = Literal["auto", "basic", "local", "global", "drift", "entity", "fusion"]
"""A search method; ``pipeline.query.registry`` holds what each of them does."""
Effort = Literal["low", "medium", "high"]
"""How much of the reports a global question may read, and how long its answer may be."""

METHODS: tuple[Method, ...] = get_args(Method)
DEFAULT_METHOD: Method = "auto"
"""The method of a question that names none, in the command and in the library alike: auto looks at the question, and
whether a model answers decides which methods it picks from."""


def method_named(name: str) -> Method | None:
    """Return the method of that name; None where there is none."""
    return next((method for method in METHODS if method == name), None)
