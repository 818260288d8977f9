"""The table layout, written from a graph and its communities and read back."""

import numpy as np
import pyarrow as pa

from pipeline.base.arrow.build import to_numpy
from pipeline.base.arrow.columns import FloatArray, rows_of
from pipeline.base.schema import LAYOUT
from pipeline.graph.convert import community_labels, edge_arrays
from pipeline.graph.edges import canonical_edges
from pipeline.graph.layout import Before, Disk, Layout, lay_out


def layout_rows(nodes: pa.Table, relationships: pa.Table, communities: pa.Table, before: Before | None) -> pa.Table:
    """Return rows of the table layout: entities in their order, then communities in theirs."""
    edges = canonical_edges(*edge_arrays(nodes, relationships), nodes.num_rows)
    labels = community_labels(communities, nodes["id"])
    layout = lay_out(labels, edges, to_numpy(nodes["degree"]), before)
    placed = labels >= 0
    depth = len(labels) - 1 - np.argmax(placed[::-1], axis=0) if len(labels) else np.zeros(nodes.num_rows, np.int64)
    rows: list[tuple[object, ...]] = []
    for node, (id, (x, y)) in enumerate(zip(nodes["id"].to_pylist(), layout.nodes.tolist(), strict=True)):
        leaf = int(labels[depth[node], node]) if len(labels) else -1
        rows.append((id, leaf if leaf >= 0 else None, int(depth[node]) if leaf >= 0 else 0, x, y, 0.0))
    listed = zip(communities["community"].to_pylist(), communities["level"].to_pylist(), strict=True)
    rows += [(None, number, level, *layout.disks[number]) for number, level in listed if number in layout.disks]
    return LAYOUT.rows(rows)


def read_layout(table: pa.Table, entity_ids: pa.ChunkedArray) -> Layout:
    """Return the layout that a table holds, its nodes in the order of ``entity_ids``, NaN for those it lacks."""
    places: dict[str, tuple[float, float]] = {}
    disks: dict[int, Disk] = {}
    for entity, community, x, y, radius in rows_of(table, "entity", "community", "x", "y", "radius"):
        if entity is None:
            disks[community] = Disk(x, y, radius)
        else:
            places[entity] = (x, y)
    unknown = (np.nan, np.nan)
    nodes: FloatArray = np.array([places.get(id, unknown) for id in entity_ids.to_pylist()]).reshape(-1, 2)
    return Layout(nodes, disks)
