"""The single reply of one-pass extraction, read by three stages: the first asks for it, the others find it kept."""

from collections.abc import Iterable, Iterator, Sequence

from pipeline.base.ids import dump
from pipeline.language.language import Language
from pipeline.language.tasks.indexing.chunk_requests import ChunkToExtract
from pipeline.language.tasks.indexing.extract_all import (
    Everything,
    extract_all,
    glean_all,
)
from workflows.shared.annotated_chunks import AnnotatedChunk
from workflows.shared.gleaning import read_and_glean, requests_of


def read_everything(
    chunks: Iterable[AnnotatedChunk], about: str, rounds: int, language: Language, total: int
) -> Iterator[list[tuple[ChunkToExtract, list[Everything]]]]:
    """Return groups of chunks with their replies; later rounds only add. ``about`` is what counts as a claim."""
    return read_and_glean(language, extract_all, requests_of(chunks, about), glean_all, _known, rounds, total)


def _known(replies: Sequence[Everything]) -> str:
    found = {
        "entities": [entity.title for reply in replies for entity in reply.entities],
        "relationships": [[one.source, one.target] for reply in replies for one in reply.relationships],
        "claims": [[claim.status, claim.description] for reply in replies for claim in reply.claims],
        "facts": [fact.text for reply in replies for fact in reply.facts],
    }
    return dump(found)
