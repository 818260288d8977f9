"""Stage 85: what retrieval over the graph of passages and names looks up, so that a question need not read the corpus."""

from typing import Any

import pyarrow as pa

from pipeline.base.arrow.columns import rows_of
from pipeline.base.release_memory import release
from pipeline.base.schema import RETRIEVAL_FORMS, RETRIEVAL_NAMES, RETRIEVAL_PASSAGES, RETRIEVAL_TERMS
from pipeline.base.store import Rows
from pipeline.base.table import Table
from pipeline.base.workflow import Parts
from pipeline.retrieval.index_arrays import table_of
from pipeline.retrieval.indexing.build import index_names, index_terms, outside_words
from pipeline.retrieval.indexing.passage_words import read_words
from pipeline.text.metadata import labels
from workflows.shared.annotated_chunks import sentence_spans


def run(documents: Rows, chunks: Rows, vocabulary: Rows, sentences: Rows, entities: Rows) -> Parts:
    """Index every chunk under its words, those of its document's metadata, and the names in it; common-noun phrases are
    words, not names."""
    anchors = chunks.column("anchor").to_pylist()
    texts = (text for batch in chunks.batches(["text"]) for text in batch.column("text").to_pylist())
    phrases = {title for title, kind in vocabulary.values("title", "kind") if kind == "phrase"}
    titled = entities.values("title", "aliases")
    names = [(title, (title, *aliases)) for title, aliases in titled if title not in phrases]
    outside = outside_words(anchors, _labels(documents, chunks))
    read = read_words(texts, outside, sentence_spans(chunks, sentences), chunks.spill)
    release()  # what was known of each spelling
    for some in index_terms(read, outside, chunks.spill):
        yield RETRIEVAL_TERMS, _built(RETRIEVAL_TERMS, table_of("terms", some))
    some.clear()
    release()
    found, passages = index_names(read, anchors, names, chunks.spill)
    for name, table in (("names", RETRIEVAL_NAMES), ("forms", RETRIEVAL_FORMS)):
        yield table, _built(table, table_of(name, found))
    ids, first = chunks.column("id"), 0
    for part in passages:
        columns = table_of("passages", part)
        chunk_ids = ids.slice(first, columns.num_rows)
        first += columns.num_rows
        yield RETRIEVAL_PASSAGES, _built(RETRIEVAL_PASSAGES, columns, chunk_id=chunk_ids)


def _built(table: Table, columns: pa.Table, **more: Any) -> pa.Table:
    return table.build(**{name: columns[name] for name in columns.column_names}, **more)


def _labels(documents: Rows, chunks: Rows) -> list[str]:
    """Return for each chunk what its document's metadata say that a question may name."""
    found: dict[str, str] = {}
    for batch in documents.batches(["id", "metadata"]):
        found |= ((id, labels(metadata)) for id, metadata in rows_of(batch, "id", "metadata"))
    return [found[id] for id in chunks.column("document_id").to_pylist()]
