"""What some requests would take of a model: calls, tokens and money, counted from their prompts; no call is made."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pipeline.base.settings import Settings
from pipeline.base.task import Request, Task
from pipeline.base.tokens import choose
from pipeline.language.estimate import MESSAGE_TOKENS


@dataclass(frozen=True)
class PromptCost:
    """``cost`` is in the currency of the prices; None where a price is not known."""

    calls: int
    tokens_in: int
    tokens_out: int
    cost: float | None

    def __add__(self, other: "PromptCost") -> "PromptCost":
        cost = None if self.cost is None or other.cost is None else self.cost + other.cost
        return PromptCost(
            self.calls + other.calls, self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out, cost
        )


NOTHING = PromptCost(0, 0, 0, 0.0)


def prompt_cost(task: Task[Any, Any], requests: Iterable[Request], reply_tokens: int, settings: Settings) -> PromptCost:
    """Return what the requests would take, with replies of ``reply_tokens`` each; nothing where no model answers the task."""
    own = settings.tasks.get(task.name)
    name = (own.model if own else None) or settings.language.default
    if name is None:
        return NOTHING
    tokenizer, _ = choose(settings.chunks.tokenizer, None)
    sizes = tokenizer.counts(["\n".join(task.render(request)) for request in requests])
    tokens_in, tokens_out = sum(sizes) + MESSAGE_TOKENS * len(sizes), reply_tokens * len(sizes)
    model = settings.models[name]
    if model.price_in is None or model.price_out is None:
        return PromptCost(len(sizes), tokens_in, tokens_out, None)
    cost = (tokens_in * model.price_in + tokens_out * model.price_out) / 1e6
    return PromptCost(len(sizes), tokens_in, tokens_out, cost)
