"""What a search is: a function of a question and of tables that declares what it reads and asks."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pipeline.base.errors import PlanError
from pipeline.base.store import Rows
from pipeline.base.table import Table
from pipeline.base.task import Task
from pipeline.query.answer import Answer
from pipeline.retrieval.chunk_search import FINDER_READS


@dataclass(frozen=True, eq=False)
class Search:
    """One search method. ``run`` is called with the question as it was read, ``parameters`` by name, the finder when it ``finds``, settings,
    language and trace; ``reads`` are all tables that it may read, those of the finder among them."""

    name: str
    help: str
    run: Callable[..., Answer]
    reads: tuple[Table, ...]
    asks: tuple[Task[Any, Any], ...]
    parameters: tuple[Table, ...]
    finds: bool


def search(
    *, reads: tuple[Table, ...], asks: tuple[Task[Any, Any], ...] = ()
) -> Callable[[Callable[..., Answer]], Search]:
    """Declare a search. Its parameters must be ``question``, its reads by name, ``finder`` when it looks for chunks or key
    elements, ``settings`` (the section search), ``language`` and ``trace``. PlanError otherwise, at import.
    """

    def declare(run: Callable[..., Answer]) -> Search:
        found = list(inspect.signature(run).parameters)
        finder = ["finder"] if "finder" in found else []
        expected = ["question", *(table.name for table in reads), *finder, "settings", "language", "trace"]
        if found != expected:
            raise PlanError(f"search {run.__name__}: its parameters are {found}, its declaration says {expected}")
        every = tuple(dict.fromkeys((*reads, *FINDER_READS))) if finder else reads
        return Search(run.__name__, " ".join((run.__doc__ or "").split()), run, every, asks, reads, bool(finder))

    return declare


def named(*tables: Rows) -> dict[str, Rows]:
    """Return tables by their names, for what reads several of them."""
    return {table.declared.name: table for table in tables}
