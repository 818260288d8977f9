"""The stages, in the order of the data."""

from pipeline.base.workflow import SOURCES, Workflow, check_plan
from workflows.s10_load_documents import load_documents
from workflows.s20_cut_chunks import cut_chunks
from workflows.s25_annotate_sentences import annotate_sentences
from workflows.s30_extract_graph import extract_mentions
from workflows.s35_resolve_names import resolve_names
from workflows.s40_merge_graph import merge_graph
from workflows.s50_extract_claims import extract_all_claims
from workflows.s60_extract_facts import extract_all_facts
from workflows.s70_find_communities import find_all_communities
from workflows.s75_lay_out_map import lay_out_map
from workflows.s80_write_reports import write_reports
from workflows.s85_index_passages import index_all_passages
from workflows.s90_embed import embed

STAGES: tuple[Workflow, ...] = (
    load_documents,
    cut_chunks,
    annotate_sentences,
    extract_mentions,
    resolve_names,
    merge_graph,
    extract_all_claims,
    extract_all_facts,
    find_all_communities,
    lay_out_map,
    write_reports,
    index_all_passages,
    embed,
)

check_plan(STAGES, SOURCES)
