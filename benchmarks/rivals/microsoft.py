"""Microsoft GraphRAG, version 2 or 3, as a product of the comparison: by its commands init, index and update."""

import importlib.metadata
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.rivals.driver import (
    AT_ONCE,
    CHAT,
    CHUNK,
    COMMUNITY,
    EMBEDDING,
    GLEANINGS,
    OVERLAP,
    VECTOR,
    become,
    drive,
)

WAIT = 1.1
"""Longest wait between tries, in seconds; the product takes none of one second and less."""


def prepare(folder: Path, url: str) -> None:
    """Let the product write its settings, and change in them what is agreed on."""
    import yaml

    command = [sys.executable, "-m", "graphrag", "init", "--root", str(folder)]
    # Version 3 asks for the names of its models: return takes its own.
    subprocess.run(command, input=b"\n\n", stdout=subprocess.DEVNULL, check=True)
    path = folder / "settings.yaml"
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    for section in ("models", "completion_models", "embedding_models"):
        for name, model in content.get(section, {}).items():
            model |= {"model": EMBEDDING if "embedding" in name else CHAT, "api_base": url, "api_key": "none"}
            if section == "models":
                model |= {"concurrent_requests": AT_ONCE, "max_retry_wait": WAIT, "encoding_model": "o200k_base"}
            else:
                model["retry"]["max_delay"] = WAIT
    if "models" not in content:
        content["concurrent_requests"] = AT_ONCE
        content["vector_store"]["vector_size"] = VECTOR
    content["chunking" if "chunking" in content else "chunks"] |= {
        "size": CHUNK,
        "overlap": OVERLAP,
        "encoding_model": "o200k_base",
    }
    content["extract_graph"]["max_gleanings"] = GLEANINGS
    content["extract_claims"]["enabled"] = False
    content["cluster_graph"]["max_cluster_size"] = COMMUNITY
    path.write_text(yaml.safe_dump(content), encoding="utf-8")


def index(folder: Path, url: str) -> None:
    """Index."""
    _offline()
    become("graphrag", "index", "--root", str(folder))


def update(folder: Path, url: str) -> None:
    """Take in what is new."""
    _offline()
    become("graphrag", "update", "--root", str(folder))


def _offline() -> None:
    """Point the tokenizer, and the price list of a library, to what lies in the environment: neither may download."""
    home = next(iter(find_spec("litellm").submodule_search_locations))  # type: ignore[union-attr, arg-type]
    os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(Path(home, "litellm_core_utils", "tokenizers")))
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"


def read(folder: Path, url: str) -> dict[str, Any]:
    """Count what the index holds."""
    names, members = _column(folder, "entities", "title"), _column(folder, "communities", "entity_ids")
    inside = {id for ids in members for id in ids}
    return {
        "version": importlib.metadata.version("graphrag"),
        "chunks": len(_column(folder, "text_units", "id")),
        "entities": len(names),
        "relationships": len(_column(folder, "relationships", "id")),
        "reports": len(_column(folder, "community_reports", "id")),
        "entities_without_community": sum(id not in inside for id in _column(folder, "entities", "id")),
        "names": names,
    }


def _column(folder: Path, table: str, column: str) -> list[Any]:
    """Return a column; an empty one where a run ended before it wrote the table."""
    import pandas

    path = folder / "output" / f"{table}.parquet"
    return list(pandas.read_parquet(path)[column]) if path.exists() else []


if __name__ == "__main__":
    drive(prepare=prepare, index=index, update=update, read=read)
