"""How a run is watched: a live line on a terminal, plain lines in a log, JSON lines for programs."""

import json
import sys
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from pipeline.cli.terminal import CLEAR
from pipeline.runner.progress import Spent

WIDTH = 24


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
        sys.stderr.write(f"{text}\n")

    def stage(self, name: str, help: str) -> None:
        """Nothing: the line comes when the stage ends."""

    def step(self, done: int, total: int | None, spent: Spent) -> None:
        """Nothing: a log needs no ticking."""

    def finished(self, name: str, rows: dict[str, int], seconds: float) -> None:
        """Print what the stage wrote."""
        made = ", ".join(f"{count:,} {table}" for table, count in rows.items())
        self.line(f"{name:{WIDTH}} {seconds:6.1f} s  {made}")


class LiveProgress(PlainProgress):
    """As PlainProgress, with a line that counts requests and time to go while a stage is at work."""

    def __init__(self) -> None:
        self._name = ""
        self._started = self._shown = 0.0

    def line(self, text: str) -> None:
        """Print a note in place of the live line."""
        sys.stderr.write(f"{CLEAR}{text}\n")
        sys.stderr.flush()

    def stage(self, name: str, help: str) -> None:
        """Show which stage is at work."""
        self._name, self._started, self._shown = name, time.monotonic(), 0.0
        sys.stderr.write(f"{CLEAR}{name:{WIDTH}} {help.split(';')[0][:60]}")
        sys.stderr.flush()

    def step(self, done: int, total: int | None, spent: Spent) -> None:
        """Show done, total and time to go, ten times a second at most."""
        now = time.monotonic()
        if now - self._shown < 0.1:
            return
        self._shown = now
        passed = now - self._started
        left = f", {passed / done * (total - done):.0f} s to go" if total and done and passed > 1 else ""
        sys.stderr.write(
            f"{CLEAR}{self._name:{WIDTH}} {done:,}{f' of {total:,}' if total else ''}{left}{spent_so_far(spent())}"
        )
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


def spent_so_far(spent: Mapping[str, float]) -> str:
    """Return what a run has spent so far in a few words; nothing when no model was asked."""
    if not spent["calls"] and not spent["cached"]:
        return ""
    tokens = (spent["tokens_in"] + spent["tokens_out"]) / 1000
    failed = f", {spent['failures']:,} failed" if spent["failures"] else ""
    return (
        f"; {spent['calls']:,} calls, {spent['cached']:,} cached, {tokens:,.0f}k tokens, {spent['cost']:,.2f}{failed}"
    )


def terminal() -> PlainProgress:
    """Return a live view on a terminal, plain lines elsewhere."""
    return LiveProgress() if sys.stderr.isatty() else PlainProgress()
