"""How the entities of a question are connected: the ways along relationships from one to the other, and the sentences of
the corpus that each step rests on."""

import heapq
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.base.arrow.build import array, scalar, to_numpy
from pipeline.base.arrow.columns import codes_of
from pipeline.base.store import Rows
from pipeline.query.answer import Place
from pipeline.query.evidence.citations import guarded, nearest_sentence, place_sentence
from pipeline.query.evidence.cited_context import Offered
from pipeline.query.evidence.entity_linker import proper_names, titled
from pipeline.text.extraction.self_contained import stands_alone
from pipeline.text.keys import content_keys, keys_of
from pipeline.text.question.kinds import asks_connection
from pipeline.text.question.question import Question
from pipeline.text.sentences import split

MOST_STEPS = 4
"""Relationships of a way: what is farther apart is not connected in a sense that a reader would accept."""
WAYS = 2
"""Ways shown between two entities without a relationship; they share no entity between."""
MOST_VISITED = 20_000
"""Entities that are looked at from one of two."""
QUOTED = 3
"""Sentences of a relationship that connects two entities directly; of a step of a longer way one is enough."""
MOST_CHUNKS = 40
"""Chunks of a relationship in which its sentences are looked for."""
PAIRS = 3
"""Pairs of entities of a question, in its order, that are connected."""


class Connected(NamedTuple):
    """A step of a way: a relationship, and where the corpus states it, the clearest place first."""

    source: str
    target: str
    description: str
    places: tuple[Place, ...]


Way = tuple[Connected, ...]


def connections(question: Question, tables: Mapping[str, Rows]) -> list[Way]:
    """Return the ways between the entities of a question that asks how they are connected, each from an entity that the
    question names earlier to one that it names later; none where it asks something else or nothing connects them.

    ``tables`` holds chunks, entities and relationships by name. A relationship between the two is the whole way; else the
    best ways over others are taken: those of relationships that make up much of what their ends are related by.
    """
    if not asks_connection(question.text, question.language):
        return []
    names = proper_names(question.entities)
    asked = names if len(names) > 1 else [one for one in question.entities if one.written]
    graph = tables["relationships"].derived(_graph)
    pairs = list(pairwise(asked))[:PAIRS]
    return [way for one, other in pairs for way in _between(one.title, other.title, graph, tables, question.language)]


def is_stated(one: str, other: str, tables: Mapping[str, Rows], language: str) -> bool:
    """Return whether two entities have a relationship that the corpus states, so that the question how they are connected has
    an answer; ``tables`` are those of ``connections``."""
    return _connected((one, other), tables, language, 1) is not None


def entities_on(ways: Sequence[Way], entities: Rows) -> list[str]:
    """Return the ids of the entities on some ways, each once."""
    titles = {title for way in ways for step in way for title in (step.source, step.target)}
    return [row["id"] for row in titled(titles, entities, ["id"])]


def written_ways(ways: Sequence[Way], offered: Offered, chunks: Rows) -> str:
    """Return the answer that some ways give: the sentences of each step, word for word, each with the id of its chunk; above
    those of a step of a longer way the two that it connects."""
    texts = chunks.by_id({place.chunk_id for way in ways for step in way for place in step.places}, ["text"])
    parts = []
    for way in ways:
        for step in way:
            said = []
            for place in step.places:
                text = texts[place.chunk_id]["text"]
                id = offered.chunk(place.chunk_id, text, "d")
                said.append(f"{guarded(' '.join(text[place.start : place.end].split()))} [{id}]")
            head = f"**{step.source} – {step.target}**\n" if len(way) > 1 or len(ways) > 1 else ""
            parts.append(head + "\n".join(said))
    return "\n\n".join(dict.fromkeys(parts))


class RelationshipGraph(NamedTuple):
    """Relationships both ways: those of entity ``i`` are ``starts[i]`` to ``starts[i + 1]`` of ``ends`` and ``costs``."""

    titles: pa.Array
    starts: np.ndarray
    ends: np.ndarray
    costs: np.ndarray

    def way(self, one: str, other: str, banned: Collection[str]) -> list[str]:
        """Return the titles of the cheapest way of at most MOST_STEPS from one entity to another past banned ones, both
        ends with it; a relationship of the two is always the way. Empty where there is none."""
        first, last, *out = (pc.index(self.titles, scalar(title)).as_py() for title in (one, other, *sorted(banned)))
        if first < 0 or last < 0 or first == last:
            return []
        if not banned and last in self.ends[self.starts[first] : self.starts[first + 1]]:
            return [one, other]
        # An entity is looked at again where a dearer way reaches it in fewer steps: the cheaper one may be too long to go on.
        fewest = dict.fromkeys(out, 0)
        before: dict[tuple[int, int], int] = {}
        heap = [(0.0, 0, first, first)]
        while heap and len(fewest) < MOST_VISITED:
            cost, steps, at, came = heapq.heappop(heap)
            if steps >= fewest.get(at, MOST_STEPS + 1):
                continue
            fewest[at], before[at, steps] = steps, came
            if at == last:
                return self._back(at, steps, before)
            around = slice(self.starts[at], self.starts[at + 1])
            for end, more in zip(self.ends[around].tolist(), self.costs[around].tolist(), strict=True):
                heapq.heappush(heap, (cost + more, steps + 1, end, at))
        return []

    def _back(self, at: int, steps: int, before: Mapping[tuple[int, int], int]) -> list[str]:
        way = [at]
        for taken in range(steps, 0, -1):
            way.append(before[way[-1], taken])
        return [self.titles[place].as_py() for place in reversed(way)]


def _graph(relationships: Rows) -> RelationshipGraph:
    return graph_of(relationships.table(["source", "target", "weight", "combined_degree"]))


def graph_of(table: pa.Table) -> RelationshipGraph:
    """Return relationships (source, target, weight, combined_degree) as a graph to find ways in."""
    codes, distinct = codes_of(pa.chunked_array([*table["source"].chunks, *table["target"].chunks], pa.string()))
    # Titles in their own order, so that of ways that cost the same always the same one is found.
    by_title = to_numpy(pc.array_sort_indices(distinct)).astype(np.int64)
    source, target = np.argsort(by_title)[codes].reshape(2, -1)
    # What a relationship is of all that its ends are related by: one of a hub says little of either.
    cost = np.log1p(to_numpy(table["combined_degree"]) / np.maximum(to_numpy(table["weight"]), 1e-9))
    starts, ends = np.concatenate([source, target]), np.concatenate([target, source])
    order = np.lexsort((ends, starts))
    bounds = np.searchsorted(starts[order], np.arange(len(distinct) + 1))
    return RelationshipGraph(distinct.take(array(by_title)), bounds, ends[order], np.concatenate([cost, cost])[order])


def _between(one: str, other: str, graph: RelationshipGraph, tables: Mapping[str, Rows], language: str) -> list[Way]:
    """Return the ways between two entities whose steps the corpus states, best first."""
    found: list[Way] = []
    banned: set[str] = set()
    while len(found) < WAYS and (titles := graph.way(one, other, banned)):
        direct = len(titles) == 2
        steps = [_connected(pair, tables, language, QUOTED if direct else 1) for pair in pairwise(titles)]
        whole = tuple(step for step in steps if step is not None)
        if len(whole) == len(steps):
            found.append(whole)
        if direct:
            break
        banned.update(titles[1:-1])
    return found


def _connected(pair: tuple[str, str], tables: Mapping[str, Rows], language: str, most: int) -> Connected | None:
    """Return the relationship of two entities with at most so many sentences that state it; None where no chunk does, and
    where they have none."""
    table = tables["relationships"].table(["source", "target", "description", "chunk_ids"])
    first, last = sorted(pair)
    found: list[dict[str, Any]] = table.filter(
        pc.and_(pc.equal(table["source"], scalar(first)), pc.equal(table["target"], scalar(last)))
    ).to_pylist()
    if not found:
        return None
    row = found[0]
    rows = tables["chunks"].by_id(row["chunk_ids"][:MOST_CHUNKS], ["text"])
    chunks = [(id, rows[id]["text"]) for id in row["chunk_ids"][:MOST_CHUNKS] if id in rows]
    said = row["description"]
    placed = [place_sentence(said[start:end], chunks) for start, end in split(said)]
    places = dict.fromkeys(place for place in placed if place)
    if not places and (nearest := nearest_sentence(said, chunks)):
        places = {nearest: None}
    forms = [_forms(title, tables["entities"], language) for title in pair]
    names = frozenset(key for end in forms for form in end for key in form)
    sentences = {place: rows[place.chunk_id]["text"][place.start : place.end] for place in places}
    known = [
        (_clarity(sentence, forms, language), order, place)
        for order, (place, sentence) in enumerate(sentences.items())
        if content_keys(sentence, language)
        - names  # the names alone, as below a letter, say nothing of what connects them
    ]
    best = tuple(place for *_, place in sorted(known)[:most])
    return Connected(*pair, said, best) if best else None


def _forms(title: str, entities: Rows, language: str) -> list[frozenset[str]]:
    rows = titled([title], entities, ["aliases"])
    return [keys_of(form, language) for form in (title, *(alias for row in rows for alias in row["aliases"]))]


def _clarity(sentence: str, ends: Sequence[Sequence[frozenset[str]]], language: str) -> tuple[int, bool]:
    """Return the place of a sentence among those of a relationship: those that name both ends come first, then those that
    can be read alone."""
    keys = keys_of(sentence, language)
    named = sum(any(form <= keys for form in forms) for forms in ends)
    return -named, not stands_alone(" ".join(sentence.split()))
