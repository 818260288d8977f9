"""Reading as a graph of LangGraph: plan, choose start nodes, then rounds in which every walk makes one move.

All walks of a round are at work at the same time, each in a thread; between rounds ``share`` hands out what each reads next, in
the order of the walks, so that no two read the same and the result does not depend on which reply came first.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple, TypedDict

from pipeline.base.settings import SearchSettings
from pipeline.base.task import AskT, ReplyT, Task
from pipeline.base.tokens import Estimate
from pipeline.language.backend import Reply
from pipeline.language.desk import Desk
from pipeline.language.tasks.choose_neighbours import NeighboursToChoose, choose_neighbours
from pipeline.language.tasks.choose_nodes import NodesToChoose, choose_nodes
from pipeline.language.tasks.notes import (
    FINISH,
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
from pipeline.language.tasks.plan_reading import Plan, QuestionToPlan, plan_reading
from pipeline.language.tasks.read_chunk import ChunkNote, ChunkToRead, read_chunk
from pipeline.language.tasks.read_facts import FactNote, FactShown, FactsToRead, read_facts
from pipeline.query.answer import Trace
from pipeline.query.asking import Deadline
from pipeline.query.citations import Place, nearest_sentence, place_sentence
from pipeline.query.fact_graph import Element, Fact, FactGraph, damping
from pipeline.query.finder import Finder
from pipeline.query.notebook import Note, as_text
from pipeline.text.wanted import Wanted

CANDIDATES = 40
"""Nodes offered as starts; all key elements of a corpus would fill any prompt."""
FOUND_NODES, FOUND_CHUNKS = 20, 6
"""Nodes and chunks taken from the search for each query of the plan."""
QUERIES = 4
"""Queries of a plan that are heeded."""
FACTS = 40
"""Facts of a node that are shown, the closest to the question."""
NEIGHBOURS = 20
AGAIN_CHUNKS, AGAIN_NODES = 2, 1
"""What a walk reads after it has searched again."""
MOST_WISHES = 12
"""Things that a walk may have waiting."""

TOKENS = Estimate()


class Turn(NamedTuple):
    """Something to read: the facts or the neighbours of a key element, a chunk, or what a search for words finds."""

    what: str
    on: str


READ_FACTS, READ_CHUNK, LOOK_AROUND, SEARCH = "read_facts", "read_chunk", "choose_neighbours", "search_again"


@dataclass(frozen=True)
class Walk:
    """One reader: where it stands, what it would read next, its notebook, and what it took."""

    number: int
    start: str
    node: str
    """Key element whose facts it read last."""
    wishes: tuple[Turn, ...]
    turn: Turn | None = None
    notes: tuple[Note, ...] = ()
    calls: int = 0
    failures: tuple[str, ...] = ()
    removed: int = 0
    """Ids and moves in replies that do not exist."""
    done: tuple[str, ...] = ()
    told: str = ""
    """What came of its last move, until it is entered as a step."""
    ended: str = ""
    """Why it reads no further; empty while it does."""


def _joined(old: Mapping[int, Walk], new: Mapping[int, Walk]) -> dict[int, Walk]:
    return {**old, **new}


class State(TypedDict, total=False):
    """What the graph carries from step to step."""

    plan: Plan
    failures: tuple[str, ...]
    """Why the plan or the choice of nodes had no reply."""
    removed: int
    walks: Annotated[dict[int, Walk], _joined]
    seen: frozenset[str]
    """Ids of the key elements whose facts, and of the chunks that, some walk has read."""


class Visit(TypedDict):
    """What a node of the graph that reads is sent."""

    walk: Walk
    plan: Plan
    seen: frozenset[str]


class Reading:
    """The reading of one question; ``run`` returns the last state."""

    def __init__(
        self,
        question: str,
        wanted: Wanted,
        graph: FactGraph,
        finder: Finder,
        settings: SearchSettings,
        language: Desk,
        trace: Trace,
    ) -> None:
        self.question, self.wanted, self.graph, self.finder = question, wanted, graph, finder
        self.settings, self.language, self.trace = settings, language, trace
        self._deadline = Deadline(settings.max_seconds)
        self._round: Iterator[Any] = iter(())
        self._around: dict[str, list[tuple[float, Element, Fact]]] = {}

    def compiled(self) -> Any:
        """Return the graph, compiled; ``get_graph().draw_mermaid()`` of it draws it."""
        from langgraph.graph import END, START, StateGraph

        graph = StateGraph(State)
        readers: dict[str, Any] = {
            READ_FACTS: self._read_facts,
            READ_CHUNK: self._read_chunk,
            LOOK_AROUND: self._choose_neighbours,
        }
        graph.add_node("plan_reading", self._plan)
        graph.add_node("choose_nodes", self._choose_nodes)
        graph.add_node("share", self._share)
        graph.add_edge(START, "plan_reading")
        graph.add_edge("plan_reading", "choose_nodes")
        graph.add_edge("choose_nodes", "share")
        graph.add_conditional_edges("share", self._sent, [*readers, END])
        for name, reader in readers.items():
            graph.add_node(name, reader)
            graph.add_edge(name, "share")
        return graph.compile()

    def run(self) -> State:
        """Read until every walk has ended: after at most ``walk_calls`` rounds, whatever the replies are."""
        steps = 2 * self.settings.walk_calls + 8
        state: State = self.compiled().invoke({}, {"recursion_limit": steps})
        return state

    # --- before the walks ---------------------------------------------------------------------------------------------

    def _plan(self, state: State) -> State:
        about = ", ".join(element.title for element in self.graph.most_frequent(NEIGHBOURS))
        ask = QuestionToPlan("plan", self.question, about)
        plan, why = self._asked(plan_reading, ask)
        queries = [query for query in dict.fromkeys(map(str.strip, plan.queries)) if query][:QUERIES]
        plan = Plan(steps=plan.steps, queries=queries)
        self.trace.step("plan_reading", " ".join(plan.steps) or "no steps", queries=queries, failed=bool(why))
        return {"plan": plan, "failures": why, "removed": 0}

    def _choose_nodes(self, state: State) -> State:
        plan = state["plan"]
        hits, offered = self._candidates([self.question, *plan.queries])
        shown = {f"n{place}": (node, score, about) for place, (node, score, about) in enumerate(offered, 1)}
        nodes = tuple(
            NodeShown(id, node.title, node.frequency, about, score) for id, (node, score, about) in shown.items()
        )
        ask = NodesToChoose("start", self.question, _steps(plan), self.settings.walks, nodes)
        reply, why = self._asked(choose_nodes, ask)
        ids = {node.id: id for id, (node, _, _) in shown.items()}
        best: dict[str, int] = {}
        for choice in reply.nodes:
            if choice.id in shown and choice.score > 0:
                best[choice.id] = max(choice.score, best.get(choice.id, 0))
        removed = sum(choice.id not in shown for choice in reply.nodes)
        order = sorted(best, key=lambda id: (-best[id], int(id[1:])))[: self.settings.walks]
        walks = {}
        for number, id in enumerate(order, 1):
            node = shown[id][0]
            waiting = tuple(Turn(READ_CHUNK, chunk) for chunk in hits[number - 1 : number])
            walks[number] = Walk(number, node.title, node.id, (Turn(READ_FACTS, node.id), *waiting))
        told = ", ".join(f"{shown[id][0].title} ({best[id]})" for id in order) or "none"
        self.trace.step(
            "choose_nodes", f"{told}; out of {len(ids)} candidates", removed=removed, failed=bool(why)
        )
        return {"walks": walks, "seen": frozenset(), "failures": state["failures"] + why, "removed": removed}

    def _candidates(self, queries: Sequence[str]) -> tuple[list[str], list[tuple[Any, float, str]]]:
        """Return the chunks that a search finds, and the nodes to offer, best first, each with score and closest fact.

        Half of a node's score comes from its own words, half from the facts that it carries in the chunks found.
        """
        scores: dict[str, float] = {}
        for query in queries:
            for node in self.finder.nodes(query, FOUND_NODES):
                scores[node.id] = max(scores.get(node.id, 0.0), node.score / 2)
        hits = _interleaved([[hit.chunk_id for hit in found] for found in self.finder.find(queries, FOUND_CHUNKS)])
        close = self.graph.closest(self.wanted, self.graph.facts_in(hits), 2 * CANDIDATES)
        carried: dict[str, float] = {}
        about: dict[str, str] = {}
        for closeness, fact in close:
            for id in fact.elements:
                carried[id] = carried.get(id, 0.0) + closeness**2
                about.setdefault(id, fact.text)
        carried = {id: total / damping(self.graph.element(id).frequency) for id, total in carried.items()}
        most = max(carried.values(), default=0.0) or 1.0
        for id, total in carried.items():
            scores[id] = scores.get(id, 0.0) + 50 * total / most
        ranked = sorted((-score, self.graph.element(id).title, id) for id, score in scores.items())[:CANDIDATES]
        found = [(self.graph.element(id), -score, about.get(id) or self._about(id)) for score, _, id in ranked]
        return hits, found or [(node, 0.0, self._about(node.id)) for node in self.graph.most_frequent(CANDIDATES)]

    def _about(self, id: str) -> str:
        """Return the closest of a node's first FACTS facts."""
        closest = self.graph.closest(self.wanted, self.graph.facts_of(id, FACTS), 1)
        return closest[0][1].text if closest else ""

    # --- between the rounds -------------------------------------------------------------------------------------------

    def _share(self, state: State) -> State:
        """Enter what the walks did as steps, and hand out what each reads next."""
        seen = set(state["seen"])
        timely = self._begin_round()
        walks = {}
        for number, walk in sorted(state["walks"].items()):
            if walk.ended and not walk.told:
                continue
            if walk.told:
                self.trace.step("walk", f"{number}: {walk.told}", walk=number, calls=walk.calls, notes=len(walk.notes))
            rested = replace(walk, turn=None, told="")
            walks[number] = rested if rested.ended else self._next(rested, seen, timely)
            self._tell(walks[number])
        return {"walks": walks, "seen": frozenset(seen)}

    def _begin_round(self) -> bool:
        """Return whether the deadline allows another round; the length of the last is taken first."""
        next(self._round, None)
        self._round = self._deadline.waves((None,))
        return next(self._round, None) is not None

    def _next(self, walk: Walk, seen: set[str], timely: bool) -> Walk:
        """Give a walk the first thing on its list that nobody has read; it ends when there is none, or no call left."""
        if not timely:
            return replace(walk, ended=f"the {self.settings.max_seconds:g} s are over")
        if walk.calls >= self.settings.walk_calls:
            return replace(walk, ended=f"its {self.settings.walk_calls} calls are used")
        while walk.wishes:
            turn, rest = walk.wishes[0], walk.wishes[1:]
            walk = replace(walk, wishes=rest)
            if turn.what == SEARCH:
                walk = replace(walk, wishes=(*self._found(turn.on, seen), *rest)[:MOST_WISHES])
            elif turn.what == LOOK_AROUND:
                if self._unread(walk.node, seen):
                    return replace(walk, turn=turn)
            elif turn.on not in seen:
                seen.add(turn.on)
                node = turn.on if turn.what == READ_FACTS else walk.node
                return replace(walk, turn=turn, node=node)
        return replace(walk, ended="nothing is left to read")

    def _found(self, query: str, seen: Iterable[str]) -> list[Turn]:
        """Return what to read for words to look for: the best chunks and nodes that nobody has read."""
        known = set(seen)
        hits = (hit.chunk_id for hit in self.finder.find([query], FOUND_CHUNKS)[0])
        chunks = [Turn(READ_CHUNK, id) for id in hits if id not in known][:AGAIN_CHUNKS]
        nodes = (node.id for node in self.finder.nodes(query, FOUND_NODES))
        return [*chunks, *[Turn(READ_FACTS, id) for id in nodes if id not in known][:AGAIN_NODES]]

    def _unread(self, node: str, seen: Collection[str]) -> list[tuple[float, Element, Fact]]:
        """Return the best neighbours of a node whose facts nobody has read."""
        if node not in self._around:
            self._around[node] = self.graph.neighbours(node, self.wanted)
        return [entry for entry in self._around[node] if entry[1].id not in seen][:NEIGHBOURS]

    def _tell(self, walk: Walk) -> None:
        if walk.turn is None:
            self.trace.step("walk", f"{walk.number}: ends, {walk.ended}", walk=walk.number, ended=walk.ended)
            return
        what, on = walk.turn
        name = self.graph.chunk(on).anchor if what == READ_CHUNK else self.graph.element(on).title
        words = {READ_FACTS: "reads the facts of", READ_CHUNK: "reads a chunk of", LOOK_AROUND: "looks around"}
        self.trace.step(what, f"walk {walk.number} {words[what]} {name}", walk=walk.number, id=on)

    def _sent(self, state: State) -> Any:
        """Return where each walk goes; the end when none goes on."""
        from langgraph.graph import END
        from langgraph.types import Send

        going = [walk for _, walk in sorted(state["walks"].items()) if walk.turn and not walk.ended]
        sends = [
            Send(walk.turn.what, Visit(walk=walk, plan=state["plan"], seen=state["seen"]))
            for walk in going
            if walk.turn is not None
        ]
        return sends or END

    # --- the moves of a walk ------------------------------------------------------------------------------------------

    def _read_facts(self, visit: Visit) -> State:
        walk, node = visit["walk"], self.graph.element(visit["walk"].node)
        facts, chunks = self._facts_shown(node.id)
        anchors = tuple(
            (short, self.graph.chunk(id).anchor + (" (read)" if id in visit["seen"] else ""))
            for short, id in chunks.items()
        )
        shown = tuple(item for item, _ in facts.values())
        ask = FactsToRead(
            _item(walk), self.question, *self._stand(walk, visit["plan"]), node.title, anchors, shown, self._sight(walk)
        )
        reply, why = self._asked(read_facts, ask)
        notes, removed = self._fact_notes(reply.notes, {short: fact for short, (_, fact) in facts.items()})
        wished, move, invalid = self._after_facts(walk, reply.action, reply.chunks, chunks, reply.query)
        done = f"read the facts of {node.title}"
        return self._moved(walk, notes, wished, move, done, removed + invalid, why, reply.reason)

    def _facts_shown(self, node: str) -> tuple[dict[str, tuple[FactShown, Fact]], dict[str, str]]:
        """Return the facts of a node under short ids, chunk by chunk, and the chunks behind theirs.

        The closest to the question are taken, as many as fit half of the context; the chunk of the closest comes first.
        """
        close = [fact for _, fact in self.graph.closest(self.wanted, self.graph.facts_of(node), FACTS)]
        room = self.settings.context_tokens // 2
        taken: list[Fact] = []
        for fact, n_tokens in zip(close, TOKENS.counts([fact.text for fact in close]), strict=True):
            room -= n_tokens
            if room < 0 and taken:
                break
            taken.append(fact)
        chunks = {id: f"c{place}" for place, id in enumerate(dict.fromkeys(f.chunk_ids[0] for f in taken), 1)}
        order = sorted(taken, key=lambda fact: int(chunks[fact.chunk_ids[0]][1:]))
        facts = {}
        for place, fact in enumerate(order, 1):
            chunk = fact.chunk_ids[0]
            facts[f"f{place}"] = (FactShown(f"f{place}", chunks[chunk], self.graph.title_of(chunk), fact.text), fact)
        return facts, {short: id for id, short in chunks.items()}

    def _fact_notes(self, notes: Iterable[FactNote], facts: Mapping[str, Fact]) -> tuple[list[Note], int]:
        """Return the notes that rest on facts that were offered; ids that were not, and notes without any, are counted."""
        kept = []
        removed = 0
        for note in notes:
            known = [facts[id] for id in dict.fromkeys(note.facts) if id in facts]
            removed += sum(id not in facts for id in note.facts) + (not note.facts)
            if known:
                title = self.graph.title_of(known[0].chunk_ids[0])
                kept.append(Note(note.text, title, tuple(fact.id for fact in known), ()))
        return kept, removed

    def _after_facts(
        self, walk: Walk, action: str, ids: Sequence[str], chunks: Mapping[str, str], query: str
    ) -> tuple[tuple[Turn, ...], str, int]:
        """Return what to read first after facts, the move in words, and how much of the reply does not exist."""
        around = _around(walk)
        if action == READ_CHUNKS:
            known = list(dict.fromkeys(id for id in ids if id in chunks))
            invalid = sum(id not in chunks for id in ids)
            if known:
                return tuple(Turn(READ_CHUNK, chunks[id]) for id in known), f"{len(known)} chunks next", invalid
            return around, "no chunk that exists was named, neighbours next", max(invalid, 1)
        if action == SEARCH_AGAIN and query.strip():
            return (Turn(SEARCH, query),), f"searches for {query}", 0
        if action == FINISH:
            return (), FINISH, 0
        return around, "neighbours next", int(action != READ_NEIGHBOURS)

    def _read_chunk(self, visit: Visit) -> State:
        walk = visit["walk"]
        chunk = self.graph.chunk(walk.turn.on if walk.turn else "")
        waiting = sum(turn.what == READ_CHUNK and turn.on not in visit["seen"] for turn in walk.wishes)
        text = _fitting(chunk.text, self.settings.context_tokens // 2)
        stand = self._stand(walk, visit["plan"])
        ask = ChunkToRead(_item(walk), self.question, *stand, chunk.anchor, text, waiting, self._sight(walk))
        reply, why = self._asked(read_chunk, ask)
        notes, removed = _chunk_notes(reply.notes, chunk.id, text, chunk.anchor.split(" > ")[0])
        wished, move, invalid = self._after_chunk(walk, chunk.id, reply.action, reply.query, waiting)
        done = f"read a chunk of {chunk.anchor}"
        return self._moved(walk, notes, wished, move, done, removed + invalid, why, reply.reason)

    def _after_chunk(
        self, walk: Walk, id: str, action: str, query: str, waiting: int
    ) -> tuple[tuple[Turn, ...], str, int]:
        """Return what to read first after a chunk, the move in words, and how much of the reply does not exist."""
        if action == FINISH:
            return (), FINISH, 0
        if action == SEARCH_AGAIN and query.strip():
            return (Turn(SEARCH, query),), f"searches for {query}", 0
        if action in (READ_PREVIOUS, READ_NEXT):
            other = self.graph.beside(id, 1 if action == READ_NEXT else -1)
            if other is not None:
                return (Turn(READ_CHUNK, other),), "the chunk beside it next", 0
        invalid = int(action != SEARCH_MORE)
        if waiting:
            return (), "the next chunk that waits", invalid
        return _around(walk), "neighbours next", invalid

    def _choose_neighbours(self, visit: Visit) -> State:
        walk, node = visit["walk"], self.graph.element(visit["walk"].node)
        near = self._unread(node.id, visit["seen"])
        shown = {f"n{place}": entry for place, entry in enumerate(near, 1)}
        nodes = tuple(
            NodeShown(id, other.title, other.frequency, fact.text, min(100.0, 100 * score))
            for id, (score, other, fact) in shown.items()
        )
        stand = self._stand(walk, visit["plan"])
        ask = NeighboursToChoose(_item(walk), self.question, *stand, node.title, nodes, self._sight(walk))
        reply, why = self._asked(choose_neighbours, ask)
        known = [id for id in dict.fromkeys(reply.nodes) if id in shown]
        invalid = sum(id not in shown for id in reply.nodes)
        wished: tuple[Turn, ...] = ()
        move = FINISH
        if reply.action == READ_NODES and known:
            wished = tuple(Turn(READ_FACTS, shown[id][1].id) for id in known)
            move = f"{', '.join(shown[id][1].title for id in known)} next"
        elif reply.action == SEARCH_AGAIN and reply.query.strip():
            wished, move = (Turn(SEARCH, reply.query),), f"searches for {reply.query}"
        elif reply.action != FINISH:
            invalid = max(invalid, 1)
        return self._moved(walk, [], wished, move, f"looked around {node.title}", invalid, why, reply.reason)

    def _moved(
        self,
        walk: Walk,
        notes: Sequence[Note],
        wished: tuple[Turn, ...],
        move: str,
        done: str,
        removed: int,
        why: tuple[str, ...],
        reason: str,
    ) -> State:
        """Return a walk after a move: new notes in its notebook, and what it would read next in front of the rest."""
        known = {(note.facts, note.passages) for note in walk.notes}
        new = [note for note in notes if (note.facts, note.passages) not in known]
        told = f"{len(new)} notes; {' '.join(reason.split())}; {move}"
        moved = replace(
            walk,
            notes=(*walk.notes, *new),
            calls=walk.calls + 1,
            failures=(*walk.failures, *why),
            removed=walk.removed + removed,
            wishes=(*wished, *walk.wishes)[:MOST_WISHES],
            done=(*walk.done, done),
            told=f"no reply ({why[0]}), read the offline way: {told}" if why else told,
            ended=FINISH if move == FINISH else "",
        )
        return {"walks": {walk.number: moved}}

    # --- asking -------------------------------------------------------------------------------------------------------

    def _asked(self, task: Task[AskT, ReplyT], ask: AskT) -> tuple[ReplyT, tuple[str, ...]]:
        """Return the reply to an ask; where there is none, that of the offline way, and why."""
        reply = self.language.one(task, ask)
        if isinstance(reply, Reply):
            return reply.value, ()
        return task.offline(ask), (reply.reason,)

    def _stand(self, walk: Walk, plan: Plan) -> tuple[str, str, str]:
        """Return the plan, the notebook and what was done, as they are shown; the latest notes where not all fit."""
        room = self.settings.context_tokens // 4
        notes = list(walk.notes)
        while notes and TOKENS.count(as_text(notes)) > room:
            notes = notes[1:]
        return _steps(plan), as_text(notes), "; ".join(walk.done) or "nothing"

    def _sight(self, walk: Walk) -> Sight:
        return sight_of(self.wanted).after((note.text, note.title) for note in walk.notes)


def _around(walk: Walk) -> tuple[Turn, ...]:
    """Return the look at a node's neighbours; nothing where neighbours that were chosen before still wait."""
    waiting = any(turn.what == READ_FACTS for turn in walk.wishes)
    return () if waiting else (Turn(LOOK_AROUND, walk.node),)


def _chunk_notes(notes: Iterable[ChunkNote], id: str, text: str, title: str) -> tuple[list[Note], int]:
    """Return notes with the passages of a chunk that they quote; quotes that do not stand in it are counted, and the
    nearest sentence is taken."""
    kept = []
    removed = 0
    for note in notes:
        place = place_sentence(note.quote, [(id, text)]) if note.quote.strip() else None
        if place is None:
            removed += 1
            place = nearest_sentence(note.quote or note.text, [(id, text)])
        if place is not None:
            kept.append(Note(note.text, title, (), (Place(place.chunk_id, place.start, place.end),)))
    return kept, removed


def _fitting(text: str, n_tokens: int) -> str:
    """Return a text's beginning of at most ``n_tokens``."""
    while (count := TOKENS.count(text)) > n_tokens:
        text = text[: max(1, min(len(text) - 1, len(text) * n_tokens // count))]
    return text


def _interleaved(lists: Sequence[Sequence[str]]) -> list[str]:
    """Return the first of each list, then the second of each, and so on, each item once."""
    longest = max(map(len, lists), default=0)
    return list(dict.fromkeys(items[place] for place in range(longest) for items in lists if place < len(items)))


def _steps(plan: Plan) -> str:
    return "\n".join(f"{place}. {step}" for place, step in enumerate(plan.steps, 1)) or "(none)"


def _item(walk: Walk) -> str:
    return f"walk {walk.number} call {walk.calls + 1}"
