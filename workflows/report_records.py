"""What community reports are written from: every row as a record, formatted and counted once, under short ids."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow.compute as pc

from pipeline.base.store import Rows
from pipeline.base.tokens import Tokenizer
from pipeline.graph.contexts import ChildReports, Context, Elements, Kind, inner_degrees
from pipeline.graph.edges import IntArray
from pipeline.graph.frames import carried_hierarchy, edge_arrays
from pipeline.language.tasks.write_report import record_line
from pipeline.text.report import Evidence

LETTERS = {Kind.ENTITY: "e", Kind.RELATIONSHIP: "r", Kind.CLAIM: "c", Kind.REPORT: "p"}
NAMES = {Kind.ENTITY: "entity", Kind.RELATIONSHIP: "relationship", Kind.CLAIM: "claim", Kind.REPORT: "report"}


@dataclass(frozen=True)
class Record:
    """A row as reports show it: its id, a name, what it says."""

    id: str
    title: str
    text: str


@dataclass
class Written:
    """A report that was written, with what its parent needs to know of it."""

    row: tuple[object, ...]
    record: Record
    tokens: int
    edges_shown: int


class Shown:
    """All rows as reports show them, each formatted and counted once; and the labels of every level."""

    def __init__(
        self, communities: Rows, entities: Rows, relationships: Rows, claims: Rows, tokenizer: Tokenizer
    ) -> None:
        nodes, edges = entities.table(), relationships.table()
        self.records_of = {
            Kind.ENTITY: [Record(row["id"], row["title"], row["description"]) for row in nodes.to_pylist()],
            Kind.RELATIONSHIP: [
                Record(row["id"], f"{row['source']} - {row['target']}", row["description"]) for row in edges.to_pylist()
            ],
            Kind.CLAIM: [_claim(row) for row in claims.table().to_pylist()],
        }
        tokens = {kind: _tokens(kind, records, tokenizer) for kind, records in self.records_of.items()}
        self._source, self._target, _ = edge_arrays(nodes, edges)
        about = pc.index_in(claims.column("subject"), value_set=nodes["title"].combine_chunks())
        self._claimed: IntArray = about.to_numpy().astype(np.int64)
        self._tokens = tokens
        rows = communities.table(["id", "community", "level", "entity_ids", "size"])
        self.ids = dict(zip(rows["community"].to_pylist(), rows["id"].to_pylist(), strict=True))
        self.sizes = dict(zip(rows["community"].to_pylist(), rows["size"].to_pylist(), strict=True))
        hierarchy, moved = carried_hierarchy(rows, nodes["id"])
        self.labels = [labels[np.argsort(moved)] for labels in hierarchy.labels]

    @property
    def n_levels(self) -> int:
        return len(self.labels)

    def elements(self, level: int) -> Elements:
        """Return what reports of a level can show, edges ranked by the degrees that their ends have inside.

        Degrees are counted within the community: edges elsewhere in the graph then have no say in the order, and a
        context stays as it is when they change.
        """
        return Elements(
            self._tokens[Kind.ENTITY],
            self._source,
            self._target,
            self._tokens[Kind.RELATIONSHIP],
            inner_degrees(self._source, self._target, self.labels[level]),
            self._claimed,
            self._tokens[Kind.CLAIM],
        )

    def children(self, level: int, below: dict[int, Written]) -> ChildReports | None:
        """Return the reports one level down, or None at the lowest level."""
        if level + 1 == self.n_levels:
            return None
        numbers = sorted(below)
        return ChildReports(
            self.labels[level + 1],
            np.array(numbers, np.int64),
            np.array([below[number].tokens for number in numbers], np.int64),
            np.array([below[number].edges_shown for number in numbers], np.int64),
        )

    def records(self, context: Context, below: dict[int, Written]) -> tuple[list[Evidence], dict[str, str]]:
        """Return a context's records under short ids, and the row ids behind these."""
        evidence, rows = [], {}
        counts = dict.fromkeys(Kind, 0)
        for place, piece in enumerate(context.evidence):
            of_report = piece.kind is Kind.REPORT
            record = below[piece.row].record if of_report else self.records_of[piece.kind][piece.row]
            counts[piece.kind] += 1
            short = f"{LETTERS[piece.kind]}{counts[piece.kind]}"
            rows[short] = record.id
            rank = 1.0 - place / len(context.evidence)
            evidence.append(Evidence(short, NAMES[piece.kind], record.title, record.text, rank))  # type: ignore[arg-type]
        return evidence, rows


def _claim(row: dict[str, Any]) -> Record:
    about = f"{row['subject']} - {row['object']}" if row["object"] else row["subject"]
    status = "" if row["status"] == "TRUE" else f" ({row['status'].lower()})"
    return Record(row["id"], about, f"{row['description']}{status}")


def line(kind: Kind, record: Record) -> str:
    return record_line(f"{LETTERS[kind]}000", record.title, record.text) + "\n"


def _tokens(kind: Kind, records: Iterable[Record], tokenizer: Tokenizer) -> IntArray:
    return np.array(tokenizer.counts([line(kind, record) for record in records]), np.int64)
