"""Checks of single values: ids are the hashes that they are declared to be, words are among those declared, dates are dates,
lists name each row once, lengths in tokens are counted anew."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from pipeline.base.arrow.columns import codes_of, first_of, pairs, rows_of, texts
from pipeline.base.arrow.lists import members
from pipeline.base.errors import SettingsError
from pipeline.base.ids import content_id
from pipeline.base.schema import TABLES
from pipeline.base.table import Column
from pipeline.base.tokens import choose
from pipeline.exchange.verify.check import Check, checked, listed
from pipeline.exchange.verify.tables import Tables
from pipeline.text.dates import iso_date

LENGTHS = "lengths in tokens"
IDS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "chunks": ("", ("document_id", "position", "text")),
    "entities": ("entity", ("title",)),
    "relationships": ("relationship", ("source", "target")),
    "claims": ("claim", ("chunk_id", "subject", "object", "description", "quote")),
    "facts": ("fact", ("text",)),
    "key_elements": ("key element", ("title",)),
}
"""Of which columns an id is the hash, and which word comes before them. The ids of documents, communities and reports rest on more."""
ONCE = {("entities", "aliases"), ("key_elements", "aliases"), ("vocabulary", "forms")}
"""Lists, besides those that name rows, in which nothing is twice."""


def check_ids(tables: Tables) -> Check:
    """Every id is the hash of what its declaration says."""
    wrong: list[str] = []
    looked_at = faults = 0
    for name, hashed in _hashed(tables):
        odd = [id for id, allowed in hashed if id not in allowed]
        looked_at, faults = looked_at + tables[name].num_rows, faults + len(odd)
        wrong += [f"{name}: {id!r} is not the hash of its row" for id in odd[:3]]
    return checked("ids are hashes of their rows", looked_at, wrong, faults)


def _hashed(tables: Tables) -> Iterator[tuple[str, Iterator[tuple[str, tuple[str, ...]]]]]:
    """Yield tables with each row's id and the hashes that it may be."""
    for name, (word, columns) in IDS.items():
        if name in tables:
            head, rows = (word,) if word else (), rows_of(tables[name], "id", *columns)
            yield name, ((id, (content_id(*head, *values),)) for id, *values in rows)
    if "documents" in tables:
        yield "documents", _of_documents(rows_of(tables["documents"], "id", "source", "text", "metadata"))
    if "communities" in tables:
        rows = rows_of(tables["communities"], "id", "level", "entity_ids")
        yield "communities", ((id, (content_id("community", level, *ids),)) for id, level, ids in rows)
    if {"communities", "community_reports"} <= set(tables):
        own = dict(rows_of(tables["communities"], "community", "id"))
        reports = rows_of(tables["community_reports"], "id", "community", "full_content")
        yield "community_reports", ((id, (content_id("report", own.get(of), text),)) for id, of, text in reports)


def _of_documents(rows: Iterator[tuple[Any, ...]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """A document's id is of its record's key, where it is a record, or of the id that it has in the index that was imported."""
    for id, source, text, metadata in rows:
        known = _object(metadata) or {}
        yield id, tuple(content_id(source, known.get(key, ""), text) for key in ("record", "microsoft_id"))


def check_values(tables: Tables) -> Check:
    """Words are among those that are declared, dates are ISO dates, metadata are JSON objects, and lists of rows
    and of names have each once."""
    wrong: list[str] = []
    for name, table in tables.items():
        for column in TABLES[name].columns:
            wrong += [f"{name}.{column.name}: {fault}" for fault in _faults(name, column, table[column.name])]
        wrong += [f"{name}: {fault}" for fault in OF_ROWS[name](table)] if name in OF_ROWS else []
    return listed("values are as declared", sum(table.num_columns for table in tables.values()), wrong)


def _faults(name: str, column: Column, values: Any) -> Iterator[str]:
    if column.among:
        flat = members(values)[1] if pa.types.is_list(column.type) else values
        yield from (
            f"{value!r} is none of its values" for value in codes_of(flat)[1].to_pylist() if value not in column.among
        )
    if column.name == "title" and "" in codes_of(values)[1].to_pylist():
        yield "a title is empty"
    if pa.types.is_list(column.type) and ((column.refers and name != "sentences") or (name, column.name) in ONCE):
        owner, items = members(values)
        codes, distinct = codes_of(items)
        again = np.flatnonzero(~first_of(pairs(owner, codes, len(distinct))))
        yield from (f"{value!r} is twice in a list" for value in texts(items, again[:3]))


def _of_documents_rows(table: pa.Table) -> Iterator[str]:
    for id, metadata, unit, first in rows_of(table, "id", "metadata", "place_unit", "place_first"):
        if _object(metadata) is None:
            yield f"the metadata of {id} are no JSON object"
        if unit == "line" and first != 1:
            yield f"the first line of {id} is numbered {first}"


def _of_vocabulary(table: pa.Table) -> Iterator[str]:
    for title, forms, frequency, spread in rows_of(table, "title", "forms", "frequency", "spread"):
        if not forms:
            yield f"{title!r} has no form"
        if min(frequency, spread) < 1:
            yield f"{title!r}: {frequency} times in {spread} chunks"


def _of_claims(table: pa.Table) -> Iterator[str]:
    for id, first, last in rows_of(table, "id", "start_date", "end_date"):
        yield from _no_dates(f"claim {id}", first, last)


def _of_sentences(table: pa.Table) -> Iterator[str]:
    columns = ("chunk_id", "start", "end", "date_starts", "date_ends", "date_firsts", "date_lasts", "language")
    for id, begin, stop, *dates, language in rows_of(table, *columns):
        for start, end, first, last in zip(*dates, strict=True):
            if not begin <= start < min(end, stop):
                yield f"a date at {start}-{end} of chunk {id}, whose sentence is at {begin}-{stop}"
            yield from _no_dates(f"a date at {start}-{end} of chunk {id}", first, last)
            if last < first:
                yield f"a date at {start}-{end} of chunk {id} ends at {last}, before {first}"
        if not (language.isalpha() and language.islower() and (len(language) == 2 or language == "und")):
            yield f"{language!r} is no language"


def _no_dates(what: str, *dates: str | None) -> Iterator[str]:
    yield from (f"{what}: {date!r} is no ISO date" for date in dates if date is not None and iso_date(date) != date)


OF_ROWS: Mapping[str, Callable[[pa.Table], Iterator[str]]] = {
    "documents": _of_documents_rows,
    "vocabulary": _of_vocabulary,
    "claims": _of_claims,
    "sentences": _of_sentences,
}
"""What else is said of the values of a row, by table."""


def check_lengths(tables: Tables, tokenizer: str) -> Check:
    """Documents, chunks and reports have the tokens that their texts have, by the tokenizer of the index."""
    try:
        count = choose("auto", tokenizer)[0]
    except SettingsError as error:
        return Check(LENGTHS, 0, 0, (), f"not checked: {error.found}")
    wrong: list[str] = []
    looked_at = 0
    for name, column in (("documents", "text"), ("chunks", "text"), ("community_reports", "full_content")):
        for batch in tables[name].select(["id", column, "n_tokens"]).to_batches() if name in tables else ():
            ids, written, stated = (values.to_pylist() for values in batch.columns)
            looked_at += len(ids)
            for id, has, says in zip(ids, count.counts(written), stated, strict=True):
                if has != says:
                    wrong.append(f"{name}: {id} says {says} tokens, its text has {has}")
    return listed(LENGTHS, looked_at, wrong)


def _object(metadata: str) -> dict[str, Any] | None:
    """Return what a JSON object holds; None for a text that is none."""
    try:
        found = json.loads(metadata)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
