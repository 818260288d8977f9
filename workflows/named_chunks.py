"""Chunks together with the names that stand in them: what three stages read."""

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import NamedTuple

from pipeline.base.store import Rows
from pipeline.text.spans import Match


class NamedChunk(NamedTuple):
    """A chunk and the known names in it, in order."""

    id: str
    anchor: str
    text: str
    names: tuple[Match, ...]


def named_chunks(
    chunks: Rows, occurrences: Rows, kind: Callable[[str], tuple[str, str] | None]
) -> Iterator[list[NamedChunk]]:
    """Yield the chunks in batches; ``kind`` gives the (title, type) under which a name counts, None leaves it out.

    Both tables are in the order of chunks, so they are read side by side and neither is held whole.
    """
    found = groupby(_rows(occurrences, ["chunk_id", "title", "start", "end"]), key=lambda row: row[0])
    waiting = next(found, None)
    for batch in chunks.batches(["id", "anchor", "text"]):
        named = []
        for id, anchor, text in zip(*(batch.column(i).to_pylist() for i in range(3)), strict=True):
            names: list[Match] = []
            if waiting is not None and waiting[0] == id:
                for _, title, start, end in waiting[1]:
                    known = kind(title)
                    if known is not None:
                        names.append(Match(start, end, *known))
                waiting = next(found, None)
            named.append(NamedChunk(id, anchor, text, tuple(names)))
        yield named


def _rows(table: Rows, columns: list[str]) -> Iterator[tuple[str, str, int, int]]:
    for batch in table.batches(columns, 16_384):
        yield from zip(*(batch.column(i).to_pylist() for i in range(len(columns))), strict=True)


def vocabulary_types(vocabulary: Rows) -> Callable[[str], tuple[str, str] | None]:
    """Return the function from a title of the vocabulary to (title, type)."""
    table = vocabulary.table(["title", "type"]).to_pydict()
    return {title: (title, type) for title, type in zip(table["title"], table["type"], strict=True)}.get
