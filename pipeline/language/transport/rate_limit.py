"""A lane to one model: how many calls at once and per minute, what is tried again and when, what stops the run."""

import asyncio
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Generic, TypeVar

from pipeline.base.errors import ModelError
from pipeline.base.settings import ModelSettings
from pipeline.language.budget import Budget, Hold, Sizes
from pipeline.language.departure import TELL_DEPARTURE, Departure
from pipeline.language.transport.api_keys import plain_address
from pipeline.language.transport.classify_errors import Trouble, diagnose
from pipeline.language.transport.task_pool import Stop, Stopped

T = TypeVar("T")

FIRST_WAIT, LONGEST_WAIT = 0.5, 60.0
"""Seconds: the back-off before the second try is drawn from 0 to the first, doubled for each further try."""
LONGEST_ASKED_WAIT = 600.0
"""Seconds: a server that asks to wait longer than this is out of service for this run."""
DEAD_AFTER = 50
"""Requests in a row that ended without any answer, at least, before the server is given up for this run."""
BAD_BEFORE_GOOD = 3
"""Questions refused as malformed, before any was answered, after which the request itself is held to be at fault."""


class Unanswered(Exception):
    """A call that brought no reply after all its tries, or that the server refused for itself alone."""

    def __init__(self, trouble: Trouble, attempts: int, seconds: float) -> None:
        super().__init__(trouble.text)
        self.trouble, self.attempts, self.seconds = trouble, attempts, seconds


@dataclass(frozen=True)
class Sent(Generic[T]):
    """What a call brought, the tries and the seconds that it took."""

    value: T
    attempts: int
    seconds: float


Used = Callable[[T], tuple[int, int]]
"""Returns the (tokens in, tokens out) of what a call brought."""


class Bucket:
    """A pace per minute: ``amount`` may be taken when ``wait`` returns 0. Never more than ``limit`` in any minute, as
    long as no single amount exceeds a twelfth of it (a burst of five seconds' worth, since some servers look at windows
    of a second to ten)."""

    def __init__(self, limit: int) -> None:
        self._burst = max(1.0, limit // 12)
        self._rate = (limit - self._burst + 1) / 60
        self._level, self._at = self._burst, 0.0

    def wait(self, now: float, amount: float) -> float:
        """Take ``amount`` and return 0, or return the seconds until it is worth asking again."""
        self._level = min(self._burst, self._level + max(0.0, now - self._at) * self._rate)
        self._at = now
        # An amount above the burst goes through when the bucket is full, and leaves a debt.
        lacking = min(amount, self._burst) - self._level
        if lacking > 1e-9:
            return lacking / self._rate
        self._level -= amount
        return 0.0

    def give_back(self, amount: float) -> None:
        """Correct an amount that was reckoned too high (or, below 0, too low)."""
        self._level = min(self._burst, self._level + amount)


class Slots:
    """Places for calls at once: halved when the server wants fewer, regained one by one as calls succeed."""

    def __init__(self, most: int) -> None:
        self.most, self.open = most, float(most)
        self._busy = 0
        self._queue: deque[asyncio.Future[None]] = deque()
        self._slowed = float("-inf")

    async def take(self) -> None:
        """Wait for a place; first come, first served."""
        while self._busy >= int(self.open):
            place = asyncio.get_running_loop().create_future()
            self._queue.append(place)
            try:
                await place
            except asyncio.CancelledError:
                self._next()
                raise
        self._busy += 1

    def give(self) -> None:
        """Leave the place to the next."""
        self._busy -= 1
        self._next()

    def faster(self) -> None:
        """A call succeeded."""
        if self.open < self.most:
            self.open = min(float(self.most), self.open + 1 / self.open)
            self._next()

    def slower(self, started: float, now: float) -> None:
        """A call that started at ``started`` met a limit. Calls of one burst count once."""
        if started > self._slowed:
            self.open, self._slowed = max(1.0, self.open / 2), now

    def _next(self) -> None:
        free = int(self.open) - self._busy
        while self._queue and free > 0:
            place = self._queue.popleft()
            if not place.done():
                place.set_result(None)
                free -= 1


class Lane:
    """All calls of one process to one model go through here. ``call`` runs on the loop of ``pipeline.language.transport.event_loop``.

    ``count`` is told each trouble (task, name); ``told`` is told a line when the server asks to wait. ``seed`` shapes
    only when calls are tried again. ``patience`` is how many questions may be refused before any is answered.
    """

    def __init__(
        self,
        name: str,
        model: ModelSettings,
        budget: Budget,
        count: Callable[[str, str], None] = lambda task, name: None,
        told: Callable[[str], None] = lambda line: None,
        seed: int = 1431,
        patience: int = BAD_BEFORE_GOOD,
    ) -> None:
        self.name, self.model, self.budget, self.count, self.told = name, model, budget, count, told
        self.patience = patience
        self.sizes = Sizes(model)
        self.slots = Slots(model.concurrency)
        self._requests = Bucket(model.requests_per_minute) if model.requests_per_minute else None
        self._tokens = Bucket(model.tokens_per_minute) if model.tokens_per_minute else None
        self._turn = asyncio.Lock()
        self._departure = Departure() if model.provider in TELL_DEPARTURE else nullcontext()
        self._random = random.Random(seed)
        self._not_before = 0.0
        self._reached = self._served = False
        self._dead = self._bad = 0

    async def call(
        self, task: str, n_bytes: int, send: Callable[[], Awaitable[T]], used: Used[T], stop: Stop
    ) -> Sent[T]:
        """Make a call of ``n_bytes`` of question, trying again as the settings say.

        Raises Unanswered for this request alone, Stopped when ``stop`` was set meanwhile, and ModelError or BudgetError
        when no further call of the run makes sense.
        """
        seconds, attempt = 0.0, 0
        while True:
            if stop.error is not None:
                raise Stopped
            found = await self._try(task, n_bytes, send, used, stop)
            attempt, seconds = attempt + 1, seconds + found.seconds
            trouble = found.value
            if not isinstance(trouble, Trouble):
                return Sent(trouble, attempt, seconds)
            self._judge(trouble)
            if trouble.act == "retry" and attempt < self.model.max_attempts:
                await self._back_off(attempt, trouble, stop)
                continue
            if trouble.act == "retry":
                self._give_up(trouble)
            raise Unanswered(trouble, attempt, seconds)

    async def _try(
        self, task: str, n_bytes: int, send: Callable[[], Awaitable[T]], used: Used[T], stop: Stop
    ) -> Sent[T | Trouble]:
        await self.slots.take()
        try:
            reckoned = self.sizes.usual(task, n_bytes)
            await self._pace(reckoned, stop)
            hold = await self._hold(task, n_bytes, stop)
            return await self._send(task, n_bytes, send, used, hold, reckoned)
        finally:
            self.slots.give()

    async def _send(
        self, task: str, n_bytes: int, send: Callable[[], Awaitable[T]], used: Used[T], hold: Hold, reckoned: int
    ) -> Sent[T | Trouble]:
        started = time.monotonic()
        cost: float | None = hold.cost
        try:
            async with self._departure, asyncio.timeout(self.model.timeout_seconds):
                value = await send()
            tokens_in, tokens_out = used(value)
            self.sizes.learn(task, n_bytes, tokens_in, tokens_out)
            cost = self.sizes.cost(tokens_in, tokens_out)
            self._answered(reckoned - tokens_in - tokens_out)
            return Sent(value, 1, time.monotonic() - started)
        except Exception as error:  # noqa: BLE001 - whatever a client raises is told apart by diagnose
            trouble = diagnose(error)
            cost = hold.cost if trouble.billed else 0.0
            self.count(task, trouble.name)
            if trouble.slow:
                self.slots.slower(started, time.monotonic())
            return Sent(trouble, 1, time.monotonic() - started)
        finally:
            self.budget.settle(hold, cost, time.monotonic() - started)

    def _answered(self, too_high: int) -> None:
        self._reached = self._served = True
        self._dead = 0
        self.slots.faster()
        if self._tokens is not None:
            self._tokens.give_back(too_high)

    async def _pace(self, tokens: int, stop: Stop) -> None:
        """Wait until the server's own wish and the limits per minute allow a call; one call after another."""
        async with self._turn:
            while (wait := self._not_before - time.monotonic()) > 0:
                await self._sleep(wait, stop)
            for bucket, amount in ((self._requests, 1), (self._tokens, tokens)):
                while bucket is not None and (wait := bucket.wait(time.monotonic(), amount)) > 0:
                    await self._sleep(wait, stop)

    async def _hold(self, task: str, n_bytes: int, stop: Stop) -> Hold:
        while True:
            if stop.error is not None:
                raise Stopped
            cost = self.sizes.cost(*self.sizes.worst(task, n_bytes))
            hold = self.budget.hold(cost, f"{self.name}/{task}", self.sizes.known(task))
            if hold is not None:
                return hold
            settled: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self.budget.on_settled(lambda settled=settled: settled.done() or settled.set_result(None))  # type: ignore[misc]
            await settled

    async def _back_off(self, attempt: int, trouble: Trouble, stop: Stop) -> None:
        wait = self._random.uniform(0.0, min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1)))
        if trouble.wait is not None:
            self._not_before = max(self._not_before, time.monotonic() + trouble.wait)
            if trouble.wait >= 5:
                self.told(f"{self.name}: the server asks to wait {trouble.wait:.0f} s")
        await self._sleep(wait, stop)

    async def _sleep(self, seconds: float, stop: Stop) -> None:
        """Sleep in short pieces, so that a stopped run ends soon."""
        self.budget.check_minutes(seconds)
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if stop.error is not None:
                raise Stopped
            await asyncio.sleep(min(left, 0.25))

    def _judge(self, trouble: Trouble) -> None:
        """Raise ModelError for a trouble that every other call would meet too."""
        self._reached = self._reached or trouble.answered
        if trouble.act == "stop":
            fix = trouble.fix.replace("models.*", f"models.{self.name}")
            raise ModelError(f"{self._where()}: {trouble.text}", _WHY[trouble.name], fix)
        self._bad += trouble.name == "bad_request"
        if not self._served and self._bad >= self.patience:
            fix = f"mend models.{self.name} as it says; graphstrata doctor --online tries one small call of each kind"
            raise ModelError(f"{self._where()} refuses every question: {trouble.text}", _WHY["ability"], fix)
        if trouble.wait is not None and trouble.wait > LONGEST_ASKED_WAIT:
            raise ModelError(
                f"{self._where()}: the server asks to wait {trouble.wait:.0f} s: {trouble.text}",
                "so long a wait means that its limits are used up for now; what was answered is saved",
                "run the same command again after that time",
            )

    def _give_up(self, trouble: Trouble) -> None:
        """Raise ModelError when the server has not answered at all, or not for a long row of requests."""
        if not self._reached:
            raise ModelError(
                f"{self._where()} cannot be reached: {trouble.text}",
                "no call has been answered, so the run stops at once",
                "see that the server runs and that base_url is right, and that the network and proxy let it through",
            )
        self._dead += 1
        if self._dead >= max(DEAD_AFTER, 2 * self.model.concurrency):
            raise ModelError(
                f"{self._where()} has not answered {self._dead} requests in a row: {trouble.text}",
                f"each was tried {self.model.max_attempts} times (models.{self.name}.max_attempts); what was answered is saved",
                "run the same command again when the server is well",
            )

    def _where(self) -> str:
        place = plain_address(self.model.base_url) or self.model.provider
        return f"the model {self.name} ({self.model.model} at {place})"


_WHY = {
    "quota": "the account is out of quota or credit, so every call would be refused; what was answered is saved",
    "key_refused": "the server refuses the key, so every call would be refused; what was answered is saved",
    "not_found": "the server has no such model or address, so every call would be refused; what was answered is saved",
    "ability": "the server cannot do what every call asks for; what was answered is saved",
}
