"""A picture of a whole index in one SVG: communities as disks, entities as dots, the largest of each by name."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from math import ceil, sqrt
from typing import Any, NamedTuple

from pipeline.base.store import Rows
from pipeline.text.quotes import shorten

SIZE = 640
"""Pixels of the picture's longer side."""
_MOST_DOTS = 1500
"""Entities drawn, those of most relationships first: a notebook holds the picture with every output."""
_MOST_NAMES = 24
_MOST_TITLES = 8
_LONGEST = 40
"""Characters of a name or title that are written out."""
_HUES = ("#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5", "#9c6b4e", "#9498a0")


class CommunityDisk(NamedTuple):
    """A community as it is drawn, in the unit of the layout, y upwards."""

    community: int
    level: int
    title: str
    size: int
    x: float
    y: float
    radius: float


class EntityDot(NamedTuple):
    """An entity as it is drawn."""

    title: str
    kind: str
    degree: int
    x: float
    y: float


@dataclass(frozen=True)
class MapView:
    """What a map draws; ``str`` and a notebook give its SVG."""

    disks: tuple[CommunityDisk, ...]
    dots: tuple[EntityDot, ...]

    def __str__(self) -> str:
        return _svg(self.disks, self.dots)

    def __repr__(self) -> str:
        return f"<MapView of {len(self.disks)} communities, {len(self.dots)} entities>"

    def _repr_html_(self) -> str:
        return f"<div style='max-width:{SIZE}px'>{self}</div>"


def map_view(communities: Rows, entities: Rows, layout: Rows | None, reports: Rows | None = None) -> MapView:
    """Return the map of an index by its table layout; without one its top communities alone, beside each other. They are called as
    their reports are."""
    rows = communities.table(["community", "level", "title", "size"]).to_pylist()
    written = dict(reports.values("community", "title")) if reports is not None else {}
    for row in rows:
        row["title"] = written.get(row["community"]) or row["title"]
    if layout is None:
        return MapView(tuple(_beside([row for row in rows if row["level"] == 0])), ())
    named = {row["community"]: row for row in rows}
    about = {row["id"]: row for row in entities.table(["id", "title", "type", "degree"]).to_pylist()}
    disks, dots = [], []
    for row in layout.table(["entity", "community", "x", "y", "radius"]).to_pylist():
        if row["entity"] is None:
            one = named[row["community"]]
            disks.append(
                CommunityDisk(
                    row["community"], one["level"], one["title"], one["size"], row["x"], row["y"], row["radius"]
                )
            )
        else:
            entity = about[row["entity"]]
            dots.append(EntityDot(entity["title"], entity["type"], entity["degree"], row["x"], row["y"]))
    dots.sort(key=lambda dot: (-dot.degree, dot.title))
    return MapView(tuple(sorted(disks, key=lambda disk: (disk.level, disk.community))), tuple(dots[:_MOST_DOTS]))


def _beside(rows: list[dict[str, Any]]) -> Iterator[CommunityDisk]:
    """Yield communities as disks in rows, largest first, each as large as its number of entities."""
    ordered = sorted(rows, key=lambda row: (-row["size"], row["community"]))
    columns = max(1, ceil(sqrt(len(ordered))))
    cell = 2.2 * sqrt(ordered[0]["size"]) if ordered else 1.0
    for place, row in enumerate(ordered):
        x, y = place % columns * cell, -(place // columns) * cell
        yield CommunityDisk(row["community"], 0, row["title"], row["size"], x, y, sqrt(row["size"]))


def _svg(disks: tuple[CommunityDisk, ...], dots: tuple[EntityDot, ...]) -> str:
    edges = [(d.x - d.radius, d.y - d.radius, d.x + d.radius, d.y + d.radius) for d in disks]
    edges += [(d.x - 1, d.y - 1, d.x + 1, d.y + 1) for d in dots]
    if not edges:
        return "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'/>"
    left, bottom = min(e[0] for e in edges), min(e[1] for e in edges)
    right, top = max(e[2] for e in edges), max(e[3] for e in edges)
    scale = SIZE / max(right - left, top - bottom)
    width, height = (right - left) * scale, (top - bottom) * scale

    def at(x: float, y: float) -> tuple[float, float]:
        return (x - left) * scale, (top - y) * scale

    kinds = {kind: _HUES[place % len(_HUES)] for place, kind in enumerate(sorted({dot.kind for dot in dots}))}
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width:.0f} {height:.0f}' width='100%' "
        "font-family='sans-serif' text-anchor='middle'>"
    ]
    for disk in disks:
        x, y = at(disk.x, disk.y)
        tip = f"{disk.title} ({disk.size} entities, level {disk.level})"
        parts.append(
            f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{disk.radius * scale:.1f}' fill='#888' fill-opacity='.08' "
            f"stroke='#888' stroke-opacity='.35'><title>{escape(tip)}</title></circle>"
        )
    for dot in dots:
        x, y = at(dot.x, dot.y)
        parts.append(
            f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{min(1.5 + sqrt(dot.degree) / 2, 7):.1f}' fill='{kinds[dot.kind]}'>"
            f"<title>{escape(f'{dot.title} ({dot.kind})')}</title></circle>"
        )
    largest = sorted((d for d in disks if d.level == 0), key=lambda d: (-d.size, d.community))[:_MOST_TITLES]
    labels = [(d.title, d.x, d.y + d.radius, 12, "#111") for d in largest]
    labels += [(d.title, d.x, d.y, 9, "#444") for d in dots[:_MOST_NAMES]]
    taken: list[tuple[float, float, float, float]] = []
    for text, x, y, size, fill in labels:
        shown = shorten(text, _LONGEST)
        half = len(shown) * size * 0.29
        place = at(x, y)
        left_most = min(max(place[0], half), max(width - half, half)) - half
        box = (left_most, place[1] - size, left_most + 2 * half, place[1] + 3)
        if not any(box[0] < o[2] and o[0] < box[2] and box[1] < o[3] and o[1] < box[3] for o in taken):
            taken.append(box)
            parts.append(_label(shown, left_most + half, max(place[1], size), size, fill))
    return "".join([*parts, "</svg>"])


def _label(text: str, x: float, y: float, size: int, fill: str) -> str:
    """Return a text with a pale outline, so that it can be read on dots."""
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' fill='{fill}' stroke='#fff' stroke-width='3' "
        f"stroke-opacity='.8' paint-order='stroke'>{escape(text)}</text>"
    )
