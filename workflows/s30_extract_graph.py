"""Stage 30: entities and relationships of each chunk, with rounds that ask for what was missed."""

from collections.abc import Sequence

from pipeline.base.ids import dump
from pipeline.base.settings import GraphSettings
from pipeline.base.store import Rows
from pipeline.base.tables import CHUNKS, ENTITY_MENTIONS, OCCURRENCES, RELATIONSHIP_MENTIONS, VOCABULARY
from pipeline.base.workflow import Parts, workflow
from pipeline.language.desk import Desk
from pipeline.language.tasks.extract_graph import ChunkToExtract, ChunkToGlean, Graph, extract_graph, glean_graph
from workflows.gleaning import read_and_glean
from workflows.named_chunks import named_chunks, vocabulary_types


@workflow(
    reads=(CHUNKS, VOCABULARY, OCCURRENCES),
    settings="graph",
    asks=(extract_graph, glean_graph),
    writes=(ENTITY_MENTIONS, RELATIONSHIP_MENTIONS),
)
def extract_mentions(
    chunks: Rows, vocabulary: Rows, occurrences: Rows, settings: GraphSettings, language: Desk
) -> Parts:
    """Extract, then glean; what was found first is kept whatever later rounds bring."""
    named = named_chunks(chunks, occurrences, vocabulary_types(vocabulary))
    asks = (ChunkToExtract(chunk.id, chunk.text, chunk.anchor, chunk.names) for chunk in named)
    for group in read_and_glean(
        language, extract_graph, asks, glean_graph, _again, settings.max_gleanings, chunks.num_rows
    ):
        rows = [(ask.item, graph) for ask, graphs in group for graph in graphs]
        yield (
            ENTITY_MENTIONS,
            ENTITY_MENTIONS.rows((id, e.title, e.type, e.description) for id, graph in rows for e in graph.entities),
        )
        yield (
            RELATIONSHIP_MENTIONS,
            RELATIONSHIP_MENTIONS.rows(
                (id, r.source, r.target, r.description, r.weight) for id, graph in rows for r in graph.relationships
            ),
        )


def _again(ask: ChunkToExtract, graphs: Sequence[Graph]) -> ChunkToGlean:
    entities = [[e.title, e.type] for graph in graphs for e in graph.entities]
    relationships = [[r.source, r.target] for graph in graphs for r in graph.relationships]
    found = f"entities: {dump(entities)}\nrelationships: {dump(relationships)}"
    return ChunkToGlean(ask.item, ask.text, ask.anchor, found)
