"""Entity search: from the entities of a question to all that is known of them, in one context (Microsoft's local search)."""

from collections.abc import Sequence

from pipeline.base.schema import (
    CHUNKS,
    CLAIMS,
    COMMUNITIES,
    COMMUNITY_REPORTS,
    DOCUMENTS,
    ENTITIES,
    KEY_ELEMENTS,
    RELATIONSHIPS,
)
from pipeline.base.store import Rows
from pipeline.language.tasks.search.answer_from_passages import answer_from_passages
from pipeline.query.answer import Answer, Coverage
from pipeline.query.evidence.cited_context import Chunk, Offered, Writer, read_chunks
from pipeline.query.evidence.entity_context import gather
from pipeline.query.evidence.entity_linker import proper_names
from pipeline.query.evidence.excerpts import Excerpts
from pipeline.query.evidence.question_entities import question_entities
from pipeline.query.method import SearchCall, search
from pipeline.text.inflection import in_number, singular
from pipeline.text.question.question import LinkedEntity

ABOUT = 2
"""Names of a question of which an answer without a model also says who or what they are."""


@search(
    reads=(
        CHUNKS, KEY_ELEMENTS, ENTITIES, RELATIONSHIPS, CLAIMS, COMMUNITIES, COMMUNITY_REPORTS, DOCUMENTS,
    ),
    asks=(answer_from_passages,),
)  # fmt: skip
def entity_search(call: SearchCall) -> Answer:
    """Answer from the entities of a question: their relationships, claims, reports and chunks."""
    question, settings, tables = call.question, call.settings, call.tables
    hits = call.finder.find([question.text], settings.chunks)[0]
    found = question_entities(question, hits, tables["entities"], settings.entities)
    call.trace.step("entities", ", ".join(one.title for one in found) or "none", ids=[one.id for one in found])
    offered = Offered()
    context = gather(found, hits, tables, settings, offered)
    description = ", ".join(in_number(count, singular(kind)) for kind, count in context.counts.items() if count)
    call.trace.step("context", description or "nothing", **context.counts)
    read = read_chunks(context.chunk_ids, tables)
    about = [one.written for one in proper_names(question.entities)][:ABOUT]
    excerpts = Excerpts(question, tables, call.finder)
    closest = _closest_to(found, read, tables["entities"])
    draft = excerpts.draft_from_chunks([*closest, *excerpts.defining(read)], offered, about=about)
    coverage = Coverage(
        1.0,
        f"rests on {description or 'nothing'}, found from the {in_number(len(found), 'entity')} closest to the question",
    )
    return Writer(call, "entity", offered).from_passages(context.passages, draft, coverage)


def _closest_to(found: Sequence[LinkedEntity], chunks: Sequence[Chunk], entities: Rows) -> list[Chunk]:
    """Return chunks in their order, those first that mention an entity which the question names."""
    named_ids = [one.id for one in found if one.written]
    rows = entities.by_id(named_ids, ["chunk_ids"])
    mentioning = {id for row in rows.values() for id in row["chunk_ids"]}
    return sorted(chunks, key=lambda chunk: chunk.id not in mentioning)
