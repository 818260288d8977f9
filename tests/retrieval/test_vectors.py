"""pipeline/retrieval/vectors.py and what it adds: nearness in meaning, where words share nothing."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from pipeline.base.errors import ModelError
from pipeline.base.schema import CHUNKS, EMBEDDINGS, RETRIEVAL_PASSAGES
from pipeline.base.storage import array_file
from pipeline.base.store import Rows
from pipeline.retrieval import vectors
from pipeline.retrieval.chunk_search import Finder
from pipeline.retrieval.search import build
from pipeline.retrieval.vectors import ChunkVectors, Near

TEXTS = [
    "The herring is salted in barrels of oak.",
    "Olga Marsh directed The Tide Mill, a film about a flood.",
    "Coopers bend staves over a fire.",
    "A lantern hung over the harbour at night.",
]
IDS = ["a", "b", "c", "d"]


def tables(folder: Path, of: dict[str, list[float]], ids: Sequence[str] = IDS) -> dict[str, Rows]:
    rows = [("chunks", id, vector) for id, vector in of.items()]
    pq.write_table(EMBEDDINGS.rows([*rows, ("entities", "e", [1.0, 0.0])]), folder / "embeddings.parquet")
    others = {column.name: [[]] * len(ids) for column in RETRIEVAL_PASSAGES.columns if column.name != "chunk_id"}
    pq.write_table(RETRIEVAL_PASSAGES.build(chunk_id=list(ids), **others), folder / "passages.parquet")
    return {
        "embeddings": Rows(EMBEDDINGS, folder / "embeddings.parquet"),
        "retrieval_passages": Rows(RETRIEVAL_PASSAGES, folder / "passages.parquet"),
    }


def test_the_nearest_passages_come_first_and_vectors_of_other_tables_are_no_passages(tmp_path: Path) -> None:
    some = ChunkVectors(tables(tmp_path, {"a": [0, 1], "c": [1, 0], "d": [0.6, 0.8]}))
    near = some.nearest(np.array([1, 0], dtype=np.float32), 2)
    assert near.rows.tolist() == [2, 3] and near.shares == pytest.approx([1, 0.6**6], abs=1e-3)
    assert some.matrix.dtype == np.float16 and some.size == 2


def test_vectors_of_a_large_index_are_mapped_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = tables(tmp_path, {"a": [0, 1], "c": [1, 0], "d": [0.6, 0.8]})
    plain = ChunkVectors(read)
    monkeypatch.setattr(array_file, "MAPPED_FROM", 4)
    vectors.VECTORS_FILE.write(read, tmp_path, None, lambda line: None)
    monkeypatch.setattr(Rows, "table", None)  # no table is read any more
    again = ChunkVectors(read)
    assert again.rows.tolist() == plain.rows.tolist() == [0, 2, 3]
    assert again.matrix.dtype == np.float16 and np.array_equal(again.matrix, plain.matrix)


def test_blocks_of_vectors_are_compared_as_all_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    some = ChunkVectors(tables(tmp_path, {"a": [0, 1], "c": [1, 0], "d": [0.6, 0.8]}))
    near = some.nearest(np.array([0.8, 0.6], dtype=np.float32))
    monkeypatch.setattr(vectors, "_AT_ONCE", 2)
    again = some.nearest(np.array([0.8, 0.6], dtype=np.float32))
    assert again.rows.tolist() == near.rows.tolist() == [3, 2, 0]
    assert again.shares == pytest.approx(near.shares)


def test_what_shares_no_word_with_a_question_is_found_by_its_meaning() -> None:
    index = build(TEXTS, [""] * len(TEXTS))
    near = Near(np.array([3]), np.array([0.4]))
    assert index.search(["xyzzy"], 3) == [[]]
    assert [hit.row for hit in index.search(["xyzzy"], 3, [near])[0]][:1] == [3]


def test_the_passage_a_question_names_is_not_lost_to_one_near_in_meaning() -> None:
    index = build(TEXTS, [""] * len(TEXTS))
    near = Near(np.array([3, 0]), np.array([0.5, 0.1]))
    assert index.search(["Who directed The Tide Mill?"], 1, [near])[0][0].row == 1


def test_a_model_of_another_size_than_the_index_was_made_with_is_refused(tmp_path: Path) -> None:
    nowhere = Rows(CHUNKS, tmp_path / "chunks.parquet")
    read = {"chunks": nowhere, "key_elements": nowhere, **tables(tmp_path, {"a": [0, 1]}, ["a"])}
    finder = Finder(read, lambda texts: np.ones((len(texts), 3), dtype=np.float32))
    with pytest.raises(ModelError, match="3 numbers.*vectors of 2"):
        finder.find(["herring"], 1)
