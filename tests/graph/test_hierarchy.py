"""Promises of the hierarchy: rows and labels say the same, covers are partitions, numbers follow the smallest member."""

import numpy as np

from pipeline.graph.hierarchy import Hierarchy, numbered
from pipeline.graph.leiden import find_communities
from tests.graph_cases import random_graph


def test_the_rows_say_what_the_labels_say() -> None:
    hierarchy = find_communities(*random_graph(1, 80, 2), 80)
    again = np.full_like(hierarchy.labels, -1)
    for row in hierarchy.rows:
        again[row.level, row.members] = row.community
    assert np.array_equal(again, hierarchy.labels)


def test_a_cover_holds_every_node_once_at_the_level_or_at_its_leaf() -> None:
    hierarchy = Hierarchy(np.array([[0, 0, 0, 1], [2, 2, 3, -1]]))
    assert hierarchy.cover(0).tolist() == [0, 0, 0, 1]
    assert hierarchy.cover(1).tolist() == hierarchy.leaves().tolist() == [2, 2, 3, 1]


def test_numbers_below_the_first_stay_and_others_follow_level_and_smallest_member() -> None:
    levels = [np.array([9, 9, 2, 7]), np.array([-1, -1, 30, 20])]
    assert numbered(levels, first=5).labels.tolist() == [[5, 5, 2, 6], [-1, -1, 7, 8]]
    assert numbered(levels).labels.tolist() == [[0, 0, 1, 2], [-1, -1, 3, 4]]
