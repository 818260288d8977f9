"""The entities that a question is about: those it names, and those of the chunks found for it; and their neighbours."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array
from pipeline.base.store import Rows
from pipeline.language.tasks.search.similar_questions import NameAsked
from pipeline.retrieval.chunk_search import Hit
from pipeline.text.scripts import token_spans

LONGEST = 10
"""Words of a name."""
RANK = 60
"""Of reciprocal rank: how much the first chunks weigh above the next."""


class Found(NamedTuple):
    """An entity; ``written`` is how the question names it, empty where it only is in chunks that were found."""

    id: str
    title: str
    written: str
    frequency: int
    aliases: tuple[str, ...]


def named_entities(question: str, entities: Rows) -> list[Found]:
    """Return the entities that a question names by title or alias, in its order: longest names first, none overlapping.

    Case makes no difference. Of several that share an alias the one that is mentioned most is taken.
    """
    tokens = token_spans(question)
    spans: dict[str, list[tuple[int, int]]] = {}
    for first in range(len(tokens)):
        for last in range(first, min(first + LONGEST, len(tokens))):
            written = re.sub("['’]s?$", "", question[tokens[first][0] : tokens[last][1]])
            spans.setdefault(written.lower(), []).append((tokens[first][0], tokens[first][0] + len(written)))
    owners = _owners(list(spans), entities)
    matches = sorted((start - end, start, form) for form in owners for start, end in spans[form])
    taken: dict[int, str] = {}
    free = [True] * len(question)
    for length, start, form in matches:
        if all(free[start : start - length]):
            free[start : start - length] = [False] * -length
            taken[start] = form
    rows = entities.by_id(owners.values(), ["title", "frequency", "aliases"])
    found: dict[str, Found] = {}
    for start, form in sorted(taken.items()):
        id = owners[form]
        row = rows[id]
        written = question[start : start + len(form)]
        found.setdefault(id, Found(id, row["title"], written, row["frequency"], tuple(row["aliases"])))
    return list(found.values())


def _owners(forms: Sequence[str], entities: Rows) -> dict[str, str]:
    """Return the id of the entity that each form in lower case means, where one does: titles before aliases."""
    table = entities.table(["id", "title", "aliases", "frequency"]).combine_chunks()
    wanted = array(sorted(forms), pa.string())
    titles = pc.utf8_lower(table["title"])
    aliases = table["aliases"].combine_chunks() if table.num_rows else array([], pa.list_(pa.string()))
    flat, rows = pc.utf8_lower(pc.list_flatten(aliases)), pc.list_parent_indices(aliases)
    found: dict[str, str] = {}
    in_titles, in_aliases = pc.is_in(titles, value_set=wanted), pc.is_in(flat, value_set=wanted)
    pairs = [
        (pc.filter(titles, in_titles), pc.indices_nonzero(in_titles)),
        (pc.filter(flat, in_aliases), pc.filter(rows, in_aliases)),
    ]
    for names, places in pairs:
        some = table.select(["id", "frequency"]).take(places).to_pylist()
        ranked = sorted(zip(names.to_pylist(), some, strict=True), key=lambda one: (-one[1]["frequency"], one[1]["id"]))
        for name, row in ranked:
            found.setdefault(name, row["id"])
    return found


def question_entities(question: str, hits: Sequence[Hit], entities: Rows, k: int) -> list[Found]:
    """Return the ``k`` entities closest to a question: those it names, the rarest first, then those of its chunks.

    An entity of the chunks scores the sum of 1 / (RANK + rank) over the chunks that mention it, divided by the root of
    its frequency, so that what is mentioned everywhere is not what every question is about; ties go by title.
    """
    named = sorted(named_entities(question, entities), key=lambda one: (one.frequency, one.title))
    ranks = {hit.chunk_id: rank for rank, hit in enumerate(hits, 1)}
    table = entities.table(["id", "title", "frequency", "aliases", "chunk_ids"]).combine_chunks()
    if not table.num_rows or not ranks:
        return named[:k]
    chunk_ids = table["chunk_ids"].combine_chunks()
    flat = pc.list_flatten(chunk_ids)
    inside = pc.is_in(flat, value_set=array(sorted(ranks), pa.string()))
    scores: dict[int, float] = {}
    for row, chunk in zip(
        pc.filter(pc.list_parent_indices(chunk_ids), inside).to_pylist(),
        pc.filter(flat, inside).to_pylist(),
        strict=True,
    ):
        scores[row] = scores.get(row, 0.0) + 1 / (RANK + ranks[chunk])
    rows = sorted(scores)
    some = table.select(["id", "title", "frequency", "aliases"]).take(array(rows, pa.int64())).to_pylist()
    ranked = sorted(
        (-round(scores[row] / max(one["frequency"], 1) ** 0.5, 9), one["title"], one)
        for row, one in zip(rows, some, strict=True)
    )
    known = {one.id for one in named}
    others = [
        Found(one["id"], one["title"], "", one["frequency"], tuple(one["aliases"]))
        for _, _, one in ranked
        if one["id"] not in known
    ]
    return [*named, *others][:k]


def proper(title: str) -> bool:
    """Return whether a title is a name rather than a common noun: it has a capital letter, or its script has none."""
    return title != title.lower() or title == title.upper()


def asked_names(named: Sequence[Found]) -> tuple[NameAsked, ...]:
    """Return the names of a question with the other spellings that the index knows of each."""
    return tuple(
        NameAsked(one.written, others)
        for one in named
        if proper(one.title)
        and (others := tuple(dict.fromkeys(form for form in (one.title, *one.aliases) if form != one.written)))
    )


def near_entities(named: Sequence[Found], relationships: Rows, k: int) -> tuple[str, ...]:
    """Return the names most closely related to those of a question, by the weight of their relationships, ties by title."""
    titles = {one.title for one in named if proper(one.title)}
    if not titles:
        return ()
    table = relationships.table(["source", "target", "weight"])
    wanted = array(sorted(titles), pa.string())
    ends = pc.or_(pc.is_in(table["source"], value_set=wanted), pc.is_in(table["target"], value_set=wanted))
    weights: dict[str, float] = {}
    for row in table.filter(ends).to_pylist():
        for title in {row["source"], row["target"]} - titles:
            weights[title] = weights.get(title, 0.0) + row["weight"]
    return tuple(sorted(filter(proper, weights), key=lambda title: (-weights[title], title))[:k])
