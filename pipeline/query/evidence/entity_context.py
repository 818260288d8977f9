"""What is known of some entities, as one context: their records, the reports on them, the chunks that mention them."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array
from pipeline.base.arrow.columns import whole
from pipeline.base.settings import SearchSettings
from pipeline.base.store import Rows
from pipeline.base.tokens import Estimate
from pipeline.language.tasks.search.answer_from_passages import PassageShown
from pipeline.query.answer import Place
from pipeline.query.evidence.cited_context import Offered, fit, place_in, read_chunks, show_chunks
from pipeline.query.evidence.report_sources import ReportSources, report_text
from pipeline.retrieval.chunk_search import Hit, fuse
from pipeline.text.question.question import LinkedEntity

LOOKED_AT = 40
"""Chunks of one record in which the words are looked for that a sentence takes from it."""
ENTITY_SHARE, RELATIONSHIP_SHARE = 0.4, 0.4
"""Of the room for records; claims have the rest, and each what the one before it leaves. Entities come first because
without them the others have no subject; relationships have as much because they are what only the graph knows."""

TOKENS = Estimate()


class Record(NamedTuple):
    """A row as a prompt shows it, and how a sentence that cites it finds its passage."""

    letter: str
    key: str
    title: str
    text: str
    resolver: Callable[[str], Place | None]


@dataclass
class EntityContext:
    """What was gathered: passages as a prompt shows them, how many of each kind, and the chunks among them by id."""

    passages: list[PassageShown] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    chunk_ids: dict[str, str] = field(default_factory=dict)

    def add(self, kind: str, records: Sequence[Record], budget: float, offered: Offered) -> float:
        """Offer the records that fit, in their order, a long one passed over for shorter ones; return the tokens left."""
        lengths = TOKENS.counts([f"{record.title} {record.text}" for record in records])
        for record, length in zip(records, lengths, strict=True):
            if length > budget:
                continue
            budget -= length
            id = offered.offer(record.letter, record.key, record.resolver)
            self.passages.append(PassageShown(id, record.title, record.text))
            self.counts[kind] += 1
        return budget


def gather(
    found: Sequence[LinkedEntity],
    hits: Sequence[Hit],
    tables: Mapping[str, Rows],
    settings: SearchSettings,
    offered: Offered,
) -> EntityContext:
    """Gather a context of at most ``settings.context_tokens``, shared out as settings say; what one kind leaves the
    next may use: reports, entities, relationships, claims, and chunks last, since there is always more of them.
    """
    context = EntityContext()
    total = settings.context_tokens
    left = context.add("reports", _reports(found, tables), total * settings.report_share, offered)
    room = total * (1 - settings.chunk_share - settings.report_share) + left
    share = room * ENTITY_SHARE
    left = context.add("entities", _entities(found, tables), share, offered)
    left = context.add("relationships", _relationships(found, tables), room * RELATIONSHIP_SHARE + left, offered)
    rest = room * (1 - ENTITY_SHARE - RELATIONSHIP_SHARE) + left
    left = context.add("claims", _claims(found, tables), rest, offered)
    read = fit(read_chunks(_chunks(found, hits, tables), tables), total * settings.chunk_share + left)
    shown = show_chunks(read, offered)
    context.passages += shown
    context.counts["chunks"] = len(shown)
    context.chunk_ids = {chunk.id: passage.id for chunk, passage in zip(read, shown, strict=True)}
    return context


def _entities(found: Sequence[LinkedEntity], tables: Mapping[str, Rows]) -> list[Record]:
    rows = tables["entities"].by_id([one.id for one in found], ["title", "type", "description", "chunk_ids"])
    return [
        Record("e", one.id, f"{row['title']} ({row['type']})", row["description"], _among(row["chunk_ids"], tables))
        for one in found
        if (row := rows[one.id])["description"]
    ]


def _relationships(found: Sequence[LinkedEntity], tables: Mapping[str, Rows]) -> list[Record]:
    """Those between found entities first, then by weight: what binds the question's subjects goes before the rest."""
    titles = array(sorted({one.title for one in found}), pa.string())
    table = tables["relationships"].table(["id", "source", "target", "description", "weight", "chunk_ids"])
    source, target = pc.is_in(table["source"], value_set=titles), pc.is_in(table["target"], value_set=titles)
    known = set(titles.to_pylist())

    def order(row: dict[str, Any]) -> tuple[int, float, str]:
        return -((row["source"] in known) + (row["target"] in known)), -row["weight"], row["id"]

    rows = sorted(table.filter(pc.or_(source, target)).to_pylist(), key=order)
    return [
        Record(
            "r", row["id"], f"{row['source']} - {row['target']}", row["description"], _among(row["chunk_ids"], tables)
        )
        for row in rows
    ]


def _claims(found: Sequence[LinkedEntity], tables: Mapping[str, Rows]) -> list[Record]:
    order = {one.title: place for place, one in enumerate(found)}
    columns = ["id", "chunk_id", "subject", "object", "status", "description", "start", "end"]
    table = tables["claims"].table(columns)
    rows = table.filter(pc.is_in(table["subject"], value_set=array(sorted(order), pa.string()))).to_pylist()
    rows.sort(key=lambda row: (row["object"] not in order, order[row["subject"]], row["id"]))
    return [Record("a", row["id"], _claimed(row), row["description"], _quoted(row, tables)) for row in rows]


def _claimed(row: dict[str, Any]) -> str:
    names = f"{row['subject']}, {row['object']}" if row["object"] else row["subject"]
    return names if row["status"] == "TRUE" else f"{names} ({'denied' if row['status'] == 'FALSE' else 'left open'})"


def _reports(found: Sequence[LinkedEntity], tables: Mapping[str, Rows]) -> list[Record]:
    """The reports on the smallest communities of the found entities: those of most of them first, then by importance."""
    order = array([one.id for one in found], pa.string())
    communities = tables["communities"].table(["community", "level", "entity_ids"]).combine_chunks()
    smallest: dict[str, tuple[int, int]] = {}
    if communities.num_rows:
        members = whole(communities["entity_ids"])
        flat = pc.list_flatten(members)
        inside = pc.is_in(flat, value_set=order)
        rows = communities.take(pc.filter(pc.list_parent_indices(members), inside))
        for id, level, number in zip(
            pc.filter(flat, inside).to_pylist(), rows["level"].to_pylist(), rows["community"].to_pylist(), strict=True
        ):
            smallest[id] = max(smallest.get(id, (-1, -1)), (level, number))
    counts = Counter(number for _, number in smallest.values())
    sources = ReportSources(tables)
    rows = sorted(
        (sources.reports[number] for number in counts if number in sources.reports),
        key=lambda row: (-counts[row["community"]], -row["rank"], row["community"]),
    )
    return [Record("p", row["id"], row["title"], report_text(row), sources.of(row["community"])) for row in rows]


def _chunks(found: Sequence[LinkedEntity], hits: Sequence[Hit], tables: Mapping[str, Rows]) -> list[str]:
    """The chunks closest to the question and those that mention most of the entities, as one list."""
    rows = tables["entities"].by_id([one.id for one in found], ["chunk_ids"])
    counts = Counter(chunk for row in rows.values() for chunk in row["chunk_ids"])
    closest = {hit.chunk_id: rank for rank, hit in enumerate(hits)}
    order = sorted(counts, key=lambda id: (-counts[id], closest.get(id, len(closest)), id))[: len(hits) or LOOKED_AT]
    return [hit.chunk_id for hit in fuse([hits, [Hit(id, float(counts[id])) for id in order]])]


def _among(chunk_ids: Iterable[str], tables: Mapping[str, Rows]) -> Callable[[str], Place | None]:
    ids = list(chunk_ids)[:LOOKED_AT]

    def resolver(sentence: str) -> Place | None:
        rows = tables["chunks"].by_id(ids, ["text"])
        return place_in(sentence, [(id, rows[id]["text"]) for id in ids if id in rows])

    return resolver


def _quoted(row: dict[str, Any], tables: Mapping[str, Rows]) -> Callable[[str], Place | None]:
    if row["start"] is None:
        return _among([row["chunk_id"]], tables)
    return lambda _: Place(row["chunk_id"], row["start"], row["end"])
