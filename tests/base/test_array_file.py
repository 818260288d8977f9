"""pipeline/base/storage/array_file.py: what questions to a large index map, written by the run that publishes it."""

import logging
from pathlib import Path

import numpy as np
import pytest

from pipeline.base.errors import StoreError
from pipeline.base.storage import array_file
from pipeline.base.storage.mapped import map_arrays, write_arrays
from pipeline.query.index import Index
from pipeline.runner.progress import Silent
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from tests.corpora import project

QUESTION = "Who keeps bees in Carrow?"
FILE = "passages.arrow"


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array_file, "MAPPED_FROM", 1)


def files(of: Project) -> list[Path]:
    return sorted((of.store.folder / "generations").glob(f"*/{FILE}"))


def asked(of: Project) -> list[str]:
    finder = Index(of.store.open(), of.settings, of.root).finder()
    return [hit.chunk_id for hit in finder.find([QUESTION], 3)[0]]


def test_a_small_index_has_no_file_of_arrays(tmp_path: Path) -> None:
    of = project(tmp_path)
    run_index(of)
    assert not files(of)


def test_the_run_that_publishes_a_large_index_writes_its_file_and_questions_write_nothing(
    large: None, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    of = project(tmp_path)
    run_index(of)
    (path,) = files(of)
    written = path.stat().st_mtime_ns
    asked(of)
    assert files(of) == [path] and path.stat().st_mtime_ns == written
    assert not caplog.records


def test_a_generation_with_the_same_passages_has_the_same_file_and_takes_its_own_with_it_when_it_goes(
    large: None, tmp_path: Path
) -> None:
    of = project(tmp_path, output={"keep_generations": 1})
    run_index(of)
    (first,) = files(of)
    same = first.stat().st_ino
    other = project(tmp_path, output={"keep_generations": 1}, claims={"enabled": False})
    assert run_index(other).generation == 2
    (second,) = files(of)
    assert second.parent.name == "000002" and second.stat().st_ino == same


def test_a_file_that_is_missing_cut_off_or_of_other_tables_is_left_aside_in_one_line_until_the_next_run_writes_it(
    large: None, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    of = project(tmp_path)
    run_index(of)
    (path,) = files(of)
    right, content = asked(of), path.read_bytes()

    def spoil_by_other_tables() -> None:
        write_arrays(path, [("numbers", np.arange(9))], "other tables")

    for spoil, why in (
        (path.unlink, "it is not there"),
        (lambda: path.write_bytes(content[:100]), "not a table that can be read"),
        (spoil_by_other_tables, "it was made of other tables"),
    ):
        spoil()
        caplog.clear()
        with caplog.at_level(logging.WARNING):
            assert asked(of) == right
        (record,) = caplog.records
        assert FILE in record.getMessage() and why in record.getMessage() and "\n" not in record.getMessage()
        assert run_index(of).unchanged
        assert path.read_bytes() == content


def test_a_file_that_cannot_be_written_is_reported_and_the_index_is_published_without_it(
    large: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(array_file, "write_arrays", refuse)
    lines: list[str] = []

    class Lines(Silent):
        def line(self, text: str) -> None:
            lines.append(text)

    of = project(tmp_path)
    run_index(of, Lines())
    assert of.store.published() == 1 and not files(of)
    assert [line for line in lines if FILE in line and "the disk is full" in line]


def test_a_file_of_another_origin_is_not_taken_and_one_that_is_cut_off_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / FILE
    write_arrays(path, [("numbers", np.arange(9))], "these tables")
    found = map_arrays(path, "these tables")
    assert found is not None and found["numbers"].tolist() == list(range(9))
    assert map_arrays(path, "other tables") is None
    assert map_arrays(tmp_path / "none", "these tables") is None
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(StoreError):
        map_arrays(path, "these tables")
