"""What an answer from a partial index rests on: the items that failed when it was made, by stage, said with the answer."""

from dataclasses import replace

from pipeline.base.store import Generation
from pipeline.base.workflow import stage_label
from pipeline.query.answer import Answer

ITEMS = {
    "s10_load_documents": "documents",
    "s30_extract_graph": "chunks",
    "s50_extract_claims": "chunks",
    "s60_extract_facts": "chunks",
    "s80_write_reports": "communities",
}
"""What the stages go through one by one, where a failure leaves one of them out; other stages fall back on something."""


def failed_items(generation: Generation) -> dict[str, set[str]]:
    """Return the items that failed when a generation was made, by stage."""
    table = generation.table("failures", ["workflow", "item", "kind"]).to_pylist()
    found: dict[str, set[str]] = {}
    for row in table:
        if row["kind"] == "failed":
            found.setdefault(row["workflow"], set()).add(row["item"])
    return dict(sorted(found.items()))


def with_failed_items(answer: Answer, generation: Generation) -> Answer:
    """Return the answer with what failed in its coverage; as it is when the index is complete.

    The share of the answer is multiplied by that of the stage with most failures.
    """
    if generation.manifest.status != "partial":
        return answer
    failed = failed_items(generation)
    shares, reasons = [1.0], []
    for stage, items in failed.items():
        table = ITEMS.get(stage)
        if table is None:
            reasons.append(f"{len(items)} items failed in {stage_label(stage)}")
            continue
        there = generation.manifest.tables[table].rows
        whole = there + len(items) if table == "documents" else max(there, len(items))
        shares.append(1 - len(items) / whole)
        what = "could not be read" if table == "documents" else f"failed in {stage_label(stage)}"
        reasons.append(f"{len(items)} of {whole} {table} {what}")
    return replace(answer, coverage=answer.coverage.but(f"when the index was made, {', '.join(reasons)}", min(shares)))
