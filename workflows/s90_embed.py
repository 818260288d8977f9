"""Stage 90: vectors of what search compares with a question, when settings name an embedding model; none otherwise."""

from collections.abc import Iterator, Sequence

from pipeline.base.arrow.columns import rows_of
from pipeline.base.schema import CHUNKS, EMBEDDINGS
from pipeline.base.store import Rows
from pipeline.base.workflow import Notes, Parts
from pipeline.language.language import TextEmbedder
from pipeline.retrieval.vectors import parts

ROWS_AT_ONCE = 4096


def run(
    chunks: Rows,
    entities: Rows,
    key_elements: Rows,
    community_reports: Rows,
    embedder: TextEmbedder | None,
    notes: Notes,
) -> Parts:
    """Embed parts of chunks, entities, key elements and reports; a row whose text cannot be embedded is a row in failures."""
    if embedder is None:
        return
    size = None
    for rows, columns in (
        (chunks, ("anchor", "text")),
        (entities, ("title", "description")),
        (key_elements, ("title",)),
        (community_reports, ("title", "summary")),
    ):
        for keys, texts in _texts(rows, columns):
            embedded = embedder.embed(texts, size)
            size = embedded.vectors.shape[1] or size
            for place, failure in sorted(embedded.failures.items()):
                notes.problem(f"{rows.declared.name} {keys[place][0]}", failure.reason, "failed", "embed")
            kept = [place for place in range(len(keys)) if place not in embedded.failures]
            table = [(rows.declared.name, *keys[place], embedded.vectors[place].tolist()) for place in kept]
            yield EMBEDDINGS, EMBEDDINGS.rows(table)


def _texts(rows: Rows, columns: Sequence[str]) -> Iterator[tuple[list[tuple[str, int]], list[str]]]:
    """Ids with numbers of parts, and the texts of these; every part of a chunk is under the chunk's anchor."""
    cut = parts if rows.declared is CHUNKS else lambda text: [text]
    for batch in rows.batches(["id", *columns], ROWS_AT_ONCE):
        named = rows_of(batch, "id", *columns)
        found = [
            (id, number, "\n".join([*above, part]))
            for id, *above, last in named
            for number, part in enumerate(cut(last))
        ]
        yield [(id, number) for id, number, _ in found], [text for *_, text in found]
