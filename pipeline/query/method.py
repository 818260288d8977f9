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


@dataclass(frozen=True, eq=False)
class Search:
    """One search method. ``run`` is called with question, its reads by name, settings, language and trace."""

    name: str
    help: str
    run: Callable[..., Answer]
    reads: tuple[Table, ...]
    asks: tuple[Task[Any, Any], ...]


def search(
    *, reads: tuple[Table, ...], asks: tuple[Task[Any, Any], ...] = ()
) -> Callable[[Callable[..., Answer]], Search]:
    """Declare a search. Its parameters must be ``question``, its reads by name, ``settings`` (the section search),
    ``language`` and ``trace``. PlanError otherwise, at import.
    """

    def declare(run: Callable[..., Answer]) -> Search:
        expected = ["question", *(table.name for table in reads), "settings", "language", "trace"]
        found = list(inspect.signature(run).parameters)
        if found != expected:
            raise PlanError(f"search {run.__name__}: its parameters are {found}, its declaration says {expected}")
        return Search(run.__name__, " ".join((run.__doc__ or "").split()), run, reads, asks)

    return declare


def named(*tables: Rows) -> dict[str, Rows]:
    """Return tables by their names, for what reads several of them."""
    return {table.declared.name: table for table in tables}
