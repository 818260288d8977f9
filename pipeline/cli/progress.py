"""How a run is watched: a live line on a terminal, plain lines in a log or a file, JSON lines for programs."""

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from shutil import get_terminal_size
from types import TracebackType
from typing import Any, TextIO

from pipeline.base.errors import StoreError
from pipeline.base.workflow import stage_label
from pipeline.cli.terminal import CLEAR, harmless
from pipeline.language.spending import money
from pipeline.runner.progress import Progress, Spent
from pipeline.text.inflection import in_number, singular
from pipeline.text.quotes import shorten

WIDTH = 20
_ROWS = {
    "vocabulary": "known name",
    "aliases": "joined name",
    "layout": "map place",
    "retrieval_passages": "passage",
    "retrieval_terms": "word",
    "retrieval_names": "name",
    "retrieval_forms": "written form",
}
"""What a row is, where the table's own name does not say it to whoever meets it first."""


class PlainProgress:
    """One line when a stage ends, and every note: for logs and pipes. On stderr, as all progress."""

    def __enter__(self) -> "PlainProgress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        sys.stderr.flush()

    def line(self, text: str) -> None:
        """Print a note."""
        sys.stderr.write(f"{readable(text)}\n")

    def stage(self, name: str, help: str) -> None:
        """Nothing: the line comes when the stage ends."""

    def step(self, done: int, total: int | None, spent: Spent) -> None:
        """Nothing: a log needs no ticking."""

    def finished(self, name: str, rows: dict[str, int], seconds: float) -> None:
        """Print what the stage wrote."""
        self.line(stage_line(name, rows, seconds))


def report_by_stage(
    progress: Progress, help: Callable[[str, int], str], spent: Spent
) -> Callable[[str, int, int], None]:
    """Return what reports steps as (stage, done, total): a stage begins with the first step that names it, with its ``help``."""
    begun: list[str] = []

    def report(stage: str, done: int, total: int) -> None:
        if begun != [stage]:
            begun[:] = [stage]
            progress.stage(stage, help(stage, total))
        progress.step(done, total, spent)

    return report


class LiveProgress(PlainProgress):
    """As PlainProgress, with a line that counts requests, calls and money, and estimates the time to go."""

    def __init__(self) -> None:
        self._name = ""
        self._shown = 0.0

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live("")  # what is printed next, an error above all, gets a line of its own

    def line(self, text: str) -> None:
        """Print a note in place of the live line."""
        sys.stderr.write(f"{CLEAR}{readable(text)}\n")
        sys.stderr.flush()

    def stage(self, name: str, help: str) -> None:
        """Show which stage is at work."""
        self._name, self._shown = stage_label(name), 0.0
        self._live(f"{self._name:{WIDTH}} {help.split(';')[0]}")

    def step(self, done: int, total: int | None, spent: Spent) -> None:
        """Show done, total, what was spent and time to go, ten times a second at most."""
        now = time.monotonic()
        if now - self._shown < 0.1:
            return
        self._shown = now
        so_far = spent()
        parts = [f"{done:,} of {total:,}" if total else f"{done:,}", spent_so_far(so_far)]
        if "seconds_left" in so_far:
            parts.append(f"{time_to_go(so_far['seconds_left_least'], so_far['seconds_left_most'])} to go")
        self._live(f"{self._name:{WIDTH}} {', '.join(filter(None, parts))}")

    def _live(self, text: str) -> None:
        sys.stderr.write(f"{CLEAR}{shorten(text, get_terminal_size().columns - 1) if text else ''}")
        sys.stderr.flush()


class JsonLines(PlainProgress):
    """Every event as one JSON object a line."""

    def __init__(self) -> None:
        self._name = ""
        self._shown = 0.0

    def line(self, text: str) -> None:
        """A note."""
        self._write(event="note", text=text)

    def stage(self, name: str, help: str) -> None:
        """A stage begins."""
        self._name = name
        self._write(event="stage", stage=name, help=help)

    def step(self, done: int, total: int | None, spent: Spent) -> None:
        """Requests done, twice a second at most."""
        now = time.monotonic()
        if now - self._shown >= 0.5:
            self._shown = now
            self._write(event="step", stage=self._name, done=done, total=total, **spent())

    def finished(self, name: str, rows: dict[str, int], seconds: float) -> None:
        """A stage has ended."""
        self._write(event="finished", stage=name, rows=rows, seconds=round(seconds, 3))

    def _write(self, **event: Any) -> None:
        sys.stderr.write(json.dumps(event, ensure_ascii=False) + "\n")
        sys.stderr.flush()


class LogFile(PlainProgress):
    """Every note and the end of every stage, with the time, behind what the file holds already."""

    def __init__(self, path: Path) -> None:
        """Open the file; StoreError where it cannot be written."""
        try:
            self._file: TextIO = path.open("a", encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            raise StoreError(
                f"the log file {path} cannot be written: {error.strerror}",
                "no run is made without the log that was asked for",
                "name another file",
            ) from error

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self.line(f"ended by {kind.__name__ if kind else ''}: {error}")
        self._file.close()

    def line(self, text: str) -> None:
        """Write a note, on one line."""
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime())
        self._file.write(f"{stamp} {harmless(' | '.join(readable(text).splitlines()))}\n")
        self._file.flush()


class Together(PlainProgress):
    """Several that watch the same run; they are entered and left by whoever made them."""

    def __init__(self, watching: Sequence[Progress]) -> None:
        self._watching = watching

    def line(self, text: str) -> None:
        """Hand on."""
        for one in self._watching:
            one.line(text)

    def stage(self, name: str, help: str) -> None:
        """Hand on."""
        for one in self._watching:
            one.stage(name, help)

    def step(self, done: int, total: int | None, spent: Spent) -> None:
        """Hand on."""
        for one in self._watching:
            one.step(done, total, spent)

    def finished(self, name: str, rows: dict[str, int], seconds: float) -> None:
        """Hand on."""
        for one in self._watching:
            one.finished(name, rows, seconds)


def readable(line: str) -> str:
    """Return a note with the name of its stage for people."""
    stage, colon, rest = line.partition(": ")
    return f"{stage_label(stage)}: {rest}" if colon else line


def stage_line(name: str, rows: Mapping[str, int], seconds: float) -> str:
    """Return what is said when a stage has ended."""
    made = ", ".join(in_number(count, row_of(table)) for table, count in rows.items())
    return f"{stage_label(name):{WIDTH}} {seconds:6.1f} s  {made}"


def row_of(table: str) -> str:
    """Return what a row of a table is called for people: "entity" of entities, "known name" of vocabulary."""
    return _ROWS.get(table) or singular(table.replace("_", " "))


def spent_so_far(spent: Mapping[str, float]) -> str:
    """Return what a run has spent so far in a few words; nothing when no model was asked."""
    if not spent["calls"] and not spent["cached"]:
        return ""
    parts = [in_number(int(spent["calls"]), "call"), f"{spent['cached']:,} from the cache" if spent["cached"] else ""]
    tokens = spent["tokens_in"] + spent["tokens_out"]
    parts.append(f"{tokens / 1000:,.1f}k tokens" if tokens else "")
    parts.append(f"cost {money(spent['cost'])}" if spent["cost"] else "")
    parts.append(f"{spent['failures']:,} failed" if spent["failures"] else "")
    return ", ".join(filter(None, parts))


def time_to_go(least: float, most: float) -> str:
    """Return a range of time in one unit: seconds below two minutes, minutes below two hours."""
    seconds, unit = next(((size, name) for size, name in ((1, "s"), (60, "min")) if most < 120 * size), (3600, "h"))
    low, high = (max(round(bound / seconds), 1) for bound in (least, most))
    return f"{low} {unit}" if low == high else f"{low} to {high} {unit}"


def terminal() -> PlainProgress:
    """Return a live view on a terminal, plain lines elsewhere."""
    return LiveProgress() if sys.stderr.isatty() else PlainProgress()
