"""Reads a graph from a GraphML file: nodes and edges with their attributes, in one pass and without entities of XML."""

from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers.expat import ExpatError

from pipeline.base.errors import InputError
from pipeline.documents.office.word_parts import Attributes, XmlReader, parse_xml

Values = dict[str, str]


@dataclass
class GraphFile:
    """Nodes by id, and edges as (source, target, attributes)."""

    nodes: dict[str, Values] = field(default_factory=dict)
    edges: list[tuple[str, str, Values]] = field(default_factory=list)


def read_graphml(path: Path) -> GraphFile:
    """Return the graph of a file; InputError where it is no GraphML. Attributes are texts under their names."""
    reader = _GraphReader()
    try:
        with path.open("rb") as file:
            parse_xml(file, reader)
    except (OSError, ExpatError) as error:
        raise InputError(
            f"{path} cannot be read: {error}", "it should be a GraphML file", "write it again, or name another file"
        ) from error
    if not reader.graph.nodes:
        raise InputError(f"{path} holds no node", "there is no graph to import", "name a GraphML file with nodes")
    return reader.graph


class _GraphReader(XmlReader):
    def __init__(self) -> None:
        self.graph = GraphFile()
        self._names: dict[str, str] = {}
        self._values: Values = {}
        self._key = ""
        self._text: list[str] = []

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "key":
            id = attributes.get("id", "")
            self._names[id] = attributes.get("attr.name", id)
        elif name == "node":
            self._values = self.graph.nodes.setdefault(attributes.get("id", ""), {})
        elif name == "edge":
            self._values = {}
            self.graph.edges.append((attributes.get("source", ""), attributes.get("target", ""), self._values))
        elif name == "data":
            self._key = self._names.get(attributes.get("key", ""), attributes.get("key", ""))
            self._text = []

    def end(self, name: str) -> None:
        if name == "data":
            self._values[self._key] = "".join(self._text).strip()
            self._key = ""

    def characters(self, text: str) -> None:
        if self._key:
            self._text.append(text)
