"""What a run reports while it goes: lines, stages with counts. The command shows it; Python callers may pass their own."""

import time
from collections.abc import Callable, Mapping
from typing import Protocol

from pipeline.runner.forecast import Forecast

Spent = Callable[[], Mapping[str, float]]
"""Returns what the run has spent so far: calls, cached, tokens_in, tokens_out, cost, failures; and seconds_left with
seconds_left_least and seconds_left_most where that can be foretold. It adds up a whole ledger, so it is called only when its value is shown."""


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


class Foretold:
    """Hands events on to another progress, with a forecast of what is left of the run."""

    def __init__(self, progress: Progress, forecast: Forecast, clock: Callable[[], float] = time.monotonic) -> None:
        self._progress, self._forecast, self._clock = progress, forecast, clock
        self._last: Callable[[], object] = lambda: None

    def line(self, text: str) -> None:
        """Hand on."""
        self._progress.line(text)

    def stage(self, name: str, help: str) -> None:
        """Hand on."""
        self._forecast.stage(name, self._clock())
        self._progress.stage(name, help)

    def step(self, done: int, total: int | None, spent: Spent) -> None:
        """Hand on, with the seconds that are left."""

        def count() -> Mapping[str, float]:
            so_far = spent()
            self._forecast.step(done, total, so_far, self._clock())
            return so_far

        def spent_and_left() -> Mapping[str, float]:
            so_far = count()
            left = self._forecast.seconds_left(self._clock())
            if left is None:
                return so_far
            bounds = {"seconds_left_least": left.low, "seconds_left_most": left.high}
            return {**so_far, "seconds_left": left.middle, **bounds}

        self._last = count
        self._progress.step(done, total, spent_and_left)

    def finished(self, name: str, rows: dict[str, int], seconds: float) -> None:
        """Hand on."""
        self._last()
        self._last = lambda: None
        self._forecast.finished(name, rows, self._clock())
        self._progress.finished(name, rows, seconds)
