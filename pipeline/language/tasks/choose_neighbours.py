"""Which neighbour of a node to read next, if any (GraphReader, arXiv 2406.14550, 3.3.3)."""

from dataclasses import dataclass

from pydantic import BaseModel, Field

from pipeline.base.task import Ask, Prompt, Task
from pipeline.language.tasks.material import MATERIAL
from pipeline.language.tasks.notes import (
    FINISH,
    NOTED,
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


WORTH_READING = 10
"""Score of a neighbour, of 100, below which the facts that lead to it hardly speak of the question."""


def offline(ask: NeighboursToChoose) -> NextNodes:
    """Go to the neighbour whose name or closest fact meets most of what is open; stop where none does."""
    ranked = sorted(ask.nodes, key=lambda node: (-node.score * (0.5 + ask.sight.worth(node.title, "")), node.id))
    good = [node for node in ranked if node.score >= WORTH_READING]
    if ask.sight.covered or not good:
        reason = "nothing is open" if ask.sight.covered else "no neighbour speaks of what is asked"
        return NextNodes(reason=reason, action=FINISH, nodes=[], query="")
    return NextNodes(
        reason=f"{good[0].title} shares facts that speak of what is asked", action=READ_NODES, nodes=[good[0].id], query=""
    )


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
