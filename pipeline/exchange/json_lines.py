"""All tables as JSON Lines, one file a table, and the graph as one node-link file, for programs that read no Parquet."""

from pathlib import Path
from typing import Any

from pipeline.base.storage.json_line import line
from pipeline.base.store import Generation
from pipeline.exchange.folder import Exported, prepare, writing
from pipeline.exchange.graphml import community_paths

GRAPH = "graph.json"


def export_json(generation: Generation, folder: Path, force: bool = False) -> Exported:
    """Write TABLE.jsonl for every table, and graph.json (nodes and links, as networkx and D3 read them)."""
    prepare(folder, force)
    exported = Exported(folder)
    for name in generation.manifest.tables:
        rows = 0
        with writing(folder, f"{name}.jsonl") as path, path.open("w", encoding="utf-8", newline="") as file:
            for batch in generation.rows(name).batches():
                file.writelines(f"{line(row)}\n" for row in batch.to_pylist())
                rows += batch.num_rows
        exported.counts[name] = rows
    with writing(folder, GRAPH) as path, path.open("w", encoding="utf-8", newline="") as file:
        file.write(line(_graph(generation)) + "\n")
    return exported


def _graph(generation: Generation) -> dict[str, Any]:
    """Return the graph in node-link form; nodes are known by their titles."""
    nodes = [
        {"id": row.pop("title"), "row_id": row.pop("id"), **row} for row in generation.table("entities").to_pylist()
    ]
    links = generation.table("relationships").to_pylist()
    paths = community_paths(generation)
    nodes = [{**node, "communities": paths.get(node["row_id"], [])} for node in nodes]
    return {"directed": False, "multigraph": False, "graph": {}, "nodes": nodes, "links": links}
