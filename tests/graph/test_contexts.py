"""Promises of report contexts: prominent evidence first, nothing twice, nothing from outside, never over the budget."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.base.arrow.columns import IntArray
from pipeline.graph.contexts import ChildReports, Context, Elements, EvidencePiece, Kind, build_contexts, inner_degrees
from pipeline.graph.edges import canonical_edges
from pipeline.graph.hierarchy import Hierarchy
from pipeline.graph.leiden import Options, find_communities
from tests.graph_cases import random_graph

E, C, R, P = Kind.ENTITY, Kind.CLAIM, Kind.RELATIONSHIP, Kind.REPORT


def elements_of(edges: list[tuple[int, int]], n: int, claims: list[int], tokens: int = 1) -> Elements:
    """Return elements whose every piece has ``tokens`` tokens."""
    source, target = np.array(edges, np.int64).reshape(-1, 2).T
    degree = np.bincount(np.concatenate([source, target]), minlength=n)
    sizes = [np.full(size, tokens, np.int64) for size in (n, len(edges), len(claims))]
    return Elements(
        sizes[0], source, target, sizes[1], degree[source] + degree[target], np.array(claims, np.int64), sizes[2]
    )


def shown(context: Context) -> list[tuple[Kind, int]]:
    """Return the evidence as plain pairs."""
    return [(piece.kind, piece.row) for piece in context.evidence]


def test_edges_come_by_combined_degree_after_their_ends_and_claims_everything_once() -> None:
    elements = elements_of([(0, 1), (1, 2), (1, 3), (2, 3)], 5, claims=[2, 1])
    [context] = build_contexts(elements, np.array([0, 0, 0, 0, -1]), 100)
    assert shown(context) == [
        (E, 1), (E, 2), (C, 1), (C, 0), (R, 1),
        (E, 3), (R, 2),
        (E, 0), (R, 0),
        (R, 3),
    ]  # fmt: skip
    assert (context.tokens, context.edges_owned, context.edges_shown, context.omitted) == (10, 4, 4, 0)


def test_edges_that_leave_the_community_are_not_shown() -> None:
    elements = elements_of([(0, 1), (1, 2)], 3, claims=[])
    first, second = build_contexts(elements, np.array([4, 4, 9]), 100)
    assert (first.community, shown(first)) == (4, [(E, 0), (E, 1), (R, 0)])
    assert (second.community, shown(second), second.edges_owned) == (9, [(E, 2)], 0)


def test_entities_without_an_edge_inside_are_still_listed_with_their_claims() -> None:
    elements = elements_of([(0, 3), (1, 3)], 4, claims=[2])
    [context] = build_contexts(elements, np.array([0, 0, 0, -1]), 100)
    assert shown(context) == [(E, 0), (E, 1), (E, 2), (C, 0)]


def test_the_context_ends_where_the_budget_does() -> None:
    elements = elements_of([(0, 1), (1, 2)], 3, claims=[], tokens=10)
    [context] = build_contexts(elements, np.zeros(3, np.int64), 39)
    assert shown(context) == [(E, 0), (E, 1), (R, 0)]
    assert (context.tokens, context.edges_shown, context.omitted) == (30, 1, 2)


def test_a_piece_above_the_whole_budget_does_not_hide_the_others() -> None:
    elements = elements_of([(0, 1)], 2, claims=[])
    elements.entity_tokens[0] = 1000
    [context] = build_contexts(elements, np.zeros(2, np.int64), 10)
    assert shown(context) == [(E, 1), (R, 0)] and context.omitted == 1


def children_of(labels: list[int], reports: dict[int, tuple[int, int]]) -> ChildReports:
    """Return child reports from (tokens, edges shown) by community."""
    columns = [np.array(values, np.int64) for values in zip(*reports.values(), strict=True)]
    return ChildReports(np.array(labels), np.array(list(reports), np.int64), *columns)


def test_child_reports_are_left_out_when_everything_fits() -> None:
    elements = elements_of([(0, 1), (2, 3)], 4, claims=[])
    children = children_of([5, 5, 6, 6], {5: (1, 1), 6: (1, 1)})
    [context] = build_contexts(elements, np.zeros(4, np.int64), 6, children)
    assert context.children_used == [] and context.edges_shown == 2


def test_the_report_of_the_largest_child_replaces_its_elements_first_and_only_as_many_as_needed() -> None:
    elements = elements_of([(0, 1), (2, 3), (3, 4), (1, 2)], 5, claims=[], tokens=10)
    children = children_of([5, 5, 6, 6, 6], {5: (12, 1), 6: (15, 2)})
    [context] = build_contexts(elements, np.zeros(5, np.int64), 60, children)
    assert shown(context) == [(P, 6), (E, 1), (R, 3), (E, 0), (R, 0)]
    assert (context.tokens, context.children_used, context.edges_shown, context.omitted) == (55, [6], 4, 0)
    [both] = build_contexts(elements, np.zeros(5, np.int64), 40, children)
    assert shown(both) == [(P, 6), (P, 5), (R, 3)] and both.edges_shown == 4


def test_a_report_that_is_no_shorter_than_its_elements_and_a_missing_one_replace_nothing() -> None:
    elements = elements_of([(0, 1), (2, 3)], 4, claims=[], tokens=10)
    children = children_of([5, 5, 6, 6], {5: (30, 1)})
    [context] = build_contexts(elements, np.zeros(4, np.int64), 40, children)
    assert context.children_used == [] and shown(context) == [(E, 0), (E, 1), (R, 0), (E, 2)]


def test_no_communities_and_no_elements_give_no_contexts() -> None:
    assert list(build_contexts(elements_of([], 0, []), np.zeros(0, np.int64), 10)) == []
    assert list(build_contexts(elements_of([], 2, []), np.full(2, -1), 10)) == []


def slow_context(elements: Elements, members: set[int], budget: int) -> list[EvidencePiece]:
    """Return the evidence of a community without children by the rule as it reads, one piece after the other."""
    source, target = elements.source.tolist(), elements.target.tolist()
    edges = [edge for edge in range(len(source)) if source[edge] in members and target[edge] in members]
    order: list[EvidencePiece] = []

    def add(kind: Kind, row: int) -> None:
        if EvidencePiece(kind, row) not in order:
            order.append(EvidencePiece(kind, row))

    def add_entities(*entities: int) -> None:
        for entity in entities:
            add(E, entity)
        for entity in entities:
            for claim in np.flatnonzero(elements.claim_entity == entity).tolist():
                add(C, claim)

    for edge in sorted(edges, key=lambda edge: (-elements.combined_degree[edge], edge)):
        add_entities(source[edge], target[edge])
        add(R, edge)
    for entity in sorted(members):
        add_entities(entity)
    tokens = {E: elements.entity_tokens, C: elements.claim_tokens, R: elements.relationship_tokens}
    total, result = 0, []
    for piece in order:
        size = int(tokens[piece.kind][piece.row])
        if size > budget:
            continue
        total += size
        if total > budget:
            break
        result.append(piece)
    return result


def random_elements(seed: int, n: int, density: float) -> tuple[Elements, Hierarchy]:
    """Return the elements of a random graph and its communities."""
    rng = np.random.default_rng(seed)
    edges = random_graph(seed, n, density)
    source, target, weight = canonical_edges(*edges, n)
    degree = np.bincount(np.concatenate([source, target]), minlength=n)

    def tokens(size: int) -> IntArray:
        return rng.integers(1, 30, size)

    claims = rng.integers(0, n, n // 2)
    elements = Elements(
        tokens(n), source, target, tokens(len(source)), degree[source] + degree[target], claims, tokens(len(claims))
    )
    return elements, find_communities(source, target, weight, n, options=Options(iterations=2))


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 60), st.sampled_from([0, 1, 3]), st.sampled_from([5, 40, 200, 5000]))
def test_contexts_are_what_the_rule_says_read_slowly(seed: int, n: int, density: float, budget: int) -> None:
    elements, hierarchy = random_elements(seed, n, density)
    for labels in hierarchy.labels:
        for context in build_contexts(elements, labels, budget):
            members = set(np.flatnonzero(labels == context.community).tolist())
            assert context.evidence == slow_context(elements, members, budget)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 80), st.sampled_from([0, 1, 3]), st.sampled_from([30, 100, 400]))
def test_bottom_up_contexts_keep_to_the_budget_and_to_their_community(
    seed: int, n: int, density: float, budget: int
) -> None:
    elements, hierarchy = random_elements(seed, n, density)
    tokens = {E: elements.entity_tokens, C: elements.claim_tokens, R: elements.relationship_tokens}
    parent = {row.community: row.parent for row in hierarchy.rows}
    children = None
    for labels in hierarchy.labels[::-1]:
        contexts = list(build_contexts(elements, labels, budget, children))
        assert [context.community for context in contexts] == sorted(set(labels[labels >= 0].tolist()))
        for context in contexts:
            assert len(set(context.evidence)) == len(context.evidence)
            assert context.tokens <= budget and context.edges_shown <= context.edges_owned
            assert all(parent[child] == context.community for child in context.children_used)
            entities = [piece.row for piece in context.evidence if piece.kind is E]
            assert (labels[entities] == context.community).all()
            assert context.tokens == sum(
                10 if piece.kind is P else int(tokens[piece.kind][piece.row]) for piece in context.evidence
            )
        sizes = np.full(len(contexts), 10)
        edges = np.array([context.edges_shown for context in contexts], np.int64)
        children = ChildReports(labels, np.array([context.community for context in contexts]), sizes, edges)


def test_with_inner_degrees_edges_elsewhere_change_no_context() -> None:
    inside = [(0, 1), (1, 2), (2, 6), (6, 7)]
    before = elements_of([*inside, (3, 4)], 8, claims=[])
    after = elements_of([*inside, (3, 4), (7, 4), (7, 5), (7, 3)], 8, claims=[])
    labels = np.array([0, 0, 0, 1, 1, 1, 0, 0])
    whole = [next(iter(build_contexts(elements, labels, 50))) for elements in (before, after)]
    assert whole[0].evidence != whole[1].evidence
    inner = [
        replace(given, combined_degree=inner_degrees(given.source, given.target, labels)) for given in (before, after)
    ]
    local = [next(iter(build_contexts(elements, labels, 50))) for elements in inner]
    assert local[0] == local[1]
    assert local[0].rows(R) == [1, 2, 0, 3]
