"""Which settings fit a corpus: its domain, entity types, claims, what is no entity, and examples, from a sample of it."""

from dataclasses import dataclass

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task
from pipeline.language.tasks.indexing.extract_graph import Entity, Relationship
from pipeline.language.tasks.material import MATERIAL


class GraphExample(BaseModel):
    """A passage of the texts, and the graph that it tells."""

    text: str = Field(
        description="one to three sentences of the excerpts, exactly as they stand there; line breaks may become spaces",
        max_length=600,
    )
    entities: list[Entity] = Field(description="every entity of your types that the passage names")
    relationships: list[Relationship] = Field(description="every pair of them that the passage clearly relates")


class ProposedSettings(BaseModel):
    """What fits a corpus."""

    domain: str = Field(
        description="what the texts are about and of what kind they are, in a few words", max_length=200
    )
    entity_types: list[str] = Field(description="types of entities that a graph of these texts needs, at most 12")
    claims: str = Field(
        description="what assertions about entities matter in these texts, in one sentence", max_length=300
    )
    stop_phrases: list[str] = Field(description="those of the names shown that are no entities of this domain")
    examples: list[GraphExample] = Field(description="two or three passages of the excerpts with the graph of each")


@dataclass(frozen=True)
class CorpusSample(Request):
    """Excerpts of a corpus, the names that were found in it, and what was counted."""

    excerpts: str
    names: tuple[str, ...]
    counted: str


def offline(request: CorpusSample) -> ProposedSettings:
    """Return nothing: without a model what was counted is the proposal."""
    return ProposedSettings(domain="", entity_types=[], claims="", stop_phrases=[], examples=[])


def check(request: CorpusSample, reply: ProposedSettings) -> ProposedSettings:
    """Return the reply with types in one spelling, without stop phrases that were not shown and without examples that do not
    hold; ValueError without types, or where examples are given and none holds."""
    types = list(dict.fromkeys(" ".join(one.upper().split()) for one in reply.entity_types if one.strip()))[:12]
    if not types:
        raise ValueError("no type of entities is given")
    stops = [one for one in reply.stop_phrases if one in set(request.names)]
    examples = [one for one in reply.examples if _holds(one, request.excerpts, types)]
    if reply.examples and not examples:
        raise ValueError("no example is a passage of the excerpts whose entities are of the types given")
    return reply.model_copy(update={"entity_types": types, "stop_phrases": stops, "examples": examples})


def _holds(example: GraphExample, excerpts: str, types: list[str]) -> bool:
    """Whether an example is a passage of the excerpts, its entities are of the types, and it relates none but these."""
    titles = {entity.title for entity in example.entities}
    return (
        bool(titles)
        and " ".join(example.text.split()) in " ".join(excerpts.split())
        and all(" ".join(entity.type.upper().split()) in types for entity in example.entities)
        and all({one.source, one.target} <= titles for one in example.relationships)
    )


SYSTEM = f"""You set up a program that turns a collection of texts into a graph of entities, relationships and claims. From
excerpts of the texts you say what they are about, which types of entities their readers ask for, which assertions about
entities matter to them, and which of the names that a program found are none of these: boilerplate, everyday words, parts
of sentences. Types are short nouns in capitals, such as PERSON or PROTEIN, general enough to have several entities each.
Then you show by two or three passages of the excerpts what is wanted: the entities of your types that it names, each described
by what the passage says, and the relationships that it tells. Choose passages that differ, that name whom they speak of, and with
what is easily mistaken. Write the domain, the types and what is claimed in English, whatever language the texts are in; describe
the entities and relationships of a passage in the passage's own language, as they will be described.
{MATERIAL}"""

USER = """<material>
Excerpts:
{excerpts}

Names that were found, one a line:
{names}

Counted: {counted}
</material>

Propose the settings."""

propose_settings = Task(
    "propose_settings", Prompt(SYSTEM, USER), CorpusSample, ProposedSettings, offline, check, only_model=True
)
