"""What a run reports while it goes: lines, stages with counts. The command shows it; Python callers may pass their own."""

from collections.abc import Callable, Mapping
from typing import Protocol

Spent = Callable[[], Mapping[str, float]]
"""Returns what the run has spent so far: calls, cached, tokens_in, tokens_out, cost, failures. It adds up a whole ledger,
so it is called only when its value is shown."""


class Progress(Protocol):
    """Whoever watches a run."""

    def line(self, text: str) -> None:
        """Something worth a line."""
        ...

    def stage(self, name: str, help: str) -> None:
        """A stage begins."""
        ...

    def step(self, done: int, total: int | None, spent: Spent) -> None:
        """Requests of the stage done so far, and of how many; None when that is not known."""
        ...

    def finished(self, name: str, rows: dict[str, int], seconds: float) -> None:
        """A stage has written its tables."""
        ...


class Silent:
    """Shows nothing."""

    def line(self, text: str) -> None:
        """Pass."""

    def stage(self, name: str, help: str) -> None:
        """Pass."""

    def step(self, done: int, total: int | None, spent: Spent) -> None:
        """Pass."""

    def finished(self, name: str, rows: dict[str, int], seconds: float) -> None:
        """Pass."""
