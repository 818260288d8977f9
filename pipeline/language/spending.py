"""What requests to models took, whatever became of their replies: counted by whoever makes them, kept in the reply cache."""

import threading
from typing import NamedTuple, Protocol


class Bill(NamedTuple):
    """Requests that were answered, whether or not the reply could be used, and what they took."""

    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    """Of the requests whose price the settings gave."""
    unpriced: int = 0
    """Requests whose price was not known."""

    def __add__(self, other: "Bill") -> "Bill":  # type: ignore[override]
        requests, unpriced = self.requests + other.requests, self.unpriced + other.unpriced
        tokens = self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out
        return Bill(requests, *tokens, self.cost + other.cost, unpriced)

    def __str__(self) -> str:
        """What was spent, for people: "15 requests, 4,210 tokens in, 318 out, cost 0.016"."""
        if not self.requests:
            return "nothing: no model was asked"
        return f"{self.requests:,} request{'' if self.requests == 1 else 's'}, {self.taken}"

    @property
    def taken(self) -> str:
        """What the requests took, for people: "4,210 tokens in, 318 out, cost 0.016"."""
        cost = f"cost {money(self.cost)}" if self.unpriced < self.requests else "cost unknown: no price was given"
        if 0 < self.unpriced < self.requests:
            cost += f" without {self.unpriced:,} that have no price"
        return f"{self.tokens_in:,} tokens in, {self.tokens_out:,} out, {cost}"


NOTHING_SPENT = Bill()


def money(cost: float) -> str:
    """Return an amount with two digits behind the point, and with two that count where it is small."""
    return f"{cost:,.2f}" if cost >= 1 or not cost else f"{cost:.2g}"


class Account(Protocol):
    """Where what is spent is kept for good."""

    def spend(self, model: str, spent: Bill) -> None:
        """Count what a request took. Waits for nothing."""
        ...

    def write_spent(self) -> None:
        """Write what was counted."""
        ...


class Spending:
    """Counts what this process spends, and has it noted in ``account`` for good. Safe to use from several threads."""

    def __init__(self, account: Account | None = None) -> None:
        self._account, self.total, self._lock = account, NOTHING_SPENT, threading.Lock()

    def add(self, model: str, tokens_in: int, tokens_out: int, cost: float | None) -> None:
        """Count an answered request to ``model``; its cost is None where no price is known. Waits for nothing."""
        one = Bill(1, tokens_in, tokens_out, cost or 0.0, cost is None)
        with self._lock:
            self.total += one
        if self._account is not None:
            self._account.spend(model, one)

    def write(self) -> None:
        """Have what was counted on disk: a reply that is stored brings it there by itself, one that cannot be used does not."""
        if self._account is not None:
            self._account.write_spent()
