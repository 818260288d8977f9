"""The entities of the index that a text names, and a question read with them: once, for every search."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array, scalar
from pipeline.base.arrow.columns import whole
from pipeline.base.arrow.rows_by_value import RowsByValue
from pipeline.base.store import Rows
from pipeline.retrieval.chunk_search import Finder
from pipeline.text.lexicon.genders import is_name
from pipeline.text.question.names import without_possessive
from pipeline.text.question.question import LinkedEntity, Question
from pipeline.text.question.reading import names_among, read_question
from pipeline.text.scripts import token_spans
from pipeline.text.tokenizer import fold_word

LONGEST = 10
"""Words of a name."""
_ACRONYM = re.compile(r"(?<![\w-])[A-Z]{3,6}(?![\w-])")
COLUMNS = ("id", "title", "type", "frequency", "aliases")


def read(text: str, entities: Rows, finder: Finder) -> Question:
    """Return a question as every search measures texts by it: with one character for a letter and its accents, as texts have."""
    text = unicodedata.normalize("NFC", text)
    return read_question(text, _with_spelt_out(text, link(text, entities), entities), finder.rarity, finder.language)


def link(text: str, entities: Rows) -> list[LinkedEntity]:
    """Return the entities that a text names by title or alias, each once, in the order of the text.

    Of names that overlap those that are written like names come first, then the longest. Case makes no difference, and a
    proper name may lack its accents. A form that several entities have means the one that has it as its title, then the one
    that is mentioned most.
    """
    tokens = token_spans(text)
    spans: dict[str, list[tuple[int, int]]] = {}
    for first, start in enumerate(tokens.starts):
        for end in tokens.ends[first : first + LONGEST]:
            written = without_possessive(text[start:end])
            spans.setdefault(written.lower(), []).append((start, start + len(written)))
    owners = _owners(spans, entities)
    found = [(start, end, linked(owners[form], text[start:end])) for form in owners for start, end in spans[form]]
    named = names_among(text, (entity for *_, entity in found))
    found.sort(key=lambda one: (one[2].written not in named, one[0] - one[1], one[0]))
    free = [True] * len(text)
    taken: list[tuple[int, LinkedEntity]] = []
    for start, end, entity in found:
        if all(free[start:end]):
            free[start:end] = [False] * (end - start)
            taken.append((start, entity))
    taken.sort(key=lambda one: one[0])
    return list({entity.id: entity for _, entity in reversed(taken)}.values())[::-1]


def _with_spelt_out(text: str, named: Sequence[LinkedEntity], entities: Rows) -> list[LinkedEntity]:
    """Return the entities that a text names with those whose names its acronyms are the initials of, where only one is: "AGM" where
    the corpus has an Annual General Meeting. Persons are seldom called by theirs."""
    found = {one.written: one for one in named}
    for acronym in dict.fromkeys(_ACRONYM.findall(text)):
        table = entities.table(COLUMNS)
        initials = r"[\w.'’]+(?:[\s-](?:\p{Ll}+|&))*[\s-]".join(acronym)
        spelt_out = pc.match_substring_regex(table["title"], rf"^{initials}[\w.'’]+$")
        rows = table.filter(pc.and_(spelt_out, pc.not_equal(table["type"], scalar("PERSON")))).to_pylist()
        if len(rows) == 1:
            one = found.get(acronym) or linked(rows[0], acronym)
            found[acronym] = one._replace(aliases=tuple(dict.fromkeys((*one.aliases, rows[0]["title"]))))
    return sorted(found.values(), key=lambda one: text.find(one.written))


def linked(row: Mapping[str, Any], written: str = "") -> LinkedEntity:
    """Return a row of entities as one that is linked to a question."""
    return LinkedEntity(row["id"], row["title"], row["type"], written, row["frequency"], tuple(row["aliases"]))


def _owners(forms: Iterable[str], entities: Rows) -> dict[str, dict[str, Any]]:
    """Return the row of the entity that each form in lower case means, where one does."""
    table, *by_name = entities.derived(_lower)
    found: dict[str, dict[str, Any]] = {}
    wanted = list(forms)
    known = [names.first_rows(wanted) for names in by_name]
    accented = entities.derived(_accented)
    for form in wanted:
        rows = next((names.rows(form) for names, first in zip(by_name, known, strict=True) if form in first), [])
        rows = rows or accented.get(fold_word(form), [])
        if rows:
            some = table.take(array(rows, pa.int64())).to_pylist()
            found[form] = min(some, key=lambda one: (-one["frequency"], one["id"]))
    return found


def _lower(entities: Rows) -> tuple[pa.Table, RowsByValue, RowsByValue]:
    """Return entities, and their rows by title and by alias in lower case."""
    table = entities.table(COLUMNS).combine_chunks()
    aliases = whole(table["aliases"])
    lower = pa.ListArray.from_arrays(aliases.offsets, pc.utf8_lower(aliases.values), type=aliases.type)
    return table, RowsByValue(pc.utf8_lower(table["title"])), RowsByValue(lower)


def _accented(entities: Rows) -> dict[str, list[int]]:
    """Return the rows of the entities with a proper name that has accents, by that name without them: how many type it."""
    table = entities.table(COLUMNS)
    found: dict[str, list[int]] = {}
    for row, (title, aliases) in enumerate(zip(table["title"].to_pylist(), table["aliases"].to_pylist(), strict=True)):
        for name in dict.fromkeys((title, *aliases)):
            if not name.isascii() and is_name(title):
                found.setdefault(fold_word(name), []).append(row)
    return found


def types_of(names: Iterable[str], entities: Rows) -> tuple[tuple[str, str], ...]:
    """Return the names that are titles of entities, each with its type, sorted."""
    return tuple(sorted((row["title"], row["type"]) for row in titled(names, entities, ["type"])))


def titled(titles: Iterable[str], entities: Rows, columns: Sequence[str]) -> list[dict[str, Any]]:
    """Return the entities with some titles, in the order of the table: their titles and the named columns."""
    table = entities.table(["title", *columns])
    wanted = array(sorted(set(titles)), pa.string())
    rows: list[dict[str, Any]] = table.filter(pc.is_in(table["title"], value_set=wanted)).to_pylist()
    return rows


def proper_names(entities: Sequence[LinkedEntity]) -> list[LinkedEntity]:
    """Return the entities that are names rather than common nouns."""
    return [one for one in entities if is_name(one.title)]
