"""Calls to one model: how many at once and per minute, what is tried again and when, what stops the run."""

import asyncio
import random
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from typing import Generic, TypeVar

from pipeline.base.errors import ModelError
from pipeline.base.settings import ModelSettings
from pipeline.language.budget import Budget, CallSizes, Reservation
from pipeline.language.transport.api_keys import shown_address
from pipeline.language.transport.classify_errors import Fault, diagnose
from pipeline.language.transport.task_pool import Stop

T = TypeVar("T")

FIRST_WAIT, LONGEST_WAIT = 0.5, 60.0
"""Seconds: the back-off before the second try is drawn from 0 to the first, doubled for each further try."""
LONGEST_SERVER_WAIT = 600.0
"""Seconds: a server that asks for a longer wait than this is out of service for this run."""
DEAD_AFTER = 50
"""Requests in a row that ended without any answer, at least, before the server is given up for this run."""
REGAINED = 0.02
"""Share of the places that is regained while so many calls succeed as there are places."""
LENT = 10
"""One place of so many may be lent while its request waits to be tried again."""
BAD_BEFORE_GOOD = 3
"""Questions refused as malformed before any was answered, after which the form of all requests is taken to be at fault."""


class Unanswered(Exception):
    """A call that brought no reply after all its tries, or that the server refused for itself alone."""

    def __init__(self, fault: Fault, attempts: int, seconds: float) -> None:
        super().__init__(fault.text)
        self.fault, self.attempts, self.seconds = fault, attempts, seconds


@dataclass(frozen=True)
class Called(Generic[T]):
    """What a call brought, and what it took. ``cost`` is None when no price is known."""

    value: T
    tokens_in: int
    tokens_out: int
    cost: float | None
    attempts: int
    seconds: float


Send = Callable[[], Awaitable[tuple[T, int, int]]]
"""Makes a call and returns what it brought, tokens in and tokens out."""


class MinuteLimit:
    """A limit per minute: ``amount`` may be taken when ``wait`` returns 0. Never more than ``limit`` in any minute, as
    long as no single amount exceeds a twelfth of it (a burst of five seconds' worth, since some servers look at windows
    of a second to ten)."""

    def __init__(self, limit: int) -> None:
        self._burst = max(1.0, limit // 12)
        self._rate = (limit - self._burst + 1) / 60
        self._level, self._at = self._burst, 0.0

    def wait(self, now: float, amount: float) -> float:
        """Take ``amount`` and return 0, or return the seconds until it is worth trying again."""
        self._level = min(self._burst, self._level + max(0.0, now - self._at) * self._rate)
        self._at = now
        # An amount above the burst goes through when the level is at its highest, and leaves a debt.
        lacking = min(amount, self._burst) - self._level
        if lacking > 1e-9:
            return lacking / self._rate
        self._level -= amount
        return 0.0

    def give_back(self, amount: float) -> None:
        """Correct an amount that was estimated too high (or, below 0, too low)."""
        self._level = min(self._burst, self._level + amount)


class ConcurrencyLimit:
    """How many requests are under way at once: fewer when the server wants fewer, regained as calls succeed.

    They are lowered by half the share of calls that met a limit since they were last lowered: halved where every call
    did, hardly where one of a hundred did (as by Alizadeh et al. 2010, "Data Center TCP", section 3.3). They are regained
    one by one, or by a fiftieth where that is more, as often as so many calls have succeeded.

    ``async with`` around a request waits for a place, first come first served, and keeps it until the request has its
    reply, tries included. While a request waits to be tried again, ``lent`` gives its place to another, so that single
    faults leave no place empty; not where more than a tenth of them wait, since the server itself is then at fault.
    """

    def __init__(self, most: int) -> None:
        self.most, self.open = most, float(most)
        self.busy = self._lent = 0
        self._queue: deque[asyncio.Future[None]] = deque()
        self._slowed = float("-inf")
        self._good = self._limited = 0

    async def __aenter__(self) -> None:
        if self.busy < int(self.open) and not self._queue:
            self.busy += 1
            return
        await self._wait(self._queue.append)

    async def _wait(self, join: Callable[[asyncio.Future[None]], None]) -> None:
        """Wait in the queue, joined at its end or its head, until a place is given."""
        place = asyncio.get_running_loop().create_future()
        join(place)
        self._next()
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                await self.__aexit__()
            raise

    @asynccontextmanager
    async def lent(self) -> AsyncIterator[None]:
        """Within ``async with`` for a place: let another request have it meanwhile, and be the next to get one after that."""
        if self._lent >= self.most // LENT:
            yield
            return
        self._lent += 1
        await self.__aexit__()
        try:
            yield
            await self._wait(self._queue.appendleft)
        except BaseException:
            self.busy += 1  # the request ends, and gives a place back as it does
            raise
        finally:
            self._lent -= 1

    async def __aexit__(self, *error: object) -> None:
        self.busy -= 1
        self._next()

    def faster(self) -> None:
        """Record a call that succeeded."""
        self._good += 1
        if self.open < self.most:
            self.open = min(float(self.most), self.open + max(1 / self.open, REGAINED))
            self._next()

    def slower(self, started: float, now: float) -> None:
        """Record a call, started at ``started``, that met a limit of the server. Calls of one burst lower it once."""
        self._limited += 1
        if started > self._slowed:
            share = self._limited / (self._limited + self._good)
            self.open, self._slowed = max(1.0, self.open * (1 - share / 2)), now
            self._good = self._limited = 0

    def _next(self) -> None:
        """Give the free places to those that wait; a place is taken when it is given, before its request wakes."""
        while self._queue and self.busy < int(self.open):
            place = self._queue.popleft()
            if not place.done():
                self.busy += 1
                place.set_result(None)


_SEED = 1431
"""It shapes only when calls are tried again."""


class RateLimiter:
    """All calls of one process to one model go through here. ``call`` runs on the shared event loop, within ``places``.

    ``count`` is called with each fault (task, name), ``log`` with a line when the server asks to wait. ``patience`` is how many questions may be refused before any is answered.
    """

    def __init__(
        self,
        name: str,
        model: ModelSettings,
        budget: Budget,
        count: Callable[[str, str], None] = lambda task, name: None,
        log: Callable[[str], None] = lambda line: None,
        patience: int = BAD_BEFORE_GOOD,
    ) -> None:
        self.name, self.model, self.budget, self.count, self.log = name, model, budget, count, log
        self.patience = patience
        self.sizes = CallSizes(model)
        self.places = ConcurrencyLimit(model.concurrency)
        self._requests = MinuteLimit(model.requests_per_minute) if model.requests_per_minute else None
        self._tokens = MinuteLimit(model.tokens_per_minute) if model.tokens_per_minute else None
        self._turn = asyncio.Lock()
        self._random = random.Random(_SEED)
        self._not_before = 0.0
        self._reached = self._served = False
        self._dead = self._bad = 0

    async def call(self, task: str, n_bytes: int, send: Send[T], stop: Stop) -> Called[T]:
        """Make a call of ``n_bytes`` of question, trying again as the settings say.

        Raises Unanswered for this request alone, Stopped when ``stop`` was set meanwhile, and ModelError or BudgetError
        when no further call of the run makes sense.
        """
        seconds, attempt = 0.0, 0
        while True:
            stop.check()
            expected = self.sizes.usual(task, n_bytes)
            await self._pace(expected, stop)
            reservation = await self._reserve(task, n_bytes, stop)
            started = time.monotonic()
            answer = await self._send(task, n_bytes, send, reservation, started, expected)
            attempt, seconds = attempt + 1, seconds + time.monotonic() - started
            if not isinstance(answer, Fault):
                cost = self.sizes.cost(*answer[1:])
                self.budget.spending.add(self.model.model, *answer[1:], cost)
                return Called(*answer, cost, attempt, seconds)
            self._refuse(answer)
            if answer.act != "retry":
                raise Unanswered(answer, attempt, seconds)
            if attempt >= self.model.max_attempts:
                self._give_up(answer)
                raise Unanswered(answer, attempt, seconds)
            await self._back_off(attempt, answer, stop)

    async def _send(
        self, task: str, n_bytes: int, send: Send[T], reservation: Reservation, started: float, expected: int
    ) -> tuple[T, int, int] | Fault:
        cost: float | None = reservation.cost
        try:
            async with asyncio.timeout(self.model.timeout_seconds):
                value, tokens_in, tokens_out = await self._unless_cancelled(send)
            self.sizes.learn(task, n_bytes, tokens_in, tokens_out)
            cost = self.sizes.cost(tokens_in, tokens_out)
            self._reached = self._served = True
            self._dead = 0
            self.places.faster()
            if self._tokens is not None:
                self._tokens.give_back(expected - tokens_in - tokens_out)
            return value, tokens_in, tokens_out
        except Exception as error:  # noqa: BLE001 - diagnose sorts whatever a client raises
            self.budget.check_cancelled()
            fault = diagnose(error)
            cost = reservation.cost if fault.billed else 0.0
            self.count(task, fault.name)
            if fault.slow:
                self.places.slower(started, time.monotonic())
            return fault
        finally:
            self.budget.settle(reservation, cost, time.monotonic() - started)

    async def _unless_cancelled(self, send: Send[T]) -> tuple[T, int, int]:
        """Make a call; the error that everything was cancelled with ends it at once."""
        here = asyncio.get_running_loop()
        sending = asyncio.ensure_future(send())

        def wake() -> None:
            here.call_soon_threadsafe(sending.cancel)

        forget = self.budget.on_cancel(wake)
        try:
            return await sending
        except asyncio.CancelledError:
            self.budget.check_cancelled()
            raise
        finally:
            forget()

    async def _pace(self, tokens: int, stop: Stop) -> None:
        """Wait until the server's own wish and the limits per minute allow a call; one call after another."""
        async with self._turn:
            while (wait := self._not_before - time.monotonic()) > 0:
                await self._sleep(wait, stop)
            for limit, amount in ((self._requests, 1), (self._tokens, tokens)):
                while limit is not None and (wait := limit.wait(time.monotonic(), amount)) > 0:
                    await self._sleep(wait, stop)

    async def _reserve(self, task: str, n_bytes: int, stop: Stop) -> Reservation:
        while True:
            stop.check()
            cost = self.sizes.cost(*self.sizes.maximum(task, n_bytes))
            reservation = self.budget.reserve(cost, f"{self.name}/{task}", self.sizes.known(task))
            if reservation is not None:
                return reservation
            # Calls of other models settle in the same budget, from whichever thread.
            here = asyncio.get_running_loop()
            settled = asyncio.Event()
            self.budget.on_settled(lambda here=here, settled=settled: here.call_soon_threadsafe(settled.set))  # type: ignore[misc]
            await settled.wait()

    async def _back_off(self, attempt: int, fault: Fault, stop: Stop) -> None:
        wait = self._random.uniform(0.0, min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1)))
        if fault.wait is not None:
            self._not_before = max(self._not_before, time.monotonic() + fault.wait)
            if fault.wait >= 5:
                self.log(f"{self.name}: the server asks to wait {fault.wait:.0f} s")
        async with nullcontext() if fault.slow else self.places.lent():
            await self._sleep(wait, stop)

    async def _sleep(self, seconds: float, stop: Stop) -> None:
        """Sleep in short pieces, so that a stopped run ends soon."""
        self.budget.check_minutes(seconds)
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            stop.check()
            await asyncio.sleep(min(left, 0.25))

    def _refuse(self, fault: Fault) -> None:
        """Raise ModelError for a fault that every other call would meet too."""
        self._reached = self._reached or fault.answered
        if fault.act == "stop":
            fix = fault.fix.replace("models.*", f"models.{self.name}")
            raise ModelError(f"{self._where()}: {fault.text}", _WHY[fault.name], fix)
        self._bad += fault.name == "bad_request"
        if not self._served and self._bad >= self.patience:
            fix = f"fix models.{self.name} as it says; graphstrata doctor --online tries one small call of each kind"
            raise ModelError(f"{self._where()} refuses every question: {fault.text}", _WHY["ability"], fix)
        if fault.wait is not None and fault.wait > LONGEST_SERVER_WAIT:
            raise ModelError(
                f"{self._where()}: the server asks to wait {fault.wait:.0f} s: {fault.text}",
                "so long a wait means that its limits are used up for now; what was answered is saved",
                "run the same command again after that time",
            )

    def _give_up(self, fault: Fault) -> None:
        """Raise ModelError when the server has not answered at all, or not for a long row of requests."""
        if not self._reached:
            raise ModelError(
                f"{self._where()} cannot be reached: {fault.text}",
                "no call has been answered, so no other is made",
                "check that the server runs and that base_url is right, and that the network and proxy let it through",
            )
        self._dead += 1
        if self._dead >= max(DEAD_AFTER, 2 * self.model.concurrency):
            raise ModelError(
                f"{self._where()} has not answered {self._dead} requests in a row: {fault.text}",
                f"each was tried {self.model.max_attempts} times (models.{self.name}.max_attempts); what was answered is saved",
                "run the same command again when the server is well",
            )

    def _where(self) -> str:
        place = shown_address(self.model.base_url) or self.model.provider
        return f"the model {self.name} ({self.model.model} at {place})"


_WHY = {
    "quota": "the account is out of quota or credit, so every call would be refused; what was answered is saved",
    "key_refused": "the server refuses the key, so every call would be refused; what was answered is saved",
    "not_found": "the server has no such model or address, so every call would be refused; what was answered is saved",
    "ability": "the server cannot do what every call needs; what was answered is saved",
}
