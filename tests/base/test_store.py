"""The gate and the generations: what fits is published whole, what does not is refused and changes nothing."""

import errno
import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pipeline.base.errors import LockError, StoreError, TableError
from pipeline.base.lock import only_writer
from pipeline.base.schema import CHUNKS, DOCUMENTS
from pipeline.base.storage import parquet
from pipeline.base.storage.disk import disk_errors
from pipeline.base.store import Rows, Stage, Store
from pipeline.documents.places import NO_PLACES
from pipeline.language.cache import Cache

Row = tuple[object, ...]


def document(id: str = "d1", text: str = "One. Two.") -> Row:
    return (id, "Title", "a.txt", text, 4, "{}", *NO_PLACES)


def chunk(id: str = "c1", document_id: str = "d1") -> Row:
    return (id, document_id, 0, 0, 4, "Title", "One.", 2)


def published(store: Store, documents: list[Row], chunks: list[Row]) -> None:
    store.prepare()
    draft = store.draft()
    draft.write((DOCUMENTS,), iter([(DOCUMENTS, DOCUMENTS.rows(documents))]))
    draft.write((CHUNKS,), iter([(CHUNKS, CHUNKS.rows(chunks))]))
    store.publish(draft, "complete", "estimate-1", {"s10": Stage(fingerprint="x")}, keep=2)


def test_a_published_table_reads_back_as_it_was_and_is_stored_under_its_plain_name(tmp_path: Path) -> None:
    store = Store(tmp_path / "output")
    published(store, [document()], [chunk()])
    assert store.open().table("chunks").to_pylist() == CHUNKS.rows([chunk()]).to_pylist()
    assert (tmp_path / "output" / "chunks.parquet").exists()
    assert store.open().table("chunks").schema.metadata[b"graphstrata.table"] == b"chunks"


def test_the_same_rows_give_the_same_hash(tmp_path: Path) -> None:
    hashes = []
    for name in ("a", "b"):
        store = Store(tmp_path / name)
        published(store, [document()], [chunk()])
        hashes.append({table: entry.hash for table, entry in store.open().manifest.tables.items()})
    assert hashes[0] == hashes[1]


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (CHUNKS.rows([chunk()]).drop_columns(["anchor"]), "missing columns \\['anchor'\\]"),
        (CHUNKS.rows([chunk()]).append_column("more", pa.array([1])), "extra columns \\['more'\\]"),
        (CHUNKS.rows([chunk()]).set_column(2, "position", pa.array(["0"])), "position is string, declared int64"),
        (CHUNKS.rows([chunk()]).set_column(5, "anchor", pa.array([None], pa.string())), "anchor holds 1 nulls"),
        (CHUNKS.rows([chunk(), chunk()]), "more than one row"),
        (CHUNKS.rows([chunk(document_id="gone")]), "document_id names 1 rows that documents.id lacks, such as gone"),
    ],
)
def test_a_table_that_does_not_fit_is_refused_and_the_last_index_stays(
    tmp_path: Path, part: pa.Table, said: str
) -> None:
    store = Store(tmp_path / "output")
    published(store, [document()], [chunk()])
    draft = store.draft()
    draft.write((DOCUMENTS,), iter([(DOCUMENTS, DOCUMENTS.rows([document()]))]))
    with pytest.raises(TableError, match=said):
        draft.write((CHUNKS,), iter([(CHUNKS, part)]))
    assert store.open().manifest.generation == 1


@pytest.mark.parametrize("n", [1, 2, 100])
def test_values_that_are_nowhere_are_counted_once_however_many_parts_of_a_table_name_them(n: int) -> None:
    column = next(column for column in CHUNKS.references if column.name == "document_id")
    parts = (pa.chunked_array([["here", "gone", f"away {part % 2}"]]) for part in range(n))
    with pytest.raises(TableError, match=f"document_id names {1 + min(n, 2)} rows .* such as gone"):
        CHUNKS.check_reference(column, parts, pa.chunked_array([["here", "there"]]))
    CHUNKS.check_reference(column, iter([pa.chunked_array([["here"]])] * n), pa.chunked_array([["here", "there"]]))


def test_a_part_of_an_undeclared_table_is_refused(tmp_path: Path) -> None:
    store = Store(tmp_path / "output")
    store.prepare()
    with pytest.raises(TableError, match="only documents"):
        store.draft().write((DOCUMENTS,), iter([(CHUNKS, CHUNKS.rows([]))]))


def test_a_reader_keeps_its_generation_while_the_next_is_published(tmp_path: Path) -> None:
    store = Store(tmp_path / "output")
    published(store, [document()], [chunk()])
    reader = store.open()
    published(store, [document(text="Three.")], [chunk()])
    assert reader.table("documents")["text"].to_pylist() == ["One. Two."]
    assert store.open().table("documents")["text"].to_pylist() == ["Three."]


def test_as_many_generations_as_asked_for_are_kept_and_one_can_be_gone_back_to(tmp_path: Path) -> None:
    store = Store(tmp_path / "output")
    for text in ("first", "second", "third"):
        published(store, [document(text=text)], [])
    assert store.numbers() == [2, 3]
    store.swap(2)
    assert store.open().table("documents")["text"].to_pylist() == ["second"]
    with pytest.raises(StoreError, match="no generation 1"):
        store.swap(1)


def test_a_draft_left_by_a_killed_run_is_swept_away(tmp_path: Path) -> None:
    store = Store(tmp_path / "output")
    store.prepare()
    store.draft()
    store.draft()
    assert len(list((tmp_path / "output" / "generations").iterdir())) == 1


def test_a_folder_without_an_index_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as error:
        Store(tmp_path).open()
    assert error.value.fix == "run: graphstrata index"


def change_manifest(store: Store, change: Callable[[dict[str, Any]], object]) -> None:
    path = store.folder / "manifest.json"
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("chunks", "../../etc/passwd"),
        ("chunks", "/etc/passwd"),
        ("chunks", "generations/000001/../../../chunks.parquet"),
        ("chunks", "generations/000001/chunks.parquet\n"),
        ("chunks", "generations/\u0660\u0660\u0660\u0660\u0660\u0661/chunks.parquet"),
        ("chunks", "generations/000007/chunks.parquet"),
        ("chunks", "generations/000001/documents.parquet"),
        ("../../x", "generations/000001/../../x.parquet"),
        ("/tmp/x", "generations/000001//tmp/x.parquet"),
        ("", "generations/000001/.parquet"),
    ],
)
def test_a_manifest_that_names_a_file_elsewhere_is_refused(tmp_path: Path, name: str, file: str) -> None:
    store = Store(tmp_path / "output")
    published(store, [document()], [chunk()])
    change_manifest(
        store, lambda content: content["tables"].update({name: {**content["tables"]["chunks"], "file": file}})
    )
    with pytest.raises(StoreError, match="names the file"):
        store.open()


def test_links_and_pipes_in_place_of_tables_are_neither_read_nor_kept(tmp_path: Path) -> None:
    store = Store(tmp_path / "output")
    published(store, [document()], [chunk()])
    folder = tmp_path / "output" / "generations" / "000001"
    table = folder / "chunks.parquet"
    table.rename(tmp_path / "elsewhere.parquet")
    for link in (True, False):
        if link:
            table.symlink_to(tmp_path / "elsewhere.parquet")
        else:
            os.mkfifo(table)
        with pytest.raises(StoreError, match="leads out|not a regular file"):
            store.open().table("chunks")
        with pytest.raises(StoreError, match="leads out|not a regular file"):
            store.draft().keep(CHUNKS)
        with pytest.raises(StoreError, match="leads out|not a regular file"):
            store.check(1)
        table.unlink()
    (tmp_path / "elsewhere.parquet").rename(table)
    folder.rename(tmp_path / "generation")
    folder.symlink_to(tmp_path / "generation")
    with pytest.raises(StoreError, match="leads out"):
        store.open().table("chunks")


def test_an_output_folder_whose_parts_lead_elsewhere_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "output").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "output" / "generations").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="leads out"):
        Store(tmp_path / "output").prepare()
    assert not list((tmp_path / "elsewhere").iterdir())
    precious = tmp_path / "precious"
    precious.write_text("kept")
    (tmp_path / "lock").symlink_to(precious)
    with pytest.raises(StoreError, match="lock cannot be used"), only_writer(tmp_path):
        pass
    (tmp_path / "cache.sqlite-wal").symlink_to(precious)
    with pytest.raises(StoreError, match="is a link"):
        Cache(tmp_path / "cache.sqlite", 1)
    assert precious.read_text() == "kept"


def test_a_path_that_is_too_long_for_the_cache_is_a_clear_error(tmp_path: Path) -> None:
    folder = tmp_path / "/".join(["ü" * 100] * 3)
    folder.mkdir(parents=True)
    with pytest.raises(StoreError, match="the path of the reply cache has") as error:
        Cache(folder / "cache.sqlite", 1)
    assert "shorter" in error.value.fix


def test_a_folder_without_the_right_to_write_is_named_and_not_the_temporary_file_in_it(tmp_path: Path) -> None:
    for name in (".probe", ".settings.yaml.new"):
        said = f"nothing can be written to {tmp_path}: permission was denied"
        with pytest.raises(StoreError, match=said) as error, disk_errors(tmp_path):
            raise PermissionError(errno.EACCES, "Permission denied", str(tmp_path / name))
        assert name not in str(error.value) and "right to write there" in error.value.fix


def test_what_a_file_manager_leaves_among_the_generations_is_no_obstacle(tmp_path: Path) -> None:
    store = Store(tmp_path / "output")
    published(store, [document()], [chunk()])
    (tmp_path / "output" / "generations" / ".DS_Store").write_bytes(b"x")
    published(store, [document()], [chunk()])
    assert store.numbers() == [1, 2]


def test_a_broken_manifest_is_a_clear_error(tmp_path: Path) -> None:
    store = Store(tmp_path / "output")
    published(store, [document()], [chunk()])
    for content in ("{", "[" * 100_000, '{"format": 1}'):
        (tmp_path / "output" / "manifest.json").write_text(content)
        with pytest.raises(StoreError, match="not a manifest"):
            store.open()


def test_a_second_writer_is_refused_with_the_first_ones_process(tmp_path: Path) -> None:
    with only_writer(tmp_path), pytest.raises(LockError, match=r"process \d+, started \d{4}-"), only_writer(tmp_path):
        pass


@pytest.mark.parametrize("process", [999_999_999, os.getppid(), os.getpid()], ids=["gone", "reused", "own"])
def test_a_lock_file_that_a_killed_process_left_is_no_obstacle_whoever_has_its_number_now(
    tmp_path: Path, process: int
) -> None:
    (tmp_path / "lock").write_text(json.dumps({"process": process, "started": "2020-01-01 00:00:00"}))
    with only_writer(tmp_path):
        assert json.loads((tmp_path / "lock").read_text())["process"] == os.getpid()


def test_a_lock_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "lock").mkdir()
    with pytest.raises(StoreError, match="lock cannot be used") as error, only_writer(tmp_path):
        pass
    assert error.value.fix


def test_a_small_table_is_read_from_memory_while_its_generation_is_made_and_from_its_file_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path)
    store.prepare()
    draft = store.draft()
    draft.write(
        [DOCUMENTS], [(DOCUMENTS, DOCUMENTS.rows([document("a")])), (DOCUMENTS, DOCUMENTS.rows([document("b")]))]
    )
    rows = draft.rows("documents")
    elsewhere = pickle.loads(pickle.dumps(rows))
    assert type(elsewhere) is Rows and elsewhere.table() == rows.table() and elsewhere.hash == rows.hash
    assert [part.num_rows for part in rows.batches(rows=1)] == [part.num_rows for part in elsewhere.batches(rows=1)]
    assert rows.column("id") == elsewhere.column("id") and rows.take([1, 0], ["id"]) == elsewhere.take([1, 0], ["id"])
    rows.path.unlink()
    assert rows.num_rows == 2 and rows.table(["id"]).to_pylist() == [{"id": "a"}, {"id": "b"}]
    with pytest.raises(StoreError):
        elsewhere.table()
    monkeypatch.setattr(parquet, "SMALL", 100)
    draft.write([DOCUMENTS], [(DOCUMENTS, DOCUMENTS.rows([document("a")]))])
    assert type(draft.rows("documents")) is Rows
