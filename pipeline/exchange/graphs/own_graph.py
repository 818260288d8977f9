"""Reads a graph that somebody brings: a GraphML file, or a folder with entities.csv and relationships.csv.

Such a graph has no texts. What it says of an entity becomes a document, so that answers have something to cite.
"""

import csv
import io
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import nan
from pathlib import Path

from pipeline.base.errors import InputError
from pipeline.documents.encoding import decode
from pipeline.exchange.graphs.graphml_reader import read_graphml
from pipeline.exchange.microsoft.folder import MicrosoftIndex, index_of, weight_of
from pipeline.text.lexicon.words import listed

ENTITIES, RELATIONSHIPS = "entities.csv", "relationships.csv"
_TITLE = ("title", "name", "label", "entity_id", "id")
_TYPE = ("type", "entity_type", "category", "kind", "labels")
_DESCRIPTION = ("description", "text", "summary")
_RELATION = ("relation", "relationship", "relation_type", "predicate", "label", "type", "name")
_SOURCE, _TARGET, _WEIGHT = ("source", "from", "start"), ("target", "to", "end"), ("weight", "strength")
_NOT_SAID = listed(
    "id aliases x y z size width height r g b color colour degree combined_degree frequency community communities chunk_ids "
    "text_unit_ids source_id file_path human_readable_id"
)
"""Attributes that say where a node is drawn or counted, and nothing of what it stands for."""
_DELIMITERS = ",;\t|"

Row = Mapping[str, str]


def read_graph(path: Path) -> MicrosoftIndex:
    """Return the graph in a GraphML file, or in a folder that holds one or the two CSV files; InputError otherwise.

    Columns and attributes are known by their usual names, in any case: title, type, description of an entity; source, target,
    description or relation, weight of a relationship. What else a row says is added to its description. Relationships of one
    pair become one, with all that they say and the sum of their weights.
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
            if source != target
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
        titles = [_value(row, _TITLE) for row in nodes]
        return _graph(zip(titles, nodes, strict=True), _ends(_rows(path / RELATIONSHIPS), _ids(titles, nodes)))
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
    text = text.lstrip("\r\n")
    head = text.partition("\n")[0]
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(_DELIMITERS, key=head.count))
    try:
        return [{(name or "").strip().lower(): value or "" for name, value in row.items() if name} for row in rows]
    except csv.Error as error:
        raise InputError(
            f"{path}, line {rows.line_num + 1}: {error}",
            "its rows cannot be read",
            "check the quotes and the length of its fields",
        ) from error


def _ids(titles: Sequence[str], rows: Sequence[Row]) -> dict[str, str]:
    """Return the titles by the ids of their rows, for relationships that name the ids."""
    return {row["id"]: title for title, row in zip(titles, rows, strict=True) if row.get("id")} | dict(
        zip(titles, titles, strict=True)
    )


def _ends(rows: Sequence[Row], title_of: Mapping[str, str]) -> list[tuple[str, str, Row]]:
    written = [(_value(row, _SOURCE), _value(row, _TARGET), row) for row in rows]
    found = [(title_of.get(source, source), title_of.get(target, target), row) for source, target, row in written]
    if rows and not any(source and target for source, target, _ in found):
        raise InputError(
            f"{RELATIONSHIPS} has the columns {', '.join(rows[0])}",
            "the ends of a relationship are expected in columns source and target",
            "rename its columns",
        )
    return found


def _graph(nodes: Iterable[tuple[str, Row]], ends: Sequence[tuple[str, str, Row]]) -> tuple[Entities, Edges]:
    entities: Entities = {}
    for name, row in nodes:
        if title := name.strip():
            type, description = entities.get(title, ("", ""))
            said = _said(_value(row, _DESCRIPTION), row, _TITLE + _TYPE + _DESCRIPTION)
            entities[title] = type or _value(row, _TYPE).strip(": "), _joined(description, said)
    edges: Edges = {}
    for one, other, row in ends:
        source, target = one.strip(), other.strip()
        if source and target:
            for end in (source, target):
                entities.setdefault(end, ("", ""))
            before, weight = edges.get((source, target), ("", 0.0))
            said = _joined(before, _relation(source, target, row))
            edges[source, target] = said, weight + _weight(_value(row, _WEIGHT))
    if not entities:
        raise InputError("the graph names no entity", "there is nothing to import", "give each entity a title")
    return entities, edges


def _joined(before: str, said: str) -> str:
    """Return the lines of two descriptions, each once."""
    return "\n".join(dict.fromkeys([*before.splitlines(), *said.splitlines()]))


def _relation(source: str, target: str, row: Row) -> str:
    """What a relationship says: a sentence of its ends and the name of their relation, and its description."""
    relation = _value(row, _RELATION).replace("_", " ").strip()
    relation = relation.lower() if relation.isupper() else relation
    said = _joined(f"{source} {relation} {target}." if relation else "", _value(row, _DESCRIPTION))
    return _said(said, row, _SOURCE + _TARGET + _WEIGHT + _DESCRIPTION + _RELATION)


def _said(description: str, row: Row, known: Collection[str]) -> str:
    """Return a description with what else its row says, a line each."""
    left_out = _NOT_SAID.union(known)
    others = {name.strip(): value.strip() for name, value in row.items() if name.lower() not in left_out}
    return "\n".join(
        filter(None, (description, *(f"{name}: {value}" for name, value in others.items() if name and value)))
    )


def _texts(entities: Entities, edges: Edges) -> dict[str, str]:
    """What is known of each entity, a paragraph each: its description, then its relationships."""
    parts: dict[str, list[str]] = defaultdict(list)
    for title, (_, description) in entities.items():
        parts[title].append(description or title)
    for (source, target), (description, _) in sorted(edges.items()):
        parts[source].append(f"{source} - {target}: {description}" if description else f"{source} - {target}")
    return {title: "\n\n".join(some) for title, some in parts.items()}


def _value(row: Row, names: Sequence[str]) -> str:
    folded = {name.lower(): value for name, value in row.items()}
    return next((folded[name] for name in names if folded.get(name)), "")


def _weight(text: str) -> float:
    """Return what a row adds to the weight of its pair: 1 where it gives none; not a number, which the import reports, where that
    is none above 0."""
    return weight_of(text) or nan if text else 1.0
