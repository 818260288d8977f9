"""Opens a language service from settings: backends, embedder, and the caps that they share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipeline.base.engine.choose import memory_mb
from pipeline.base.engine.engine import Engine
from pipeline.base.errors import ModelError
from pipeline.base.settings import EngineSettings, LimitSettings, Settings
from pipeline.base.tokens import Tokenizer
from pipeline.language.backends.backend import Backend
from pipeline.language.backends.chat import chat_backends
from pipeline.language.backends.embedder import embedder
from pipeline.language.backends.given_model import GivenModel
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.budget import Budget
from pipeline.language.cache import Cache
from pipeline.language.estimate import EstimatingBackend, EstimatingEmbedder
from pipeline.language.language import TextEmbedder
from pipeline.language.ledger import Ledger
from pipeline.language.scheduler import AHEAD, WINDOW, OnProgress
from pipeline.language.service import LanguageService
from pipeline.language.spending import Spending

REQUEST_KB = 160
"""Memory of a chunk under way with its sentences, its reply and its rows, as Python objects (measured on the podcasts)."""
WINDOWS_SHARE = 1 / 16
"""Of the memory of a run, that requests under way may take."""
LEAST_WINDOW = 32
"""Requests of a window at least, for each worker: fewer are not worth sending."""


@dataclass(frozen=True)
class Opened:
    """A language service with its embedder (None when settings name none); ``close`` closes both."""

    service: LanguageService
    embedder: TextEmbedder | None
    models: str
    """One line for a person: which models answer, or that none does."""

    def close(self) -> None:
        """Close connections, processes and cache."""
        if self.embedder:
            self.embedder.close()
        self.service.close()


def open_service(
    settings: Settings,
    root: Path,
    cache: Cache | None = None,
    *,
    engine: Engine | None = None,
    default: Backend | None = None,
    model: GivenModel | None = None,
    progress: OnProgress = lambda done, total: None,
    log: Callable[[str], None] = lambda text: None,
    batches: Path | None = None,
) -> Opened:
    """Open the language service that ``settings`` describe; ``default`` takes the place of its chat models, ``model`` of
    the one that tasks use unless they name another.

    Models whose settings say so are asked by batches, which are noted in the folder ``batches``; by calls where there is
    none. No call is made; a missing key, model or prompt file is reported here (ModelError, SettingsError).
    """
    ledger, budget = Ledger(), Budget(settings.limits, spending=Spending(cache))
    offline, window = OfflineBackend(engine), window_of(settings.engine, engine.workers if engine else 1)
    if default is not None:
        return Opened(
            LanguageService(offline, ledger, default, cache, progress=progress, window=window),
            None,
            f"answered by {default.name}",
        )
    chat, by_task = chat_backends(settings, ledger, budget, root, log=log, given=model, engine=engine)
    vectors = embedder(settings, ledger, budget, cache, log)
    backends: dict[str, Backend] = {**by_task, **({"": chat} if chat else {})}
    at_once = None
    if batches is not None and any(one.model.batch for one in (chat, *by_task.values()) if one):
        from pipeline.language.backends.batch import batched
        from pipeline.language.transport.batch_files import MOST_REQUESTS

        backends, at_once = batched(backends, batches, cache, log), MOST_REQUESTS
    main = backends.pop("", None)
    service = LanguageService(offline, ledger, main, cache, backends, progress, window, budget, at_once)
    return Opened(service, vectors, _models(settings, model))


def window_of(engine: EngineSettings, workers: int) -> int:
    """Return how many requests are answered without a model at a time: as many as keep the workers busy, and fewer where
    those under way would take more than their share of the memory of a run."""
    room = memory_mb(engine) * 1000 * WINDOWS_SHARE / ((AHEAD + 1) * REQUEST_KB)
    return int(max(LEAST_WINDOW * workers, min(WINDOW * workers, room)))


def question_vectors(
    settings: Settings, cache: Cache | None, texts: Sequence[str], ledger: Ledger | None = None
) -> NDArray[np.float32] | None:
    """Return vectors of questions by the embedding model of ``settings``; None when they name none. Needs no chat model.
    What they cost is entered in ``ledger``.

    Raises ModelError when a question gets no vector.
    """
    budget = Budget(settings.limits, spending=Spending(cache))
    vectors = embedder(settings, ledger or Ledger(), budget, cache)
    if vectors is None:
        return None
    try:
        embedded = vectors.embed(texts, questions=True)
    finally:
        vectors.close()
    for failure in embedded.failures.values():
        raise ModelError(
            f"the question has no vector: {failure.reason}",
            "passages near it in meaning cannot be found",
            "see language.embedding in settings; null does without vectors",
        )
    return embedded.vectors


def open_estimate(settings: Settings, root: Path, tokenizer: Tokenizer, cache: Cache | None) -> Opened:
    """Open a language service that reckons what the models of ``settings`` would take: no key is needed and no call is made."""
    ledger, uncapped = Ledger(), Budget(LimitSettings())
    chat, by_task = chat_backends(settings, ledger, uncapped, root, need_key=False)
    vectors = embedder(settings, ledger, uncapped, cache, need_key=False)
    default = EstimatingBackend(chat, tokenizer, ledger) if chat else None
    others = {task: EstimatingBackend(model, tokenizer, ledger) for task, model in by_task.items()}
    service = LanguageService(OfflineBackend(), ledger, default, cache, others, estimates=True)
    return Opened(service, EstimatingEmbedder(vectors, tokenizer) if vectors else None, _models(settings))


def _models(settings: Settings, given: GivenModel | None = None) -> str:
    named = [
        None if given else settings.language.default,
        *(own.model for own in settings.tasks.values()),
        settings.language.embedding,
    ]
    models = [f"{name} ({settings.models[name].model})" for name in sorted({name for name in named if name})]
    models = [f"{given.name} (given by the program)", *models] if given else models
    return f"models: {', '.join(models)}" if models else "no model in settings: done without a model, key or network"
