"""Chunks together with the names that stand in them: what three stages read."""

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from pipeline.base.store import Rows
from pipeline.text.spans import Match

ROWS_AT_ONCE = 4096


class NamedChunk(NamedTuple):
    """A chunk and the known names in it, in order."""

    id: str
    anchor: str
    text: str
    names: tuple[Match, ...]


def named_chunks(
    chunks: Rows, occurrences: Rows, kind: Callable[[str], tuple[str, str] | None]
) -> Iterator[NamedChunk]:
    """Yield the chunks in order; ``kind`` gives the (title, type) under which a name counts, None leaves it out.

    Both tables are in the order of chunks, so they are read side by side and neither is held whole.
    """
    found = groupby(_rows(occurrences, ["chunk_id", "title", "start", "end"]), key=lambda row: row[0])
    waiting = next(found, None)
    for id, anchor, text in _rows(chunks, ["id", "anchor", "text"]):
        names: list[Match] = []
        if waiting is not None and waiting[0] == id:
            for _, title, start, end in waiting[1]:
                known = kind(title)
                if known is not None:
                    names.append(Match(start, end, *known))
            waiting = next(found, None)
        yield NamedChunk(id, anchor, text, tuple(names))


def _rows(table: Rows, columns: list[str]) -> Iterator[tuple[Any, ...]]:
    for batch in table.batches(columns, ROWS_AT_ONCE):
        yield from zip(*(batch.column(i).to_pylist() for i in range(len(columns))), strict=True)


def vocabulary_types(vocabulary: Rows) -> Callable[[str], tuple[str, str] | None]:
    """Return the function from a title of the vocabulary to (title, type)."""
    table = vocabulary.table(["title", "type"]).to_pydict()
    return {title: (title, type) for title, type in zip(table["title"], table["type"], strict=True)}.get
