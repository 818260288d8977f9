"""The projects that are served, each opened at the generation that is published now."""

import re
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

from pipeline.base.arrow.rows_by_value import RowsByValue
from pipeline.base.errors import GraphstrataError, SettingsError, StoreError
from pipeline.base.settings import SETTINGS_FILE
from pipeline.base.store import MANIFEST
from pipeline.query.index import Index
from pipeline.runner.project import Project
from pipeline.web.endpoint import NotFoundError
from pipeline.web.reading.columns import BUDGET, Columns
from pipeline.web.reading.names import NamedRow, NameSearch

State = Literal["ready", "empty", "broken"]
T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


class OpenIndex:
    """One generation of a project for many readers: columns, lookups, and the index that answers questions."""

    def __init__(self, index: Index, column_bytes: int = BUDGET) -> None:
        self.index = index
        self.columns = Columns(index.generation, column_bytes)
        self._by_value: dict[tuple[str, str], RowsByValue] = {}
        self._lock = threading.RLock()
        self._made: dict[str, Any] = {}

    @property
    def generation(self) -> int:
        """The number of the generation."""
        return self.index.generation.manifest.generation

    def count(self, table: str) -> int:
        """Return the number of rows of a table, 0 where the index has no such table."""
        return self.columns.count(table) if self.has(table) else 0

    def has(self, table: str) -> bool:
        """Return whether the index has a table."""
        return table in self.index.generation.manifest.tables

    def page(self, table: str, columns: Sequence[str], offset: int, limit: int) -> list[dict[str, Any]]:
        """Return at most ``limit`` rows of a table from ``offset`` on; none where the index has no such table."""
        rows = range(self.count(table))[offset : offset + limit]
        return self.columns.rows(table, columns, rows) if rows else []

    def by(self, table: str, column: str) -> RowsByValue:
        """Return the rows of a table by the values of a column."""
        with self._lock:
            if (table, column) not in self._by_value:
                self._by_value[table, column] = RowsByValue(self.columns.get(table, column))
            return self._by_value[table, column]

    def row(self, table: str, column: str, value: object, what: str) -> int:
        """Return the row of ``table`` whose ``column`` is ``value``; NotFoundError names ``what`` is not there."""
        found = self.by(table, column).row(value)
        if found is None:
            raise NotFoundError(
                f"no {what} {value!r} in this index",
                "it was never there, or a later run changed it",
                "search for it by name",
            )
        return found

    def documents_of(self, chunk_ids: Iterable[str]) -> dict[str, str]:
        """Return the document of each chunk; a chunk that is not there is absent."""
        return self._joined("chunks", "id", chunk_ids, "document_id")

    def titles_of(self, document_ids: Iterable[str]) -> dict[str, str]:
        """Return the title of each document; one that is not there is absent."""
        return self._joined("documents", "id", document_ids, "title")

    def report_titles(self, communities: Iterable[int]) -> dict[int, str]:
        """Return the title of each community's report; one without a report is absent."""
        return self._joined("community_reports", "community", communities, "title")

    def ids_of(self, titles: Iterable[str]) -> dict[str, str]:
        """Return the ids of entities by title; a title that no entity has is absent."""
        return self._joined("entities", "title", titles, "id")

    def _joined(self, table: str, key: str, values: Iterable[K], column: str) -> dict[K, str]:
        rows = self.by(table, key).first_rows(values)
        return dict(zip(rows, self.columns.values(table, column, list(rows.values())), strict=True))

    def once(self, key: str, make: Callable[[], T]) -> T:
        """Return what ``make`` makes, made when it is first asked for and kept as long as the generation is served."""
        with self._lock:
            if key not in self._made:
                self._made[key] = make()
            made: T = self._made[key]
            return made

    def prepare(self) -> Index:
        """Return the index with what questions search opened, once and not by several readers at the same time."""
        with self._lock:
            if not self._prepared:
                self.index.finder().retrieval  # noqa: B018 -- reading it opens it
                self._prepared = True
            return self.index

    _prepared = False

    def names(self) -> NameSearch:
        """Return the names of entities with their aliases, of communities and of documents."""
        return self.once("names", lambda: NameSearch(self._all_names()))

    def _all_names(self) -> Iterator[NamedRow]:
        for row, (title, aliases, degree) in enumerate(self.columns.all("entities", "title", "aliases", "degree")):
            for name in (title, *aliases):
                yield NamedRow(name, "entity", row, degree)
        for row, (title, rank) in enumerate(self.columns.all("community_reports", "title", "rank")):
            yield NamedRow(title, "community", row, rank)
        for row, (title,) in enumerate(self.columns.all("documents", "title")):
            yield NamedRow(title, "document", row, 1.0)


class Served(NamedTuple):
    """How a project is: its generation where it is ready, what is wrong where it is not."""

    state: State
    generation: int | None
    error: GraphstrataError | None


class ServedProject:
    """A project folder. ``open`` gives the index that is published at that moment, without a restart; of its columns
    ``column_bytes`` stay in memory."""

    def __init__(self, id: str, root: Path, column_bytes: int = BUDGET) -> None:
        self.id, self.root, self._column_bytes = id, root, column_bytes
        self.title = root.resolve().name or id
        self._lock = threading.Lock()
        self._opened: OpenIndex | None = None
        self._seen: tuple[object, ...] = ()
        self._manifest = root / MANIFEST

    def project(self) -> Project:
        """Read the project's settings; SettingsError where they cannot be used."""
        return Project.open(self.root)

    def open(self) -> OpenIndex:
        """Return the published index; StoreError or SettingsError, each with what to do, where there is none."""
        with self._lock:
            if self._opened is not None and self._marks() == self._seen:
                return self._opened
            self._opened = None
            project = self.project()
            self._manifest = project.store.folder / MANIFEST
            seen = self._marks()  # before opening: what is published meanwhile is then seen the next time
            index = Index(project.store.open(), project.settings, project.root)
            self._opened = OpenIndex(index, self._column_bytes)
            self._seen = seen
            return self._opened

    def _marks(self) -> tuple[object, ...]:
        """Return what changes when another generation is published, or the settings are written."""
        marks: list[object] = []
        for file in (self.root / SETTINGS_FILE, self._manifest):
            try:
                state = file.stat()
                marks.append((state.st_mtime_ns, state.st_size, state.st_ino))
            except OSError:
                marks.append(None)
        return tuple(marks)

    def state(self) -> Served:
        """Return how the project is; nothing is raised for what is wrong with it."""
        try:
            return Served("ready", self.open().generation, None)
        except StoreError as error:
            try:
                empty = self.project().store.last() is None
            except GraphstrataError:
                empty = False
            return Served("empty" if empty else "broken", None, error)
        except GraphstrataError as error:
            return Served("broken", None, error)


def check_folders(roots: Sequence[Path]) -> None:
    """Raise SettingsError for a folder that is not there, or is no project."""
    for root in roots:
        if not (root / SETTINGS_FILE).is_file():
            raise SettingsError(
                f"no settings at {root / SETTINGS_FILE}" if root.is_dir() else f"{root} is no folder",
                "a project is a folder with a settings.yaml",
                "name another folder, or run: graphstrata init",
            )


class Projects:
    """All projects of one server, by id: the name of the folder in letters, digits and hyphens, made unique."""

    def __init__(self, roots: Sequence[Path]) -> None:
        self._by_id: dict[str, ServedProject] = {}
        for root in roots:
            slug = re.sub(r"[^\w-]+", "-", root.resolve().name.casefold()).strip("-") or "project"
            id, number = slug, 2
            while id in self._by_id:
                id, number = f"{slug}-{number}", number + 1
            self._by_id[id] = ServedProject(id, root)

    def __iter__(self) -> Iterator[ServedProject]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def get(self, id: str) -> ServedProject:
        """Return a project; NotFoundError where none has that id."""
        if id not in self._by_id:
            raise NotFoundError(
                f"no project {id!r} here", f"those served are {', '.join(self._by_id)}", "open / to choose one"
            )
        return self._by_id[id]
