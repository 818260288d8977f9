"""The passages that name two things: the shortest stretches of sentences of one chunk from one to the other."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array
from pipeline.base.arrow.columns import whole
from pipeline.base.store import Rows
from pipeline.query.answer import Place
from pipeline.text.attribution import heads_in
from pipeline.text.extraction.letters import letter_of
from pipeline.text.extraction.mention_rank import is_letter_head
from pipeline.text.extraction.name_lists import is_name_list
from pipeline.text.extraction.relations import states_nothing
from pipeline.text.keys import keys_of
from pipeline.text.scripts import UNSPACED_CHARACTER
from pipeline.text.sentences import CLOSED_STATEMENT, split

LONGEST, LONGEST_TO_THING = 5, 2
"""Sentences of a stretch, at most; and of one to what has no name, which many a text speaks of."""
MOST_COST = 7
"""What a stretch may cost."""
MOST_CHUNKS = 40
"""Chunks that are looked through."""
MOST_TRIED = 400
"""Chunks of one of the two whose words are looked at first where the other has no name."""
THIRD, BRIDGE, BREAK, WRITTEN = 0.5, 1.0, 1.0, 2.0
"""What counts in sentences beside the length of a stretch: each of one or two other names at its ends, one that is at both, since it is
what connects them then, a new paragraph, item or section, and the way from the head of a letter down to a sentence of it."""
LEAST_WORDS = 5
"""Words of what has no full stop and yet states something: "Dear Mr Quayle," does not."""
BEGINNING = 4
"""Characters of a sentence in which the mark of an item is."""
_BREAK = re.compile(r"\n\s*\n|\n\s*\d{1,2}[.)]\s")


class End(NamedTuple):
    """One of two things that may be connected: its title and forms, each as keys, and its chunks, None for what is no entity."""

    title: str
    forms: Sequence[frozenset[str]]
    chunk_ids: Sequence[str] | None

    def is_in(self, keys: frozenset[str]) -> bool:
        """Return whether a text with these keys names it."""
        return any(form <= keys for form in self.forms if form)


class PassageOfBoth(NamedTuple):
    """Sentences of a chunk, in their order, of which one names one thing and one the other; the shortest cost least."""

    cost: float
    places: tuple[Place, ...]
    by_writer: bool = False
    """Whether one is named only as who wrote the letter."""
    detours: int = 0
    """How many there are of what makes it doubtful that it connects the two: another name at both ends, new paragraphs and sections."""


class _SaidOfEnds(NamedTuple):
    place: Place
    keys: frozenset[str]
    lowered: str
    states: bool
    is_said: bool
    """Whether it is more than a line of names or of a head, or a heading."""
    is_heading: bool
    breaks: bool
    """Whether a paragraph or a numbered item begins with it."""
    is_writer: bool
    """Whether it is the line at the head of a letter that says who wrote it."""
    is_signature: bool
    """Whether it is the signature below one."""


def stretches(one: End, other: End, tables: Mapping[str, Rows], language: str) -> list[PassageOfBoth]:
    """Return the stretches of chunks from one of two things to the other, of those that overlap the cheapest; the cheapest first, in
    the order of the chunks where they cost the same."""
    chunks = _chunks(one, other, tables["chunks"], language)
    thirds = _thirds([id for id, _ in chunks], {one.title, other.title}, tables["entities"])
    longest = LONGEST if one.chunk_ids and other.chunk_ids else LONGEST_TO_THING
    found = [
        stretch
        for id, text in chunks
        for stretch in _shortest(_sentences(id, text, language), (one, other), thirds.get(id, ()), longest)
    ]
    return sorted(found, key=lambda stretch: stretch.cost)


def _chunks(one: End, other: End, chunks: Rows, language: str) -> list[tuple[str, str]]:
    """Return the ids and texts of chunks that name both, in the order of the first."""
    named = [end.chunk_ids for end in (one, other) if end.chunk_ids is not None]
    ids = [id for id in named[0] if id in set(named[-1])] if named else []
    both = ids[: MOST_CHUNKS if len(named) > 1 else MOST_TRIED]
    rows = chunks.by_id(both, ["text"])
    texts = ((id, rows[id]["text"]) for id in both if id in rows)
    unnamed = [end for end in (one, other) if end.chunk_ids is None]
    found = ((id, text) for id, text in texts if all(end.is_in(keys_of(text, language)) for end in unnamed))
    return list(islice(found, MOST_CHUNKS))


def _thirds(ids: Sequence[str], ends: Collection[str], entities: Rows) -> dict[str, list[tuple[str, ...]]]:
    """Return by chunk the forms, in lower case, of the entities in it besides two."""
    table = entities.table(["title", "aliases", "chunk_ids"]).combine_chunks()
    if not ids or not table.num_rows:
        return {}
    lists = whole(table["chunk_ids"])
    inside = pc.is_in(pc.list_flatten(lists), value_set=array(sorted(ids), pa.string()))
    rows = pc.unique(pc.filter(pc.list_parent_indices(lists), inside))
    found: dict[str, list[tuple[str, ...]]] = {}
    for row in table.take(rows).to_pylist():
        if row["title"] not in ends:
            forms = tuple(form.casefold() for form in (row["title"], *row["aliases"]))
            for id in row["chunk_ids"]:
                found.setdefault(id, []).append(forms)
    return found


def _sentences(id: str, text: str, language: str) -> list[_SaidOfEnds]:
    writers = [(line.start, line.end) for lines in heads_in(text) for line in lines if line.kind == "from"]
    letter = letter_of(text)
    signature = text.rindex(letter.writer) if letter else len(text)
    found: list[_SaidOfEnds] = []
    before = 0
    for start, end in split(text):
        written = text[start:end]
        bare = written.strip()
        is_heading = bare.startswith("#") or (bare.startswith("**") and bare.endswith("**"))
        is_line = is_heading or is_letter_head(bare) or is_name_list(bare)
        is_closed = bool(CLOSED_STATEMENT.search(bare) or UNSPACED_CHARACTER.search(bare))
        below_heading = bool(found) and found[-1].is_heading
        found.append(
            _SaidOfEnds(
                Place(id, start, end),
                keys_of(written, language),
                written.casefold(),
                not (is_line or states_nothing(bare)) and (is_closed or len(bare.split()) >= LEAST_WORDS),
                not is_line,
                is_heading,
                not below_heading and bool(_BREAK.search(text[before:start] + written[:BEGINNING])),
                any(low < end and start < high for low, high in writers),
                start <= signature < end,
            )
        )
        before = end
    return found


def _shortest(
    said: Sequence[_SaidOfEnds], ends: tuple[End, End], thirds: Sequence[tuple[str, ...]], longest: int
) -> list[PassageOfBoth]:
    """Return the stretches of the sentences of a chunk, of those that overlap the cheapest."""
    at = [[place for place, one in enumerate(said) if one.states and end.is_in(one.keys)] for end in ends]
    known = {
        place: {n for n, forms in enumerate(thirds) if any(form in said[place].lowered for form in forms)}
        for place in {*at[0], *at[1]}
    }
    found = sorted(
        (_cost(said, first, last, known), first, last)
        for first, last in _near(at, longest)
        if last - first + 1 - sum(one.is_heading for one in said[first:last]) <= longest
    )
    kept: list[tuple[int, int]] = []
    stretches: list[PassageOfBoth] = []
    for (cost, detours), first, last in found:
        if cost <= MOST_COST and all(last < low or high < first for low, high in kept):
            kept.append((first, last))
            places = tuple(one.place for one in said[first : last + 1] if one.is_said)
            stretches.append(PassageOfBoth(cost, places, detours=detours))
    return stretches or _written(said, ends, at)[:1]


def _cost(said: Sequence[_SaidOfEnds], first: int, last: int, known: Mapping[int, set[int]]) -> tuple[float, int]:
    """Return what the stretch from one sentence to another costs, and how many detours it has."""
    others, is_over_third = known[first] | known[last], first < last and bool(known[first] & known[last])
    headings = sum(one.is_heading for one in said[first:last])
    breaks = headings + sum(one.breaks for one in said[first + 1 : last + 1])
    cost = last - first + 1 - headings + THIRD * min(len(others), 2) + BRIDGE * is_over_third + BREAK * breaks
    return cost, is_over_third + breaks


def _written(said: Sequence[_SaidOfEnds], ends: Sequence[End], at: Sequence[Sequence[int]]) -> list[PassageOfBoth]:
    """Return stretches of the line that says that one wrote a letter, at its head or below it, and a sentence of it on the other."""
    heads = [place for place, one in enumerate(said) if one.is_writer or one.is_signature]
    return [
        PassageOfBoth(2 + WRITTEN, tuple(said[one].place for one in sorted((head, place))), True)
        for end, places in zip(ends, at[::-1], strict=True)
        for head in heads
        if end.is_in(said[head].keys)
        for place in places
        if (place < head if said[head].is_signature else place > head)
        and not any(min(head, place) < other < max(head, place) for other in heads)
    ]


def _near(at: Sequence[Sequence[int]], longest: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of places, one of each list, that are so near, the earlier first; a heading between makes them no farther."""
    for one in at[0]:
        for other in at[1]:
            if abs(one - other) <= longest:
                yield min(one, other), max(one, other)
