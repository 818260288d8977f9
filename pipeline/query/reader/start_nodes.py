"""Where the reading of a question starts: its plan, the nodes that a search finds for it, and those chosen to set out from."""

from collections.abc import Sequence
from typing import NamedTuple

from pipeline.base.task import short_ids
from pipeline.language.tasks.reader.choose_nodes import NodesToChoose, StartNodes, choose_nodes
from pipeline.language.tasks.reader.notes import NodeShown
from pipeline.language.tasks.reader.plan_reading import QuestionToPlan, ReadingPlan, plan_reading
from pipeline.query.method import SearchCall
from pipeline.query.model_requests import request_one
from pipeline.query.reader.fact_graph import Element, FactGraph, damping
from pipeline.query.reader.state import READ_CHUNK, READ_FACTS, Turn, Walk
from pipeline.text.question.question import Question

CANDIDATES = 40
"""Nodes offered as starts; all key elements of a corpus would fill any prompt."""
FOUND_NODES, FOUND_CHUNKS = 20, 6
"""Nodes and chunks taken from the search for each query of the plan."""
QUERIES = 4
"""Queries of a plan that are heeded."""
SPOKEN_OF = 20
"""Most frequent key elements, which show who plans what the corpus speaks of."""
SAMPLE = 40
"""Facts of a node that are looked through for one that shows it."""


class StartCandidate(NamedTuple):
    """A node to offer, how promising it is from 0 to 100, and a fact of it close to the question."""

    node: Element
    score: float
    about: str


class Starts(NamedTuple):
    """The walks that set out, how many nodes were offered, ids in the reply that were not, and why there was none."""

    walks: dict[int, Walk]
    offered: int
    removed: int
    failure: str


def make_plan(call: SearchCall, graph: FactGraph) -> tuple[ReadingPlan, str]:
    """Return the plan with the queries that are heeded, and why it had to be made without a model, if so."""
    about = ", ".join(element.title for element in graph.most_frequent(SPOKEN_OF))
    plan, _, failure = request_one(
        plan_reading, QuestionToPlan("plan", call.question.text, about, call.question), call.language
    )
    queries = [query for query in dict.fromkeys(map(str.strip, plan.queries)) if query]
    return ReadingPlan(steps=plan.steps, queries=queries[:QUERIES]), failure


def steps_of(plan: ReadingPlan) -> str:
    """Return the steps of a plan as numbered lines."""
    return "\n".join(f"{place}. {step}" for place, step in enumerate(plan.steps, 1)) or "(none)"


def choose_starts(call: SearchCall, plan: ReadingPlan, graph: FactGraph) -> Starts:
    """Return a walk for each chosen node. After its facts each would read one of the chunks that the search found best."""
    question, walks_wanted = call.question, call.settings.walks
    hits, candidates = find_candidates([question.text, *plan.queries], call, graph)
    if not candidates:
        return Starts(_from_chunks(hits[:walks_wanted], graph), 0, 0, "")
    shown = {f"n{place}": candidate for place, candidate in enumerate(candidates, 1)}
    nodes = tuple(NodeShown(id, c.node.title, c.node.frequency, c.about, c.score) for id, c in shown.items())
    request = NodesToChoose("start", question.text, steps_of(plan), walks_wanted, nodes)
    reply, _, failure = request_one(choose_nodes, request, call.language)
    walks = {}
    for number, id in enumerate(_best(reply, list(shown))[:walks_wanted], 1):
        node = shown[id].node
        found = tuple(Turn(READ_CHUNK, chunk) for chunk in hits[number - 1 : number])
        walks[number] = Walk(number, node.title, node.id, (Turn(READ_FACTS, node.id), *found))
    return Starts(
        walks, len(shown), sum(id not in shown for id in short_ids(choice.id for choice in reply.nodes)), failure
    )


def _from_chunks(hits: Sequence[str], graph: FactGraph) -> dict[int, Walk]:
    """Return walks that begin with chunks, for a corpus that has no key elements."""
    return {
        number: Walk(number, graph.title_of(chunk), "", (Turn(READ_CHUNK, chunk),))
        for number, chunk in enumerate(hits, 1)
    }


def _best(reply: StartNodes, offered: Sequence[str]) -> list[str]:
    """Return the ids of a reply that were offered, each once, by score and then in the order of the offer."""
    best: dict[str, int] = {}
    for choice in reply.nodes:
        for id in short_ids([choice.id]):
            if id in offered and choice.score > 0:
                best[id] = max(choice.score, best.get(id, 0))
    return sorted(best, key=lambda id: (-best[id], offered.index(id)))


def find_candidates(
    queries: Sequence[str], call: SearchCall, graph: FactGraph
) -> tuple[list[str], list[StartCandidate]]:
    """Return the chunks that a search finds, and the nodes to offer, best first.

    Half of a node's score comes from its own words, half from the facts that it carries in the chunks found. Where
    nothing is found, as for a question in another language, the most frequent nodes are offered, with score 0. Sums, times
    and numbers are offered only where the question has them.
    """
    question, finder = call.question, call.finder
    scores: dict[str, float] = {}
    for query in queries:
        for node in finder.nodes(query, FOUND_NODES):
            scores[node.id] = max(scores.get(node.id, 0.0), node.score / 2)
    hits = _interleaved([[hit.chunk_id for hit in found] for found in finder.find(queries, FOUND_CHUNKS)])
    carried: dict[str, float] = {}
    about: dict[str, str] = {}
    for closeness, fact in graph.closest(question, graph.facts_in(hits), 2 * CANDIDATES):
        for id in fact.elements:
            carried[id] = carried.get(id, 0.0) + closeness**2
            about.setdefault(id, fact.text)
    carried = {id: total / damping(graph.element(id).frequency) for id, total in carried.items()}
    most = max(carried.values(), default=0.0) or 1.0
    for id, total in carried.items():
        scores[id] = scores.get(id, 0.0) + 50 * total / most
    titles = {id: graph.element(id).title for id in scores}
    wanted = (id for id, title in titles.items() if any(map(str.isalpha, title)) or title in question.text)
    ranked = sorted((-scores[id], titles[id], id) for id in wanted)[:CANDIDATES]
    nodes = [(graph.element(id), -score) for score, _, id in ranked]
    nodes = nodes or [(node, 0.0) for node in graph.most_frequent(CANDIDATES)]
    return hits, [
        StartCandidate(node, score, about.get(node.id) or _about(node, question, graph)) for node, score in nodes
    ]


def _about(node: Element, question: Question, graph: FactGraph) -> str:
    closest = graph.closest(question, graph.facts_of(node.id, SAMPLE), 1)
    return closest[0][1].text if closest else ""


def _interleaved(lists: Sequence[Sequence[str]]) -> list[str]:
    """Return the first of each list, then the second of each, and so on, each item once."""
    longest = max(map(len, lists), default=0)
    return list(dict.fromkeys(items[place] for place in range(longest) for items in lists if place < len(items)))
