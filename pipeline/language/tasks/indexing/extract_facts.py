"""Atomic facts of a chunk with their key elements, and what was missed of them (GraphReader, arXiv 2406.14550, 3.2)."""

from pydantic import BaseModel, Field
from pydantic.json_schema import SkipJsonSchema

from pipeline.base.task import Prompt, Task, unchecked
from pipeline.language.tasks.indexing.chunk_requests import CHUNK, ChunkToExtract, ChunkToGlean
from pipeline.language.tasks.material import BESIDE_TITLE, MATERIAL, SAME_LANGUAGE
from pipeline.text.extraction.facts import find_facts


class ExtractedFact(BaseModel):
    """One atomic fact."""

    text: str = Field(description="one statement in a sentence that stands on its own", min_length=1)
    key_elements: list[str] = Field(
        description="names and nouns that the fact is about, and words that say what is special about it"
    )
    span: SkipJsonSchema[tuple[int, int] | None] = None
    """Where the sentence is in the chunk's text that the fact was made from; no model is asked for it."""


class Facts(BaseModel):
    """The atomic facts of one chunk."""

    facts: list[ExtractedFact] = Field(description="every atomic fact, in the order of the text")


def offline(request: ChunkToExtract) -> Facts:
    """Return one fact a sentence, pronouns replaced where that is safe."""
    return unchecked(
        Facts,
        facts=[
            unchecked(
                ExtractedFact,
                text=found.text,
                key_elements=list(found.key_elements),
                span=(found.start, found.end),
            )
            for found in find_facts(request.text, request.reading, request.anchor)
        ],
    )


def offline_glean(request: ChunkToGlean) -> Facts:
    """Return nothing: the first reading took every sentence."""
    return Facts(facts=[])


SYSTEM = f"""You break a text into atomic facts: the smallest statements that cannot be divided further and can be
understood without the text around them.

Replace pronouns, initials and "the company", "the city" by the names they stand for, unless the same fact has the name before
them; where neither the text nor its title names them, keep its words. {BESIDE_TITLE} A title may also tell who speaks. Keep
dates, numbers and places with the fact they belong to, and with what somebody says, believes or expects who that is. Name what a
fact is about although the text names it sentences before: "The bench stays" is no fact, "The bench stays in the garden of Carrow
House" is. Leave out nothing that somebody might ask about, but greetings and pleasantries altogether, and the head of a message
but for who somebody is; what the text repeats word for word is taken down once. For each fact list its key elements: the names and
nouns that it is about, in full, and of verbs and adjectives only those that say what is special about it ("accused", not
"said" or "went").
{SAME_LANGUAGE}
{MATERIAL}

Example. Material, under the heading "Harbour works": "Ada Thorne, who had studied in Leith, built the west mole of Carrow in
1871. It broke three years later."
Facts: "Ada Thorne studied in Leith." (Ada Thorne; studied; Leith) "Ada Thorne built the west mole of Carrow in 1871."
(Ada Thorne; built; west mole; Carrow; 1871) "The west mole of Carrow broke in 1874." (west mole; Carrow; broke; 1874)"""

USER = f"""{CHUNK}
List all its atomic facts with their key elements."""

USER_GLEAN = f"""{CHUNK}
Facts found so far:
<material>{{found}}</material>

List facts of the text that somebody might ask about and that are not among these. Often nothing is missing: then return an empty
list."""

extract_facts = Task("extract_facts", Prompt(SYSTEM, USER), ChunkToExtract, Facts, offline, quick=True)
glean_facts = Task("glean_facts", Prompt(SYSTEM, USER_GLEAN), ChunkToGlean, Facts, offline_glean, only_model=True)
