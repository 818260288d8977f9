"""What a question would cost: it is answered without a model, and each request that a model would get is counted."""

import tempfile
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from pipeline.base.tokens import choose
from pipeline.language.cache import CACHE_FILE
from pipeline.language.estimate import EstimateCache
from pipeline.language.factory import open_estimate
from pipeline.language.ledger import summed
from pipeline.query.index import Index
from pipeline.web.questions.request import QuestionBody


class QuestionCost(NamedTuple):
    """Calls and tokens that a question would take, those left out whose replies are cached. ``cost`` is None where a model
    has no price; ``free`` says that nothing is paid: no call, or models whose price is 0."""

    calls: int
    tokens_in: int
    tokens_out: int
    cost: float | None
    free: bool


NOTHING = QuestionCost(0, 0, 0, 0.0, True)


def asks_models(index: Index) -> bool:
    """Return whether settings name a model that answers anything."""
    return bool(index.settings.has_chat_model or index.settings.language.embedding)


def question_cost(index: Index, body: QuestionBody) -> QuestionCost:
    """Return what a question would cost. No call is made and no key needed; what later requests hold that only a model's
    replies would make longer is not counted."""
    if not asks_models(index):
        return NOTHING
    tokenizer, _ = choose("auto", index.generation.manifest.tokenizer)
    with tempfile.TemporaryDirectory() as scratch:
        cache = EstimateCache(Path(scratch), index.generation.folder / CACHE_FILE)
        with closing(open_estimate(index.settings, index.root, tokenizer, cache)) as opened:
            body.index(index).ask(body.question, body.method, language=opened.service, **body.options())
            calls = [call for call in opened.service.ledger.calls if not call.cached]
    total = summed(call.cost for call in calls)
    tokens_in, tokens_out = sum(call.tokens_in for call in calls), sum(call.tokens_out for call in calls)
    return QuestionCost(len(calls), tokens_in, tokens_out, total, not calls or total == 0)
