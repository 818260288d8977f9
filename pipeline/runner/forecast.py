"""How long a run still takes: requests that are left by how long requests took, and without a model by what stages cost."""

from collections.abc import Mapping

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
_AFTER_SCAN = 1.1
"""What all later stages take of the time of SCAN, while the numbers of sentences and names are not known yet."""
_PER_CHUNK = {"s30_extract_graph": 2.0, "s50_extract_claims": 2.0, "s60_extract_facts": 2.0, "s80_write_reports": 1.0}
"""Requests to a model per chunk, for stages that have not begun; a first reading and one round of gleaning."""
_REPORTS = (("communities", 0.58), ("entities", 0.16))
"""Reports by a model for each row of a table, the surest first: most communities are too small for one. Much the same on
a novel, transcripts and encyclopaedic passages."""
_LEAST_SECONDS = 2.0
"""Before that nothing is foretold."""


class Forecast:
    """Follows a run by the events of its progress. Times are seconds of any clock, handed in."""

    def __init__(self, rounds: int = 2, one_pass: bool = False, claims: bool = True) -> None:
        """``rounds``: requests of an extraction per chunk, its gleanings among them."""
        self._expected = {name: n * rounds / 2 if n == 2.0 else n for name, n in _PER_CHUNK.items()}
        if one_pass:
            self._expected |= {"s50_extract_claims": 0.0, "s60_extract_facts": 0.0}
        if not claims:
            self._expected["s50_extract_claims"] = 0.0
        self._rows: dict[str, int] = {}
        self._begun = self._stage_begun = 0.0
        self._stage = ""
        self._ended: dict[str, float] = {}
        self._done = self._total = 0
        self._paid = self._paid_seconds = 0.0
        self._calls_before = self._cached_before = self._calls = self._cached = 0.0

    def stage(self, name: str, now: float) -> None:
        """A stage begins."""
        self._begun = self._begun or now
        self._stage, self._stage_begun, self._done, self._total = name, now, 0, 0
        self._calls_before, self._cached_before = self._calls, self._cached

    def step(self, done: int, total: int | None, spent: Mapping[str, float]) -> None:
        """Requests of the stage are done."""
        self._done, self._total = done, total or 0
        self._calls, self._cached = spent["calls"], spent["cached"]

    def finished(self, name: str, rows: Mapping[str, int], now: float) -> None:
        """A stage has ended."""
        self._ended[name] = now - self._stage_begun
        self._rows |= rows
        if self._calls > self._calls_before:
            self._paid += self._calls - self._calls_before
            self._paid_seconds += now - self._stage_begun
        self._stage = ""

    def seconds_left(self, now: float) -> float | None:
        """Return about how long the run still takes; None where nothing can be foretold yet."""
        if now - self._begun < _LEAST_SECONDS:
            return None
        by_model = self._calls > 0
        left = self._requests_left(now) if by_model else self._costs_left(now)
        return None if left is None else max(left, 0.0)

    def _requests_left(self, now: float) -> float | None:
        """By requests: those of this stage at its own pace, those of the stages to come at the mean pace."""
        here, passed = self._calls - self._calls_before, now - self._stage_begun
        answered = self._done - (self._cached - self._cached_before)
        pace = None
        left = 0.0
        if self._stage and here and self._total and answered > 0:
            pace = passed / answered
            left += pace * (self._total - self._done)
        paid = self._paid + (here if self._stage else 0.0)
        seconds = self._paid_seconds + (passed if self._stage else 0.0)
        mean = seconds / paid if paid else pace
        if mean is None:
            return None
        return left + mean * sum(self._to_come(name) for name in _PER_CHUNK if self._is_to_come(name))

    def _to_come(self, name: str) -> float:
        for table, share in _REPORTS if name == "s80_write_reports" else ():
            if table in self._rows:
                return self._rows[table] * share
        return self._expected.get(name, 0.0) * self._rows.get("chunks", 0)

    def _costs_left(self, now: float) -> float | None:
        """By what the stages that have ended took for what they were reckoned to cost."""
        part = self._done / self._total if self._total else 0.0
        passed = now - self._stage_begun
        if self._stage == SCAN:
            return passed * (1 - part + _AFTER_SCAN) / part if part > 0.05 else None
        reckoned = sum(self._cost(name) for name in self._ended)
        if not reckoned:
            return None
        here = self._cost(self._stage)
        seconds = sum(took for name, took in self._ended.items() if name in COSTS) + passed * bool(part)
        pace = seconds / (reckoned + here * part)
        return pace * (here * (1 - part) + sum(self._cost(name) for name in COSTS if self._is_to_come(name)))

    def _cost(self, name: str) -> float:
        table, weight = COSTS.get(name, ("", 0.0))
        return weight * self._rows.get(table, 0)

    def _is_to_come(self, name: str) -> bool:
        return name > self._stage and name not in self._ended and name > max(self._ended, default="")
