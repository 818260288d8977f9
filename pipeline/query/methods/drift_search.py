"""DRIFT search: a first answer from the reports closest to the question, rounds of follow-up questions read locally, and
one reduction of all that was found (Microsoft's Dynamic Reasoning and Inference with Flexible Traversal).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.base.schema import (
    CHUNKS,
    CLAIMS,
    COMMUNITIES,
    COMMUNITY_REPORTS,
    DOCUMENTS,
    ENTITIES,
    RELATIONSHIPS,
)
from pipeline.base.store import Rows
from pipeline.base.tokens import Estimate, that_fit
from pipeline.language.tasks.drift.answer_follow_up import FollowUpToAnswer, answer_follow_up
from pipeline.language.tasks.drift.prime_question import Intermediate, ReportsToPrime, prime_question
from pipeline.language.tasks.drift.reduce_answers import AnswerShown, AnswersToReduce, reduce_answers
from pipeline.language.tasks.search.answer_from_passages import PassageShown
from pipeline.language.tasks.search.similar_questions import similar_questions
from pipeline.query.answer import Answer, Coverage
from pipeline.query.evidence.citations import keep_offered
from pipeline.query.evidence.cited_context import Offered, Writer, fit, n_words, read_chunks, show_chunks
from pipeline.query.evidence.confirmation import confirming_cost
from pipeline.query.evidence.entity_linker import proper_names
from pipeline.query.evidence.excerpts import Excerpts
from pipeline.query.evidence.report_sources import ReportSources, report_text
from pipeline.query.method import SearchCall, search
from pipeline.query.methods.question_variants import vary
from pipeline.query.model_requests import Deadline, request_all
from pipeline.retrieval.chunk_search import FUSION, Hit, fuse
from pipeline.text.inflection import in_number

TOKENS = Estimate()


@search(
    reads=(
        CHUNKS, ENTITIES, RELATIONSHIPS, CLAIMS, COMMUNITIES, COMMUNITY_REPORTS, DOCUMENTS,
    ),
    asks=(similar_questions, prime_question, answer_follow_up, reduce_answers),
)  # fmt: skip
def drift_search(call: SearchCall) -> Answer:
    """Answer from the whole to the detail: reports first, then follow-up questions, then one answer."""
    settings = call.settings
    drift = _Drift(call)
    confirming = confirming_cost(n_words(settings), settings, call.language).calls
    calls = settings.primer_folds + settings.rounds * settings.follow_ups + 2 + confirming
    call.trace.step(
        "plan",
        f"at most {calls} calls: similar questions, {settings.primer_folds} folds of reports, {settings.rounds} rounds of "
        f"{settings.follow_ups} follow-up questions, and the answer{', confirmed' if confirming else ''}",
        calls=calls,
    )
    questions, had = vary(call)
    drift.count(1, not had)
    hits = fuse(call.finder.find(questions, settings.chunks))
    drift.prime(hits, questions[1:])
    for number in range(1, settings.rounds + 1):
        drift.read_round(number)
    return drift.answer(hits)


def closest_reports(
    hits: Sequence[Hit],
    communities: Rows,
    reports: dict[int, dict[str, Any]],
    k: int,
    named: Collection[str] = frozenset(),
) -> list[dict[str, Any]]:
    """Return the ``k`` reports closest to a question: those on the communities whose chunks were found for it, first those that hold
    most of the entities that it names, whose ids are ``named``.

    A community scores the sum of 1 / (FUSION + rank) over its chunks that were found, divided by the root of the number of
    its chunks, so that the largest communities, which hold everything, do not come before those that are about it.
    Of communities one inside the other the better one is taken; another of them only where at least half of the chunks
    found in it are not in those taken before, since its report says much of the same.
    """
    ranks = {hit.chunk_id: rank for rank, hit in enumerate(hits, 1)}
    scored: list[tuple[int, float, int, frozenset[int]]] = []
    parents: dict[int, int] = {}
    for row in communities.table(["community", "parent", "chunk_ids", "entity_ids"]).to_pylist():
        parents[row["community"]] = row["parent"]
        found = frozenset(ranks[id] for id in row["chunk_ids"] if id in ranks)
        if found and row["community"] in reports:
            score = sum(1 / (FUSION + rank) for rank in sorted(found)) / len(row["chunk_ids"]) ** 0.5
            holds = sum(id in named for id in row["entity_ids"])
            scored.append((-holds, -round(score, 9), int(row["community"]), found))
    chosen: dict[int, frozenset[int]] = {}
    for *_, community, found in sorted(scored, key=lambda one: one[:3]):
        above = _above(community, parents)
        related = [known for other, known in chosen.items() if other in above or community in _above(other, parents)]
        if len(chosen) < k and 2 * len(found.difference(*related)) >= len(found):
            chosen[community] = found
    return [reports[community] for community in chosen]


def _above(community: int, parents: Mapping[int, int]) -> set[int]:
    """Return the communities that one is in."""
    found: set[int] = set()
    while (community := parents.get(community, -1)) >= 0:
        found.add(community)
    return found


@dataclass
class _Drift:
    """One search under way: what was offered, the answers so far, and the follow-up questions that wait."""

    call: SearchCall
    offered: Offered = field(default_factory=Offered)
    answers: list[AnswerShown] = field(default_factory=list)
    waiting: list[tuple[float, str]] = field(default_factory=list)
    """Follow-up questions with what each is worth: the score of the answer that asked it, by its place among that answer's."""
    done: set[str] = field(default_factory=set)
    read: dict[str, None] = field(default_factory=dict)
    """Chunks that were read."""
    asked: int = 0
    failed: int = 0
    removed: int = 0

    def __post_init__(self) -> None:
        self.deadline = Deadline(self.call.settings.max_seconds)
        self.reports = 0
        self.done.add(_key(self.call.question.text))

    def count(self, asked: int, failed: int) -> None:
        """Count requests, and those of them without a reply."""
        self.asked += asked
        self.failed += failed

    def prime(self, hits: Sequence[Hit], others: Sequence[str]) -> None:
        """Answer from the reports closest to the question, in folds; similar questions wait behind the follow-ups, in case
        there are too few."""
        sources = ReportSources(self.call.tables)
        k = self.call.settings.primer_reports
        named = {entity.id for entity in proper_names(self.call.question.entities)}
        shown = [
            PassageShown(
                self.offered.offer("p", report["id"], sources.of(report["community"])),
                report["title"],
                report_text(report),
            )
            for report in closest_reports(hits, self.call.tables["communities"], sources.reports, k, named)
        ]
        folds = [shown[start :: self.call.settings.primer_folds] for start in range(self.call.settings.primer_folds)]
        question, n = self.call.question, self.call.settings.follow_ups
        requests = [
            ReportsToPrime(f"fold {place}", question.put, tuple(fold), n, question)
            for place, fold in enumerate(filter(None, folds), 1)
        ]
        asked = request_all(prime_question, requests, self.call.language, self.deadline, self.call.trace)
        self.count(len(requests), len(asked.missing))
        for request, reply in asked.replies:
            self._take(request.item, question.text, reply)
        self.reports = sum(len(request.reports) for request, _ in asked.replies)
        self.waiting += [(0, other) for other in others]
        self.call.trace.step(
            "prime",
            f"{in_number(self.reports, 'report')} in {in_number(len(requests), 'fold')}, {in_number(len(self.waiting), 'follow-up question')}",
        )

    def read_round(self, number: int) -> None:
        """Read locally for the best follow-up questions that wait."""
        best = self._next()
        if not best:
            return
        requests = []
        lists = self.call.finder.find(best, self.call.settings.chunks)
        for place, (follow_up, hits) in enumerate(zip(best, lists, strict=True), 1):
            ids = [hit.chunk_id for hit in hits]
            read = fit(read_chunks(ids, self.call.tables), self.call.settings.context_tokens)
            shown = show_chunks(read, self.offered)
            self.read |= dict.fromkeys(chunk.id for chunk in read)
            item = f"round {number} follow-up {place}"
            n = self.call.settings.follow_ups
            requests.append(
                FollowUpToAnswer(item, self.call.question.put, follow_up, tuple(shown), n, self.call.question)
            )
        asked = request_all(answer_follow_up, requests, self.call.language, self.deadline, self.call.trace)
        self.count(len(requests), len(asked.missing))
        for request, reply in asked.replies:
            self._take(request.item, request.follow_up, reply)

    def answer(self, hits: Sequence[Hit]) -> Answer:
        """Reduce what was found to one answer; without a model it is excerpts of the chunks that were found and read."""
        best = sorted(self.answers, key=lambda one: -one.score)
        shown = that_fit(best, TOKENS.counts([one.text for one in best]), self.call.settings.context_tokens)
        found = [hit.chunk_id for hit in hits[: self.call.settings.chunks]]
        chunks = read_chunks([*found, *self.read], self.call.tables)
        draft = Excerpts(self.call.question, self.call.tables, self.call.finder).draft_from_chunks(chunks, self.offered)
        request = AnswersToReduce("answer", self.call.question.put, tuple(shown), n_words(self.call.settings), draft)
        return Writer(self.call, "drift", self.offered).write(reduce_answers, request, self._coverage(), self.removed)

    def _take(self, item: str, question: str, reply: Intermediate) -> None:
        """Keep an answer on the way, without ids that were not offered, and its follow-up questions under its score."""
        text, removed = keep_offered(reply.answer, self.offered)
        self.removed += removed
        if text.strip() and reply.score > 0:
            self.answers.append(AnswerShown(question, text, reply.score))
        new = [" ".join(one.split()) for one in reply.follow_ups[: self.call.settings.follow_ups]]
        self.waiting += [(reply.score / place, one) for place, one in enumerate(new, 1) if one]
        self.call.trace.step(
            item, f"{question}: score {reply.score}, {in_number(len(new), 'follow-up question')}", score=reply.score
        )

    def _next(self) -> list[str]:
        """Take the follow-up questions that are worth most, each asked once: of several good answers the first ones, and not all of
        one's, which would lead on in one direction."""
        best: list[str] = []
        for _, follow_up in sorted(self.waiting, key=lambda one: -one[0]):
            if _key(follow_up) not in self.done and len(best) < self.call.settings.follow_ups:
                self.done.add(_key(follow_up))
                best.append(follow_up)
        return best

    def _coverage(self) -> Coverage:
        description = f"rests on {in_number(self.reports, 'community report')}, {in_number(len(self.read), 'chunk')} and {in_number(len(self.answers), 'answer')} on the way"
        if not self.failed:
            return Coverage(1.0, description)
        why = f"{self.failed} of {self.asked} requests had no reply, or none in time"
        return Coverage(1.0, description).but(why, 1 - self.failed / self.asked)


def _key(question: str) -> str:
    return " ".join(question.casefold().split()).rstrip("?.! ")
