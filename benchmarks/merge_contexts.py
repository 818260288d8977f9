"""CPU seconds of merging a million mentions of each kind and of 1,400 report contexts; with --stability, how many contexts
survive one percent of new edges, with communities kept and with communities found afresh.

Run from the project's folder: python benchmarks/merge_contexts.py [--stability]. All input is synthetic and seeded.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from zlib import crc32

import numpy as np
import pyarrow as pa

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pipeline.base.arrow.columns import FloatArray, IntArray
from pipeline.graph.contexts import ChildReports, Context, Elements, Kind, build_contexts, inner_degrees
from pipeline.graph.edges import modularity
from pipeline.graph.hierarchy import Hierarchy
from pipeline.graph.incremental import update_communities
from pipeline.graph.leiden import find_communities
from pipeline.graph.merge import merge_graph

Arrays = tuple[IntArray, IntArray, FloatArray]
BUDGET = 8000
WORDS = ["the", "march", "of", "an", "army", "along", "a", "river", "to", "the", "gates", "of", "a", "town"] * 2


def main() -> None:
    """Print the figures, the last line of them as JSON."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--stability", action="store_true", help="measure contexts kept after one percent of new edges"
    )
    figures = stability_figures() if options.parse_args().stability else {**merge_figures(), **contexts_figures()}
    for key, value in figures.items():
        print(f"{key:32} {value}")
    print(json.dumps(figures))


def merge_figures(n: int = 1_000_000, n_titles: int = 120_000, n_chunks: int = 25_000) -> dict[str, float]:
    """Return CPU seconds for merging n entity and n relationship mentions, and the rows that came of them."""
    entities, relationships, chunk_ids = synthetic_mentions(n, n_titles, n_chunks)
    start = time.process_time()
    merged = merge_graph(entities, relationships, chunk_ids)
    seconds = time.process_time() - start
    return {
        "merge_cpu_s": round(seconds, 2),
        "merge_entities": merged.entities.num_rows,
        "merge_relationships": merged.relationships.num_rows,
    }


def contexts_figures(n: int = 5400, m: int = 12_800) -> dict[str, float]:
    """Return CPU seconds for the contexts of about 1,400 communities of all levels, texts formatted and joined."""
    edges = power_law_graph(0, n, m)
    hierarchy = find_communities(*edges, n)
    start = time.process_time()
    texts = [text for _, text in context_texts(hierarchy, edges, n)]
    seconds = time.process_time() - start
    return {"contexts_cpu_s": round(seconds, 3), "contexts": len(texts), "contexts_characters": sum(map(len, texts))}


def stability_figures() -> dict[str, float]:
    """Return, for graphs of 1e4 and 1e5 edges, the share of contexts that stay word for word after one percent of new
    edges between old nodes (``edges``) or around new ones (``document``), and modularity beside a fresh clustering."""
    figures: dict[str, float] = {}
    for m in (10_000, 100_000):
        edges = power_law_graph(0, m * 2 // 5, m)
        n = m * 2 // 5
        before = find_communities(*edges, n)
        known = dict(context_texts(before, edges, n)).values()
        for kind, more in (("edges", random_edges(edges)), ("document", document_edges(edges, n))):
            now, n_now = both(edges, more), max(n, int(more[1].max()) + 1)
            start = time.process_time()
            stable, report = update_communities(before, np.arange(n), *now, n_now)
            seconds = time.process_time() - start
            fresh = find_communities(*now, n_now)
            name = f"{kind}_{m}"
            figures[f"{name}_kept_stable"] = kept_share(known, stable, now, n_now)
            figures[f"{name}_kept_fresh"] = kept_share(known, fresh, now, n_now)
            figures[f"{name}_loss"] = round(report.loss or 0.0, 5)
            figures[f"{name}_leaf_modularity_stable"] = round(modularity(*now, stable.leaves()), 4)
            figures[f"{name}_leaf_modularity_fresh"] = round(modularity(*now, fresh.leaves()), 4)
            figures[f"{name}_cpu_s"] = round(seconds, 2)
    return figures


def both(a: Arrays, b: Arrays) -> Arrays:
    """Return the edges of both."""
    return np.concatenate([a[0], b[0]]), np.concatenate([a[1], b[1]]), np.concatenate([a[2], b[2]])


def kept_share(known: Iterable[str], hierarchy: Hierarchy, edges: Arrays, n: int) -> float:
    """Return the share of a hierarchy's contexts that were known before."""
    texts = [text for _, text in context_texts(hierarchy, edges, n)]
    return round(len(set(known) & set(texts)) / len(texts), 4)


def power_law_graph(seed: int, n: int, m: int) -> Arrays:
    """Return edges, about m, of a graph of power-law degrees with groups of about 20 nodes that most edges stay in."""
    rng = np.random.default_rng(seed)
    share = rng.permutation(np.arange(1, n + 1) ** -0.6)
    group = np.sort(rng.integers(0, max(n // 20, 1), n))
    first = np.searchsorted(group, np.arange(group[-1] + 2))
    source = rng.choice(n, 2 * m, p=share / share.sum())
    width = first[group[source] + 1] - first[group[source]]
    inside = first[group[source]] + (rng.random(2 * m) ** 2 * width).astype(np.int64)
    target = np.where(rng.random(2 * m) < 0.85, inside, rng.choice(n, 2 * m, p=share / share.sum()))
    low, high = np.minimum(source, target), np.maximum(source, target)
    _, once = np.unique(low * n + high, return_index=True)
    used = np.sort(once)
    used = used[low[used] != high[used]][:m]
    return low[used], high[used], np.ones(len(used))


def random_edges(edges: Arrays) -> Arrays:
    """Return one percent more edges, between nodes drawn by degree."""
    rng = np.random.default_rng(1)
    ends = rng.choice(np.concatenate(edges[:2]), (2, len(edges[0]) // 100))
    ends = ends[:, ends[0] != ends[1]]
    return ends.min(axis=0), ends.max(axis=0), np.ones(ends.shape[1])


def document_edges(edges: Arrays, n: int) -> Arrays:
    """Return one percent more edges as new documents bring them: each among 20 nodes, half of them new."""
    rng = np.random.default_rng(2)
    size = len(edges[0]) // 100
    document = np.arange(size) // 50
    ends = np.concatenate(edges[:2])
    old = rng.choice(ends, (document[-1] + 1, 10))
    new = n + np.arange(10 * (document[-1] + 1)).reshape(-1, 10)
    nodes = np.concatenate([old, new], axis=1)
    a, b = (nodes[document, rng.integers(0, 20, size)] for _ in range(2))
    return np.minimum(a, b)[a != b], np.maximum(a, b)[a != b], np.ones(int((a != b).sum()))


def context_texts(hierarchy: Hierarchy, edges: Arrays, n: int) -> Iterator[tuple[int, str]]:
    """Yield (community, text of its context), bottom-up: every row formatted once and its tokens (characters / 4)
    counted once. A checksum of its context takes the place of a report, so that a changed child changes its parent, too."""
    source, target, _ = edges
    entities = [f"entity {node}: {' '.join(WORDS[node % 7 : 12 + node % 9])}\n" for node in range(n)]
    pairs = zip(source.tolist(), target.tolist(), strict=True)
    relationships = [f"{a} and {b}: {' '.join(WORDS[(a + b) % 9 :])}\n" for a, b in pairs]
    claims = [f"claim on {node}: {' '.join(WORDS[node % 5 :])}\n" for node in range(0, n, 2)]
    sizes = [tokens(some) for some in (entities, relationships, claims)]
    texts = {Kind.ENTITY: entities, Kind.RELATIONSHIP: relationships, Kind.CLAIM: claims}
    children: ChildReports | None = None
    reports: dict[int, str] = {}
    for labels in hierarchy.labels[::-1]:
        degrees = inner_degrees(source, target, labels)
        elements = Elements(sizes[0], source, target, sizes[1], degrees, np.arange(0, n, 2), sizes[2])
        contexts = list(build_contexts(elements, labels, BUDGET, children))
        written = {context.community: joined(context, texts, reports) for context in contexts}
        yield from written.items()
        children, reports = (
            reports_of(labels, contexts),
            {number: f"report {crc32(text.encode())}\n" for number, text in written.items()},
        )


def joined(context: Context, texts: dict[Kind, list[str]], reports: dict[int, str]) -> str:
    """Return the text of a context, in its order."""
    return "".join(reports[row] if kind is Kind.REPORT else texts[kind][row] for kind, row in context.evidence)


def reports_of(labels: IntArray, contexts: list[Context]) -> ChildReports:
    """Return reports of 300 tokens, or a third of their context where that is less."""
    sizes = np.minimum(300, np.array([context.tokens for context in contexts]) // 3)
    edges_shown = np.array([context.edges_shown for context in contexts])
    return ChildReports(labels, np.array([context.community for context in contexts]), sizes, edges_shown)


def tokens(texts: list[str]) -> IntArray:
    """Estimate the tokens of each text."""
    return np.fromiter((len(text) // 4 + 1 for text in texts), np.int64, len(texts))


def synthetic_mentions(n: int, n_titles: int, n_chunks: int) -> tuple[pa.Table, pa.Table, pa.Array]:
    """Return n mentions of each kind with few frequent and many rare titles, and the ids of chunks in reading order."""
    rng = np.random.default_rng(0)
    chunk_ids = pa.array([f"{number:020x}" for number in rng.permutation(n_chunks)])
    chunks = chunk_ids.take(pa.array(np.sort(rng.integers(0, n_chunks, n))))
    spelled = pa.array(
        [f"Entity Number {i}" for i in range(n_titles)] + [f"ENTITY NUMBER {i}" for i in range(n_titles)]
    )
    types = pa.array(["PERSON", "PLACE", "EVENT", "ORGANIZATION", "CONCEPT"])
    a = (rng.random(n) ** 3 * n_titles).astype(np.int64)
    near = (a + rng.integers(1, 8, n)) % n_titles
    b = np.where(rng.random(n) < 0.7, near, (rng.random(n) ** 3 * n_titles).astype(np.int64))
    said = rng.integers(0, 30, n).tolist()
    tales = [
        f"Entity number {i} is told of here, in a sentence of moderate length, as number {j}."
        for i, j in zip(a.tolist(), said, strict=True)
    ]
    links = [
        f"{i} and {j} stand together in a sentence of number {k}"
        for i, j, k in zip(a.tolist(), b.tolist(), said, strict=True)
    ]
    entities = {
        "chunk_id": chunks,
        "title": spelled.take(pa.array(a + n_titles * (rng.random(n) < 0.1))),
        "type": types.take(pa.array(rng.integers(0, 5, n))),
        "description": pa.array(tales),
    }
    relationships = {
        "chunk_id": chunks,
        "source": spelled.take(pa.array(a)),
        "target": spelled.take(pa.array(b)),
        "description": pa.array(links),
        "weight": pa.array(rng.integers(1, 10, n).astype(np.float64)),
    }
    return pa.table(entities), pa.table(relationships), chunk_ids


if __name__ == "__main__":
    main()
