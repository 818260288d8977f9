"""How long communities take on a large graph, and how much memory: planted communities, up to ten million edges.

The hierarchy is found whole, every level. ``cpu_s`` and ``loops`` are of one process, whose threads share levels below
the first; ``peak_mb`` is its largest size; ``largest_leaf`` must not exceed the size that settings ask for.

    python benchmarks/communities.py [--edges 1000000]
"""

import argparse
import json
import resource
import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.measure import loop_cpu_s
from pipeline.graph.edges import modularity
from pipeline.graph.leiden import MAX_SIZE, find_communities

EDGES_PER_NODE, PLANTED, WITHIN = 10, 50, 0.7
"""Edges for each node, nodes of a planted community, and the share of edges that stay inside one."""


def main() -> None:
    """Measure; the last line is one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edges", type=int, default=1_000_000, help="edges of the graph")
    edges = parser.parse_args().edges
    nodes = edges // EDGES_PER_NODE
    random = np.random.default_rng(1431)
    source = random.integers(0, nodes, edges)
    near = source // PLANTED * PLANTED + random.integers(0, PLANTED, edges)
    target = np.where(random.random(edges) < WITHIN, np.minimum(near, nodes - 1), random.integers(0, nodes, edges))
    weight = random.integers(1, 5, edges).astype(np.float64)
    started, cpu = time.perf_counter(), time.process_time()
    found = find_communities(source, target, weight, nodes)
    wall, cpu = time.perf_counter() - started, time.process_time() - cpu
    first, leaf = found.labels[0], found.labels.max(axis=0)
    per_mb = 1_000_000 if sys.platform == "darwin" else 1000
    figures = {
        "edges": edges,
        "wall_s": round(wall),
        "cpu_s": round(cpu),
        "loops": round(cpu / loop_cpu_s()),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / per_mb),
        "levels": found.n_levels,
        "modularity": round(modularity(source, target, weight, first), 3),
        "largest_leaf": int(np.unique(leaf, return_counts=True)[1].max()),
        "max_size": MAX_SIZE,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
