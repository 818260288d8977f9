"""How the entities of a question are connected: the ways along relationships from one to the other, and the sentences of
the corpus that each step rests on."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from typing import Any, NamedTuple

import pyarrow.compute as pc

from pipeline.base.arrow.build import scalar
from pipeline.base.store import Rows
from pipeline.documents.chunk_documents import with_documents
from pipeline.query.answer import Place
from pipeline.query.evidence.citations import guarded, nearest_sentence, place_sentence
from pipeline.query.evidence.cited_context import Offered
from pipeline.query.evidence.entity_linker import proper_names, titled
from pipeline.query.ways.relationship_graph import graph_of_rows
from pipeline.query.ways.stretches import End, PassageOfBoth, stretches
from pipeline.text.extraction.mention_rank import is_letter_head
from pipeline.text.extraction.name_lists import are_listed, is_name_list, is_relation_line, label_of
from pipeline.text.extraction.relations import is_tie, states_nothing
from pipeline.text.extraction.self_contained import stands_alone
from pipeline.text.keys import content_keys, key_of, keys_of
from pipeline.text.metadata import mail_header
from pipeline.text.question.kinds import asks_connection
from pipeline.text.question.question import Question
from pipeline.text.question.scope.connected_ends import asks_in_common, common_thing
from pipeline.text.sentences import CELLS, split

WAYS = 2
"""Ways shown between two entities that no passage names together; they share no entity between."""
LONGEST_OTHER = 2
"""Steps, at most, of such a way that is shown beside a better one."""
TRIED = 6
"""Such ways that are looked at."""
QUOTED = 3
"""Sentences of a relationship that connects two entities directly; of a step of a longer way one is enough."""
MOST_CHUNKS = 40
"""Chunks of a relationship in which its sentences are looked for."""
PASSAGES, DEARER = 3, 1.5
"""Passages that name both of two, at most, and by how many sentences they may cost more than the best."""
PAIRS = 3
"""Pairs of entities of a question, in its order, that are connected."""
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
COMMON, MOST_COMMON = 3, 12
"""Things that two have in common: so many are shown, of so many that are looked at."""


class Connected(NamedTuple):
    """A step of a way: a relationship, and where the corpus states it, the clearest place first."""

    source: str
    target: str
    description: str
    places: tuple[Place, ...]
    is_letter: bool = False
    """Whether the sentences are of letters from one to the other, which need not name them."""


Way = tuple[Connected, ...]


def connections(question: Question, tables: Mapping[str, Rows]) -> list[Way]:
    """Return the ways between the entities of a question that asks how they are connected, each from an entity that the
    question names earlier to one that it names later; none where it asks something else or nothing connects them.

    ``tables`` holds chunks, entities and relationships by name. Sentences that state something of both are the whole way, else the
    shortest passage that names both; only then the best ways over others are taken: those of relationships that make up much of what
    their ends are related by. What two have in common is what both are related to.
    """
    if not asks_connection(question.text, question.language):
        return []
    names = proper_names(question.entities)
    asked = names if len(names) > 1 else [one for one in question.entities if one.written]
    ends = [end_of(one.title, tables["entities"], question.language) for one in asked]
    if thing := common_thing(question):
        ends.append(End(thing.words, [thing.keys], None))
    pairs = list(pairwise(ends))[:PAIRS]
    common = pairs if asks_in_common(question) and not thing else ()
    ways = [way for pair in common for way in _in_common(*pair, tables, question.language)]
    return ways or [way for pair in pairs for way in _between(*pair, tables, question.language)]


def is_stated(one: str, other: str, tables: Mapping[str, Rows], language: str) -> bool:
    """Return whether two entities have a relationship that the corpus states, and not only by a list with both, so that the question how
    they are connected has an answer; ``tables`` are those of ``connections``."""
    entities = tables["entities"]
    found = _stated(end_of(one, entities, language), end_of(other, entities, language), tables, language)
    texts = tables["chunks"].by_id({place.chunk_id for place in found.full}, ["text"]) if found else {}
    said = (texts[place.chunk_id]["text"][place.start : place.end] for place in (found.full if found else ()))
    return any(not are_listed(one, other, sentence) for sentence in said)


def end_of(title: str, entities: Rows, language: str) -> End:
    """Return an entity as an end."""
    rows = titled([title], entities, ["aliases", "chunk_ids"])
    forms = [keys_of(form, language) for form in (title, *(alias for row in rows for alias in row["aliases"]))]
    return End(title, forms, [id for row in rows for id in row["chunk_ids"]])


def entities_on(ways: Sequence[Way], entities: Rows) -> list[str]:
    """Return the ids of the entities on some ways, each once."""
    titles = {title for way in ways for step in way for title in (step.source, step.target)}
    return [row["id"] for row in titled(titles, entities, ["id"])]


def written_ways(ways: Sequence[Way], offered: Offered, chunks: Rows, documents: Rows) -> str:
    """Return the answer that some ways give: the sentences of each step, word for word, each with the id of its chunk; above
    those of a step of a longer way the two that it connects, above that of a mail who sent it to whom."""
    texts = chunks.by_id({place.chunk_id for way in ways for step in way for place in step.places}, ["text"])
    ends = {(step.source, step.target) for way in ways for step in way}
    parts = []
    for way in ways:
        for step in way:
            said = []
            for place in step.places:
                text = texts[place.chunk_id]["text"]
                id = offered.chunk(place.chunk_id, text, "d")
                said += _mail_headers(place.chunk_id, chunks, documents) if step.is_letter else []
                said.append(f"{guarded(' '.join(text[place.start : place.end].split()))} [{id}]")
            head = f"**{step.source} – {step.target}**\n" if len(ends) > 1 else ""
            parts.append(head + "\n".join(said))
    return "\n\n".join(dict.fromkeys(parts))


def _mail_headers(chunk_id: str, chunks: Rows, documents: Rows) -> list[str]:
    """Return the lines above a mail that say who sent it and to whom; none for what is no mail."""
    rows = with_documents([chunk_id], chunks, documents, (), ["metadata"])
    headers = [mail_header(document["metadata"], name) for _, document in rows.values() for name in ("from", "to")]
    return [f"{guarded(chr(10).join(headers))}\n"] if all(headers) else []


def _between(one: End, other: End, tables: Mapping[str, Rows], language: str) -> list[Way]:
    """Return the ways between two things, best first: what states how they are related, else letters from one to the other and the
    passages that name both, else ways over others; a list or a question that names both is better than nothing."""
    are_named = one.chunk_ids is not None and other.chunk_ids is not None
    direct = _stated(one, other, tables, language) if are_named else None
    if direct and direct.full:
        return [(direct.step(direct.full[:QUOTED]),)]
    near = stretches(one, other, tables, language)
    if direct and direct.letters:
        near = [stretch for stretch in near if not stretch.by_writer]
        letters = direct.step(direct.letters[:QUOTED])._replace(is_letter=True)
        return [(letters,), *_passages(one, other, near, tables["chunks"])]
    if near:
        return _passages(one, other, near, tables["chunks"])
    if direct and direct.partly:
        return [(direct.step(direct.partly[:QUOTED])._replace(is_letter=True),)]
    over = _over_others(one, other, tables, language) if are_named else []
    if direct and not any(is_stated for is_stated, _ in over):
        return [(direct.step(direct.best[:1]),)]
    ways = [way for is_stated, way in over if is_stated == over[0][0]][:WAYS]
    return [way for place, way in enumerate(ways) if not place or len(way) <= min(len(ways[0]), LONGEST_OTHER)]


def _passages(one: End, other: End, near: Sequence[PassageOfBoth], chunks: Rows) -> list[Way]:
    """Return the best of the passages that name both, each as a way of one step; of chunks that overlap each sentence once."""
    rows = chunks.by_id({stretch.places[0].chunk_id for stretch in near}, ["text"])
    ways: list[Way] = []
    seen: set[str] = set()
    for stretch in near:
        text = rows[stretch.places[0].chunk_id]["text"]
        sentences = [" ".join(text[place.start : place.end].split()) for place in stretch.places]
        is_good = stretch.cost <= near[0].cost + DEARER and stretch.detours <= near[0].detours
        if is_good and len(ways) < PASSAGES and seen.isdisjoint(sentences):
            ways.append((Connected(one.title, other.title, " ".join(sentences), stretch.places),))
            seen.update(sentences)
    return ways


def _over_others(one: End, other: End, tables: Mapping[str, Rows], language: str) -> list[tuple[bool, Way]]:
    """Return the ways between two entities over others, each with whether sentences state all its steps: first those, and of these the
    ones whose steps share a document."""
    graph = tables["relationships"].derived(graph_of_rows)
    found: list[tuple[bool, bool, Way]] = []
    banned = {""}
    for _ in range(TRIED):
        titles = graph.way(one.title, other.title, banned)
        if not titles:
            break
        ends = [end_of(title, tables["entities"], language) for title in titles]
        steps = [step for pair in pairwise(ends) if (step := _stated(*pair, tables, language))]
        if len(steps) == len(titles) - 1:
            shared, places = _in_one_document([step.best for step in steps], tables["chunks"])
            way = tuple(step.step((place,)) for step, place in zip(steps, places, strict=True))
            found.append((all(step.full or step.partly for step in steps), shared, way))
        banned.update(titles[1:-1])
    found.sort(key=lambda one: (not one[0], not one[1]))
    return [(is_stated, way) for is_stated, _, way in found]


def _in_one_document(steps: Sequence[Sequence[Place]], chunks: Rows) -> tuple[bool, list[Place]]:
    """Return whether sentences of one document state all steps, and a sentence of each: these where there are such, else the best."""
    rows = chunks.by_id({place.chunk_id for places in steps for place in places}, ["document_id"])
    by_document = [{rows[place.chunk_id]["document_id"]: place for place in reversed(places)} for places in steps]
    for document in (rows[place.chunk_id]["document_id"] for place in steps[0]):
        if all(document in places for places in by_document):
            return True, [places[document] for places in by_document]
    return False, [places[0] for places in steps]


def _in_common(one: End, other: End, tables: Mapping[str, Rows], language: str) -> list[Way]:
    """Return the ways over what both of two entities are related to: first what is said of both in the same words."""
    graph = tables["relationships"].derived(graph_of_rows)
    found: list[tuple[float, Way]] = []
    for title in graph.common(one.title, other.title)[:MOST_COMMON]:
        third = end_of(title, tables["entities"], language)
        steps = [_stated(one, third, tables, language), _stated(third, other, tables, language)]
        if not all(step and step.full for step in steps):
            continue
        names = frozenset(key for end in (one, other, third) for form in end.forms for key in form)
        pairs = product(*(step.full[:QUOTED] for step in steps if step))
        alike = [(_alike(pair, names, tables["chunks"], language), pair) for pair in pairs]
        shared, places = max(alike, key=lambda pair: pair[0])
        way = tuple(step.step((place,)) for step, place in zip(steps, places, strict=True) if step)
        found.append((shared, way))
    found.sort(key=lambda one: -one[0])
    # What the same sentences say of two is shown for the first of these alone.
    apart: dict[tuple[tuple[Place, ...], ...], tuple[float, Way]] = {}
    for shared, way in found:
        apart.setdefault(tuple(step.places for step in way), (shared, way))
    kept = list(apart.values())[:COMMON]
    return [way for shared, way in kept if shared or not kept[0][0]]


def _alike(places: Sequence[Place], names: frozenset[str], chunks: Rows, language: str) -> float:
    """Return the share of the words of two sentences, but for some names, that both have; none of one and the same sentence, which
    says what connects two, and little of what both are."""
    rows = chunks.by_id({place.chunk_id for place in places}, ["text"])
    a, b = (content_keys(rows[place.chunk_id]["text"][place.start : place.end], language) - names for place in places)
    return 0.0 if places[0] == places[1] else len(a & b) / max(len(a | b), 1)


class _Stated(NamedTuple):
    """A relationship and where the corpus has it, each the clearest first: sentences that state something of both by name; that state
    something, or list one under the other; heads of letters from one to the other and what else describes it without their names; and
    what states nothing."""

    source: str
    target: str
    description: str
    full: tuple[Place, ...]
    partly: tuple[Place, ...]
    letters: tuple[Place, ...]
    hardly: tuple[Place, ...]

    @property
    def best(self) -> tuple[Place, ...]:
        """The clearest that there are."""
        return self.full or self.partly or self.letters or self.hardly

    def step(self, places: tuple[Place, ...]) -> Connected:
        """Return the relationship with some of its places, as a step of a way."""
        return Connected(self.source, self.target, self.description, places)


def _stated(one: End, other: End, tables: Mapping[str, Rows], language: str) -> _Stated | None:
    """Return the relationship of two entities with the sentences that state it, first those that say what one is or does to the other; None where no chunk does, and where they have none."""
    table = tables["relationships"].table(["source", "target", "description", "chunk_ids"])
    first, last = sorted((one.title, other.title))
    found: list[dict[str, Any]] = table.filter(
        pc.and_(pc.equal(table["source"], scalar(first)), pc.equal(table["target"], scalar(last)))
    ).to_pylist()
    if not found:
        return None
    said, ids = found[0]["description"], found[0]["chunk_ids"][:MOST_CHUNKS]
    rows = tables["chunks"].by_id(ids, ["text"])
    chunks = [(id, rows[id]["text"]) for id in ids if id in rows]
    placed = [place_sentence(said[start:end], chunks) for start, end in split(said)]
    places = list(dict.fromkeys(place for place in placed if place))
    if not places and (nearest := nearest_sentence(said, chunks)):
        places = [nearest]
    ends = (one, other)
    names = frozenset(key for end in ends for form in end.forms for key in form)
    kinds: list[list[tuple[int, bool, bool, int, Place]]] = [[], [], [], []]
    for order, place in enumerate(places):
        sentence = rows[place.chunk_id]["text"][place.start : place.end]
        # The names alone, as below a letter, say nothing of what connects them.
        if content_keys(sentence, language) - names:
            named = sum(end.is_in(keys_of(sentence, language)) for end in ends)
            kind = _kind(sentence, ends, named, language)
            is_tied = named == len(ends) and _are_tied(sentence, ends, language)
            kinds[kind].append((-named, not is_tied, not stands_alone(" ".join(sentence.split())), order, place))
    stated = _Stated(one.title, other.title, said, *(tuple(place for *_, place in sorted(some)) for some in kinds))
    return stated if stated.best else None


def _are_tied(sentence: str, ends: Sequence[End], language: str) -> bool:
    """Return whether a sentence says what one of two ends is or does to the other, between their names."""
    names = [frozenset(key for form in end.forms for key in form) for end in ends]
    named = [
        (word, number)
        for word in _WORD.finditer(sentence)
        for number, own in enumerate(names)
        if key_of(word[0].casefold(), language) in own - names[1 - number]
    ]
    return any(
        number != other and is_tie(sentence[word.end() : following.start()], language)
        for (word, number), (following, other) in pairwise(named)
    )


def _kind(sentence: str, ends: Sequence[End], named: int, language: str) -> int:
    """Return the place among the fields of _Stated, from ``full`` on, of a sentence that names so many of two ends."""
    if is_letter_head(sentence) and CELLS not in sentence:
        return 2 if named == len(ends) and len(sentence.splitlines()) > 1 else 3
    if named and is_relation_line(sentence):
        return 0
    if is_name_list(sentence):
        label = keys_of(label_of(sentence), language)
        return 1 if named == len(ends) and any(end.is_in(label) for end in ends) else 3
    if states_nothing(sentence):
        return 3
    return (2, 1, 0)[named]
