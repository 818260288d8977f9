"""An index opened for reading: its tables as DataFrames, its graph as a networkx graph, and questions to it."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.base.errors import QuestionError
from pipeline.base.settings import Settings, read_settings
from pipeline.base.store import Generation, Store
from pipeline.base.tables import TABLES
from pipeline.language.cache import Cache
from pipeline.language.desk import Desk
from pipeline.language.opening import open_desk
from pipeline.query.answer import Answer, Step, Trace

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd


class Index:
    """A published index, pinned at the generation that was the last when it was opened.

    Each table is an attribute that gives a DataFrame: ``index.entities``, ``index.chunks``; a new one at each use.
    """

    def __init__(self, generation: Generation, settings: Settings, root: Path = Path()) -> None:
        self.generation, self.settings, self.root = generation, settings, root

    @classmethod
    def open(cls, path: str | Path, settings: Settings | Path | str | None = None) -> "Index":
        """Open the index in the output folder ``path``; StoreError where there is none.

        ``settings`` are those of the folder above when it holds a settings.yaml, unless given.
        """
        folder = Path(path)
        beside = folder.resolve().parent / "settings.yaml"
        if settings is None:
            settings = read_settings(beside) if beside.exists() else Settings()
        elif not isinstance(settings, Settings):
            beside = Path(settings)
            settings = read_settings(beside)
        return cls(Store(folder).open(), settings, beside.parent)

    def __getattr__(self, name: str) -> "pd.DataFrame":
        if name in TABLES:
            return self.generation.table(name).to_pandas()
        raise AttributeError(f"an index has no {name!r}; its tables are {', '.join(TABLES)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *TABLES]

    def to_networkx(self) -> "nx.Graph[Any]":
        """Return the graph of entities and relationships; see ``pipeline.graph.frames.to_networkx``."""
        from pipeline.graph.frames import to_networkx

        tables = (self.generation.table(name) for name in ("entities", "relationships", "communities"))
        return to_networkx(*tables)

    def ask(
        self,
        question: str,
        method: str = "local",
        *,
        watch: Callable[[Step], None] = lambda step: None,
        language: Desk | None = None,
    ) -> Answer:
        """Answer ``question`` by a search method: global or local. QuestionError for an empty question.

        ``watch`` is called with each step as it happens; ``language`` replaces the backends that settings name.
        """
        from pipeline.query.searches import SEARCHES

        if not question.strip():
            raise QuestionError("the question is empty", "there is nothing to look for", "write a question")
        if method not in SEARCHES:
            raise QuestionError(
                f"no search method {method!r}", f"the methods are {', '.join(SEARCHES)}", "name one of these"
            )
        chosen = SEARCHES[method]
        reads = {table.name: self.generation.rows(table.name) for table in chosen.reads}
        trace = Trace(watch)
        with closing(self._desk() if language is None else language) as desk:
            return chosen.run(question=question, **reads, settings=self.settings.search, language=desk, trace=trace)

    def _desk(self) -> Desk:
        """Return a desk of its own for one question; with models it shares the index's cache, so nothing is paid twice."""
        folder = self.generation.folder
        answers = self.settings.language.default or self.settings.tasks
        cache = Cache(folder / "cache.sqlite", self.generation.manifest.generation) if answers else None
        return open_desk(self.settings, self.root, cache).desk

    def __repr__(self) -> str:
        manifest = self.generation.manifest
        rows = ", ".join(f"{entry.rows} {name}" for name, entry in manifest.tables.items() if entry.rows)
        return f"<Index generation {manifest.generation}, {manifest.status}: {rows}>"
