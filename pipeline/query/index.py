"""An index opened for reading: its tables as DataFrames, its graph as a networkx graph, and questions to it."""

import warnings
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.query.method_names import DEFAULT_METHOD, Method

if TYPE_CHECKING:
    import networkx as nx
    import numpy as np
    import pandas as pd
    from langchain_core.language_models import BaseChatModel
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.tools import StructuredTool
    from numpy.typing import NDArray

    from pipeline.base.settings import Settings
    from pipeline.base.store import Generation
    from pipeline.graph.cypher.query import CypherResult
    from pipeline.language.ledger import Ledger
    from pipeline.language.service import LanguageService
    from pipeline.query.answer import Answer, Piece, Step
    from pipeline.query.conversation import History
    from pipeline.query.display.map_view import MapView
    from pipeline.query.events import Emit, Event
    from pipeline.query.opened import OpenedTables
    from pipeline.retrieval.chunk_search import Finder


class Index:
    """A published index, pinned at the generation that was the last when it was opened.

    Each table is an attribute that gives a DataFrame: ``index.entities``, ``index.chunks``; a new one at each use, its
    list columns holding plain lists. It keeps no file open; at the end of ``with Index.open(...) as index:`` it lets go of the
    columns that it has read.
    """

    def __init__(
        self,
        generation: "Generation",
        settings: "Settings",
        root: Path = Path(),
        model: "BaseChatModel | None" = None,
        lease: object = None,
    ) -> None:
        self.generation, self.settings, self.root, self.model = generation, settings, root, model
        self._conditions: tuple[str, ...] = ()
        """What the documents meet that are used, where not all of them are."""
        self._left_out: tuple[str, ...] = ()
        """How many documents these conditions leave out because they have no such metadata, a sentence each."""
        self._lease = lease
        """Holds a temporary folder for as long as an index in it is in use."""

    @classmethod
    def open(
        cls,
        path: str | Path = ".",
        settings: "Settings | Mapping[str, Any] | Path | str | None" = None,
        model: "BaseChatModel | None" = None,
    ) -> "Index":
        """Open the index of a project (a folder with settings.yaml) or that in an output folder; StoreError where there
        is none.

        ``settings`` are those of the project, or of the folder above the output folder when it holds a settings.yaml,
        unless Settings or a file of settings is given; a mapping changes some of them, as in ``with_settings``.
        ``model``, any LangChain chat model, answers in place of the one that settings name as ``language.default``.
        """
        from pipeline.base.settings import SETTINGS_FILE, Settings, given_settings
        from pipeline.base.store import Store
        from pipeline.language.transport.api_keys import read_env_file

        folder = Path(path)
        is_project = (folder / SETTINGS_FILE).is_file()
        file = (folder if is_project else folder.resolve().parent) / SETTINGS_FILE
        if isinstance(settings, str | Path):
            file = Path(settings)
        found = settings if isinstance(settings, Settings) else given_settings(file, settings)
        read_env_file(file.parent, found)
        if is_project:
            folder = (folder / found.output.folder).resolve()
        return cls(Store(folder).open(), found, file.parent, model)

    def with_settings(self, changes: Mapping[str, Mapping[str, Any]]) -> "Index":
        """Return the same generation under other settings: ``{"search": {"answer_tokens": 200}}`` changes one of them,
        ``{"language": {"output": "German"}}`` another. SettingsError for what does not fit.
        """
        from pipeline.base.settings import laid_over

        changed = Index(self.generation, laid_over(self.settings, changes), self.root, self.model, self._lease)
        changed._opened, changed._conditions, changed._left_out = self._opened, self._conditions, self._left_out
        return changed

    def without_model(self) -> "Index":
        """Return the same generation with no model to ask, whatever settings name: it answers as an index without one does,
        from its tables alone, also while the model's server is down.
        """
        bare = Index(self.generation, self.settings.without_models(), self.root, None, self._lease)
        for condition in self._conditions:
            bare = bare._part(condition)
        return bare

    def where(self, condition: str) -> "Index":
        """Return the index as the documents that meet a condition on their metadata give it: ``customer = X and date >= 2024``.

        Its tables hold what rests on these documents, and its answers cite them alone. Conditions may be joined, one call
        after the other. A warning says how many documents are left out because they have no such metadata. QuestionError for a condition
        that cannot be read, names no column, compares days with what is no date, or is met by no document.
        """
        filtered = self._part(condition)
        for note in filtered._left_out[len(self._left_out) :]:
            warnings.warn(note, stacklevel=2)
        return filtered

    def _part(self, condition: str) -> "Index":
        """Return the same as ``where``, without its warnings."""
        from pipeline.query.filters.documents import matching_documents
        from pipeline.query.filters.tables import FilteredTables

        ids, left_out = matching_documents(condition, self._opened.rows("documents"))
        filtered = Index(self.generation, self.settings, self.root, self.model, self._lease)
        filtered._opened = FilteredTables(self._opened, ids)
        filtered._conditions = (*self._conditions, condition)
        filtered._left_out = (*self._left_out, *left_out)
        return filtered

    def __enter__(self) -> "Index":
        return self

    def __exit__(self, *error: object) -> None:
        if not self._conditions:  # what its documents meet is found in the columns
            self.__dict__.pop("_opened", None)

    def __getstate__(self) -> dict[str, Any]:
        """What another process opens the same index by: no table, and no hold on a temporary folder."""
        return {name: value for name, value in vars(self).items() if name != "_opened"} | {"_lease": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state | {"_conditions": (), "_left_out": ()}
        for condition in state["_conditions"]:
            self.__dict__ |= vars(self._part(condition))

    if TYPE_CHECKING:  # declared one by one, so that a checker finds a misspelt name
        documents: pd.DataFrame
        chunks: pd.DataFrame
        vocabulary: pd.DataFrame
        sentences: pd.DataFrame
        entity_mentions: pd.DataFrame
        relationship_mentions: pd.DataFrame
        entities: pd.DataFrame
        relationships: pd.DataFrame
        claims: pd.DataFrame
        facts: pd.DataFrame
        key_elements: pd.DataFrame
        communities: pd.DataFrame
        layout: pd.DataFrame
        community_reports: pd.DataFrame
        embeddings: pd.DataFrame
        failures: pd.DataFrame
        calls: pd.DataFrame
    else:

        def __getattr__(self, name: str) -> "pd.DataFrame":
            from pipeline.base.schema import TABLES

            if name in TABLES:
                return self.table(name)
            raise AttributeError(f"an index has no {name!r}; its tables are {', '.join(TABLES)}")

    def __dir__(self) -> list[str]:
        from pipeline.base.schema import TABLES

        return [*super().__dir__(), *TABLES]

    def table(self, name: str) -> "pd.DataFrame":
        """Return the table ``name`` as a DataFrame; StoreError where the index has none."""
        from pipeline.query.frames import to_frame

        rows = self._opened.rows(name) if self._conditions else self.generation.rows(name)
        return to_frame(rows.table())

    def count(self, table: str) -> int:
        """Return the number of rows of a table; StoreError when the index does not have it."""
        return self._opened.rows(table).num_rows

    def to_networkx(self) -> "nx.Graph[Any]":
        """Return the graph of entities and relationships; see ``pipeline.graph.convert.to_networkx``."""
        from pipeline.graph.convert import to_networkx

        tables = (self._opened.rows(name).table() for name in ("entities", "relationships", "communities"))
        return to_networkx(*tables)

    def cypher(
        self, query: str, parameters: "Mapping[str, Any] | None" = None, *, limit: int = 1_000, seconds: float = 30.0
    ) -> "CypherResult":
        """Answer a query in Cypher over the whole index as a graph (extra "cypher"); see
        ``pipeline.graph.cypher.query.run_cypher``."""
        from pipeline.graph.cypher.query import run_cypher

        return run_cypher(self.generation, query, parameters, limit, seconds)

    def map(self) -> "MapView":
        """Return a picture of communities and entities, which a notebook shows; ``str`` gives its SVG."""
        from pipeline.query.display.map_view import map_view

        rows = self._opened.rows
        layout, reports = (
            rows(name) if name in self.generation.manifest.tables else None for name in ("layout", "community_reports")
        )
        return map_view(rows("communities"), rows("entities"), layout, reports)

    def questions(self, most: int = 6) -> list[str]:
        """Return questions that the index can be asked, by what its largest themes are about and what they leave open."""
        from pipeline.query.evidence.suggested_questions import corpus_questions

        return corpus_questions(self._opened.rows, most)

    def follow_ups(self, answer: "Answer") -> list[str]:
        """Return questions that may follow an answer, by what it names and its question did not."""
        from pipeline.query.evidence.suggested_questions import follow_ups

        return follow_ups(answer, self._opened.rows)

    def ask(
        self,
        question: str,
        method: Method = DEFAULT_METHOD,
        *,
        history: "History" = (),
        watch: "Callable[[Step], None]" = lambda step: None,
        listen: "Callable[[Piece], None] | None" = None,
        language: "LanguageService | None" = None,
        where: str | None = None,
    ) -> "Answer":
        """Answer ``question`` by a search method: global, local, entity, drift, basic, fusion, or auto, which picks one
        of them by the question, and by whether a model answers.

        ``history`` holds the questions and answers before it, oldest first: a question that leans on them is made to
        stand alone first. ``watch`` is called with each step as it happens, ``listen`` with each piece of the answer as
        it is written. ``language`` replaces the backends that settings name, and is left open. ``where`` is a condition on
        the metadata of the documents that may be used, see ``Index.where``. Blocks until the answer is there, also where
        an event loop is running. QuestionError for an empty question, an unknown method, or a condition that does not fit.
        """
        if where is not None:
            part = self._part(where)
            for note in part._left_out[len(self._left_out) :]:
                warnings.warn(note, stacklevel=2)
            return part.ask(question, method, history=history, watch=watch, listen=listen, language=language)
        from pipeline.query.asking import Asking, chosen_search
        from pipeline.query.model_requests import or_without_model

        chosen_search(question, method)
        with or_without_model(), closing(self.open_service()) if language is None else nullcontext(language) as service:
            asking = Asking(self.generation, self._opened, self.settings, service, watch, listen, self._left_out)
            return asking.answer(question, method, history)

    async def aask(
        self,
        question: str,
        method: Method = DEFAULT_METHOD,
        *,
        history: "History" = (),
        watch: "Callable[[Step], None] | None" = None,
        listen: "Callable[[Piece], None] | None" = None,
        language: "LanguageService | None" = None,
        where: str | None = None,
    ) -> "Answer":
        """As ``ask``, in a thread of its own, so that an event loop goes on meanwhile. When it is cancelled, the search
        ends at its next step."""
        from pipeline.query.answer import Answer
        from pipeline.query.events import events_async

        def ask(emit: "Emit") -> "Answer":
            told = watch or emit
            return self.ask(
                question, method, history=history, watch=told, listen=listen, language=language, where=where
            )

        async for event in events_async(ask):
            answer = event
        assert isinstance(answer, Answer)
        return answer

    def stream(
        self,
        question: str,
        method: Method = DEFAULT_METHOD,
        *,
        history: "History" = (),
        language: "LanguageService | None" = None,
        where: str | None = None,
    ) -> "Iterator[Event]":
        """Yield each ``Step`` of the search as it happens, each ``Piece`` of the answer's text as it is written, and in
        the end the ``Answer``, which is that of ``ask``, as are the options.

        The pieces since the last that ``begins`` are the answer's text, its citations numbered. Without a model, and
        when the answer is in the cache, they are its sentences.
        """
        from pipeline.query.asking import chosen_search
        from pipeline.query.events import events

        chosen_search(question, method)
        return events(self._emitting(question, method, history, language, where))

    def astream(
        self,
        question: str,
        method: Method = DEFAULT_METHOD,
        *,
        history: "History" = (),
        language: "LanguageService | None" = None,
        where: str | None = None,
    ) -> "AsyncIterator[Event]":
        """As ``stream``, for an event loop: ``async for event in index.astream(question)``."""
        from pipeline.query.asking import chosen_search
        from pipeline.query.events import events_async

        chosen_search(question, method)
        return events_async(self._emitting(question, method, history, language, where))

    def _emitting(
        self, question: str, method: Method, history: "History", language: "LanguageService | None", where: str | None
    ) -> "Callable[[Emit], Answer]":
        """Return what asks, and emits each step and piece."""

        def ask(emit: "Emit") -> "Answer":
            return self.ask(question, method, history=history, watch=emit, listen=emit, language=language, where=where)

        return ask

    def as_retriever(self, k: int = 10) -> "BaseRetriever":
        """Return a LangChain retriever of the ``k`` chunks that fit a question best."""
        from pipeline.query.adapters.langchain_adapter import Retriever

        return Retriever(index=self, k=k)

    def as_tool(self, method: Method = DEFAULT_METHOD) -> "StructuredTool":
        """Return a LangChain tool that answers questions by one search method."""
        from pipeline.query.adapters.langchain_adapter import search_tool
        from pipeline.query.asking import chosen_search

        return search_tool(self, chosen_search("?", method), method)

    def as_node(self, method: Method = DEFAULT_METHOD) -> "Callable[[Mapping[str, Any]], dict[str, Any]]":
        """Return a node for a LangGraph graph: it answers the state's ``question``, or the last of its ``messages``."""
        from pipeline.query.adapters.langgraph_node import answer_node

        return answer_node(self, method)

    def as_llama_index_retriever(self, k: int = 10) -> Any:
        """Return a LlamaIndex retriever of the ``k`` chunks that fit a question best (extra "llama-index")."""
        from pipeline.query.adapters.llama_index_adapter import llama_index_retriever

        return llama_index_retriever(self, k)

    def finder(self) -> "Finder":
        """Return what ranks chunks, sentences and key elements for a question, as every search uses it."""
        return self._opened.finder

    @cached_property
    def _opened(self) -> "OpenedTables":
        from pipeline.query.opened import OpenedTables

        return OpenedTables(self.generation, partial(_vectors, self.generation, self.settings))

    def open_service(self) -> "LanguageService":
        """Return the language service that settings describe, to be closed after use, and for several questions if you like.

        With models it shares the index's cache, so nothing is paid twice; caps of settings hold as long as it is open.
        """
        from pipeline.language.backends.given_model import GivenModel
        from pipeline.language.cache import Cache
        from pipeline.language.factory import open_service

        given = GivenModel(self.model) if self.model is not None else None
        answers = given or self.settings.has_chat_model
        folder = self.generation.folder
        cache = Cache(folder / "cache.sqlite", self.generation.manifest.generation) if answers else None
        return open_service(self.settings, self.root, cache, model=given).service

    def __repr__(self) -> str:
        manifest = self.generation.manifest
        rows = ", ".join(f"{entry.rows} {name}" for name, entry in manifest.tables.items() if entry.rows)
        return f"<Index generation {manifest.generation}, {manifest.status}: {rows}>"

    def _repr_html_(self) -> str:
        from pipeline.query.display.index_tables import index_html

        return index_html(self.generation)


def _vectors(
    generation: "Generation", settings: "Settings", texts: Sequence[str], ledger: "Ledger | None" = None
) -> "NDArray[np.float32] | None":
    """Return vectors of questions; None where settings name no embedding model."""
    if settings.language.embedding is None:
        return None
    from pipeline.language.cache import Cache
    from pipeline.language.factory import question_vectors

    with closing(Cache(generation.folder / "cache.sqlite", generation.manifest.generation)) as cache:
        return question_vectors(settings, cache, texts, ledger)
