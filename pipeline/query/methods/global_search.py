"""Global search: map-reduce over community reports, of one level or of those that rate as relevant (Edge et al. 2024, 3.1.5)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
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
from pipeline.language.tasks.search.map_reports import ReportShown, ReportsToMap, map_reports
from pipeline.language.tasks.search.rate_reports import rate_reports
from pipeline.language.tasks.search.reduce_points import PointShown, PointsToReduce, reduce_points
from pipeline.query.answer import NOT_SAID, Answer, Coverage, Trace
from pipeline.query.deadline import Deadline, request_all, write
from pipeline.query.evidence.citations import Place, Sources, check_support, cite
from pipeline.query.evidence.report_sources import ReportSources
from pipeline.query.method import search
from pipeline.query.methods.dynamic_selection import select_reports
from pipeline.query.streaming import Live

WORDS_PER_TOKEN = 0.75
ENOUGH = 12
"""Reports below which a level is too coarse to answer from."""


@dataclass(frozen=True)
class Scored:
    """A point that a map found, and the communities whose reports it rests on."""

    score: int
    description: str
    communities: tuple[int, ...]
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
    chosen, told, share = choose_reports(question, communities, reports, settings, language, deadline, trace)
    batches = bounded_batches(chosen, settings)
    trace.step("reports", f"{told}, read in {len(batches)} calls at most, and one that answers", calls=len(batches) + 1)
    found = _map(question, batches, language, deadline, trace)
    coverage = _coverage(found, sum(map(len, batches)), len(chosen), told, share)
    best = fill(found.points, settings.context_tokens)
    if not best:
        steps = tuple(trace.steps)
        return Answer(question, "global", NOT_SAID, (), steps, coverage, False, removed_citations=found.removed)
    resolver = ReportSources(reports, communities, entities, relationships, claims, chunks)

    @cache
    def place(id: str) -> Place | None:
        point = best[int(id[1:]) - 1]
        return resolver.place(point.communities, point.description)

    offered = {f"p{i}" for i in range(1, len(best) + 1)}
    live = Live(trace, offered, lambda id, _: place(id), chunks, documents)
    text, by = write(reduce_points, _points(question, best, settings), language, live)
    trace.step("answer", f"out of {len(best)} points, by {by}")
    sources = Sources(chunks, documents)
    text, removed = cite(text, offered, lambda id, _: place(id), sources)
    text, unsupported = check_support(text)
    return Answer(
        question,
        "global",
        text,
        sources.listed(),
        tuple(trace.steps),
        coverage,
        not text.startswith(NOT_SAID),
        unsupported,
        found.removed + removed,
    )


def choose_reports(
    question: str,
    communities: Rows,
    reports: dict[int, dict[str, Any]],
    settings: SearchSettings,
    language: Language,
    deadline: Deadline,
    trace: Trace,
) -> tuple[list[dict[str, Any]], str, float]:
    """Return the reports to read, by rating or by level as settings say, which they are in words, and the share of
    reports that were considered of those that should have been."""
    if settings.level == "dynamic":
        selection = select_reports(question, communities, reports, settings, language, deadline, trace)
        return selection.reports, selection.told, selection.share
    level, chosen = reports_of_level(communities, reports, settings.level)
    return chosen, f"{len(chosen)} community reports of level {level}", 1.0


def reports_of_level(
    communities: Rows, reports: dict[int, dict[str, Any]], wanted: int | None
) -> tuple[int, list[dict[str, Any]]]:
    """Return a level and its reports, those of leaves above it among them, so that every entity is spoken of once.

    Without a ``wanted`` level it is the highest that has ENOUGH reports: the higher, the fewer calls.
    """
    rows = communities.table(["community", "level", "children"]).to_pylist()
    levels = sorted({row["level"] for row in rows}) or [0]

    def cover(level: int) -> list[dict[str, Any]]:
        standing = [r for r in rows if r["level"] == level or (r["level"] < level and not r["children"])]
        return [reports[row["community"]] for row in standing if row["community"] in reports]

    if wanted is not None:
        level = min(wanted, levels[-1])
        return level, cover(level)
    for level in levels:
        if len(cover(level)) >= ENOUGH:
            return level, cover(level)
    return levels[-1], cover(levels[-1])


def bounded_batches(reports: Sequence[dict[str, Any]], settings: SearchSettings) -> list[list[dict[str, Any]]]:
    """Return the reports in shuffled batches, at most as many as settings allow calls; the least important are left out.

    Dynamic selection has half of the calls for its ratings, so the other half is left here.
    """
    most = max(settings.max_map_calls // 2, 1) if settings.level == "dynamic" else settings.max_map_calls
    order = sorted(reports, key=lambda report: (-report["rank"], str(report["id"])))
    while True:
        batches = shuffled_batches(order, settings.context_tokens, settings.seed)
        if len(batches) <= most:
            return batches
        order = order[: min(len(order) - 1, len(order) * most // len(batches))] or order[:1]


def shuffled_batches(reports: Sequence[dict[str, Any]], budget: int, seed: int) -> list[list[dict[str, Any]]]:
    """Return the reports in a seeded random order, cut into batches of at most ``budget`` tokens, one report at least.

    The order starts from the reports' ids, so it does not depend on how they were stored.
    """
    order = sorted(reports, key=lambda report: str(report["id"]))
    Random(seed).shuffle(order)
    batches: list[list[dict[str, Any]]] = []
    room = 0
    for report in order:
        if not batches or report["n_tokens"] > room:
            batches.append([])
            room = budget
        batches[-1].append(report)
        room -= report["n_tokens"]
    return batches


@dataclass
class Mapped:
    """What the maps brought: points, reports that no map read, and citations of reports that were not offered."""

    points: list[Scored] = field(default_factory=list)
    unread: int = 0
    removed: int = 0
    offline: bool = False
    """Whether no map was answered, and all were therefore made the offline way."""


def _map(
    question: str, batches: Sequence[Sequence[dict[str, Any]]], language: Language, deadline: Deadline, trace: Trace
) -> Mapped:
    found = Mapped()
    shown = {f"batch {i}": _shown(batch) for i, batch in enumerate(batches, 1)}
    requests = [ReportsToMap(item, question, tuple(reports)) for item, (reports, _) in shown.items()]
    asked = request_all(map_reports, requests, language, deadline, trace)
    found.unread = sum(len(request.reports) for request in asked.missing)
    found.offline = bool(requests) and not asked.replies
    for request, reply in asked.replies or [(request, map_reports.offline(request)) for request in requests]:
        reports, numbers = shown[request.item]
        titles = {report.id: report.title for report in reports}
        for point in reply.points:
            known = [id for id in dict.fromkeys(point.reports) if id in numbers]
            found.removed += len(set(point.reports)) - len(known)
            if point.score > 0 and known:
                communities = tuple(numbers[id] for id in known)
                found.points.append(Scored(point.score, point.description, communities, titles[known[0]]))
        trace.step("map", f"{request.item}: {len(reply.points)} points")
    return found


def _shown(batch: Sequence[dict[str, Any]]) -> tuple[list[ReportShown], dict[str, int]]:
    """Return the reports of a batch under short ids, and the communities behind the ids."""
    reports = []
    numbers = {}
    for place, report in enumerate(batch, 1):
        statements = tuple(finding["explanation"] or finding["summary"] for finding in report["findings"])
        reports.append(ReportShown(f"r{place}", report["title"], report["rank"], report["summary"], statements))
        numbers[f"r{place}"] = report["community"]
    return reports, numbers


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
    return PointsToReduce("answer", question, shown, int(settings.answer_tokens * WORDS_PER_TOKEN))


def _coverage(found: Mapped, offered: int, chosen: int, told: str, considered: float) -> Coverage:
    read = offered - found.unread
    share = considered * (read / chosen if chosen else 1.0)
    if found.offline:
        return Coverage(share, f"partial: {told}, none of which the model answered for; they were read the offline way")
    if read == chosen:
        return Coverage(share, f"rests on {told}" if considered == 1 else f"partial: rests on {told}")
    why = "the others failed, or came after the deadline or the most calls that settings allow"
    return Coverage(share, f"partial: rests on {read} of {told}; {why}")
