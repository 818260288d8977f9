"""CSV files for neo4j-admin database import, with the command to run, and a Cypher script for afterwards.

A spreadsheet runs a cell that begins with = + - @, a tab or a line end as a formula, quoted or not; an apostrophe before
it prevents that. Cells that got one are named in the node's or relationship's property ``guarded``, and the Cypher script
takes it away again, so that the database holds the values as they are. The script may be run any number of times.
"""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline.base.store import Generation
from pipeline.exchange.folder import Exported, prepare, write_text, writing
from pipeline.graph.property_graph import EDGES, NODES, TEXT, TEXTS, Edge, NodeKind, constraints

BETWEEN = "\x1f"
"""Separates the items of a list: the unit separator, which no text holds on purpose."""
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_REPLACED = str.maketrans({"\0": "\ufffd", BETWEEN: "\ufffd"})
BUFFER = 4 << 20
"""Bytes of a cell that neo4j-admin reads by default."""
SCRIPT, COMMAND = "after_import.cypher", "import.sh"


@dataclass
class _Cells:
    """Writes cells, and notes what they need: guards by column, characters replaced, the longest cell in bytes."""

    guarded: set[tuple[str, str, str]] = field(default_factory=set)
    """Label or type, property, and its kind."""
    replaced: int = 0
    longest: int = 0

    def row(self, of: str, properties: Sequence[tuple[str, str]], values: Sequence[Any]) -> str:
        """Return the cells of a row, ``guarded`` last."""
        names = []
        cells = []
        for (name, type), value in zip(properties, values, strict=True):
            text = self._text(type, value)
            guarded = _guarded(text, name) if text is not None and type in (TEXT, TEXTS) else text
            if guarded != text:
                names.append(name)
                self.guarded.add((of, name, type))
            cells.append(_cell(type, guarded))
        return ",".join([*cells, _cell(TEXTS, BETWEEN.join(names) if names else None)])

    def ends(self, ids: Sequence[str]) -> str:
        """Return the cells of a relationship's ends: they read as the ids of the nodes do."""
        return ",".join(_cell(TEXT, _guarded(self._text(TEXT, id) or "", "id")) for id in ids)

    def _text(self, type: str, value: Any) -> str | None:
        if value is None or (type == TEXTS and not value):
            return None
        if type not in (TEXT, TEXTS):
            return repr(value)
        parts = [value] if type == TEXT else list(value)
        self.replaced += sum(part.count("\0") + part.count(BETWEEN) for part in parts)
        text = BETWEEN.join(part.translate(_REPLACED) for part in parts)
        self.longest = max(self.longest, 2 * len(text) if text.isascii() else 2 * len(text.encode("utf-8")))
        return text


def _guarded(text: str, name: str) -> str:
    """Return a cell with an apostrophe where it needs one. An id that begins with one gets another, so that no two
    ids become the same."""
    return f"'{text}" if text.startswith(FORMULA) or (name == "id" and text.startswith("'")) else text


def _cell(type: str, text: str | None) -> str:
    """Return a cell; none at all is null, and differs from the empty text."""
    if text is None:
        return ""
    return '"' + text.replace('"', '""') + '"' if type in (TEXT, TEXTS) else text


def export_neo4j(generation: Generation, folder: Path, force: bool = False) -> Exported:
    """Write a CSV file for every label and type, import.sh with the command, and after_import.cypher."""
    prepare(folder, force)
    cells = _Cells()
    exported = Exported(folder)
    for node in NODES:
        exported.counts[node.label] = _write(folder, node_file(node), _node_lines(node, generation, cells))
    for edge in EDGES:
        exported.counts[edge.type] = _write(folder, edge_file(edge), _edge_lines(edge, generation, cells))
    write_text(folder, SCRIPT, script(cells.guarded))
    write_text(folder, COMMAND, command(cells.longest))
    if cells.replaced:
        exported.notes.append(f"{cells.replaced} characters NUL or unit separator: replaced by U+FFFD")
    if cells.guarded:
        exported.notes.append(f"cells that a spreadsheet would run as formulas have an apostrophe; {SCRIPT} removes it")
    exported.notes.append(f"to import: sh {folder / COMMAND} DATABASE")
    return exported


def node_file(node: NodeKind) -> str:
    """Return the name of a label's file."""
    return f"nodes_{node.label}.csv"


def edge_file(edge: Edge) -> str:
    """Return the name of a relationship type's file."""
    return f"edges_{edge.type}.csv"


def _write(folder: Path, name: str, lines: Iterator[str]) -> int:
    """Write a header and rows; return the number of rows."""
    count = -1
    with writing(folder, name) as path, path.open("w", encoding="utf-8", newline="") as file:
        for count, text in enumerate(lines):  # noqa: B007
            file.write(text + "\n")
    return count


def _node_lines(node: NodeKind, generation: Generation, cells: _Cells) -> Iterator[str]:
    (id, _), *rest = node.properties
    header = [f"{id}:ID({node.label})", *(f"{name}:{type}" for name, type in rest), f"guarded:{TEXTS}", ":LABEL"]
    yield ",".join(header)
    for row in node.rows(generation):
        yield f"{cells.row(node.label, node.properties, row)},{node.label}"


def _edge_lines(edge: Edge, generation: Generation, cells: _Cells) -> Iterator[str]:
    header = [f":START_ID({edge.start})", f":END_ID({edge.end})", *(f"{name}:{type}" for name, type in edge.properties)]
    yield ",".join([*header, f"guarded:{TEXTS}", ":TYPE"])
    for row in edge.rows(generation):
        yield f"{cells.ends(row[:2])},{cells.row(edge.type, edge.properties, row[2:])},{edge.type}"


def script(guarded: set[tuple[str, str, str]]) -> str:
    """Return the Cypher to run after the import: constraints, and the removal of guards."""
    lines = ["// Run after the import: cypher-shell -f after_import.cypher. It may be run any number of times."]
    lines += [f"{statement};" for statement in constraints()]
    labels = {node.label for node in NODES}
    for of, name, type in sorted(guarded):
        pattern = f"(n:{of})" if of in labels else f"()-[n:{of}]->()"
        value = f"substring(n.{name}, 1)" if type == TEXT else f"[substring(n.{name}[0], 1)] + n.{name}[1..]"
        lines.append(
            f"MATCH {pattern} WHERE '{name}' IN n.guarded "
            f"SET n.{name} = {value}, n.guarded = [g IN n.guarded WHERE g <> '{name}'];"
        )
    for pattern in sorted({f"(n:{of})" if of in labels else f"()-[n:{of}]->()" for of, _, _ in guarded}):
        lines.append(f"MATCH {pattern} WHERE size(n.guarded) = 0 REMOVE n.guarded;")
    return "\n".join(lines) + "\n"


def command(longest: int) -> str:
    """Return the shell script that imports the files into a new database; ``longest`` is that of a cell, in bytes."""
    lines = [
        "#!/bin/sh",
        "# Imports these files into a new, empty Neo4j 5 database (its name as the first argument; neo4j by default).",
        "# The database must not be running. Afterwards start it and run: cypher-shell -d DATABASE -f after_import.cypher",
        'cd "$(dirname "$0")" || exit 1',
        "exec neo4j-admin database import full \\",
    ]
    lines += [f"  --nodes={shlex.quote(node_file(node))} \\" for node in NODES]
    lines += [f"  --relationships={shlex.quote(edge_file(edge))} \\" for edge in EDGES]
    lines.append("  --array-delimiter=U+001F --multiline-fields=true --id-type=string \\")
    if longest > BUFFER:
        lines.append(f"  --read-buffer-size={longest + BUFFER} \\")
    return "\n".join([*lines, '  "${1:-neo4j}"', ""])
