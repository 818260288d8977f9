"""What the facts of one node say to a question, and whether to read the text behind them or to go on (GraphReader, 3.3.2)."""

from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Task
from pipeline.language.tasks.material import MATERIAL, SAME_LANGUAGE
from pipeline.language.tasks.reader.notes import (
    FINISH,
    GIVE_UP,
    LAST_MOVES,
    NOTED,
    READ_CHUNKS,
    READ_NEIGHBOURS,
    RULES,
    SEARCH_AGAIN,
    STATE,
    Action,
    OfReading,
    Query,
    Reason,
    Sight,
)


class FactShown(NamedTuple):
    """A fact under a short id, the id of the chunk that states it, and the title of that chunk's document."""

    id: str
    chunk: str
    title: str
    text: str


class FactNote(BaseModel):
    """A note, and the facts it rests on."""

    text: str = Field(description="the note", min_length=1)
    facts: list[str] = Field(description="ids of the facts that say so, such as f3")


class FactsRead(BaseModel):
    """What reading the facts of a node gave."""

    reason: Reason
    notes: list[FactNote] = Field(description="new notes, none when nothing here helps")
    action: Action = Field(
        description="the next move",
        json_schema_extra={"enum": [READ_CHUNKS, READ_NEIGHBOURS, SEARCH_AGAIN, FINISH, GIVE_UP]},
    )
    chunks: list[str] = Field(description="ids of the chunks to read, such as c2, when the move is read_chunks")
    query: Query


@dataclass(frozen=True)
class FactsToRead(OfReading):
    """A question, the state of its reading, and the facts of a node, chunk by chunk."""

    node: str
    count: str
    """How many facts of how many are shown: "40 of 136 facts, the closest to the question"."""
    anchors: tuple[tuple[str, str], ...]
    """Each chunk's short id and heading; of those already read the heading says by whom."""
    facts: tuple[FactShown, ...]
    sight: Sight

    def shown(self, name: str) -> str:
        """Return the facts under their chunks."""
        if name != "facts":
            return super().shown(name)
        anchors = dict(self.anchors)
        return "\n".join(
            f"[{chunk}] {anchors[chunk]}\n" + "\n".join(f"  [{fact.id}] {fact.text}" for fact in facts)
            for chunk, facts in groupby(self.facts, key=lambda fact: fact.chunk)
        )


NOTES = 6
CHUNKS = 2


def offline(request: FactsToRead) -> FactsRead:
    """Note the facts that meet half of the question or of what is open, and read their chunks.

    Where none does, go on to the neighbours; from a node that others led to, search for it and what is open.
    """
    scored = [(-request.sight.worth(fact.text, fact.title), place) for place, fact in enumerate(request.facts)]
    noted = [request.facts[place] for worth, place in sorted(scored)[:NOTES] if -worth >= NOTED]
    chunks = list(dict.fromkeys(fact.chunk for fact in noted))[:CHUNKS]
    notes = [FactNote(text=fact.text, facts=[fact.id]) for fact in noted]
    reason = f"{len(noted)} of {len(request.facts)} facts speak of what is asked"
    query = "" if chunks or not request.sight.led else " ".join([request.node, *request.sight.open_words()])
    action = READ_CHUNKS if chunks else SEARCH_AGAIN if query else READ_NEIGHBOURS
    return FactsRead(reason=reason, notes=notes, action=action, chunks=chunks, query=query)


SYSTEM = f"""You are one of several readers who answer a question from a corpus. Before you are facts that hang on one node, grouped by
the chunk of text that states them, each chunk under its heading; a heading may say which reader has read the chunk in full.

{RULES} Name the facts that each note rests on by their ids.

Then choose the next move:
- {READ_CHUNKS}: the facts point to the answer but may mislead or lack context; name the chunks to read in full, none that is read.
- {READ_NEIGHBOURS}: nothing here helps, or what is missing hangs on another node; the neighbouring nodes come next.
{LAST_MOVES}
{SAME_LANGUAGE}
{MATERIAL}"""

USER = f"""{STATE}
<material>
Node: {{node}} ({{count}})
{{facts}}
</material>

Read the facts."""

read_facts = Task("read_facts", Prompt(SYSTEM, USER), FactsToRead, FactsRead, offline)
