"""A stage goes stale when anything that it imports changes, and only then."""

import shutil
from pathlib import Path

import pytest

from pipeline.base.errors import PlanError
from pipeline.base.source_hash import ROOT, closure, program_hash, source_hash
from workflows.stages import STAGES


def copy_of_the_program(folder: Path) -> Path:
    for package in ("pipeline", "workflows"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def stale_after(folder: Path, module: str) -> set[str]:
    """Return the stages whose source hash differs after a line is added to ``module`` in a copy of the program."""
    changed = copy_of_the_program(folder)
    path = changed.joinpath(*module.split(".")).with_suffix(".py")
    path.write_text(path.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")
    return {stage.name for stage in STAGES if source_hash(stage.module) != source_hash(stage.module, changed)}


def test_the_same_sources_elsewhere_have_the_same_hash(tmp_path: Path) -> None:
    copied = copy_of_the_program(tmp_path)
    for stage in STAGES:
        assert source_hash(stage.module) == source_hash(stage.module, copied)


def test_the_hash_of_the_program_is_that_of_its_sources_and_not_of_what_python_writes_beside_them(
    tmp_path: Path,
) -> None:
    copied = copy_of_the_program(tmp_path)
    before = program_hash(copied)
    cache = copied / "pipeline" / "base" / "__pycache__"
    cache.mkdir()
    (cache / "store.cpython-311.pyc.140713237635328").write_bytes(b"half written")
    assert program_hash(copied) == before == program_hash()
    (copied / "pipeline" / "base" / "store.py").unlink()
    assert program_hash(copied) != before


def test_an_edit_in_dates_makes_stale_the_stages_that_use_dates_and_no_other(tmp_path: Path) -> None:
    from pipeline.text import dates

    stale = stale_after(tmp_path, dates.__name__)
    assert stale == {stage.name for stage in STAGES if dates.__name__ in closure(stage.module)}
    assert {"s50_extract_claims", "s80_write_reports"} <= stale
    assert not stale & {"s20_cut_chunks", "s70_find_communities"}


def test_an_edit_in_a_search_method_makes_no_stage_stale(tmp_path: Path) -> None:
    from pipeline.query.methods import global_search

    assert stale_after(tmp_path, global_search.__name__) == set()


def test_an_edit_in_a_task_makes_stale_the_stage_that_asks_it_and_no_other(tmp_path: Path) -> None:
    from pipeline.language.tasks.indexing import write_report

    assert stale_after(tmp_path, write_report.__name__) == {"s80_write_reports"}


@pytest.mark.parametrize("module", ["backends.chat", "transport.rate_limit", "scheduler", "tasks.registry", "factory"])
def test_an_edit_in_what_carries_requests_to_a_model_makes_no_stage_stale(module: str, tmp_path: Path) -> None:
    assert stale_after(tmp_path, f"pipeline.language.{module}") == set()


def program(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / "pipeline" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "statement",
    [
        "import pipeline.room.used",
        "import os, pipeline.room.used as used",
        "from pipeline.room import used",
        "from pipeline.room import other, used as renamed  # why",
        "from pipeline.room import (\n    other,\n    used,\n)",
        "from pipeline.room.used import thing",
        "def late():\n    from pipeline.room.used import thing",
    ],
)
def test_every_form_of_import_is_followed(tmp_path: Path, statement: str) -> None:
    files = {"__init__.py": "", "room/__init__.py": "", "room/used.py": "thing = 1", "room/other.py": ""}
    root = program(tmp_path, files | {"start.py": statement})
    assert "pipeline.room.used" in closure("pipeline.start", root)


def test_data_files_beside_a_module_count_and_those_elsewhere_do_not(tmp_path: Path) -> None:
    files = {"__init__.py": "", "start.py": "import pipeline.words.load", "words/load.py": "", "words/__init__.py": ""}
    before = program(tmp_path / "a", files | {"words/en.txt": "one", "far/x.txt": "one"})
    nearby = program(tmp_path / "b", files | {"words/en.txt": "two", "far/x.txt": "one"})
    far = program(tmp_path / "c", files | {"words/en.txt": "one", "far/x.txt": "two"})
    assert source_hash("pipeline.start", before) != source_hash("pipeline.start", nearby)
    assert source_hash("pipeline.start", before) == source_hash("pipeline.start", far)


def test_a_module_without_a_source_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="no source file"):
        source_hash("pipeline.nowhere", tmp_path)


def test_the_index_can_still_be_imported_from_pipeline_and_no_stage_rests_on_it() -> None:
    import graphstrata
    import pipeline

    with pytest.warns(DeprecationWarning, match=r"pipeline\.Index is deprecated .* use from graphstrata import Index"):
        assert pipeline.Index is graphstrata.Index
    assert all("pipeline.query.index" not in closure(stage.module) for stage in STAGES)
