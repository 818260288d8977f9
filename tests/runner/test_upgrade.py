"""An index that an earlier version made opens as it is, answers, and becomes one of today's without asking a model."""

import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from graphstrata import Index
from pipeline.base.errors import StoreError
from pipeline.base.schema import TABLES
from pipeline.base.store import MANIFEST, file_hash
from pipeline.exchange.verify.verify import verify
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from pipeline.runner.status import project_status
from tests.corpora import TEXTS, project, write_texts
from tests.paths import ROOT
from tests.scripted_backend import ScriptedBackend

pytestmark = pytest.mark.long

LACKED = {"sentences", "aliases", "layout"}
"""Tables that the first version did not have."""
PLACES = [column.name for column in TABLES["documents"].columns if column.name.startswith("place_")]
LACKED_COLUMNS = {
    "documents": PLACES,
    "facts": ["quote", "start", "end"],
    "retrieval_terms": ["stems", "families"],
    "embeddings": ["part"],
}


def as_the_first_version(settled: Project) -> dict[str, str]:
    """Rewrite a project's index in the form of the first version; return the hash of every file of the output folder."""
    folder = settled.store.folder
    generation = folder / "generations" / "000001"
    manifest = json.loads((folder / MANIFEST).read_text())
    for name, entry in list(manifest["tables"].items()):
        path = generation / f"{name}.parquet"
        (folder / path.name).unlink()
        if name in LACKED:
            path.unlink()
            del manifest["tables"][name]
            continue
        table = pq.read_table(path).drop_columns(LACKED_COLUMNS.get(name, []))
        if name == "embeddings":
            table = table.set_column(2, "vector", table["vector"].cast(pa.list_(pa.float32())))
        metadata = {"graphstrata.table": name, "graphstrata.version": "1"}
        pq.write_table(table.replace_schema_metadata(metadata), path)
        (folder / path.name).hardlink_to(path)
        manifest["tables"][name] = {"file": entry["file"], "rows": entry["rows"], "hash": file_hash(path), "version": 1}
    for path in (folder / MANIFEST, generation / MANIFEST):
        path.write_text(json.dumps(manifest))
    return files_of(folder)


def files_of(folder: Path) -> dict[str, str]:
    listed = (path for path in folder.rglob("*") if path.is_file() and "upgraded" not in path.parts)
    return {str(path.relative_to(folder)): file_hash(path) for path in listed if "cache" not in path.name}


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "users-cache"))
    settled = project(tmp_path / "project")
    (settled.root / "settings.yaml").write_text("chunks: {size: 60, overlap: 10}\n")
    run_index(settled, default=ScriptedBackend({}))
    as_the_first_version(settled)
    return settled


def test_whichever_way_a_program_comes_to_an_index_an_earlier_version_opens(old: Project) -> None:
    ask = (
        "import sys; from pipeline.query.index import Index; "
        "print(len(Index.open(sys.argv[1]).entities), 'graphstrata' in sys.modules)"
    )
    run = [sys.executable, "-W", "ignore", "-c", ask, str(old.store.folder)]
    said = subprocess.check_output(run, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True)
    assert int(said.split()[0]) == len(Index.open(old.store.folder).entities) and said.split()[1] == "False"


def test_it_opens_and_answers_and_stays_as_it_is(old: Project) -> None:
    before = files_of(old.store.folder)
    with pytest.warns(UserWarning, match="an earlier version of graphstrata and stays as it is"):
        index = Index.open(old.root)
    answer = index.ask("Who built the west mole?")
    assert "Ada Thorne" in answer.text and answer.sources
    assert set(index.generation.manifest.tables) == set(TABLES)
    assert files_of(old.store.folder) == before


def test_it_is_brought_into_todays_form_once(old: Project) -> None:
    with pytest.warns(UserWarning):
        Index.open(old.root)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(Index.open(old.store.folder).sentences) > 5


def test_what_it_did_not_record_is_null_and_what_follows_from_its_tables_is_made(old: Project) -> None:
    with pytest.warns(UserWarning):
        index = Index.open(old.root)
    assert set(index.documents["place_unit"]) == {""} and index.facts["quote"].isna().all()
    assert len(index.layout) and (index.aliases if hasattr(index, "aliases") else index.table("aliases")) is not None
    answer = index.ask("Who built the west mole?", "basic")
    assert all(source.quote for source in answer.sources)


def test_verify_finds_no_fault_in_it(old: Project) -> None:
    with pytest.warns(UserWarning):
        _, checks = verify(old.store.folder)
    assert [(check.name, check.examples) for check in checks if check.faults] == []


def test_the_next_run_makes_it_todays_without_asking_a_model(old: Project) -> None:
    model = ScriptedBackend({})
    with pytest.warns(UserWarning):
        outcome = run_index(old, default=model)
    assert outcome.status == "complete" and outcome.generation == 2 and model.asked == []
    made = Index.open(old.root)
    assert made.generation.tables_folder is None and set(made.documents["place_unit"]) == {"line"}
    assert not (old.store.folder / "upgraded").exists()
    again = run_index(old, default=ScriptedBackend({}))
    assert again.unchanged
    _, checks = verify(old.store.folder)
    assert not any(check.faults for check in checks)


def test_after_it_a_run_does_again_only_what_a_new_text_touches(old: Project) -> None:
    with pytest.warns(UserWarning):
        run_index(old, default=ScriptedBackend({}))
    model = ScriptedBackend({})
    write_texts(old.input, {"new.txt": "Edmund Vane sold the Carrow Railway in 1901. He retired to Leith."})
    outcome = run_index(old, default=model)
    assert outcome.changes.added == 1 and outcome.changes.unchanged == len(TEXTS)
    extracted = [request.item for task, request in model.asked if task == "extract_graph"]
    assert len(extracted) == 1


def test_status_says_what_the_next_run_will_do(old: Project) -> None:
    with pytest.warns(UserWarning):
        status = project_status(old)
    assert status["damaged"] == {} and "no model is asked" in status["would_redo"][""]


def test_one_that_may_not_be_written_is_read_from_the_users_cache(old: Project, tmp_path: Path) -> None:
    folder = old.store.folder
    folder.chmod(0o555)
    try:
        with pytest.warns(UserWarning, match="users-cache"):
            index = Index.open(folder)
    finally:
        folder.chmod(0o755)
    assert index.generation.tables_folder is not None
    assert index.generation.tables_folder.is_relative_to(tmp_path / "users-cache")
    assert not (folder / "upgraded").exists()


def test_a_damaged_file_of_it_is_named(old: Project) -> None:
    path = old.store.folder / "generations" / "000001" / "facts.parquet"
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(StoreError, match="facts.parquet"):
        Index.open(old.root)


def test_a_table_that_only_a_model_makes_is_named_with_what_to_do(old: Project) -> None:
    for path in (old.store.folder / MANIFEST, old.store.folder / "generations" / "000001" / MANIFEST):
        manifest = json.loads(path.read_text())
        manifest["tables"].pop("claims", None)
        path.write_text(json.dumps(manifest))
    with pytest.warns(UserWarning):
        index = Index.open(old.root)
    with pytest.raises(StoreError, match="claims.*earlier version") as error:
        index.claims  # noqa: B018 -- reading it raises
    assert "graphstrata index" in error.value.fix


def test_chunks_that_the_program_would_cut_otherwise_today_are_kept_with_all_that_rests_on_them(old: Project) -> None:
    model = ScriptedBackend({})
    wider = Project(
        old.root, old.settings.model_copy(update={"chunks": old.settings.chunks.model_copy(update={"size": 90})})
    )
    with pytest.warns(UserWarning):
        chunks = Index.open(old.root).chunks["id"].tolist()
        run_index(wider, default=model)
    assert model.asked == [] and Index.open(old.root).chunks["id"].tolist() == chunks
