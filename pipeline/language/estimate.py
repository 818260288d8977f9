"""The bill before the run: what models would be asked, counted with the offline replies in place of theirs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.base.ids import dump
from pipeline.base.task import Failure, ReplyT, Request, RequestT, Task
from pipeline.base.tokens import Tokenizer
from pipeline.language.backends.chat import ModelBackend
from pipeline.language.backends.embedder import TASK as EMBED
from pipeline.language.backends.embedder import Embedder
from pipeline.language.cache import Cache, Kept
from pipeline.language.language import Embedded, Reply
from pipeline.language.transport.schema import strict_schema

MESSAGE_TOKENS = 8
"""Tokens that the chat protocol adds around a system and a user message."""


@dataclass
class EstimatingBackend:
    """Stands in for a model: its keys, its prompts and its prices, but the offline replies and no call.

    Tokens in are those of the rendered question and the reply's schema, tokens out those of the offline reply.
    """

    model: ModelBackend
    tokenizer: Tokenizer
    paid: bool = True
    window: int = 1024
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = self.model.name

    def parts(self, task: Task[Any, Any], request: Request) -> dict[str, str]:
        """The model's: what its cache holds is found."""
        return self.model.parts(task, request)

    def signature(self, task: Task[Any, Any]) -> str:
        """The model's: what is up to date for it is so for the estimate."""
        return self.model.signature(task)

    def answer(
        self, task: Task[RequestT, ReplyT], requests: Sequence[RequestT]
    ) -> Iterator[tuple[int, Reply[ReplyT] | Failure]]:
        """Yield the offline replies at the model's price."""
        schema = self.tokenizer.count(dump(strict_schema(task.reply)))
        questions = ["\n".join(self.model.render(task, request)) for request in requests]
        for position, (request, size) in enumerate(zip(requests, self.tokenizer.counts(questions), strict=True)):
            value = task.offline(request)
            tokens_in = size + schema + MESSAGE_TOKENS
            tokens_out = self.tokenizer.count(value.model_dump_json())
            cost = self.model.lane.sizes.cost(tokens_in, tokens_out)
            yield position, Reply(value, self.name, tokens_in, tokens_out, cost)

    def close(self) -> None:
        """Nothing to let go of: no client was built."""


@dataclass
class EstimatingEmbedder:
    """Stands in for an embedding model: counts the calls and tokens that it would take, and gives no vector."""

    embedder: Embedder
    tokenizer: Tokenizer

    def signature(self) -> str:
        """The model's."""
        return self.embedder.signature()

    def embed(self, texts: Sequence[str], size: int | None = None) -> Embedded:
        """Enter the calls for the texts that the cache does not hold; the vectors are zeros of length 1."""
        for n_texts, n_tokens in self.embedder.needed(texts, self.tokenizer):
            cost = self.embedder.lane.sizes.cost(n_tokens, 0)
            self.embedder.ledger.call(
                EMBED, f"{n_texts} texts", self.embedder.model.model, False, (n_tokens, 0), cost, 0.0
            )
        return Embedded(np.zeros((len(texts), 1), np.float32), {})

    def close(self) -> None:
        """Nothing to let go of: no client was built."""


class ReadOnlyCache(Cache):
    """A cache that is looked into and left as it is."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, run=0)

    def put(self, rows: Sequence[tuple[str, str, str, str, Mapping[str, str], Kept]]) -> None:
        """Keep nothing."""

    def _write(self, statement: str, values: Sequence[tuple[object, ...]]) -> None:
        """Mark nothing."""
