"""Which neighbour of a node to read next, if any (GraphReader, arXiv 2406.14550, 3.3.3)."""

from dataclasses import dataclass

from pydantic import BaseModel, Field

from pipeline.base.task import Ask, Prompt, Task
from pipeline.language.tasks.material import MATERIAL
from pipeline.language.tasks.notes import (
    FINISH,
    READ_NODES,
    SEARCH_AGAIN,
    NodeShown,
    Query,
    Reason,
    Sight,
    nodes_as_text,
)


class NextNodes(BaseModel):
    """Where to go from a node."""

    reason: Reason
    action: str = Field(description="the next move", json_schema_extra={"enum": [READ_NODES, SEARCH_AGAIN, FINISH]})
    nodes: list[str] = Field(description="ids of the nodes to read, such as n2, the most promising first")
    query: Query


@dataclass(frozen=True)
class NeighboursToChoose(Ask):
    """A question, where its reading stands, and the neighbours of a node that nobody has read."""

    question: str
    plan: str
    notebook: str
    done: str
    node: str
    nodes: tuple[NodeShown, ...]
    sight: Sight

    def shown(self, name: str) -> str:
        """Return the neighbours as lines under their ids."""
        return nodes_as_text(self.nodes) if name == "nodes" else super().shown(name)


WORTH_READING = 0.4
"""Share of the question, or of what is open, that the fact which leads to a neighbour must meet, or its name."""


def offline(ask: NeighboursToChoose) -> NextNodes:
    """Go to the best neighbour whose name, or whose closest fact, speaks of what is asked; stop where there is none."""
    worth = {node.id: max(ask.sight.worth(node.title, ""), ask.sight.worth(node.about, "")) for node in ask.nodes}
    good = [node for node in ask.nodes if worth[node.id] >= WORTH_READING]
    if ask.sight.covered or not good:
        reason = "nothing is open" if ask.sight.covered else "no neighbour speaks of what is asked"
        return NextNodes(reason=reason, action=FINISH, nodes=[], query="")
    best = min(good, key=lambda node: (-node.score * worth[node.id], node.id))
    reason = f"{best.title} shares facts that speak of what is asked"
    return NextNodes(reason=reason, action=READ_NODES, nodes=[best.id], query="")


SYSTEM = f"""You are reading a corpus in order to answer a question. You keep a notebook. Before you are nodes that share facts with the
node you come from; nobody has read their other facts yet.

Choose the next move:
- {READ_NODES}: name the nodes whose facts may hold what is missing, one or two; take ids only from the list.
- {SEARCH_AGAIN}: none of them may; give words to look for in the whole corpus.
- {FINISH}: the notebook holds all that the plan asks for, or nothing here can help.
{MATERIAL}"""

USER = """Question: {question}

Plan:
{plan}

Notebook:
{notebook}

Done so far: {done}

<material>
Neighbours of the node {node}
{nodes}
</material>

Choose."""

choose_neighbours = Task("choose_neighbours", Prompt(SYSTEM, USER), NeighboursToChoose, NextNodes, offline)
