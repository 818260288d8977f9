"""Checks of where texts come from: descriptions, facts and reports say what the rows say that they rest on."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.columns import rows_of
from pipeline.exchange.verify.check import Check, listed
from pipeline.exchange.verify.tables import Tables
from pipeline.graph.merge import (
    merge_entities,
    merge_relationships,
    names_to_entities,
    with_entity_titles,
)
from pipeline.text.keys import keys_in_order, keys_of
from pipeline.text.scripts import language_of, words_of
from pipeline.text.summary.findings import report_markdown

OWN_WORDS: Final = 0.75
"""Share of a fact's or description's content words that may be its writer's own: of 823 facts that a model wrote over four
interviews none has more than half."""
PARAPHRASED: Final = 0.9
"""The same for findings: of 1,430 that two models wrote nine in ten have at most 0.82; one that follows from no row has all."""
QUOTED: Final = 0.25
"""The same where sentences are quoted, without a model."""
FEW: Final = 4
"""Content words up to which a text is too short to be compared."""
HIGHEST_RANK: Final = 10.0
ALIKE: Final = "en"
"""Language by whose stems both sides are compared, whatever they are written in: a row may be in another than its text."""
WHOLE: Final = "texts of reports are nothing else"
CITED: Final = "findings cite rows"
SAID_BY_ROWS: Final = "findings follow from what they cite"

Words = frozenset[str]


def check_descriptions(tables: Tables) -> list[Check]:
    """What is said of an entity or a relationship is what its mentions say, joined, or in a summary of these where there are
    several; an entity's type is that of most of its mentions, or the one that a correction gives it."""
    entity_of = names_to_entities(tables["aliases"])
    order = tables["chunks"]["id"]
    entities = merge_entities(with_entity_titles(tables["entity_mentions"], ["title"], entity_of), order)
    edges = with_entity_titles(tables["relationship_mentions"], ["source", "target"], entity_of)
    relationships = merge_relationships(edges, entities["title"], order)
    wrong: list[str] = []
    for table, merged, keys in (
        ("entities", entities, ("title",)),
        ("relationships", relationships, ("source", "target")),
    ):
        said = dict(zip(_keys(merged, keys), merged["descriptions"].to_pylist(), strict=True))
        for key, text in zip(_keys(tables[table], keys), tables[table]["description"].to_pylist(), strict=True):
            texts = said.get(key, [])
            if text != " ".join(texts) and (
                len(texts) == 1 or not _within(text, map(_all_words, (*texts, *key)), OWN_WORDS)
            ):
                wrong.append(f"{' - '.join(key)!r}: {text[:80]!r} is in none of its mentions")
    looked_at = tables["entities"].num_rows + tables["relationships"].num_rows
    types = dict(rows_of(entities, "title", "type"))
    types |= {
        entity: type
        for entity, joined, type in rows_of(tables["aliases"], "entity", "joined", "type")
        if joined and type
    }
    others = [
        f"{title!r} is a {type}, by its mentions a {types[title]}"
        for title, type in rows_of(tables["entities"], "title", "type")
        if type != types.get(title, type)
    ]
    return [
        listed("descriptions follow from mentions", looked_at, wrong),
        listed("types follow from mentions", tables["entities"].num_rows, others),
    ]


def check_fact_texts(tables: Tables) -> Check:
    """A fact says what its chunks say, pronouns and short names as the names that they stand for."""
    texts = {id: f"{anchor} {text}" for id, anchor, text in rows_of(tables["chunks"], "id", "anchor", "text")}
    named: dict[str, set[str]] = {}
    for id, titles in rows_of(tables["sentences"], "chunk_id", "titles"):
        named.setdefault(id, set()).update(titles)

    @cache
    def words(id: str) -> Words:
        return _all_words(" ".join([texts.get(id, ""), *named.get(id, ())]))

    facts = tables["facts"].select(["text", "quote", "chunk_ids"]).to_pylist()
    wrong = (
        f"{row['text'][:100]!r} is said by none of its chunks"
        for row in facts
        if not _within(row["text"], map(words, row["chunk_ids"]), OWN_WORDS if row["quote"] is None else QUOTED)
    )
    return listed("facts follow from their chunks", len(facts), list(wrong))


def check_report_texts(tables: Tables) -> list[Check]:
    """A report's text is its title, summary and findings; its rank is between 0 and 10; each finding cites rows that say
    what it says."""
    reports = tables["community_reports"].to_pylist()
    said = _Said(tables)
    texts, uncited, unsaid, ranks, other = [], [], [], [], []
    n_findings = 0
    for row in reports:
        name = f"community {row['community']}"
        parts = [
            row["title"],
            row["summary"],
            *(text for f in row["findings"] for text in (f["summary"], f["explanation"])),
        ]
        if any(part not in row["full_content"] for part in parts if part):
            texts.append(f"{name}: its text is not that of its title, summary and findings")
        elif row["full_content"] != _markdown(row):
            other.append(f"{name}: its text has more, less or other parts than its title, summary and findings")
        if not 0 <= row["rank"] <= HIGHEST_RANK:
            ranks.append(f"{name}: rank {row['rank']:g}")
        for finding in row["findings"]:
            n_findings += 1
            shown = f"{name}: {finding['explanation'][:80]!r}"
            if not finding["citations"]:
                uncited.append(shown)
            elif not _within(
                f"{finding['summary']} {finding['explanation']}",
                map(said.words, finding["citations"]),
                QUOTED if row["written_by"] == "offline" else PARAPHRASED,
            ):
                unsaid.append(shown)
    return [
        listed("texts of reports are their findings", len(reports), texts),
        listed(WHOLE, len(reports), other),
        listed("ranks from 0 to 10", len(reports), ranks),
        listed(CITED, n_findings, uncited),
        listed(SAID_BY_ROWS, n_findings, unsaid),
    ]


def _markdown(row: Mapping[str, Any]) -> str:
    findings = ((one["summary"], one["explanation"]) for one in row["findings"])
    return report_markdown(row["title"], row["summary"], findings)


class _Said:
    """The words of every row that a report may cite."""

    def __init__(self, tables: Tables) -> None:
        entity_of = names_to_entities(tables["aliases"])
        mentions = with_entity_titles(tables["entity_mentions"], ["title"], entity_of)
        self._mentioned: dict[str, list[str]] = {}
        for title, text in zip(mentions["title"].to_pylist(), mentions["description"].to_pylist(), strict=True):
            self._mentioned.setdefault(title, []).append(text)
        self._rows: dict[str, tuple[str, dict[str, Any]]] = {}
        for table, columns in SAID.items():
            for row in tables[table].select(["id", *columns]).to_pylist():
                self._rows[row.pop("id")] = table, row
        self._words: dict[str, Words] = {}

    def words(self, id: str) -> Words:
        """Return the content words of a row; none of a row that is not there."""
        if id not in self._words:
            table, row = self._rows.get(id, ("", {}))
            texts = [value for value in row.values() if value]
            texts += self._mentioned.get(row["title"], []) if table == "entities" else []
            self._words[id] = frozenset().union(*map(_all_words, texts))
        return self._words[id]


SAID: Mapping[str, tuple[str, ...]] = {
    "entities": ("title", "description"),
    "relationships": ("source", "target", "description"),
    "claims": ("subject", "object", "description", "quote", "start_date", "end_date"),
    "community_reports": ("full_content",),
}
"""Tables that findings cite, and what of their rows a finding may say."""


def _keys(table: pa.Table, columns: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    return zip(*(pc.cast(table[column], pa.string()).to_pylist() for column in columns), strict=True)


def _within(text: str, sources: Iterable[Words], own: float) -> bool:
    """Return whether at most a share ``own`` of the content words of a text is not in the sources."""
    words = frozenset(keys_in_order(text, ALIKE, words_of(language_of(text)).function))
    left = set(words)
    for source in sources:
        left -= source
    return len(left) <= own * len(words) or (len(words) <= FEW and len(left) < len(words))


def _all_words(text: str) -> Words:
    """Return the stems of all words of a text; of scripts without spaces, pairs of characters."""
    return keys_of(text, ALIKE)
