"""Replies stored under everything that shaped them, and what was spent on models: one SQLite file, written as replies arrive,
once validated."""

import os
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.base.errors import StoreError
from pipeline.base.ids import content_id, dump
from pipeline.language.spending import NOTHING_SPENT, Bill

CACHE_FILE = "cache.sqlite"
"""Its name in the output folder."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT NOT NULL PRIMARY KEY, stage TEXT NOT NULL, task TEXT NOT NULL, item TEXT NOT NULL, parts TEXT NOT NULL,
    by TEXT NOT NULL, reply BLOB NOT NULL, tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, run INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS vectors (
    key TEXT NOT NULL PRIMARY KEY, stage TEXT NOT NULL, vector BLOB NOT NULL, run INTEGER NOT NULL
);
"""
"""Rows are in the order in which they came: keys are hashes, and ordered by these, each of many rows that are put together
would go to a page of its own (a third more time, and half as large a file again)."""
_SPENT_SCHEMA = """
CREATE TABLE IF NOT EXISTS spent (
    model TEXT NOT NULL PRIMARY KEY, requests INTEGER NOT NULL, tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL,
    cost REAL NOT NULL, unpriced INTEGER NOT NULL
);
"""
_SPENT_ON_REPLIES = "SELECT by, count(*), sum(tokens_in), sum(tokens_out), 0.0, count(*) FROM replies WHERE tokens_in + tokens_out > 0 GROUP BY by"
"""What a file of an earlier version knows of what was spent: the replies that it keeps, without their prices."""
_ADD_SPENT = """
INSERT INTO spent VALUES (?,?,?,?,?,?) ON CONFLICT (model) DO UPDATE SET
    requests = requests + excluded.requests, tokens_in = tokens_in + excluded.tokens_in,
    tokens_out = tokens_out + excluded.tokens_out, cost = cost + excluded.cost, unpriced = unpriced + excluded.unpriced
"""
_HAS_SPENT = "SELECT count(*) FROM sqlite_master WHERE name = 'spent'"
_AT_ONCE = 500
_LONGEST_PATH = 500
"""Bytes: SQLite takes 504, since the names of its other files are longer."""
_TABLES = ("replies", "vectors")
_SHORT = 1 << 13
"""Bytes of a reply that is compressed with a window of 4 KB."""


@dataclass(frozen=True)
class StoredReply:
    """A reply in the cache: its JSON, who gave it, and the tokens that it took when it was given."""

    reply: str
    by: str
    tokens_in: int
    tokens_out: int


CacheRow = tuple[str, str, str, str, Mapping[str, str], StoredReply]
"""Key, stage, task, item, parts, reply."""


def reply_key(task: str, parts: Mapping[str, str]) -> str:
    """Return the key of a reply: the task and all parts that shaped it."""
    return content_id(task, dump(dict(parts)))


class Cache:
    """The replies of one output folder. ``run`` marks which replies the current run used, so that others can be pruned.

    Write-ahead logging: a reply that was put survives ``kill -9``. Do not place it on a network file system.
    """

    def __init__(self, path: Path, run: int) -> None:
        self.path, self.run = path, run
        self._lock = threading.Lock()
        self._unwritten: dict[str, Bill] = {}
        self._spending = threading.Lock()
        self._db = _connected(path)

    def get(self, keys: Sequence[str]) -> dict[str, StoredReply]:
        """Return those replies that are there, and mark them as used by this run."""
        found: dict[str, StoredReply] = {}
        stale = []
        with self._lock:
            for row in self._of_keys("SELECT key, reply, by, tokens_in, tokens_out, run FROM replies", keys):
                key, reply, by, tokens_in, tokens_out, run = row
                found[key] = StoredReply(_unpack(reply), by, tokens_in, tokens_out)
                if run != self.run:
                    stale.append((self.run, key))
            if stale:
                self._write("UPDATE replies SET run = ? WHERE key = ?", stale)
        return found

    def put(self, rows: Sequence[CacheRow]) -> None:
        """Store replies, all or none of them."""
        values = [
            (*ids, dump(dict(parts)), one.by, _pack(one.reply), one.tokens_in, one.tokens_out, self.run)
            for *ids, parts, one in rows
        ]
        with self._lock:
            self._write("INSERT OR REPLACE INTO replies VALUES (?,?,?,?,?,?,?,?,?,?)", values)

    def get_vectors(self, keys: Sequence[str], stage: str) -> dict[str, bytes]:
        """Return those vectors that are there, and mark those of ``stage`` as used by this run."""
        with self._lock:
            found: dict[str, bytes] = dict(self._of_keys("SELECT key, vector FROM vectors", keys))
            used = [(self.run, key, stage, self.run) for key in found]
            if used:
                self._write("UPDATE vectors SET run = ? WHERE key = ? AND stage = ? AND run != ?", used)
        return found

    def put_vectors(self, rows: Sequence[tuple[str, bytes]], stage: str) -> None:
        """Store vectors: (key, little-endian float32) each, all or none of them."""
        with self._lock:
            self._write(
                "INSERT OR REPLACE INTO vectors VALUES (?,?,?,?)",
                [(key, stage, vector, self.run) for key, vector in rows],
            )

    def spend(self, model: str, spent: Bill) -> None:
        """Count what an answered request to ``model`` took. It is written with the next reply, in the same transaction, or
        by ``write_spent``; it waits for nothing."""
        with self._spending:
            self._unwritten[model] = self._unwritten.get(model, NOTHING_SPENT) + spent

    def write_spent(self) -> None:
        """Write what was counted and not written yet."""
        with self._lock:
            if self._unwritten:
                self._write()

    def spent(self) -> dict[str, Bill]:
        """Return what was spent so far, by model: by all runs and questions, whatever became of them."""
        with self._lock:
            return {model: Bill(*counts) for model, *counts in self._read("SELECT * FROM spent ORDER BY model")}

    def stats(self) -> list[tuple[str, str, str, int, int, int, int]]:
        """Return (stage, task, by, replies, bytes, tokens in, tokens out) of each stage, task and answerer."""
        with self._lock:
            return self._read(
                "SELECT stage, task, by, count(*), sum(length(reply)), sum(tokens_in), sum(tokens_out) "
                "FROM replies GROUP BY stage, task, by ORDER BY stage, task, by"
            )

    def explain(self, task: str, item: str) -> list[tuple[str, str, str, int]]:
        """Return (parts as JSON, by, reply, last run that used it) of every reply stored for an item of a task."""
        with self._lock:
            rows = self._read(
                "SELECT parts, by, reply, run FROM replies WHERE task = ? AND item = ? ORDER BY run DESC, key",
                (task, item),
            )
        return [(parts, by, _unpack(reply), run) for parts, by, reply, run in rows]

    def newest(self) -> int:
        """Return the greatest number of a run that used anything stored here; 0 when nothing is."""
        with self._lock:
            numbers = [self._read(f"SELECT max(run) FROM {table}")[0][0] for table in _TABLES]
        return max(number or 0 for number in numbers)

    def prune(self, queries: bool = False, unused: bool = False) -> int:
        """Delete replies and vectors that the last execution of their stage did not use; ``queries``: those of questions
        too; ``unused``: all that this run did not use, which must then have executed every stage.

        Return how many were deleted; their bytes are overwritten on disk.
        """
        with self._lock:
            try:
                before = self._db.total_changes
                for table in _TABLES:
                    last = f"(SELECT max(run) FROM {table} AS other WHERE other.stage = {table}.stage)"
                    self._db.execute(
                        f"DELETE FROM {table} WHERE stage != 'query' AND run < {self.run if unused else last}"
                    )
                    if queries:
                        self._db.execute(f"DELETE FROM {table} WHERE stage = 'query'")
                deleted = self._db.total_changes - before
                self._db.execute("VACUUM")
                [(busy, *_)] = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            except sqlite3.Error as error:
                raise _unusable(self.path, error) from error
        if busy:
            raise StoreError(
                f"another process is reading the reply cache {self.path}",
                "what was deleted can be found in its files until that process ends and this is done again",
                "end it, a query or a chat that is open, and run the same again",
            )
        return deleted

    def close(self) -> None:
        """Close the file."""
        with suppress(StoreError):  # the disk may be full: whoever stored a reply was told so
            self.write_spent()
        with self._lock:
            self._db.close()

    def _of_keys(self, select: str, keys: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of these keys, which are looked up some at a time."""
        for start in range(0, len(keys), _AT_ONCE):
            some = keys[start : start + _AT_ONCE]
            yield from self._read(f"{select} WHERE key IN ({','.join('?' * len(some))})", some)

    def _read(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        try:
            return self._db.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise _unusable(self.path, error) from error

    def _write(self, statement: str = "", values: Sequence[tuple[object, ...]] = ()) -> None:
        with self._spending:
            spent, self._unwritten = self._unwritten, {}
        try:
            self._db.execute("BEGIN IMMEDIATE")
            if statement:
                self._db.executemany(statement, values)
            self._db.executemany(_ADD_SPENT, [(model, *one) for model, one in spent.items()])
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            for model, one in spent.items():
                self.spend(model, one)
            raise _unusable(self.path, error) from error


def read_spent(path: Path) -> Bill | None:
    """Return what was spent so far, by all runs and questions that used this file, which is left as it is; None where it
    cannot be read."""
    if not path.exists():
        return NOTHING_SPENT
    try:
        _refuse_links(path)
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5)) as db:
            [(known,)] = db.execute(_HAS_SPENT)
            rows = db.execute("SELECT * FROM spent" if known else _SPENT_ON_REPLIES).fetchall()
    except (sqlite3.Error, StoreError):
        return None
    return sum((Bill(*counts) for _, *counts in rows), NOTHING_SPENT)


def _refuse_links(path: Path) -> None:
    for file in (path, *(path.with_name(path.name + ending) for ending in ("-wal", "-shm", "-journal"))):
        if file.is_symlink() or (file.exists() and not file.is_file()):
            raise _unusable(path, f"{file.name} is a link or no regular file")


def _connected(path: Path) -> sqlite3.Connection:
    _refuse_links(path)
    length = len(os.fsencode(path.absolute()))
    if length > _LONGEST_PATH:
        raise StoreError(
            f"the path of the reply cache has {length} bytes: {path}",
            f"SQLite opens no file whose path is longer than {_LONGEST_PATH}",
            "set output.folder to a folder on a shorter path",
        )
    try:
        db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=30)
    except sqlite3.Error as error:
        raise _unusable(path, error) from error
    try:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        db.execute("PRAGMA secure_delete=ON")
        db.executescript(_SCHEMA)
        if not db.execute(_HAS_SPENT).fetchone()[0]:
            # another process may be about to do the same: the later one finds every model entered
            db.executescript(
                f"BEGIN IMMEDIATE; {_SPENT_SCHEMA} INSERT OR IGNORE INTO spent {_SPENT_ON_REPLIES}; COMMIT;"
            )
    except sqlite3.Error as error:
        db.close()
        raise _unusable(path, error) from error
    return db


def _pack(reply: str) -> bytes:
    """Compress a reply: sentences that it repeats make it a fifth as long, at a hundredth of what asking cost.

    Most replies are short: to prepare zlib for a long one took four times as long as to compress them (measured).
    """
    data = reply.encode("utf-8", "surrogatepass")
    window, memory = (12, 7) if len(data) <= _SHORT else (zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL)
    packer = zlib.compressobj(1, zlib.DEFLATED, window, memory)
    return packer.compress(data) + packer.flush()


def _unpack(reply: bytes) -> str:
    try:
        return zlib.decompress(reply).decode("utf-8", "surrogatepass")
    except (zlib.error, UnicodeDecodeError, TypeError):
        return DAMAGED


DAMAGED = ""
"""What a damaged reply reads as: no JSON, so it does not validate and is requested again."""


def _unusable(path: Path, error: sqlite3.Error | str) -> StoreError:
    return StoreError(
        f"the reply cache {path} cannot be used: {error}",
        "replies are stored there so that nothing is paid for twice",
        "check that the disk has space and the file may be written; a damaged file can be deleted: its requests are then repeated",
    )
