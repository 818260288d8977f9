"""The graph as GraphML (graphml.graphdrawing.org), for Gephi, yEd, Cytoscape and networkx: entities and relationships.

XML 1.0 forbids most control characters even when escaped; they are replaced by U+FFFD and counted. Rows are written as
they come, so memory does not grow with the file.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TextIO

from pipeline.base.arrow.columns import rows_of
from pipeline.base.store import Generation
from pipeline.exchange.folder import Exported, prepare, writing

FILE = "graph.graphml"
ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML 1.0 document may hold."""
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#9;"}
)
TYPES = {str: "string", int: "long", float: "double"}

NODE: dict[str, type] = {
    "label": str, "type": str, "aliases": str, "description": str, "frequency": int, "degree": int,
    "chunk_ids": str, "communities": str, "x": float, "y": float, "community": int,
}  # fmt: skip
"""Attributes of nodes. Lists are JSON; ``x`` and ``y`` are the place on the map, ``community`` is the one of level 0, for
colouring."""
EDGE: dict[str, type] = {"description": str, "weight": float, "combined_degree": int, "chunk_ids": str}


def export_graphml(generation: Generation, folder: Path, force: bool = False) -> Exported:
    """Write graph.graphml; node and edge ids are those of the tables."""
    prepare(folder, force)
    entities, relationships = generation.table("entities"), generation.table("relationships")
    paths, places = community_paths(generation), _places(generation)
    id_of = dict(rows_of(entities, "title", "id"))
    text = _XmlText()
    with writing(folder, FILE) as path, path.open("w", encoding="utf-8", newline="") as file:
        _head(file)
        names = ("id", "title", "type", "aliases", "description", "frequency", "degree", "chunk_ids")
        for id, title, type, aliases, *rest, chunks in rows_of(entities, *names):
            communities = paths.get(id, [])
            x, y = places.get(id, (None, None))
            values = [title, type, _json(aliases), *rest, _json(chunks), _json(communities), x, y, *communities[:1]]
            file.write(f'<node id="{text.of(id)}">{_data(text, "n", NODE, values)}</node>\n')
        columns = ("id", "source", "target", "description", "weight", "combined_degree", "chunk_ids")
        for id, source, target, *values, chunks in rows_of(relationships, *columns):
            ends = f'source="{text.of(id_of[source])}" target="{text.of(id_of[target])}"'
            data = _data(text, "e", EDGE, [*values, _json(chunks)])
            file.write(f'<edge id="{text.of(id)}" {ends}>{data}</edge>\n')
        file.write("</graph>\n</graphml>\n")
    counts = {"nodes": entities.num_rows, "edges": relationships.num_rows}
    notes = [f"{text.replaced} characters that XML forbids: replaced by U+FFFD"] if text.replaced else []
    return Exported(folder, counts, notes)


class _XmlText:
    """Escapes values, and counts the characters that had to be replaced."""

    def __init__(self) -> None:
        self.replaced = 0

    def of(self, value: object) -> str:
        """Return a value as it is written in XML, in an attribute or between tags."""
        text, count = ILLEGAL.subn("\ufffd", str(value))
        self.replaced += count
        return text.translate(_ESCAPES)


def _head(file: TextIO) -> None:
    file.write('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
    for letter, target, attributes in (("n", "node", NODE), ("e", "edge", EDGE)):
        for number, (name, type) in enumerate(attributes.items()):
            file.write(f'<key id="{letter}{number}" for="{target}" attr.name="{name}" attr.type="{TYPES[type]}"/>\n')
    file.write('<graph id="graphstrata" edgedefault="undirected">\n')


def _data(text: _XmlText, letter: str, attributes: Mapping[str, type], values: Sequence[object]) -> str:
    """Return the data of one node or edge; attributes beyond the values given, and those that are None, are left out."""
    numbered = enumerate(value for _, value in zip(attributes, values, strict=False))
    given = ((number, value) for number, value in numbered if value is not None)
    return "".join(f'<data key="{letter}{number}">{text.of(value)}</data>' for number, value in given)


def _json(values: Iterable[object]) -> str:
    return json.dumps(list(values), ensure_ascii=False)


def community_paths(generation: Generation) -> dict[str, list[int]]:
    """Return for each entity the numbers of its communities, from level 0 down."""
    paths: dict[str, list[int]] = {}
    rows = generation.values("communities", "level", "community", "entity_ids")
    for _, number, ids in sorted(rows, key=lambda row: row[:2]):
        for id in ids:
            paths.setdefault(id, []).append(number)
    return paths


def _places(generation: Generation) -> dict[str, tuple[float, float]]:
    """Return where the map draws each entity; empty for an index without a layout, as one that was imported."""
    if "layout" not in generation.manifest.tables:
        return {}
    rows = generation.values("layout", "entity", "x", "y")
    return {entity: (x, y) for entity, x, y in rows if entity is not None}
