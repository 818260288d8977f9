"""Caps on what a run may spend: no call is made that would exceed one, and calls under way count at their maximum."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from pipeline.base.errors import BudgetError, GraphstrataError, SettingsError
from pipeline.base.settings import LimitSettings, ModelSettings
from pipeline.language.spending import Spending

FIRST_REPLY = 1000
"""Tokens assumed for a task's first reply where the model has no max_output_tokens, or the bytes of its question if
they are fewer: nothing else is known, so where cost is capped that call is made alone."""
BATCH_SHARE = 0.5
"""What a request of a provider's batch costs of the price of a call."""
OVERHEAD = 64
"""Tokens that a chat template may add to the text of a question."""

_MARGIN_IN, _MARGIN_OUT = 1.5, 2.0
"""How far above the most so far a call may be where the model has no max_output_tokens: other scripts, longer replies."""


@dataclass
class CallSizes:
    """Tokens that calls of each task took so far, on one model: the next ones are estimated from them."""

    model: ModelSettings
    _most: dict[str, tuple[float, int]] = field(default_factory=dict)
    """Task -> (most tokens per byte of a question, most tokens of a reply)."""

    def known(self, task: str) -> bool:
        """Return whether a reply's length has a bound: the model's own, or one learned from a reply."""
        return self.model.max_output_tokens is not None or task in self._most

    def learn(self, task: str, n_bytes: int, tokens_in: int, tokens_out: int) -> None:
        """Record a call that was answered."""
        share, out = self._most.get(task, (0.0, 0))
        self._most[task] = max(share, tokens_in / max(n_bytes, 1)), max(out, tokens_out)

    def maximum(self, task: str, n_bytes: int) -> tuple[int, int]:
        """Return (tokens in, tokens out) that the next call may take at most; no text has more tokens than bytes.

        Exact where the model has max_output_tokens; otherwise a reply may be longer than any before it.
        """
        if self.model.max_output_tokens is not None:
            return n_bytes + OVERHEAD, self.model.max_output_tokens
        share, out = self._most.get(task, (1.0, 0))
        tokens_in = int(min(1.0, share * _MARGIN_IN) * n_bytes) + 1
        return tokens_in, int(out * _MARGIN_OUT) + 1 if out else min(FIRST_REPLY, n_bytes)

    def usual(self, task: str, n_bytes: int) -> int:
        """Return the tokens in and out together that the next call likely takes: what limits per minute count."""
        share, out = self._most.get(task, (0.3, 500))
        return int(share * n_bytes) + out

    def cost(self, tokens_in: int, tokens_out: int) -> float | None:
        """Return the price of a call, in the currency of the settings; None when a price is not known."""
        if self.model.unpriced:
            return None
        return (tokens_in * (self.model.price_in or 0.0) + tokens_out * (self.model.price_out or 0.0)) / 1e6


@dataclass(frozen=True)
class Reservation:
    """What is set aside for a call under way. ``first`` marks a call whose reply will show how long replies are."""

    cost: float
    first: str | None


class Budget:
    """What one run has spent and may spend, over all its models. Safe to use from several threads.

    ``reserve`` before a call, then ``settle`` with what it cost. Calls and minutes are exact; so is cost for models with
    max_output_tokens, and for others as long as no reply is longer than twice the longest before it of its task.
    ``spending`` is told of every request that was answered.
    """

    def __init__(
        self,
        limits: LimitSettings,
        clock: Callable[[], float] = time.monotonic,
        spending: Spending | None = None,
    ) -> None:
        self.limits, self._clock, self._start = limits, clock, clock()
        self.spending = spending or Spending()
        self.cost, self.calls = 0.0, 0
        self._reserved, self._under_way = 0.0, 0
        self._first: set[str] = set()
        self._mean_seconds = 0.0
        self._lock = threading.Lock()
        self._waiting: list[Callable[[], None]] = []
        self._under_way_calls: dict[int, Callable[[], None]] = {}
        self._cancelled: GraphstrataError | None = None

    def check_model(self, name: str, model: ModelSettings) -> str:
        """Return a warning where the cap on cost cannot be exact for ``model``, else an empty text.

        Raises SettingsError when there is a cap on cost and the model has no price: nothing could be counted.
        """
        if self.limits.max_cost is None:
            return ""
        if model.unpriced:
            raise SettingsError(
                f"limits.max_cost is {self.limits.max_cost}, but models.{name} has no {' and no '.join(model.unpriced)}",
                "without a price the cap cannot be enforced, so no call was made",
                f"give models.{name} its prices of a million tokens (0 for a model that costs nothing), "
                "or cap calls by limits.max_calls",
            )
        if model.kind == "embedding" or model.max_output_tokens is not None or not model.price_out:
            return ""
        return (
            f"max_cost {self.limits.max_cost:g} may be exceeded: models.{name} has no max_output_tokens, so a reply may be "
            "longer than any before it; set it to make the cap exact"
        )

    def cancel(self, error: GraphstrataError) -> None:
        """Make no further call, and give up those under way: each ends with ``error``, and counts as if it was answered."""
        with self._lock:
            self._cancelled = error
            wakes = [*self._waiting, *self._under_way_calls.values()]
            self._waiting = []
        for wake in wakes:
            wake()

    def check_cancelled(self) -> None:
        """Raise the error that ``cancel`` was given, if it was called."""
        if self._cancelled is not None:
            raise self._cancelled

    def on_cancel(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call ``wake`` when everything is cancelled; return what to call when that is no longer wanted."""
        key = id(wake)
        with self._lock:
            self._under_way_calls[key] = wake
        if self._cancelled is not None:
            wake()
        return lambda: self._under_way_calls.pop(key, None) and None

    def reserve(self, cost: float | None, task: str, known: bool) -> Reservation | None:
        """Set ``cost`` aside for a call about to be made; None when it must wait for calls under way.

        Raises BudgetError when the call would exceed a cap whatever comes back from those under way.
        """
        with self._lock:
            self.check_cancelled()
            self._check_calls()
            self.check_minutes()
            if self.limits.max_cost is None:
                return self._take(0.0, None)
            if not known and task in self._first:
                return None
            if self.cost + self._reserved + (cost or 0.0) > self.limits.max_cost:
                if self._under_way:
                    return None
                raise self._exhausted(f"max_cost {self.limits.max_cost:g}", f"{self.cost:.6g} is spent")
            return self._take(cost or 0.0, None if known else task)

    def settle(self, reservation: Reservation, cost: float | None, seconds: float) -> None:
        """Enter what a call cost (0 when it was not answered) and wake those that wait."""
        with self._lock:
            self._under_way -= 1
            self._reserved = self._reserved - reservation.cost if self._under_way else 0.0
            self.cost += cost or 0.0
            self._mean_seconds += (seconds - self._mean_seconds) / max(1, self.calls - self._under_way)
            if reservation.first is not None:
                self._first.discard(reservation.first)
            waiting, self._waiting = self._waiting, []
        for wake in waiting:
            wake()

    def on_settled(self, wake: Callable[[], None]) -> None:
        """Call ``wake`` once, when a call under way is settled."""
        with self._lock:
            if self._under_way:
                self._waiting.append(wake)
                return
        wake()

    def _take(self, cost: float, first: str | None) -> Reservation:
        self.calls += 1
        self._under_way += 1
        self._reserved += cost
        if first is not None:
            self._first.add(first)
        return Reservation(cost, first)

    def _check_calls(self) -> None:
        if self.limits.max_calls is not None and self.calls >= self.limits.max_calls:
            raise self._exhausted(f"max_calls {self.limits.max_calls}", f"{self.calls} calls are made")

    def check_minutes(self, seconds: float | None = None) -> None:
        """Raise BudgetError when a call, or a wait of ``seconds`` before it, would end after ``max_minutes``."""
        if self.limits.max_minutes is None:
            return
        minutes = (self._clock() - self._start) / 60
        if minutes + (self._mean_seconds if seconds is None else seconds) / 60 >= self.limits.max_minutes:
            raise self._exhausted(f"max_minutes {self.limits.max_minutes:g}", f"{minutes:.2f} minutes have passed")

    def exhausted_cost(self) -> BudgetError:
        """Return the error of a cap on cost that leaves no room beside the calls under way."""
        return self._exhausted(
            f"max_cost {self.limits.max_cost or 0:g}", f"{self.cost:.6g} is spent, the rest set aside"
        )

    def _exhausted(self, cap: str, state: str) -> BudgetError:
        return BudgetError(
            f"stopped before exceeding {cap}: {state}",
            "what was answered is saved and will not be paid for again",
            "run the same command again with a higher cap, or none, to go on from here",
        )
