"""Checks of communities and their reports: partitions, kinship, what a report owns, shows and cites."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.columns import BoolArray, IntArray, numbers, pairs, rows_of, texts, whole
from pipeline.base.arrow.lists import members
from pipeline.exchange.microsoft.communities import Tree, communities_table
from pipeline.exchange.microsoft.graph import graph_of, shown_edges
from pipeline.exchange.verify.check import Check, checked, listed
from pipeline.exchange.verify.tables import Tables

FOLLOWS = ("children", "title", "entity_ids", "relationship_ids", "chunk_ids", "size")
"""Columns of communities that follow from who is in which."""


class Kin(NamedTuple):
    """Communities as numbers: each one's level, the row of its parent (-1 at level 0, -2 where there is none such), and
    its members as pairs of row and entity."""

    number: IntArray
    level: IntArray
    parent: IntArray
    row: IntArray
    entity: IntArray
    n_entities: int


def kin(tables: Tables) -> Kin:
    """Return the communities of an index as numbers."""
    communities, entities = tables["communities"], tables["entities"]
    number, level, stated = (whole(communities[name]).to_numpy() for name in ("community", "level", "parent"))
    parent = numbers(communities["parent"], communities["community"])
    parent = np.where(stated == -1, -1, np.where(parent < 0, -2, parent))
    row, ids = members(communities["entity_ids"])
    entity = numbers(ids, entities["id"])
    return Kin(number, level, parent, row[entity >= 0], entity[entity >= 0], entities.num_rows)


def check_cover(tables: Tables) -> Check:
    """Every entity is in a community of level 0."""
    of = kin(tables)
    covered = np.zeros(of.n_entities, bool)
    covered[of.entity[of.level[of.row] == 0]] = True
    wrong = (f"{title!r} is in no community of level 0" for title in _titles(tables, np.flatnonzero(~covered)))
    return checked("no entity without a community", of.n_entities, wrong, int((~covered).sum()))


def check_partition(tables: Tables) -> Check:
    """No entity is in two communities of one level."""
    of = kin(tables)
    keys = pairs(of.level[of.row], of.entity, of.n_entities)
    distinct, counts = np.unique(keys, return_counts=True)
    twice = distinct[counts > 1]
    names = _titles(tables, twice[:5] % max(of.n_entities, 1))
    levels = (twice[:5] // max(of.n_entities, 1)).tolist()
    wrong = (f"{title!r} is in several communities of level {n}" for title, n in zip(names, levels, strict=True))
    return checked("each level a partition", len(keys), wrong, int((counts[counts > 1] - 1).sum()))


def check_nesting(tables: Tables) -> Check:
    """Children are one level down, are listed by their parent, and share out its members, none more and none less."""
    of = kin(tables)
    wrong = list(_misplaced(of))
    wrong += list(_unlisted(tables, of))
    at = {"a member that its parent lacks": _strangers(of), "a member that none of its children has": _left(of)}
    faults = len(wrong)
    for what, (row, entity) in at.items():
        faults += len(row)
        names = _titles(tables, entity[:3])
        wrong += [f"community {of.number[r]}: {what}: {t!r}" for r, t in zip(row[:3], names, strict=True)]
    return checked("children within parents", len(of.number) + len(of.row), wrong, faults)


def _misplaced(of: Kin) -> Iterator[str]:
    for number, level, parent in zip(of.number, of.level, of.parent, strict=True):
        if parent == -2:
            yield f"community {number} names a parent that is not there"
        elif (parent == -1) != (level == 0):
            yield f"community {number} of level {level} has {'no' if parent == -1 else 'a'} parent"
        elif parent >= 0 and of.level[parent] != level - 1:
            yield f"community {number} of level {level} has a parent of level {of.level[parent]}"


def _unlisted(tables: Tables, of: Kin) -> Iterator[str]:
    """Yield where parents and children do not name each other."""
    owner, children = members(tables["communities"]["children"])
    n = len(of.number)
    down = pairs(owner, numbers(children, tables["communities"]["community"]), n)
    rows = np.arange(n)
    up = pairs(of.parent[of.parent >= 0], rows[of.parent >= 0], n)
    for key in np.setxor1d(down[down >= 0], up).tolist():
        yield f"community {of.number[key // n]} and its child {of.number[key % n]} do not name each other"


def _strangers(of: Kin) -> tuple[IntArray, IntArray]:
    """Return members that are not among those of their community's parent."""
    keys = pairs(of.row, of.entity, of.n_entities)
    below = of.parent[of.row] >= 0
    due = pairs(of.parent[of.row], of.entity, of.n_entities)
    odd = below & ~np.isin(due, keys)
    return of.row[odd], of.entity[odd]


def _left(of: Kin) -> tuple[IntArray, IntArray]:
    """Return members of communities with children that are in none of these."""
    split = np.zeros(len(of.number), bool)
    split[of.parent[of.parent >= 0]] = True
    below = of.parent[of.row] >= 0
    shared = pairs(of.parent[of.row], of.entity, of.n_entities)[below]
    odd = split[of.row] & ~np.isin(pairs(of.row, of.entity, of.n_entities), shared)
    return of.row[odd], of.entity[odd]


def check_contents(tables: Tables) -> Check:
    """A community has the title, size, relationships and chunks that follow from its members, in the order of their tables."""
    of = kin(tables)
    labels = [np.full(of.n_entities, -1, np.int64) for _ in range(int(of.level.max(initial=-1)) + 1)]
    for level, row, entity in zip(of.level[of.row].tolist(), of.row.tolist(), of.entity.tolist(), strict=True):
        labels[level][entity] = of.number[row]
    parent = {
        number: int(of.number[row]) if row >= 0 else row
        for number, row in zip(of.number.tolist(), of.parent.tolist(), strict=True)
    }
    due = communities_table(Tree(parent, labels, frozenset()), tables["entities"], tables["relationships"])
    made = {number: rest for number, *rest in rows_of(due, "community", *FOLLOWS)}
    wrong = []
    for number, *stated in rows_of(tables["communities"], "community", *FOLLOWS):
        odd = [name for name, one, other in zip(FOLLOWS, stated, made.get(number, stated), strict=True) if one != other]
        if odd:
            wrong.append(f"community {number}: its {' and '.join(odd)} are not those of its members")
    return listed("what communities hold", len(of.number), wrong)


def check_reports(tables: Tables) -> Check:
    """Each community has one report, of its level, made of its own children's reports."""
    communities, reports = tables["communities"], tables["community_reports"]
    of = kin(tables)
    row = numbers(reports["community"], communities["community"])
    count = np.bincount(row[row >= 0], minlength=len(of.number))
    wrong = [f"community {of.number[i]} has {count[i]} reports" for i in np.flatnonzero(count != 1).tolist()]
    levels = whole(reports["level"]).to_numpy()
    wrong += [f"report on {of.number[row[i]]}: wrong level" for i in _at((row >= 0) & (levels != of.level[row]))]
    owner, used = members(reports["children_used"])
    child = numbers(used, communities["community"])
    odd = (child < 0) | (of.parent[child] != row[owner])
    wrong += [f"report on {of.number[row[owner[i]]]} uses one that is no child's" for i in _at(odd)]
    return checked("a report for each community", len(of.number) + len(used), wrong, len(wrong))


def check_edges(tables: Tables) -> list[Check]:
    """What a report owns is counted anew; what it shows is no more than that, and the share is stated."""
    reports, of = tables["community_reports"], kin(tables)
    row = shown_edges(graph_of(tables)).owned // max(tables["relationships"].num_rows, 1)
    at = numbers(reports["community"], tables["communities"]["community"])
    owned = np.where(at >= 0, np.bincount(row, minlength=len(of.number))[at], 0)
    stated, shown = (whole(reports[name]).to_numpy() for name in ("edges_owned", "edges_shown"))
    number = whole(reports["community"]).to_numpy()
    odd, more = stated != owned, (shown > owned) | (shown < 0)
    wrong = (f"report on {number[i]} says it owns {stated[i]} relationships, it has {owned[i]}" for i in _at(odd))
    beyond = (f"report on {number[i]} shows {shown[i]} of {owned[i]} relationships" for i in _at(more))
    share = f"{shown.sum() / owned.sum():.1%} of {owned.sum():,} owned" if owned.sum() else "none to show"
    return [
        checked("relationships owned", len(number), wrong, int(odd.sum())),
        checked("relationships shown", len(number), beyond, int(more.sum()), f"shown {share}"),
    ]


def check_citations(tables: Tables) -> list[Check]:
    """What summaries and findings cite is there, and lies in their community: entities and relationships inside, claims
    about its entities, reports on its children."""
    reports, of = tables["community_reports"], kin(tables)
    finding, structs = members(reports["findings"])
    in_finding, in_findings = members(pc.struct_field(structs, "citations"))
    in_summary, in_summaries = members(reports["summary_citations"])
    report = np.concatenate([finding[in_finding], in_summary])
    ids = pa.concat_arrays([in_findings, in_summaries])
    community = numbers(reports["community"], tables["communities"]["community"])[report]
    fits, known = _fits(tables, of, ids, community)
    number = texts(reports["community"], report)
    cited = ids.to_pylist()
    lost = (f"report on {number[i]} cites {cited[i]}, which is not there" for i in _at(~known))
    odd = known & ~fits
    outside = (f"report on {number[i]} cites {cited[i]}, which is outside its community" for i in _at(odd))
    return [
        checked("citations resolve", len(cited), lost, int((~known).sum())),
        checked("citations lie in their community", len(cited), outside, int(odd.sum())),
    ]


def _fits(tables: Tables, of: Kin, ids: pa.Array, community: IntArray) -> tuple[BoolArray, BoolArray]:
    """Return for each cited id whether it lies in the community (a row), and whether it is there at all."""
    titles = tables["entities"]["title"]
    present = pairs(of.row, of.entity, of.n_entities)
    entity = numbers(ids, tables["entities"]["id"])
    edge, claim = (numbers(ids, tables[name]["id"]) for name in ("relationships", "claims"))
    report = numbers(ids, tables["community_reports"]["id"])
    ends = [_taken(numbers(tables["relationships"][end], titles), edge) for end in ("source", "target")]
    subject = _taken(numbers(tables["claims"]["subject"], titles), claim)
    about = numbers(tables["community_reports"]["community"], tables["communities"]["community"])
    of_child = _taken(np.where(about >= 0, of.parent[about], -1), report)

    def member(of_entity: IntArray) -> BoolArray:
        keys = pairs(community, of_entity, of.n_entities)
        found: BoolArray = (keys >= 0) & np.isin(keys, present)
        return found

    fits = member(entity) | (member(ends[0]) & member(ends[1])) | member(subject)
    fits |= (of_child >= 0) & (of_child == community)
    return fits, (entity >= 0) | (edge >= 0) | (claim >= 0) | (report >= 0)


def _taken(values: IntArray, rows: IntArray) -> IntArray:
    """Return the values at some rows, -1 where the row is -1."""
    return np.append(values, -1)[rows]


def _titles(tables: Tables, entities: IntArray) -> list[str]:
    return texts(tables["entities"]["title"], entities[:5])


def _at(mask: BoolArray) -> list[int]:
    found: list[int] = np.flatnonzero(mask).tolist()
    return found
