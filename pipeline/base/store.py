"""Generations of tables, published by one atomic swap of a manifest."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from copy import copy
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pyarrow as pa

from pipeline.base.errors import StoreError, TableError
from pipeline.base.files import jail
from pipeline.base.schema import CALLS, FAILURES, TABLES
from pipeline.base.storage.disk import (
    damaged,
    disk_errors,
    file_hash,
    finish,
    link_or_copy,
    remove_generation,
    sync_folder,
    write_whole,
)
from pipeline.base.storage.manifest import Entry, Manifest, Stage, read_manifest
from pipeline.base.storage.parquet import NOT_PUBLISHED, Rows, SmallRows, TableWriter, read_whole, write_apart
from pipeline.base.table import Table

__all__ = ["Draft", "Entry", "Generation", "Manifest", "Rows", "Stage", "Store", "file_hash", "write_apart"]

CHECKED_ROWS = 16_384
"""Rows whose references are looked up at a time."""
MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Generation:
    """A published generation, pinned: what is published later does not change what is read here."""

    folder: Path
    manifest: Manifest
    tables_folder: Path | None = None
    """Where the files of the tables are, when an index of an earlier version was brought into today's form elsewhere."""

    def rows(self, name: str) -> Rows:
        """Return the table ``name``; StoreError when this generation does not hold it."""
        entry = self.manifest.tables.get(name)
        if name in TABLES and entry is None and self.tables_folder:
            raise StoreError(
                f"no table {name!r} in this index, which an earlier version of graphstrata made",
                "it cannot be had without reading the texts again",
                "run: graphstrata index",
            )
        if entry is None or name not in TABLES:
            raise StoreError(
                f"no table {name!r} in this index", f"it holds {', '.join(self.manifest.tables)}", "name one of these"
            )
        if entry.version != TABLES[name].version:
            raise StoreError(
                f"table {name} has schema version {entry.version}, this program reads {TABLES[name].version}",
                "the index was made by another version of graphstrata",
                "run: graphstrata index",
            )
        return Rows(TABLES[name], self.path(name), entry.hash, entry.size)

    @property
    def is_older(self) -> bool:
        """Whether an earlier version of graphstrata made it: no table is newer than the schema, and one is older."""
        steps = [entry.version - TABLES[name].version for name, entry in self.manifest.tables.items() if name in TABLES]
        return bool(steps) and max(steps) <= 0 and min(steps) < 0

    def as_stored(self, name: str) -> pa.Table:
        """Return a table as it was published, whatever its version; StoreError where the file is not the published one."""
        path = self.path(name)
        with disk_errors(path):
            if file_hash(path) != self.manifest.tables[name].hash:
                raise damaged(path, NOT_PUBLISHED)
            return read_whole(path)

    def damage(self, thorough: bool = False) -> dict[str, str]:
        """Return the tables that cannot be used as they are, each with what is wrong with it.

        A file whose size is the published one and that was not written to since the manifest was, is taken to be whole;
        all others are compared with their content hash, and ``thorough`` compares all.
        """
        folder = self.tables_folder or self.folder
        published = folder / MANIFEST
        with disk_errors(published):
            since = published.stat().st_mtime_ns
            copy = self.own_folder / MANIFEST
            thorough = thorough or not copy.is_file() or copy.read_bytes() != published.read_bytes()
        found = {}
        for table in (FAILURES, CALLS):  # these are written by every run, and by no stage
            if table.name not in self.manifest.tables:
                found[table.name] = "missing from the manifest"
        for name in self.manifest.tables.keys() & TABLES.keys():
            what = self._damage_of(name, since, thorough)
            if what:
                found[name] = what
        return dict(sorted(found.items()))

    def _damage_of(self, name: str, since: int, thorough: bool) -> str:
        entry = self.manifest.tables[name]
        if entry.version != TABLES[name].version:
            return f"schema version {entry.version}, this program writes {TABLES[name].version}"
        try:
            path = self.path(name)
            if not path.exists():
                return "the file is missing"
            state = path.stat()
            if not thorough and state.st_size == entry.size and state.st_mtime_ns <= since:
                return ""
            same = file_hash(path) == entry.hash and Rows(TABLES[name], path).num_rows == entry.rows
        except (StoreError, OSError) as error:
            return f"the file cannot be read ({str(error).splitlines()[0]})"
        return "" if same else NOT_PUBLISHED

    @property
    def own_folder(self) -> Path:
        """The folder of this generation alone."""
        return (self.tables_folder or self.folder) / "generations" / f"{self.manifest.generation:06d}"

    def path(self, name: str) -> Path:
        """Return the file of the table ``name``; StoreError where it is a link out of the index, or no regular file."""
        return jail(self.tables_folder or self.folder, self.manifest.tables[name].file, StoreError)

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Return the table ``name``, of the named columns or all."""
        return self.rows(name).table(columns)

    def values(self, name: str, *columns: str) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of some columns of the table ``name`` as tuples of Python values."""
        return self.rows(name).values(*columns)


class Draft:
    """A generation in the making. Nothing of it is seen before ``Store.publish``.

    ``last`` is what was published before it; None where nothing was, or where ``unreadable`` says why it cannot be used.
    """

    def __init__(
        self, folder: Path, number: int, last: Generation | None, unreadable: StoreError | None = None
    ) -> None:
        self.folder, self.number, self.last, self.unreadable = folder, number, last, unreadable
        self.path = folder / "generations" / f".draft-{number:06d}"
        self.entries: dict[str, Entry] = {}
        self._elsewhere: dict[str, Path] = {}
        self._small: dict[str, pa.Table | None] = {}
        """Tables of a few rows, which the stages that follow read from memory; None for others."""
        with disk_errors(self.path):
            self.path.mkdir(parents=True)

    def rows(self, name: str) -> Rows:
        """Return a table that this draft already holds."""
        entry = self.entries.get(name)
        file = self._elsewhere.get(name, self.path / f"{name}.parquet")
        hash, small = entry.hash if entry else "", self._small.get(name)
        return Rows(TABLES[name], file, hash) if small is None else SmallRows(TABLES[name], small, file, hash)

    def beside(self) -> "Draft":
        """Return a draft that has the tables that this one holds now, and writes its own to a folder of its own, from which
        ``take`` takes them: for a stage that another process executes."""
        other = copy(self)
        other.entries, other._small = dict(self.entries), dict(self._small)
        other._elsewhere = {name: self.rows(name).path for name in self.entries}
        with disk_errors(self.path):
            other.path = Path(mkdtemp(prefix=f"{self.path.name}-", dir=self.path.parent))
        return other

    def take(self, other: "Draft", tables: Sequence[Table]) -> None:
        """Take over ``tables``, which a draft beside this one holds, and remove its folder."""
        with disk_errors(self.path):
            for table in tables:
                os.replace(other.rows(table.name).path, self.path / f"{table.name}.parquet")
                entry = other.entries[table.name]
                self._enter(table, entry.rows, entry.hash, other._small.get(table.name))
            remove_generation(other.path)

    def keep(self, table: Table) -> None:
        """Take over the last generation's file of ``table`` as it is."""
        if self.last is None:
            raise StoreError(f"no last generation to keep {table.name} from")
        entry, file = self.last.manifest.tables[table.name], self.path / f"{table.name}.parquet"
        with disk_errors(self.path):
            file.unlink(missing_ok=True)
            link_or_copy(self.last.path(table.name), file)
        self._enter(table, entry.rows, entry.hash)

    def write(self, tables: Sequence[Table], parts: Iterable[tuple[Table, pa.Table]]) -> None:
        """Check and write the parts of ``tables`` as they come, then check keys and references over the whole."""
        with disk_errors(self.path), ExitStack() as open_files:
            writers = {table.name: open_files.enter_context(TableWriter(table, self.path)) for table in tables}
            for table, part in parts:
                if table.name not in writers:
                    raise TableError(f"a part of {table.name} where only {', '.join(writers)} are declared")
                writers[table.name].add(table.check(part))
                del part  # the stage makes the next one meanwhile
        with disk_errors(self.path):
            for table in tables:
                writer, path = writers[table.name], self.path / f"{table.name}.parquet"
                finish(writer.path, path)
                self._enter(table, writer.num_rows, file_hash(path), writer.whole)
        for table in tables:
            self._check_whole(table)

    def _enter(self, table: Table, rows: int, hash: str, small: pa.Table | None = None) -> None:
        self._small[table.name] = small
        file = f"generations/{self.number:06d}/{table.name}.parquet"
        size = (self.path / f"{table.name}.parquet").stat().st_size
        self.entries[table.name] = Entry(file=file, rows=rows, hash=hash, version=table.version, size=size)

    def _check_whole(self, table: Table) -> None:
        rows = self.rows(table.name)
        if table.key:
            repeated = [name for name in table.key if table.schema.field(name).type == pa.string()]
            table.check_key(rows.table(list(table.key), coded=repeated if len(table.key) > 1 else ()))
        for column in table.references:
            name, target = str(column.refers).split(".")
            parts = (part[column.name] for part in rows.batches([column.name], CHECKED_ROWS))
            table.check_reference(column, parts, self.rows(name).column(target))


class Store:
    """The output folder: what is published, and the making of the next generation."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def prepare(self) -> None:
        """Make the folder; StoreError when it cannot be written, or holds files of others under the names of tables."""
        with disk_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            self._refuse_foreign_files()
            jail(self.folder, "generations", StoreError).mkdir(exist_ok=True)
            probe = self.folder / ".probe"
            probe.write_bytes(b"")
            probe.unlink()

    def _refuse_foreign_files(self) -> None:
        """Raise StoreError where files would be overwritten in a folder in which graphstrata never published anything."""
        published = [self.folder / "generations" / f"{number:06d}" / MANIFEST for number in self.numbers()]
        if self.published() is not None or any(path.is_file() for path in published):
            return
        names = [MANIFEST, *(f"{name}.parquet" for name in sorted(TABLES))]
        foreign = [name for name in names if os.path.lexists(self.folder / name)]
        if foreign:
            raise StoreError(
                f"the output folder {self.folder} holds files that graphstrata did not write: {', '.join(foreign)}",
                "the index is written under these names, and would overwrite them",
                "set output.folder to a new folder, or move these files away",
            )

    def last(self) -> Generation | None:
        """Return the published generation, or None where nothing was published yet."""
        path = jail(self.folder, MANIFEST, StoreError)
        if not path.exists():
            return None
        with disk_errors(path):
            return Generation(self.folder, read_manifest(path))

    def last_or_error(self) -> tuple[Generation | None, StoreError | None]:
        """Return what ``open`` does, or why it cannot be used; neither where nothing was published yet."""
        try:
            last = self.last()
            return (None if last is None else _in_todays_form(last)), None
        except StoreError as error:
            return None, error

    def open(self) -> Generation:
        """Return the published generation, one of an earlier version in today's form; StoreError where there is none."""
        last = self.last()
        if last is None:
            raise StoreError(f"no index in {self.folder}", "nothing was published there yet", "run: graphstrata index")
        return _in_todays_form(last)

    def numbers(self) -> list[int]:
        """Return the numbers of the generations on disk, oldest first."""
        folder = self.folder / "generations"
        return sorted(int(path.name) for path in folder.glob("[0-9]*") if re.fullmatch(r"\d{6}", path.name))

    def draft(self) -> Draft:
        """Begin the next generation; what killed runs left is removed, and nothing that others put there."""
        ours = {f".{name}.new" for name in (MANIFEST, "run.json", *(f"{name}.parquet" for name in TABLES))}
        with disk_errors(self.folder):
            for path in (self.folder / "generations").iterdir():
                if re.fullmatch(r"\.(draft|gone)-\d{6}(-\w+)?", path.name):
                    remove_generation(path)
            for path in self.folder.glob(".*.new"):
                if path.name in ours:
                    path.unlink()
            number = max(self.numbers(), default=0) + 1
            while (self.folder / "generations" / f".draft-{number:06d}").exists():
                number += 1
        return Draft(self.folder, number, *self.last_or_error())

    def discard(self, draft: Draft) -> None:
        """Remove a draft that turned out to hold nothing new."""
        with disk_errors(draft.path):
            remove_generation(draft.path)

    def publish(
        self,
        draft: Draft,
        status: str,
        tokenizer: str,
        stages: dict[str, Stage],
        keep: int,
        files: str = "",
        corrections: str = "",
    ) -> Generation:
        """Publish ``draft`` by one swap of the manifest; ``keep`` finished generations remain on disk. ``files`` and
        ``corrections`` are the content hashes of what was read."""
        manifest = Manifest(
            generation=draft.number,
            status=status,
            tokenizer=tokenizer,
            tables=draft.entries,
            stages=stages,
            files=files,
            corrections=corrections,
        )
        with disk_errors(self.folder):
            content = manifest.model_dump_json(indent=1).encode()
            write_whole(draft.path / MANIFEST, content)
            sync_folder(draft.path)
            draft.path.rename(self.folder / "generations" / f"{draft.number:06d}")
            sync_folder(self.folder / "generations")
        return self.swap(draft.number, keep)

    def swap(self, number: int, keep: int | None = None) -> Generation:
        """Make generation ``number`` the published one.

        With ``keep`` that many remain on disk: this one, the one published until now, and the newest of the others.
        """
        path = self._manifest_of(number)
        with disk_errors(self.folder):
            before = self.published()
            write_whole(self.folder / MANIFEST, path.read_bytes())
            generation = Generation(self.folder, read_manifest(path))
            self.show(generation)
            if keep is not None:
                self._retire(number, before, keep)
        return generation

    def _manifest_of(self, number: int) -> Path:
        """Return the file of a generation's manifest; StoreError where there is none."""
        path = self.folder / "generations" / f"{number:06d}" / MANIFEST
        if not path.exists():
            raise StoreError(
                f"no generation {number}",
                f"on disk are {', '.join(map(str, self.numbers()))}",
                "choose one of these: graphstrata status",
            )
        return path

    def check(self, number: int) -> Manifest:
        """Return the manifest of a generation on disk; StoreError unless each of its files is there and unchanged."""
        path = self._manifest_of(number)
        with disk_errors(path):
            manifest = read_manifest(path)
            generation = Generation(self.folder, manifest)
            for name, entry in manifest.tables.items():
                if file_hash(generation.path(name)) != entry.hash:
                    raise StoreError(
                        f"generation {number}: the file of {name} is not the one that was published",
                        "it was changed or damaged since",
                        "choose another generation, or run: graphstrata index",
                    )
        return manifest

    def note(self, name: str, content: str) -> None:
        """Write a small file beside the tables, whole or not at all."""
        with disk_errors(self.folder):
            write_whole(self.folder / name, content.encode("utf-8", "surrogatepass"))

    def published(self) -> int | None:
        """Return the number of the published generation; None where there is none, or no manifest that can be read."""
        try:
            last = self.last()
        except StoreError:
            return None
        return last.manifest.generation if last else None

    def _retire(self, number: int, before: int | None, keep: int) -> None:
        others = sorted((n for n in self.numbers() if n != number), key=lambda n: (n == before, n))
        for old in others[: max(len(others) - keep + 1, 0)]:
            # Renamed first: a kill in the middle must not leave half a generation under its number.
            gone = self.folder / "generations" / f".gone-{old:06d}"
            (self.folder / "generations" / f"{old:06d}").rename(gone)
            remove_generation(gone)

    def show(self, generation: Generation) -> None:
        """Put the generation's tables under their plain names, for people and pandas."""
        for name in generation.manifest.tables:
            source, plain = generation.path(name), self.folder / f"{name}.parquet"
            if plain.exists() and os.path.samefile(source, plain):
                continue
            new = self.folder / f".{name}.parquet.new"
            new.unlink(missing_ok=True)
            link_or_copy(source, new)
            os.replace(new, plain)
        for name in TABLES.keys() - generation.manifest.tables.keys():
            (self.folder / f"{name}.parquet").unlink(missing_ok=True)


def _in_todays_form(last: Generation) -> Generation:
    """Return a generation, one of an earlier version brought into today's form.

    What does that is named in a string: it loads all stages, and an import statement would make each rest on all others.
    """
    if not last.is_older:
        return last
    current: Generation = import_module("pipeline.runner.upgrade").upgraded(last)
    return current
