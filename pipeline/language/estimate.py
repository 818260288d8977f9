"""The cost of a run before it: requests to models, counted with replies made without a model in place of theirs."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.base.ids import dump
from pipeline.base.task import Prose, Request, Task
from pipeline.base.tokens import Tokenizer
from pipeline.language.backends.backend import Answers, Replies, Requests
from pipeline.language.backends.chat import ModelBackend
from pipeline.language.backends.embedder import TASK as EMBED
from pipeline.language.backends.embedder import Embedder
from pipeline.language.budget import BATCH_SHARE
from pipeline.language.cache import Cache, StoredReply
from pipeline.language.language import Embedded, Reply
from pipeline.language.ledger import Ledger
from pipeline.language.transport.schema import strict_schema

MESSAGE_TOKENS = 8
"""Tokens that the chat protocol adds around a system and a user message."""
GLEANED_TOKENS = 100
"""Tokens out that a round of gleaning is assumed to add: two or three records."""


@dataclass
class EstimatingBackend:
    """Replaces a model: its keys, its prompts and its prices, but each task's own reply without a model and no call.

    Tokens in are those of the rendered question and the reply's schema, tokens out those of the reply. A task that only
    a model can add to (a gleaning) is assumed to add something, so that all its rounds are counted.
    """

    model: ModelBackend
    tokenizer: Tokenizer
    ledger: Ledger
    paid: bool = True
    name: str = field(init=False)
    _rounds: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """How often a stage made a request for an item that only a model can add to."""

    def __post_init__(self) -> None:
        self.name = self.model.name

    def parts(self, task: Task[Any, Any], request: Request) -> dict[str, str]:
        """The model's: what its cache holds is found. Rounds of gleaning differ, as they would by what was found."""
        parts = self.model.parts(task, request)
        if task.only_model:
            place = (self.ledger.stage, task.name, request.item)
            self._rounds[place] += 1
            parts |= {"round": str(self._rounds[place])} if self._rounds[place] > 1 else {}
        return parts

    def signature(self, task: Task[Any, Any]) -> str:
        """The model's: what is up to date for it is so for the estimate."""
        return self.model.signature(task)

    def begin(self, task: Task[Any, Any], requests: Requests, answers: Answers, stream: bool = False) -> None:
        """Answer all together, when the answers are taken."""
        answers.later(partial(self._answers, task, requests))

    def _answers(self, task: Task[Any, Any], requests: Requests) -> Replies:
        schema = self.tokenizer.count(dump(strict_schema(task.reply))) if task.reply is not Prose else 0
        values = [task.offline(request) for _, request in requests]
        sizes_in = self.tokenizer.counts(["\n".join(self.model.render(task, request)) for _, request in requests])
        sizes_out = self.tokenizer.counts([value.model_dump_json() for value in values])
        replies: Replies = []
        for (tag, _), value, size_in, size_out in zip(requests, values, sizes_in, sizes_out, strict=True):
            tokens = size_in + schema + MESSAGE_TOKENS, size_out + (GLEANED_TOKENS if task.only_model else 0)
            cost = self.model.limiter.sizes.cost(*tokens)
            cost = cost * BATCH_SHARE if cost is not None and self.model.model.batch else cost
            replies.append((tag, Reply(value, self.name, *tokens, cost, assumed=task.only_model)))
        return replies

    def close(self) -> None:
        """Nothing to close: no client was built."""


@dataclass
class EstimatingEmbedder:
    """Replaces an embedding model: counts the calls and tokens that it would take, and gives no vector."""

    embedder: Embedder
    tokenizer: Tokenizer

    def signature(self) -> str:
        """The model's."""
        return self.embedder.signature()

    def embed(self, texts: Sequence[str], size: int | None = None) -> Embedded:
        """Enter the calls for the texts that the cache does not have; the vectors are zeros of length 1."""
        for n_texts, n_tokens in self.embedder.needed(texts, self.tokenizer):
            cost = self.embedder.limiter.sizes.cost(n_tokens, 0)
            self.embedder.ledger.call(
                EMBED, f"{n_texts} texts", self.embedder.model.model, False, (n_tokens, 0), cost, 0.0
            )
        return Embedded(np.zeros((len(texts), 1), np.float32), {})

    def close(self) -> None:
        """Nothing to close: no client was built."""


class EstimateCache(Cache):
    """The replies of a cache that is left as it is, and those assumed in an estimate, which go to a file of their own: what
    a run would find in its cache because an earlier stage made the same request is then found here."""

    def __init__(self, scratch: Path, path: Path) -> None:
        super().__init__(scratch / "assumed.sqlite", run=0)
        self._stored = _ReadOnlyCache(path, run=0) if path.exists() else None

    def get(self, keys: Sequence[str]) -> dict[str, StoredReply]:
        """Return the replies that are in either file."""
        return (self._stored.get(keys) if self._stored else {}) | super().get(keys)

    def get_vectors(self, keys: Sequence[str], stage: str) -> dict[str, bytes]:
        """Return the vectors that are stored; an estimate makes none."""
        return self._stored.get_vectors(keys, stage) if self._stored else {}

    def close(self) -> None:
        """Close both files."""
        if self._stored:
            self._stored.close()
        super().close()


class _ReadOnlyCache(Cache):
    def _write(self, statement: str = "", values: Sequence[tuple[object, ...]] = ()) -> None:
        """Mark nothing as used."""
