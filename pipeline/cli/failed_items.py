"""What failed, named so that a person knows it: the place in a file instead of the id of a chunk."""

from collections.abc import Iterable

from pipeline.base.store import Generation
from pipeline.base.workflow import stage_label
from pipeline.documents.chunk_documents import with_documents
from pipeline.documents.places import PLACE_COLUMNS, file_place
from pipeline.language.ledger import FailureRow


def named_items(generation: Generation, failures: Iterable[FailureRow]) -> list[tuple[str, str]]:
    """Return what each failure concerns, "extract graph of notes.md, lines 4-20", and its reason; each once."""
    rows = list(failures)
    places = _places(generation, {row.item for row in rows})
    named = [
        (f"{stage_label(row.workflow)} of {places[row.item]}" if row.item in places else row.item, row.reason)
        for row in rows
    ]
    return list(dict.fromkeys(named))


def _places(generation: Generation, items: set[str]) -> dict[str, str]:
    """Return where the chunks among some items are, and which communities are among them, by id."""
    chunks, documents = map(generation.rows, ("chunks", "documents"))
    found = {}
    rows = with_documents(items, chunks, documents, ["start", "end"], ["source", *PLACE_COLUMNS])
    for id, (chunk, document) in rows.items():
        label = file_place(document, chunk["start"], chunk["end"]).label
        found[id] = f"{document['source']}, {label}" if label else document["source"]
    communities = generation.rows("communities").by_id(items - found.keys(), ["community"])
    return found | {id: f"community {row['community']}" for id, row in communities.items()}
