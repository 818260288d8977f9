"""The reading agent as a graph of LangGraph: plan, choose start nodes, then rounds in which every walk makes one move.

The walks of a round are at work at the same time, each in a thread. Between rounds ``share`` hands out what each reads next, in
the order of the walks, so that no two read the same and nothing depends on which reply came first.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, TypedDict

from pipeline.language.tasks.reader.notes import FINISH
from pipeline.language.tasks.reader.plan_reading import ReadingPlan
from pipeline.language.transport.event_loop import untraced
from pipeline.query.method import SearchCall
from pipeline.query.model_requests import Deadline
from pipeline.query.reader.actions import Moves
from pipeline.query.reader.fact_graph import FactGraph
from pipeline.query.reader.notebook import Note
from pipeline.query.reader.start_nodes import FOUND_CHUNKS, FOUND_NODES, choose_starts, make_plan, steps_of
from pipeline.query.reader.state import (
    ENDING,
    LOOK_AROUND,
    MOST_WISHES,
    READ_CHUNK,
    READ_FACTS,
    SEARCH,
    Turn,
    View,
    Walk,
)
from pipeline.query.reader.state_graph import langgraph_graph
from pipeline.text.inflection import in_number
from pipeline.text.keys import content_keys, keys_of, share_met

AGAIN_CHUNKS, AGAIN_NODES = 2, 1
"""What a walk reads after it has searched again."""
IDLE = 2
"""Rounds of reading without a new note after which all walks end; after one a chained question lost its second half."""
_DOES = {READ_FACTS: "reads the facts of", READ_CHUNK: "reads", LOOK_AROUND: "looks around"}


def _joined(old: Mapping[int, Walk], new: Mapping[int, Walk]) -> dict[int, Walk]:
    return {**old, **new}


class ReadingState(TypedDict, total=False):
    """What the graph carries from step to step."""

    plan: ReadingPlan
    failures: tuple[str, ...]
    """Why the plan or the choice of nodes had no reply."""
    removed: int
    """Nodes that were chosen but do not exist."""
    walks: Annotated[dict[int, Walk], _joined]
    seen: Mapping[str, int]
    """Ids of the key elements whose facts, and of the chunks that, some walk has read, with its number."""
    noted: int
    """Notes in all notebooks before the last round."""
    idle: int
    """Rounds of reading, the last ones, that added no note."""


class Visit(TypedDict):
    """What a node of the graph that reads is sent."""

    walk: Walk
    view: View


class ReadingAgent:
    """The reading of one question; ``run`` returns the last state."""

    def __init__(self, call: SearchCall, graph: FactGraph) -> None:
        self.call, self.graph = call, graph
        self._moves = Moves(call, graph)
        self._deadline = Deadline(call.settings.max_seconds)
        self._round: Iterator[Any] = iter(())

    def compiled(self) -> Any:
        """Return the graph, compiled; its ``get_graph().draw_mermaid()`` draws it."""
        library = langgraph_graph()
        graph = library.StateGraph(ReadingState)
        graph.add_node("plan_reading", self._plan)
        graph.add_node("choose_nodes", self._choose)
        graph.add_node("share", self._share)
        moves = self._moves
        readers = {READ_FACTS: moves.read_facts, READ_CHUNK: moves.read_chunk, LOOK_AROUND: moves.choose_neighbours}
        for name, move in readers.items():
            graph.add_node(name, partial(_walked, move))
            graph.add_edge(name, "share")
        graph.add_edge(library.START, "plan_reading")
        graph.add_edge("plan_reading", "choose_nodes")
        graph.add_edge("choose_nodes", "share")
        graph.add_conditional_edges("share", self._sent, [*readers, library.END])
        return graph.compile()

    def run(self) -> ReadingState:
        """Read until every walk has ended. In each round some walk makes one of its ``walk_calls`` calls, whatever is replied."""
        steps = 2 * (self.call.settings.walks * self.call.settings.walk_calls + 1) + 3
        compiled = self.compiled()
        with untraced():
            state: ReadingState = compiled.invoke({}, {"recursion_limit": steps})
        return state

    def _plan(self, state: ReadingState) -> ReadingState:
        plan, failure = make_plan(self.call, self.graph)
        detail = " ".join(plan.steps) or "no steps"
        self.call.trace.step("plan_reading", _with(detail, failure), queries=plan.queries, failed=bool(failure))
        return {"plan": plan, "failures": (failure,) if failure else ()}

    def _choose(self, state: ReadingState) -> ReadingState:
        starts = choose_starts(self.call, state["plan"], self.graph)
        detail = f"{', '.join(walk.start for walk in starts.walks.values()) or 'none'}; of {starts.offered} candidates"
        failed = bool(starts.failure)
        self.call.trace.step("choose_nodes", _with(detail, starts.failure), removed=starts.removed, failed=failed)
        failures = state["failures"] + ((starts.failure,) if failed else ())
        return {"walks": starts.walks, "removed": starts.removed, "failures": failures, "seen": {}}

    # --- between the rounds -------------------------------------------------------------------------------------------

    def _share(self, state: ReadingState) -> ReadingState:
        """Enter what the walks did as steps, and hand out what each reads next."""
        seen = dict(state["seen"])
        timely = self._begin_round()
        notes = [note for _, walk in sorted(state["walks"].items()) for note in walk.notes]
        idle = _idle(state, len(notes))
        over = self._over(state["walks"], bool(notes), idle, timely)
        walks = {}
        for number, walk in sorted(state["walks"].items()):
            if walk.ended and not walk.detail:
                continue
            if walk.detail:
                self.call.trace.step(
                    "walk", f"{number}: {walk.detail}", walk=number, calls=walk.calls, notes=len(walk.notes)
                )
            rested = replace(walk, turn=None, detail="")
            walks[number] = (
                rested if rested.ended else self._next(rested, seen, notes, over, seen.keys() - state["seen"].keys())
            )
            self._trace_turn(walks[number])
        return {"walks": walks, "seen": seen, "noted": len(notes), "idle": idle}

    def _sent(self, state: ReadingState) -> Any:
        """Return where each walk goes; the end when none goes on."""
        from langgraph.graph import END
        from langgraph.types import Send

        going = [walk for _, walk in sorted(state["walks"].items()) if not walk.ended]
        every = sorted(state["walks"].items())
        notes = tuple((number, walk.notes) for number, walk in every)
        done = tuple((number, walk.done) for number, walk in every)
        view = View(steps_of(state["plan"]), state["seen"], notes, done)
        return [Send(walk.turn.what, Visit(walk=walk, view=view)) for walk in going if walk.turn] or END

    def _begin_round(self) -> bool:
        """Return whether the deadline allows another round; the length of the last is taken first."""
        next(self._round, None)
        self._round = self._deadline.waves((None,))
        return next(self._round, None) is not None

    def _over(self, walks: Mapping[int, Walk], noted: bool, idle: int, timely: bool) -> str:
        """Return why nobody reads on; empty while somebody may."""
        if not timely:
            return f"the {self.call.settings.max_seconds:g} s are over"
        done = [walk.number for walk in walks.values() if walk.ended == FINISH]
        if done and noted:
            return f"reader {min(done)} holds that all is found"
        return "the last rounds of reading added nothing" if idle >= IDLE else ""

    def _next(self, walk: Walk, seen: dict[str, int], notes: Sequence[Note], over: str, fresh: Collection[str]) -> Walk:
        """Give a walk the first thing on its list that nobody has read; it ends when there is none, or no call left.

        What it wants and another walk is to read in this very round (``fresh``) it waits for.
        """
        if over:
            return replace(walk, ended=over)
        if walk.calls >= self.call.settings.walk_calls:
            return replace(walk, ended=f"its {in_number(self.call.settings.walk_calls, 'call')} are used")
        while walk.wishes:
            turn, rest = walk.wishes[0], walk.wishes[1:]
            walk = replace(walk, wishes=rest)
            if turn.what == SEARCH:
                found = self._found(turn, seen)
                did = f"searched for {turn.on}{'' if found else ', which found nothing that is not read'}"
                walk = replace(walk, wishes=(*found, *rest)[:MOST_WISHES], done=(*walk.done, did))
            elif turn.what == LOOK_AROUND:
                if looking := self._looking(walk, seen):
                    return looking
            elif turn.on not in seen:
                seen[turn.on] = walk.number
                if turn.what == READ_FACTS:
                    return replace(walk, turn=turn, node=turn.on, path=turn.path)
                return replace(walk, turn=turn, path=turn.path or self._naming(turn.on, notes))
            elif turn.what == READ_CHUNK and seen[turn.on] != walk.number:
                left = f"left {self.graph.name_of(turn.on)} to reader {seen[turn.on]}"
                walk = walk if left in walk.done else replace(walk, done=(*walk.done, left))
                if turn.on in fresh:
                    return walk  # it waits for what the other one finds
        return self._looking(walk, seen) or replace(walk, ended="nothing is left to read")

    def _looking(self, walk: Walk, seen: Mapping[str, int]) -> Walk | None:
        """Return a walk about to look at its node's neighbours, unless it has or nobody left any unread."""
        if not walk.node or walk.node in walk.looked or not self._moves.unread(walk.node, seen):
            return None
        return replace(walk, turn=Turn(LOOK_AROUND, walk.node))

    def _found(self, turn: Turn, seen: Mapping[str, int]) -> list[Turn]:
        """Return what to read for words to look for: the best chunks and nodes that nobody has read, and that hold two of
        the words, or the only one."""
        language = self.call.question.language
        words = content_keys(turn.on, language)
        least = min(2, len(words)) / max(len(words), 1)
        hits = [hit.chunk_id for hit in self.call.finder.find([turn.on], FOUND_CHUNKS)[0] if hit.chunk_id not in seen]
        chunks = [id for id in hits if share_met(words, self.graph.chunk(id).text, language) >= least][:AGAIN_CHUNKS]
        nodes = [node for node in self.call.finder.nodes(turn.on, FOUND_NODES) if node.id not in seen]
        fitting = [node.id for node in nodes if share_met(words, node.title, language) >= least or _is_name(node.title)]
        return [
            *(Turn(READ_CHUNK, id, turn.path) for id in chunks),
            *(Turn(READ_FACTS, id, turn.path) for id in fitting[:AGAIN_NODES]),
        ]

    def _naming(self, chunk: str, notes: Sequence[Note]) -> tuple[tuple[str, str], ...]:
        """Return the first note that names what a chunk is about, in whose light it is then read; none by default.

        A title that the question itself holds says nothing new.
        """
        title = self.graph.title_of(chunk)
        if not title or keys_of(title, self.call.question.language) <= self.call.question.keys:
            return ()
        return next((((note.text, note.title),) for note in notes if title in note.text and title != note.title), ())

    def _trace_turn(self, walk: Walk) -> None:
        if walk.ended:
            self.call.trace.step(
                "walk", f"{walk.number}: ends, {ENDING.get(walk.ended, walk.ended)}", walk=walk.number, ended=walk.ended
            )
        if walk.turn is None:
            return
        what, on, _ = walk.turn
        name = self.graph.name_of(on) if what == READ_CHUNK else self.graph.element(on).title
        self.call.trace.step(what, f"walk {walk.number} {_DOES[what]} {name}", walk=walk.number, id=on)


def _idle(state: ReadingState, n_notes: int) -> int:
    """Return how many rounds of reading, the last ones, added no note; a look at neighbours is no reading."""
    turns = [walk.turn.what for walk in state["walks"].values() if walk.turn]
    if n_notes > state.get("noted", 0) or not turns:
        return 0
    return state.get("idle", 0) + any(what != LOOK_AROUND for what in turns)


def _is_name(title: str) -> bool:
    return title != title.lower()


def _walked(move: Callable[[Walk, View], Walk], visit: Visit) -> ReadingState:
    walk = move(visit["walk"], visit["view"])
    return {"walks": {walk.number: walk}}


def _with(detail: str, failure: str) -> str:
    return f"no reply ({failure}), so done without a model: {detail}" if failure else detail
