"""Stage 90: vectors of what search compares with a question, when settings name an embedding model; none otherwise."""

from collections.abc import Iterator

from pipeline.base.schema import EMBEDDINGS
from pipeline.base.store import Rows
from pipeline.base.workflow import Notes, Parts
from pipeline.language.language import TextEmbedder

ROWS_AT_ONCE = 4096


def run(
    chunks: Rows,
    entities: Rows,
    key_elements: Rows,
    community_reports: Rows,
    embedder: TextEmbedder | None,
    notes: Notes,
) -> Parts:
    """Embed chunks, entities, key elements and reports; a row whose text cannot be embedded is a row in failures."""
    if embedder is None:
        return
    size = None
    for rows, columns in (
        (chunks, ("anchor", "text")),
        (entities, ("title", "description")),
        (key_elements, ("title",)),
        (community_reports, ("title", "summary")),
    ):
        for ids, texts in _texts(rows, columns):
            embedded = embedder.embed(texts, size)
            size = embedded.vectors.shape[1] or size
            for place, failure in sorted(embedded.failures.items()):
                notes.problem(f"{rows.declared.name} {ids[place]}", failure.reason, "failed", "embed")
            kept = [place for place in range(len(ids)) if place not in embedded.failures]
            table = [(rows.declared.name, ids[place], embedded.vectors[place].tolist()) for place in kept]
            yield EMBEDDINGS, EMBEDDINGS.rows(table)


def _texts(rows: Rows, columns: tuple[str, ...]) -> Iterator[tuple[list[str], list[str]]]:
    for batch in rows.batches(["id", *columns], ROWS_AT_ONCE):
        parts = [batch.column(name).to_pylist() for name in columns]
        yield batch.column("id").to_pylist(), ["\n".join(part) for part in zip(*parts, strict=True)]
