"""All checks of an index of ours, in the order in which they are printed; each names the tables it needs."""

from collections.abc import Callable, Sequence
from functools import partial

from pipeline.base.errors import GraphstrataError
from pipeline.base.input_files import InputFiles
from pipeline.base.store import Generation
from pipeline.base.workflow import Workflow
from pipeline.exchange.microsoft.import_report import STAGE
from pipeline.exchange.verify.check import Check, impossible, unchecked
from pipeline.exchange.verify.communities import (
    check_citations,
    check_contents,
    check_cover,
    check_edges,
    check_nesting,
    check_partition,
    check_reports,
)
from pipeline.exchange.verify.graph import check_degrees, check_ends, check_facts, check_frequencies, check_weights
from pipeline.exchange.verify.layout import check_layout
from pipeline.exchange.verify.names import check_aliases
from pipeline.exchange.verify.origins import (
    CITED,
    SAID_BY_ROWS,
    WHOLE,
    check_descriptions,
    check_fact_texts,
    check_report_texts,
)
from pipeline.exchange.verify.places import IN_FILES, check_files, check_places
from pipeline.exchange.verify.remade import NAME as REMADE
from pipeline.exchange.verify.remade import check_remade
from pipeline.exchange.verify.tables import Tables, check_embeddings, check_keys, check_references, read_tables
from pipeline.exchange.verify.text import check_fact_quotes, check_order, check_quotes, check_sentences, check_spans
from pipeline.exchange.verify.values import LENGTHS, check_ids, check_lengths, check_values

GRAPH = ("entities", "relationships")
COMMUNITIES = ("communities", "entities")
REPORTS = ("community_reports", "communities", "entities", "relationships")

CHECKS: tuple[tuple[tuple[str, ...], Callable[[Tables], Check | list[Check]]], ...] = (
    ((), check_keys),
    ((), check_references),
    ((), check_ids),
    ((), check_values),
    (("chunks", "documents"), check_spans),
    (("chunks", "documents"), check_order),
    (("documents",), check_places),
    (("sentences", "vocabulary", "chunks"), check_sentences),
    (("claims", "chunks"), check_quotes),
    (("facts", "chunks"), check_fact_quotes),
    (("entities", "entity_mentions", "aliases", "chunks"), check_frequencies),
    ((*GRAPH, "relationship_mentions", "aliases", "chunks"), check_weights),
    (("aliases", "entities"), check_aliases),
    (GRAPH, check_degrees),
    (GRAPH, check_ends),
    (("facts", "key_elements", "chunks"), check_facts),
    (COMMUNITIES, check_cover),
    (COMMUNITIES, check_partition),
    (COMMUNITIES, check_nesting),
    ((*GRAPH, "communities"), check_contents),
    ((*COMMUNITIES, "layout"), check_layout),
    (REPORTS, check_reports),
    (REPORTS, check_edges),
    ((*REPORTS, "claims"), check_citations),
    ((*GRAPH, "entity_mentions", "relationship_mentions", "aliases", "chunks"), check_descriptions),
    (("facts", "chunks", "sentences"), check_fact_texts),
    ((*REPORTS, "claims", "entity_mentions", "aliases"), check_report_texts),
    (("embeddings",), check_embeddings),
)
"""Tables that a check needs, and the check. An index without the table ``embeddings`` has nothing to check there."""


def verify_own(
    generation: Generation, files: InputFiles | None = None, retrieval: Workflow | None = None
) -> list[Check]:
    """Check one generation of an index, places against the input files, and the tables of retrieval against those that
    the stage ``retrieval`` makes of the others; nothing is raised for what is found."""
    tables, checks = read_tables(generation)
    for needed, check in CHECKS:
        missing = [name for name in needed if name not in tables]
        if missing:
            checks += _unchecked(_named(check), missing, generation)
            continue
        checks += _result(_named(check), partial(check, tables))
    # reports of others, kept as they are; what they do not cite the import has counted
    if STAGE in generation.manifest.stages:
        checks = [check for check in checks if check.name not in (CITED, SAID_BY_ROWS, WHOLE)]
    checks += _result(LENGTHS, partial(check_lengths, tables, generation.manifest.tokenizer))
    if retrieval:
        checks += _result(REMADE, partial(check_remade, tables, retrieval))
    if files and "documents" in tables:
        checks += _result(IN_FILES, partial(check_files, tables, files, generation.manifest.files))
    return checks


def _result(name: str, check: Callable[[], Check | list[Check]]) -> list[Check]:
    """Return what a check finds; a fault where rows that contradict each other end it."""
    try:
        result = check()
    except (GraphstrataError, LookupError, TypeError, ValueError) as error:
        return [impossible(name, error)]
    return result if isinstance(result, list) else [result]


def _unchecked(check: str, missing: Sequence[str], generation: Generation) -> list[Check]:
    """A check that could not be made; a fault, unless the table was never to be there."""
    if missing == ["embeddings"] and "embeddings" not in generation.manifest.tables:
        return []
    return [unchecked(check, missing)]


def _named(check: Callable[..., object]) -> str:
    return check.__name__.removeprefix("check_").replace("_", " ")
