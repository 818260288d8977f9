"""nano-graphrag as a product of the comparison: by ``GraphRAG(...).insert(texts)``, as its documentation uses it.

Its model functions are its own defaults, which go to the address that OPENAI_BASE_URL names; it has no setting for how
long it waits before it tries again.
"""

import importlib.metadata
import json
import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.rivals.driver import AT_ONCE, CHUNK, COMMUNITY, GLEANINGS, OVERLAP, drive


def prepare(folder: Path, url: str) -> None:
    """Do nothing: settings are arguments."""


def index(folder: Path, url: str) -> None:
    """Insert every text; the product leaves out those that it knows."""
    # Its tokenizer would download its ranks; a package that it depends on brings them along.
    home = next(iter(find_spec("litellm").submodule_search_locations))  # type: ignore[union-attr, arg-type]
    os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(Path(home, "litellm_core_utils", "tokenizers")))
    from nano_graphrag import GraphRAG  # type: ignore[import-not-found]

    rag = GraphRAG(
        working_dir=str(folder / "output"),
        chunk_token_size=CHUNK,
        chunk_overlap_token_size=OVERLAP,
        entity_extract_max_gleaning=GLEANINGS,
        max_graph_cluster_size=COMMUNITY,
        best_model_max_async=AT_ONCE,
        cheap_model_max_async=AT_ONCE,
        embedding_func_max_async=AT_ONCE,
    )
    rag.insert([path.read_text(encoding="utf-8-sig") for path in sorted((folder / "input").iterdir())])


def read(folder: Path, url: str) -> dict[str, Any]:
    """Count what the index holds."""
    import networkx

    path = folder / "output" / "graph_chunk_entity_relation.graphml"
    graph = networkx.read_graphml(path) if path.exists() else networkx.Graph()
    return {
        "version": importlib.metadata.version("nano-graphrag"),
        "chunks": _count(folder, "text_chunks"),
        "entities": graph.number_of_nodes(),
        "relationships": graph.number_of_edges(),
        "reports": _count(folder, "community_reports"),
        "entities_without_community": sum(not data.get("clusters") for _, data in graph.nodes(data=True)),
        "names": [name.strip('"') for name in graph],
    }


def _count(folder: Path, table: str) -> int:
    """Return the rows of a table; none where a run ended before it wrote it."""
    path = folder / "output" / f"kv_store_{table}.json"
    return len(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else 0


if __name__ == "__main__":
    drive(prepare=prepare, index=index, update=index, read=read)
