"""Progress of a run as a small file beside the tables, for who watches from another process, and the history of runs."""

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from pipeline.base.storage.json_line import last_objects
from pipeline.runner.progress import Progress, Spent

PROGRESS_FILE, HISTORY_FILE = "progress.json", "runs.jsonl"
EVERY = 0.5
"""Seconds between two writings, at least; the begin of a stage is always written."""
KEPT = 200_000
"""Bytes of the history that are read, from its end."""


class NotedProgress:
    """Passes everything on, and notes the stage at work. A note that cannot be written stops no run."""

    def __init__(self, other: Progress, folder: Path, stages: int) -> None:
        self._other, self._path, self._count = other, folder / PROGRESS_FILE, stages
        self.stages: list[dict[str, Any]] = []
        """What each finished stage took: its name, rows and seconds."""
        self._state: dict[str, Any] = {"process": os.getpid(), "started": time.strftime("%Y-%m-%d %H:%M:%S")}
        self._written = 0.0

    def line(self, text: str) -> None:
        """Something worth a line."""
        self._other.line(text)
        self._note(message=text)

    def stage(self, name: str, help: str) -> None:
        """A stage begins."""
        self._other.stage(name, help)
        self._written = 0.0
        self._note(stage=name, message=help, done=0, total=None)

    def step(self, done: int, total: int | None, spent: Spent) -> None:
        """Requests of the stage done so far."""
        self._other.step(done, total, spent)
        self._note(done=done, total=total)

    def finished(self, name: str, rows: dict[str, int], seconds: float) -> None:
        """A stage has written its tables."""
        self._other.finished(name, rows, seconds)
        self.stages.append({"stage": name, "rows": sum(rows.values()), "seconds": round(seconds, 3)})

    def end(self, run: dict[str, Any]) -> None:
        """Enter the run in the history, and take the note away."""
        with suppress(OSError):
            with (self._path.parent / HISTORY_FILE).open("a", encoding="utf-8") as file:
                line = {"started": self._state["started"], **run, "stages": self.stages}
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
            self._path.unlink(missing_ok=True)

    def _note(self, **state: Any) -> None:
        self._state |= state
        now = time.monotonic()
        if now - self._written >= EVERY:
            self._written = now
            state = {**self._state, "stages_done": len(self.stages), "stages": self._count}
            with suppress(OSError):
                self._path.write_text(json.dumps(state, ensure_ascii=False), encoding="utf-8")


def running_now(folder: Path) -> dict[str, Any] | None:
    """Return the note of the run that is going on in an output folder; None where none is, or its process is gone."""
    try:
        state = json.loads((folder / PROGRESS_FILE).read_text(encoding="utf-8"))
        if sys.platform != "win32":  # where signal 0 would end the process
            os.kill(int(state["process"]), 0)
    except PermissionError:
        return dict(state)  # another user's process
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return dict(state)


def past_runs(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the runs of the history, the latest first; lines that cannot be read are none."""
    yield from reversed(last_objects(folder / HISTORY_FILE, KEPT))
