"""Rows of chunks, each with the row of the document that it is from: how whoever shows a chunk learns its file, date and place."""

from collections.abc import Iterable, Sequence
from typing import Any

from pipeline.base.store import Rows

Row = dict[str, Any]


def with_documents(
    ids: Iterable[str], chunks: Rows, documents: Rows, of_chunk: Sequence[str], of_document: Sequence[str]
) -> dict[str, tuple[Row, Row]]:
    """Return those chunks by id, each with its document: the named columns of both, and the ``document_id`` of the chunk; an id that
    is no chunk's is absent."""
    found = chunks.by_id(ids, ["document_id", *of_chunk])
    about = documents.by_id({row["document_id"] for row in found.values()}, of_document)
    return {id: (row, about[row["document_id"]]) for id, row in found.items()}
