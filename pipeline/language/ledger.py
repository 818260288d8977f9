"""Requests and failures of a run: the rows of the calls and failures tables, and counts for the progress and summary."""

import threading
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple

import pyarrow as pa

from pipeline.base.schema import CALLS, FAILURES
from pipeline.base.task import Failure
from pipeline.language.backends.backend import Backend, PaidFailure
from pipeline.language.language import Reply


class CallRow(NamedTuple):
    """A row of the calls table."""

    workflow: str
    task: str
    item: str
    model: str
    cached: bool
    tokens_in: int
    tokens_out: int
    cost: float | None
    seconds: float


@dataclass(frozen=True)
class TaskCost:
    """What one task of one stage takes. ``cost`` is None where a model has no price in the settings."""

    stage: str
    task: str
    model: str
    calls: int
    cached: int
    tokens_in: int
    tokens_out: int
    cost: float | None


def costs_by_task(calls: Iterable[CallRow]) -> list[TaskCost]:
    """Return calls summed by stage, task and model; of those that the cache answered only how many they are."""
    groups: dict[tuple[str, str, str], list[CallRow]] = {}
    for call in calls:
        groups.setdefault((call.workflow, call.task, call.model), []).append(call)
    found = []
    for names, some in sorted(groups.items()):
        made = [call for call in some if not call.cached]
        tokens = sum(call.tokens_in for call in made), sum(call.tokens_out for call in made)
        cost = summed(call.cost for call in made)
        found.append(TaskCost(*names, len(made), len(some) - len(made), *tokens, cost))
    return found


def summed(costs: Iterable[float | None]) -> float | None:
    """Return the sum of some costs; None where one of them is not known."""
    known = list(costs)
    return None if None in known else sum(cost or 0.0 for cost in known)


class FailureRow(NamedTuple):
    """A row of the failures table."""

    workflow: str
    task: str
    item: str
    kind: str
    reason: str
    attempts: int


SUMS = ("calls", "cached", "tokens_in", "tokens_out", "cost")
"""What is summed over calls."""


@dataclass
class Ledger:
    """Rows as they come, under the name of the stage at work. Safe to use from several threads."""

    stage: str = "query"
    calls: list[CallRow] = field(default_factory=list)
    failures: list[FailureRow] = field(default_factory=list)
    answered: Counter[str] = field(default_factory=Counter)
    """Requests answered by stage, and under ``stage/cached`` those of them from the cache, whoever answered."""
    faults: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """Faults of calls and replies by (stage, task, name), whether another try overcame them or not: rate_limit,
    server_error, no_connection, timeout, no_reply, empty, not_json, misfit, cut, ambiguous, too_long, refused, ..."""
    retried: Counter[str] = field(default_factory=Counter)
    """Requests by stage that were answered after more than one try."""
    _sums: dict[str, float] = field(default_factory=lambda: dict.fromkeys(SUMS, 0))
    """Of all calls: a live line asks for them several times a second."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def call(
        self,
        task: str,
        item: str,
        model: str,
        cached: bool,
        tokens: tuple[int, int],
        cost: float | None,
        seconds: float,
    ) -> None:
        """Enter one call to a model."""
        row = CallRow(self.stage, task, item, model, cached, *tokens, cost, seconds)
        with self._lock:
            self.calls.append(row)
            _add(self._sums, row)

    def fail(self, task: str, item: str, reason: str, attempts: int = 1, kind: str = "failed") -> None:
        """Enter one item that failed, or that was skipped by a decision."""
        with self._lock:
            self.failures.append(FailureRow(self.stage, task, item, kind, reason, attempts))

    def fault(self, task: str, name: str) -> None:
        """Count one fault of a call or a reply."""
        with self._lock:
            self.faults[self.stage, task, name] += 1

    def enter(self, backend: Backend, task: str, item: str, reply: Reply[Any] | Failure, first: bool) -> None:
        """Enter what became of a request; ``first`` of those that one call answers."""
        if isinstance(reply, Failure):
            self.fail(task, item, reply.reason, reply.attempts)
        else:
            with self._lock:
                self.answered[self.stage] += 1
                self.answered[f"{self.stage}/cached"] += reply.cached
                self.retried[self.stage] += first and reply.attempts > 1
        if not (backend.paid and first):
            return
        if isinstance(reply, Reply):
            tokens = reply.tokens_in, reply.tokens_out
            self.call(task, item, reply.by, reply.cached, tokens, reply.cost, reply.seconds)
        elif isinstance(reply, PaidFailure):
            self.call(task, item, reply.by, False, (reply.tokens_in, reply.tokens_out), reply.cost, reply.seconds)
        else:
            self.call(task, item, backend.name, False, (0, 0), None, 0.0)

    def overcome(self) -> str:
        """Return in a line which faults calls met and how many requests another try answered; empty where none."""
        if not self.faults:
            return ""
        met: Counter[str] = Counter()
        for (_, _, name), count in self.faults.items():
            met[name] += count
        named = ", ".join(f"{name} {count:,}" for name, count in sorted(met.items()))
        return f"faults met: {named}; {self.retried.total():,} requests answered by another try"

    def failed(self, stage: str) -> int:
        """Return how many items of ``stage`` failed, skipped ones aside."""
        return sum(1 for row in self.failures if row.workflow == stage and row.kind == "failed")

    def totals(self) -> dict[str, float]:
        """Return calls made, replies from the cache, tokens, cost and failures of the run so far; cost of unknown price is 0."""
        with self._lock:
            return {**self._sums, "failures": sum(row.kind == "failed" for row in self.failures)}

    def mark(self) -> tuple[int, int]:
        """Return how many calls and failures there are so far, for ``used``."""
        with self._lock:
            return len(self.calls), len(self.failures)

    def used(self, since: tuple[int, int]) -> dict[str, float]:
        """Return ``totals`` since a ``mark``; without cost where the price of a call is not known."""
        with self._lock:
            calls, failures = self.calls[since[0] :], self.failures[since[1] :]
        used: dict[str, float] = dict.fromkeys(SUMS, 0)
        for row in calls:
            _add(used, row)
        used["failures"] = sum(row.kind == "failed" for row in failures)
        if any(row.cost is None for row in calls if not row.cached):
            del used["cost"]
        return used

    def calls_table(self) -> pa.Table:
        """Return the calls, sorted so that the order in which servers answered does not show."""
        return CALLS.rows(sorted(self.calls, key=attrgetter("workflow", "task", "item", "model", "cached")))

    def failures_table(self) -> pa.Table:
        """Return the failures, sorted."""
        return FAILURES.rows(sorted(set(self.failures)))


def _add(sums: dict[str, float], row: CallRow) -> None:
    if row.cached:
        sums["cached"] += 1
        return
    sums["calls"] += 1
    sums["tokens_in"] += row.tokens_in
    sums["tokens_out"] += row.tokens_out
    sums["cost"] += row.cost or 0.0
