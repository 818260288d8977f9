"""pipeline/retrieval/vectors.py and what it adds: nearness in meaning, where words share nothing."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pipeline.base.errors import ModelError
from pipeline.base.schema import CHUNKS, EMBEDDINGS, RETRIEVAL_PASSAGES
from pipeline.base.storage import array_file
from pipeline.base.store import Rows
from pipeline.retrieval import vectors
from pipeline.retrieval.chunk_search import Finder
from pipeline.retrieval.vectors import PART, ChunkVectors, Near, in_cells, parts
from pipeline.text.sentences import split
from pipeline.text.tokenizer import words
from tests.retrieval_cases import build

TEXTS = [
    "The herring is salted in barrels of oak.",
    "Olga Marsh directed The Tide Mill, a film about a flood.",
    "Coopers bend staves over a fire.",
    "A lantern hung over the harbour at night.",
]
IDS = ["a", "b", "c", "d"]


def tables(folder: Path, of: dict[str, list[float]], ids: Sequence[str] = IDS) -> dict[str, Rows]:
    rows = [("chunks", id.rstrip("+"), id.count("+"), vector) for id, vector in of.items()]
    pq.write_table(EMBEDDINGS.rows([*rows, ("entities", "e", 0, [1.0, 0.0])]), folder / "embeddings.parquet")
    others = {column.name: [[]] * len(ids) for column in RETRIEVAL_PASSAGES.columns if column.name != "chunk_id"}
    pq.write_table(RETRIEVAL_PASSAGES.build(chunk_id=list(ids), **others), folder / "passages.parquet")
    return {
        "embeddings": Rows(EMBEDDINGS, folder / "embeddings.parquet"),
        "retrieval_passages": Rows(RETRIEVAL_PASSAGES, folder / "passages.parquet"),
    }


def test_the_nearest_passages_come_first_and_vectors_of_other_tables_are_no_passages(tmp_path: Path) -> None:
    some = ChunkVectors.opened(tables(tmp_path, {"a": [0, 1], "c": [1, 0], "d": [0.6, 0.8]}))
    near = some.nearest(np.array([1, 0], dtype=np.float32), 2)
    assert near.rows.tolist() == [2, 3] and near.shares.sum() == pytest.approx(1) and near.shares[0] > near.shares[1]
    assert near.above_of(np.array([0, 1, 2, 3, 9])) == pytest.approx([0, 0, near.above[0], near.above[1], 0], abs=1e-3)
    assert some.matrix.dtype == np.float16 and some.size == 2


def test_a_passage_is_as_near_as_the_nearest_of_its_parts(tmp_path: Path) -> None:
    some = ChunkVectors.opened(
        tables(tmp_path, {"a": [0, 1], "c": [-1, 0], "c+": [1, 0], "c++": [0.8, 0.6], "d": [0.6, 0.8]})
    )
    near = some.nearest(np.array([1, 0], dtype=np.float32), 3)
    assert near.rows.tolist() == [2, 3, 0], "each passage once"
    assert near.above_of(near.rows[:2]) == pytest.approx(near.above[:2], abs=1e-3)


def test_what_is_nearest_is_found_where_nothing_is_near(tmp_path: Path) -> None:
    some = ChunkVectors.opened(tables(tmp_path, {"a": [-0.6, -0.8], "c": [-1, 0]}))
    assert some.nearest(np.array([1, 0], dtype=np.float32), 1).rows.tolist() == [0]


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.sampled_from(["One. ", "Two words? ", "\n\n", "a b c d e f g h ", "水田。"]), max_size=90).map("".join)
)
def test_the_parts_of_a_text_are_runs_of_its_whole_sentences_and_hold_all_of_it(text: str) -> None:
    found, ends = parts(text), {text[:end].rstrip() for _, end in split(text)}
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(part.rstrip() and any(end.endswith(part.rstrip()) for end in ends) for part in found if text.strip())
    assert all(len(words(part)) <= 2 * PART for part in found)


def test_vectors_of_a_large_index_are_mapped_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = tables(tmp_path, {"a": [0, 1], "c": [1, 0], "d": [0.6, 0.8]})
    plain = ChunkVectors.opened(read)
    monkeypatch.setattr(array_file, "MAPPED_FROM", 4)
    vectors.VECTORS_FILE.write(read, tmp_path, None, lambda line: None)
    monkeypatch.setattr(Rows, "table", None)  # no table is read any more
    again = ChunkVectors.opened(read)
    assert again.rows.tolist() == plain.rows.tolist() == [0, 2, 3]
    assert again.matrix.dtype == np.float16 and np.array_equal(again.matrix, plain.matrix)


def test_blocks_of_vectors_are_compared_as_all_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    some = ChunkVectors.opened(tables(tmp_path, {"a": [0, 1], "c": [1, 0], "d": [0.6, 0.8]}))
    near = some.nearest(np.array([0.8, 0.6], dtype=np.float32))
    monkeypatch.setattr(vectors, "_AT_ONCE", 2)
    again = some.nearest(np.array([0.8, 0.6], dtype=np.float32))
    assert again.rows.tolist() == near.rows.tolist() == [3, 2, 0]
    assert again.above == pytest.approx(near.above)


def clustered(n: int, topics: int = 40) -> NDArray[np.float32]:
    random = np.random.default_rng(3)
    found = random.standard_normal((topics, 16))[random.integers(0, topics, n)] + 0.3 * random.standard_normal((n, 16))
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def test_of_many_vectors_a_part_is_compared_and_nearly_all_of_the_nearest_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    every = clustered(2_040)
    known, asked = every[:2_000], every[2_000:]
    whole = ChunkVectors(in_cells(np.arange(2_000), known))
    monkeypatch.setattr(vectors, "ONE_CELL", 1_000)
    monkeypatch.setattr(vectors, "COMPARED", 200)
    part = ChunkVectors(in_cells(np.arange(2_000), known))
    shared = [set(whole.nearest(one, 10).rows.tolist()) & set(part.nearest(one, 10).rows.tolist()) for one in asked]
    assert np.mean([len(rows) for rows in shared]) >= 9.5
    far = np.arange(0, 2_000, 97)
    assert part.nearest(asked[0]).above_of(far) == pytest.approx(whole.nearest(asked[0]).above_of(far), abs=0.2)


def test_nearness_counts_alike_for_an_encoder_whose_texts_are_all_alike() -> None:
    some, question = clustered(300), clustered(301)[300]
    alike = np.hstack([some, np.full((300, 1), 2.0)]) / np.sqrt(5)
    usual = ChunkVectors(in_cells(np.arange(300), some)).nearest(question)
    narrow = ChunkVectors(in_cells(np.arange(300), alike)).nearest(np.append(question, 2.0) / np.sqrt(5))
    assert narrow.rows[:5].tolist() == usual.rows[:5].tolist()
    assert narrow.above == pytest.approx(usual.above, abs=0.05)


def nearness(of: dict[int, float]) -> Near:
    rows = np.array(list(of))
    return Near(rows, np.array(list(of.values())), lambda asked: np.array([of.get(row, 0.0) for row in asked.tolist()]))


def test_what_shares_no_word_with_a_question_is_found_by_its_meaning() -> None:
    index = build(TEXTS, [""] * len(TEXTS))
    near = nearness({3: 4.0})
    assert index.search(["xyzzy"], 3) == [[]]
    assert [hit.row for hit in index.search(["xyzzy"], 3, [near])[0]][:1] == [3]


def test_the_passage_a_question_names_is_not_lost_to_one_near_in_meaning() -> None:
    index = build(TEXTS, [""] * len(TEXTS))
    near = nearness({3: 4.0, 0: 1.0})
    assert index.search(["Who directed The Tide Mill?"], 1, [near])[0][0].row == 1


def test_of_passages_that_share_the_same_words_with_a_question_the_one_nearest_in_meaning_comes_first() -> None:
    index = build([f"{text} The harbour slept." for text in TEXTS], [""] * len(TEXTS))
    for row in range(len(TEXTS)):
        assert index.search(["a harbour"], 1, [nearness({row: 2.0})])[0][0].row == row


def test_a_model_of_another_size_than_the_index_was_made_with_is_refused(tmp_path: Path) -> None:
    nowhere = Rows(CHUNKS, tmp_path / "chunks.parquet")
    read = {"chunks": nowhere, "key_elements": nowhere, **tables(tmp_path, {"a": [0, 1]}, ["a"])}
    finder = Finder(read, lambda texts: np.ones((len(texts), 3), dtype=np.float32))
    with pytest.raises(ModelError, match="3 numbers.*vectors of 2"):
        finder.find(["herring"], 1)
