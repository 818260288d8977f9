"""Entities, relationships and claims of Microsoft GraphRAG as mentions and claims of ours.

The folder holds what its indexer had merged, not the mentions; these are made up anew, one for each text unit that a row
names, so that frequencies and weights can be counted from them. A row's description is with its first mention; its
weight is shared out among all.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import pyarrow as pa

from pipeline.base.arrow.columns import rows_of
from pipeline.base.ids import content_id
from pipeline.base.schema import CLAIMS, ENTITY_MENTIONS, RELATIONSHIP_MENTIONS
from pipeline.exchange.microsoft.folder import MicrosoftIndex
from pipeline.exchange.microsoft.import_report import ImportLog
from pipeline.graph.merge import fold_title
from pipeline.text.dates import iso_date
from pipeline.text.quotes import locate

NONE = frozenset({"", "none", "null", "n/a", "unknown"})
"""How a claim says, folded, that it has no object or no date."""
STATUSES = ("TRUE", "FALSE", "SUSPECTED")

Mention = tuple[str, str, str, str]
Edge = tuple[str, str, str, str, float]


class Known(NamedTuple):
    """Titles of the vocabulary by folded form, and their types: under which other names an entity goes."""

    title: dict[str, str]
    type: dict[str, str]


def known_forms(vocabulary: pa.Table) -> Known:
    """Return the vocabulary by folded form; a title goes before another's form."""
    title: dict[str, str] = {}
    for name, forms in rows_of(vocabulary, "title", "forms"):
        for form in forms:
            title.setdefault(fold_title(form), name)
    names = vocabulary["title"].to_pylist()
    title |= {fold_title(name): name for name in names}
    types = zip(map(fold_title, names), vocabulary["type"].to_pylist(), strict=True)
    return Known(title, dict(types))


class Mentions:
    """Mentions as they are made up, under titles; two rows whose titles differ in case alone are one entity."""

    def __init__(self, index: MicrosoftIndex, chunk_of: Mapping[str, str], known: Known, log: ImportLog) -> None:
        self.known, self.log, self._chunk_of = known, log, chunk_of
        self.entities: list[Mention] = []
        self.edges: list[Edge] = []
        self.titles: dict[str, str] = {}
        """Folded title to the first spelling."""
        self._chunks: dict[str, list[str]] = {}
        self._waiting: dict[str, list[tuple[str, str, str]]] = {}
        """Title, type and description of entities that name no text unit, until something else mentions them."""
        self._add_entities(index)
        self._add_edges(index)

    def tables(self) -> tuple[pa.Table, pa.Table]:
        """Return the tables of mentions."""
        return ENTITY_MENTIONS.rows(self.entities), RELATIONSHIP_MENTIONS.rows(self.edges)

    def resolve(self, name: str) -> str | None:
        """Return the title of the entity that a name means, by its title or by a form that the vocabulary has of it."""
        folded = fold_title(name)
        if folded in self.titles:
            return self.titles[folded]
        return self.titles.get(fold_title(self.known.title.get(folded, "")))

    def mentioned(self, title: str) -> bool:
        """Whether some chunk mentions the entity."""
        return bool(self._chunks.get(fold_title(title)))

    def add(self, title: str, chunks: Sequence[str], type: str = "", description: str = "") -> None:
        """Enter an entity as mentioned in some chunks; without any, as waiting until something else mentions it."""
        folded = fold_title(title)
        self.titles.setdefault(folded, " ".join(title.split()))
        known = self._chunks.setdefault(folded, [])
        waiting = self._waiting.setdefault(folded, [])
        waiting.append((title, type, " ".join(description.split())))
        chunks = chunks or known[:1]
        known.extend(chunks)
        if chunks:
            self.entities += [(chunks[0], *mention) for mention in waiting]
            self.entities += [(chunk, title, type, "") for chunk in chunks[1:]]
            waiting.clear()

    def add_named(self, title: str, chunks: Sequence[str]) -> None:
        """Enter an entity that only relationships or claims mention."""
        folded = fold_title(title)
        self.add(title, chunks, "" if self._waiting.get(folded) else self.known.type.get(folded, ""))

    def chunks(self, units: Iterable[str] | None) -> list[str]:
        """Return the chunks of text units; one that is not there is counted."""
        wanted = list(units or ())
        found = [self._chunk_of[unit] for unit in wanted if unit in self._chunk_of]
        self.log.count("references to text units that are not there", len(wanted) - len(found))
        return list(dict.fromkeys(found))

    def _add_entities(self, index: MicrosoftIndex) -> None:
        for id, title, type, description, units in rows_of(
            index["entities"], "id", "title", "type", "description", "text_unit_ids"
        ):
            if not fold_title(title or ""):
                self.log.skip(f"entity {id}", "entities without a title: left out")
                continue
            if fold_title(title) in self.titles:
                self.log.skip(title, "entities of a title that another row has, too: merged")
            self.add(title, self.chunks(units), type or "", description or "")

    def _add_edges(self, index: MicrosoftIndex) -> None:
        pairs: set[tuple[str, str]] = set()
        columns = ("source", "target", "description", "weight", "text_unit_ids")
        for source, target, description, weight, units in rows_of(index["relationships"], *columns):
            ends = [fold_title(end or "") for end in (source, target)]
            item = f"{source} - {target}"
            if not all(ends) or ends[0] == ends[1]:
                self.log.skip(item, "relationships without two ends: left out")
                continue
            chunks = self.chunks(units) or self._shared(*ends)
            if not chunks:
                self.log.skip(item, "relationships that no text unit mentions: left out")
                continue
            for end in (source, target):
                if not self.mentioned(end):
                    self.log.skip(end, "entities that only relationships mention: they belong to the chunks of these")
                    self.add_named(end, chunks)
            pair = (min(ends), max(ends))
            if pair in pairs:
                self.log.count("relationships of a pair that another row has, too: merged")
            pairs.add(pair)
            self._add_edge(source, target, description or "", self._weight(weight, item), chunks)

    def _add_edge(self, source: str, target: str, description: str, weight: float, chunks: Sequence[str]) -> None:
        for position, chunk in enumerate(chunks):
            text = "" if position else " ".join(description.split())
            self.edges.append((chunk, source, target, text, weight / len(chunks)))

    def _weight(self, weight: float | None, item: str) -> float:
        if weight is not None and math.isfinite(weight) and weight > 0:
            return weight
        self.log.skip(item, "relationships whose weight is no number above 0: given weight 1")
        return 1.0

    def _shared(self, source: str, target: str) -> list[str]:
        """Return the chunks that mention both ends."""
        there = set(self._chunks.get(target, ()))
        return [chunk for chunk in dict.fromkeys(self._chunks.get(source, ())) if chunk in there]

    def drop_unmentioned(self) -> None:
        """Report entities that no text unit mentions: a row of ours rests on a chunk."""
        for folded, chunks in self._chunks.items():
            if not chunks:
                self.log.skip(self.titles.pop(folded), "entities that no text unit mentions: left out")


Claim = tuple[str, str, str, str | None, str, str, str, str | None, str | None, str, int | None, int | None]
"""Microsoft's id, then the columns of our claims but for the id."""


def read_claims(index: MicrosoftIndex, mentions: Mentions, texts: Mapping[str, str]) -> list[Claim]:
    """Return the claims; their subjects become entities where they are none yet. ``texts`` are those of the chunks."""
    log = mentions.log
    rows: list[Claim] = []
    columns = ("id", "subject_id", "object_id", "type", "status", "description", "start_date", "end_date")
    for own, subject, other, type, status, said, *dates, quote, unit in rows_of(
        index["covariates"], *columns, "source_text", "text_unit_id"
    ):
        chunks = mentions.chunks([unit] if unit else [])
        said, quote = " ".join((said or "").split()), quote or ""
        if not chunks or not said or fold_title(subject or "") in NONE:
            log.skip(f"claim {own}", "claims without a subject, a text unit, or anything they say: left out")
            continue
        about = mentions.resolve(subject) or subject
        if not mentions.mentioned(about):
            log.skip(about, "entities that only claims mention: they belong to the chunks of these")
            mentions.add_named(about, chunks)
        start, end = locate(quote, texts[chunks[0]]) or (None, None)
        log.count("claims whose quote is not in their text unit: kept, without a span", start is None)
        begins, ends = (_date(date, log) for date in dates)
        object = _object(other, chunks, mentions)
        rows.append(
            (own, chunks[0], about, object, type or "", _status(status, log), said, begins, ends, quote, start, end)
        )
    return rows


def claims_table(claims: Sequence[Claim], chosen: Mapping[str, str], log: ImportLog) -> tuple[pa.Table, dict[str, str]]:
    """Return the claims under the titles that merging chose, given by folded name, and for each of Microsoft's ids the row it became.

    Claims that are the same in every word are one row.
    """
    rows: dict[str, tuple[object, ...]] = {}
    id_of: dict[str, str] = {}
    for own, chunk, subject, other, type, status, said, begins, ends, quote, start, end in claims:
        about, other = chosen[fold_title(subject)], other and chosen[fold_title(other)]
        id = id_of[own] = content_id("claim", chunk, about, other, said, quote)
        rows.setdefault(id, (id, chunk, about, other, type, status, said, begins, ends, quote, start, end))
    log.count("claims that say the same of the same: one row", len(claims) - len(rows))
    return CLAIMS.rows(rows.values()), id_of


def _object(name: str | None, chunks: Sequence[str], mentions: Mentions) -> str | None:
    if fold_title(name or "") in NONE:
        return None
    found = mentions.resolve(name or "")
    mentions.log.count("claims whose object is no entity: kept, without it", found is None)
    if found is not None and not mentions.mentioned(found):
        mentions.add_named(found, chunks)
    return found


def _status(status: str | None, log: ImportLog) -> str:
    known = (status or "").strip().upper()
    if known in STATUSES:
        return known
    log.count("claims of no known status: SUSPECTED")
    return "SUSPECTED"


def _date(date: str | None, log: ImportLog) -> str | None:
    if fold_title(date or "") in NONE:
        return None
    found = iso_date(date or "")
    log.count("dates of claims that are none: left out", found is None)
    return found
