"""Reports in batches for the map step: shuffled, equally long, shown under short ids with the documents behind them."""

import heapq
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from pipeline.base.settings import SearchSettings
from pipeline.base.store import Rows
from pipeline.language.tasks.search.map_reports import FindingShown, ReportShown
from pipeline.query.evidence.report_sources import FindingKey
from pipeline.text.metadata import full_title

DOCUMENTS_SHOWN = 6
"""Documents that are named for one report."""


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
    """Return the reports in a seeded random order, in as few batches of at most ``budget`` tokens as come to hand, one
    report at least; each batch about as long as the others.

    The order starts from the reports' ids, so it does not depend on how they were stored.
    """
    order = sorted(reports, key=lambda report: str(report["id"]))
    Random(seed).shuffle(order)
    n = max(1, math.ceil(sum(report["n_tokens"] for report in order) / budget))
    while True:
        batches: list[list[dict[str, Any]]] = [[] for _ in range(n)]
        sizes = [(0, place) for place in range(n)]
        for report in order:
            size, place = heapq.heappop(sizes)
            batches[place].append(report)
            heapq.heappush(sizes, (size + report["n_tokens"], place))
        if n >= len(order) or all(size <= budget or len(batches[place]) == 1 for size, place in sizes):
            return [batch for batch in batches if batch]
        n += 1


class ReportContext:
    """Batches of reports as the map step is shown them, with the documents behind them, and what is behind each id."""

    def __init__(self, batches: Sequence[Sequence[dict[str, Any]]], tables: Mapping[str, Rows]) -> None:
        self.keys: dict[str, dict[str, FindingKey]] = {}
        self._batches = {f"batch {place}": batch for place, batch in enumerate(batches, 1)}
        self._chunks_of = dict(tables["communities"].values("community", "chunk_ids"))
        self._document_of = dict(tables["chunks"].values("id", "document_id"))
        self._titled = {id: about for id, *about in tables["documents"].values("id", "title", "metadata")}

    def items(self) -> Iterator[tuple[str, tuple[tuple[str, ...], tuple[ReportShown, ...]]]]:
        """Yield for each batch its name, the lines of its documents, and its reports under short ids."""
        for item, batch in self._batches.items():
            names: dict[str, str] = {}
            self.keys[item] = {}
            reports = tuple(self._shown(item, place, report, names) for place, report in enumerate(batch, 1))
            yield item, (tuple(f"{name}: {self._title(id)}" for id, name in names.items()), reports)

    def _title(self, document_id: str) -> str:
        title, metadata = self._titled[document_id]
        return full_title(title, metadata)

    def _shown(self, item: str, place: int, report: dict[str, Any], names: dict[str, str]) -> ReportShown:
        number = report["community"]
        counts = Counter(self._document_of[id] for id in self._chunks_of[number] if id in self._document_of)
        most = [id for id, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))]
        named = [names.setdefault(id, f"d{len(names) + 1}") for id in most[:DOCUMENTS_SHOWN]]
        more = len(most) - len(named)
        source = ", ".join(named) + (f" and {more} more documents" if more > 0 else "")
        findings = []
        keys = self.keys[item]
        keys[f"r{place}"] = FindingKey(number, 0)
        for position, finding in enumerate(report["findings"], 1):
            keys[f"r{place}.{position}"] = FindingKey(number, position)
            findings.append(FindingShown(f"r{place}.{position}", finding["summary"], finding["explanation"]))
        return ReportShown(f"r{place}", report["title"], report["rank"], source, report["summary"], tuple(findings))
