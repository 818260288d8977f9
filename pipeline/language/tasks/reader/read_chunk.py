"""What one chunk of text says to a question, and where to read on (GraphReader, arXiv 2406.14550, 3.3.2)."""

import re
from dataclasses import dataclass

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Task
from pipeline.language.tasks.material import MATERIAL, SAME_LANGUAGE
from pipeline.language.tasks.reader.notes import (
    FINISH,
    GIVE_UP,
    LAST_MOVES,
    NOTED,
    READ_NEXT,
    READ_PREVIOUS,
    RULES,
    SEARCH_AGAIN,
    SEARCH_MORE,
    STATE,
    Action,
    OfReading,
    Query,
    Reason,
    Sight,
)
from pipeline.text.sentences import split


class ChunkNote(BaseModel):
    """A note, and the words of the text it rests on."""

    text: str = Field(description="the note", min_length=1)
    quote: str = Field(
        description="the sentence of the text that says so, or up to three in a row, copied word for word"
    )


class ChunkRead(BaseModel):
    """What reading a chunk gave."""

    reason: Reason
    notes: list[ChunkNote] = Field(description="new notes, none when nothing here helps")
    action: Action = Field(
        description="the next move",
        json_schema_extra={"enum": [SEARCH_MORE, READ_PREVIOUS, READ_NEXT, SEARCH_AGAIN, FINISH, GIVE_UP]},
    )
    query: Query


@dataclass(frozen=True)
class ChunkToRead(OfReading):
    """A question, the state of its reading, a chunk, and the names of those that are still to be read after it, ``waiting``."""

    anchor: str
    part: str
    """Where the chunk is in its document: "part 3 of 9"."""
    text: str
    waiting: tuple[str, ...]
    sight: Sight

    def shown(self, name: str) -> str:
        """Return the chunks that wait, the next one first, on one line."""
        return "; ".join(self.waiting) or "(none)" if name == "waiting" else super().shown(name)


NOTES = 5
_BLANK = re.compile(r"^\W*$|^#")


def offline(request: ChunkToRead) -> ChunkRead:
    """Note the sentences that meet half of the question or of what is open; read on where they are at an edge."""
    spans = [span for span in split(request.text) if not _BLANK.search(request.text[slice(*span)])]
    sentences = [" ".join(request.text[slice(*span)].split()) for span in spans]
    title = request.anchor.split(" > ")[0]
    places = _noted(sentences, title, request.sight)
    if places:
        # What the best of them leaves open, another sentence of the same text may say.
        places += _noted(sentences, title, request.sight.after([(sentences[places[0]], title)]))
    places = list(dict.fromkeys(places))[:NOTES]
    notes = [ChunkNote(text=sentences[place], quote=sentences[place]) for place in places]
    reason = f"{len(notes)} of {len(spans)} sentences speak of what is asked"
    return ChunkRead(reason=reason, notes=notes, action=_move(places, len(spans), bool(request.waiting)), query="")


def _noted(sentences: list[str], title: str, sight: Sight) -> list[int]:
    """Return the places of the sentences to note, best first."""
    scored = sorted((-sight.worth(sentence, title), place) for place, sentence in enumerate(sentences))
    return [place for worth, place in scored[:NOTES] if -worth >= NOTED]


def _move(places: list[int], n: int, waiting: bool) -> str:
    """The first or last sentence of a chunk may belong to what the chunk beside it goes on to say."""
    if waiting or not places:
        return SEARCH_MORE
    if n - 1 in places:
        return READ_NEXT
    return READ_PREVIOUS if 0 in places else SEARCH_MORE


SYSTEM = f"""You are one of several readers who answer a question from a corpus. Before you is one chunk of a text, under its heading; the
text may go on before and after it.

{RULES} Give with each note the sentence of the text that says so, copied exactly,
or up to three in a row where it takes them to show all that the note says.

Then choose the next move:
- {SEARCH_MORE}: read the next of the chunks that wait for you, or the neighbouring nodes when none waits.
- {READ_PREVIOUS}: what helps begins in the chunk before this one.
- {READ_NEXT}: what helps goes on in the chunk after this one.
{LAST_MOVES}
{SAME_LANGUAGE}
{MATERIAL}"""

USER = f"""{STATE}

<material>
Chunks that wait for you, the next one first: {{waiting}}

Heading: {{anchor}} ({{part}})

{{text}}
</material>

Read the chunk."""

read_chunk = Task("read_chunk", Prompt(SYSTEM, USER), ChunkToRead, ChunkRead, offline)
