"""The vectors of an index as the LanceDB store that Microsoft GraphRAG's local search looks them up in.

Versions 2 and 3 name the tables differently and want different columns, so each is written under both names. A question
must be embedded by the model that made the vectors: name it, and its size, in Microsoft's settings.yaml.
"""

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.columns import numbers, whole
from pipeline.base.arrow.lists import lengths
from pipeline.base.errors import StoreError
from pipeline.base.files import jail
from pipeline.base.store import Generation

FOLDER = "lancedb"
STORES = {
    "entities": ("default-entity-description", "entity_description", ("title", "description")),
    "chunks": ("default-text_unit-text", "text_unit_text", ("text",)),
    "community_reports": ("default-community-full_content", "community_full_content", ("full_content",)),
}
"""Our table, the names of its store in versions 2 and 3, and the columns whose text was embedded."""


def write_vectors(generation: Generation, folder: Path) -> list[str]:
    """Write the store, and return lines that say what was written, or why nothing was."""
    if "embeddings" not in generation.manifest.tables or not generation.rows("embeddings").num_rows:
        return [
            "no vectors in this index: global search works, local search needs them (language.embedding in settings)"
        ]
    if find_spec("lancedb") is None:
        return ["no vector store written: it needs the package lancedb; without it local search cannot start"]
    path = jail(folder, FOLDER, StoreError)
    embeddings = generation.table("embeddings")
    database = import_module("lancedb").connect(str(path))
    counts = []
    for name, (second, third, columns) in STORES.items():
        part = embeddings.filter(pc.equal(embeddings["table"], name))
        if part.num_rows:
            rows = generation.table(name, ["id", *columns])
            for table, content in zip((second, third), _contents(part, rows, columns), strict=True):
                database.create_table(table, data=content, mode="overwrite")
            counts.append(f"{len(pc.unique(part['row_id']))} of {name}")
    size = lengths(embeddings["vector"])[0]
    return [f"vectors in {FOLDER} ({', '.join(counts)}): set vector_store db_uri to that folder, vector_size to {size}"]


def _contents(part: pa.Table, rows: pa.Table, columns: tuple[str, ...]) -> Iterator[pa.Table]:
    """Yield the store's table as version 2 reads it, and as version 3 does."""
    named = whole(part["row_id"]).dictionary_encode()
    ids, size = named.dictionary, int(lengths(part["vector"])[0])
    sums = np.zeros((len(ids), size), np.float32)  # a chunk's vector is the mean of those of its parts
    np.add.at(sums, np.asarray(named.indices), np.asarray(pc.list_flatten(whole(part["vector"]))).reshape(-1, size))
    flat = (sums / np.linalg.norm(sums, axis=1, keepdims=True)).ravel()
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(flat), size)
    at = pa.array(numbers(ids, rows["id"]))
    texts: Any = pc.binary_join_element_wise(*(whole(rows[name]).take(at) for name in columns), ":")
    empty = pa.array(["{}"] * len(ids))
    yield pa.table({"id": ids, "text": texts, "vector": vectors, "attributes": empty})
    dates = pa.array([None] * len(ids), pa.string())
    yield pa.table({"id": ids, "vector": vectors, "create_date": dates, "update_date": dates})
