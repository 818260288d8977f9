"""The entities that a question is about: those it names, and those of the chunks found for it; and their neighbours."""

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array
from pipeline.base.arrow.columns import whole
from pipeline.base.store import Rows
from pipeline.language.tasks.search.similar_questions import NameAsked
from pipeline.query.evidence.entity_linker import COLUMNS, linked, proper_names
from pipeline.retrieval.chunk_search import Hit
from pipeline.text.lexicon.genders import is_name
from pipeline.text.question.question import LinkedEntity, Question

RANK = 60
"""Of reciprocal rank: how much the first chunks weigh above the next."""


def question_entities(question: Question, hits: Sequence[Hit], entities: Rows, k: int) -> list[LinkedEntity]:
    """Return the ``k`` entities closest to a question: those it names, the rarest first, then those of its chunks.

    An entity of the chunks scores the sum of 1 / (RANK + rank) over the chunks that mention it, divided by the root of
    its frequency, so that what is mentioned everywhere is not what every question is about; ties go by title.
    """
    named = sorted(question.entities, key=lambda one: (one.frequency, one.title))
    ranks = {hit.chunk_id: rank for rank, hit in enumerate(hits, 1)}
    table = entities.table([*COLUMNS, "chunk_ids"]).combine_chunks()
    if not table.num_rows or not ranks:
        return named[:k]
    chunk_ids = whole(table["chunk_ids"])
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
    some = table.select(COLUMNS).take(array(rows, pa.int64())).to_pylist()
    ranked = sorted(
        (-round(scores[row] / max(one["frequency"], 1) ** 0.5, 9), one["title"], one)
        for row, one in zip(rows, some, strict=True)
    )
    known = {one.id for one in named}
    return [*named, *(linked(one) for *_, one in ranked if one["id"] not in known)][:k]


def asked_names(question: Question) -> tuple[NameAsked, ...]:
    """Return the names of a question with the other spellings that the index knows of each."""
    return tuple(
        NameAsked(one.written, others)
        for one in proper_names(question.entities)
        if (others := tuple(dict.fromkeys(form for form in (one.title, *one.aliases) if form != one.written)))
    )


def near_entities(question: Question, relationships: Rows, k: int) -> tuple[str, ...]:
    """Return the names most closely related to those of a question, by the weight of their relationships, ties by title."""
    titles = {one.title for one in proper_names(question.entities)}
    if not titles:
        return ()
    table = relationships.table(["source", "target", "weight"])
    wanted = array(sorted(titles), pa.string())
    ends = pc.or_(pc.is_in(table["source"], value_set=wanted), pc.is_in(table["target"], value_set=wanted))
    weights: dict[str, float] = {}
    for row in table.filter(ends).to_pylist():
        for title in {row["source"], row["target"]} - titles:
            weights[title] = weights.get(title, 0.0) + row["weight"]
    return tuple(sorted(filter(is_name, weights), key=lambda title: (-weights[title], title))[:k])
