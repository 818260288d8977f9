"""What becomes of the sentences of an answer that their sources do not carry: found by their words, or by a model where
settings say so, and flagged or left out.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from pipeline.base.settings import SearchSettings
from pipeline.base.task import NOT_SAID
from pipeline.language.language import Language
from pipeline.language.tasks.search.confirm_support import (
    BATCH,
    CitedSentence,
    SentencesToConfirm,
    confirm_support,
)
from pipeline.query.answer import Answer, Coverage, Sentence, Trace
from pipeline.query.deadline import Deadline, request_all
from pipeline.text.answering.support import verdict_of

WORDS_OF_SENTENCE = 20
"""Words of a sentence of an answer, about."""


def confirming_calls(n_words: int, settings: SearchSettings) -> int:
    """Return how many requests confirm an answer of so many words, at most about; 0 where settings ask for none."""
    return math.ceil(n_words / (WORDS_OF_SENTENCE * BATCH)) if settings.check_support == "model" else 0


def confirmed(answer: Answer, settings: SearchSettings, language: Language, deadline: Deadline, trace: Trace) -> Answer:
    """Return an answer whose sentences that assert something have a verdict; by words where no model gives one.

    Sentences that are not supported are left out where ``settings.unsupported`` says so; where nothing that asserts
    anything is left, the outcome is "nothing".
    """
    if settings.check_support == "off" or not answer.supported:
        return answer
    verdicts = {at: verdict_of(one.support or 0.0) for at, one in enumerate(answer.sentences) if one.asserts}
    if settings.check_support == "model":
        requests = _requests(answer)
        asked = request_all(confirm_support, requests, language, deadline, trace)
        for _, reply in asked.replies:
            verdicts |= {int(one.id[1:]) - 1: one.verdict for one in reply.verdicts}
        counts = [f"{list(verdicts.values()).count(one)} {one}" for one in ("supported", "partly", "not supported")]
        trace.step("confirm_support", f"of {len(verdicts)} sentences: {', '.join(counts)}")
        unconfirmed = sum(len(request.sentences) for request in asked.missing)
        if unconfirmed:
            rest = answer.coverage.description.removeprefix("partial: ")
            why = f"the model confirmed none of {unconfirmed} sentences, so they were checked by their words"
            answer = replace(answer, coverage=Coverage(answer.coverage.share, f"partial: {rest}; {why}"))
    sentences = tuple(replace(one, verdict=verdicts.get(at)) for at, one in enumerate(answer.sentences))
    answer = replace(answer, sentences=sentences, steps=tuple(trace.steps))
    return without_unsupported(answer) if settings.unsupported == "leave_out" else answer


def _requests(answer: Answer) -> list[SentencesToConfirm]:
    sources = {source.number: (source.heading or source.title, source.quote) for source in answer.sources}
    cited = [
        CitedSentence(
            f"s{at}", answer.text[one.start : one.end], tuple(sources[n] for n in one.sources), one.support or 0.0
        )
        for at, one in enumerate(answer.sentences, 1)
        if one.asserts and one.sources
    ]
    batches = [tuple(cited[start : start + BATCH]) for start in range(0, len(cited), BATCH)]
    return [SentencesToConfirm(f"sentences {batch[0].id} to {batch[-1].id}", batch) for batch in batches]


def without_unsupported(answer: Answer) -> Answer:
    """Return an answer without the sentences that nothing supports, and without headings and lead-ins that led to nothing
    else. What remains keeps its numbers; sources that it no longer cites are left out.
    """
    kept = _kept(answer.sentences)
    if all(kept):
        return answer
    if not any(keep and one.asserts for keep, one in zip(kept, answer.sentences, strict=True)):
        return replace(answer, text=NOT_SAID, outcome="nothing", sources=(), sentences=())
    text = answer.text[: answer.sentences[0].start]
    sentences: list[Sentence] = []
    for at, (keep, one) in enumerate(zip(kept, answer.sentences, strict=True)):
        last = at + 1 == len(kept)
        until = len(answer.text) if last else answer.sentences[at + 1].start  # with its marks, and the space behind
        if keep:
            start = len(text)
            sentences.append(replace(one, start=start, end=start + one.end - one.start))
            text += answer.text[one.start : until]
        elif text and "\n" in (gap := answer.text[one.end : until]) and not text.endswith("\n"):
            text = text.rstrip(" ") + gap[gap.index("\n") :]
    cited = {number for one in sentences for number in one.sources}
    sources = tuple(source for source in answer.sources if source.number in cited)
    return replace(answer, text=text.rstrip(), sources=sources, sentences=tuple(sentences))


def _kept(sentences: Sequence[Sentence]) -> list[bool]:
    kept = [not one.is_unsupported for one in sentences]
    led = lost = False
    for at in range(len(sentences) - 1, -1, -1):
        if sentences[at].asserts:
            led, lost = led or kept[at], lost or not kept[at]
        else:
            kept[at] = led or not lost
            led = lost = False
    return kept
