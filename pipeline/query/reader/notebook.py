"""Notebooks of readers: notes that carry the facts and passages they rest on, and the evidence that all of them hold."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from pipeline.query.answer import Ground, Grounds, Place
from pipeline.query.evidence.citations import nearest_sentence, place_sentence
from pipeline.query.reader.fact_graph import FactGraph, GraphFact
from pipeline.text.answering.blocks import with_columns
from pipeline.text.answering.support import negates
from pipeline.text.keys import content_keys
from pipeline.text.question.names import names_in
from pipeline.text.scripts import language_of
from pipeline.text.sentences import split
from pipeline.text.summary.findings import REPEATED, repeats

SAME = 0.6
"""Share of the shorter of two passages that must lie in the other for both to be one piece of evidence."""
STATED = 0.75
"""Share of a sentence's words that a fact must hold to be taken from it; the rest are pronouns that were replaced."""


class Note(NamedTuple):
    """A note, the title of the document it comes from, and the facts (ids) and passages of chunks it rests on."""

    text: str
    title: str
    facts: tuple[str, ...]
    passages: tuple[Place, ...]


class NotedEvidence(NamedTuple):
    """A fact (f1, f2, ...) or a sentence of a chunk (c1, c2, ...) that notes rest on, and its place in the chunk."""

    id: str
    title: str
    """Of the document, with who says it where the text shows that; of a row of a table with the names of its columns."""
    text: str
    heading: str
    """What it is about: the title, where it has no name also the sentence before it."""
    place: Place
    quote: str = ""
    """The words of the chunk, on one line, where a reader quoted them."""


Notebook = tuple[tuple[str, tuple[str, ...]], ...]
"""Notes, each with the ids of its evidence."""


class Collected(NamedTuple):
    """The evidence of all notebooks, each piece once, and for each notebook its notes with the ids of their evidence."""

    evidence: tuple[NotedEvidence, ...]
    notebooks: tuple[Notebook, ...]

    def grounds(self, ids: Collection[str]) -> Grounds:
        """Return the notes that rest on some pieces of evidence, those on most of them first, with all their evidence."""
        places = {item.id: item.place for item in self.evidence}
        resting = [note for notes in self.notebooks for note in notes if not set(ids).isdisjoint(note[1])]
        resting.sort(key=lambda note: -len(set(ids).intersection(note[1])))
        return tuple(
            Ground(text, tuple(dict.fromkeys(places[id].chunk_id for id in own)), tuple(places[id] for id in own))
            for text, own in dict.fromkeys(resting)
        )


def place_of(fact: GraphFact, graph: FactGraph) -> Place | None:
    """Return the sentence of a chunk that states a fact: in its words, or nearest to them where pronouns were replaced.

    Of a fact in several sentences the last one states it; those before it are its context.
    """
    statement, _ = graph.stated(fact)
    start, end = (split(statement) or [(0, len(statement))])[-1]
    chunks = [(id, graph.chunk(id).text) for id in fact.chunk_ids]
    return place_sentence(statement[start:end], chunks) or nearest_sentence(statement[start:end], chunks[:1])


def place_for(sentence: str, evidence: NotedEvidence, graph: FactGraph) -> Place | None:
    """Return the passage that a sentence of an answer rests on; a fact may be stated in two sentences of its chunk."""
    if len(split(evidence.text)) < 2:
        return evidence.place
    chunk = evidence.place.chunk_id
    return nearest_sentence(sentence, [(chunk, graph.chunk(chunk).text)]) or evidence.place


def collect(notebooks: Sequence[Sequence[Note]], graph: FactGraph) -> Collected:
    """Join what several notes rest on: the same fact, or a fact and the sentence it was taken from, is one piece.

    Facts give their words where they have any, because their pronouns were replaced. Pieces are numbered in the order
    in which they were first noted, notebook by notebook.
    """
    pieces = _Pieces(graph)
    for fact_id in dict.fromkeys(id for notes in notebooks for note in notes for id in note.facts):
        pieces.add_fact(graph.fact(fact_id))
    found_by_note = [[(note.text, _unique(pieces.of(note))) for note in notes] for notes in notebooks]
    order = _unique(piece for notes in found_by_note for _, found in notes for piece in found)
    ids = _numbered(pieces, order)
    evidence = tuple(pieces.evidence(piece, ids[piece]) for piece in order)
    shown = tuple(
        tuple((text, tuple(ids[p] for p in found)) for text, found in notes if found) for notes in found_by_note
    )
    return Collected(evidence, shown)


def without_repeats(notebooks: Sequence[Notebook]) -> list[Notebook]:
    """Return notebooks in which no note says what another one does: readers at work side by side do not see each other's
    notes. Of two notes on the same evidence the one is kept that says what both say; of two on other evidence, where each
    says all that the other does, the first, with the evidence of both."""
    kept: list[list[tuple[str, tuple[str, ...]]]] = []
    keys = {text: content_keys(text, language_of(text)) for notes in notebooks for text, _ in notes}
    for notes in notebooks:
        kept.append([])
        for text, ids in notes:
            near = [
                (book, place)
                for book in kept
                for place, (other, _) in enumerate(book)
                if len(keys[text] & keys[other]) >= REPEATED * min(len(keys[text]), len(keys[other]))
            ]
            for book, place in near:
                other, others = book[place]
                if joint := _joint(other, text, not set(ids).isdisjoint(others)):
                    book[place] = joint, tuple(dict.fromkeys([*others, *ids]))
                    break
            else:
                kept[-1].append((text, ids))
    return [tuple(notes) for notes in kept]


def _joint(one: str, other: str, same_evidence: bool) -> str:
    """Return the one of two notes that says what both say; empty where neither does."""
    language = language_of(one)
    if negates(one, language) != negates(other, language):
        return ""
    says_other, says_one = repeats(one, other), repeats(other, one)
    if same_evidence:
        return one if says_other else other if says_one else ""
    return one if says_other and says_one else ""


class _Pieces:
    """Pieces of evidence by number; ``facts`` holds the facts of those that have some: a sentence may state several."""

    def __init__(self, graph: FactGraph) -> None:
        self._graph = graph
        self.places: list[Place] = []
        self.facts: dict[int, list[GraphFact]] = {}
        self.quoted: set[int] = set()
        self._of_fact: dict[str, int] = {}

    def add_fact(self, fact: GraphFact) -> None:
        place = place_of(fact, self._graph)
        if place is not None:
            self._of_fact[fact.id] = self._piece(place)
            self.facts.setdefault(self._of_fact[fact.id], []).append(fact)

    def of(self, note: Note) -> list[int]:
        found = [self._of_fact[id] for id in note.facts if id in self._of_fact]
        return [*found, *(self._of_passage(place) for place in note.passages)]

    def evidence(self, piece: int, id: str) -> NotedEvidence:
        """Return a piece with its words: those of its facts, in which pronouns were replaced, or the sentence's own."""
        place = self.places[piece]
        title, chunk = self._graph.title_of(place.chunk_id), self._graph.chunk(place.chunk_id).text
        words = " ".join(chunk[place.start : place.end].split())
        said = dict.fromkeys(self._graph.stated(fact)[0] for fact in self.facts.get(piece, ()))
        text = " ".join(said) if said else words
        heading = title if names_in(text) else f"{title} {self._before(place)}".strip()
        quote = words if piece in self.quoted else ""
        said_by = self._graph.said_by(place)
        above = self._graph.full_title_of(place.chunk_id)
        above = above if not said_by or words.startswith(said_by) else f"{above}; {said_by}"
        shown = with_columns(above, chunk, place.start)
        return NotedEvidence(id, shown, text, heading, place, quote)

    def _before(self, place: Place) -> str:
        """Return the sentence before a passage: of a sentence without names it says what that speaks of."""
        text = self._graph.chunk(place.chunk_id).text[: place.start]
        spans = split(text)
        return text[slice(*spans[-1])] if spans else ""

    def _of_passage(self, place: Place) -> int:
        piece = self._piece(place)
        self.quoted.add(piece)
        if piece not in self.facts and (fact := self._stating(place)):
            self.facts[piece] = [fact]
        return piece

    def _stating(self, place: Place) -> GraphFact | None:
        """Return the fact that was taken from a sentence: the one that holds most of its words, where that is enough."""
        text = self._graph.chunk(place.chunk_id).text[place.start : place.end]
        language = language_of(text)
        words = content_keys(text, language)
        shared = [
            (len(words & content_keys(self._graph.stated(fact)[0], language)), fact)
            for fact in self._graph.facts_in([place.chunk_id])
        ]
        most, fact = max(shared, key=lambda pair: (pair[0], -len(pair[1].text), pair[1].id), default=(0, None))
        return fact if most >= STATED * len(words) else None

    def _piece(self, place: Place) -> int:
        """Return the piece that a passage belongs to, which then holds all of it."""
        own = self._span(place)
        for piece, other in enumerate(self.places):
            if _alike(own, self._span(other)):
                if other.chunk_id == place.chunk_id:
                    whole = min(place.start, other.start), max(place.end, other.end)
                    self.places[piece] = Place(place.chunk_id, *whole)
                return piece
        self.places.append(place)
        return len(self.places) - 1

    def _span(self, place: Place) -> tuple[str, int, int]:
        """Return a passage in its document: chunks overlap, so the same sentence may be in two."""
        chunk = self._graph.chunk(place.chunk_id)
        return chunk.document_id, chunk.start + place.start, chunk.start + place.end


def _alike(one: tuple[str, int, int], other: tuple[str, int, int]) -> bool:
    shared = min(one[2], other[2]) - max(one[1], other[1])
    return one[0] == other[0] and shared >= SAME * max(1, min(one[2] - one[1], other[2] - other[1]))


def _numbered(pieces: _Pieces, order: Iterable[int]) -> dict[int, str]:
    ids: dict[int, str] = {}
    counts = {"f": 0, "c": 0}
    for piece in order:
        kind = "f" if piece in pieces.facts else "c"
        counts[kind] += 1
        ids[piece] = f"{kind}{counts[kind]}"
    return ids


def _unique(items: Iterable[int]) -> list[int]:
    return list(dict.fromkeys(items))
