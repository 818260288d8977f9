"""Stage 30: entities and relationships of each chunk, with rounds that ask for what was missed."""

from collections.abc import Sequence

from pipeline.base.ids import dump
from pipeline.base.schema import ENTITY_MENTIONS, RELATIONSHIP_MENTIONS
from pipeline.base.settings import ClaimSettings, ExtractionSettings
from pipeline.base.store import Rows
from pipeline.base.task import unchecked
from pipeline.base.workflow import Notes, Parts
from pipeline.language.language import Language
from pipeline.language.tasks.indexing.chunk_requests import ChunkToExtract
from pipeline.language.tasks.indexing.extract_all import Everything, glean_all
from pipeline.language.tasks.indexing.extract_graph import (
    Graph,
    as_statement,
    extract_graph,
    glean_graph,
)
from pipeline.text.extraction.stop_phrases import StopPhrases
from workflows.shared.annotated_chunks import annotated_chunks, vocabulary_types
from workflows.shared.gleaning import read_and_glean, requests_of
from workflows.shared.one_pass import read_everything
from workflows.shared.repeated_examples import RepeatedExamples


def run(
    documents: Rows,
    chunks: Rows,
    vocabulary: Rows,
    sentences: Rows,
    settings: ExtractionSettings,
    claims: ClaimSettings,
    language: Language,
    notes: Notes,
) -> Parts:
    """Extract, then glean; what was found first is kept whatever later rounds bring. What a model repeated from the example of
    its prompt is counted and left out."""
    annotated = annotated_chunks(documents, chunks, sentences, vocabulary_types(vocabulary))
    stopped = StopPhrases(settings.stop_phrases)
    rounds, total = settings.max_gleanings, chunks.num_rows
    groups = (
        read_everything(annotated, claims.about, rounds, language, total)
        if settings.one_pass
        else read_and_glean(language, extract_graph, requests_of(annotated), glean_graph, _known, rounds, total)
    )
    repeated = RepeatedExamples(language, glean_all if settings.one_pass else glean_graph)
    for group in groups:
        rows = [
            (request.item, without_repeated(without_stopped(graph, stopped), request, repeated))
            for request, graphs in group
            for graph in graphs
        ]
        yield (
            ENTITY_MENTIONS,
            ENTITY_MENTIONS.rows(
                (id, e.title, e.type, as_statement(e.description)) for id, graph in rows for e in graph.entities
            ),
        )
        yield (
            RELATIONSHIP_MENTIONS,
            RELATIONSHIP_MENTIONS.rows(
                (id, r.source, r.target, as_statement(r.description), r.weight)
                for id, graph in rows
                for r in graph.relationships
            ),
        )
    repeated.report(notes, "entities")


def without_stopped(graph: Graph | Everything, stopped: StopPhrases) -> Graph:
    """Return what was found without entities that settings stop, and without what relates them."""
    if not stopped:
        return unchecked(Graph, entities=graph.entities, relationships=graph.relationships)
    return unchecked(
        Graph,
        entities=[one for one in graph.entities if not stopped.stops(one.title)],
        relationships=[
            one for one in graph.relationships if not (stopped.stops(one.source) or stopped.stops(one.target))
        ],
    )


def without_repeated(graph: Graph, request: ChunkToExtract, repeated: RepeatedExamples) -> Graph:
    """Return what was found without entities of the prompt's example that the chunk does not name, and what relates them."""
    if not repeated:
        return graph
    found = {one.title for one in graph.entities} | {
        end for one in graph.relationships for end in (one.source, one.target)
    }
    left_out = {title for title in sorted(found) if repeated.names(title, request)}
    return (
        graph
        if not left_out
        else unchecked(
            Graph,
            entities=[one for one in graph.entities if one.title not in left_out],
            relationships=[one for one in graph.relationships if left_out.isdisjoint((one.source, one.target))],
        )
    )


def _known(graphs: Sequence[Graph]) -> str:
    entities = [[e.title, e.type] for graph in graphs for e in graph.entities]
    relationships = [[r.source, r.target] for graph in graphs for r in graph.relationships]
    return f"entities: {dump(entities)}\nrelationships: {dump(relationships)}"
