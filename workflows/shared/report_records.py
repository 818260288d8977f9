"""What community reports are written from: every row as a record, formatted and counted once, under short ids."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, partial
from typing import Any, Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array, scalar, to_numpy
from pipeline.base.arrow.columns import BoolArray, IntArray, codes_of, rows_of, run_starts, whole
from pipeline.base.settings import ReportSettings
from pipeline.base.store import Rows
from pipeline.base.tokens import Tokenizer
from pipeline.graph.contexts import (
    ChildReports,
    Context,
    Elements,
    Kind,
    inner_degrees,
    tokens_by_community,
)
from pipeline.graph.convert import carried_hierarchy, edge_arrays
from pipeline.graph.member_descriptions import said_of
from pipeline.graph.merge import names_to_entities, with_entity_titles
from pipeline.language.tasks.indexing.write_report import WrittenReport, record_line
from pipeline.text.answering.support import negates
from pipeline.text.extraction.claim_cues import is_hedged
from pipeline.text.scripts import language_of, tokens_of
from pipeline.text.summary.findings import finding_text
from pipeline.text.summary.report import Evidence

LETTERS: tuple[str, ...] = ("p", "e", "c", "r")
NAMES: tuple[Literal["report", "entity", "claim", "relationship"], ...] = ("report", "entity", "claim", "relationship")
"""By kind, in the order of ``Kind``."""
OWN_WORDS = 0.6
"""Ratio of equal words in the same order (difflib), 0 to 1, from which on a claim's description is its quote with names in place
of pronouns."""
NEARLY_ALL = 0.9
"""Share of a community's records, in tokens, from which on the report on the part that has them is the report on the whole."""
AT_ONCE = 8192
"""Records that are formatted at a time when their tokens are counted."""
CONTEXTS_AT_ONCE = 64
"""Contexts whose records are fetched at a time: one look-up a context took as long as the rest of its preparation."""


class ReportRecord(NamedTuple):
    """A row as reports show it: its id, a name, what it says."""

    id: str
    title: str
    text: str


@dataclass
class Written:
    """A report that was written, as a row of the table of reports, with what its parent may have to know of it."""

    row: tuple[object, ...]
    report: WrittenReport
    community: int
    by: str
    """By whom it was written: "offline", or a model."""
    edges_shown: int

    @cached_property
    def record(self) -> ReportRecord:
        """What its parent is shown of it, on one line; made on first use, since most parents have room for the rows themselves.
        Without a model, a finding's line is made of the words that explain it."""
        own = self.by == "offline"
        findings = (
            one.explanation if own else finding_text(one.summary, one.explanation) for one in self.report.findings
        )
        return ReportRecord(
            str(self.row[0]), self.report.title, " ".join(" ".join([self.report.summary, *findings]).split())
        )


@dataclass(frozen=True)
class Records:
    """All rows of one kind as reports show them: Arrow arrays, since a Python object each would be ten times as large."""

    ids: Any
    titles: Any
    texts: Any
    tokens: IntArray

    def of(self, rows: Sequence[int]) -> Iterator[tuple[str, str, str]]:
        """Return the records of some rows, as (id, title, text)."""
        some = array(rows, pa.int64())
        return zip(*(_values(column.take(some)) for column in (self.ids, self.titles, self.texts)), strict=True)


class Shown:
    """All rows as reports show them, each formatted and counted once a level; and the labels of every level."""

    def __init__(
        self,
        communities: Rows,
        entities: Rows,
        relationships: Rows,
        claims: Rows,
        entity_mentions: Rows,
        aliases: Rows,
        tokenizer: Tokenizer,
    ) -> None:
        nodes = entities.table(["id", "title"])
        edges = relationships.table(["source", "target", "weight", "chunk_ids"])
        self._tokenizer = tokenizer
        self._entities: Records | None = None
        self._nodes = whole(nodes["id"]), whole(nodes["title"])
        self._source, self._target, _ = edge_arrays(nodes, edges)
        said = ["chunk_id", "title", "description"]
        entity_of = names_to_entities(aliases.table(["name", "entity", "joined"]))
        mentions = with_entity_titles(entity_mentions.table(said, coded=said), ["title"], entity_of)
        self._said = said_of(nodes, edges, mentions, tokenizer.counts)
        pairs = whole(pc.binary_join_element_wise(edges["source"], edges["target"], scalar(" - ")))
        del edges
        ids = whole(relationships.column("id"))
        codes, texts = codes_of(relationships.table(["description"], coded=["description"])["description"])
        texts = pa.DictionaryArray.from_arrays(array(codes, pa.int32()), texts)
        claim_rows = claims.table(
            ["id", "subject", "object", "description", "status", "quote", "start_date", "end_date"]
        )
        about = pc.index_in(claim_rows["subject"], value_set=whole(nodes["title"]))
        self._claimed: IntArray = to_numpy(about).astype(np.int64)
        self._fixed = {
            Kind.RELATIONSHIP: self._records(Kind.RELATIONSHIP, ids, pairs, texts),
            Kind.CLAIM: self._records(Kind.CLAIM, claim_rows["id"], *_claims(claim_rows)),
        }
        rows = communities.table(["id", "community", "level", "entity_ids", "size"])
        self.ids = dict(zip(rows["community"].to_pylist(), rows["id"].to_pylist(), strict=True))
        self.sizes = dict(zip(rows["community"].to_pylist(), rows["size"].to_pylist(), strict=True))
        hierarchy, moved = carried_hierarchy(rows, nodes["id"])
        self.labels = [labels[np.argsort(moved)] for labels in hierarchy.labels]

    @property
    def n_levels(self) -> int:
        return len(self.labels)

    def level(self, level: int) -> "Level":
        """Return the rows as reports of one level show them: entities are described from inside their community."""
        labels = self.labels[level]
        texts = self._said.inside(self._source, self._target, labels)
        entities = self._entities = self._described(texts, labels >= 0)
        return Level(
            {Kind.ENTITY: entities, **self._fixed},
            Elements(
                entities.tokens,
                self._source,
                self._target,
                self._fixed[Kind.RELATIONSHIP].tokens,
                inner_degrees(self._source, self._target, labels),
                self._claimed,
                self._fixed[Kind.CLAIM].tokens,
            ),
            self._hubs(labels),
        )

    def _hubs(self, labels: IntArray) -> dict[int, str]:
        """Return for each community the title of the entity outside it that most of its members have a relationship with,
        where that is at least half of them: without it they may look like strangers."""
        ends = np.concatenate([self._source, self._target]), np.concatenate([self._target, self._source])
        crossing = (labels[ends[0]] >= 0) & (labels[ends[0]] != labels[ends[1]])
        n = max(len(labels), 1)
        hubs, members = np.divmod(np.unique((ends[1] * n + ends[0])[crossing]), n)
        pairs, counts = np.unique(labels[members] * n + hubs, return_counts=True)
        communities, hubs = np.divmod(pairs, n)
        enough = counts >= np.maximum(2, np.bincount(labels[labels >= 0])[communities] / 2)
        communities, hubs, counts = communities[enough], hubs[enough], counts[enough]
        best = np.lexsort((hubs, -counts, communities))
        best = best[run_starts(communities[best])]
        titles = self._nodes[1].take(array(hubs[best])).to_pylist()
        return dict(zip(communities[best].tolist(), titles, strict=True))

    def children(self, level: int, elements: Elements, budget: int, below: dict[int, Written]) -> ChildReports | None:
        """Return the reports one level down on parts of communities whose ``elements`` take more tokens than ``budget``, or
        None at the lowest level."""
        if level + 1 == self.n_levels:
            return None
        labels, inner = self.labels[level], self.labels[level + 1]
        exceeding = np.append(tokens_by_community(elements, labels) > budget, False)  # the last one for label -1
        numbers = [number for number in np.unique(inner[exceeding[labels]]).tolist() if number in below]
        records = [below[number].record for number in numbers]
        lines = [line(Kind.REPORT, record.title, record.text) for record in records]
        return ChildReports(
            inner,
            np.array(numbers, np.int64),
            np.array(self._tokenizer.counts(lines), np.int64),
            np.array([below[number].edges_shown for number in numbers], np.int64),
        )

    def heirs(self, level: int, elements: Elements) -> dict[int, int]:
        """Return for communities of a level the part, one level down, that has NEARLY_ALL of their records."""
        if level + 1 == self.n_levels:
            return {}
        labels, inner = self.labels[level], self.labels[level + 1]
        own, part = tokens_by_community(elements, labels), tokens_by_community(elements, inner)
        both, n = (inner >= 0) & (labels >= 0), int(labels.max(initial=0)) + 1
        parts, wholes = np.divmod(np.unique(inner[both] * n + labels[both]), n)
        has = part[parts] >= NEARLY_ALL * own[wholes]
        return dict(zip(wholes[has].tolist(), parts[has].tolist(), strict=True))

    def few(self, level: int, elements: Elements, settings: ReportSettings) -> set[int]:
        """Return the communities of a level whose records are read as fast as a report on them: few entities or tokens, or
        entities without a relationship to each other, what is left of a hub's neighbours."""
        labels = self.labels[level]
        tokens = tokens_by_community(elements, labels)
        tied = set(labels[self._source[labels[self._source] == labels[self._target]]].tolist())
        return {
            number
            for number in np.unique(labels[labels >= 0]).tolist()
            if self.sizes[number] < settings.min_size or tokens[number] < settings.min_tokens or number not in tied
        }

    def _described(self, texts: Any, wanted: BoolArray) -> Records:
        """Return the entities with these texts, counted where ``wanted``; the level before may have counted the same."""
        ids, titles = self._nodes
        tokens = np.zeros(len(ids), np.int64)
        if self._entities is not None:
            same = to_numpy(pc.equal(texts, self._entities.texts))
            tokens[same] = self._entities.tokens[same]
        rows = np.flatnonzero(wanted & (tokens == 0))
        some = (column.take(array(rows)) for column in (ids, titles, texts))
        tokens[rows] = self._counts(Kind.ENTITY, *some)
        return Records(ids, titles, texts, tokens)

    def _records(self, kind: Kind, ids: Any, titles: Any, texts: Any) -> Records:
        ids, titles, texts = whole(ids), whole(titles), whole(texts)
        return Records(ids, titles, texts, self._counts(kind, ids, titles, texts))

    def _counts(self, kind: Kind, *columns: Any) -> IntArray:
        """Return the tokens of each record (columns of id, title and text) on its line."""
        tokens: list[int] = []
        for start in range(0, len(columns[0]), AT_ONCE):
            some = zip(*(_values(column.slice(start, AT_ONCE)) for column in columns), strict=True)
            tokens += self._tokenizer.counts([line(kind, title, text) for _, title, text in some])
        return np.array(tokens, np.int64)


@dataclass(frozen=True)
class Level:
    """The rows as reports of one level show them. ``elements`` says what these can show, edges ranked by the degrees
    that their ends have inside the community: edges elsewhere in the graph then have no say in the order. ``hubs`` names
    what ties a community together from outside."""

    records: dict[Kind, Records]
    elements: Elements
    hubs: dict[int, str]

    def evidence(
        self, contexts: Sequence[Context], below: dict[int, Written]
    ) -> Iterator[tuple[Context, list[Evidence], dict[str, str]]]:
        """Yield each context with its records under short ids, and the row ids behind these."""
        for start in range(0, len(contexts), CONTEXTS_AT_ONCE):
            some = contexts[start : start + CONTEXTS_AT_ONCE]
            rows: tuple[list[int], ...] = tuple([] for _ in Kind)
            for context in some:
                for kind, row in context.evidence:
                    rows[kind].append(row)
            found = [self.records[kind].of(rows[kind]) if kind in self.records else iter(()) for kind in Kind]
            for context in some:
                yield context, *_shown(context, found, below)


def _shown(
    context: Context, found: Sequence[Iterator[tuple[str, str, str]]], below: dict[int, Written]
) -> tuple[list[Evidence], dict[str, str]]:
    """Return the evidence of a context under short ids, and the row ids behind these; ``found`` has the next records of
    each kind. A claim that two chunks make in the same words is shown once."""
    evidence, rows = [], {}
    counts = [0] * len(Kind)
    n = len(context.evidence)
    claimed = set()
    report, claim = Kind.REPORT, Kind.CLAIM  # a member of an enum takes long to name (Python 3.11)
    for place, (kind, row) in enumerate(context.evidence):
        id, title, text = below[row].record if kind is report else next(found[kind])
        if kind is claim:
            if text in claimed:
                continue
            claimed.add(text)
        counts[kind] += 1
        short = f"{LETTERS[kind]}{counts[kind]}"
        rows[short] = id
        evidence.append(_evidence((short, NAMES[kind], title, text, 1.0 - place / n)))
    return evidence, rows


_evidence: Callable[[tuple[object, ...]], Evidence] = partial(tuple.__new__, Evidence)
"""A named tuple of a tuple, in half the time that its own constructor takes."""


def _claims(claims: pa.Table) -> tuple[Any, Any]:
    """Return what claims are about, and what they say: with the words that say so where the status is not TRUE, and with their
    dates where these are not in the description."""
    about = pc.if_else(
        pc.equal(pc.fill_null(claims["object"], scalar("")), scalar("")),
        claims["subject"],
        pc.binary_join_element_wise(claims["subject"], pc.fill_null(claims["object"], scalar("")), scalar(" - ")),
    )
    reworded = pc.not_equal(claims["description"], pc.fill_null(claims["quote"], scalar("")))
    dated = pc.and_(pc.is_valid(claims["start_date"]), reworded)
    marked = pc.or_(pc.not_equal(claims["status"], scalar("TRUE")), dated)
    rows = rows_of(claims.filter(marked), "description", "status", "quote", "start_date", "end_date")
    texts = array(
        [with_dates(doubted(text, status, quote), quote, *dates) for text, status, quote, *dates in rows], pa.string()
    )
    return about, pc.replace_with_mask(whole(claims["description"]), whole(marked), texts)


def with_dates(description: str, quote: str | None, start: str | None, end: str | None) -> str:
    """Return a claim with its dates, unless it is in the text's own words, which say when as far as they do, or names the year."""
    own = " ".join(description.split()) in " ".join((quote or "").split())
    if not start or own or start[:4] in description:
        return description
    return f"{description} ({start})" if end in (None, start) else f"{description} ({start} to {end})"


def doubted(description: str, status: str, quote: str) -> str:
    """Return a claim, followed by the quote that denies or doubts it; the claim alone where its status is TRUE, there is no quote,
    or it repeats the quote with its denial or doubt."""
    if status == "TRUE" or not quote:
        return description
    says_so = negates(description, language_of(quote)) if status == "FALSE" else is_hedged(description)
    if says_so and SequenceMatcher(None, tokens_of(quote.lower()), tokens_of(description.lower())).ratio() >= OWN_WORDS:
        return description
    return f'{description} ({"denied" if status == "FALSE" else "left open"}: "{" ".join(quote.split())}")'


def _values(column: Any) -> list[Any]:
    """Return the texts of a column; a dictionary is fifty times as slow as the texts that it stands for."""
    plain = column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
    found: list[Any] = plain.to_pylist()
    return found


def line(kind: Kind, title: str, text: str) -> str:
    return record_line(f"{LETTERS[kind]}000", title, text) + "\n"
