"""A published table that is damaged, foreign or of another version is seen, and the next run makes it again; nothing of
others is overwritten or deleted; no worker outlives a run that was killed."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pipeline.base.errors import StoreError
from pipeline.base.schema import TABLES
from pipeline.exchange.verify.verify import verify
from pipeline.query.index import Index
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from pipeline.runner.status import project_status
from tests.corpora import hashes, indexed, project
from tests.paths import ROOT


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    indexed(folder)
    return folder


@pytest.fixture
def damaged(tmp_path: Path, whole: Path) -> Project:
    """A copy of an index with its times, as on a disk that something then spoils."""
    shutil.copytree(whole, tmp_path / "copy")
    return project(tmp_path / "copy")


def table_file(spoiled: Project, name: str) -> Path:
    return spoiled.store.folder / "generations" / "000001" / f"{name}.parquet"


def corpus_hashes(settled: Project) -> dict[str, str]:
    return {name: hash for name, hash in hashes(settled).items() if name != "calls"}


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 0xFF
    path.write_bytes(content)


def replace_by_another_table(path: Path) -> None:
    shutil.copyfile(path.with_name("documents.parquet" if path.stem != "documents" else "chunks.parquet"), path)


DAMAGE: dict[str, Callable[[Path], None]] = {
    "cut": cut,
    "bits flipped": flip,
    "deleted": Path.unlink,
    "emptied": lambda path: path.write_bytes(b""),
    "another table": replace_by_another_table,
}


@pytest.mark.parametrize(
    "name", ["documents", "chunks", "entities", "communities", "retrieval_terms", "failures", "calls"]
)
@pytest.mark.parametrize("kind", ["cut", "deleted"])
def test_a_damaged_table_is_made_again_as_it_was(damaged: Project, name: str, kind: str) -> None:
    before = corpus_hashes(damaged)
    DAMAGE[kind](table_file(damaged, name))
    assert name in project_status(damaged)["damaged"]
    outcome = run_index(damaged)
    assert not outcome.unchanged and outcome.status == "complete"
    assert corpus_hashes(damaged) == before
    assert project_status(damaged)["damaged"] == {} and run_index(damaged).unchanged


@pytest.mark.parametrize("kind", DAMAGE)
def test_every_kind_of_damage_is_seen_and_only_the_stage_of_the_table_runs_again(damaged: Project, kind: str) -> None:
    before = corpus_hashes(damaged)
    DAMAGE[kind](table_file(damaged, "facts"))
    assert set(project_status(damaged)["would_redo"]) == {"s60_extract_facts"}
    outcome = run_index(damaged)
    assert set(outcome.ran) == {"s60_extract_facts"} and outcome.ran["s60_extract_facts"].startswith("facts: ")
    assert corpus_hashes(damaged) == before


def test_a_table_saved_again_with_other_rows_is_an_error_that_names_the_repair(damaged: Project) -> None:
    path = table_file(damaged, "documents")
    rows = damaged.store.open().table("documents")
    path.unlink()
    pq.write_table(rows.slice(1), path)
    with pytest.raises(StoreError, match="not the one that was published"):
        Index.open(damaged.store.folder).ask("What did Ada build?", "basic")
    assert "files as published" in {check.name for check in verify(damaged.store.folder)[1] if check.faults}
    run_index(damaged)
    assert damaged.store.open().table("documents") == rows


def test_tables_whose_generations_were_deleted_are_made_again(damaged: Project) -> None:
    before = corpus_hashes(damaged)
    shutil.rmtree(damaged.store.folder / "generations")
    run_index(damaged)
    assert corpus_hashes(damaged) == before


def test_damage_behind_an_unchanged_size_and_time_is_found_when_all_is_compared(damaged: Project) -> None:
    path = table_file(damaged, "facts")
    state = path.stat()
    flip(path)
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert damaged.store.open().damage(thorough=True) == {"facts": "the file is not the one that was published"}


def test_a_page_with_flipped_bits_is_an_error_that_names_the_repair_and_never_another_text(damaged: Project) -> None:
    path = table_file(damaged, "chunks")
    whole = path.read_bytes()
    for at in range(60, len(whole) - 2000, max(1, len(whole) // 40)):
        content = bytearray(whole)
        content[at] ^= 0x10
        path.write_bytes(content)
        try:
            read = damaged.store.open().table("chunks")
        except StoreError as error:
            assert "graphstrata index" in error.fix
        else:
            path.write_bytes(whole)
            assert read == damaged.store.open().table("chunks"), at


def manifest(settled: Project, change: Callable[[dict[str, object]], object]) -> None:
    path = settled.store.folder / "manifest.json"
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


def test_a_table_of_another_schema_version_is_made_again(damaged: Project) -> None:
    before = corpus_hashes(damaged)
    manifest(damaged, lambda content: content["tables"]["entities"].update(version=99))  # type: ignore[index, attr-defined]
    assert "schema version 99" in project_status(damaged)["damaged"]["entities"]
    outcome = run_index(damaged)
    assert "entities" in next(iter(outcome.ran.values())) and corpus_hashes(damaged) == before


NO_TABLES = '{"generation": 1, "status": "complete", "tokenizer": "estimate-1", "tables": {}, "stages": {}}'


@pytest.mark.parametrize("content", ['{"format": 99}', "{", "", '{"format": 1}', "[]", NO_TABLES])
def test_a_manifest_that_cannot_be_read_is_an_error_of_status_and_made_again_by_index(
    damaged: Project, content: str
) -> None:
    before = corpus_hashes(damaged)
    (damaged.store.folder / "manifest.json").write_text(content)
    with pytest.raises(StoreError) as error:
        project_status(damaged)
    assert "graphstrata index" in error.value.fix
    if "99" in content:
        assert "format 99, this program reads format 1" in error.value.found
    assert run_index(damaged).generation == 2
    assert corpus_hashes(damaged) == before and run_index(damaged).unchanged


def test_an_index_whose_files_were_all_written_anew_by_a_copy_is_whole(tmp_path: Path, whole: Path) -> None:
    shutil.copytree(whole, tmp_path / "copy", copy_function=shutil.copyfile)
    assert run_index(project(tmp_path / "copy")).unchanged


def test_a_folder_that_holds_tables_of_others_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    settled = project(tmp_path)
    folder = tmp_path / "output"
    folder.mkdir()
    for name in ("entities.parquet", "manifest.json"):
        (folder / name).write_bytes(b"somebody else's")
        with pytest.raises(StoreError, match=f"did not write: {name}"):
            run_index(settled)
        assert [path.name for path in folder.iterdir()] == [name]
        assert (folder / name).read_bytes() == b"somebody else's"
        (folder / name).unlink()


def test_files_and_folders_of_others_in_the_output_folder_are_kept(tmp_path: Path) -> None:
    settled = indexed(tmp_path)
    theirs = [".x.new", "notes.txt", "mine.parquet", "generations/.draft-plan/text", "generations/.draft-000007/text"]
    for name in theirs:
        path = tmp_path / "output" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("theirs")
    run_index(project(tmp_path, {"more.txt": "Clara Finch drew the mole."}))
    run_index(project(tmp_path, {"more.txt": "Clara Finch drew the mole at Carrow."}), forget=True)
    assert all((tmp_path / "output" / name).read_text() == "theirs" for name in theirs)
    assert set(hashes(settled)) <= set(TABLES)


LONG = """
import signal, sys
from pipeline.base.engine.worker_process import start_worker
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from tests.runner.test_repair import work
if __name__ == "__main__":
    for name in ("SIGTERM", "SIGHUP"):  # a test run in the background ignores some, and so would what it starts
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn"), initializer=start_worker) as pool:
        for number in range(2):
            pool.submit(work, sys.argv[1], number)
"""


def work(folder: str, number: int) -> None:
    (Path(folder) / f"{number}").write_text(str(os.getpid()))
    while True:
        sum(range(1000))


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_workers_end_with_their_parent_however_it_ends(tmp_path: Path, how: signal.Signals) -> None:
    program = tmp_path / "long.py"
    program.write_text(LONG)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    parent = subprocess.Popen([sys.executable, str(program), str(tmp_path)], env=environment, stdout=subprocess.PIPE)
    while not all((tmp_path / name).exists() and (tmp_path / name).read_text() for name in ("0", "1")):
        assert parent.poll() is None
        time.sleep(0.05)
    parent.send_signal(how)
    # Standard output ends only when no worker has it open any more.
    assert parent.communicate(timeout=60)[0] == b""
