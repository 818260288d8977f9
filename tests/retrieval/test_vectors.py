"""pipeline/retrieval/vectors.py and what it adds: nearness in meaning, where words share nothing."""

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from pipeline.base.errors import ModelError
from pipeline.base.schema import CHUNKS, EMBEDDINGS, RETRIEVAL_PASSAGES
from pipeline.base.store import Rows
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


def embeddings(folder: Path, vectors: dict[str, list[float]]) -> Rows:
    path = folder / "embeddings.parquet"
    rows = [("chunks", id, vector) for id, vector in vectors.items()]
    pq.write_table(EMBEDDINGS.rows([*rows, ("entities", "e", [1.0, 0.0])]), path)
    return Rows(EMBEDDINGS, path)


def test_the_nearest_passages_come_first_and_vectors_of_other_tables_are_no_passages(tmp_path: Path) -> None:
    vectors = ChunkVectors(embeddings(tmp_path, {"a": [0, 1], "c": [1, 0], "d": [0.6, 0.8]}), IDS)
    near = vectors.nearest(np.array([1, 0], dtype=np.float32), 2)
    assert near.rows.tolist() == [2, 3] and near.shares == pytest.approx([1, 0.6**6], abs=1e-3)
    assert vectors.matrix.dtype == np.float16 and vectors.size == 2


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
    pq.write_table(
        RETRIEVAL_PASSAGES.build(
            chunk_id=["a"], **{column.name: [[]] for column in RETRIEVAL_PASSAGES.columns if column.name != "chunk_id"}
        ),
        tmp_path / "passages.parquet",
    )
    nowhere = Rows(CHUNKS, tmp_path / "chunks.parquet")
    tables = {
        "chunks": nowhere,
        "key_elements": nowhere,
        "retrieval_passages": Rows(RETRIEVAL_PASSAGES, tmp_path / "passages.parquet"),
        "embeddings": embeddings(tmp_path, {"a": [0, 1]}),
    }
    finder = Finder(tables, lambda texts: np.ones((len(texts), 3), dtype=np.float32))
    with pytest.raises(ModelError, match="3 numbers.*vectors of 2"):
        finder.find(["herring"], 1)
