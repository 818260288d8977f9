"""The time to go is never off by more than twice, once a tenth of a run is over, where calls of one stage take up to half
as long again as those of another, and a chunk has up to 1.25 reports."""

from collections.abc import Iterator, Mapping

import pytest

from pipeline.runner.forecast import COSTS, Forecast
from pipeline.runner.progress import Foretold

CHUNKS = 200


class Clock:
    now = 100.0


def run_with_a_model(
    per_call: Mapping[str, float], reports: int, cached: int = 0
) -> Iterator[tuple[float, float | None]]:
    """Yield (time, forecast) at each reply of a run over CHUNKS chunks whose first ``cached`` replies are in the cache."""
    forecast, now, calls, stored = Forecast(), Clock.now, 0, 0
    forecast.finished("s20_cut_chunks", {"chunks": CHUNKS}, now)
    for name, requests in (
        ("s30_extract_graph", 2 * CHUNKS), ("s50_extract_claims", 2 * CHUNKS),
        ("s60_extract_facts", 2 * CHUNKS), ("s80_write_reports", reports),
    ):  # fmt: skip
        if name == "s80_write_reports":
            forecast.finished("s70_find_communities", {"communities": round(reports / 0.5)}, now)
        if name == "s50_extract_claims":
            forecast.finished("s40_merge_graph", {"entities": round(reports / 0.18)}, now)
        forecast.stage(name, now)
        for done in range(1, requests + 1):
            if stored < cached:
                stored += 1
            else:
                calls, now = calls + 1, now + per_call.get(name, 1.0)
            forecast.step(done, requests, {"calls": calls, "cached": stored})
            yield now, forecast.seconds_left(now)
        forecast.finished(name, {}, now)


def worst(forecasts: list[tuple[float, float | None]]) -> float:
    """Return by which factor a forecast was off at most, between a tenth of the time and the last second."""
    begin, end = Clock.now, forecasts[-1][0]
    late = [(end - now, left) for now, left in forecasts if now > begin + 0.1 * (end - begin) and end - now > 5]
    assert late and all(left is not None for _, left in late)
    return max(max(left / actual, actual / left) for actual, left in late if left)


@pytest.mark.parametrize("cached", [0, 500])
@pytest.mark.parametrize("reports", [90, 250])
@pytest.mark.parametrize(
    "per_call", [{}, {"s80_write_reports": 1.5}, {"s50_extract_claims": 0.7}, {"s30_extract_graph": 1.5}]
)
def test_the_forecast_of_a_run_with_a_model_is_not_off_by_more_than_twice(
    per_call: dict[str, float], reports: int, cached: int
) -> None:
    assert worst(list(run_with_a_model(per_call, reports, cached))) <= 2.0


@pytest.mark.parametrize(("sentences", "names"), [(2420, 145), (5535, 491), (4145, 6836), (10558, 17496)])
def test_the_forecast_of_a_run_without_one_is_not_off_by_more_than_twice_after_its_scan(
    sentences: int, names: int
) -> None:
    rows, forecasts, now, forecast = {"sentences": sentences, "vocabulary": names}, [], Clock.now, Forecast()
    for name, (table, weight) in COSTS.items():
        forecast.stage(name, now)
        for done in range(1, 11):
            now += 0.7e-2 * weight * rows[table] / 10 * 0.1
            forecast.step(done, 10, {"calls": 0, "cached": 0})
            if name != "s25_annotate_sentences":
                forecasts.append((now, forecast.seconds_left(now)))
        forecast.finished(name, rows if name == "s25_annotate_sentences" else {}, now)
    end = forecasts[-1][0]
    late = [(end - at, left) for at, left in forecasts if left is not None and end - at > 0.2]
    assert all(0.5 <= left / actual <= 2.0 for actual, left in late)


def test_nothing_is_foretold_from_nothing() -> None:
    forecast = Forecast()
    forecast.stage("s10_load_documents", 1.0)
    assert forecast.seconds_left(1.5) is None and forecast.seconds_left(60.0) is None


def test_who_watches_finds_the_seconds_left_beside_what_was_spent() -> None:
    seen: list[Mapping[str, float]] = []

    class Watch:
        def line(self, text: str) -> None: ...
        def stage(self, name: str, help: str) -> None: ...
        def finished(self, name: str, rows: dict[str, int], seconds: float) -> None: ...
        def step(self, done: int, total: int | None, spent: object) -> None:
            seen.append(spent())  # type: ignore[operator]

    times = iter(range(0, 100, 10))
    foretold = Foretold(Watch(), Forecast(), lambda: float(next(times)))
    foretold.stage("s30_extract_graph", "")
    foretold.step(5, 10, lambda: {"calls": 5.0, "cached": 0.0})
    assert seen[0]["calls"] == 5 and seen[0]["seconds_left"] == pytest.approx(10)
