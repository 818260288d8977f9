"""The map: entities and communities with their places, edges between communities, and real edges where somebody looks."""

from collections.abc import Iterable
from typing import Annotated, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pydantic import Field
from typing_extensions import TypedDict

from pipeline.base.arrow.build import array, to_numpy
from pipeline.base.arrow.columns import IntArray, whole
from pipeline.base.errors import StoreError
from pipeline.graph.convert import community_labels
from pipeline.web.endpoint import Registry, RequestError, endpoint
from pipeline.web.projects import OpenIndex, ServedProject
from pipeline.web.replies import encoded_once

ENDPOINTS: Registry = []

ALL_EDGES = 2000
"""Entities up to which the map has every edge."""
MOST_EDGES = 5000
"""Most edges in focus of one reply, the heaviest first."""
DECIMALS = 2


class MapNodes(TypedDict):
    """Columns, one value an entity: ``type`` is an index into ``types``, ``community`` and ``leaf`` into the communities (-1
    for none): the one of level 0, and the one at the level asked or the leaf above it. Where only some are named, ``id`` and
    ``name`` of the others are empty."""

    id: list[str]
    name: list[str]
    type: list[int]
    types: list[str]
    degree: list[int]
    x: list[float]
    y: list[float]
    size: list[float]
    community: list[int]
    leaf: list[int]


class MapNames(TypedDict):
    """Columns, one value an entity, in the order of the map's nodes."""

    id: list[str]
    name: list[str]


class MapCommunities(TypedDict):
    """Columns, one value a community; ``parent`` is an index, -1 at level 0; ``id`` is its number."""

    id: list[int]
    level: list[int]
    parent: list[int]
    title: list[str]
    x: list[float]
    y: list[float]
    r: list[float]
    size: list[int]


class MapEdges(TypedDict):
    """Columns, one value an edge: indexes of its two nodes or communities, and its weight."""

    source: list[int]
    target: list[int]
    weight: list[float]


class MapReply(TypedDict):
    """The map at one level."""

    level: int
    levels: int
    bounds: list[float]
    nodes: MapNodes
    communities: MapCommunities
    edges: MapEdges
    bundles: MapEdges


class FocusEdges(TypedDict):
    """Columns, one value a relationship: its id, the ids of its entities, its weight and description."""

    id: list[str]
    source: list[str]
    target: list[str]
    weight: list[float]
    description: list[str]


class FocusReply(TypedDict):
    """Real edges in focus; ``total`` counts all there are, the heaviest of which are listed."""

    edges: FocusEdges
    total: int


@endpoint(ENDPOINTS, "GET", "/projects/{project}/map")
def read_map(
    project: ServedProject,
    level: Annotated[int, Field(ge=0, le=100, description="level of communities between which edges are summed")] = 0,
    named: Annotated[
        int | None, Field(ge=0, description="how many entities are named, the best connected first; null for all")
    ] = None,
) -> MapReply:
    """Where everything is drawn: all entities and communities, the sums of edges between the communities of a level, and
    where the graph is small all edges. Names are most of it: a page that draws first asks for them afterwards."""
    opened = project.open()
    levels = (
        int(pc.max(opened.columns.get("communities", "level")).as_py() or 0) + 1 if opened.count("communities") else 0
    )
    level = min(level, max(levels - 1, 0))
    if named is not None and named >= opened.count("entities"):
        named = None
    return encoded_once(opened, f"map {level} {named}", lambda: _named(_map(opened, level, levels), named))


@endpoint(ENDPOINTS, "GET", "/projects/{project}/map/names")
def read_map_names(project: ServedProject) -> MapNames:
    """Ids and names of all entities of the map."""
    opened = project.open()

    def names() -> MapNames:
        return {name: opened.columns.get("entities", of).to_pylist() for name, of in (("id", "id"), ("name", "title"))}  # type: ignore[return-value]

    return encoded_once(opened, "map names", names)


def _named(reply: MapReply, most: int | None) -> MapReply:
    """Return a map with ids and names of its best connected entities alone."""
    if most is None:
        return reply
    nodes = reply["nodes"]
    kept = set(np.argsort(-np.array(nodes["degree"]), kind="stable")[:most].tolist())
    id, name = ([text if row in kept else "" for row, text in enumerate(nodes[key])] for key in ("id", "name"))
    return {**reply, "nodes": {**nodes, "id": id, "name": name}}


def _map(opened: OpenIndex, level: int, levels: int) -> MapReply:
    if not opened.has("layout"):
        raise StoreError(
            "this index has no layout", "it was made by an older version, so there is no map", "run: graphstrata index"
        )
    get = opened.columns.get
    ids = get("entities", "id")
    listed = to_numpy(get("communities", "community")).astype(np.int64)
    nodes_at, disk = _drawn(opened, ids, listed)
    communities = pa.table({name: get("communities", name) for name in ("level", "community", "entity_ids")})
    labels = community_labels(communities, ids)
    cover = np.full(len(ids), -1, np.int64)
    for row in labels[: level + 1]:
        cover = np.where(row >= 0, row, cover)
    leaf, top = _rows_of(cover, listed), _rows_of(labels[0] if len(labels) else cover, listed)
    source, target, weight = _edges(opened)
    few = len(ids) <= ALL_EDGES
    types, type_of = _coded(get("entities", "type"))
    degree = to_numpy(get("entities", "degree"))
    return {
        "level": level,
        "levels": levels,
        "bounds": _bounds(nodes_at, disk),
        "nodes": {
            "id": ids.to_pylist(),
            "name": get("entities", "title").to_pylist(),
            "type": type_of,
            "types": types,
            "degree": degree.tolist(),
            "x": _rounded(nodes_at[:, 0]),
            "y": _rounded(nodes_at[:, 1]),
            "size": _rounded(1 + np.log1p(degree)),
            "community": top.tolist(),
            "leaf": leaf.tolist(),
        },
        "communities": {
            "id": listed.tolist(),
            "level": get("communities", "level").to_pylist(),
            "parent": _rows_of(to_numpy(get("communities", "parent")).astype(np.int64), listed).tolist(),
            "title": _titles(opened, listed),
            "x": _rounded(disk[:, 0]),
            "y": _rounded(disk[:, 1]),
            "r": _rounded(disk[:, 2]),
            "size": get("communities", "size").to_pylist(),
        },
        "edges": _columns(source, target, weight) if few else _columns(*(np.zeros(0),) * 3),
        "bundles": _bundles(leaf, source, target, weight),
    }


def _drawn(opened: OpenIndex, ids: Any, listed: IntArray) -> tuple[Any, Any]:
    """Return where each entity is, x and y, and the disk of each community, x, y and radius; 0 for those without a place."""
    drawn = pa.table({name: opened.columns.get("layout", name) for name in ("entity", "community", "x", "y", "radius")})
    of_entity = to_numpy(pc.is_valid(drawn["entity"]))
    number: IntArray = to_numpy(pc.fill_null(drawn["community"], -1)).astype(np.int64)
    disks = np.column_stack([to_numpy(drawn[name]) for name in ("x", "y", "radius")])
    nodes_at, disk = np.zeros((len(ids), 2)), np.zeros((len(listed), 3))
    nodes_at[_places(drawn["entity"].filter(array(of_entity)), ids)] = disks[of_entity, :2]
    rows = _rows_of(number[~of_entity], listed)
    disk[rows[rows >= 0]] = disks[~of_entity][rows >= 0]
    return nodes_at, disk


def _rows_of(numbers: IntArray, listed: IntArray) -> IntArray:
    """Return the row of each community by its number, -1 for a number that is not listed."""
    if not len(listed):
        return np.full(len(numbers), -1)
    order = np.argsort(listed, kind="stable")
    found = order[np.clip(np.searchsorted(listed[order], numbers), 0, len(listed) - 1)]
    return np.where((numbers >= 0) & (listed[found] == numbers), found, -1)


def _places(values: Any, among: Any) -> IntArray:
    """Return the position of each value in ``among``, where every value must be."""
    places: IntArray = to_numpy(pc.index_in(values, value_set=among)).astype(np.int64)
    return places


def _edges(opened: OpenIndex) -> tuple[IntArray, IntArray, Any]:
    titles = opened.columns.get("entities", "title")
    ends = [_places(opened.columns.get("relationships", end), titles) for end in ("source", "target")]
    return ends[0], ends[1], to_numpy(opened.columns.get("relationships", "weight"))


def _bundles(leaf: IntArray, source: IntArray, target: IntArray, weight: Any) -> MapEdges:
    """Return the edges between different communities, summed."""
    a, b = leaf[source], leaf[target]
    between = (a >= 0) & (b >= 0) & (a != b)
    low, high = np.minimum(a, b)[between], np.maximum(a, b)[between]
    width = int(leaf.max(initial=0)) + 1
    keys, at = np.unique(low * width + high, return_inverse=True)
    return _columns(keys // width, keys % width, np.bincount(at, weight[between], minlength=len(keys)))


def _columns(source: Any, target: Any, weight: Any) -> MapEdges:
    return {
        "source": source.astype(int).tolist(),
        "target": target.astype(int).tolist(),
        "weight": _rounded(weight),
    }


def _titles(opened: OpenIndex, numbers: IntArray) -> list[str]:
    """Return the title of each community's report, or its own where it has none."""
    titles = dict(opened.columns.all("communities", "community", "title"))
    titles |= {
        number: title
        for number, title in opened.columns.all("community_reports", "community", "title")
        if title.strip()
    }
    return [titles[number] for number in numbers.tolist()]


def _coded(column: Any) -> tuple[list[str], list[int]]:
    encoded = pc.dictionary_encode(column)
    encoded = whole(encoded)
    return encoded.dictionary.to_pylist(), encoded.indices.to_pylist()


def _bounds(nodes: Any, disks: Any) -> list[float]:
    low = np.concatenate([nodes, disks[:, :2] - disks[:, 2:]])
    high = np.concatenate([nodes, disks[:, :2] + disks[:, 2:]])
    if not len(low):
        return [0.0, 0.0, 1.0, 1.0]
    return _rounded(np.concatenate([low.min(axis=0), high.max(axis=0)]))


def _rounded(values: Any) -> list[float]:
    rounded: list[float] = np.round(values.astype(float), DECIMALS).tolist()
    return rounded


@endpoint(ENDPOINTS, "GET", "/projects/{project}/map/edges")
def read_edges(
    project: ServedProject,
    entity: Annotated[str, Field(description="id of an entity: its relationships")] = "",
    community: Annotated[int, Field(ge=-1, description="number of a community: relationships inside it")] = -1,
    ids: Annotated[
        str, Field(max_length=20_000, description="ids of entities with commas: relationships among them")
    ] = "",
) -> FocusReply:
    """Real edges in focus: of an entity, inside a community, or among some entities; exactly one of the three."""
    if sum((bool(entity), community >= 0, bool(ids))) != 1:
        raise RequestError(
            "one of entity, community and ids is needed", "nothing is in focus", "give exactly one of them"
        )
    opened = project.open()
    if entity:
        row = opened.row("entities", "id", entity, "entity")
        rows = edges_of(opened, opened.columns.values("entities", "title", [row])[0])
    elif community >= 0:
        row = opened.row("communities", "community", community, "community")
        inside = opened.columns.values("communities", "relationship_ids", [row])[0]
        rows = _known(opened.by("relationships", "id").row(id) for id in inside)
    else:
        named = [opened.row("entities", "id", id, "entity") for id in ids.split(",")]
        titles = opened.columns.values("entities", "title", named)
        from_one = {row for title in titles for row in opened.by("relationships", "source").rows(title)}
        rows = sorted(from_one & {row for title in titles for row in opened.by("relationships", "target").rows(title)})
    return _focus(opened, rows)


def edges_of(opened: OpenIndex, title: str) -> list[int]:
    """Return the rows of an entity's relationships."""
    return sorted(
        {*opened.by("relationships", "source").rows(title), *opened.by("relationships", "target").rows(title)}
    )


def heaviest_edges(opened: OpenIndex, rows: list[int], most: int) -> list[dict[str, Any]]:
    """Return the relationships of greatest weight in some rows, at most so many, as a page shows them."""
    weights = opened.columns.values("relationships", "weight", rows)
    best = [row for _, row in sorted(zip((-weight for weight in weights), rows, strict=True))[:most]]
    return opened.columns.rows("relationships", ["id", "source", "target", "weight", "description"], best)


def _known(rows: Iterable[int | None]) -> list[int]:
    return [row for row in rows if row is not None]


def _focus(opened: OpenIndex, rows: list[int]) -> FocusReply:
    found = heaviest_edges(opened, rows, MOST_EDGES)
    ids = opened.ids_of(one[end] for one in found for end in ("source", "target"))
    return {
        "edges": {
            "id": [one["id"] for one in found],
            "source": [ids[one["source"]] for one in found],
            "target": [ids[one["target"]] for one in found],
            "weight": [one["weight"] for one in found],
            "description": [one["description"] for one in found],
        },
        "total": len(rows),
    }
