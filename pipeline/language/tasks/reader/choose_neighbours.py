"""Which neighbour of a node to read next, if any (GraphReader, arXiv 2406.14550, 3.3.3)."""

from dataclasses import dataclass

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Task
from pipeline.language.tasks.material import MATERIAL
from pipeline.language.tasks.reader.notes import (
    FINISH,
    GIVE_UP,
    LAST_MOVES,
    READ_NODES,
    SEARCH_AGAIN,
    STATE,
    Action,
    NodeShown,
    OfReading,
    Query,
    Reason,
    Sight,
)


class NextNodes(BaseModel):
    """Where to go from a node."""

    reason: Reason
    action: Action = Field(
        description="the next move", json_schema_extra={"enum": [READ_NODES, SEARCH_AGAIN, FINISH, GIVE_UP]}
    )
    nodes: list[str] = Field(
        description="ids of the nodes to read, such as n2, the most promising first, three at most"
    )
    query: Query


@dataclass(frozen=True)
class NeighboursToChoose(OfReading):
    """A question, the state of its reading, and the neighbours of a node that nobody has read."""

    node: str
    count: str
    """How many of the neighbours are shown: "20 of 57 neighbours that nobody has read"."""
    nodes: tuple[NodeShown, ...]
    sight: Sight


LEADING = 0.15
"""How well a neighbour must lead on to be read without a model, 0 to 1."""
NODES = 3


def offline(request: NeighboursToChoose) -> NextNodes:
    """Go to the neighbours that lead on best from the facts they share; stop where none does."""
    leads = {node.id: request.sight.leads(node.title, node.about) for node in request.nodes}
    good = [node for node in request.nodes if leads[node.id] >= LEADING]
    if not good:
        return NextNodes(reason="no neighbour leads to what is asked", action=GIVE_UP, nodes=[], query="")
    best = sorted(good, key=lambda node: (-leads[node.id], -node.score, node.id))[:NODES]
    reason = f"{best[0].title} is close to what is asked"
    return NextNodes(reason=reason, action=READ_NODES, nodes=[node.id for node in best], query="")


SYSTEM = f"""You are one of several readers who answer a question from a corpus. Before you are nodes that share facts with the node
you come from, each with the fact that they share; nobody has read their other facts yet.

Choose the next move:
- {READ_NODES}: name the nodes whose facts may hold what is missing, three at most; take ids only from the list.
{LAST_MOVES}
{MATERIAL}"""

USER = f"""{STATE}
<material>
Node: {{node}} ({{count}})
{{nodes}}
</material>

Choose."""

choose_neighbours = Task("choose_neighbours", Prompt(SYSTEM, USER), NeighboursToChoose, NextNodes, offline)
