"""Reads a graph that somebody brings: a GraphML file, or a folder with entities.csv and relationships.csv.

Such a graph has no texts. What it says of an entity becomes a document, so that answers have something to cite.
"""

import csv
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from pipeline.base.errors import InputError
from pipeline.documents.encoding import decode
from pipeline.exchange.graphs.graphml_reader import read_graphml
from pipeline.exchange.microsoft.folder import MicrosoftIndex, index_of

ENTITIES, RELATIONSHIPS = "entities.csv", "relationships.csv"
_TITLE = ("title", "name", "label", "entity_id", "id")
_TYPE = ("type", "entity_type", "category", "kind")
_DESCRIPTION = ("description", "text", "summary")
_SOURCE, _TARGET, _WEIGHT = ("source", "from", "start"), ("target", "to", "end"), ("weight", "strength")

Row = Mapping[str, str]


def read_graph(path: Path) -> MicrosoftIndex:
    """Return the graph in a GraphML file, or in a folder that holds one or the two CSV files; InputError otherwise.

    Columns and attributes are known by their usual names, in any case: title, type, description of an entity; source,
    target, description, weight of a relationship.
    """
    entities, edges = _read(path)
    text_of = _texts(entities, edges)
    units = {title: f"about {title}" for title in text_of}
    return index_of(
        path if path.is_dir() else path.parent,
        documents=[{"id": unit, "title": title, "text": text_of[title]} for title, unit in sorted(units.items())],
        text_units=[
            {"id": unit, "text": text_of[title], "document_id": unit, "human_readable_id": place}
            for place, (title, unit) in enumerate(sorted(units.items()))
        ],
        entities=[
            {"id": title, "title": title, "type": type, "description": description, "text_unit_ids": [units[title]]}
            for title, (type, description) in sorted(entities.items())
        ],
        relationships=[
            {
                "id": f"{source} - {target}",
                "source": source,
                "target": target,
                "description": description,
                "weight": weight,
                "text_unit_ids": [units[source]],
            }
            for (source, target), (description, weight) in sorted(edges.items())
        ],
    )


Entities = dict[str, tuple[str, str]]
Edges = dict[tuple[str, str], tuple[str, float]]


def _read(path: Path) -> tuple[Entities, Edges]:
    if path.is_dir() and not (path / ENTITIES).is_file():
        files = sorted(path.glob("*.graphml"))
        if len(files) != 1:
            raise InputError(
                f"{path} holds {len(files)} GraphML files and no {ENTITIES}",
                "a graph is one GraphML file, or entities.csv with relationships.csv",
                "name the file, or such a folder",
            )
        path = files[0]
    if path.is_dir():
        nodes = _rows(path / ENTITIES)
        return _graph([(_value(row, _TITLE), row) for row in nodes], _ends(_rows(path / RELATIONSHIPS)))
    if not path.is_file():
        raise InputError(f"there is no {path}", "there is no graph to import", "name a GraphML file or a folder")
    graph = read_graphml(path)
    title_of = {id: _value(values, _TITLE[:-1]) or id for id, values in graph.nodes.items()}
    ends = [
        (title_of.get(source, source), title_of.get(target, target), values) for source, target, values in graph.edges
    ]
    return _graph([(title_of[id], values) for id, values in graph.nodes.items()], ends)


def _rows(path: Path) -> list[Row]:
    try:
        text = decode(path.read_bytes()).text
    except OSError as error:
        raise InputError(
            f"{path} cannot be read: {error.strerror}", "relationships are in it", f"write it beside {ENTITIES}"
        ) from error
    rows = csv.DictReader(text.splitlines(keepends=True))
    return [{(name or "").strip().lower(): value or "" for name, value in row.items() if name} for row in rows]


def _ends(rows: Sequence[Row]) -> list[tuple[str, str, Row]]:
    found = [(_value(row, _SOURCE), _value(row, _TARGET), row) for row in rows]
    if rows and not any(source and target for source, target, _ in found):
        raise InputError(
            f"{RELATIONSHIPS} has the columns {', '.join(rows[0])}",
            "the ends of a relationship are expected in columns source and target",
            "rename its columns",
        )
    return found


def _graph(nodes: Sequence[tuple[str, Row]], ends: Sequence[tuple[str, str, Row]]) -> tuple[Entities, Edges]:
    entities = {title.strip(): (_value(row, _TYPE), _value(row, _DESCRIPTION)) for title, row in nodes if title.strip()}
    edges: Edges = {}
    for source, target, row in ends:
        pair = source.strip(), target.strip()
        if all(pair) and pair[0] != pair[1]:
            for end in pair:
                entities.setdefault(end, ("", ""))
            edges[pair] = (_value(row, _DESCRIPTION), _positive(_value(row, _WEIGHT)))
    if not entities:
        raise InputError("the graph names no entity", "there is nothing to import", "give each entity a title")
    return entities, edges


def _texts(entities: Entities, edges: Edges) -> dict[str, str]:
    """What is known of each entity, a sentence or a line each: its description, then its relationships."""
    lines: dict[str, list[str]] = defaultdict(list)
    for title, (_, description) in entities.items():
        lines[title].append(description or title)
    for (source, target), (description, _) in sorted(edges.items()):
        lines[source].append(f"{source} - {target}: {description}" if description else f"{source} - {target}")
    return {title: "\n\n".join(some) for title, some in lines.items()}


def _value(row: Row, names: Sequence[str]) -> str:
    folded = {name.lower(): value for name, value in row.items()}
    return next((folded[name] for name in names if folded.get(name)), "")


def _positive(text: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        return 1.0
    return weight if weight > 0 else 1.0
