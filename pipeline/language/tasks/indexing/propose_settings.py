"""Which settings fit a corpus: its domain, the types of its entities, its claims, and what is no entity, from a sample."""

from dataclasses import dataclass

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task
from pipeline.language.tasks.material import MATERIAL


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


@dataclass(frozen=True)
class CorpusSample(Request):
    """Excerpts of a corpus, the names that were found in it, and what was counted."""

    excerpts: str
    names: tuple[str, ...]
    counted: str

    def shown(self, name: str) -> str:
        """Return names as lines."""
        return "\n".join(self.names) if name == "names" else super().shown(name)


def offline(request: CorpusSample) -> ProposedSettings:
    """Return nothing: without a model what was counted is the proposal."""
    return ProposedSettings(domain="", entity_types=[], claims="", stop_phrases=[])


def check(request: CorpusSample, reply: ProposedSettings) -> ProposedSettings:
    """Return the reply with types in one spelling and without stop phrases that were not shown; ValueError without types."""
    types = list(dict.fromkeys(" ".join(one.upper().split()) for one in reply.entity_types if one.strip()))[:12]
    if not types:
        raise ValueError("no type of entities is given")
    stops = [one for one in reply.stop_phrases if one in set(request.names)]
    return reply.model_copy(update={"entity_types": types, "stop_phrases": stops})


SYSTEM = f"""You set up a program that turns a collection of texts into a graph of entities, relationships and claims. From
excerpts of the texts you say what they are about, which types of entities their readers ask for, which assertions about
entities matter to them, and which of the names that a program found are none of these: boilerplate, everyday words, parts
of sentences. Types are short nouns in capitals, such as PERSON or PROTEIN, general enough to have several entities each.
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
