"""graphstrata as a product of the comparison: by its command, with a model for what the others ask one for.

No embedding model is named, which is its default: none of its searches reads vectors.
"""

import json
from pathlib import Path
from typing import Any

from benchmarks.rivals.driver import AT_ONCE, CHAT, CHUNK, COMMUNITY, GLEANINGS, OVERLAP, become, drive

ASKED = ("extract_graph", "glean_graph", "summarise_descriptions", "write_report")
"""Tasks that the model answers; atomic facts, which no other product has, are found without a model."""


def prepare(folder: Path, url: str) -> None:
    """Write settings; JSON is YAML."""
    chat = {"model": CHAT, "base_url": url, "concurrency": AT_ONCE, "price_in": 1, "price_out": 1}
    content = {
        "models": {"chat": chat},
        "tasks": {name: {"model": "chat"} for name in ASKED},
        "chunks": {"size": CHUNK, "overlap": OVERLAP},
        "extraction": {"max_gleanings": GLEANINGS},
        "claims": {"enabled": False},
        "communities": {"max_size": COMMUNITY},
    }
    (folder / "settings.yaml").write_text(json.dumps(content), encoding="utf-8")


def index(folder: Path, url: str) -> None:
    """Index."""
    become("pipeline", "index", "--root", str(folder), "--json")


def read(folder: Path, url: str) -> dict[str, Any]:
    """Count what the index holds."""
    from pipeline import __version__
    from pipeline.base.store import Store

    tables = Store(folder / "output").last()
    counts: dict[str, Any] = {"version": __version__}
    if tables is None:
        counted = ("chunks", "entities", "relationships", "reports", "entities_without_community")
        return {**counts, **dict.fromkeys(counted, 0), "names": []}
    entities = tables.table("entities", ["id", "title", "aliases"]).to_pylist()
    members = {id for row in tables.table("communities", ["entity_ids"]).to_pylist() for id in row["entity_ids"]}
    return {
        **counts,
        "chunks": tables.rows("chunks").num_rows,
        "entities": len(entities),
        "relationships": tables.rows("relationships").num_rows,
        "reports": tables.rows("community_reports").num_rows,
        "entities_without_community": sum(row["id"] not in members for row in entities),
        "names": [name for row in entities for name in (row["title"], *row["aliases"])],
    }


if __name__ == "__main__":
    drive(prepare=prepare, index=index, update=index, read=read)
