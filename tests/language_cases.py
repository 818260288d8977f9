"""What the tests of models share: a small task, its questions, and a language service in front of a look-alike server."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import BaseModel, Field

from pipeline.base.engine.engine import Engine
from pipeline.base.settings import LimitSettings, Settings, parse_settings
from pipeline.base.task import Prompt, Prose, Request, Task
from pipeline.language.backends.backend import Backend
from pipeline.language.backends.chat import ModelBackend, chat_backends
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.budget import Budget
from pipeline.language.cache import Cache
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.language.transport import rate_limit
from pipeline.language.transport.rate_limit import RateLimiter
from tests.lookalike import LookAlike


class Entity(BaseModel):
    title: str = Field(description="its name", min_length=1)
    type: str = Field(description="what it is")


class Tie(BaseModel):
    source: str = Field(description="one end")
    target: str = Field(description="the other end")
    weight: float = Field(description="strength", gt=0)


class Found(BaseModel):
    """What a text holds."""

    entities: list[Entity] = Field(description="all entities")
    ties: list[Tie] = Field(description="all ties")


@dataclass(frozen=True)
class Chunk(Request):
    text: str


def offline(request: Chunk) -> Found:
    return Found(entities=[Entity(title=request.text, type="offline")], ties=[])


READ = Task("read", Prompt("You read. Answer in {language}.", "Read this:\n{text}"), Chunk, Found, offline)
AGAIN = Task("again", Prompt("You read again.", "What was missed in:\n{text}"), Chunk, Found, offline)
REPORT = Task("report", READ.prompt, Chunk, Found, offline, fallback=True)
DESCRIBE = Task(
    "describe", Prompt("You describe.", "Describe {text}"), Chunk, Prose, lambda request: Prose(text=request.text)
)
TASKS: dict[str, Task[Any, Any]] = {task.name: task for task in (READ, AGAIN, REPORT, DESCRIBE)}


TEN_MORE = 10 * 60 / 1101 - 1e-6
"""Seconds until 110 calls at 1200 a minute are made: a hundred may go at once, ten more come at 1101 a minute."""


def waiting_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[], float]:
    """Have rate limits go by a clock that only their own waiting moves; return what says how long they waited."""
    clock = [1000.0]

    async def sleep(limiter: RateLimiter, seconds: float, stop: object) -> None:
        clock[0] += seconds

    monkeypatch.setattr(rate_limit, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(RateLimiter, "_sleep", sleep)
    return lambda: clock[0] - 1000.0


def chunks(n: int) -> list[Chunk]:
    return [Chunk(f"chunk {i:03}", f"The {i}th text speaks of Carrow and of {i} ships.") for i in range(n)]


def settings_for(url: str, limits: dict[str, Any] | None = None, **model: Any) -> Settings:
    given = {"model": "look-alike", "base_url": url, "max_attempts": 4, "timeout_seconds": 20, **model}
    sections = {"models": {"m": given}, "language": {"default": "m"}, "search": {"check_support": "words"}}
    return parse_settings({**sections, "limits": limits or {}})


@dataclass
class Case:
    """A service, and what it is made of."""

    service: LanguageService
    backend: ModelBackend
    ledger: Ledger
    budget: Budget

    @property
    def faults(self) -> dict[str, int]:
        """Faults by name, over all tasks."""
        found: dict[str, int] = {}
        for (_, _, name), count in self.ledger.faults.items():
            found[name] = found.get(name, 0) + count
        return found


@contextmanager
def at(
    server: LookAlike | str, folder: Path | None = None, engine: Engine | None = None, **given: Any
) -> Iterator[Case]:
    """Put a language service in front of ``server``; with a cache when there is a folder, called by the workers of ``engine``."""
    settings = settings_for(server if isinstance(server, str) else server.url, **given)
    ledger, budget = Ledger("test"), Budget(LimitSettings(**settings.limits.model_dump()))
    default, backends = chat_backends(settings, ledger, budget, tasks=TASKS, engine=engine)
    assert default is not None
    cache = Cache(folder / "cache.sqlite", 1) if folder else None
    service = LanguageService(OfflineBackend(), ledger, default, cache, backends)
    try:
        yield Case(service, default, ledger, budget)
    finally:
        service.close()


def answered(backend: Backend, task: Task[Any, Any], requests: list[Any]) -> list[tuple[Any, Any]]:
    """Return requests with what ``backend`` answers to them."""
    return list(LanguageService(OfflineBackend(), Ledger(), backend).map(task, requests))
