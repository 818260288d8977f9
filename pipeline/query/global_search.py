"""Global search: map-reduce over the community reports of one level (Edge et al. 2024, section 3.1.5)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from pipeline.base.settings import SearchSettings
from pipeline.base.store import Rows
from pipeline.base.tables import (
    CHUNKS,
    CLAIMS,
    COMMUNITIES,
    COMMUNITY_REPORTS,
    DOCUMENTS,
    ENTITIES,
    RELATIONSHIPS,
)
from pipeline.language.backend import Reply
from pipeline.language.desk import Desk
from pipeline.language.tasks.map_reports import ReportShown, ReportsToMap, map_reports
from pipeline.language.tasks.reduce_points import PointShown, PointsToReduce, reduce_points
from pipeline.query.answer import NOT_SAID, Answer, Coverage, Trace
from pipeline.query.citations import Place, Sources
from pipeline.query.report_sources import ReportSources
from pipeline.query.search import search

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
    asks=(map_reports, reduce_points),
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
    language: Desk,
    trace: Trace,
) -> Answer:
    """Answer what runs through the whole corpus, from the reports of one level of communities."""
    reports = {report["community"]: report for report in community_reports.table().to_pylist()}
    level, chosen = reports_of_level(communities, reports, settings)
    batches = shuffled_batches(chosen, settings.context_tokens, settings.seed)
    trace.step("reports", f"{len(chosen)} reports of level {level} in {len(batches)} batches", level=level)
    found = _map(question, batches, language, trace)
    coverage = _coverage(len(chosen) - found.unread, len(chosen), level)
    best = fill(found.points, settings.context_tokens)
    if not best:
        return Answer(question, "global", NOT_SAID, (), tuple(trace.steps), coverage, False)
    text, by = _reduce(question, best, settings, language)
    trace.step("answer", f"out of {len(best)} points, by {by}")
    resolver = ReportSources(reports, communities, entities, relationships, claims, chunks)
    places = {f"p{i}": resolver.place(point.communities, point.description) for i, point in enumerate(best, 1)}
    sources = Sources(chunks, documents)
    text, removed = number_citations(text, places, sources)
    return Answer(
        question,
        "global",
        text,
        sources.listed(),
        tuple(trace.steps),
        coverage,
        removed_citations=found.removed + removed,
    )


def reports_of_level(
    communities: Rows, reports: dict[int, dict[str, Any]], settings: SearchSettings
) -> tuple[int, list[dict[str, Any]]]:
    """Return a level and its reports, those of leaves above it among them, so that every entity is spoken of once.

    Without a level in the settings it is the highest that has ENOUGH reports: the higher, the fewer calls.
    """
    rows = communities.table(["community", "level", "children"]).to_pylist()
    levels = sorted({row["level"] for row in rows}) or [0]

    def cover(level: int) -> list[dict[str, Any]]:
        standing = [r for r in rows if r["level"] == level or (r["level"] < level and not r["children"])]
        return [reports[row["community"]] for row in standing if row["community"] in reports]

    if settings.level is not None:
        level = min(settings.level, levels[-1])
        return level, cover(level)
    for level in levels:
        if len(cover(level)) >= ENOUGH:
            return level, cover(level)
    return levels[-1], cover(levels[-1])


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


def _map(question: str, batches: Sequence[Sequence[dict[str, Any]]], language: Desk, trace: Trace) -> Mapped:
    found = Mapped()
    shown = {f"batch {i}": _shown(batch) for i, batch in enumerate(batches, 1)}
    asks = (ReportsToMap(item, question, tuple(reports)) for item, (reports, _) in shown.items())
    for ask, reply in language.map(map_reports, asks, len(batches)):
        reports, numbers = shown[ask.item]
        if not isinstance(reply, Reply):
            found.unread += len(reports)
            trace.step("map", f"{ask.item} failed: {reply.reason}", failed=True)
            continue
        titles = {report.id: report.title for report in reports}
        for point in reply.value.points:
            known = [id for id in dict.fromkeys(point.reports) if id in numbers]
            found.removed += len(set(point.reports)) - len(known)
            if point.score > 0 and known:
                communities = tuple(numbers[id] for id in known)
                found.points.append(Scored(point.score, point.description, communities, titles[known[0]]))
        trace.step("map", f"{ask.item}: {len(reply.value.points)} points")
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


def _reduce(question: str, best: Sequence[Scored], settings: SearchSettings, language: Desk) -> tuple[str, str]:
    shown = tuple(PointShown(f"p{i}", p.title, p.description, p.score) for i, p in enumerate(best, 1))
    ask = PointsToReduce("answer", question, shown, int(settings.answer_tokens * WORDS_PER_TOKEN))
    reply = language.one(reduce_points, ask)
    if isinstance(reply, Reply):
        return reply.value.text, reply.by
    return reduce_points.offline(ask).text, f"offline, because the model failed: {reply.reason}"


def number_citations(text: str, places: Mapping[str, Place | None], sources: Sources) -> tuple[str, int]:
    """Replace ids in brackets by the numbers of their sources; ids that were not offered are removed and counted."""
    removed = 0

    def replace(match: re.Match[str]) -> str:
        nonlocal removed
        ids = re.split(r"[\s,;]+", match[1])
        removed += sum(id not in places for id in ids)
        known = [place for id in ids if (place := places.get(id)) is not None]
        return "".join(f"[{number}]" for number in dict.fromkeys(sources.number(place) for place in known))

    return CITATION.sub(replace, text), removed


CITATION = re.compile(r"\[([a-z]\d+(?:[\s,;]+[a-z]\d+)*)\]")
"""Ids in square brackets as answers cite them: [p3], [f1, c2]."""


def _coverage(read: int, offered: int, level: int) -> Coverage:
    share = read / offered if offered else 0.0
    told = f"rests on {read} of {offered} community reports of level {level}"
    return Coverage(share, told if read == offered else f"{told}; the other batches failed")
