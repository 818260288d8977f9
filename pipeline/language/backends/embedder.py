"""Vectors of texts by an embedding model: batched, stored in the reply cache's file, of unit length, size checked."""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.base.errors import ModelError
from pipeline.base.ids import content_id
from pipeline.base.settings import ModelSettings, Settings
from pipeline.base.task import Failure
from pipeline.base.tokens import Tokenizer, batches_within
from pipeline.language.budget import Budget
from pipeline.language.cache import Cache
from pipeline.language.language import Embedded
from pipeline.language.ledger import Ledger
from pipeline.language.transport import event_loop
from pipeline.language.transport.api_keys import read_key
from pipeline.language.transport.providers import embedding_client, own_server
from pipeline.language.transport.rate_limit import Called, RateLimiter, Send, Unanswered
from pipeline.language.transport.structured import counted
from pipeline.language.transport.task_pool import Stop, TaskPool

Vectors = NDArray[np.float32]

TASK = "embed"
"""What calls for vectors are entered as."""
BATCH_TEXTS, BATCH_BYTES = 128, 200_000
"""Most texts and bytes of one call: OpenAI takes 2,048 texts and 300,000 tokens; smaller servers are met by halving."""
PATIENCE = 64
"""Batches refused before any was taken, after which it is not their length that the server dislikes."""


@dataclass(frozen=True)
class _Batch:
    positions: tuple[int, ...]
    texts: tuple[str, ...]

    @property
    def n_bytes(self) -> int:
        return sum(len(text.encode("utf-8", "replace")) for text in self.texts)

    def halves(self) -> "tuple[_Batch, _Batch]":
        cut = len(self.texts) // 2
        return _Batch(self.positions[:cut], self.texts[:cut]), _Batch(self.positions[cut:], self.texts[cut:])


@dataclass(frozen=True)
class _Got:
    """The vectors of a batch, or why a text has none; what the call took. ``again``: the server refused the batch, which
    is to be halved until the text at fault is alone."""

    vectors: dict[int, Vectors]
    failures: dict[int, Failure]
    tokens: int
    cost: float | None
    seconds: float
    again: bool = False


@dataclass
class Embedder:
    """One embedding model. The client is built when a text is met that the cache does not have."""

    name: str
    model: ModelSettings
    limiter: RateLimiter
    ledger: Ledger
    cache: Cache | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _client: tuple[Any, Any] | None = field(default=None, repr=False)

    def signature(self) -> str:
        """Return what shapes every vector: the provider, the model, wherever it is served, and what it wants before a text."""
        return " ".join(filter(None, (self.model.provider, self.model.model, self.model.text_prefix)))

    def embed(self, texts: Sequence[str], size: int | None = None, questions: bool = False) -> Embedded:
        """Return the vectors of ``texts``, or of questions that are compared with them, each requested once.

        Raises ModelError when vectors differ in size from each other or from ``size``, or no call makes sense;
        BudgetError when a cap forbids the next call. What came before is in the cache.
        """
        texts = self._as_sent(texts, questions)
        keys = [content_id(TASK, self.signature(), text) for text in texts]
        found = self._cached(keys, size)
        missing = {key: position for position, key in reversed(list(enumerate(keys))) if key not in found}
        failures = {key: Failure("an empty text has no vector") for key, at in missing.items() if not texts[at].strip()}
        fresh_at = sorted(at for key, at in missing.items() if key not in failures)

        def store(finished: list[tuple[_Batch, _Got]]) -> None:
            fresh = {keys[at]: vector for _, got in finished for at, vector in got.vectors.items()}
            self._check_size([*fresh.values(), *list(found.values())[:1]], size)
            found.update(fresh)
            self._store(fresh)

        for got in self._requested(texts, fresh_at, store):
            failures |= {keys[at]: failure for at, failure in got.failures.items()}
        return self._gathered(keys, found, failures, size)

    def needed(self, texts: Sequence[str], tokenizer: Tokenizer) -> Iterator[tuple[int, int]]:
        """Yield (texts, tokens) of each call that ``embed`` would make now; no call is made."""
        texts = self._as_sent(texts)
        keys = [content_id(TASK, self.signature(), text) for text in texts]
        stored = self._stored(keys)
        first = {key: at for at, key in reversed(list(enumerate(keys))) if key not in stored and texts[at].strip()}
        for batch in _batches(texts, sorted(first.values())):
            yield len(batch.texts), sum(tokenizer.counts(batch.texts))

    def _as_sent(self, texts: Sequence[str], questions: bool = False) -> list[str]:
        """The texts behind what the model wants before them; an empty one stays empty."""
        prefix = self.model.question_prefix if questions else self.model.text_prefix
        return [prefix + text if text.strip() else text for text in texts]

    def close(self) -> None:
        """Close the connections."""
        if self._client is not None and self._client[1] is not None:
            event_loop.run(self._client[1].aclose())
        self._client = None

    def _gathered(
        self, keys: list[str], found: dict[str, Vectors], failures: dict[str, Failure], size: int | None
    ) -> Embedded:
        width = next((len(vector) for vector in found.values()), size or 0)
        vectors = np.zeros((len(keys), width), np.float32)
        for position, key in enumerate(keys):
            if key in found:
                vectors[position] = found[key]
        return Embedded(vectors, {at: failures[key] for at, key in enumerate(keys) if key in failures})

    def _cached(self, keys: list[str], size: int | None) -> dict[str, Vectors]:
        found = {key: np.frombuffer(one, "<f4").astype(np.float32) for key, one in self._stored(keys).items()}
        self._check_size(list(found.values()), size)
        if found:
            self.ledger.call(TASK, f"{len(found)} texts", self.model.model, True, (0, 0), 0.0, 0.0)
        return found

    def _stored(self, keys: list[str]) -> dict[str, bytes]:
        return self.cache.get_vectors(sorted(set(keys)), self.ledger.stage) if self.cache else {}

    def _store(self, fresh: dict[str, Vectors]) -> None:
        if self.cache is not None and fresh:
            rows = [(key, vector.astype("<f4").tobytes()) for key, vector in fresh.items()]
            self.cache.put_vectors(rows, self.ledger.stage)

    def _requested(
        self, texts: Sequence[str], positions: list[int], store: Callable[[list[tuple[_Batch, _Got]]], None]
    ) -> Iterator[_Got]:
        """Yield what each batch brought, stored and entered."""
        if not positions:
            return
        self._embeddings()
        pool: TaskPool[_Got] = TaskPool(store)
        try:
            pool.begin((batch, partial(self._batch, pool, batch)) for batch in _batches(texts, positions))
            for finished in pool.results():
                for batch, got in finished:
                    item = f"{len(batch.texts)} texts"
                    self.ledger.call(TASK, item, self.model.model, False, (got.tokens, 0), got.cost, got.seconds)
                    if got.again:
                        pool.begin((half, partial(self._batch, pool, half)) for half in batch.halves())
                    yield got
        finally:
            pool.close()

    async def _batch(self, pool: TaskPool[_Got], batch: _Batch, stop: Stop) -> _Got:
        try:
            async with self.limiter.places:
                called = await self.limiter.call(TASK, batch.n_bytes, self._sender(batch), stop)
                got = self._got(batch, called)
                await pool.keep(batch, got)
                return got
        except Unanswered as error:
            if error.fault.act == "fail" and len(batch.texts) > 1:
                return _Got({}, {}, 0, 0.0, error.seconds, again=True)
            failure = Failure(f"{error.fault.name}: {error.fault.text}", error.attempts)
            return _Got({}, dict.fromkeys(batch.positions, failure), 0, 0.0, error.seconds)

    @staticmethod
    def _got(batch: _Batch, called: Called[list[NDArray[np.float64]]]) -> _Got:
        """Return the vectors of a batch at unit length."""
        made: dict[int, Vectors] = {}
        failures: dict[int, Failure] = {}
        for position, vector in zip(batch.positions, called.value, strict=True):
            length = float(np.linalg.norm(vector))
            if np.isfinite(length) and length > 0:
                made[position] = (vector / length).astype(np.float32)
            else:
                failures[position] = Failure("misfit: the vector is zero or not finite", called.attempts)
        return _Got(made, failures, called.tokens_in, called.cost, called.seconds)

    def _sender(self, batch: _Batch) -> Send[list[NDArray[np.float64]]]:
        async def send() -> tuple[list[NDArray[np.float64]], int, int]:
            client, _ = self._embeddings()
            used: int | None = None
            if self.model.provider in ("openai", "azure"):
                # The protocol's client itself: LangChain's method drops the tokens that were used.
                form = {"encoding_format": "float"} if own_server(self.model) else {}
                answer = await client.async_client.create(model=self.model.model, input=list(batch.texts), **form)
                vectors = [row.embedding for row in sorted(answer.data, key=lambda row: row.index)]
                used = answer.usage.prompt_tokens if answer.usage else None
            else:
                vectors = await client.aembed_documents(list(batch.texts))
            if len(vectors) != len(batch.texts):
                raise ValueError(f"{len(vectors)} vectors came for {len(batch.texts)} texts")
            return [np.asarray(vector, np.float64) for vector in vectors], counted(used, batch.n_bytes), 0

        return send

    def _embeddings(self) -> tuple[Any, Any]:
        with self._lock:
            if self._client is None:
                self._client = embedding_client(self.name, self.model)
            return self._client

    def _check_size(self, vectors: list[Vectors], size: int | None) -> None:
        sizes = {len(vector) for vector in vectors} | ({size} if size else set())
        if len(sizes) > 1:
            raise ModelError(
                f"the model {self.name} ({self.model.model}) gives vectors of {' and '.join(map(str, sorted(sizes)))}",
                "vectors of different sizes cannot be compared, so the index would be of no use",
                "name the model that the index was made with, or give the new one another name and index again",
            )


def embedder(
    settings: Settings,
    ledger: Ledger,
    budget: Budget | None = None,
    cache: Cache | None = None,
    log: Callable[[str], None] = lambda line: None,
    need_key: bool = True,
) -> Embedder | None:
    """Return the embedder of ``language.embedding``, or None when settings name none. Makes no call; a missing key
    (ModelError, unless ``need_key`` is off) and a missing price under a cap on cost (SettingsError) are reported here."""
    name = settings.language.embedding
    if name is None:
        return None
    model, budget = settings.models[name], budget or Budget(settings.limits)
    if need_key:
        read_key(name, model)
    budget.check_model(name, model)
    return Embedder(name, model, RateLimiter(name, model, budget, ledger.fault, log, patience=PATIENCE), ledger, cache)


def _batches(texts: Sequence[str], positions: list[int]) -> Iterator[_Batch]:
    """Group positions in order, up to BATCH_TEXTS and BATCH_BYTES; a longer text is alone in its batch."""
    sizes = (len(texts[position].encode("utf-8", "replace")) for position in positions)
    for cut in batches_within(sizes, BATCH_BYTES, BATCH_TEXTS):
        yield _Batch(tuple(positions[cut]), tuple(texts[at] for at in positions[cut]))
