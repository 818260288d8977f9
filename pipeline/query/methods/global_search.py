"""Global search: map-reduce over community reports, of one level or of those that rate as relevant (Edge et al. 2024, 3.1.5)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
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
from pipeline.base.settings import SearchSettings
from pipeline.base.store import Rows
from pipeline.language.language import Language
from pipeline.language.tasks.search.map_reports import ReportsToMap, map_reports
from pipeline.language.tasks.search.rate_reports import rate_reports
from pipeline.language.tasks.search.reduce_points import PointShown, PointsToReduce, reduce_points
from pipeline.query.answer import NOT_SAID, Answer, Coverage, Trace
from pipeline.query.deadline import Deadline, request_all, write
from pipeline.query.evidence.citations import Place, Sources, check_support, cite
from pipeline.query.evidence.cited_context import words_of
from pipeline.query.evidence.report_sources import FindingKey, ReportSources
from pipeline.query.method import search
from pipeline.query.methods.dynamic_selection import select_reports
from pipeline.query.methods.effort import Chosen, choose_by_level, effort_of
from pipeline.query.methods.report_batches import ReportContext, bounded_batches
from pipeline.query.streaming import Live

FORM = "paragraphs, under headings where the answer is longer than about 250 words (## and what the part says, not its topic)"
"""The form of an answer where settings name none."""
SHARE_OF_POINTS = 0.8
"""Words of an answer, at most, as a share of those of its points."""
LEAST_WORDS = 60
"""Words that an answer may have however little its points hold."""
PROMPT_TOKENS = 450
"""Tokens of the instructions and the reply's schema around what one call is shown, about."""


@dataclass(frozen=True)
class Scored:
    """A point that a map found, the findings it rests on, and the title of the first one's report."""

    score: int
    description: str
    findings: tuple[FindingKey, ...]
    title: str


@search(
    reads=(COMMUNITY_REPORTS, COMMUNITIES, ENTITIES, RELATIONSHIPS, CLAIMS, CHUNKS, DOCUMENTS),
    asks=(rate_reports, map_reports, reduce_points),
)
def global_search(
    question: str,
    community_reports: Rows,
    communities: Rows,
    entities: Rows,
    relationships: Rows,
    claims: Rows,
    chunks: Rows,
    documents: Rows,
    settings: SearchSettings,
    language: Language,
    trace: Trace,
) -> Answer:
    """Answer what runs through the whole corpus, from the reports on its communities."""
    deadline = Deadline(settings.max_seconds)
    reports = {report["community"]: report for report in community_reports.table().to_pylist()}
    chosen, share = choose_reports(question, communities, reports, settings, language, deadline, trace)
    batches = bounded_batches(chosen.reports, settings)
    _announce(chosen, batches, settings, trace)
    shown = ReportContext(batches, communities, chunks, documents)
    found = _map(question, shown, language, deadline, trace)
    coverage = _coverage(found, sum(map(len, batches)), chosen, share, settings)
    best = fill(found.points, settings.context_tokens)
    if not best:
        steps = tuple(trace.steps)
        return Answer(question, "global", NOT_SAID, (), steps, coverage, "nothing", removed_citations=found.removed)
    resolver = ReportSources(reports, communities, entities, relationships, claims, chunks)

    @cache
    def place(id: str, sentence: str) -> Place | None:
        return resolver.place(best[int(id[1:]) - 1].findings, sentence)

    offered = {f"p{i}" for i in range(1, len(best) + 1)}
    live = Live(trace, offered, place, chunks, documents)
    text, by = write(reduce_points, _points(question, best, settings), language, live)
    trace.step("answer", f"out of {len(best)} points, by {by}")
    sources = Sources(chunks, documents)
    text, removed = cite(text, offered, place, sources)
    text, unsupported = check_support(text)
    return Answer(
        question,
        "global",
        text,
        sources.listed(),
        tuple(trace.steps),
        coverage,
        "nothing" if text.startswith(NOT_SAID) else "answered",
        unsupported_sentences=unsupported,
        removed_citations=found.removed + removed,
    )


def choose_reports(
    question: str,
    communities: Rows,
    reports: dict[int, dict[str, Any]],
    settings: SearchSettings,
    language: Language,
    deadline: Deadline,
    trace: Trace,
) -> tuple[Chosen, float]:
    """Return the reports to read, by rating or by level as settings say, and the share of reports that were rated of
    those that should have been."""
    if settings.level == "dynamic":
        selection = select_reports(question, communities, reports, settings, language, deadline, trace)
        return Chosen(selection.reports, selection.description, selection.relevant), selection.share
    return choose_by_level(communities, reports, settings), 1.0


def _announce(
    chosen: Chosen, batches: Sequence[Sequence[dict[str, Any]]], settings: SearchSettings, trace: Trace
) -> None:
    """Enter what is going to be asked before it is: calls, and about how many tokens they may take with a model."""
    tokens = sum(report["n_tokens"] for batch in batches for report in batch)
    calls = len(batches) + 1
    tokens_in = tokens + min(tokens, settings.context_tokens) + calls * PROMPT_TOKENS
    tokens_out = effort_of(settings).answer_tokens + tokens // 4
    detail = f"{settings.effort} effort: {chosen.description}, {tokens:,} tokens, read in {len(batches)} calls; one more answers"
    trace.step("reports", detail, calls=calls, tokens_in=tokens_in, tokens_out=tokens_out)


@dataclass
class Mapped:
    """What the maps brought: points, reports that no map read, and citations of findings that were not offered."""

    points: list[Scored] = field(default_factory=list)
    unread: int = 0
    removed: int = 0
    offline: bool = False
    """Whether the model answered no map, and all were therefore made without it."""


def _map(question: str, shown: ReportContext, language: Language, deadline: Deadline, trace: Trace) -> Mapped:
    found = Mapped()
    requests = [ReportsToMap(item, question, *parts) for item, parts in shown.items()]
    asked = request_all(map_reports, requests, language, deadline, trace)
    found.unread = sum(len(request.reports) for request in asked.missing)
    found.offline = bool(requests) and not asked.replies
    for request, reply in asked.replies or [(request, map_reports.offline(request)) for request in requests]:
        keys = shown.keys[request.item]
        titles = {report.id: report.title for report in request.reports}
        for point in reply.points:
            cited = [id.strip("[] ") for id in dict.fromkeys(point.findings)]
            known = [id for id in cited if id in keys]
            found.removed += len(cited) - len(known)
            if point.score > 0 and known:
                findings = tuple(dict.fromkeys(keys[id] for id in known))
                title = titles[known[0].partition(".")[0]]
                found.points.append(Scored(point.score, point.description, findings, title))
        trace.step("map", f"{request.item}: {len(reply.points)} points")
    return found


def fill(points: Sequence[Scored], budget: int) -> list[Scored]:
    """Return the best points, each said once, as many as fit a budget of tokens (four characters each, about)."""
    best: list[Scored] = []
    said = set()
    room = budget * 4
    for point in sorted(points, key=lambda point: (-point.score, point.description)):
        if point.description in said:
            continue
        room -= len(point.description)
        if room < 0 and best:
            break
        said.add(point.description)
        best.append(point)
    return best


def _points(question: str, best: Sequence[Scored], settings: SearchSettings) -> PointsToReduce:
    shown = tuple(PointShown(f"p{i}", p.title, p.description, p.score) for i, p in enumerate(best, 1))
    said = sum(len(point.description.split()) for point in best)
    most = min(words_of(effort_of(settings).answer_tokens), max(int(SHARE_OF_POINTS * said), LEAST_WORDS))
    return PointsToReduce("answer", question, shown, settings.form or FORM, most)


def _coverage(found: Mapped, offered: int, chosen: Chosen, considered: float, settings: SearchSettings) -> Coverage:
    read = offered - found.unread
    share = considered * (read / chosen.total if chosen.total else 1.0)
    if found.offline:
        return Coverage(
            share, f"partial: {chosen.description}, read without a model because it answered for none of them"
        )
    rest = (
        f"rests on {chosen.description}" if read == len(chosen.reports) else f"rests on {read} of {chosen.description}"
    )
    if read == chosen.total:
        return Coverage(share, rest if considered == 1 else f"partial: {rest}")
    if found.unread:
        return Coverage(share, f"partial: {rest}; the others failed, or came after the deadline")
    effort = f"{settings.effort} effort and {settings.max_map_calls} calls allow no more of {chosen.total}"
    return Coverage(share, f"partial: {rest}; {effort}")
