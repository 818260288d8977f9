"""Entities and relationships of a chunk, and what a first reading missed of them (Edge et al. 2024, section 3.1.2)."""

import re
from functools import lru_cache

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Task, unchecked
from pipeline.language.tasks.indexing.chunk_requests import CHUNK, ChunkToExtract, ChunkToGlean
from pipeline.language.tasks.material import BESIDE_TITLE, MATERIAL, SAME_LANGUAGE
from pipeline.text.extraction.mention_rank import MentionRank, mention_rank
from pipeline.text.extraction.relations import ENDS, relate


class Entity(BaseModel):
    """An entity as one chunk describes it."""

    title: str = Field(description="the fullest form that the text or its title has of its name", min_length=1)
    type: str = Field(description="one of the types asked for")
    description: str = Field(description="what this text says of the entity: attributes, acts, dates")


class Relationship(BaseModel):
    """A relationship as one chunk describes it."""

    source: str = Field(description="name of an entity in the list of entities", min_length=1)
    target: str = Field(description="name of another entity in the list of entities", min_length=1)
    description: str = Field(description="how the two are related, as this text says, in a sentence that names both")
    weight: float = Field(description="strength of the relationship, from 1 (loose) to 10 (close)", gt=0)


class Graph(BaseModel):
    """What one chunk says of entities and their relationships."""

    entities: list[Entity] = Field(description="every entity of the types asked for")
    relationships: list[Relationship] = Field(description="every pair of them that the text clearly relates")


def offline(request: ChunkToExtract) -> Graph:
    """Return the known names with the sentence that says most of each, and the pairs that share a sentence."""
    return unchecked(
        Graph,
        entities=[
            unchecked(Entity, title=title, type=type, description=description)
            for (title, type), description in _described(request).items()
        ],
        relationships=[
            unchecked(
                Relationship,
                source=found.source,
                target=found.target,
                description=found.description,
                weight=found.weight,
            )
            for found in relate(request.text, request.reading, request.correspondents)
        ],
    )


def _described(request: ChunkToExtract) -> dict[tuple[str, str], str]:
    """Return for each name the first statement of those that say most of it, else a heading."""
    best: dict[tuple[str, str], tuple[int, int]] = {}
    text = request.text
    sentences = request.reading.sentences
    for at, (start, end, *_) in enumerate(sentences):
        names = sentences[at].names
        fragment = bool(names) and not is_statement(text[start:end])
        for name in names:
            said = mention_rank(text, start, end, name.start, name.end)
            rank = (max(said, MentionRank.FRAGMENT) if fragment else said, at)
            key = (name.title, name.type)
            best[key] = min(best.get(key, rank), rank)
    return {key: text[sentences[at].start : sentences[at].end] for key, (_, at) in best.items()}


@lru_cache(maxsize=4096)
def as_statement(written: str) -> str:
    """Return a sentence on one line; a heading or a phrase gets a full stop, so that it stays apart when descriptions are
    joined."""
    flat = _paired(" ".join(_LINE_MARKS.sub("", written, count=1).split()))
    return flat if not flat or is_statement(flat.rstrip("*_")) else f"{flat.rstrip(',;:')}."


_LINE_MARKS = re.compile(r"^(?:[#=\s-]+|\*+(?=\s|$))+")
"""What is before a heading or an item of a list; stars that a word follows begin what is in bold."""


def _paired(text: str) -> str:
    """Return a text on one line without bold that is of the whole, or of which it has one mark alone at an end."""
    marks = text.count("**")
    if marks == 2 and text.startswith("**") and text.endswith("**"):
        return text[2:-2]
    if marks % 2:
        return text.removeprefix("**") if text.startswith("**") else text.removesuffix("**")
    return text


def is_statement(written: str) -> bool:
    """Return whether a text reads as a sentence rather than as a heading or a fragment: it ends as sentences do."""
    core = written.rstrip().rstrip("\"'”’»)]")
    return core.endswith(ENDS) and bool(core.rstrip("".join(ENDS)).strip(" #\t\r\n"))


def offline_glean(request: ChunkToGlean) -> Graph:
    """Return nothing: the first reading without a model already took all that its vocabulary knows."""
    return Graph(entities=[], relationships=[])


SYSTEM = f"""You read a text and list its entities and how they are related, for a graph that others will explore.

Entities are of these types: {{entity_types}}; take the nearest where none fits well. Name each once, by the fullest form that the
text or its title has of it: "Joan of Arc", not "she", "the girl" or "J. A."; kin without a name, such as Mum, with
whose they are: "mother of Ada Thorne". {BESIDE_TITLE} Describe it by what this text says and nothing else, so that
it can be read apart from it: with the date in place of "that night", the name in place of "the owner".
Sums, dates, quantities and other people without a name belong into descriptions and are no entities; a thing in general, such as a
method or a field, is one under its common name where the text dwells on it; what many have, such as a boiler or a committee,
with whose it is: "boiler of Carrow House". That something is mentioned describes nothing.
Relate two entities only where the text does. A row of a table relates what it holds; to stand beside each other in a list,
or to be addressed or copied in the same message, or to have written it, is no relationship. That two have nothing to do with each other belongs
into their descriptions. Name both exactly as in your list of entities. Strength is 1 for two that are barely connected and
10 for two that the text binds closely.
{SAME_LANGUAGE} Leave names as they are written.
{MATERIAL}

Example. Material, under the heading "Harbour works": "In 1871 the engineer Ada Thorne built the west mole of Carrow for
the Northern Dock Company. The storm of 1874 broke it within a night."
Entities: Ada Thorne (PERSON: engineer who built the west mole of Carrow in 1871), Carrow (PLACE: harbour with a west
mole), Northern Dock Company (ORGANIZATION: had the west mole of Carrow built in 1871), storm of 1874 (EVENT: broke the
west mole of Carrow within a night).
Relationships: Ada Thorne - Northern Dock Company (built the west mole for the company in 1871; 8), Ada Thorne - Carrow
(built its west mole; 7), storm of 1874 - Carrow (broke its west mole; 8).

Second example. Material, under the heading "Minutes": "The committee thanked all members and rose at noon."
Entities: none. Relationships: none."""

USER = f"""{CHUNK}
List all its entities and relationships."""

USER_GLEAN = f"""{CHUNK}
Found so far:
<material>{{found}}</material>

List entities and relationships of the text that the rules ask for and that are not among these; a new relationship may name
entities of either list. Often nothing is missing: then return two empty lists."""

extract_graph = Task("extract_graph", Prompt(SYSTEM, USER), ChunkToExtract, Graph, offline, quick=True)
glean_graph = Task("glean_graph", Prompt(SYSTEM, USER_GLEAN), ChunkToGlean, Graph, offline_glean, only_model=True)
