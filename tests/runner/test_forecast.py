"""The time to go: none where it may be off, and never off by more than twice after a tenth of the run, whatever the server does.

The server is played with a clock of its own: workers that each ask one request after the other, and what the scenario says of them.
"""

import heapq
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pytest

from pipeline.base.settings import parse_settings
from pipeline.runner.forecast import COSTS, Forecast, Interval
from pipeline.runner.progress import Foretold

CHUNKS = 300
BEGUN = 100.0
WORKERS = 8


def _steady(started: float, number: int) -> float:
    return 4.0


@dataclass(frozen=True)
class Server:
    """How a played server replies, and what a run asks of it."""

    seconds: Callable[[float, int], float] = _steady
    """Of a request, by when it was sent, in seconds of the run, and its number."""
    every: float = 0.0
    """Replies come only at multiples of so many seconds."""
    per_minute: int = 0
    """Requests let through in a minute after the first hundred; 0 for all."""
    cached: float = 0.0
    """Share of the requests of each stage that the cache answers."""
    scattered: bool = False
    """Whether these are every so many requests, not the first ones."""
    levels: Sequence[tuple[float, float]] = ((1.0, 1.0),)
    """Of reports: share of them, and how many times longer one takes."""
    reports: int = 116
    quiet: float = 5.0
    """Seconds of the scan; the other stages without requests take theirs in proportion to their costs."""


def _cost(name: str) -> float:
    table, weight = COSTS[name]
    return weight * {"sentences": 4000, "vocabulary": 4000}[table]


def _run(server: Server) -> Iterator[tuple[float, Interval | None]]:
    """Yield (time, forecast) at each reply of a run over CHUNKS chunks."""
    forecast, now, calls, cached = Forecast(), BEGUN, 0, 0
    forecast.stage("s20_cut_chunks", now)
    forecast.finished("s20_cut_chunks", {"chunks": CHUNKS}, now + 0.1)
    gleaned, read_once = [(2 * CHUNKS, 1.0)], [(CHUNKS, 1.0)]
    reports = [(round(server.reports * share), longer) for share, longer in server.levels]
    stages: list[tuple[str, Sequence[tuple[int, float]], dict[str, int]]] = [
        ("s25_annotate_sentences", [], {"sentences": 4000, "vocabulary": 4000}),
        ("s30_extract_graph", gleaned, {}),
        ("s40_merge_graph", [], {"entities": round(server.reports / 0.16)}),
        ("s50_extract_claims", read_once, {}),
        ("s60_extract_facts", read_once, {}),
        ("s70_find_communities", [], {"communities": round(server.reports / 0.58)}),
        ("s80_write_reports", reports, {}),
        ("s85_index_passages", [], {}),
    ]
    let_through: list[float] = []
    for name, rounds, rows in stages:
        forecast.stage(name, now)
        now += 0.0 if rounds else server.quiet * _cost(name) / _cost("s25_annotate_sentences")
        for requests, longer in rounds:
            workers, replies = [now] * WORKERS, list[float]()
            for number in range(requests):
                kept = number < server.cached * requests
                if server.scattered:
                    kept = number % 10 < 10 * server.cached
                if kept:
                    cached += 1
                    replies.append(-now)
                    continue
                sent = heapq.heappop(workers)
                if server.per_minute and len(let_through) >= 100:
                    sent = max(sent, let_through[-1] + 60 / server.per_minute)
                let_through.append(sent)
                at = sent + server.seconds(sent - BEGUN, len(let_through)) * longer
                if server.every:
                    at = (at // server.every + 1) * server.every
                heapq.heappush(workers, at)
                replies.append(at)
            kept_here = sum(at < 0 for at in replies)
            stored = cached - kept_here
            for done, at in enumerate(sorted(replies, key=abs), 1):
                stored, calls, now = stored + (at < 0), calls + (at >= 0), max(now, abs(at))
                forecast.step(done, requests, {"calls": calls, "cached": stored}, now)
                yield now, forecast.seconds_left(now)
        forecast.finished(name, rows, now)
    yield now, None


def _uneven(started: float, number: int) -> float:
    return 3.0 * random.Random(number).lognormvariate(0.0, 0.7)


SERVERS = {
    "even": Server(),
    "uneven replies": Server(seconds=_uneven),
    "slow start": Server(seconds=lambda started, number: 94.0 if started < 10 else 4.0),
    "slow start of a tenth": Server(seconds=lambda started, number: 60.0 - started if started < 40 else 4.0),
    "warming up": Server(seconds=lambda started, number: 4.0 + 12.0 * max(0.0, 1 - started / 90)),
    "bursts": Server(every=20.0),
    "long bursts": Server(every=45.0),
    "limited": Server(per_minute=60),
    "limited after fast replies": Server(seconds=lambda started, number: 0.5, per_minute=120),
    "half in the cache": Server(cached=0.5),
    "half in the cache, scattered": Server(cached=0.5, scattered=True),
    "nine tenths in the cache": Server(cached=0.9),
    "levels of reports": Server(levels=((0.7, 1.0), (0.2, 2.0), (0.1, 3.0))),
    "many long reports": Server(reports=250, levels=((0.7, 1.5), (0.3, 2.0))),
    "few reports": Server(reports=60),
    "long stages without requests": Server(quiet=80.0),
    "slower by half in the middle": Server(seconds=lambda started, number: 4.0 if started < 300 else 6.0),
    "faster by half in the middle": Server(seconds=lambda started, number: 6.0 if started < 300 else 4.0),
    "all at once": Server(seconds=_uneven, every=15.0, cached=0.3, scattered=True, levels=((0.7, 1.0), (0.3, 2.0))),
}


@pytest.mark.parametrize("name", SERVERS)
def test_what_is_foretold_of_a_run_with_a_model_is_never_off_by_more_than_twice_after_a_tenth(name: str) -> None:
    forecasts = list(_run(SERVERS[name]))
    end = forecasts[-1][0]
    given = [(now, left.middle) for now, left in forecasts if left is not None and end - now > 5]
    wrong = [
        (round((now - BEGUN) / (end - BEGUN), 2), round(left / (end - now), 2))
        for now, left in given
        if not 0.5 <= left / (end - now) <= 2.0
    ]
    assert not [one for one in wrong if one[0] >= 0.1]


@pytest.mark.parametrize("seed", range(12))
def test_neither_end_of_the_range_is_off_by_more_than_twice_whatever_happens_to_the_server(seed: int) -> None:
    chance = random.Random(seed)
    base, spread, when, turn = (
        chance.choice(some) for some in ((1, 4, 8), (0.0, 0.3, 0.8), (60, 300, 500), (0.5, 0.7, 1.5, 2.0))
    )

    def seconds(started: float, number: int) -> float:
        waiting = random.Random(1000 * seed + number).lognormvariate(0.0, spread) * (
            1 + 3 * max(0.0, 1 - started / when)
        )
        return base * waiting * (turn if started > when else 1.0)

    server = Server(
        seconds,
        chance.choice((0.0, 10.0)),
        chance.choice((0, 0, 60)),
        chance.choice((0.0, 0.3)),
        chance.random() < 0.5,
        chance.choice((((1.0, 1.0),), ((0.7, 1.0), (0.2, 2.0), (0.1, 3.0)))),
        chance.choice((60, 116, 250)),
        chance.choice((2, 20)),
    )
    forecasts = list(_run(server))
    end = forecasts[-1][0]
    given = [
        (end - now, left) for now, left in forecasts if left and now - BEGUN >= 0.1 * (end - BEGUN) and end - now > 5
    ]
    assert given and not [(to_go, left) for to_go, left in given if not left.low / 2 <= to_go <= 2 * left.high]


@pytest.mark.parametrize("name", [name for name in SERVERS if "nine tenths" not in name])
def test_the_time_to_go_is_told_for_most_of_a_run_though_not_at_its_start(name: str) -> None:
    forecasts = list(_run(SERVERS[name]))
    end = forecasts[-1][0]
    tenths = {int(10 * (now - BEGUN) / (end - BEGUN)) for now, left in forecasts if left is not None}
    assert len(tenths & {3, 4, 5, 6, 7, 8, 9}) >= 4


@pytest.mark.parametrize(("sentences", "names"), [(2420, 145), (5535, 491), (4145, 6836), (10558, 17496)])
def test_the_forecast_of_a_run_without_one_is_not_off_by_more_than_twice(sentences: int, names: int) -> None:
    rows, forecasts, now, forecast = {"sentences": sentences, "vocabulary": names}, [], BEGUN, Forecast()
    for name, (table, weight) in COSTS.items():
        forecast.stage(name, now)
        for done in range(1, 11):
            now += 0.7e-2 * weight * rows[table] / 10 * 0.1
            forecast.step(done, 10, {"calls": 0, "cached": 0}, now)
            forecasts.append((now, forecast.seconds_left(now)))
        forecast.finished(name, rows if name == "s25_annotate_sentences" else {}, now)
    end = forecasts[-1][0]
    late = [(end - at, left.middle) for at, left in forecasts if left is not None and end - at > 0.2]
    assert late and all(0.5 <= left / actual <= 2.0 for actual, left in late)


def test_nothing_is_foretold_from_nothing_or_from_the_first_replies() -> None:
    forecast = Forecast()
    forecast.stage("s10_load_documents", 1.0)
    assert forecast.seconds_left(1.5) is None and forecast.seconds_left(60.0) is None
    forecast.finished("s20_cut_chunks", {"chunks": CHUNKS}, 60.0)
    forecast.stage("s30_extract_graph", 60.0)
    forecast.step(1, 400, {"calls": 1, "cached": 0}, 90.0)
    assert forecast.seconds_left(90.0) is None


def test_who_watches_finds_the_seconds_left_beside_what_was_spent() -> None:
    seen: list[Mapping[str, float]] = []

    class Watch:
        def line(self, text: str) -> None: ...
        def stage(self, name: str, help: str) -> None: ...
        def finished(self, name: str, rows: dict[str, int], seconds: float) -> None: ...
        def step(self, done: int, total: int | None, spent: object) -> None:
            seen.append(spent())  # type: ignore[operator]

    clock = iter(range(0, 1000, 5))
    foretold = Foretold(
        Watch(), Forecast(parse_settings({"extraction": {"one_pass": True}})), lambda: float(next(clock))
    )
    foretold.stage("s30_extract_graph", "")
    for done in range(1, 8):
        foretold.step(done, 10, lambda done=done: {"calls": float(done), "cached": 0.0})  # type: ignore[misc]
    assert seen[0]["calls"] == 1 and "seconds_left" not in seen[0]
    assert 15 <= seen[-1]["seconds_left"] <= 60
    assert 0 < seen[-1]["seconds_left_least"] <= seen[-1]["seconds_left"] <= seen[-1]["seconds_left_most"]
