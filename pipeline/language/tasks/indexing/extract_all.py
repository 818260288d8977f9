"""Entities, relationships, claims and facts of a chunk in a single reply: a third of the calls, at some loss of depth."""

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Task
from pipeline.language.tasks.indexing.chunk_requests import CHUNK, ChunkToExtract, ChunkToGlean
from pipeline.language.tasks.indexing.extract_claims import ExtractedClaim
from pipeline.language.tasks.indexing.extract_claims import offline as claims_offline
from pipeline.language.tasks.indexing.extract_facts import ExtractedFact
from pipeline.language.tasks.indexing.extract_facts import offline as facts_offline
from pipeline.language.tasks.indexing.extract_graph import Entity, Relationship
from pipeline.language.tasks.indexing.extract_graph import offline as graph_offline
from pipeline.language.tasks.material import BESIDE_TITLE, MATERIAL, SAME_LANGUAGE


class Everything(BaseModel):
    """All that one chunk tells."""

    entities: list[Entity] = Field(description="every entity of the types asked for")
    relationships: list[Relationship] = Field(description="every pair of them that the text clearly relates")
    claims: list[ExtractedClaim] = Field(description="every claim of the kind asked for, about entities of your list")
    facts: list[ExtractedFact] = Field(description="every atomic fact, in the order of the text")


def offline(request: ChunkToExtract) -> Everything:
    """Return what the three single extractions find without a model."""
    graph = graph_offline(request)
    return Everything(
        entities=graph.entities,
        relationships=graph.relationships,
        claims=claims_offline(request).claims,
        facts=facts_offline(request).facts,
    )


def offline_glean(request: ChunkToGlean) -> Everything:
    """Return nothing: the first reading took all that it can see."""
    return Everything(entities=[], relationships=[], claims=[], facts=[])


SYSTEM = f"""You read a text once and take down four kinds of records.

Entities, of these types: {{entity_types}}; take the nearest where none fits well. Name each once, by the fullest form
that the text or its title has of it. {BESIDE_TITLE} Describe it by what this text says of it, never by its being mentioned. Sums, dates and quantities are no entities,
nor are people without a name: put them into the description of somebody named. A thing in general, such as a method or a
field, is an entity under its common name where the text dwells on it; what many have, such as a boiler or a committee, with
whose it is: "boiler of Carrow House". Relationships between two of these entities, where the
text relates them; a list or a message in which both are addressed does not. Strength from 1 (loose) to 10 (close).
Claims: {{about}}. Subject and object are entities of your list. TRUE is what the text asserts, what people say of their own
lives and what they hold, with whose view it is; SUSPECTED what it leaves open: rumours, guesses, expectations; FALSE what it
expressly denies, the description being the plain statement that is denied, without "not". Questions, requests, greetings and
compliments claim nothing. Quote the words a claim rests on exactly. Give dates in ISO form, as exact as the text is: no
date without a year, no end date for what still goes on.
Atomic facts: the smallest statements that can be understood alone, names in place of pronouns, and of what somebody says,
believes or expects who that is, and what each is about; no greetings, and of the head of a message only who somebody is. Each with the names and nouns that it is about, and what
is special about it.
A title may also tell who speaks. What the text repeats word for word is taken down once.
{SAME_LANGUAGE} Leave names and quotes as they are written.
{MATERIAL}

Example. Material, under the heading "Harbour works": "In 1871 the engineer Ada Thorne built the west mole of Carrow. In
May 1875 she was accused of neglect."
Entities: Ada Thorne (PERSON: engineer who built the west mole of Carrow in 1871 and was accused of neglect in 1875), Carrow
(PLACE: harbour with a west mole). Relationships: Ada Thorne - Carrow (built its west mole in 1871; 8). Claims: Ada Thorne,
no object, ACCUSATION, TRUE, "Ada Thorne was accused of neglect in May 1875.", from 1875-05 to 1875-05, quote "In May 1875
she was accused of neglect". Facts: "Ada Thorne was an engineer." (Ada Thorne; engineer) "Ada Thorne built the west mole of
Carrow in 1871." (Ada Thorne; built; west mole; Carrow; 1871) "Ada Thorne was accused of neglect in May 1875." (Ada Thorne;
accused; neglect; May 1875)"""

USER = f"""{CHUNK}
Take down all its records."""

USER_GLEAN = f"""{CHUNK}
Found so far:
<material>{{found}}</material>

Take down records of the text that the rules ask for and that are not among these; new ones may name the entities found so far.
Often nothing is missing: then return empty lists."""

extract_all = Task("extract_all", Prompt(SYSTEM, USER), ChunkToExtract, Everything, offline)
glean_all = Task("glean_all", Prompt(SYSTEM, USER_GLEAN), ChunkToGlean, Everything, offline_glean, only_model=True)
