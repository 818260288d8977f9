"""Dynamic selection: reports are rated against the question from the top level down, and only relevant ones opened.

After Microsoft's dynamic community selection (FIELD: GraphRAG, step 7), with one change: a report gives way only to
reports below it that are rated higher, so a question on the whole stays at the top and a question on a detail goes
down to where the detail is told.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.base.settings import SearchSettings
from pipeline.base.store import Rows
from pipeline.language.language import Language
from pipeline.language.tasks.search.rate_reports import ReportsToRate, ReportToRate, rate_reports
from pipeline.query.answer import Trace
from pipeline.query.deadline import Deadline, request_all

OPENED = 1
"""Rating from which on the parts of a community are looked at: its report touches the subject."""
RELEVANT = 2
"""Rating from which on a report may be read: it holds something to mention."""
FULL = 5
"""Rating of a report that answers the question: nothing below it is looked at."""


@dataclass
class Selection:
    """The reports to read, and how it came to them."""

    reports: list[dict[str, Any]] = field(default_factory=list)
    rated: int = 0
    unrated: int = 0
    """Reports that should have been rated and were not, because calls failed or would have been too many."""

    @property
    def told(self) -> str:
        """The selection in words."""
        left = f", {self.unrated} could not be rated" if self.unrated else ""
        if not self.reports:
            return f"none of {self.rated} community reports that were rated{left}"
        levels = sorted({report["level"] for report in self.reports})
        where = f"level {levels[0]}" if len(levels) == 1 else f"levels {', '.join(map(str, levels))}"
        return f"{len(self.reports)} community reports of {where}, chosen out of {self.rated} rated{left}"

    @property
    def share(self) -> float:
        """Share of the reports that should have been rated and were."""
        return self.rated / (self.rated + self.unrated) if self.rated + self.unrated else 0.0


def select_reports(
    question: str,
    communities: Rows,
    reports: dict[int, dict[str, Any]],
    settings: SearchSettings,
    language: Language,
    deadline: Deadline,
    trace: Trace,
) -> Selection:
    """Return the reports worth reading for ``question``.

    A level's reports are rated, those rated OPENED but not FULL are opened, and their parts rated next. Where none of a
    level touches the subject all of them are opened, so that what only a part tells is found. At most half of
    ``settings.max_map_calls`` go into ratings. Reports of the top level whose rating failed are read all the same.
    """
    children = _children(communities, reports)
    rater = _Rater(question, settings, language, deadline, trace)
    ratings: dict[int, int] = {}
    level = children[-1]
    selection = Selection()
    unknown: list[int] = []
    while level and rater.calls:
        rated = rater.rate([reports[number] for number in level])
        ratings |= rated
        missing = [number for number in level if number not in rated]
        selection.unrated += len(missing)
        if level == children[-1]:
            unknown = [number for number in missing if number in rater.failed]
        opened = [number for number in level if rated.get(number, 0) >= OPENED]
        if rated and max(ratings.values()) < OPENED:
            trace.step("select", f"no report of level {reports[level[0]]['level']} is relevant, so all are opened")
            opened = level
        level = [child for number in opened if rated.get(number, 0) < FULL for child in children.get(number, ())]
    chosen = [number for top in children[-1] for number in _standing(top, ratings, children)]
    selection.rated = len(ratings)
    selection.reports = [reports[number] for number in [*chosen, *unknown]]
    trace.step("select", selection.told, ratings={str(number): ratings[number] for number in sorted(ratings)})
    return selection


def _children(communities: Rows, reports: dict[int, dict[str, Any]]) -> dict[int, list[int]]:
    """Return the communities with a report by their parent, -1 for the top level, in the order of their numbers."""
    found: dict[int, list[int]] = {-1: []}
    for row in sorted(communities.table(["community", "parent"]).to_pylist(), key=lambda row: int(row["community"])):
        if row["community"] in reports:
            found.setdefault(row["parent"], []).append(row["community"])
    return found


def _standing(number: int, ratings: dict[int, int], children: dict[int, list[int]]) -> list[int]:
    """Return the communities whose reports speak for this one: parts of it where one is rated higher, else itself."""
    own = ratings.get(number, 0)
    below = [part for child in children.get(number, ()) for part in _standing(child, ratings, children)]
    below = [part for part in below if ratings[part] >= own]
    if any(ratings[part] > own for part in below):
        return below
    return [number] if own >= RELEVANT else []


class _Rater:
    """Rates reports in batches that fit the context, within its share of calls."""

    def __init__(
        self, question: str, settings: SearchSettings, language: Language, deadline: Deadline, trace: Trace
    ) -> None:
        self._question, self._settings = question, settings
        self._language, self._deadline, self._trace = language, deadline, trace
        self.calls = max(settings.max_map_calls // 2, 1)
        """Calls left."""
        self.failed: set[int] = set()

    def rate(self, reports: Sequence[dict[str, Any]]) -> dict[int, int]:
        """Return the ratings by community; the most important reports first when calls are short."""
        order = sorted(reports, key=lambda report: (-report["rank"], report["community"]))
        batches = list(_batches(order, self._settings.context_tokens))
        left = batches[self.calls :]
        told = f"rating {len(reports)} reports of level {reports[0]['level']} in {len(batches) - len(left)} calls"
        told += f", at most {self.calls} are left" if not left else f"; {sum(map(len, left))} reports are too many"
        self._trace.step("rate", told)
        requests = {f"level {reports[0]['level']} batch {i}": b for i, b in enumerate(batches[: self.calls], 1)}
        self.calls -= len(requests)
        asked = request_all(
            rate_reports,
            [ReportsToRate(item, self._question, tuple(_shown(batch))) for item, batch in requests.items()],
            self._language,
            self._deadline,
            self._trace,
        )
        self.failed |= {report["community"] for request in asked.missing for report in requests[request.item]}
        return {
            report["community"]: rating.rating
            for request, reply in asked.replies
            for report, rating in zip(requests[request.item], reply.ratings, strict=True)
        }


def _batches(reports: Iterable[dict[str, Any]], budget: int) -> Iterable[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    room = budget
    for report in reports:
        if batch and report["n_tokens"] > room:
            yield batch
            batch, room = [], budget
        batch.append(report)
        room -= report["n_tokens"]
    if batch:
        yield batch


def _shown(batch: Sequence[dict[str, Any]]) -> list[ReportToRate]:
    return [
        ReportToRate(f"r{place}", report["title"], report["rank"], report["full_content"])
        for place, report in enumerate(batch, 1)
    ]
