"""From which nodes the reading starts: key elements out of those offered, each with a score (GraphReader, 3.3.1)."""

from collections import Counter
from dataclasses import dataclass

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task
from pipeline.language.tasks.material import MATERIAL
from pipeline.language.tasks.reader.notes import NodeShown


class StartNode(BaseModel):
    """A node to start from."""

    id: str = Field(description="its id, only one that is given in square brackets")
    score: int = Field(description="how likely the answer is found from here, from 0 (not) to 100", ge=0, le=100)


class StartNodes(BaseModel):
    """The nodes to start from."""

    nodes: list[StartNode] = Field(description="the nodes, the most promising first, none that cannot lead anywhere")


@dataclass(frozen=True)
class NodesToChoose(Request):
    """A question, the plan, and the nodes that a search found, of which ``n`` are wanted."""

    question: str
    plan: str
    n: int
    nodes: tuple[NodeShown, ...]


def offline(request: NodesToChoose) -> StartNodes:
    """Return the nodes that the search scored best; one that leads to a fact already led to counts half."""
    left = [node for node in request.nodes if node.score > 0]
    led: Counter[str] = Counter()
    chosen: list[StartNode] = []
    while left and len(chosen) < request.n:
        best = min(left, key=lambda node: (-node.score * 0.5 ** led[node.about], node.id))
        chosen.append(StartNode(id=best.id, score=round(best.score * 0.5 ** led[best.about])))
        led[best.about] += 1
        left.remove(best)
    return StartNodes(nodes=chosen)


SYSTEM = f"""You help to answer a question from a corpus that was broken into short facts. The facts hang on nodes: the names, nouns,
verbs and adjectives that they are about. Several readers will set out, each from another node, read its facts, then the
text around them, then neighbouring nodes.

Choose the nodes to start from: those whose facts most likely hold the answer or a needed part of it. Prefer nodes that are
particular to the question over nodes that everything hangs on, and choose different ones. Take ids only from the list.
{MATERIAL}"""

USER = """Question: {question}

Plan:
{plan}

<material>
{nodes}
</material>

Choose up to {n} nodes."""

choose_nodes = Task("choose_nodes", Prompt(SYSTEM, USER), NodesToChoose, StartNodes, offline)
