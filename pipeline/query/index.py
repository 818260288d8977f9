"""An index opened for reading: its tables as DataFrames, its graph as a networkx graph, and questions to it."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.base.errors import QuestionError
from pipeline.base.schema import TABLES
from pipeline.base.settings import Settings, parse_settings, read_settings
from pipeline.base.store import Generation, Store
from pipeline.language.cache import Cache
from pipeline.language.factory import open_service
from pipeline.language.service import LanguageService
from pipeline.query.answer import Answer, Piece, Step, Trace
from pipeline.query.conversation import History, stand_alone
from pipeline.query.deadline import Deadline
from pipeline.query.events import Emit, Event, events
from pipeline.query.evidence.carrier import Carrier
from pipeline.query.evidence.closest_passages import ClosestPassages
from pipeline.query.evidence.confirmation import confirmed
from pipeline.query.evidence.spelling import corrected, unheld
from pipeline.query.filters.documents import matching_documents
from pipeline.query.filters.tables import FilteredTables
from pipeline.query.method import Search
from pipeline.query.opened import OpenedTables
from pipeline.query.partial import tell_partial

if TYPE_CHECKING:
    import networkx as nx
    import numpy as np
    import pandas as pd
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.tools import StructuredTool
    from numpy.typing import NDArray

    from pipeline.retrieval.chunk_search import Finder


class Index:
    """A published index, pinned at the generation that was the last when it was opened.

    Each table is an attribute that gives a DataFrame: ``index.entities``, ``index.chunks``; a new one at each use.
    """

    def __init__(self, generation: Generation, settings: Settings, root: Path = Path()) -> None:
        self.generation, self.settings, self.root = generation, settings, root
        self._opened = OpenedTables(generation, self._vectors)

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

    def with_settings(self, changes: Mapping[str, Mapping[str, Any]]) -> "Index":
        """Return the same generation under other settings: ``{"search": {"answer_tokens": 200}}`` changes one of them,
        ``{"language": {"output": "German"}}`` another. SettingsError for what does not fit.
        """
        content = self.settings.model_dump(mode="json", exclude_unset=True)
        for section, values in changes.items():
            content[section] = {**content.get(section, {}), **values}
        changed = Index(self.generation, parse_settings(content), self.root)
        changed._opened = self._opened
        return changed

    def where(self, condition: str) -> "Index":
        """Return the index as the documents that meet a condition on their metadata give it: ``customer = X and date >= 2024``.

        Its tables hold what rests on these documents, and its answers cite them alone. Conditions may be joined, one call
        after the other. QuestionError for a condition that cannot be read, names no column, or is met by no document.
        """
        filtered = Index(self.generation, self.settings, self.root)
        filtered._opened = FilteredTables(self._opened, matching_documents(condition, self._opened.rows("documents")))
        return filtered

    def __getattr__(self, name: str) -> "pd.DataFrame":
        if name in TABLES:
            filtered = isinstance(self._opened, FilteredTables)
            return (self._opened.rows(name) if filtered else self.generation.rows(name)).table().to_pandas()
        raise AttributeError(f"an index has no {name!r}; its tables are {', '.join(TABLES)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *TABLES]

    def count(self, table: str) -> int:
        """Return the number of rows of a table; StoreError when the index does not have it."""
        return self._opened.rows(table).num_rows

    def to_networkx(self) -> "nx.Graph[Any]":
        """Return the graph of entities and relationships; see ``pipeline.graph.convert.to_networkx``."""
        from pipeline.graph.convert import to_networkx

        tables = (self._opened.rows(name).table() for name in ("entities", "relationships", "communities"))
        return to_networkx(*tables)

    def ask(
        self,
        question: str,
        method: str | None = None,
        *,
        history: History = (),
        watch: Callable[[Step], None] = lambda step: None,
        listen: Callable[[Piece], None] | None = None,
        language: LanguageService | None = None,
        where: str | None = None,
    ) -> Answer:
        """Answer ``question`` by a search method: global, local, entity, drift, basic, fusion, or auto to have one picked.
        Without one it is local where settings name a model, and basic where they name none.

        ``history`` holds the questions and answers before it, oldest first: a question that leans on them is made to
        stand alone first. ``watch`` is called with each step as it happens, ``listen`` with each piece of the answer as
        it is written. ``language`` replaces the backends that settings name, and is left open. ``where`` is a condition on
        the metadata of the documents that may be used, see ``Index.where``. Blocks until the answer is there, also where
        an event loop is running. QuestionError for an empty question, an unknown method, or a condition that does not fit.
        """
        if where is not None:
            part = self.where(where)
            return part.ask(question, method, history=history, watch=watch, listen=listen, language=language)
        method = method or self._default_method
        chosen = _chosen(question, method)
        checks = self.settings.search.check_support != "off"
        trace = Trace(watch, listen, Carrier(self._opened.rows("chunks"), self.finder()) if checks else None)
        with closing(self.open_service()) if language is None else nullcontext(language) as service:
            before = service.ledger.mark()
            entities = self._opened.rows("entities")
            asked = stand_alone(question, history, entities, service, trace) if history else question
            words = unheld(asked, self.finder(), entities) if method != "global" else []
            near = {one.word: one.near for one in words if one.near}
            if near:
                asked = corrected(asked, words)
                trace.step("spelling", f"asked as: {asked}", question=asked, replaced=near)
            given = self._opened.given_to(chosen)
            deadline = Deadline(self.settings.search.max_seconds)
            answer: Answer = chosen.run(
                question=asked, **given, settings=self.settings.search, language=service, trace=trace
            )
            answer = confirmed(answer, self.settings.search, service, deadline, trace)
            usage = service.ledger.used(before)
        rows = {name: self._opened.rows(name) for name in ("chunks", "documents", "entities")}
        if not answer.supported:
            answer = ClosestPassages(self.finder(), **rows).in_place_of(answer, asked, words)
        elif method != "global" and not usage["calls"] and not usage["cached"]:
            answer = ClosestPassages(self.finder(), **rows).beside(answer, asked)
        answer = replace(answer, question=question, usage=usage, suggestions=tuple(near.values()))
        answer = tell_partial(answer, self.generation)
        trace.show(answer.text, whole=True)
        return answer

    async def aask(self, question: str, method: str | None = None, **given: Any) -> Answer:
        """As ``ask``, in a thread of its own, so that an event loop goes on meanwhile."""
        return await asyncio.to_thread(self.ask, question, method, **given)

    def stream(self, question: str, method: str | None = None, **given: Any) -> Iterator[Event]:
        """Yield each ``Step`` of the search as it happens, each ``Piece`` of the answer's text as it is written, and in
        the end the ``Answer``, which is that of ``ask``; ``given`` are its options ``history``, ``language`` and ``where``.

        The pieces since the last that ``begins`` are the answer's text, its citations numbered. Without a model, and
        when the answer is in the cache, they are its sentences.
        """
        _chosen(question, method or self._default_method)

        def ask(emit: Emit) -> Answer:
            return self.ask(question, method, watch=emit, listen=emit, **given)

        return events(ask)

    def as_retriever(self, k: int = 10) -> "BaseRetriever":
        """Return a LangChain retriever of the ``k`` chunks that fit a question best; see ``pipeline.query.langchain_adapter``."""
        from pipeline.query.langchain_adapter import Retriever

        return Retriever(index=self, k=k)

    def as_tool(self, method: str | None = None) -> "StructuredTool":
        """Return a LangChain tool that answers questions by one search method; see ``pipeline.query.langchain_adapter``."""
        from pipeline.query.langchain_adapter import search_tool

        method = method or self._default_method
        return search_tool(self, _chosen("?", method), method)

    @property
    def _default_method(self) -> str:
        return "local" if self.settings.language.default else "basic"

    def finder(self) -> "Finder":
        """Return what ranks chunks, sentences and key elements for a question, as every search uses it."""
        return self._opened.finder

    def _vectors(self, texts: Sequence[str]) -> "NDArray[np.float32] | None":
        """Vectors of questions; None where settings name no embedding model."""
        if self.settings.language.embedding is None:
            return None
        from pipeline.language.factory import question_vectors

        with closing(Cache(self.generation.folder / "cache.sqlite", self.generation.manifest.generation)) as cache:
            return question_vectors(self.settings, cache, texts)

    def open_service(self) -> LanguageService:
        """Return the language service that settings describe, to be closed after use, and for several questions if you like.

        With models it shares the index's cache, so nothing is paid twice; caps of settings hold as long as it is open.
        """
        folder = self.generation.folder
        answers = self.settings.language.default or self.settings.tasks
        cache = Cache(folder / "cache.sqlite", self.generation.manifest.generation) if answers else None
        return open_service(self.settings, self.root, cache).service

    def __repr__(self) -> str:
        manifest = self.generation.manifest
        rows = ", ".join(f"{entry.rows} {name}" for name, entry in manifest.tables.items() if entry.rows)
        return f"<Index generation {manifest.generation}, {manifest.status}: {rows}>"

    def _repr_html_(self) -> str:
        from html import escape

        manifest = self.generation.manifest
        rows = "".join(
            f"<tr><td><code>{name}</code></td><td style='text-align:right'>{entry.rows:,}</td>"
            f"<td style='text-align:left'>{escape(TABLES[name].help)}</td></tr>"
            for name, entry in manifest.tables.items()
            if name in TABLES
        )
        head = f"Index in <code>{escape(str(self.generation.folder))}</code>, generation {manifest.generation}"
        return f"<div>{head}, {escape(manifest.status)}<table>{rows}</table></div>"


def _chosen(question: str, method: str) -> Search:
    from pipeline.query.registry import SEARCHES

    if not question.strip():
        raise QuestionError("the question is empty", "there is nothing to look for", "write a question")
    if method not in SEARCHES:
        raise QuestionError(
            f"no search method {method!r}", f"the methods are {', '.join(SEARCHES)}", "name one of these"
        )
    return SEARCHES[method]
