"""What becomes of the sentences of an answer that their sources do not carry: found by their words, or by a model, which also
chooses the passages that support each and writes anew what goes beyond them; and flagged, left out, or revised.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pipeline.base.errors import BudgetError
from pipeline.base.settings import SearchSettings
from pipeline.base.store import Rows
from pipeline.base.task import NOT_SAID, ReplyT, RequestT, Task
from pipeline.documents.chunk_documents import with_documents
from pipeline.language.language import Language
from pipeline.language.tasks.search.confirm_support import (
    BATCH,
    CandidatePassage,
    SentencesToConfirm,
    SentenceToConfirm,
    SentenceVerdict,
    confirm_support,
)
from pipeline.language.tasks.search.write_opening import OpeningToWrite, write_opening
from pipeline.query.answer import Answer, Source, Trace
from pipeline.query.evidence.carrier import Carrier
from pipeline.query.evidence.citations import Sources, sentences_with_ids
from pipeline.query.evidence.rewriting import Rewritten, distinct, passage_key, rewritten
from pipeline.query.model_requests import Asked, Deadline, request_all
from pipeline.text.answering.blocks import with_columns
from pipeline.text.answering.source_numbers import SOURCE_NUMBER, without_numbers
from pipeline.text.answering.support import LONG, spans_of, support, verdict_of
from pipeline.text.attribution import attribution
from pipeline.text.metadata import full_title
from pipeline.text.numbers import numbers_in
from pipeline.text.scripts import language_of

WORDS_OF_SENTENCE = 20
"""Words of a sentence of an answer, about."""
PASSAGES = 3
"""Passages of the corpus that are shown for one sentence by its words, beside those that it cites, at most."""
BEFORE = 2
"""Sentences before a batch that are shown with it."""
SHOWN_TOKENS, VERDICT_TOKENS = 350, 55
"""Tokens that are shown to confirm one sentence, and those of the verdict on it, its revision among them, about."""
HEADED = 250
"""Words that an answer may have from which on it likely has headings, and its opening is written anew."""
BODY_TOKENS, OPENING_TOKENS = 2, 120
"""Tokens that are shown to write it for each word of the answer, and those of the opening, about."""
LONGER = 2
"""How many times as long as the sentence a revised one may be."""


class ConfirmingCost(NamedTuple):
    """What confirming an answer takes, at most about."""

    calls: int
    tokens_in: int
    tokens_out: int


def confirming_cost(n_words: int, settings: SearchSettings, language: Language) -> ConfirmingCost:
    """Return what confirming an answer of so many words takes; nothing where no model is to confirm it."""
    if settings.check_support != "model" or not language.adds(confirm_support):
        return ConfirmingCost(0, 0, 0)
    sentences = math.ceil(n_words / WORDS_OF_SENTENCE)
    calls, shown, said = math.ceil(sentences / BATCH), SHOWN_TOKENS * sentences, VERDICT_TOKENS * sentences
    if n_words < HEADED or settings.unsupported != "revise":
        return ConfirmingCost(calls, shown, said)
    return ConfirmingCost(calls + 1, shown + BODY_TOKENS * n_words, said + OPENING_TOKENS)


class Confirmation:
    """Gives the sentences of one answer their verdicts, as settings say; ``carrier`` finds the passages to choose among."""

    def __init__(
        self,
        carrier: Carrier,
        chunks: Rows,
        documents: Rows,
        settings: SearchSettings,
        language: Language,
        trace: Trace,
    ) -> None:
        self._carrier, self._chunks, self._documents = carrier, chunks, documents
        self._settings, self._language, self._trace = settings, language, trace

    def of(self, answer: Answer, deadline: Deadline) -> Answer:
        """Return an answer whose sentences that assert something have a verdict; by words where no model gives one. Those that have
        one already keep it.

        Sentences that are not supported are left out where ``settings.unsupported`` says so, by their words where the model
        that was asked gave no verdict, and those that it found partly supported are then written as it revised them; where
        nothing that asserts anything is left, the outcome is "nothing".
        """
        if not answer.supported:
            return answer
        asserting = [at for at, one in enumerate(answer.sentences) if one.asserts and one.verdict is None]
        by_words = [verdict_of(answer.sentences[at].support or 0.0) for at in asserting]
        changes = {at: Rewritten(verdict=by) for at, by in zip(asserting, by_words, strict=True)}
        confirmed, shown = set[int](), set[int]()
        if self._settings.check_support == "model" and self._language.adds(confirm_support):
            answer, found, unconfirmed = self._by_model(answer, deadline)
            changes |= found
            confirmed = set(found)
            shown = confirmed | unconfirmed
        drops = self._settings.unsupported == "leave_out"
        revises = self._settings.unsupported == "revise"
        for at, change in changes.items():
            one = answer.sentences[at]
            bare = change.verdict == "not supported" or not (one.sources if change.sources is None else change.sources)
            dropped = bare and (drops or (revises and at in shown))
            changes[at] = change._replace(dropped=dropped)
        if asserting and all(changes[at].dropped for at in asserting):
            return replace(answer, text=NOT_SAID, outcome="nothing", sources=(), sentences=())
        answer = rewritten(answer, changes)
        return self._opened(answer, deadline) if revises and confirmed else answer

    def _request(
        self, task: Task[RequestT, ReplyT], requests: list[RequestT], deadline: Deadline
    ) -> Asked[RequestT, ReplyT]:
        """Return what became of requests; of none where a cap is reached: the answer itself is written and paid for."""
        try:
            return request_all(task, requests, self._language, deadline, self._trace)
        except BudgetError as error:
            self._trace.step(task.name, str(error), failed=True)
            return Asked(unasked=requests)

    def _opened(self, answer: Answer, deadline: Deadline) -> Answer:
        """Return a long answer with an opening that is written from the rest of it, after that was confirmed."""
        n = _opening(answer)
        if not n:
            return answer
        cited = {f"q{source.number}": source for source in answer.sources}
        start = answer.sentences[n].start
        body = SOURCE_NUMBER.sub(r"[q\1]", answer.text[start:])
        request = OpeningToWrite("opening", answer.question, body, answer.text[:start].strip(), n)
        asked = self._request(write_opening, [request], deadline)
        for _, reply in asked.replies:
            written = sentences_with_ids(reply.text, cited)[:n]
            plain = " ".join(sentence for sentence, _ in written)
            sourced = bool(written) and all(ids for _, ids in written)
            language = language_of(body)
            if sourced and numbers_in(plain, language) <= numbers_in(body, language):
                self._trace.step("write_opening", f"{len(written)} sentences")
                answer = rewritten(answer, dict(enumerate(self._new_opening(written, cited, n))))
        return replace(answer, steps=tuple(self._trace.steps))

    def _new_opening(
        self, written: Sequence[tuple[str, tuple[str, ...]]], cited: Mapping[str, Source], n: int
    ) -> list[Rewritten]:
        """Return what becomes of the ``n`` sentences of an opening in place of which others were written."""
        changes = [Rewritten(dropped=True)] * n
        for at, (sentence, ids) in enumerate(written):
            sources = tuple(cited[id] for id in ids)[: spans_of(sentence)]
            carried = support(sentence, [source.quote for source in sources], self._carrier.rarity)
            changes[at] = Rewritten(verdict_of(carried), sources, sentence, carried)
        return changes

    def _by_model(self, answer: Answer, deadline: Deadline) -> tuple[Answer, dict[int, Rewritten], set[int]]:
        """Return the answer with the steps and the coverage of the requests, what a model makes of its sentences, and the sentences
        that it was to confirm and gave no verdict on."""
        asked_for = self._offered(answer)
        requests = [request for request, _ in asked_for]
        shown = {request.item: passages for request, passages in asked_for}
        asked = self._request(confirm_support, requests, deadline)
        changes: dict[int, Rewritten] = {}
        for request, reply in asked.replies:
            for one in reply.verdicts:
                at = _place(one.id)
                changes[at] = self._change(answer, at, one, shown[request.item])
        counts = [
            f"{sum(one.verdict == verdict for one in changes.values())} {verdict}"
            for verdict in ("supported", "partly", "not supported")
        ]
        checked = sum(one.verdict is not None for one in changes.values())
        revised = sum(one.text is not None for one in changes.values())
        self._trace.step("confirm_support", f"of {checked} sentences: {', '.join(counts)}; {revised} revised")
        unconfirmed = {_place(one.id) for request in asked.missing for one in request.sentences if one.asserts}
        if unconfirmed:
            why = f"the model confirmed none of {len(unconfirmed)} sentences, so they were checked by their words"
            answer = replace(answer, coverage=answer.coverage.but(why))
        return replace(answer, steps=tuple(self._trace.steps)), changes, unconfirmed

    def _offered(self, answer: Answer) -> list[tuple[SentencesToConfirm, dict[str, Source]]]:
        """Return the requests, each with its passages by their ids."""
        cited = {source.number: source for source in answer.sources}
        texts = {
            at: without_numbers(answer.text[one.start : one.end], one.sources)
            for at, one in enumerate(answer.sentences)
            if "```" not in answer.text[one.start : one.end]
        }
        quoted = {at: [cited[number] for number in answer.sentences[at].sources] for at in texts}
        own = {at: [one for one in some if len(one.quote) <= LONG or not one.chunk_id] for at, some in quoted.items()}
        first = _opening(answer) if self._settings.unsupported == "revise" else 0  # an opening is written anew
        asserting = {
            at: text
            for at, text in texts.items()
            if at >= first and answer.sentences[at].asserts and answer.sentences[at].verdict is None
        }
        if not self._language.estimates:  # a model would not print sentences as they are
            asserting = {
                at: text for at, text in asserting.items() if not any(_holds(one.quote, text) for one in own[at])
            }
        new = self._passages({at: (text, [one.chunk_id for one in quoted[at]]) for at, text in asserting.items()})
        headings = {at for at, text in texts.items() if text.startswith("#")} if asserting else set()
        requests = []
        for batch in _batches(sorted(asserting.keys() | headings), headings):
            shown_for = distinct(source for at in batch for source in [*own[at], *new.get(at, [])])
            passages = self._candidates({passage_key(one): one for one in shown_for.values()}.values())
            ids = {passage_key(source): passage.id for passage, source in passages.items()}
            sentences = tuple(
                SentenceToConfirm(
                    f"s{at + 1}",
                    texts[at],
                    tuple(dict.fromkeys(ids[passage_key(shown_for[passage_key(source)])] for source in own[at])),
                    answer.sentences[at].support or 0.0,
                    at in asserting,
                )
                for at in batch
            )
            shown = {passage.id: source for passage, source in passages.items()}
            item = f"sentences {sentences[0].id} to {sentences[-1].id}"
            before = "\n".join(texts[at] for at in texts if batch[0] - BEFORE <= at < batch[0])
            requests.append((SentencesToConfirm(item, tuple(passages), sentences, before), shown))
        return requests

    def _candidates(self, sources: Collection[Source]) -> dict[CandidatePassage, Source]:
        """Return passages as they are shown, in the order of their texts: under the document's title, headings and date, and,
        where the text shows that only farther above, who says it, and when, and the columns of a table."""
        ids = [one.chunk_id for one in sources]
        rows = with_documents(ids, self._chunks, self._documents, ["text", "start"], ["text", "metadata"])
        files = list(dict.fromkeys(one.file for one in sources))
        found: list[tuple[tuple[int, int], str, str, Source]] = []
        for one in sources:
            heading, above, place = one.heading or one.title, "", 0
            if one.chunk_id in rows:
                chunk, document = rows[one.chunk_id]
                heading = full_title(heading, document["metadata"])
                at = chunk["text"].find(one.quote)
                place = chunk["start"] + max(at, 0)
                if at >= 0:  # else a row as its file has it
                    said_by = attribution(document["text"], place)
                    above = "" if one.quote.startswith(said_by) else said_by
                    above = with_columns(above, chunk["text"], at).removeprefix("; ")
            found.append(((files.index(one.file), place), heading, above, one))
        found.sort(key=lambda one: one[0])
        return {
            CandidatePassage(f"q{number}", heading, above, one.quote): one
            for number, (_, heading, above, one) in enumerate(found, 1)
        }

    def _passages(self, wanted: dict[int, tuple[str, list[str]]]) -> dict[int, list[Source]]:
        """Return for each sentence, with the chunks that it cites, the passages that may support it."""
        places = {at: self._carrier.passages(text, ids, PASSAGES) for at, (text, ids) in wanted.items()}
        sources = Sources(self._chunks, self._documents)
        numbers = {at: [sources.number(place) for place in found] for at, found in places.items()}
        listed = sources.listed()
        return {at: [listed[number - 1] for number in found] for at, found in numbers.items()}

    def _change(self, answer: Answer, at: int, reply: SentenceVerdict, shown: dict[str, Source]) -> Rewritten:
        one = answer.sentences[at]
        if reply.verdict == "not supported" and one.asserts:
            return Rewritten("not supported")
        sources = tuple(shown[id] for id in reply.passages)
        said = without_numbers(answer.text[one.start : one.end], one.sources)
        quotes = [source.quote for source in sources]
        revises = self._settings.unsupported == "revise" and reply.revised != said
        if not one.asserts:
            heading = reply.revised if revises and reply.revised.startswith("#") else None
            return Rewritten(text=heading)
        if revises and _may_replace(reply.revised, said, quotes):
            carried = support(reply.revised, quotes, self._carrier.rarity)
            return Rewritten("supported", sources, reply.revised, carried)
        return Rewritten(reply.verdict, sources, support=support(said, quotes, self._carrier.rarity))


def _place(id: str) -> int:
    """Return where in an answer the sentence is that is shown as "s1"."""
    return int(id.removeprefix("s")) - 1


def _opening(answer: Answer) -> int:
    """Return how many sentences an answer has before the first of several headings; 0 where it has none, or asks or lists there."""
    headings = [at for at, one in enumerate(answer.sentences) if answer.text.startswith("#", one.start)]
    opening = answer.sentences[: headings[0]] if len(headings) > 1 else ()
    return len(opening) if all(one.asserts for one in opening) else 0


def _batches(ats: Sequence[int], headings: Collection[int]) -> list[list[int]]:
    """Return positions of sentences in batches of BATCH at most, which end before a heading once they are half full."""
    batches: list[list[int]] = []
    for at in ats:
        last = batches[-1] if batches else None
        if last is None or len(last) == BATCH or (at in headings and 2 * len(last) >= BATCH):
            batches.append([at])
        else:
            last.append(at)
    return batches


def _holds(quote: str, sentence: str) -> bool:
    """Return whether a quote has a sentence as it is, so that nobody needs to confirm it."""
    return "".join(sentence.split()) in "".join(quote.split())


def _may_replace(revised: str, said: str, quotes: Sequence[str]) -> bool:
    """Return whether a revised sentence is one, not much longer than it was, without a number that nothing gives."""
    language = language_of(said)
    new = numbers_in(revised, language) - numbers_in(" ".join([said, *quotes]), language)
    return bool(revised) and len(revised.split()) <= LONGER * len(said.split()) + 3 and not new
