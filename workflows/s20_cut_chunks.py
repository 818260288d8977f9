"""Stage 20: documents are cut into overlapping chunks that end where paragraphs and sentences do."""

from pipeline.base.ids import content_id
from pipeline.base.schema import CHUNKS
from pipeline.base.settings import ChunkSettings
from pipeline.base.store import Rows
from pipeline.base.tokens import Tokenizer
from pipeline.base.workflow import Parts
from pipeline.text.chunking import cut

DOCUMENTS_AT_ONCE = 64


def run(documents: Rows, settings: ChunkSettings, tokenizer: Tokenizer) -> Parts:
    """Cut each document; a chunk knows its place and its anchor."""
    for batch in documents.batches(["id", "title", "text", "n_tokens"], DOCUMENTS_AT_ONCE):
        rows = []
        for document in batch.to_pylist():
            pieces = cut(
                document["text"],
                document["title"],
                size=settings.size,
                overlap=settings.overlap,
                tokenizer=tokenizer,
                n_tokens=document["n_tokens"],
            )
            for position, piece in enumerate(pieces):
                id = content_id(document["id"], position, piece.text)
                rows.append(
                    (id, document["id"], position, piece.start, piece.end, piece.anchor, piece.text, piece.n_tokens)
                )
        yield CHUNKS, CHUNKS.rows(rows)
