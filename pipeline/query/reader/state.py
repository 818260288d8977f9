"""One reader's walk through the graph of facts: the node it is at, its notebook, what it would read next, what it took."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from pipeline.language.tasks.reader.notes import FINISH, GIVE_UP
from pipeline.query.reader.notebook import Note
from pipeline.text.inflection import in_number

READ_FACTS, READ_CHUNK, LOOK_AROUND, SEARCH = "read_facts", "read_chunk", "choose_neighbours", "search_again"
"""What a turn may be; the first three are nodes of the graph of LangGraph."""
MOST_WISHES = 12
"""Turns that a walk may have waiting."""

Statement = tuple[str, str]
"""What a fact states, and the title above it."""


class Turn(NamedTuple):
    """Something to read: the facts or the neighbours of a key element, a chunk, or what a search for words finds.

    ``path`` holds the facts that led from the start node to it; what they say of the question counts for it.
    """

    what: str
    on: str
    path: tuple[Statement, ...] = ()


@dataclass(frozen=True)
class Walk:
    """One reader; every move makes a new one of it."""

    number: int
    start: str
    node: str
    """Key element whose facts it read last, or that it starts from; empty where it starts from a chunk."""
    wishes: tuple[Turn, ...]
    """What it would read next, first things first."""
    path: tuple[Statement, ...] = ()
    """Facts that led to its node."""
    turn: Turn | None = None
    notes: tuple[Note, ...] = ()
    calls: int = 0
    failures: tuple[str, ...] = ()
    """Why requests of it had no reply; they were answered without a model."""
    removed: int = 0
    """Ids and moves in replies that do not exist."""
    done: tuple[str, ...] = ()
    looked: frozenset[str] = frozenset()
    """Key elements whose neighbours it has looked at."""
    detail: str = ""
    """What came of its last move, until it is entered as a step."""
    ended: str = ""
    """Why it reads no further; empty while it does."""


class View(NamedTuple):
    """What a walk knows of the reading as a whole: the plan, who has read what (ids of chunks and key elements, numbers of
    walks), and by walk the notes and what was done."""

    plan: str
    seen: Mapping[str, int]
    notes: tuple[tuple[int, tuple[Note, ...]], ...]
    done: tuple[tuple[int, tuple[str, ...]], ...]


class Move(NamedTuple):
    """What a reply comes to: notes, what to read first from now on, the move in words, what of it does not exist."""

    notes: Sequence[Note]
    wishes: tuple[Turn, ...]
    detail: str
    removed: int


ENDING = {FINISH: "holds that all is found", GIVE_UP: "gives up"}
"""What is said where a reader ends by its own choice."""


def moved(walk: Walk, move: Move, reason: str, done: str, failure: str) -> Walk:
    """Return a walk after a move: new notes in its notebook, and its new wishes in front of the others."""
    known = {(note.facts, note.passages) for note in walk.notes}
    new = [note for note in move.notes if (note.facts, note.passages) not in known]
    noted = in_number(len(new), "note") if new else "nothing noted"
    detail = "; ".join([noted, " ".join(reason.split()), ENDING.get(move.detail, move.detail)])
    return replace(
        walk,
        notes=(*walk.notes, *new),
        calls=walk.calls + 1,
        failures=(*walk.failures, failure) if failure else walk.failures,
        removed=walk.removed + move.removed,
        wishes=(*move.wishes, *walk.wishes)[:MOST_WISHES],
        done=(*walk.done, done),
        detail=f"no reply ({failure}), so read without a model: {detail}" if failure else detail,
        ended=move.detail if move.detail in (FINISH, GIVE_UP) else "",
    )


def waiting(walk: Walk, what: str, seen: Collection[str]) -> list[str]:
    """Return what the turns of a kind are on that wait and that nobody has taken, in their order."""
    return [turn.on for turn in walk.wishes if turn.what == what and turn.on not in seen]
