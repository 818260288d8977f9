"""The search methods by name."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

from pipeline.query.method import Search

_NAMES = ("global", "local", "entity", "drift", "basic", "fusion")


class _Searches(Mapping[str, Search]):
    """The searches by name; the module of one is imported when it is first looked up."""

    def __getitem__(self, name: str) -> Search:
        if name == "auto":
            return _auto()
        if name not in _NAMES:
            raise KeyError(name)
        found: Search = getattr(import_module(f"pipeline.query.methods.{name}_search"), f"{name}_search")
        return found

    def __iter__(self) -> Iterator[str]:
        return iter((*_NAMES, "auto"))

    def __len__(self) -> int:
        return len(_NAMES) + 1

    def __contains__(self, name: object) -> bool:
        return name == "auto" or name in _NAMES


@cache
def _auto() -> Search:
    """Return the search that chooses among the others."""
    from pipeline.query.methods.auto_search import auto_over  # which needs the rules of the choice, and all the others

    return auto_over({name: SEARCHES[name] for name in _NAMES})


SEARCHES = _Searches()
