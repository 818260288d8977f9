"""Dynamic selection: reports are rated against the question from the top level down, and only relevant ones opened.

After Microsoft's dynamic community selection, with one change: a report gives way only to
reports below it that are rated higher, so a question on the whole stays at the top and a question on a detail goes
down to the reports that hold it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.base.tokens import batches_within
from pipeline.language.tasks.search.rate_reports import ReportsToRate, ReportToRate, rate_reports
from pipeline.query.method import SearchCall
from pipeline.query.methods.effort import CommunityTree, effort_of, reports_in_words
from pipeline.query.model_requests import Deadline, request_all

OPENED = 1
"""Rating from which on the parts of a community are looked at: its report touches the subject."""
RELEVANT = 2
"""Rating from which on a report may be read: it holds something to mention."""
FULL = 5
"""Rating of a report that answers the question: nothing below it is looked at."""


@dataclass
class ReportSelection:
    """The reports to read, and how it came to them."""

    reports: list[dict[str, Any]] = field(default_factory=list)
    rated: int = 0
    unrated: int = 0
    """Reports that should have been rated and were not, because calls failed or would have been too many."""
    relevant: int = 0
    """Reports worth reading, those included for which the effort has no room."""

    @property
    def description(self) -> str:
        """The selection in words."""
        left = f", {self.unrated} could not be rated" if self.unrated else ""
        if not self.reports:
            return f"none of {self.rated} community reports that were rated{left}"
        return f"{reports_in_words(self.reports)}, chosen out of {self.rated} rated{left}"

    @property
    def share(self) -> float:
        """Share of the reports that should have been rated and were."""
        return self.rated / (self.rated + self.unrated) if self.rated + self.unrated else 0.0


def select_reports(call: SearchCall, reports: dict[int, dict[str, Any]], deadline: Deadline) -> ReportSelection:
    """Return the reports worth reading for the question.

    A level's reports are rated, those rated OPENED but not FULL are opened, and their parts rated next. Where none of a
    level touches the subject all of them are opened, so that what only a part says is found. At most half of
    ``settings.max_map_calls`` go into ratings, and no more than the tokens of the effort. Reports of the top level whose
    rating failed are read all the same.
    """
    tree = CommunityTree(call.tables["communities"], reports)
    room = effort_of(call.settings).report_tokens
    rater = _Rater(call, room, deadline)
    ratings: dict[int, int] = {}
    level = tree.top
    selection = ReportSelection()
    unknown: list[int] = []
    while level and rater.calls:
        rated = rater.rate([reports[number] for number in level])
        ratings |= rated
        missing = [number for number in level if number not in rated]
        selection.unrated += len(missing)
        if level == tree.top:
            unknown = [number for number in missing if number in rater.failed]
        opened = [number for number in level if rated.get(number, 0) >= OPENED]
        if rated and max(ratings.values()) < OPENED:
            call.trace.step("select", f"no report of level {reports[level[0]]['level']} is relevant, so all are opened")
            opened = level
        level = [child for number in opened if rated.get(number, 0) < FULL for child in tree.parts(number)]
    chosen = [number for top in tree.top for number in _speakers(top, ratings, tree)]
    selection.rated = len(ratings)
    best = sorted(chosen, key=lambda number: (-ratings[number], -reports[number]["rank"], number))
    selection.relevant = len(best) + len(unknown)
    selection.reports = [reports[number] for number in tree.fitting([*best, *unknown], room)]
    call.trace.step(
        "select", selection.description, ratings={str(number): ratings[number] for number in sorted(ratings)}
    )
    return selection


def _speakers(number: int, ratings: dict[int, int], tree: CommunityTree) -> list[int]:
    """Return the communities whose reports speak for this one: parts of it where one is rated higher, else itself."""
    own = ratings.get(number, 0)
    below = [part for child in tree.parts(number) for part in _speakers(child, ratings, tree)]
    below = [part for part in below if ratings[part] >= own]
    if any(ratings[part] > own for part in below):
        return below
    return [number] if own >= RELEVANT else []


class _Rater:
    """Rates reports in batches that fit the context, within its share of calls."""

    def __init__(self, call: SearchCall, room: int, deadline: Deadline) -> None:
        self._call, self._deadline = call, deadline
        self.calls = max(call.settings.max_map_calls // 2, 1)
        """Calls left."""
        self._room = room
        """Tokens of reports that may still be rated; the batch that passes it is the last."""
        self.failed: set[int] = set()

    def rate(self, reports: Sequence[dict[str, Any]]) -> dict[int, int]:
        """Return the ratings by community; the most important reports first when calls are short."""
        order = sorted(reports, key=lambda report: (-report["rank"], report["community"]))
        sizes = (report["n_tokens"] for report in order)
        batches = [order[cut] for cut in batches_within(sizes, self._call.settings.context_tokens)]
        allowed = []
        for batch in batches[: self.calls]:
            if self._room > 0:
                allowed.append(batch)
                self._room -= sum(report["n_tokens"] for report in batch)
        left = sum(map(len, batches)) - sum(map(len, allowed))
        detail = f"rating {len(reports)} reports of level {reports[0]['level']} in {len(allowed)} calls"
        detail += f", at most {self.calls} are left" if not left else f"; {left} reports are too many"
        self._call.trace.step("rate", detail)
        requests = {f"level {reports[0]['level']} batch {i}": batch for i, batch in enumerate(allowed, 1)}
        self.calls -= len(requests)
        asked = request_all(
            rate_reports,
            [ReportsToRate(item, self._call.question.text, tuple(_shown(batch))) for item, batch in requests.items()],
            self._call.language,
            self._deadline,
            self._call.trace,
        )
        self.failed |= {report["community"] for request in asked.missing for report in requests[request.item]}
        return {
            report["community"]: rating.rating
            for request, reply in asked.replies
            for report, rating in zip(requests[request.item], reply.ratings, strict=True)
        }


def _shown(batch: Sequence[dict[str, Any]]) -> list[ReportToRate]:
    return [
        ReportToRate(f"r{place}", report["title"], report["rank"], report["full_content"])
        for place, report in enumerate(batch, 1)
    ]
