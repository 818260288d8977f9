"""What a search is: a function of a question and of tables that declares what it reads and asks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.base.settings import SearchSettings
from pipeline.base.store import Rows
from pipeline.base.table import Table
from pipeline.base.task import Task
from pipeline.language.language import Language
from pipeline.query.answer import Answer, Trace
from pipeline.retrieval.chunk_search import FINDER_READS, Finder
from pipeline.text.question.question import Question


@dataclass(frozen=True, eq=False)
class SearchCall:
    """What a search is called with: the question as it was read, the tables that it reads, by name, and what it works with."""

    question: Question
    tables: Mapping[str, Rows]
    finder: Finder
    settings: SearchSettings
    language: Language
    trace: Trace


@dataclass(frozen=True, eq=False)
class Search:
    """One search method. ``tables`` are those it is called with; ``reads`` all that it may read, those of the finder among
    them."""

    name: str
    help: str
    run: Callable[[SearchCall], Answer]
    reads: tuple[Table, ...]
    asks: tuple[Task[Any, Any], ...]
    tables: tuple[Table, ...]


def search(
    *, reads: tuple[Table, ...], asks: tuple[Task[Any, Any], ...]
) -> Callable[[Callable[[SearchCall], Answer]], Search]:
    """Declare a search: the tables that it reads besides those of the finder, and what it asks of language."""

    def declare(run: Callable[[SearchCall], Answer]) -> Search:
        every = tuple(dict.fromkeys((*reads, *FINDER_READS)))
        return Search(run.__name__, " ".join((run.__doc__ or "").split()), run, every, asks, reads)

    return declare
