"""Checks of an index of Microsoft GraphRAG: what its owner lost between the texts and the answers."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.columns import BoolArray, IntArray, first_of, numbers, pairs, rows_of, texts, whole
from pipeline.base.arrow.lists import lengths
from pipeline.exchange.microsoft.citations import cited, n_cut
from pipeline.exchange.microsoft.folder import MicrosoftIndex
from pipeline.exchange.microsoft.graph import CitedRows, MicrosoftGraph, graph_of, shown_edges
from pipeline.exchange.microsoft.text import UnitFinder
from pipeline.exchange.verify.check import Check, checked, listed


def verify_microsoft(index: MicrosoftIndex) -> list[Check]:
    """Check an index of Microsoft GraphRAG; nothing is raised for what is found."""
    graph = graph_of(index.tables)
    ours = "aliases" not in index.missing  # an export of graphstrata: Microsoft's rules chose nothing for its reports
    checks = [_check_outside(index, graph), *([] if ours else _check_shown(index, graph))]
    checks += [_check_levels(index, graph), *_check_references(index)]
    checks += [_check_titles(index), _check_pairs(index, graph), _check_degrees(index)]
    if "community_reports" not in index.missing:
        checks += [_check_reports(index), *_check_citations(index, graph)]
    if "covariates" not in index.missing:
        checks.append(_check_claims(index))
    if not {"documents", "text_units"} & set(index.missing):
        checks.append(_check_units(index))
    lost = ", ".join(name for name in index.missing if name != "aliases")
    return [*checks, Check("tables there", len(index.tables), 0, (), f"no {lost}: not looked at")] if lost else checks


def _check_outside(index: MicrosoftIndex, graph: MicrosoftGraph) -> Check:
    covered = np.zeros(graph.n, bool)
    covered[graph.entity] = True
    outside = np.flatnonzero(~covered)
    ends = np.zeros(graph.n + 1, bool)
    ends[graph.source] = ends[graph.target] = True
    titles = texts(index["entities"]["title"], outside)
    note = f"{int(ends[outside].sum())} of these have edges; no report mentions them" if len(outside) else ""
    return listed("entities without a community", graph.n, titles, note)


def _check_shown(index: MicrosoftIndex, graph: MicrosoftGraph) -> list[Check]:
    owned, shown = shown_edges(graph)
    n_edges = max(len(graph.source), 1)
    reached = np.isin(owned, shown)
    inside = np.isin(shown, owned)
    ever = np.zeros(n_edges, bool)
    ever[shown % n_edges] = True
    share = (
        f"{reached.mean():.1%} of a community's own edges reach its report, before any cut at a budget"
        if len(owned)
        else "no edges"
    )
    never = np.flatnonzero(~ever[: len(graph.source)])
    return [
        checked("own edges not shown to reports", len(owned), _edges(index, owned[~reached] % n_edges), int((~reached).sum()), share),
        checked("edges shown that leave", len(shown), _edges(index, shown[~inside] % n_edges), int((~inside).sum())),
        checked("relationships in no report at all", len(graph.source), _edges(index, never), len(never)),
    ]  # fmt: skip


def _edges(index: MicrosoftIndex, rows: IntArray) -> list[str]:
    ends = (texts(index["relationships"][end], rows[:5]) for end in ("source", "target"))
    return [f"{a!r} - {b!r}" for a, b in zip(*ends, strict=True)]


def _check_levels(index: MicrosoftIndex, graph: MicrosoftGraph) -> Check:
    """Each level a partition, children within parents."""
    communities = index["communities"]
    parent = numbers(communities["parent"], communities["community"])
    keys = pairs(graph.level[graph.row], graph.entity, graph.n)
    present = pairs(graph.row, graph.entity, graph.n)
    due = pairs(parent[graph.row], graph.entity, graph.n)
    known = whole(communities["parent"]).is_valid().to_numpy(zero_copy_only=False)
    stray = known[graph.row] & (graph.level[graph.row] > 0) & ~np.isin(due, present)
    twice = len(keys) - len(np.unique(keys))
    number = texts(communities["community"], graph.row[stray])
    wrong = [f"community {n} has a member that its parent lacks" for n in number]
    if twice:
        wrong.insert(0, f"{twice} entities are in two communities of one level")
    return checked("levels are nested partitions", len(keys), wrong, twice + int(stray.sum()))


REFERENCES = (
    ("relationships", "source", "entities", "title"),
    ("relationships", "target", "entities", "title"),
    ("covariates", "subject_id", "entities", "title"),
    ("entities", "text_unit_ids", "text_units", "id"),
    ("relationships", "text_unit_ids", "text_units", "id"),
    ("covariates", "text_unit_id", "text_units", "id"),
    ("text_units", "document_id", "documents", "id"),
    ("text_units", "document_ids", "documents", "id"),
    ("text_units", "entity_ids", "entities", "id"),
    ("text_units", "relationship_ids", "relationships", "id"),
    ("text_units", "covariate_ids", "covariates", "id"),
    ("documents", "text_unit_ids", "text_units", "id"),
    ("communities", "entity_ids", "entities", "id"),
    ("communities", "relationship_ids", "relationships", "id"),
    ("communities", "text_unit_ids", "text_units", "id"),
    ("communities", "children", "communities", "community"),
    ("community_reports", "community", "communities", "community"),
)
"""Columns that name rows of another table: table, column, and the table and column that they name."""


def _check_references(index: MicrosoftIndex) -> list[Check]:
    """One check of all references, and one for each column where some do not resolve."""
    looked_at = 0
    broken: list[Check] = []
    for name, column, target, at in REFERENCES:
        values = whole(index[name][column])
        flat = pc.list_flatten(values) if pa.types.is_list(values.type) else values
        flat = flat.drop_null()
        if target in index.missing or not len(flat):
            continue
        looked_at += len(flat)
        lost = np.flatnonzero(numbers(flat, index[target][at]) < 0)
        if len(lost):
            distinct = list(dict.fromkeys(map(repr, texts(flat, lost))))
            broken.append(checked(f"{name}.{column} names nothing", len(flat), distinct, len(lost)))
    return broken or [Check("references", looked_at, 0)]


def _check_titles(index: MicrosoftIndex) -> Check:
    counts = pc.value_counts(whole(index["entities"]["title"])).to_pylist()
    wrong = [f"{row['values']!r} has {row['counts']} rows" for row in counts if row["counts"] > 1]
    return checked("titles with several rows", len(index["entities"]), wrong, len(index["entities"]) - len(counts))


def _check_pairs(index: MicrosoftIndex, graph: MicrosoftGraph) -> Check:
    """Rows that repeat a pair of entities, in the same or in the other direction."""
    known = np.flatnonzero((graph.source >= 0) & (graph.target >= 0))
    a, b = graph.source[known], graph.target[known]
    again = known[~first_of(pairs(np.minimum(a, b), np.maximum(a, b), graph.n))]
    return checked("pairs with several rows", len(known), _edges(index, again), len(again))


def _check_degrees(index: MicrosoftIndex) -> Check:
    """Degrees and frequencies against relationships and text units. A pair with two rows may count once or twice."""
    entities, edges = index["entities"], index["relationships"]
    names = pc.unique(pa.concat_arrays([whole(entities["title"]), whole(edges["source"]), whole(edges["target"])]))
    a, b, own = (numbers(column, names) for column in (edges["source"], edges["target"], entities["title"]))
    rows = np.bincount(np.concatenate([a, b]), minlength=len(names))
    distinct = np.unique(pairs(np.minimum(a, b), np.maximum(a, b), len(names)))
    neighbours = np.bincount(np.concatenate(np.divmod(distinct, max(len(names), 1))), minlength=len(names))
    odd = _differs(entities["degree"], rows[own]) & _differs(entities["degree"], neighbours[own])
    odd |= _differs(entities["frequency"], lengths(entities["text_unit_ids"]))
    wrong = (
        f"{title!r}: degree or frequency do not fit its rows" for title in texts(entities["title"], np.flatnonzero(odd))
    )
    return checked("degrees and frequencies", entities.num_rows, wrong, int(odd.sum()))


def _differs(stated: pa.ChunkedArray, counted: IntArray) -> BoolArray:
    """Return where a number is stated and is not the one counted."""
    known: BoolArray = whole(stated).is_valid().to_numpy(zero_copy_only=False)
    differs: BoolArray = pc.fill_null(whole(stated), 0).to_numpy(zero_copy_only=False) != counted
    return known & differs


def _check_reports(index: MicrosoftIndex) -> Check:
    number = whole(index["communities"]["community"])
    lost = np.flatnonzero(numbers(number, index["community_reports"]["community"]) < 0)
    wrong = [f"community {n}" for n in texts(number, lost)]
    return listed("communities without a report", len(number), wrong)


def _check_citations(index: MicrosoftIndex, graph: MicrosoftGraph) -> list[Check]:
    """Every number that a report cites, against the rows and against the report's community."""
    look = CitedRows(index, graph)
    wrong: list[str] = []
    total = leaving = cut = 0
    community = numbers(index["community_reports"]["community"], index["communities"]["community"])
    reports = rows_of(index["community_reports"], "community", "full_content")
    for (number, content), row in zip(reports, community.tolist(), strict=True):
        cut += n_cut(content or "")
        for citation in cited(content or ""):
            total += 1
            state = look.state(citation, row)
            leaving += state == "leaves"
            if state in ("missing", "outside"):
                wrong.append(f"report on {number} cites {citation.kind} {citation.number}: {state}")
    note = f"{leaving} more cite a relationship that leaves the community; {cut} lists end in +more"
    return [listed("citations that do not fit", total, wrong, note)]


def _check_claims(index: MicrosoftIndex) -> Check:
    rows = rows_of(index["covariates"], "subject_id", "description")
    empty = [f"about {subject!r}" for subject, description in rows if not description]
    return listed("claims that say nothing", index["covariates"].num_rows, empty)


def _check_units(index: MicrosoftIndex) -> Check:
    """Text units that are nowhere in their document, but for lines put before them and white space."""
    documents = {id: UnitFinder(text or "") for id, text in rows_of(index["documents"], "id", "text")}
    after: dict[str, int] = {}
    wrong: list[str] = []
    how: dict[str, int] = {}
    for id, text, own, several in rows_of(index["text_units"], "id", "text", "document_id", "document_ids"):
        for document in (own, *(several or ())):
            place = documents[document].place(text or "", after.get(document, 0)) if document in documents else None
            if place:
                after[document] = place.start + 1
                how[place.how] = how.get(place.how, 0) + 1
                break
        else:
            wrong.append(f"text unit {str(id)[:16]}: {(text or '')[:60]!r}")
    note = ", ".join(f"{count} {HOW[name]}" for name, count in sorted(how.items()))
    return listed("text units not in their document", index["text_units"].num_rows, wrong, note)


HOW = {
    "exact": "are there exactly",
    "prepended": "are there after lines that were put before them",
    "tolerant": "are there but for white space",
}
