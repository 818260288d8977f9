"""The stages, in the order of the data: what each reads, asks of language and writes; its work is imported when it runs."""

from pipeline.base.schema import (
    ALIASES,
    CHUNKS,
    CLAIMS,
    COMMUNITIES,
    COMMUNITY_REPORTS,
    DOCUMENTS,
    EMBEDDINGS,
    ENTITIES,
    ENTITY_MENTIONS,
    FACTS,
    KEY_ELEMENTS,
    LAYOUT,
    RELATIONSHIP_MENTIONS,
    RELATIONSHIPS,
    RETRIEVAL_FORMS,
    RETRIEVAL_NAMES,
    RETRIEVAL_PASSAGES,
    RETRIEVAL_TERMS,
    SENTENCES,
    VOCABULARY,
)
from pipeline.base.workflow import CORRECTIONS, FILES, SOURCES, SPLITS, Workflow, check_plan

load_documents = Workflow(
    "s10_load_documents",
    reads=(FILES,),
    settings=("input",),
    writes=(DOCUMENTS,),
    resources=("tokenizer", "notes"),
)
cut_chunks = Workflow(
    "s20_cut_chunks",
    reads=(DOCUMENTS,),
    settings=("chunks",),
    writes=(CHUNKS,),
    resources=("tokenizer",),
)
annotate_sentences = Workflow(
    "s25_annotate_sentences",
    reads=(CHUNKS, SPLITS),
    settings=("names", "extraction"),
    asks=("scan_text",),
    writes=(VOCABULARY, SENTENCES),
    resources=("notes",),
)
extract_graph = Workflow(
    "s30_extract_graph",
    reads=(DOCUMENTS, CHUNKS, VOCABULARY, SENTENCES),
    settings=("extraction", "claims"),
    asks=("extract_graph", "glean_graph", "extract_all", "glean_all"),
    writes=(ENTITY_MENTIONS, RELATIONSHIP_MENTIONS),
    resources=("notes",),
)
resolve_names = Workflow(
    "s35_resolve_names",
    reads=(CHUNKS, VOCABULARY, ENTITY_MENTIONS, RELATIONSHIP_MENTIONS, CORRECTIONS),
    settings=("names",),
    asks=("match_names",),
    writes=(ALIASES,),
    resources=("notes",),
)
merge_graph = Workflow(
    "s40_merge_graph",
    reads=(CHUNKS, ENTITY_MENTIONS, RELATIONSHIP_MENTIONS, ALIASES),
    settings=("graph",),
    asks=("summarise_descriptions",),
    writes=(ENTITIES, RELATIONSHIPS),
    resources=("tokenizer", "notes"),
)
extract_claims = Workflow(
    "s50_extract_claims",
    reads=(DOCUMENTS, CHUNKS, VOCABULARY, SENTENCES, ENTITIES),
    settings=("claims", "extraction"),
    asks=("extract_claims", "glean_claims", "extract_all", "glean_all"),
    writes=(CLAIMS,),
    resources=("notes",),
    beside=True,
)
extract_facts = Workflow(
    "s60_extract_facts",
    reads=(DOCUMENTS, CHUNKS, VOCABULARY, SENTENCES, ALIASES),
    settings=("facts", "extraction", "claims"),
    asks=("extract_facts", "glean_facts", "extract_all", "glean_all"),
    writes=(FACTS, KEY_ELEMENTS),
    resources=("notes",),
    beside=True,
)
find_communities = Workflow(
    "s70_find_communities",
    reads=(ENTITIES, RELATIONSHIPS, CHUNKS),
    settings=("communities",),
    writes=(COMMUNITIES,),
    previous=(COMMUNITIES,),
    resources=("notes",),
)
lay_out_map = Workflow(
    "s75_lay_out_map",
    reads=(ENTITIES, RELATIONSHIPS, COMMUNITIES),
    writes=(LAYOUT,),
    previous=(COMMUNITIES, LAYOUT),
    beside=True,
)
write_reports = Workflow(
    "s80_write_reports",
    reads=(COMMUNITIES, ENTITIES, RELATIONSHIPS, CLAIMS, ENTITY_MENTIONS, ALIASES),
    settings=("reports",),
    asks=("write_report", "write_small_report"),
    writes=(COMMUNITY_REPORTS,),
    resources=("tokenizer", "notes"),
)
index_passages = Workflow(
    "s85_index_passages",
    reads=(DOCUMENTS, CHUNKS, VOCABULARY, SENTENCES, ENTITIES),
    writes=(RETRIEVAL_PASSAGES, RETRIEVAL_TERMS, RETRIEVAL_NAMES, RETRIEVAL_FORMS),
    beside=True,
)
embed = Workflow(
    "s90_embed",
    reads=(CHUNKS, ENTITIES, KEY_ELEMENTS, COMMUNITY_REPORTS),
    writes=(EMBEDDINGS,),
    resources=("embedder", "notes"),
)

STAGES: tuple[Workflow, ...] = (
    load_documents,
    cut_chunks,
    annotate_sentences,
    extract_graph,
    resolve_names,
    merge_graph,
    extract_claims,
    extract_facts,
    find_communities,
    lay_out_map,
    write_reports,
    index_passages,
    embed,
)

check_plan(STAGES, SOURCES)
