"""How long a run still takes at least and at most: by requests, and without a model by what stages cost."""

from bisect import bisect_left
from collections.abc import Mapping
from math import sqrt
from typing import NamedTuple

from pipeline.base.settings import Settings

SCAN = "s25_annotate_sentences"
COSTS = {
    SCAN: ("sentences", 2.0),
    "s30_extract_graph": ("sentences", 0.1),
    "s35_resolve_names": ("vocabulary", 0.5),
    "s40_merge_graph": ("vocabulary", 0.2),
    "s50_extract_claims": ("sentences", 0.07),
    "s60_extract_facts": ("sentences", 0.35),
    "s70_find_communities": ("vocabulary", 0.15),
    "s75_lay_out_map": ("vocabulary", 0.4),
    "s80_write_reports": ("vocabulary", 1.35),
    "s85_index_passages": ("sentences", 0.35),
}
"""What a stage takes without a model: for each row of a table, in about milliseconds; their ratios count. Fitted to a novel,
to transcripts and to short encyclopaedic passages, whose numbers of names for a sentence differ by a factor of 27."""
_LEAST_SEEN = 4
"""Moments at which more replies were there, from which on a pace is given."""
_INSTANT = 1e-9
_AFTER_SCAN = (0.5, 2.5)
"""What all later stages take of the time of SCAN at least and at most, while the numbers of sentences and names are not known."""
_REPORTS_PER_CHUNK = 1.0
"""Reports by a model per chunk, before communities or entities are counted."""
_REPORTS = (("communities", 0.58), ("entities", 0.16))
"""Reports by a model for each row of a table, the surest first: most communities are too small for one. Much the same on
a novel, transcripts and encyclopaedic passages."""
_REPORTS_SPREAD, _OTHER_STAGE = 1.25, 1.3
"""Factors by which the number of reports, and the time of a request of a stage that has not begun, may be off."""
_LEVELLED, _HIGHER_LEVEL = "s80_write_reports", 2.5
"""The stage that asks level by level, and how many times longer a request of a higher level may take."""
_COST_SPREAD = 1.5
"""Factor by which the time of the stages without requests may be off."""
_WIDEST = 3.2
"""The most time that may be left over the least, up to which both are given."""
_EARLIEST = 0.1
"""Share of the run before which no forecast is given."""
_LAST = 2.5
"""Times as long as a reply takes, below which the end hangs on the slowest reply, and no forecast is given."""
_LEAST_SECONDS = 2.0


class Interval(NamedTuple):
    """A quantity between two bounds."""

    low: float
    high: float

    def times(self, factor: float, spread: float = 1.0) -> "Interval":
        """Return it times a factor that may be off by ``spread`` either way."""
        return Interval(self.low * factor / spread, self.high * factor * spread)

    @property
    def middle(self) -> float:
        """As many times the least as the most is times it."""
        return sqrt(max(self.low, 0.0) * self.high)

    def plus(self, other: "Interval") -> "Interval":
        """Return the sum."""
        return Interval(self.low + other.low, self.high + other.high)


class Pace:
    """Seconds for a reply, as bounds: with and without the start, of late, and by the longest silence.

    A server that starts slowly, replies in bursts or begins to limit its rate makes these differ; they come together when
    it goes on evenly.
    """

    def __init__(self) -> None:
        self._at: list[tuple[float, float]] = []
        self.silence = 0.0
        """The longest time between two replies, in seconds."""

    def begin(self, now: float, replies: float) -> None:
        """A stretch of time begins in which ``replies`` are there already; time before it counts for nothing."""
        shift = now - self._at[-1][0] if self._at else 0.0
        self._at = [(at + shift, count) for at, count in self._at] or [(now, replies)]

    def seen(self, now: float, replies: float) -> None:
        """So many replies are there."""
        last, count = self._at[-1]
        if replies > count:
            self.silence = max(self.silence, now - last)
            self._at.append((now, replies))

    def seconds(self, now: float) -> Interval | None:
        """Return the bounds; None before the replies are enough."""
        if len(self._at) < _LEAST_SEEN:
            return None
        begun, before = self._at[0]
        first, with_first = self._at[1]
        last, count = self._at[-1]
        waiting = max(now, last)
        paces = [(waiting - begun) / (count - before), (waiting - first) / max(count - with_first, 1.0)]
        half = self._at[bisect_left(self._at, begun + (waiting - begun) / 2, key=lambda seen: seen[0]) - 1]
        paces.append((waiting - half[0]) / max(count - half[1], 1.0))
        doubt = 1 + self.silence / max(waiting - begun, _INSTANT)
        return Interval(min(paces), max(paces)).times(1.0, doubt**0.5)


def _readings(settings: Settings) -> dict[str, float]:
    """Return the requests to a model per chunk of the stages that read chunks: a first reading and the rounds of gleaning."""
    extraction, claims, facts = settings.extraction, settings.claims, settings.facts
    apart = not extraction.one_pass
    return {
        "s30_extract_graph": 1.0 + extraction.max_gleanings,
        "s50_extract_claims": 1.0 + claims.max_gleanings if apart and claims.enabled else 0.0,
        "s60_extract_facts": 1.0 + facts.max_gleanings if apart else 0.0,
    }


class Forecast:
    """Follows a run by the events of its progress. Times are seconds of any clock, handed in."""

    def __init__(self, settings: Settings | None = None) -> None:
        """``settings`` say how often a chunk is read, gleanings among them; None for those at their defaults."""
        self._expected = {**_readings(settings or Settings()), _LEVELLED: _REPORTS_PER_CHUNK}
        self._rows: dict[str, int] = {}
        self._begun = self._stage_begun = self._level_begun = self._last = 0.0
        self._stage = ""
        self._ended: dict[str, float] = {}
        self._asking = set[str]()
        self._done = self._total = self._done_before = 0
        self._cached_before = self._calls = self._cached = 0.0
        self._kept = list[float]()
        """Shares of the requests that the cache answered, of each stage that has ended."""
        self._overall, self._here, self._level = Pace(), Pace(), Pace()
        self._latency = 0.0
        """Seconds until the first reply of this level."""

    def stage(self, name: str, now: float) -> None:
        """A stage begins."""
        self._begun = self._begun or now
        self._stage, self._stage_begun = name, now
        self._done = self._total = self._done_before = 0
        self._cached_before = self._cached
        self._here, self._level = Pace(), Pace()
        self._level_begun, self._latency = now, 0.0
        for pace in (self._overall, self._here, self._level):
            pace.begin(now, self._calls)

    def step(self, done: int, total: int | None, spent: Mapping[str, float], now: float) -> None:
        """Requests of the stage are done, counted anew for each of its levels."""
        if done < self._done:
            self._done_before += self._done
            self._level = Pace()
            self._level.begin(self._last, self._calls)
            self._level_begun, self._latency = self._last, 0.0
        if spent["calls"] > self._calls:
            self._asking.add(self._stage)
            self._latency = self._latency or now - self._level_begun
        self._done, self._total, self._last = done, total or 0, now
        self._calls, self._cached = spent["calls"], spent["cached"]
        for pace in (self._overall, self._here, self._level):
            pace.seen(now, self._calls)

    def finished(self, name: str, rows: Mapping[str, int], now: float) -> None:
        """A stage has ended."""
        self._ended[name] = now - self._stage_begun
        self._rows |= rows
        if name in self._asking:
            self._kept.append(self._kept_here())
        self._stage = ""

    def seconds_left(self, now: float) -> Interval | None:
        """Return the least and the most that the run still takes; None before a tenth of it, and where they are far apart."""
        passed = now - self._begun
        if passed < _LEAST_SECONDS:
            return None
        by_model = self._calls > 0 or self._cached > 0
        left = self._requests_left(now) if by_model else self._scan_left(now)
        if left is None or left.high > _WIDEST * left.low:
            return None
        last_replies = by_model and left.middle < _LAST * max(self._latency, self._level.silence)
        return left if passed >= _EARLIEST * (passed + left.middle) and not last_replies else None

    def _requests_left(self, now: float) -> Interval | None:
        """By requests: those of this stage at its own pace, those of the stages to come at that of all, and by the costs of
        the stages without any."""
        mean = self._overall.seconds(now)
        if mean is None:
            return None
        left = self._costs_left()
        if self._stage in self._expected:
            left = left.plus(self._stage_left(now, mean))
        kept = [*self._kept, self._kept_here()] if self._stage in self._asking else self._kept
        for name in self._expected:
            if self._is_to_come(name):
                requests, spread = self._to_come(name)
                few = 1 - max(kept, default=0.0)
                most = 1 - min(kept, default=0.0) if len(kept) > 1 else 1.0
                some = mean.times(requests, spread * _OTHER_STAGE)
                left = left.plus(Interval(some.low * few, some.high * most + self._latency))
        return left

    def _stage_left(self, now: float, mean: Interval) -> Interval:
        """Return the time of what this stage still asks: of this level at its pace, of the levels above at no more than twice
        that of the stage; the last replies may take as long as two of the first."""
        here = self._here.seconds(now) or mean.times(1.0, _OTHER_STAGE)
        level = self._level.seconds(now) or Interval(here.low, here.high * _HIGHER_LEVEL)
        requests = max(self._total - self._done, 0.0)
        some = Interval(level.low * requests * (1 - self._kept_here()), level.high * requests)
        above = 0.0
        if self._stage == _LEVELLED or not self._total:
            above = max(self._to_come(self._stage)[0] - self._done_before - max(self._total, self._done), 0.0)
        some = some.plus(Interval(here.low * above, here.high * above * _HIGHER_LEVEL))
        return Interval(some.low, max(some.high, some.low + 2 * self._latency)) if requests or above else some

    def _kept_here(self) -> float:
        """Return the share of this stage's requests that the cache has answered."""
        answered = self._done + self._done_before
        return min((self._cached - self._cached_before) / answered, 1.0) if answered else 0.0

    def _to_come(self, name: str) -> tuple[float, float]:
        """Return how many requests a stage makes, and the factor by which that may be off."""
        if name != _LEVELLED:
            return self._expected.get(name, 0.0) * self._rows.get("chunks", 0), 1.0
        for table, share in _REPORTS:
            if table in self._rows:
                return self._rows[table] * share, _REPORTS_SPREAD
        return self._expected[name] * self._rows.get("chunks", 0), _REPORTS_SPREAD**2

    def _scan_left(self, now: float) -> Interval | None:
        """Without a model: by what the stages that have ended took for what they were reckoned to cost."""
        part = self._done / self._total if self._total else 0.0
        passed = now - self._stage_begun
        if self._stage == SCAN:
            low, high = _AFTER_SCAN
            return Interval(1 - part + low, 1 - part + high).times(passed / part) if part > 0.05 else None
        reckoned = sum(self._cost(name) for name in self._ended)
        if not reckoned:
            return None
        here = self._cost(self._stage)
        seconds = sum(took for name, took in self._ended.items() if name in COSTS) + passed * bool(part)
        pace = seconds / (reckoned + here * part)
        left = pace * (here * (1 - part) + sum(self._cost(name) for name in COSTS if self._is_to_come(name)))
        return Interval(left, left)

    def _costs_left(self) -> Interval:
        """Beside a model: what the stages to come that ask it nothing take, by what those that have ended took."""
        quiet = [name for name in self._ended if name in COSTS and name not in self._asking]
        reckoned = sum(self._cost(name) for name in quiet)
        if not reckoned:
            return Interval(0.0, 0.0)
        pace = sum(self._ended[name] for name in quiet) / reckoned
        to_come = sum(self._cost(name) for name in COSTS if self._is_to_come(name) and not self._expected.get(name))
        return Interval(pace * to_come, pace * to_come).times(1.0, _COST_SPREAD)

    def _cost(self, name: str) -> float:
        table, weight = COSTS.get(name, ("", 0.0))
        return weight * self._rows.get(table, 0)

    def _is_to_come(self, name: str) -> bool:
        return name > self._stage and name not in self._ended and name > max(self._ended, default="")
