"""Checks of the layout: everything is placed once, inside the disk that it belongs to, and no two siblings overlap."""

from collections.abc import Iterator

import numpy as np
import pyarrow.compute as pc

from pipeline.base.arrow.columns import BoolArray, FloatArray, IntArray, numbers, whole
from pipeline.exchange.verify.check import Check, checked
from pipeline.exchange.verify.communities import kin
from pipeline.exchange.verify.tables import Tables

ROUNDING = 0.01
"""By how much disks may seem to overlap: coordinates are rounded."""


def check_layout(tables: Tables) -> Check:
    """Entities and communities have a place, those of a community inside its disk, and communities beside their siblings."""
    layout, of = tables["layout"], kin(tables)
    of_entity = pc.is_valid(whole(layout["entity"])).to_numpy(zero_copy_only=False)
    x, y, radius = (whole(layout[name]).to_numpy() for name in ("x", "y", "radius"))
    community = numbers(layout["community"], tables["communities"]["community"])
    disk = np.full((len(of.number), 3), np.nan)
    own = ~of_entity & (community >= 0)
    disk[community[own]] = np.column_stack([x, y, radius])[own]
    entity = numbers(layout["entity"], tables["entities"]["id"])
    placed = np.zeros(of.n_entities, np.int64)
    np.add.at(placed, entity[of_entity & (entity >= 0)], 1)
    lost = np.flatnonzero(~np.isfinite(disk).all(axis=1))
    wrong = [f"community {of.number[row]} has no place" for row in lost.tolist()]
    wrong += [f"entity {row} has {placed[row]} places" for row in np.flatnonzero(placed != 1).tolist()]
    inside = of_entity & (community >= 0)
    at = np.column_stack([x, y])[inside]
    far = ~(np.hypot(*(at - disk[community[inside], :2]).T) <= disk[community[inside], 2] + ROUNDING)
    odd = (community >= 0) & (whole(layout["level"]).to_numpy() != of.level[community])
    odd |= np.where(
        of_entity,
        (radius != 0) | (community < 0) & (np.bincount(of.entity, minlength=of.n_entities)[entity] > 0),
        radius <= 0,
    )
    wrong += [
        f"row {row} of the layout has not the level or the radius of what it places"
        for row in np.flatnonzero(odd).tolist()
    ]
    wrong += [f"an entity lies outside community {of.number[row]}" for row in community[inside][far].tolist()]
    wrong += _outside(of.number, of.parent, disk) + list(_overlapping(of.number, of.parent, disk))
    return checked("a place on the map", layout.num_rows, wrong, len(wrong))


def _outside(number: IntArray, parent: IntArray, disk: FloatArray) -> list[str]:
    child = np.flatnonzero(parent >= 0)
    above = disk[parent[child]]
    out: BoolArray = np.hypot(*(disk[child, :2] - above[:, :2]).T) + disk[child, 2] > above[:, 2] + ROUNDING
    return [f"community {number[row]} lies outside community {number[parent[row]]}" for row in child[out].tolist()]


def _overlapping(number: IntArray, parent: IntArray, disk: FloatArray) -> Iterator[str]:
    order = np.argsort(parent, kind="stable")
    for siblings in np.split(order, np.flatnonzero(np.diff(parent[order])) + 1):
        by_left = siblings[np.argsort(disk[siblings, 0] - disk[siblings, 2], kind="stable")]
        left, right = disk[by_left, 0] - disk[by_left, 2], disk[by_left, 0] + disk[by_left, 2]
        for place, end in enumerate(np.searchsorted(left, right).tolist()):
            others, one = by_left[place + 1 : end], by_left[place]
            room = np.hypot(*(disk[others, :2] - disk[one, :2]).T) - disk[others, 2] - disk[one, 2]
            for row in others[room < -ROUNDING].tolist():
                yield f"communities {number[one]} and {number[row]} overlap"
