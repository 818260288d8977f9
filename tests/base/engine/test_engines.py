"""Engines: parts come back in order from processes and from a Ray cluster, whatever happens to workers."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from pipeline.base.engine import choose, local, ray_cluster
from pipeline.base.engine.choose import opened_engine
from pipeline.base.engine.engine import AHEAD, Engine, InlineEngine, PartT, ResultT
from pipeline.base.engine.local import LocalEngine
from pipeline.base.errors import BudgetError, EngineError
from pipeline.base.release_memory import peak_mb
from pipeline.base.settings import EngineSettings
from pipeline.cli.commands.index_command import IndexOptions, index_project
from pipeline.language import scheduler
from pipeline.language.backends import offline
from pipeline.language.factory import window_of
from pipeline.language.language import Reply
from pipeline.runner import beside
from pipeline.runner.run import run_index
from tests.corpora import hashes, project
from tests.engine_cases import (
    DeadlyEngine,
    asleep,
    caller,
    deadly,
    deadly_after_the_first,
    doubled,
    logged,
    many_texts,
    process_of,
    refuses,
)
from tests.forks import forking
from tests.language_cases import READ, TEN_MORE, at, chunks, waiting_clock
from tests.lookalike import LookAlike
from tests.paths import ROOT

pytestmark = pytest.mark.long

RAY = pytest.param("ray", marks=pytest.mark.skipif(find_spec("ray") is None, reason="needs the extra ray"))
HERE = 2


@pytest.fixture(scope="module")
def cluster() -> Iterator[Engine]:
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(ROOT)
    with opened_engine(EngineSettings(kind="ray", workers=HERE)) as engine:
        yield engine
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The hashes of the tables that one process makes of the texts."""
    made = project(tmp_path_factory.mktemp("plain"), many_texts())
    run_index(made)
    return hashes(made)


@pytest.fixture(params=["local", RAY])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    if request.param == "ray":
        yield request.getfixturevalue("cluster")
        return
    monkeypatch.setattr(local, "SpawnProcess", forking().Process)
    with opened_engine(EngineSettings(workers=HERE)) as of_processes:
        yield of_processes


def test_results_come_in_the_order_of_the_parts(engine: Engine) -> None:
    assert list(engine.map(doubled, range(40))) == [2 * number for number in range(40)]
    assert list(InlineEngine().map(doubled, range(5))) == [0, 2, 4, 6, 8]


def test_work_is_done_in_other_processes(engine: Engine) -> None:
    assert os.getpid() not in set(engine.map(process_of, range(8)))


def test_what_work_raises_is_raised_at_its_place(engine: Engine) -> None:
    results = engine.map(refuses, range(8))
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="3 is refused"):
        next(results)


def test_a_bounded_number_of_parts_is_under_way_and_closing_cancels_the_rest(engine: Engine, tmp_path: Path) -> None:
    taken = []

    def parts() -> Iterator[int]:
        for number in range(1000):
            taken.append(number)
            yield number

    results = engine.map(partial(logged, str(tmp_path)), parts())
    assert next(results) == 0
    assert len(taken) <= AHEAD * HERE + 2
    results.close()  # type: ignore[attr-defined]
    assert len(list(tmp_path.iterdir())) <= AHEAD * HERE + 2
    assert list(engine.map(doubled, [1])) == [2]


def test_a_worker_that_ends_after_its_map_was_closed_costs_the_next_map_nothing(engine: Engine) -> None:
    results = engine.map(deadly_after_the_first, range(100))
    assert next(results) == 0
    results.close()  # type: ignore[attr-defined]
    assert list(engine.map(doubled, range(5))) == [0, 2, 4, 6, 8]


def test_a_part_whose_worker_ended_is_worked_on_again(engine: Engine, tmp_path: Path) -> None:
    assert list(engine.map(partial(deadly, str(tmp_path), 1), range(20))) == list(range(20))


def test_a_part_that_ends_every_worker_is_an_error_with_three_lines(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="ended abruptly 3 times in a row") as caught:
        list(engine.map(partial(deadly, str(tmp_path), 100), range(20)))
    assert len(str(caught.value).splitlines()) == 3
    assert list(engine.map(doubled, [1])) == [2]


def test_every_stage_survives_the_loss_of_a_worker_and_tables_are_equal(
    engine: Engine, tmp_path: Path, plain: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offline, "MANY", HERE)  # so few are sent no quick requests otherwise
    monkeypatch.setattr(offline, "PATIENCE", 0)
    other = project(tmp_path / "other", many_texts())
    (tmp_path / "marks").mkdir()
    dying = DeadlyEngine(engine, tmp_path / "marks")
    run_index(other, engine=dying)
    assert len(dying.kinds) >= 4, dying.kinds
    assert hashes(other) == plain
    again = project(tmp_path / "other", many_texts(), engine={"kind": "ray", "workers": 7})
    assert run_index(again).unchanged


def test_stages_that_workers_execute_beside_others_make_the_same_tables(
    engine: Engine, tmp_path: Path, plain: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beside, "LEAST_TEXT", 0)
    dying = DeadlyEngine(engine, tmp_path, of="s60_extract_facts")
    run_index(other := project(tmp_path / "other", many_texts()), engine=dying)
    assert len(dying.kinds) == 4, dying.kinds
    assert hashes(other) == plain


def test_a_cluster_listens_on_loopback_alone(cluster: Engine) -> None:
    list(cluster.map(doubled, range(4)))
    listening = subprocess.run(["ss", "-Hltnp"], capture_output=True, text=True, check=False)
    if listening.returncode:
        pytest.skip("no ss on this machine")
    ours = [line.split() for line in listening.stdout.splitlines() if "ray" in line or "gcs_server" in line]
    addresses = {words[3].rpartition(":")[0] for words in ours}
    assert addresses
    assert addresses <= {"127.0.0.1", "[::ffff:127.0.0.1]", "[::1]"}


def test_a_worker_with_another_program_is_refused(cluster: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_program", "graphstrata 9.9, sources 0, Python 3.11")
    with pytest.raises(EngineError, match="another program: graphstrata") as caught:
        list(cluster.map(doubled, range(2)))
    assert "install the same version" in caught.value.fix
    with pytest.raises(EngineError, match="another program"):
        cluster.calls(caller)


def test_a_cluster_without_its_package_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_cluster, "find_spec", lambda name: None)
    with (
        pytest.raises(EngineError, match="the package ray is not installed") as caught,
        opened_engine(EngineSettings(kind="ray")),
    ):
        pass
    assert "pip install 'graphstrata[ray]'" in caught.value.fix


def test_calls_are_answered_by_workers_and_one_that_ended_is_replaced(cluster: Engine) -> None:
    call = cluster.calls(caller)
    assert call is not None
    before = set(asyncio.run(_answered(call, ["who"] * 8)))
    assert len(before) == HERE
    assert os.getpid() not in before
    with pytest.raises(ConnectionError, match="has ended"):
        asyncio.run(_answered(call, ["end"]))
    with pytest.raises(ValueError, match="refused"):
        asyncio.run(_answered(call, ["refuse"]))
    assert len(set(asyncio.run(_answered(call, ["who"] * 8))) - before) <= 1
    for _ in range(200):  # the other answers alone until the one that is started for it is ready
        if len(answering := set(asyncio.run(_answered(call, ["who"] * 8)))) == HERE:
            break
        time.sleep(0.1)
    assert len(answering) == HERE and len(answering - before) == 1


def test_a_call_that_nobody_waits_for_any_more_is_ended_on_its_worker(cluster: Engine, tmp_path: Path) -> None:
    call = cluster.calls(caller)
    assert call is not None

    async def given_up() -> None:
        await asyncio.gather(*(call("who") for _ in range(2 * HERE)))  # the workers have started
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(call(str(tmp_path / "ended")), 2)
        for _ in range(200):
            if (tmp_path / "ended").exists():
                return
            await asyncio.sleep(0.1)

    asyncio.run(given_up())
    assert (tmp_path / "ended").exists()


async def _answered(call: object, requests: list[str]) -> list[int]:
    return list(await asyncio.gather(*(call(request) for request in requests)))  # type: ignore[operator]


def test_workers_of_a_cluster_call_a_model_under_the_one_limit_and_no_reply_is_lost(
    cluster: Engine, tmp_path: Path
) -> None:
    faults = {"429": 0.1, "cut": 0.05}
    with (
        LookAlike(faults=faults, latency=0.02) as server,
        at(server, tmp_path, cluster, concurrency=6, max_attempts=8) as case,
    ):
        found = list(case.service.map(READ, chunks(60)))
    met = server.injected()
    assert met.keys() == faults.keys()
    assert all(isinstance(reply, Reply) and reply.value.entities for _, reply in found)
    assert [request.item for request, _ in found] == [one.item for one in chunks(60)]
    assert server.most_busy <= 6
    assert case.ledger.totals()["calls"] == server.calls - met["429"] - met["cut"] == 60
    assert len({headers.get("user-agent") for headers in server.headers}) == 1


def test_the_workers_of_a_cluster_together_keep_to_one_budget_and_the_next_run_pays_for_the_rest_alone(
    cluster: Engine, tmp_path: Path
) -> None:
    with LookAlike(latency=0.01) as server:
        with (
            at(server, tmp_path, cluster, concurrency=8, limits={"max_calls": 20}) as case,
            pytest.raises(BudgetError, match="max_calls 20: 20 calls are made"),
        ):
            list(case.service.map(READ, chunks(60)))
        assert server.calls == case.ledger.totals()["calls"] == 20
        with at(server, tmp_path, cluster, limits={"max_calls": 40}) as case:
            found = list(case.service.map(READ, chunks(60)))
        assert server.calls == 60
        assert case.ledger.totals()["calls"] == 40
    assert [request.item for request, reply in found if isinstance(reply, Reply)] == [one.item for one in chunks(60)]


def test_the_workers_of_a_cluster_together_keep_to_one_pace_per_minute(
    cluster: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = waiting_clock(monkeypatch)
    with LookAlike() as server, at(server, None, cluster, requests_per_minute=1200) as case:
        list(case.service.map(READ, chunks(110)))
        assert server.calls == 110
    assert waited() >= TEN_MORE


def test_a_head_that_was_killed_loses_nothing_that_was_stored_and_the_next_run_goes_on(
    cluster: Engine, tmp_path: Path, plain: dict[str, str]
) -> None:
    killed = project(tmp_path / "killed", many_texts())
    program = (
        "import os, signal; from pathlib import Path; from tests.corpora import project; from tests.engine_cases import many_texts\n"
        "from pipeline.runner.run import run_index; from pipeline.base.engine.ray_cluster import RayEngine\n"
        "from pipeline.language.cache import Cache\n"
        "before, seen = Cache.put, []\n"
        "def put(self, rows):\n"
        "    before(self, rows); seen.append(rows)\n"
        "    len(seen) == 3 and os.kill(os.getpid(), signal.SIGKILL)\n"
        "Cache.put = put\n"
        f"run_index(project(Path({str(tmp_path / 'killed')!r}), many_texts()), engine=RayEngine({_address()!r}))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run(
        [sys.executable, "-c", program], env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ended.returncode == -9, ended.stderr
    outcome = run_index(killed, engine=cluster)
    assert sum(cached for _, cached in outcome.asked.values()) >= 60
    assert hashes(killed) == plain


def _address() -> str:
    import ray

    return str(ray.get_runtime_context().gcs_address)


def test_an_engine_of_one_process_is_this_one() -> None:
    with opened_engine(EngineSettings(workers=1)) as engine:
        assert isinstance(engine, InlineEngine)
    with opened_engine(EngineSettings(workers=3)) as engine:
        assert isinstance(engine, LocalEngine)
        assert engine.workers == 3


def test_there_is_unasked_a_worker_for_each_core_where_there_are_several(monkeypatch: pytest.MonkeyPatch) -> None:
    for there, workers in ((1, 1), (2, 2), (4, 4), (8, 8)):
        monkeypatch.setattr(choose, "cores", lambda there=there: there)
        with opened_engine(EngineSettings(memory_mb=4000)) as engine:
            assert engine.workers == workers


def test_no_process_is_started_for_little_work(tmp_path: Path) -> None:
    with opened_engine(EngineSettings(workers=2)) as engine:
        run_index(project(tmp_path, many_texts()), engine=engine)
        assert isinstance(engine, LocalEngine) and engine._pool is None


def test_a_worker_at_work_ends_when_its_engine_is_closed(tmp_path: Path) -> None:
    engine = LocalEngine(2)
    with ThreadPoolExecutor() as threads:
        waiting = threads.submit(lambda: list(engine.map(asleep, [str(tmp_path)])))
        while not (found := list(tmp_path.iterdir())):
            time.sleep(0.02)
        engine.close()
        with pytest.raises(CancelledError):
            waiting.result()
    with pytest.raises(ProcessLookupError):
        os.kill(int(found[0].name), 0)


def test_the_command_index_gives_its_work_to_the_engine_of_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts: list[int] = []

    class Noting(InlineEngine):
        inline = False

        def map(self, work: Callable[[PartT], ResultT], some: Iterable[PartT]) -> Iterator[ResultT]:
            for part in some:
                parts.append(opened[-1])
                yield work(part)

    opened: list[int] = []

    def engine(settings: EngineSettings) -> Engine:
        opened.append(settings.workers or 0)
        return Noting()

    monkeypatch.setattr(choose, "_engine", engine)
    monkeypatch.setattr(offline, "PATIENCE", 0)
    folder = project(tmp_path, many_texts()).root
    (folder / "settings.yaml").write_text("engine:\n  workers: 5\n")
    index_project(folder, IndexOptions())
    assert parts and set(parts) == {5}


def test_little_memory_means_few_workers_and_a_stage_that_passes_it_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pipeline.runner import run
    from pipeline.runner.progress import Silent

    monkeypatch.setattr(choose, "cores", lambda: 16)
    with opened_engine(EngineSettings(memory_mb=1200)) as engine:
        assert engine.workers == 9
    with opened_engine(EngineSettings(memory_mb=300)) as engine:
        assert engine.workers == 1
    said: list[str] = []

    class Watched(Silent):
        def line(self, text: str) -> None:
            said.append(text)

    peaks = count(500, 200)
    monkeypatch.setattr(run, "peak_mb", lambda: next(peaks))
    outcome = run_index(project(tmp_path / "passed", engine={"memory_mb": 600}), Watched())
    assert outcome.memory in said and outcome.peak_mb > 600
    assert outcome.memory.startswith("publish: "), "the last that took more than all before it"
    assert "700 MB in memory at its peak, with its workers, more than engine.memory_mb (600 MB): raise" in "\n".join(
        said
    )
    said.clear()
    monkeypatch.setattr(run, "peak_mb", lambda: 100)
    monkeypatch.setattr(run, "needed_mb", lambda size: size)
    run_index(made := project(tmp_path / "foreseen", engine={"memory_mb": 300}), Watched())
    n_bytes = made.store.open().rows("documents").n_bytes("text")
    assert n_bytes > 300
    foreseen = (
        f"an index of these texts takes about {n_bytes:,} MB of memory, more than engine.memory_mb (300 MB): raise"
    )
    assert len([line for line in said if line.startswith(foreseen)]) == 1


def test_little_memory_makes_smaller_parts_and_the_same_tables(
    tmp_path: Path, plain: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    windows = scheduler._windows

    def noted(dialogues: Iterable[Any], size: int) -> Iterator[list[Any]]:
        for window in windows(dialogues, size):
            sizes.append(len(window))
            yield window

    monkeypatch.setattr(scheduler, "_windows", noted)
    run_index(made := project(tmp_path, many_texts(), engine={"memory_mb": 300}))
    assert max(sizes) == window_of(EngineSettings(memory_mb=300), 1) < window_of(EngineSettings(memory_mb=4000), 1)
    assert window_of(EngineSettings(memory_mb=1200), 8) < window_of(EngineSettings(memory_mb=4000), 8)
    assert hashes(made) == plain


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not say what a process takes")
def test_the_peak_is_measured_also_where_memory_is_free_again() -> None:
    some = bytearray(peak_mb() + 50 << 20)
    some[::4096] = b"1" * len(some[::4096])
    size = len(some) >> 20
    del some
    assert peak_mb() >= size


def test_the_peak_counts_the_workers_with_the_process_that_started_them() -> None:
    alone = peak_mb()
    with opened_engine(EngineSettings(workers=2)) as engine:
        assert list(engine.map(abs, [-1, 2])) == [1, 2]
        assert peak_mb() >= alone + 2 * 5  # a Python of its own each, at least


@pytest.mark.parametrize("seen_first", [ValueError("bad value(s) in fds_to_keep"), OSError("handle is closed")])
def test_a_pool_that_breaks_while_a_process_is_being_started_is_replaced(
    monkeypatch: pytest.MonkeyPatch, seen_first: Exception
) -> None:
    class Breaking(ProcessPoolExecutor):
        """Breaks during the first call: that one sees closed pipes, each later one that the pool is broken."""

        def submit(self, fn: Any, /, *arguments: Any, **named: Any) -> Any:  # type: ignore[override]
            monkeypatch.setattr(local, "ProcessPoolExecutor", ProcessPoolExecutor)
            self.calls = getattr(self, "calls", 0) + 1
            raise seen_first if self.calls == 1 else BrokenProcessPool("a process ended")

    monkeypatch.setattr(local, "SpawnProcess", forking().Process)
    monkeypatch.setattr(local, "ProcessPoolExecutor", Breaking)
    with opened_engine(EngineSettings(workers=HERE)) as engine:
        assert list(engine.map(doubled, range(6))) == [2 * number for number in range(6)]


def test_what_else_goes_wrong_while_a_process_is_being_started_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing(ProcessPoolExecutor):
        """Cannot start a process, and is not broken."""

        def submit(self, fn: Any, /, *arguments: Any, **named: Any) -> Any:  # type: ignore[override]
            if fn is doubled:
                raise OSError("too many processes")
            return None

    monkeypatch.setattr(local, "ProcessPoolExecutor", Refusing)
    with opened_engine(EngineSettings(workers=HERE)) as engine, pytest.raises(OSError, match="too many processes"):
        list(engine.map(doubled, range(6)))
