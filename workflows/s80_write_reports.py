"""Stage 80: a report on each community, strictly bottom-up: parents are written from what their children's reports say."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow.compute as pc

from pipeline.base.ids import content_id
from pipeline.base.settings import ReportSettings
from pipeline.base.store import Rows
from pipeline.base.tables import CLAIMS, COMMUNITIES, COMMUNITY_REPORTS, ENTITIES, RELATIONSHIPS
from pipeline.base.tokens import Tokenizer
from pipeline.base.workflow import Notes, Parts, workflow
from pipeline.graph.contexts import ChildReports, Context, Elements, Kind, build_contexts, inner_degrees
from pipeline.graph.edges import IntArray
from pipeline.graph.frames import carried_hierarchy, edge_arrays
from pipeline.language.backend import Reply
from pipeline.language.desk import Desk
from pipeline.language.tasks.write_report import Community, Report, record_line, write_report, write_small_report
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


@workflow(
    reads=(COMMUNITIES, ENTITIES, RELATIONSHIPS, CLAIMS),
    settings="reports",
    asks=(write_report, write_small_report),
    writes=(COMMUNITY_REPORTS,),
)
def write_reports(
    communities: Rows,
    entities: Rows,
    relationships: Rows,
    claims: Rows,
    settings: ReportSettings,
    language: Desk,
    tokenizer: Tokenizer,
    notes: Notes,
) -> Parts:
    """Write level by level from the leaves; a level begins when every report below it is there."""
    shown = _Shown(communities, entities, relationships, claims, tokenizer)
    below: dict[int, Written] = {}
    rows: list[tuple[object, ...]] = []
    removed = 0
    for level in reversed(range(shown.n_levels)):
        children = shown.children(level, below)
        contexts = list(build_contexts(shown.elements(level), shown.labels[level], settings.context_tokens, children))
        below, lost = _write_level(shown, contexts, below, level, settings, language, tokenizer, len(shown.sizes))
        removed += lost
        rows += [written.row for written in below.values()]
    if removed:
        notes.tell(f"{removed} citations of records that were not offered: removed")
    yield COMMUNITY_REPORTS, COMMUNITY_REPORTS.rows(sorted(rows, key=lambda row: (row[2], row[1])))


def _write_level(
    shown: "_Shown",
    contexts: Sequence[Context],
    below: dict[int, Written],
    level: int,
    settings: ReportSettings,
    language: Desk,
    tokenizer: Tokenizer,
    total: int,
) -> tuple[dict[int, Written], int]:
    records = {context.community: shown.records(context, below) for context in contexts}
    asks = {number: Community(shown.ids[number], tuple(evidence)) for number, (evidence, _) in records.items()}
    small = [number for number in asks if shown.sizes[number] < settings.min_size]
    large = [number for number in asks if shown.sizes[number] >= settings.min_size]
    written: dict[int, Written] = {}
    removed = 0
    replies = [
        *zip(small, language.map(write_small_report, [asks[n] for n in small], total), strict=True),
        *zip(large, language.map(write_report, [asks[n] for n in large], total), strict=True),
    ]
    by_number = {context.community: context for context in contexts}
    for number, (_, reply) in replies:
        if isinstance(reply, Reply):
            report, lost = _resolved(reply.value, records[number][1])
            removed += lost
            written[number] = _row(shown.ids[number], by_number[number], level, report, reply.by, tokenizer)
    return written, removed


def _resolved(report: Report, rows: dict[str, str]) -> tuple[Report, int]:
    """Return the report with row ids in place of short ones, and how many citations named no record that was offered."""
    lost = 0
    findings = []
    for finding in report.findings:
        cited = [id.strip("[] ") for id in finding.citations]
        known = [rows[id] for id in dict.fromkeys(cited) if id in rows]
        lost += sum(id not in rows for id in cited)
        findings.append(finding.model_copy(update={"citations": known}))
    return report.model_copy(update={"findings": findings}), lost


def _row(id: str, context: Context, level: int, report: Report, by: str, tokenizer: Tokenizer) -> Written:
    content = _markdown(report)
    said = " ".join([report.summary, *(finding.explanation or finding.summary for finding in report.findings)])
    row_id = content_id("report", id, content)
    findings = [finding.model_dump() for finding in report.findings]
    row = (
        row_id,
        context.community,
        level,
        report.title,
        report.summary,
        findings,
        report.rating,
        report.rating_explanation,
        content,
        tokenizer.count(content),
        "offline" if by == "offline" else "model",
        context.edges_owned,
        context.edges_shown,
        context.children_used,
    )
    record = Record(row_id, report.title, " ".join(said.split()))
    return Written(row, record, tokenizer.count(_line(Kind.REPORT, record)), context.edges_shown)


def _markdown(report: Report) -> str:
    parts = [f"# {report.title}", report.summary]
    parts += [f"## {finding.summary}\n\n{finding.explanation}".rstrip() for finding in report.findings]
    return "\n\n".join(parts)


class _Shown:
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


def _line(kind: Kind, record: Record) -> str:
    return record_line(f"{LETTERS[kind]}000", record.title, record.text) + "\n"


def _tokens(kind: Kind, records: Iterable[Record], tokenizer: Tokenizer) -> IntArray:
    return np.array(tokenizer.counts([_line(kind, record) for record in records]), np.int64)
