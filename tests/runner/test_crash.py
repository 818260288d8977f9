"""Killed at any instant: readers see one whole generation, the next run asks nothing twice and ends as an unbroken one."""

import errno
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from pipeline.base.errors import LockError, StoreError
from pipeline.base.store import Store
from pipeline.runner.run import run_index
from tests import crash_cases as cases
from tests.corpora import TEXTS, indexed, project, write_texts

pytestmark = pytest.mark.long

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="the runs to be killed are forked")
KILLS = 50
"""Each is at an instant of its own part of a run, so that all parts are met."""


@pytest.fixture(scope="module")
def killer() -> Iterator[cases.Killer]:
    with cases.Killer() as started:
        yield started


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory, killer: cases.Killer) -> dict[str, Any]:
    """A project indexed once; the tables of its changed self without a break, after it and afresh; how long that took."""
    first = tmp_path_factory.mktemp("first")
    write_texts(first / "input", TEXTS)
    assert killer.run(first) is not None
    second = first.with_name("second")
    shutil.copytree(first, second)
    cases.change(second, cases.CHANGED)
    seconds = killer.run(second)
    fresh = first.with_name("fresh")
    write_texts(fresh / "input", cases.CHANGED)
    killer.run(fresh)
    return {
        "first": first,
        "before": cases.corpus_tables(first),
        "after": cases.corpus_tables(second),
        "fresh": cases.corpus_tables(fresh),
        "seconds": seconds,
        "asked": sorted(cases.logged(second, cases.ASKED)),
    }


def settled_after(folder: Path, killer: cases.Killer, unbroken: dict[str, Any], end: str = "after") -> None:
    """Check what a kill left, run again, and check that this ends with the tables named ``end``."""
    cases.check_whole(folder)
    cases.check_cache(folder)
    if Store(folder / "output").last() is not None:
        assert cases.corpus_tables(folder) in (unbroken["before"], unbroken[end])
    done = cases.logged(folder, cases.DONE)
    before = len(cases.logged(folder, cases.ASKED))
    assert killer.run(folder) is not None
    again = cases.logged(folder, cases.ASKED)[before:]
    assert not set(again) & set(done), "asked again though its reply was kept"
    assert cases.corpus_tables(folder) == unbroken[end]
    cases.check_whole(folder)
    assert not list((folder / "output").rglob(".*")), "remains of the killed run"


@needs_fork
@pytest.mark.parametrize("number", range(KILLS))
def test_a_run_killed_at_a_random_instant_costs_nothing(
    tmp_path: Path, killer: cases.Killer, unbroken: dict[str, Any], number: int
) -> None:
    from_nothing = number % 3 == 0
    after = random.Random(number).uniform(max(number, 0.5), number + 1) / KILLS * unbroken["seconds"]
    for attempt in range(20):
        folder = tmp_path / f"killed{attempt}"
        if not from_nothing:
            shutil.copytree(unbroken["first"], folder)
        cases.change(folder, cases.CHANGED)
        if killer.run(folder, after) is None:
            break
        after *= 0.7  # the run ended before its kill: a faster machine than the one that was measured
    else:
        pytest.fail("no run could be killed before its end")
    settled_after(folder, killer, unbroken, "fresh" if from_nothing else "after")


@needs_fork
@pytest.mark.parametrize("boundary", cases.BOUNDARIES)
def test_a_run_killed_at_a_boundary_costs_nothing(
    tmp_path: Path, killer: cases.Killer, unbroken: dict[str, Any], boundary: str
) -> None:
    folder = tmp_path / "killed"
    shutil.copytree(unbroken["first"], folder)
    cases.change(folder, cases.CHANGED)
    killer.run_until(folder, boundary, forget=boundary == "while an old generation is removed")
    settled_after(folder, killer, unbroken)


@needs_fork
def test_over_a_kill_and_the_next_run_each_ask_is_put_once(
    tmp_path: Path, killer: cases.Killer, unbroken: dict[str, Any]
) -> None:
    folder = tmp_path / "killed"
    shutil.copytree(unbroken["first"], folder)
    cases.change(folder, cases.CHANGED)
    killer.run_until(folder, "after a kept reply is committed")
    settled_after(folder, killer, unbroken)
    asked = sorted(cases.logged(folder, cases.ASKED))
    assert asked == unbroken["asked"], "none twice, none left out"


def test_a_second_run_is_refused_with_the_first_one_s_process_while_it_lives_and_not_when_it_was_killed(
    tmp_path: Path,
) -> None:
    settled = project(tmp_path)
    settled.store.prepare()
    hold = "import sys; from pathlib import Path; from pipeline.base.lock import only_writer\n"
    hold += "with only_writer(Path(sys.argv[1])): print('locked', flush=True); sys.stdin.read()"
    first = subprocess.Popen(
        [sys.executable, "-c", hold, str(settled.store.folder)],
        cwd=cases.ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert first.stdin and first.stdout and first.stdout.readline() == b"locked\n"
    with pytest.raises(LockError, match=rf"process {first.pid}, started \d{{4}}-\d\d-\d\d \d\d:"):
        run_index(settled)
    first.kill()
    first.communicate()
    assert f'"process": {first.pid}' in (settled.store.folder / "lock").read_text(), "what it left is there"
    assert run_index(settled).status == "complete"


def broken_disk(code: int) -> Callable[..., Any]:
    def fail(*given: Any, **more: Any) -> None:
        raise OSError(code, os.strerror(code), "entities.parquet")

    return fail


@pytest.mark.parametrize(
    ("owner", "name"),
    [(pq.ParquetWriter, "write_table"), (os, "fsync"), (os, "replace"), (Path, "rename")],
    ids=["write", "fsync", "replace", "rename"],
)
@pytest.mark.parametrize(("code", "said"), [(errno.ENOSPC, "the disk is full"), (errno.EROFS, "read-only")])
def test_a_full_or_read_only_disk_is_a_clear_error_and_the_last_index_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, code: int, said: str
) -> None:
    indexed(tmp_path, {"a.txt": TEXTS["railway.txt"]})
    before = cases.corpus_tables(tmp_path)
    changed = project(tmp_path, cases.CHANGED)
    with monkeypatch.context() as patch:
        patch.setattr(owner, name, broken_disk(code))
        with pytest.raises(StoreError) as error:
            run_index(changed)
    assert said in error.value.found and error.value.fix
    cases.check_whole(tmp_path)
    assert cases.corpus_tables(tmp_path) == before
    assert run_index(changed).status == "complete"


def mount(folder: Path, options: str) -> bool:
    folder.mkdir(exist_ok=True)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True)
    return done.returncode == 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[int], Path]]:
    """Gives a file system of so many kilobytes, where the tests may mount one."""
    if not shutil.which("mount"):
        pytest.skip("there is no mount command")
    folder = tmp_path / "disk"

    def give(kilobytes: int) -> Path:
        subprocess.run(["umount", "--lazy", str(folder)], capture_output=True)
        if not mount(folder, f"size={kilobytes}k"):
            pytest.skip("a file system of a few kilobytes cannot be mounted without the right to")
        return folder

    yield give
    subprocess.run(["umount", "--lazy", str(folder)], capture_output=True)


def test_on_a_disk_that_fills_up_the_run_says_so_wherever_it_is(
    tmp_path: Path, small_disk: Callable[[int], Path]
) -> None:
    for kilobytes in (8, 40, 100, 200):
        disk = small_disk(kilobytes)
        settled = project(tmp_path, output={"folder": str(disk)})
        with pytest.raises(StoreError) as error:
            run_index(settled)
        assert "full" in error.value.found and error.value.fix
        assert settled.store.last() is None


def test_a_read_only_disk_is_an_error_before_anything_is_done(
    tmp_path: Path, small_disk: Callable[[int], Path]
) -> None:
    disk = small_disk(4000)
    settled = project(tmp_path, output={"folder": str(disk)})
    run_index(settled)
    assert subprocess.run(["mount", "-o", "remount,ro", str(disk)]).returncode == 0
    write_texts(tmp_path / "input", cases.CHANGED)
    with pytest.raises(StoreError, match="read-only"):
        run_index(settled)
    assert settled.store.open().table("entities").num_rows, "queries still work"


def test_a_damaged_reply_cache_is_a_clear_error_and_queries_still_work(tmp_path: Path) -> None:
    indexed(tmp_path)
    cache = tmp_path / "output" / "cache.sqlite"
    content = bytearray(cache.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    cache.write_bytes(content)
    with pytest.raises(StoreError, match="reply cache"):
        run_index(project(tmp_path, cases.CHANGED))
    cases.check_whole(tmp_path)
    cache.unlink()
    assert run_index(project(tmp_path, cases.CHANGED)).status == "complete"
