"""Claims of a chunk: who is said to have done or been what, with the words that say so, and what was missed of them."""

from typing import Literal

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Task
from pipeline.language.tasks.indexing.chunk_requests import ChunkToExtract, ChunkToGlean
from pipeline.language.tasks.material import BESIDE_TITLE, MATERIAL, SAME_LANGUAGE
from pipeline.text.extraction.claims import find_claims


class ExtractedClaim(BaseModel):
    """An assertion about an entity."""

    subject: str = Field(
        description="name of the entity that the claim is about, from the list of entities", min_length=1
    )
    object: str | None = Field(description="name of another entity that it involves, from the list, or null")
    type: str = Field(description="kind of claim in one to three capitalised words, such as MILITARY ACTION")
    status: Literal["TRUE", "FALSE", "SUSPECTED"] = Field(
        description="TRUE when the text asserts the description, FALSE when it denies it, SUSPECTED when it leaves it open"
    )
    description: str = Field(
        description='the claim in one sentence that stands on its own; of a denied claim the plain statement that is denied, without "not"',
        min_length=1,
    )
    start_date: str | None = Field(description="ISO date at which it begins, as exact as the text is, or null")
    end_date: str | None = Field(description="ISO date at which it ends, null where it goes on")
    quote: str = Field(description="the words of the text that the claim rests on, copied exactly")


class Claims(BaseModel):
    """The claims of one chunk."""

    claims: list[ExtractedClaim] = Field(description="every claim of the kind asked for")


def offline(request: ChunkToExtract) -> Claims:
    """Return the sentences that say something datable or decisive of a known entity."""
    return Claims(
        claims=[
            ExtractedClaim(
                subject=found.subject,
                object=None if found.object == "NONE" else found.object,
                type=found.type,
                status=found.status,
                description=found.description,
                start_date=found.start_date,
                end_date=found.end_date,
                quote=found.quote,
            )
            for found in find_claims(request.text, request.reading)
        ]
    )


def offline_glean(request: ChunkToGlean) -> Claims:
    """Return nothing: the first reading without a model took all that it can see."""
    return Claims(claims=[])


SYSTEM = f"""You read a text and list the claims it makes about known entities, so that they can be checked later.

A claim is: {{about}}.
Questions, requests, instructions and greetings claim nothing; a promise or a plan is a claim about what somebody means to
do. What people say of their own lives and what they hold is TRUE, with whose view it is; compliments claim nothing. A row of a
table makes one claim at most, and none where it only gives a value.
Its subject, and its object where there is one, are entities of the list you are given, spelled as there; in brackets behind
an entity stand other names that this text has for it. {BESIDE_TITLE} Quote the words
that it rests on exactly as the text has them; line breaks may become spaces. Give dates in ISO form (1874, 1874-02,
1874-02-11) and as exact as the text is; a day without a year is the nearest one to the date of the text, before it
for what was and after it for what is planned; where the text has none, there is no date.
{SAME_LANGUAGE} Leave names and quotes as they are written.
{MATERIAL}

Example. Entities: Ada Thorne; Northern Dock Company; Carrow. Material: "In May 1875 the Northern Dock Company accused Ada
Thorne of neglect; the court at Carrow found no fault in her work."
Claims: 1. Northern Dock Company, about Ada Thorne, ACCUSATION, TRUE, "The Northern Dock Company accused Ada Thorne of
neglect in May 1875.", from 1875-05 to 1875-05, quote "In May 1875 the Northern Dock Company accused Ada Thorne of neglect".
2. Ada Thorne, no object, NEGLECT, FALSE, "Ada Thorne neglected her work.", no dates, quote "the court at Carrow found no
fault in her work"."""

_CHUNK = """<material>
Title, and the heading that the text begins under: {anchor}
Entities: {entities}

{text}
</material>
"""
USER = f"""{_CHUNK}
List all its claims."""

USER_GLEAN = f"""{_CHUNK}
Claims found so far:
<material>{{found}}</material>

List claims of the text that the rules ask for and that are not among these. Often nothing is missing: then return an empty list."""

extract_claims = Task("extract_claims", Prompt(SYSTEM, USER), ChunkToExtract, Claims, offline, quick=True)
glean_claims = Task("glean_claims", Prompt(SYSTEM, USER_GLEAN), ChunkToGlean, Claims, offline_glean, only_model=True)
