"""Reads a working folder of LightRAG: its documents, chunks and graph; its descriptions are kept, nothing is asked again."""

import json
from pathlib import Path
from typing import Any

from pipeline.base.errors import InputError
from pipeline.base.files import jail
from pipeline.exchange.graphs.graphml_reader import read_graphml
from pipeline.exchange.microsoft.folder import MicrosoftIndex, index_of, weight_of

GRAPH = "graph_chunk_entity_relation.graphml"
CHUNKS = "kv_store_text_chunks.json"
DOCUMENTS = "kv_store_full_docs.json"
SEPARATOR = "<SEP>"
"""What LightRAG puts between the descriptions, and between the chunks, of one entity."""
STOPS = (".", "!", "?", ";", ":", "。", "！", "？")


def read_lightrag(folder: Path) -> MicrosoftIndex:
    """Return the folder's content; InputError where a file is missing or cannot be read.

    A chunk of a document that the folder no longer holds becomes a document of its own.
    """
    graph = read_graphml(_file(folder, GRAPH))
    chunks = _store(folder, CHUNKS)
    documents = _store(folder, DOCUMENTS)
    named = {id: chunk.get("file_path") for chunk in chunks.values() if (id := chunk.get("full_doc_id"))}
    units = sorted(chunks.items(), key=lambda item: (str(item[1].get("full_doc_id")), _order(item[1]), item[0]))
    nodes = sorted(graph.nodes.items())
    return index_of(
        folder,
        documents=[
            {"id": id, "title": _title(row.get("file_path") or named.get(id), id), "text": row.get("content") or ""}
            for id, row in sorted(documents.items())
        ],
        text_units=[
            {
                "id": id,
                "text": row.get("content") or "",
                "document_id": row.get("full_doc_id"),
                "human_readable_id": place,
            }
            for place, (id, row) in enumerate(units)
        ],
        entities=[
            {
                "id": id,
                "title": values.get("entity_id") or id,
                "type": values.get("entity_type") or "",
                "description": _joined(values.get("description")),
                "text_unit_ids": _parts(values.get("source_id"), chunks),
            }
            for id, values in nodes
        ],
        relationships=[
            {
                "id": f"{source} - {target}",
                "source": graph.nodes.get(source, {}).get("entity_id") or source,
                "target": graph.nodes.get(target, {}).get("entity_id") or target,
                "description": _with_keywords(_joined(values.get("description")), values.get("keywords")),
                "weight": weight_of(values.get("weight") or ""),
                "text_unit_ids": _parts(values.get("source_id"), chunks),
            }
            for source, target, values in sorted(graph.edges, key=lambda edge: edge[:2])
        ],
    )


def _file(folder: Path, name: str) -> Path:
    path = jail(folder, name, InputError)
    if not path.is_file():
        raise InputError(f"{folder} has no {name}", "LightRAG writes it into its working folder", "name that folder")
    return path


def _store(folder: Path, name: str) -> dict[str, dict[str, Any]]:
    try:
        content = json.loads(_file(folder, name).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{name} cannot be read: {error}", "it should be JSON", "copy it again") from error
    if not isinstance(content, dict) or not all(isinstance(row, dict) for row in content.values()):
        raise InputError(f"{name} is no object of objects", "LightRAG writes one by ids", "copy it again")
    return content


def _parts(text: str | None, known: dict[str, Any]) -> list[str]:
    return [part for part in dict.fromkeys((text or "").split(SEPARATOR)) if part in known]


def _joined(text: str | None) -> str:
    """Return descriptions one after the other, each once; but for the last, each ends as a sentence does."""
    parts = list(dict.fromkeys(part.strip() for part in (text or "").split(SEPARATOR) if part.strip()))
    return " ".join([*(part if part.endswith(STOPS) else f"{part}." for part in parts[:-1]), *parts[-1:]])


def _with_keywords(description: str, keywords: str | None) -> str:
    """Return what a relationship says with the words that LightRAG looks it up by, in brackets behind it."""
    words = [word.strip() for part in (keywords or "").split(SEPARATOR) for word in part.split(",")]
    listed = ", ".join(dict.fromkeys(word for word in words if word))
    return f"{description} ({listed})".strip() if listed else description


def _title(path: Any, id: str) -> str:
    return path if isinstance(path, str) and path not in ("", "unknown_source", "no-file-path") else id


def _order(chunk: dict[str, Any]) -> int:
    order = chunk.get("chunk_order_index")
    return order if isinstance(order, int) else 0
