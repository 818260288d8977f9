"""Promises of placing: best neighbours by summed weight, ties to the smaller number, lone nodes by group."""

import numpy as np

from pipeline.graph.attach_nodes import join_neighbours, place_lone, strays
from pipeline.graph.edges import canonical_edges


def test_a_node_joins_where_its_weights_sum_highest_and_a_tie_goes_to_the_smaller_number() -> None:
    edges = canonical_edges(np.array([4, 4, 4, 5, 5]), np.array([0, 1, 2, 2, 0]), np.array([1.0, 1, 1.5, 1, 1]), 6)
    labels = join_neighbours(edges, np.array([3, 3, 1, 1, -1, -1]), np.zeros(6, np.int64))
    assert labels.tolist() == [3, 3, 1, 1, 3, 1]


def test_nodes_join_in_rounds_and_only_within_their_parent() -> None:
    edges = canonical_edges(np.array([0, 1, 2, 3]), np.array([1, 2, 3, 4]), np.ones(4), 5)
    labels = join_neighbours(edges, np.array([7, -1, -1, -1, 8]), np.array([0, 0, 0, 1, 1]))
    assert labels.tolist() == [7, 7, 7, 8, 8]


def test_nodes_whose_edges_all_leave_their_community_are_strays_unless_leiden_would_leave_them_alone() -> None:
    edges = canonical_edges(np.array([0, 0, 1, 3, 4]), np.array([1, 2, 2, 0, 1]), np.ones(5), 7)
    assert strays(edges, np.array([0, 0, 0, 1, 1, 1, 1]), 1.0).tolist() == [3, 4]
    assert strays(edges, np.array([0, 0, 0, 1, 0, 2, 2]), 1.0).tolist() == [3]
    assert strays(edges, np.array([0, 0, 0, 1, 0, 2, 2]), 50.0).tolist() == []


def test_lone_nodes_keep_their_place_among_their_like_and_others_move_out() -> None:
    labels = np.array([0, 0, 5, 5, 5, -1])
    placed = place_lone(labels, np.array([1, 2, 3, 4, 5]), np.array([0, 1, 1, 1, 2, 1]), 3, 9)
    assert placed.tolist() == [0, 5, 5, 5, 10, 9]
