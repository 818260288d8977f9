"""The graph that an agent reads: key elements, the facts they share, and the chunks that state them (GraphReader)."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array
from pipeline.base.arrow.columns import rows_of, whole
from pipeline.base.store import Rows
from pipeline.query.answer import Place
from pipeline.text.attribution import attribution
from pipeline.text.metadata import date_of, sent_from_to, title_with
from pipeline.text.question.question import Question

SHARED = 60
"""Facts of a node from which its neighbours are taken, the closest to the question: a supernode has thousands."""


class Element(NamedTuple):
    """A key element: a node of the graph. ``frequency`` counts its facts."""

    id: str
    title: str
    frequency: int


class GraphFact(NamedTuple):
    """A fact, the chunks that state it, and the key elements it rests on."""

    id: str
    text: str
    chunk_ids: tuple[str, ...]
    elements: tuple[str, ...]


class GraphChunk(NamedTuple):
    """A chunk; ``anchor`` is the title and heading above it, ``start`` where it begins in its document."""

    id: str
    document_id: str
    position: int
    start: int
    anchor: str
    text: str


class FactGraph:
    """Looks up nodes, facts, chunks and neighbours; each table is read once."""

    def __init__(self, tables: Mapping[str, Rows]) -> None:
        """``tables``: at least facts, key_elements, chunks and documents, by name."""
        self._documents = tables["documents"]
        self._facts = tables["facts"].table(["id", "text", "chunk_ids", "key_element_ids"]).combine_chunks()
        self._elements = tables["key_elements"].table(["id", "title", "frequency", "fact_ids"]).combine_chunks()
        self._chunks = tables["chunks"].table(list(GraphChunk._fields)).combine_chunks()
        self._texts: dict[str, str] = {}

    def element(self, id: str) -> Element:
        """Return a key element; KeyError when there is none of that id."""
        row = self._element_rows[id]
        return Element(id, _value(self._elements, "title", row), _value(self._elements, "frequency", row))

    def most_frequent(self, k: int) -> list[Element]:
        """Return the ``k`` key elements of most facts, ties by title."""
        rows = self._elements.select(["id", "title", "frequency"])
        best = rows.sort_by([("frequency", "descending"), ("title", "ascending")]).slice(0, k)
        return [Element(**row) for row in best.to_pylist()]

    def facts_of(self, element_id: str, k: int | None = None) -> list[GraphFact]:
        """Return the facts of a key element, or the first ``k`` of them, in the order of the table."""
        ids = _value(self._elements, "fact_ids", self._element_rows[element_id])
        return [self.fact(id) for id in ids[:k]]

    def facts_in(self, chunk_ids: Sequence[str]) -> list[GraphFact]:
        """Return the facts that these chunks state, each once, in the order of the table."""
        column = whole(self._facts["chunk_ids"]) if self._facts.num_rows else None
        if column is None or not chunk_ids:
            return []
        inside = pc.is_in(column.flatten(), value_set=array(chunk_ids, pa.string()))
        rows = pc.unique(pc.list_parent_indices(column).filter(inside))
        return [self._fact(row) for row in rows.to_pylist()]

    def place_of(self, fact: GraphFact) -> int:
        """Return the place of a fact in the table, in which those of one chunk are in the order of its text."""
        return self._fact_rows[fact.id]

    def fact(self, id: str) -> GraphFact:
        """Return a fact; KeyError when there is none of that id."""
        return self._fact(self._fact_rows[id])

    def chunk(self, id: str) -> GraphChunk:
        """Return a chunk; KeyError when there is none of that id."""
        row = self._chunk_rows[id]
        return GraphChunk(*(_value(self._chunks, name, row) for name in GraphChunk._fields))

    def holds(self, chunk_id: str) -> bool:
        """Return whether there is a chunk of that id."""
        return chunk_id in self._chunk_rows

    def beside(self, id: str, step: int) -> str | None:
        """Return the chunk ``step`` places after this one in its document; None beyond either end."""
        chunk = self.chunk(id)
        return self._places.get((chunk.document_id, chunk.position + step))

    def name_of(self, chunk_id: str) -> str:
        """Return the heading of a chunk with its place in the document: "Minutes > Decisions, part 3 of 9"."""
        return f"{self.chunk(chunk_id).anchor}, {self.part_of(chunk_id)}"

    def part_of(self, chunk_id: str) -> str:
        """Return the place of a chunk in its document, and the date of that and who sent it, where it has them: "part 3 of 9, 2024-03-11"."""
        chunk = self.chunk(chunk_id)
        part = f"part {chunk.position + 1} of {self._parts[chunk.document_id]}"
        return ", ".join(filter(None, (part, *self._known.get(chunk.document_id, ()))))

    def title_of(self, chunk_id: str) -> str:
        """Return the title of the document that a chunk was cut from, as its anchor gives it."""
        return self.chunk(chunk_id).anchor.split(" > ")[0]

    def full_title_of(self, chunk_id: str) -> str:
        """Return the title of a chunk's document with its date and who sent it, where it has them."""
        return title_with(self.title_of(chunk_id), *self._known.get(self.chunk(chunk_id).document_id, ("", "")))

    def said_by(self, place: Place) -> str:
        """Return who says what is at a place, as the text before it shows; empty where nothing does."""
        chunk = self.chunk(place.chunk_id)
        if chunk.document_id not in self._texts:
            self._texts[chunk.document_id] = self._documents.by_id([chunk.document_id], ["text"])[chunk.document_id][
                "text"
            ]
        return attribution(self._texts[chunk.document_id], chunk.start + place.start)

    def stated(self, fact: GraphFact) -> tuple[str, str]:
        """Return what a fact states and the title in front of it, which may be empty: "Title: the statement"."""
        title = self.title_of(fact.chunk_ids[0])
        if title and fact.text.startswith(f"{title}: "):
            return fact.text[len(title) + 2 :], title
        return fact.text, ""

    def closeness(self, question: Question, fact: GraphFact) -> float:
        """Return how close a fact is to a question, 0 to 1; a title in front of it counts as its heading."""
        return question.closeness(*self.stated(fact))

    def closest(self, question: Question, facts: Iterable[GraphFact], k: int) -> list[tuple[float, GraphFact]]:
        """Return the ``k`` facts closest to a question with their closeness, ties by id."""
        scored = [(self.closeness(question, fact), fact) for fact in facts]
        return sorted(scored, key=lambda pair: (-pair[0], pair[1].id))[:k]

    def neighbours(self, element_id: str, question: Question) -> list[tuple[float, Element, GraphFact]]:
        """Return the key elements that share facts with one, best first, each with the closest fact they share.

        A neighbour's score sums the closeness of the shared facts over the logarithm of its own frequency, so that a
        supernode, which shares facts with everything, is not everybody's best neighbour.
        """
        totals: dict[str, float] = {}
        best: dict[str, tuple[float, GraphFact]] = {}
        for close, fact in self.closest(question, self.facts_of(element_id), SHARED):
            for other in fact.elements:
                if other != element_id:
                    totals[other] = totals.get(other, 0.0) + close
                    best.setdefault(other, (close, fact))
        found = []
        for other, total in totals.items():
            element = self.element(other)
            found.append((total / damping(element.frequency), element, best[other][1]))
        return sorted(found, key=lambda entry: (-entry[0], entry[1].title))

    def _fact(self, row: int) -> GraphFact:
        id, text, chunks, elements = (_value(self._facts, name, row) for name in self._facts.column_names)
        return GraphFact(id, text, tuple(chunks), tuple(elements))

    @cached_property
    def _known(self) -> dict[str, tuple[str, str]]:
        """Return the date of each document and who sent it, where its metadata give either."""
        known = (
            (id, date_of(metadata), sent_from_to(metadata)) for id, metadata in self._documents.values("id", "metadata")
        )
        return {id: (date, by) for id, date, by in known if date or by}

    @cached_property
    def _fact_rows(self) -> dict[str, int]:
        return {id: row for row, id in enumerate(self._facts["id"].to_pylist())}

    @cached_property
    def _element_rows(self) -> dict[str, int]:
        return {id: row for row, id in enumerate(self._elements["id"].to_pylist())}

    @cached_property
    def _chunk_rows(self) -> dict[str, int]:
        return {id: row for row, id in enumerate(self._chunks["id"].to_pylist())}

    @cached_property
    def _parts(self) -> Counter[str]:
        return Counter(self._chunks["document_id"].to_pylist())

    @cached_property
    def _places(self) -> dict[tuple[str, int], str]:
        rows = rows_of(self._chunks, "document_id", "position", "id")
        return {(document, position): id for document, position, id in rows}


def damping(frequency: int) -> float:
    """Return what a node's scores are divided by, 1 for a node of a single fact, about 5 for one of 400."""
    return 1 + math.log(frequency) / math.log(4) if frequency > 1 else 1.0


def _value(table: pa.Table, name: str, row: int) -> Any:
    return table[name][row].as_py()
