"""CPU seconds and memory of laying out the map of 20,000 entities and 60,000 relationships, and how much of it stays where
it was when one percent more edges come.

Run from the project's folder: python benchmarks/layout.py [ENTITIES [RELATIONSHIPS]]. The graph is synthetic and seeded.
"""

import json
import resource
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pipeline.graph.edges import Edges, canonical_edges
from pipeline.graph.incremental import update_communities
from pipeline.graph.layout import Before, lay_out
from pipeline.graph.leiden import find_communities


def main() -> None:
    """Print the figures, the last line of them as JSON."""
    n, m = [*map(int, sys.argv[1:]), *(20_000, 66_000)[len(sys.argv) - 1 :]]
    edges = graph(n, m)
    hierarchy = find_communities(*edges, n)
    degree = np.bincount(np.concatenate([edges.source, edges.target]), minlength=n)
    start = time.process_time()
    layout = lay_out(hierarchy.labels, edges, degree)
    fresh_s = time.process_time() - start
    more = graph(n, m // 100, seed=1)
    grown = canonical_edges(*(np.concatenate([old, new]) for old, new in zip(edges, more, strict=True)), n)
    after, _ = update_communities(hierarchy, np.arange(n), *grown, n, compare=False)
    start = time.process_time()
    again = lay_out(after.labels, grown, degree, Before(hierarchy.labels, layout))
    update_s = time.process_time() - start
    distance = np.hypot(*(again.nodes - layout.nodes).T)
    figures = {
        "entities": n,
        "relationships": len(edges.source),
        "communities": len(layout.disks),
        "layout_cpu_s": round(fresh_s, 2),
        "update_cpu_s": round(update_s, 2),
        "peak_mb": round(
            resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1024)
        ),
        "stayed": round(float((distance == 0).mean()), 3),
        "stayed_nearby": round(float((distance < 0.05 * np.ptp(layout.nodes)).mean()), 3),
    }
    for key, value in figures.items():
        print(f"{key:20} {value}")
    print(json.dumps(figures))


def graph(n: int, m: int, seed: int = 0) -> Edges:
    """Return a graph of groups of about forty entities, with hubs in each and over all of them."""
    rng = np.random.default_rng(seed)
    size = 40
    source = rng.integers(0, n, m)
    near = source // size * size + (rng.random(m) ** 2 * size).astype(np.int64)
    far = (rng.random(m) ** 2 * n).astype(np.int64)
    target = np.minimum(np.where(rng.random(m) < 0.8, near, far), n - 1)
    return canonical_edges(source, target, np.ones(m), n)


if __name__ == "__main__":
    main()
