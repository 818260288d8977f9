"""The only place that touches Parquet: generations of tables, published by one atomic swap of a manifest."""

import errno
import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pydantic import BaseModel, ConfigDict, ValidationError

from pipeline.base.errors import StoreError, TableError
from pipeline.base.files import jail
from pipeline.base.schema import TABLES
from pipeline.base.table import Table

BATCH_ROWS = 1024
"""Rows of a batch; a constant, because the parts that stages write follow it and the same input must give the same bytes."""


class Entry(BaseModel):
    """One table of a generation: its file under the output folder, rows, content hash and schema version."""

    model_config = ConfigDict(extra="forbid")
    file: str
    rows: int
    hash: str
    version: int


class Stage(BaseModel):
    """What one workflow did: the fingerprint of everything that shaped its tables, and how many items failed."""

    model_config = ConfigDict(extra="forbid")
    fingerprint: str
    settings: str = ""
    """Hash of the stage's own settings: when they change, nothing is taken over from the last generation."""
    failed: int = 0


class Manifest(BaseModel):
    """A published generation. ``status`` is complete or partial; ``tokenizer`` what counted its tokens."""

    model_config = ConfigDict(extra="forbid")
    format: int = 1
    generation: int
    status: str
    tokenizer: str
    tables: dict[str, Entry]
    stages: dict[str, Stage]
    files: str = ""
    """Content hash of the input files that were read."""


class Rows:
    """A table on disk that a workflow or a query reads: whole, by columns, or in batches."""

    def __init__(self, table: Table, path: Path) -> None:
        self.declared, self.path = table, path

    @property
    def num_rows(self) -> int:
        """Number of rows, read from the file's footer."""
        with _told(self.path):
            return int(pq.read_metadata(self.path).num_rows)

    def table(self, columns: Sequence[str] | None = None, coded: Sequence[str] = ()) -> pa.Table:
        """Return the rows, of the named columns or all; the columns ``coded`` as Arrow dictionaries, which where texts
        repeat take a fraction of the memory."""
        with _told(self.path):
            return pq.ParquetFile(self.path, memory_map=True, read_dictionary=list(coded) or None).read(columns=columns)

    def batches(self, columns: Sequence[str] | None = None, rows: int = BATCH_ROWS) -> Iterator[pa.Table]:
        """Yield the rows in order, at most ``rows`` at a time."""
        with _told(self.path), pq.ParquetFile(self.path) as file:
            for batch in file.iter_batches(rows, columns=columns):
                yield pa.Table.from_batches([batch])

    def beside(self, name: str) -> "Rows":
        """Return another table of the same generation."""
        return Rows(TABLES[name], self.path.with_name(f"{name}.parquet"))

    def column(self, name: str) -> pa.ChunkedArray:
        """Return one column."""
        return self.table([name]).column(name)

    def by_id(self, ids: Iterable[str], columns: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return the named columns of those rows, by id; an id that is not there is absent."""
        table = self.table(["id", *columns])
        found = table.filter(pc.is_in(table["id"], value_set=pa.array(sorted(set(ids)), pa.string())))
        return {row["id"]: row for row in found.to_pylist()}


@dataclass(frozen=True)
class Generation:
    """A published generation, pinned: what is published later does not change what is read here."""

    folder: Path
    manifest: Manifest

    def rows(self, name: str) -> Rows:
        """Return the table ``name``; StoreError when this generation does not hold it."""
        entry = self.manifest.tables.get(name)
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
        return Rows(TABLES[name], self.path(name))

    def path(self, name: str) -> Path:
        """Return the file of the table ``name``; StoreError where it is a link out of the index, or no regular file."""
        return jail(self.folder, self.manifest.tables[name].file, StoreError)

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Return the table ``name``, of the named columns or all."""
        return self.rows(name).table(columns)


class Draft:
    """A generation in the making. Nothing of it is seen before ``Store.publish``."""

    def __init__(self, folder: Path, number: int, last: Generation | None) -> None:
        self.folder, self.number, self.last = folder, number, last
        self.path = folder / "generations" / f".draft-{number:06d}"
        self.entries: dict[str, Entry] = {}
        with _told(self.path):
            shutil.rmtree(self.path, ignore_errors=True)
            self.path.mkdir(parents=True)

    def rows(self, name: str) -> Rows:
        """Return a table that this draft already holds."""
        return Rows(TABLES[name], self.path / f"{name}.parquet")

    def keep(self, table: Table) -> None:
        """Take over the last generation's file of ``table`` as it is."""
        if self.last is None:
            raise StoreError(f"no last generation to keep {table.name} from")
        entry = self.last.manifest.tables[table.name]
        with _told(self.path):
            _link(self.last.path(table.name), self.path / f"{table.name}.parquet")
        self._enter(table, entry.rows, entry.hash)

    def write(self, tables: Sequence[Table], parts: Iterable[tuple[Table, pa.Table]]) -> None:
        """Check and write the parts of ``tables`` as they come, then check keys and references over the whole."""
        with _told(self.path), ExitStack() as open_files:
            writers = {table.name: _Writer(table, self.path, open_files) for table in tables}
            for table, part in parts:
                if table.name not in writers:
                    raise TableError(f"a part of {table.name} where only {', '.join(writers)} are declared")
                writers[table.name].add(table.check(part))
        with _told(self.path):
            for table in tables:
                path = self.path / f"{table.name}.parquet"
                _settle(writers[table.name].path, path)
                self._enter(table, int(pq.read_metadata(path).num_rows), file_hash(path))
        for table in tables:
            self._check_whole(table)

    def _enter(self, table: Table, rows: int, hash: str) -> None:
        file = f"generations/{self.number:06d}/{table.name}.parquet"
        self.entries[table.name] = Entry(file=file, rows=rows, hash=hash, version=table.version)

    def _check_whole(self, table: Table) -> None:
        if table.key:
            table.check_key(self.rows(table.name).table(list(table.key)))
        if table.references:
            names = [column.name for column in table.references]
            table.check_references(self.rows(table.name).table(names), self._referred)

    def _referred(self, target: str) -> pa.ChunkedArray:
        name, column = target.split(".")
        return self.rows(name).column(column)


class Store:
    """The output folder: what is published, and the making of the next generation."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def prepare(self) -> None:
        """Make the folder; StoreError when it cannot be written."""
        with _told(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            jail(self.folder, "generations", StoreError).mkdir(exist_ok=True)
            probe = self.folder / ".probe"
            probe.write_bytes(b"")
            probe.unlink()

    def last(self) -> Generation | None:
        """Return the published generation, or None where nothing was published yet."""
        path = jail(self.folder, "manifest.json", StoreError)
        if not path.exists():
            return None
        with _told(path):
            return Generation(self.folder, _read_manifest(path))

    def open(self) -> Generation:
        """Return the published generation; StoreError where there is none."""
        last = self.last()
        if last is None:
            raise StoreError(f"no index in {self.folder}", "nothing was published there yet", "run: graphstrata index")
        return last

    def numbers(self) -> list[int]:
        """Return the numbers of the generations on disk, oldest first."""
        folder = self.folder / "generations"
        return sorted(int(path.name) for path in folder.glob("[0-9]*") if re.fullmatch(r"\d{6}", path.name))

    def draft(self) -> Draft:
        """Begin the next generation; remains of killed runs are removed."""
        with _told(self.folder):
            for made in (".draft-*", ".gone-*"):
                for remains in (self.folder / "generations").glob(made):
                    shutil.rmtree(remains)
            for remains in self.folder.glob(".*.new"):
                remains.unlink()
        return Draft(self.folder, max(self.numbers(), default=0) + 1, self.last())

    def discard(self, draft: Draft) -> None:
        """Remove a draft that turned out to hold nothing new."""
        with _told(draft.path):
            shutil.rmtree(draft.path)

    def publish(
        self, draft: Draft, status: str, tokenizer: str, stages: dict[str, Stage], keep: int, files: str = ""
    ) -> Generation:
        """Publish ``draft`` by one swap of the manifest; ``keep`` finished generations remain on disk. ``files`` is the
        content hash of what was read."""
        manifest = Manifest(
            generation=draft.number,
            status=status,
            tokenizer=tokenizer,
            tables=draft.entries,
            stages=stages,
            files=files,
        )
        with _told(self.folder):
            content = manifest.model_dump_json(indent=1).encode()
            _write_through(draft.path / "manifest.json", content)
            _sync_folder(draft.path)
            draft.path.rename(self.folder / "generations" / f"{draft.number:06d}")
            _sync_folder(self.folder / "generations")
        return self.swap(draft.number, keep)

    def swap(self, number: int, keep: int | None = None) -> Generation:
        """Make generation ``number`` the published one.

        With ``keep`` that many remain on disk: this one, the one published until now, and the newest of the others.
        """
        path = self.folder / "generations" / f"{number:06d}" / "manifest.json"
        if not path.exists():
            raise StoreError(
                f"no generation {number}", f"on disk are {self.numbers()}", "choose one of these: graphstrata status"
            )
        with _told(self.folder):
            before = self.published()
            _write_through(self.folder / "manifest.json", path.read_bytes())
            generation = Generation(self.folder, _read_manifest(path))
            self.show(generation)
            if keep is not None:
                self._retire(number, before, keep)
        return generation

    def check(self, number: int) -> Manifest:
        """Return the manifest of a generation on disk; StoreError unless each of its files is there and unchanged."""
        path = self.folder / "generations" / f"{number:06d}" / "manifest.json"
        if not path.exists():
            raise StoreError(
                f"no generation {number}", f"on disk are {self.numbers()}", "choose one of these: graphstrata status"
            )
        with _told(path):
            manifest = _read_manifest(path)
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
        with _told(self.folder):
            _write_through(self.folder / name, content.encode("utf-8", "surrogatepass"))

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
            shutil.rmtree(gone)

    def show(self, generation: Generation) -> None:
        """Put the generation's tables under their plain names, for people and pandas."""
        for name in generation.manifest.tables:
            source, plain = generation.path(name), self.folder / f"{name}.parquet"
            if plain.exists() and os.path.samefile(source, plain):
                continue
            new = self.folder / f".{name}.parquet.new"
            new.unlink(missing_ok=True)
            _link(source, new)
            os.replace(new, plain)
        for name in TABLES.keys() - generation.manifest.tables.keys():
            (self.folder / f"{name}.parquet").unlink(missing_ok=True)


class _Writer:
    """Writes the parts of one table to a temporary name."""

    def __init__(self, table: Table, folder: Path, open_files: ExitStack) -> None:
        self.path = folder / f".{table.name}.parquet.new"
        self._file = open_files.enter_context(pq.ParquetWriter(self.path, table.schema, compression="zstd"))

    def add(self, part: pa.Table) -> None:
        if part.num_rows:
            self._file.write_table(part.combine_chunks())


def write_apart(declared: Table, table: pa.Table, path: Path) -> None:
    """Check a table that belongs to no index and write it to ``path``, where it replaces what stood there."""
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name}.new")
        pq.write_table(declared.check(table), temporary, compression="zstd")
        _settle(temporary, path)


def file_hash(path: Path) -> str:
    """Return the content hash of a table's file, 32 hex digits."""
    digest = blake2b(digest_size=16)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _read_manifest(path: Path) -> Manifest:
    try:
        manifest = Manifest.model_validate(json.loads(path.read_bytes()))
    except (ValueError, RecursionError, ValidationError) as error:
        raise StoreError(
            f"{path} is not a manifest that this program can read", "it names the tables of the published index", _AGAIN
        ) from error
    for name, entry in manifest.tables.items():
        if not _NAME.fullmatch(name) or entry.file != f"generations/{manifest.generation:06d}/{name}.parquet":
            raise StoreError(
                f"{path} names the file {entry.file!r} for the table {name!r}",
                "tables stand in the folder of their generation, each under its own name",
                _AGAIN,
            )
    return manifest


_NAME = re.compile(r"[a-z][a-z_]*")
_AGAIN = "run: graphstrata rollback, or delete the file and run: graphstrata index"


def _link(source: Path, target: Path) -> None:
    """Hard-link, or copy where the file system has no links."""
    try:
        os.link(source, target)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.EXDEV, errno.EMLINK, errno.ENOSYS):
            raise
        shutil.copyfile(source, target)


def _settle(temporary: Path, final: Path) -> None:
    with temporary.open("rb") as file:
        os.fsync(file.fileno())
    os.replace(temporary, final)


def _write_through(path: Path, content: bytes) -> None:
    temporary = path.with_name(f".{path.name}.new")
    with temporary.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
    _sync_folder(path.parent)


def _sync_folder(path: Path) -> None:
    if os.name != "posix":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


_REASONS = {
    errno.ENOSPC: ("the disk is full", "free some space and run again"),
    errno.EDQUOT: ("the disk quota is used up", "free some space and run again"),
    errno.EROFS: ("the file system is read-only", "choose another output folder in settings.yaml"),
    errno.EACCES: ("permission was denied", "give yourself the right to it, or choose another output folder"),
    errno.EPERM: ("permission was denied", "give yourself the right to it, or choose another output folder"),
    errno.ENOENT: ("it is gone", "ask again; when it stays so, run: graphstrata index"),
}


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn errors of the file system and of Parquet into StoreError."""
    try:
        yield
    except OSError as error:
        why, fix = _REASONS.get(error.errno or 0, (str(error), "mend that and run again"))
        raise StoreError(
            f"{error.filename or path} cannot be used: {why}", "the last published index is unchanged", fix
        ) from error
    except pa.ArrowInvalid as error:
        raise StoreError(
            f"{path} is not a table that can be read: {error}", "the file is damaged", "run: graphstrata verify"
        ) from error
