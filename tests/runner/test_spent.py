"""What was spent on models is told, whatever became of the run: published, failed or killed."""

import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipeline.base.errors import BudgetError, ModelError, StoreError
from pipeline.language.cache import Cache, read_spent
from pipeline.language.spending import Bill
from pipeline.query.index import Index
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from pipeline.runner.status import project_status
from tests.corpora import project
from tests.lookalike.server import LookAlike
from tests.paths import ROOT
from tests.runner.test_models import modelled, reply

pytestmark = pytest.mark.long


def spent(made: Project) -> Bill:
    found = read_spent(made.store.folder / "cache.sqlite")
    assert found is not None
    return found


def test_a_run_of_replies_that_cannot_be_used_says_what_they_cost_and_status_after_it(tmp_path: Path) -> None:
    with LookAlike(lambda body: "Dear user, I would rather write prose.") as server:
        made = modelled(tmp_path, server)
        with pytest.raises(ModelError) as caught:
            run_index(made)
    found = spent(made)
    assert found.requests == server.calls > 5 and found.cost > 0 and not found.unpriced
    assert f"in this run {server.calls} requests were answered ({found.taken})" in caught.value.why
    assert "nothing of it was published" in caught.value.why and "kept in the cache" in caught.value.why
    with pytest.raises(StoreError, match="no index in") as none:
        project_status(made)
    assert f"spent so far in this project: {found}" in str(none.value)


def test_status_adds_up_runs_that_were_stopped_runs_that_were_published_and_questions(tmp_path: Path) -> None:
    with LookAlike(reply) as server:
        made = modelled(tmp_path, server)
        with pytest.raises(BudgetError, match="in this run 3 requests were answered"):
            run_index(made.capped({"max_calls": 3}))
        assert spent(made).requests == 3
        run_index(made)
        by_runs = spent(made)
        Index(made.store.open(), made.settings, tmp_path).ask("Who built the west mole of Carrow?", "basic")
        status = project_status(made)
        run_index(made)  # it asks nothing, so it costs nothing
    assert status["spent_so_far"] == spent(made)._asdict()
    assert status["spent_so_far"]["requests"] == server.calls > by_runs.requests > 3
    assert status["spent_so_far"]["cost"] == pytest.approx((spent(made).tokens_in + 2 * spent(made).tokens_out) / 1e6)


RUN = """
import sys
from pathlib import Path
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
run_index(Project.open(Path(sys.argv[1])))
"""


def test_what_a_killed_run_spent_is_counted(tmp_path: Path) -> None:
    with LookAlike(reply, {"cut": 0.3}, latency=0.05) as server:
        made = modelled(tmp_path, server, model={"concurrency": 1})
        settings = made.settings.model_dump(mode="json", exclude_unset=True)
        (tmp_path / "settings.yaml").write_text(str(settings).replace("None", "null").replace("True", "true"))
        running = subprocess.Popen([sys.executable, "-c", RUN, str(tmp_path)], cwd=ROOT)
        until = time.monotonic() + 60
        while server.calls < 6 and time.monotonic() < until:
            time.sleep(0.01)
        running.send_signal(signal.SIGKILL)
        running.wait()
        time.sleep(0.2)
        killed = server.calls
        assert spent(made).requests in (killed - 1, killed) and killed >= 6, "all but the one on the wire"
        run_index(made)
        assert spent(made).requests in (server.calls - 1, server.calls)


def test_a_cache_of_an_earlier_version_knows_what_its_replies_took_and_not_their_price(tmp_path: Path) -> None:
    with LookAlike(reply) as server:
        made = modelled(tmp_path, server)
        run_index(made)
    path = made.store.folder / "cache.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("DROP TABLE spent")
    db.close()
    before = spent(made)
    assert before.unpriced == before.requests > 0 and before.tokens_in > 0 and "no price was given" in str(before)
    Cache(path, 2).close()
    assert spent(made) == before


def test_vectors_are_counted_too_those_of_questions_among_them(tmp_path: Path) -> None:
    with LookAlike() as server:
        vectors = {"model": "look-alike-embedding", "kind": "embedding", "base_url": server.url}
        found = project(tmp_path, models={"e": vectors}, language={"embedding": "e"})
        run_index(found)
        by_run = spent(found).requests
        Index(found.store.open(), found.settings, tmp_path).ask("Who built the west mole of Carrow?", "basic")
    assert spent(found).requests == spent(found).unpriced == server.counts["/embeddings"] > by_run > 0


def test_a_project_that_never_asked_a_model_spent_nothing(tmp_path: Path) -> None:
    assert read_spent(tmp_path / "cache.sqlite") == Bill()
    assert not (tmp_path / "cache.sqlite").exists()
