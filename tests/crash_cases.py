"""Index runs that are killed: a process that forks one for each order, and the instants at which it kills itself.

The process imports everything and indexes once, so that a kill costs no start of Python, and forks when no thread of its own runs.
"""

import gc
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pipeline.base import store
from pipeline.base.ids import content_id
from pipeline.base.storage import parquet
from pipeline.base.store import Store, file_hash
from pipeline.base.task import Request, Task
from pipeline.language.backends.backend import Answers
from pipeline.language.cache import Cache
from pipeline.runner.run import run_index
from tests.corpora import TEXTS, project, write_texts
from tests.forks import import_stages
from tests.paths import ROOT
from tests.scripted_backend import NEUTRAL, ScriptedBackend

ASKED, DONE = "asked", "done"
"""Logs beside the project: requests that were put to the model, and those of them whose reply is in the cache."""

CHANGED = {
    "harbour.md": TEXTS["harbour.md"] + "\nClara Finch drew a new mole for Carrow in 1883.\n",
    "letters.txt": "Clara Finch wrote to Edmund Vane in May 1883. The Carrow Railway paid Clara Finch for the mole.\n",
    "notes/trial.txt": TEXTS["notes/trial.txt"],
}
"""TEXTS with one document edited, one added and one removed."""


class LoggedBackend(ScriptedBackend):
    """A paid backend that logs each request, and again when its next answer is taken: the reply is then stored."""

    def __init__(self, folder: Path) -> None:
        super().__init__({})
        self.folder = folder

    def begin(
        self, task: Task[Any, Any], requests: Sequence[tuple[str, Request]], answers: Answers, stream: bool = False
    ) -> None:
        """Answer, and log both moments."""
        for tag, request in requests:
            key = content_id(task.name, *task.render(request, common=NEUTRAL))
            answers.later(partial(self._log, ASKED, key))
            super().begin(task, [(tag, request)], answers)
            answers.later(partial(self._log, DONE, key))

    def _log(self, name: str, key: str) -> list[Any]:
        _log(self.folder / name, key)
        return []


def _log(path: Path, key: str) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(handle, f"{key}\n".encode())
    os.close(handle)


def logged(folder: Path, name: str) -> list[str]:
    """Return what a log holds so far; a line that a kill cut is left out."""
    path = folder / name
    return [line for line in path.read_text().splitlines() if len(line) == 20] if path.exists() else []


def run(folder: Path, forget: bool = False) -> None:
    """Index the project at ``folder`` as it is."""
    run_index(project(folder, {}), default=LoggedBackend(folder), forget=forget)


def end() -> None:
    """End this process as ``kill -9`` does: nothing is flushed, no ``finally`` is reached."""
    os.kill(os.getpid(), signal.SIGKILL)


def _at(owner: Any, name: str, count: int = 1, when: Callable[..., bool] = lambda *given: True) -> None:
    """Kill the process where ``owner.name`` is called for the ``count``-th time with what ``when`` looks for."""
    before, seen = getattr(owner, name), [0]

    def instead(*given: Any, **more: Any) -> Any:
        seen[0] += when(*given)
        if seen[0] == count and when(*given):
            end()
        return before(*given, **more)

    setattr(owner, name, instead)


def _onto(name: str) -> Callable[..., bool]:
    return lambda source, target, *more: Path(target).name == name


def _in_cache_commit(before: bool) -> None:
    def write(self: Cache, statement: str, values: Sequence[tuple[object, ...]]) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        self._db.executemany(statement, values)
        if before and len(written) == 10:
            end()
        self._db.execute("COMMIT")
        written.append(statement)
        if len(written) == 11:
            end()

    written: list[str] = []
    Cache._write = write  # type: ignore[method-assign]


def _half_retired() -> None:
    def remove(path: Path) -> None:
        if path.name.startswith(".gone"):
            (path / "chunks.parquet").unlink()
            end()
        before(path)

    before = store.remove_generation
    store.remove_generation = remove


BOUNDARIES: dict[str, Callable[[], None]] = {
    "before anything is written": lambda: _at(parquet.TableWriter, "add"),
    "in the middle of a table": lambda: _at(parquet.TableWriter, "add", 6),
    "after a table, before its name": lambda: _at(store, "finish", 5),
    "before a kept reply is committed": lambda: _in_cache_commit(True),
    "after a kept reply is committed": lambda: _in_cache_commit(False),
    "before the draft has its manifest": lambda: _at(os, "replace", 1, _onto("manifest.json")),
    "between the draft's manifest and its number": lambda: _at(Path, "rename"),
    "between rename and manifest": lambda: _at(Store, "swap"),
    "in the swap of the manifest": lambda: _at(os, "replace", 2, _onto("manifest.json")),
    "after the swap, before the plain names": lambda: _at(Store, "show"),
    "among the plain names": lambda: _at(
        store, "link_or_copy", 9, lambda source, target: Path(target).suffix == ".new"
    ),
    "while an old generation is removed": _half_retired,
    "before the note on the run": lambda: _at(Store, "note"),
    "in the note on the run": lambda: _at(os, "replace", 1, _onto("run.json")),
}
"""Instants of a run, each with what lets the process kill itself there."""


class Killer:
    """Runs that end early: ``run`` kills after some seconds, ``run_until`` at a boundary. A context manager."""

    def __enter__(self) -> "Killer":
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.crash_cases"],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(self, *exc: object) -> None:
        self._process.communicate()

    def run(self, folder: Path, seconds: float | None = None) -> float | None:
        """Run to the end, or kill after ``seconds``; return the seconds that a run to the end took, None for a kill."""
        return self._order({"folder": str(folder), "seconds": seconds})

    def run_until(self, folder: Path, boundary: str, forget: bool = False) -> None:
        """Run until the process kills itself at a boundary; AssertionError when it does not come there."""
        took = self._order({"folder": str(folder), "boundary": boundary, "forget": forget})
        assert took is None, f"the run never came to: {boundary}"

    def _order(self, order: dict[str, Any]) -> float | None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert answer["signal"] in (0, int(signal.SIGKILL)), answer
        seconds: float | None = answer["seconds"] if not answer["signal"] else None
        return seconds


def serve() -> None:
    """Fork a run for each order on standard input and say on standard output how it ended."""
    import pandas  # noqa: F401 -- pyarrow imports it when first needed: once here, not in every fork

    import_stages()
    with (
        tempfile.TemporaryDirectory() as folder
    ):  # what the first run of a process reads and compiles is there in every fork
        for texts in (TEXTS, CHANGED):
            change(Path(folder), texts)
            run(Path(folder))
    assert threading.active_count() == 1, threading.enumerate()
    gc.freeze()  # what all share is not looked through by any
    for line in sys.stdin:
        order = json.loads(line)
        started = time.monotonic()
        child = os.fork()
        if not child:
            _obey(order)
        if order.get("seconds") is not None:
            time.sleep(order["seconds"])
            os.kill(child, signal.SIGKILL)  # a process that has ended by itself waits to be collected: no other is hit
        _, status = os.waitpid(child, 0)
        signalled = os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        print(json.dumps({"signal": signalled, "seconds": time.monotonic() - started}), flush=True)


def _obey(order: dict[str, Any]) -> None:
    os.fsync = lambda handle: None  # a killed process loses nothing that it wrote: only a plug that is pulled does
    try:
        if order.get("boundary"):
            BOUNDARIES[order["boundary"]]()
        run(Path(order["folder"]), order.get("forget", False))
    finally:  # never back into the loop of the parent
        failed = sys.exc_info()[0] is not None
        if failed:
            traceback.print_exc()
        os._exit(failed)


def corpus_tables(folder: Path) -> dict[str, str]:
    """Return the content hashes of the published tables but those that describe the run."""
    tables = Store(folder / "output").open().manifest.tables
    return {name: entry.hash for name, entry in tables.items() if name not in ("calls", "failures")}


def check_whole(folder: Path) -> None:
    """Read every table of the published generation, if there is one, as another process would."""
    published = Store(folder / "output")
    last = published.last()
    if last is None:
        return
    for name, entry in last.manifest.tables.items():
        assert file_hash(last.folder / entry.file) == entry.hash, name
        assert last.table(name).num_rows == entry.rows, name
    for number in published.numbers():
        published.check(number)


def check_cache(folder: Path) -> int:
    """Return how many replies are kept, after SQLite's own check of the file."""
    path = folder / "output" / "cache.sqlite"
    if not path.exists():
        return 0
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        there = db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'replies'").fetchone()[0]
        return int(db.execute("SELECT count(*) FROM replies").fetchone()[0]) if there else 0


def change(folder: Path, texts: dict[str, str]) -> None:
    """Put ``texts`` in place of the project's input."""
    shutil.rmtree(folder / "input", ignore_errors=True)
    write_texts(folder / "input", texts)


if __name__ == "__main__":
    serve()
