"""Stages in workers while the run goes on: the same tables and failures, no stage that asks a model, and nothing left behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pipeline.base.engine.engine import InlineEngine, PartT, ResultT
from pipeline.base.engine.local import LocalEngine
from pipeline.base.errors import TableError
from pipeline.runner import beside
from pipeline.runner.beside import StageWork
from pipeline.runner.progress import Silent
from pipeline.runner.run import run_index
from tests.corpora import hashes, project
from tests.engine_cases import many_texts
from tests.paths import ROOT
from tests.scripted_backend import ScriptedBackend

pytestmark = pytest.mark.long


class Noting(InlineEngine):
    """Works on parts in this process, as if that were another one, and notes which stages came."""

    inline = False

    def __init__(self) -> None:
        self.stages: list[str] = []

    def map(self, work: Callable[[PartT], ResultT], parts: Iterable[PartT]) -> Iterator[ResultT]:
        """Note the stages among the parts, and work on them."""
        for part in parts:
            self.stages += work.args if isinstance(work, partial) and work.func is beside.execute else ()
            yield work(part)


@pytest.fixture
def any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "LEAST_TEXT", 0)


@pytest.mark.usefixtures("any_size")
def test_tables_failures_and_the_manifest_are_those_of_one_process(tmp_path: Path) -> None:
    texts = {**many_texts(), "blank.txt": " \n"}
    one, other = project(tmp_path / "one", texts), project(tmp_path / "other", texts)
    first, seen, watched = run_index(one), Noting(), Watched()
    second = run_index(other, watched, engine=seen)
    assert set(seen.stages) == {"s50_extract_claims", "s60_extract_facts", "s75_lay_out_map", "s85_index_passages"}
    before, after = one.store.open().manifest, other.store.open().manifest
    assert hashes(other) == hashes(one) and after.stages == before.stages
    assert [list(after.tables), list(after.stages)] == [list(before.tables), list(before.stages)]
    assert (second.ran, second.asked, second.failures) == (first.ran, first.asked, first.failures)
    assert watched.begun == watched.ended and set(watched.ended) == set(first.ran)
    assert not list((tmp_path / "other" / "output" / "generations").glob(".*"))
    assert run_index(other, engine=LocalEngine(2)).unchanged


class Watched(Silent):
    """Notes which stages begin and end."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ended: list[str] = []

    def stage(self, name: str, help: str) -> None:
        """Note it."""
        self.begun.append(name)

    def finished(self, name: str, rows: dict[str, int], seconds: float) -> None:
        """Note it."""
        self.ended.append(name)


@pytest.mark.usefixtures("any_size")
def test_a_later_run_takes_over_the_places_of_the_map_also_in_a_worker(tmp_path: Path) -> None:
    grown = {**many_texts(), "more.txt": "Ada Thorne visited Owen Marsh in Carrow. Owen Marsh praised Ada Thorne."}
    made = []
    for name in ("one", "other"):
        engine = Noting() if name == "other" else None
        run_index(project(tmp_path / name, many_texts()), engine=engine)
        run_index(project(tmp_path / name, grown), engine=engine)
        made.append(hashes(project(tmp_path / name, grown)))
    assert made[0] == made[1]


@pytest.mark.usefixtures("any_size")
def test_stages_that_ask_a_model_are_executed_by_the_process_that_has_its_limits(tmp_path: Path) -> None:
    seen, backend = Noting(), ScriptedBackend({})
    run_index(project(tmp_path, many_texts(8)), engine=seen, default=backend)
    assert set(seen.stages) == {"s75_lay_out_map", "s85_index_passages"}
    assert {name for name, _ in backend.asked} >= {"extract_claims", "extract_facts"}


def test_little_text_or_little_memory_means_that_no_stage_is_sent_to_a_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = Noting()
    run_index(project(tmp_path / "little", many_texts()), engine=seen)
    monkeypatch.setattr(beside, "LEAST_TEXT", 0)
    run_index(project(tmp_path / "tight", many_texts(), engine={"memory_mb": 400}), engine=seen)
    assert not seen.stages


@pytest.mark.usefixtures("any_size")
def test_what_a_stage_raises_in_a_worker_ends_the_run_and_the_next_one_removes_what_it_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = project(tmp_path, many_texts(8))

    def refuse(**read: Any) -> Iterator[Any]:
        raise TableError("a row does not fit")
        yield

    from workflows.stages import index_passages

    with monkeypatch.context() as broken:
        broken.setitem(index_passages.__dict__, "run", refuse)
        with pytest.raises(TableError, match="a row does not fit"):
            run_index(made, engine=Noting())
    assert made.store.last() is None
    run_index(made, engine=Noting())
    assert not list((tmp_path / "output" / "generations").glob(".*"))


LONG = """
import signal, sys
from pathlib import Path
from pipeline.base.engine.local import LocalEngine
from pipeline.cli import main
from pipeline.runner import beside
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a test run in the background ignores some signals
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    beside.LEAST_TEXT = 0
    from tests.runner.test_beside import endless
    beside.execute = endless
    sys.argv = ["graphstrata", "index", "--root", sys.argv[1]]
    main()
"""


def endless(name: str, work: StageWork) -> None:
    """Never end, and leave a file that says which process does not."""
    (work.draft.path / "process").write_text(str(os.getpid()))
    time.sleep(600)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_worker_amid_a_stage_ends_with_the_run(tmp_path: Path, how: signal.Signals) -> None:
    (tmp_path / "long.py").write_text(LONG)
    project(tmp_path, many_texts(8))
    (tmp_path / "settings.yaml").write_text("engine:\n  workers: 2\n")
    words = [sys.executable, str(tmp_path / "long.py"), str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as parent:
        while not list((tmp_path / "output").glob("generations/.draft-*-*/process")):
            assert parent.poll() is None, parent.communicate()
            time.sleep(0.05)
        parent.send_signal(how)
        # Standard output ends only when no worker has it open any more.
        parent.communicate(timeout=60)
    assert parent.returncode
