"""Stage 85: what retrieval over the graph of passages and names looks up, so that a question need not read the corpus."""

from pipeline.base.schema import (
    RETRIEVAL_FORMS,
    RETRIEVAL_NAMES,
    RETRIEVAL_PASSAGES,
    RETRIEVAL_TERMS,
)
from pipeline.base.store import Rows
from pipeline.base.workflow import Parts
from pipeline.retrieval.indexing.build import index_passages
from pipeline.text.metadata import labels
from workflows.shared.annotated_chunks import sentence_spans

TABLES = {
    "passages": RETRIEVAL_PASSAGES,
    "terms": RETRIEVAL_TERMS,
    "names": RETRIEVAL_NAMES,
    "forms": RETRIEVAL_FORMS,
}


def run(documents: Rows, chunks: Rows, vocabulary: Rows, sentences: Rows, entities: Rows) -> Parts:
    """Index every chunk under its words, those of its document's metadata, and the names in it; common-noun phrases are
    words, not names."""
    anchors = chunks.column("anchor").to_pylist()
    texts = (text for batch in chunks.batches(["text"]) for text in batch.column("text").to_pylist())
    known = vocabulary.table(["title", "kind"]).to_pydict()
    phrases = {title for title, kind in zip(known["title"], known["kind"], strict=True) if kind == "phrase"}
    named = entities.table(["title", "aliases"]).to_pydict()
    names = [
        (title, (title, *aliases))
        for title, aliases in zip(named["title"], named["aliases"], strict=True)
        if title not in phrases
    ]
    read = index_passages(texts, anchors, names, sentence_spans(chunks, sentences), _labels(documents, chunks)).tables()
    for name, table in TABLES.items():
        columns = {column: read[name][column] for column in read[name].column_names}
        if table is RETRIEVAL_PASSAGES:
            columns["chunk_id"] = chunks.column("id")
        yield table, table.build(**columns)


def _labels(documents: Rows, chunks: Rows) -> list[str]:
    """Return for each chunk what its document's metadata say that a question may name."""
    found: dict[str, str] = {}
    for batch in documents.batches(["id", "metadata"]):
        table = batch.to_pydict()
        found |= zip(table["id"], map(labels, table["metadata"]), strict=True)
    return [found[id] for id in chunks.column("document_id").to_pylist()]
