"""The table of sentences, written and read: chunks together with the names, pronouns and dates of their sentences."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from pipeline.base.arrow.build import array, to_numpy
from pipeline.base.arrow.columns import rows_of, whole
from pipeline.base.schema import SENTENCES
from pipeline.base.store import Rows
from pipeline.text.dates import DateSpan
from pipeline.text.extraction.annotate import AnnotatedSentence, Reading
from pipeline.text.extraction.correspondents import written_pairs
from pipeline.text.metadata import correspondents, date_of, sent_from_to
from pipeline.text.spans import Match

ROWS_AT_ONCE = 4096

Kind = Callable[[str], tuple[str, str] | None]
"""From a title of the vocabulary to the (title, type) under which it counts; None leaves it out."""


class AnnotatedChunk(NamedTuple):
    """A chunk and what is known of its sentences."""

    id: str
    anchor: str
    text: str
    reading: Reading
    date: str
    """Of its document, as its metadata gives it; empty where they give none."""
    sent: str = ""
    """Of a mail, who sent it to whom; empty for other documents."""
    correspondents: tuple[tuple[str, str], ...] = ()
    """Of the first chunk of a mail: the titles of who wrote it and of each whom it is to, as its metadata give them; of
    who wrote it with himself where nobody of those is known."""


def sentence_part(readings: Iterable[tuple[str, Reading]]) -> pa.Table:
    """Return a part of the table of sentences from pairs of chunk id and annotation."""
    rows = [(id, reading.language, sentence) for id, reading in readings for sentence in reading.sentences]
    mentions, dates = [row[2].mentions for row in rows], [row[2].dates for row in rows]
    return SENTENCES.build(
        chunk_id=array([row[0] for row in rows], pa.string()),
        start=array([row[2].start for row in rows], pa.int64()),
        end=array([row[2].end for row in rows], pa.int64()),
        language=array([row[1] for row in rows], pa.string()),
        titles=_lists(mentions, 2, pa.string()),
        starts=_lists(mentions, 0, pa.int32()),
        ends=_lists(mentions, 1, pa.int32()),
        roles=_lists(mentions, 4, pa.string()),
        date_starts=_lists(dates, 0, pa.int32()),
        date_ends=_lists(dates, 1, pa.int32()),
        date_firsts=_lists(dates, 2, pa.string()),
        date_lasts=_lists(dates, 3, pa.string()),
    )


def _lists(rows: Sequence[Sequence[tuple[Any, ...]]], field: int, type: pa.DataType) -> pa.Array:
    """Return one field of the items of each row, as an array of lists."""
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int32)
    return pa.ListArray.from_arrays(array(offsets), array([item[field] for row in rows for item in row], type))


def annotated_chunks(documents: Rows, chunks: Rows, sentences: Rows, kind: Kind) -> Iterator[AnnotatedChunk]:
    """Yield the chunks in order, each with its annotation."""
    dates: dict[str, str] = {}
    letters: dict[str, str] = {}
    mails: dict[str, tuple[list[str], list[str]]] = {}
    for id, metadata in rows_by_batch(documents, ["id", "metadata"]):
        if date := date_of(metadata):
            dates[id] = date
        if by := sent_from_to(metadata):
            letters[id] = by
        if (found := correspondents(metadata))[0]:
            mails[id] = found
    annotated = _sentences(sentences, kind)
    for (id, document, anchor, text), own in _beside(chunks, ["id", "document_id", "anchor", "text"], annotated):
        reading = Reading(own[0][1] if own else "und", tuple(sentence for _, _, sentence in own))
        ends = mails.pop(document, ([], []))
        pairs = written_pairs(*ends, text, reading, lambda name: (kind(name) or ("",))[0])
        yield AnnotatedChunk(id, anchor, text, reading, dates.get(document, ""), letters.get(document, ""), pairs)


def sentence_spans(chunks: Rows, sentences: Rows) -> Iterator[list[tuple[int, int]]]:
    """Yield the spans of the sentences of each chunk, in the order of chunks."""
    for _, own in _beside(chunks, ["id"], rows_by_batch(sentences, ["chunk_id", "start", "end"])):
        yield [(start, end) for _, start, end in own]


def _beside(
    chunks: Rows, columns: list[str], sentences: Iterator[tuple[Any, ...]]
) -> Iterator[tuple[tuple[Any, ...], list[tuple[Any, ...]]]]:
    """Yield the rows of chunks, their ids first, each with the sentences whose chunk it is.

    Both are in the order of chunks, so they are read side by side and neither is kept whole.
    """
    found = groupby(sentences, key=itemgetter(0))
    waiting = next(found, None)
    for row in rows_by_batch(chunks, columns):
        own: list[tuple[Any, ...]] = []
        if waiting is not None and waiting[0] == row[0]:
            own = list(waiting[1])
            waiting = next(found, None)
        yield row, own


def _sentences(table: Rows, kind: Kind) -> Iterator[tuple[str, str, AnnotatedSentence]]:
    """Yield (chunk id, language, sentence), names under what they count as."""
    for batch in table.batches(rows=ROWS_AT_ONCE):
        spans = _flat(batch, "starts"), _flat(batch, "ends")
        named = zip(*spans, _flat(batch, "titles", kind), _flat(batch, "roles"), strict=True)
        mentions = [_match((start, end, *known, role)) if known else None for start, end, known, role in named]
        dated = zip(*(_flat(batch, f"date_{name}") for name in ("starts", "ends", "firsts", "lasts")), strict=True)
        dates = list(map(_date, dated))
        first, first_date = _offsets(batch, "starts"), _offsets(batch, "date_starts")
        columns = [batch.column(name).to_pylist() for name in ("chunk_id", "language", "start", "end")]
        for at, (id, language, start, end) in enumerate(zip(*columns, strict=True)):
            inside = tuple(filter(None, mentions[first[at] : first[at + 1]]))
            said = tuple(dates[first_date[at] : first_date[at + 1]])
            yield id, language, _sentence((start, end, inside, said))


_match: Callable[[tuple[object, ...]], Match] = partial(tuple.__new__, Match)
_date: Callable[[tuple[object, ...]], DateSpan] = partial(tuple.__new__, DateSpan)
_sentence: Callable[[tuple[object, ...]], AnnotatedSentence] = partial(tuple.__new__, AnnotatedSentence)
"""Named tuples of tuples, in half the time that their own constructors take."""


def _flat(batch: pa.Table, name: str, read: Callable[[str], Any] = str) -> list[Any]:
    """Return the items of a column of lists, texts as ``read`` reads them: each once, since the same come again and again."""
    values = whole(batch.column(name)).flatten()
    if values.type != pa.string():
        found: list[Any] = to_numpy(values).tolist()
        return found
    coded = values.dictionary_encode()
    texts = [read(text) for text in coded.dictionary.to_pylist()]
    return [texts[code] for code in to_numpy(coded.indices).tolist()]


def _offsets(batch: pa.Table, name: str) -> list[int]:
    offsets = to_numpy(whole(batch.column(name)).offsets)
    found: list[int] = (offsets - offsets[0]).tolist()
    return found


def rows_by_batch(table: Rows, columns: list[str]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of some columns in order; only a batch of them is in memory."""
    for batch in table.batches(columns, ROWS_AT_ONCE):
        yield from rows_of(batch, *columns)


def vocabulary_types(vocabulary: Rows) -> Kind:
    """Return the function from a title of the vocabulary to (title, type)."""
    return {title: (title, type) for title, type in vocabulary.values("title", "type")}.get
