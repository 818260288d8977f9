"""The three moves of a reader: read the facts of a node, read a chunk, choose among a node's neighbours.

Each puts one request and turns the reply into a new walk. Ids and moves that do not exist are left out and counted.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from pipeline.base.task import short_ids
from pipeline.base.tokens import Estimate, that_fit
from pipeline.language.tasks.reader.choose_neighbours import NeighboursToChoose, NextNodes, choose_neighbours
from pipeline.language.tasks.reader.notes import (
    FINISH,
    GIVE_UP,
    READ_CHUNKS,
    READ_NEIGHBOURS,
    READ_NEXT,
    READ_NODES,
    READ_PREVIOUS,
    SEARCH_AGAIN,
    SEARCH_MORE,
    NodeShown,
    Sight,
    sight_of,
)
from pipeline.language.tasks.reader.read_chunk import ChunkNote, ChunkRead, ChunkToRead, read_chunk
from pipeline.language.tasks.reader.read_facts import FactNote, FactShown, FactsRead, FactsToRead, read_facts
from pipeline.query.answer import Place
from pipeline.query.evidence.citations import nearest_sentence, place_sentence
from pipeline.query.method import SearchCall
from pipeline.query.model_requests import request_one
from pipeline.query.reader.fact_graph import Element, FactGraph, GraphChunk, GraphFact
from pipeline.query.reader.notebook import Note
from pipeline.query.reader.state import (
    LOOK_AROUND,
    READ_CHUNK,
    READ_FACTS,
    SEARCH,
    Move,
    Turn,
    View,
    Walk,
    moved,
    waiting,
)
from pipeline.text.inflection import in_number

FACTS = 40
"""Facts of a node that are shown, the closest to the question."""
NEIGHBOURS = 20
"""Neighbours of a node that are shown, the best that nobody has read."""
TOKENS = Estimate()
Neighbour = tuple[float, Element, GraphFact]
T = TypeVar("T")


class Moves:
    """The moves of all readers of one question; nothing in it changes but what is remembered of neighbours."""

    def __init__(self, call: SearchCall, graph: FactGraph) -> None:
        self.call, self.graph = call, graph
        self._around: dict[str, list[Neighbour]] = {}

    def read_facts(self, walk: Walk, view: View) -> Walk:
        """Read the facts of the node that a walk is at."""
        node = self.graph.element(walk.node)
        facts, chunks = self._facts_shown(node.id)
        anchors = tuple((id, self._anchor(chunk, walk, view)) for id, chunk in chunks.items())
        shown = tuple(item for item, _ in facts.values())
        few = len(shown) < node.frequency
        count = (
            f"{len(shown)} of {node.frequency} facts, the closest to the question" if few else f"all {len(shown)} facts"
        )
        request = FactsToRead(
            _item(walk),
            self.call.question.text,
            *self._state(walk, view),
            node.title,
            count,
            anchors,
            shown,
            self._sight(walk),
        )
        reply, _, failure = request_one(read_facts, request, self.call.language)
        move = self._after_facts(walk, reply, {id: fact for id, (_, fact) in facts.items()}, chunks)
        return moved(walk, move, reply.reason, f"read the facts of {node.title}", failure)

    def read_chunk(self, walk: Walk, view: View) -> Walk:
        """Read the chunk that is a walk's turn."""
        chunk = self.graph.chunk(walk.turn.on if walk.turn else "")
        text = _fitting(chunk.text, self.call.settings.context_tokens // 2)
        left = waiting(walk, READ_CHUNK, view.seen)
        request = ChunkToRead(
            _item(walk),
            self.call.question.text,
            *self._state(walk, view),
            chunk.anchor,
            self.graph.part_of(chunk.id),
            text,
            tuple(map(self.graph.name_of, left)),
            self._sight(walk),
        )
        reply, _, failure = request_one(read_chunk, request, self.call.language)
        move = self._after_chunk(walk, reply, chunk, text, left)
        return moved(walk, move, reply.reason, f"read {self.graph.name_of(chunk.id)}", failure)

    def choose_neighbours(self, walk: Walk, view: View) -> Walk:
        """Look at the neighbours of the node that a walk is at."""
        node = self.graph.element(walk.node)
        unread = self.unread(node.id, view.seen)
        shown = {f"n{place}": entry for place, entry in enumerate(unread[:NEIGHBOURS], 1)}
        count = f"{len(shown)} of {len(unread)} neighbours that nobody has read"
        nodes = tuple(
            NodeShown(id, other.title, other.frequency, fact.text, min(100.0, 100 * score))
            for id, (score, other, fact) in shown.items()
        )
        state = self._state(walk, view)
        request = NeighboursToChoose(
            _item(walk), self.call.question.text, *state, node.title, count, nodes, self._sight(walk)
        )
        reply, _, failure = request_one(choose_neighbours, request, self.call.language)
        move = self._after_neighbours(walk, reply, shown)
        there = replace(walk, looked=walk.looked | {node.id})
        return moved(there, move, reply.reason, f"looked around {node.title}", failure)

    def unread(self, node: str, seen: Collection[str]) -> list[Neighbour]:
        """Return the neighbours of a node whose facts nobody has read, the best first."""
        if node not in self._around:
            self._around[node] = self.graph.neighbours(node, self.call.question)
        return [entry for entry in self._around[node] if entry[1].id not in seen]

    # --- facts --------------------------------------------------------------------------------------------------------

    def _facts_shown(self, node: str) -> tuple[dict[str, tuple[FactShown, GraphFact]], dict[str, str]]:
        """Return the facts of a node under short ids, chunk by chunk, and the chunks behind theirs.

        The closest to the question are taken, as many as fit half of the context; the chunk of the closest comes first, its facts
        in the order of its text, in which one explains the next.
        """
        close = [fact for _, fact in self.graph.closest(self.call.question, self.graph.facts_of(node), FACTS)]
        taken = that_fit(close, TOKENS.counts([fact.text for fact in close]), self.call.settings.context_tokens // 2)
        chunks = {id: f"c{place}" for place, id in enumerate(dict.fromkeys(f.chunk_ids[0] for f in taken), 1)}
        order = sorted(taken, key=lambda fact: (int(chunks[fact.chunk_ids[0]][1:]), self.graph.place_of(fact)))
        facts = {}
        for place, fact in enumerate(order, 1):
            chunk = fact.chunk_ids[0]
            facts[f"f{place}"] = (FactShown(f"f{place}", chunks[chunk], self.graph.title_of(chunk), fact.text), fact)
        return facts, {short: id for id, short in chunks.items()}

    def _after_facts(
        self, walk: Walk, reply: FactsRead, facts: Mapping[str, GraphFact], chunks: Mapping[str, str]
    ) -> Move:
        notes, removed = self._fact_notes(reply.notes, facts)
        if move := _last_move(walk, reply, notes, removed):
            return move
        if reply.action == READ_CHUNKS:
            known, unknown = _offered(reply.chunks, chunks)
            removed += unknown
            if known:
                turns = tuple(Turn(READ_CHUNK, chunk, walk.path) for chunk in known)
                return Move(notes, turns, f"reads {in_number(len(known), 'chunk')} next", removed)
        invalid = reply.action != READ_NEIGHBOURS
        return Move(notes, _around(walk), "looks at neighbours next", removed + invalid)

    def _fact_notes(self, notes: Iterable[FactNote], facts: Mapping[str, GraphFact]) -> tuple[list[Note], int]:
        """Return the notes that rest on facts that were offered; ids that were not, and notes without any, are counted."""
        kept = []
        removed = 0
        for note in notes:
            known, unknown = _offered(note.facts, facts)
            removed += unknown + (not note.facts)
            if known:
                title = self.graph.title_of(known[0].chunk_ids[0])
                kept.append(Note(note.text, title, tuple(fact.id for fact in known), ()))
        return kept, removed

    # --- chunks -------------------------------------------------------------------------------------------------------

    def _after_chunk(self, walk: Walk, reply: ChunkRead, chunk: GraphChunk, text: str, left: Sequence[str]) -> Move:
        notes, removed = _chunk_notes(reply.notes, chunk, text)
        if move := _last_move(walk, reply, notes, removed):
            return move
        if reply.action in (READ_PREVIOUS, READ_NEXT):
            other = self.graph.beside(chunk.id, 1 if reply.action == READ_NEXT else -1)
            if other is not None:
                return Move(notes, (Turn(READ_CHUNK, other, walk.path),), "reads the chunk beside it next", removed)
        invalid = reply.action not in (SEARCH_MORE, READ_PREVIOUS, READ_NEXT)
        if left:
            return Move(notes, (), "reads the next chunk that waits", removed + invalid)
        return Move(notes, _around(walk), "looks at neighbours next", removed + invalid)

    # --- neighbours ---------------------------------------------------------------------------------------------------

    def _after_neighbours(self, walk: Walk, reply: NextNodes, shown: Mapping[str, Neighbour]) -> Move:
        known, removed = _offered(reply.nodes, shown)
        if reply.action == READ_NODES and known:
            turns = tuple(Turn(READ_FACTS, node.id, (*walk.path, self.graph.stated(fact))) for _, node, fact in known)
            return Move((), turns, f"reads the facts of {', '.join(node.title for _, node, _ in known)} next", removed)
        return _last_move(walk, reply, (), removed) or Move((), (), GIVE_UP, removed or 1)

    # --- what is shown ------------------------------------------------------------------------------------------------

    def _anchor(self, chunk: str, walk: Walk, view: View) -> str:
        """Return the heading of a chunk, with who has read it."""
        reader = view.seen.get(chunk)
        who = "you" if reader == walk.number else f"reader {reader}"
        return self.graph.name_of(chunk) + (f" (read by {who})" if reader else "")

    def _state(self, walk: Walk, view: View) -> tuple[str, str, str, str]:
        """Return the plan, the notes of this reader and of the others, and what was done, as they are shown; the latest
        notes where not all fit."""
        room = self.call.settings.context_tokens // 8
        own = self._latest([f"- {note.text}" for note in walk.notes], 2 * room)
        others = self._latest(
            [f"- {note.text} (reader {n})" for n, notes in view.notes if n != walk.number for note in notes], room
        )
        done = [f"you {what}" for what in walk.done]
        done += [f"reader {n} {what}" for n, some in view.done if n != walk.number for what in some]
        return view.plan, own or "(none)", others or "(nothing)", "; ".join(done) or "nothing"

    def _latest(self, lines: Sequence[str], n_tokens: int) -> str:
        """Return the last lines that fit, and how many before them do not."""
        kept = list(lines)
        while kept and TOKENS.count("\n".join(kept)) > n_tokens:
            kept.pop(0)
        left = len(lines) - len(kept)
        return "\n".join([*([f"({left} earlier ones are left out here)"] if left else []), *kept])

    def _sight(self, walk: Walk) -> Sight:
        """Return what a reader without a model goes by: what led here counts for what it says of the question."""
        return sight_of(self.call.question).after(walk.path)


def _last_move(
    walk: Walk, reply: FactsRead | ChunkRead | NextNodes, notes: Sequence[Note], removed: int
) -> Move | None:
    """Return the move where a reader ends or searches anew, which every reading offers; None where it reads on."""
    if reply.action in (FINISH, GIVE_UP):
        return Move(notes, (), reply.action, removed)
    if reply.action == SEARCH_AGAIN and reply.query.strip():
        return Move(notes, (Turn(SEARCH, reply.query, walk.path),), f"searches for {reply.query}", removed)
    return None


def _offered(ids: Iterable[str], offered: Mapping[str, T]) -> tuple[list[T], int]:
    """Return what was offered under some ids, each once, and how many of them were not offered."""
    named = short_ids(ids)
    return [offered[id] for id in named if id in offered], sum(id not in offered for id in named)


def _around(walk: Walk) -> tuple[Turn, ...]:
    """Return the look at a node's neighbours; nothing where neighbours that were chosen before still wait."""
    chosen = any(turn.what == READ_FACTS for turn in walk.wishes)
    return () if chosen else (Turn(LOOK_AROUND, walk.node),)


def _chunk_notes(notes: Iterable[ChunkNote], chunk: GraphChunk, text: str) -> tuple[list[Note], int]:
    """Return notes with the passages of a chunk that they quote; quotes that are not in it are counted, and the
    nearest sentence is taken."""
    title = chunk.anchor.split(" > ")[0]
    kept = []
    removed = 0
    for note in notes:
        place = place_sentence(note.quote, [(chunk.id, text)]) if note.quote.strip() else None
        if place is None:
            removed += 1
            place = nearest_sentence(note.quote or note.text, [(chunk.id, text)])
        if place is not None:
            kept.append(Note(note.text, title, (), (Place(chunk.id, place.start, place.end),)))
    return kept, removed


def _fitting(text: str, n_tokens: int) -> str:
    """Return a text's beginning of at most ``n_tokens``."""
    while (count := TOKENS.count(text)) > n_tokens:
        text = text[: max(1, min(len(text) - 1, len(text) * n_tokens // count))]
    return text


def _item(walk: Walk) -> str:
    return f"walk {walk.number} call {walk.calls + 1}"
