"""How much of the hierarchy of reports a global question reads: an effort, and the reports that fit it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pipeline.base.errors import QuestionError
from pipeline.base.settings import SearchSettings
from pipeline.base.store import Rows
from pipeline.text.inflection import in_number


class Effort(NamedTuple):
    """What one question may read and write, in tokens: of reports, and of the answer."""

    report_tokens: int
    answer_tokens: int


EFFORTS = {
    "low": Effort(8_000, 800),
    "medium": Effort(24_000, 2_000),
    "high": Effort(120_000, 3_000),
}
"""One map call, three, and fifteen with the default ``search.context_tokens``; each with one more call for the answer."""


class Chosen(NamedTuple):
    """Reports to read, which they are in words, and how many there would be without a limit."""

    reports: list[dict[str, Any]]
    description: str
    total: int


class CommunityTree:
    """The communities that have a report, as a tree; every entity lies in one community of each cut through it."""

    def __init__(self, communities: Rows, reports: Mapping[int, dict[str, Any]]) -> None:
        self.reports = reports
        self.level: dict[int, int] = {}
        self.size: dict[int, int] = {}
        self.children: dict[int, list[int]] = defaultdict(list)
        self._leaf: set[int] = set()
        table = communities.table(["community", "level", "parent", "children", "size"]).to_pylist()
        for row in sorted(table, key=lambda row: int(row["community"])):
            number = int(row["community"])
            self.level[number], self.size[number] = row["level"], row["size"]
            self.children[row["parent"]].append(number)
            if not row["children"]:
                self._leaf.add(number)

    @property
    def top(self) -> list[int]:
        """The communities of the top level that have a report."""
        return [number for number in self.children[-1] if number in self.reports]

    def at_level(self, level: int) -> list[int]:
        """Return the cut at a level: its communities, and those of levels above that are not divided further."""
        return [
            number
            for number, own in self.level.items()
            if number in self.reports and (own == level or (own < level and number in self._leaf))
        ]

    def within(self, budget: int) -> list[int]:
        """Return the finest cut whose reports have at most ``budget`` tokens together.

        It begins with the top level and opens one level after the other, the largest communities first: a report gives
        way to those on the community's parts, so nothing is read at two levels. Where the top level alone is above the
        budget, its most important reports are returned.
        """
        order = sorted(self.top, key=lambda number: (-self.reports[number]["rank"], number))
        total = sum(map(self._tokens, order))
        if total > budget:
            return self.fitting(order, budget)
        chosen = dict.fromkeys(order)
        for level in range(max(self.level.values(), default=0)):
            here = [number for number in chosen if self.level[number] == level and self.children[number]]
            for number in sorted(here, key=lambda number: (-self.size[number], number)):
                parts = self.children[number]
                more = sum(map(self._tokens, parts)) - self._tokens(number)
                if all(part in self.reports for part in parts) and total + more <= budget:
                    del chosen[number]
                    chosen |= dict.fromkeys(parts)
                    total += more
        return sorted(chosen)

    def parts(self, number: int) -> list[int]:
        """Return the communities that one was divided into, those with a report."""
        return [part for part in self.children.get(number, ()) if part in self.reports]

    def fitting(self, order: Sequence[int], budget: int) -> list[int]:
        """Return those of some communities whose reports fit a budget of tokens, the first at least, by number."""
        chosen: list[int] = []
        for number in order:
            if self._tokens(number) <= budget or not chosen:
                chosen.append(number)
                budget -= self._tokens(number)
        return sorted(chosen)

    def _tokens(self, number: int) -> int:
        return int(self.reports[number]["n_tokens"]) if number in self.reports else 0


def effort_of(settings: SearchSettings) -> Effort:
    """Return the effort that settings name, with ``search.answer_tokens`` in place of its own where it is set."""
    effort = EFFORTS[settings.effort]
    return effort._replace(answer_tokens=settings.answer_tokens or effort.answer_tokens)


def choose_by_level(communities: Rows, reports: Mapping[int, dict[str, Any]], settings: SearchSettings) -> Chosen:
    """Return the reports of the level that settings name, or else the finest ones that the effort has room for."""
    tree = CommunityTree(communities, reports)
    if isinstance(settings.level, int):
        deepest = max(tree.level.values(), default=0)
        if settings.level > deepest:
            raise QuestionError(
                f"no report is of level {settings.level}",
                f"the levels are 0 to {deepest}" if deepest else "the only level is 0",
                "name one of these, or dynamic",
            )
        numbers = tree.at_level(settings.level)
        total = len(numbers)
    else:
        numbers = tree.within(effort_of(settings).report_tokens)
        total = max(len(numbers), len(tree.top))
    chosen = [reports[number] for number in numbers]
    return Chosen(chosen, reports_in_words(chosen), total)


def reports_in_words(reports: Iterable[dict[str, Any]]) -> str:
    """Return how many reports there are and of which levels: "12 community reports of levels 0 and 1"."""
    levels = [report["level"] for report in reports]
    named = [str(level) for level in sorted(set(levels))]
    where = (
        f"level {named[0]}" if len(named) == 1 else f"levels {', '.join(named[:-1])} and {named[-1]}" if named else ""
    )
    return f"{in_number(len(levels), 'community report')} of {where}" if levels else "no community reports"
