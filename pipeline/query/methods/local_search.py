"""Local search: readers explore the graph of facts, chunks and key elements, and the answer is drawn from their notebooks
(GraphReader, arXiv 2406.14550; closed here: sources, budgets, visited sets, nodes that do not exist, and a search of one's own).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from pipeline.base.schema import CHUNKS, DOCUMENTS, ENTITIES, FACTS, KEY_ELEMENTS, RELATIONSHIPS
from pipeline.base.settings import SearchSettings
from pipeline.base.store import Rows
from pipeline.base.task import NOT_SAID
from pipeline.base.tokens import that_fit
from pipeline.language.tasks.reader.answer_from_notebook import (
    EvidenceShown,
    NotebookShown,
    NotebooksToAnswer,
    answer_from_notebook,
)
from pipeline.language.tasks.reader.choose_neighbours import choose_neighbours
from pipeline.language.tasks.reader.choose_nodes import choose_nodes
from pipeline.language.tasks.reader.plan_reading import plan_reading
from pipeline.language.tasks.reader.read_chunk import read_chunk
from pipeline.language.tasks.reader.read_facts import read_facts
from pipeline.language.tasks.search.answer_from_passages import answer_from_passages
from pipeline.query.answer import Answer, Coverage, Place, Trace
from pipeline.query.evidence.citations import Cited, Sources, cite
from pipeline.query.evidence.cited_context import Chunk, Offered, answer_of, fit, n_words, read_chunks
from pipeline.query.evidence.connections import Way, connections, entities_on, written_ways
from pipeline.query.evidence.excerpts import Excerpts
from pipeline.query.method import SearchCall, search
from pipeline.query.methods.basic_search import basic_search
from pipeline.query.model_requests import WITHOUT, write
from pipeline.query.reader.actions import TOKENS
from pipeline.query.reader.fact_graph import FactGraph
from pipeline.query.reader.loop import ReadingAgent, ReadingState
from pipeline.query.reader.notebook import Collected, Note, NotedEvidence, collect, place_for, without_repeats
from pipeline.query.reader.start_nodes import steps_of
from pipeline.query.reader.state import Walk
from pipeline.query.streaming import Live
from pipeline.text.inflection import in_number
from pipeline.text.question.question import Question


@search(
    reads=(CHUNKS, FACTS, KEY_ELEMENTS, ENTITIES, RELATIONSHIPS, DOCUMENTS),
    asks=(
        plan_reading, choose_nodes, read_facts, read_chunk, choose_neighbours, answer_from_notebook, answer_from_passages,
    ),
)  # fmt: skip
def local_search(call: SearchCall) -> Answer:
    """Answer how things connect: readers walk through facts, chunks and neighbours, each with a notebook; without a model, and where
    they come home with nothing, from the chunks closest to the question."""
    answer = _explored(call)
    if answer.supported or call.language.has_model(answer_from_notebook):
        return answer
    return replace(basic_search.run(call), method="local")


def _explored(call: SearchCall) -> Answer:
    question, tables, settings, trace = call.question, call.tables, call.settings, call.trace
    chunks, documents = tables["chunks"], tables["documents"]
    graph = FactGraph(tables)
    read = ReadingAgent(call, graph).run()
    walks = [walk for _, walk in sorted(read["walks"].items())]
    ways = connections(question, tables)
    if ways:
        walks.append(_walk_along(ways, graph, tables["entities"], trace))
    collected = collect([walk.notes for walk in walks], graph)
    removed = read["removed"] + sum(walk.removed for walk in walks)
    if not collected.evidence:
        trace.step("answer", "nothing was noted")
        coverage = _coverage(read, walks, "")
        return answer_of(call, "local", Cited(NOT_SAID, (), removed), (), coverage)
    offered = _fitting(collected.evidence, question, settings.context_tokens)
    excerpts = Excerpts(question, tables, call.finder)
    drafted = Offered()
    read_again = _read(collected.evidence, call)
    draft = written_ways(ways, drafted, chunks, documents) or excerpts.draft_from_chunks(read_again, drafted, "d")
    request = _to_answer(question, read, walks, collected, offered, draft, settings)
    by_id = {item.id: item for item in offered}

    def place(id: str, sentence: str) -> Place | None:
        return drafted.resolve(id, sentence) if id in drafted else place_for(sentence, by_id[id], graph)

    every = {*by_id, *drafted}
    live = Live(trace, every, place, chunks, documents, behind=collected.grounds)
    text, by = write(answer_from_notebook, request, call.language, live)
    trace.step(
        "answer",
        f"out of {in_number(len(offered), 'piece')} of evidence in {in_number(len(walks), 'notebook')}, by {by}",
    )
    sources = Sources(chunks, documents, carry=trace.carry, behind=collected.grounds)
    # A model was not shown the draft, so only the answer without one may cite its ids.
    cited = cite(text, every if text == draft else by_id, place, sources)
    return answer_of(call, "local", cited, sources.listed(), _coverage(read, walks, by), removed)


def _walk_along(ways: Sequence[Way], graph: FactGraph, entities: Rows, trace: Trace) -> Walk:
    """Return a walk that asked nobody: along the relationships that connect what the question names."""
    lines = [" – ".join([way[0].source, *(step.target for step in way)]) for way in ways]
    trace.step("connections", "; ".join(lines), ids=entities_on(ways, entities))
    notes = tuple(
        Note(
            f"{step.source} and {step.target}: {step.description}",
            graph.title_of(step.places[0].chunk_id),
            (),
            step.places,
        )
        for way in ways
        for step in way
    )
    return Walk(
        0,
        f"the relationships between {ways[0][0].source} and {ways[0][-1].target}",
        "",
        (),
        notes=notes,
        ended="it is whole",
    )


def _to_answer(
    question: Question,
    read: ReadingState,
    walks: Sequence[Walk],
    collected: Collected,
    offered: Sequence[NotedEvidence],
    draft: str,
    settings: SearchSettings,
) -> NotebooksToAnswer:
    ids = {item.id for item in offered}
    notebooks = (
        NotebookShown(
            walk.start, tuple((text, kept) for text, found in notes if (kept := tuple(i for i in found if i in ids)))
        )
        for walk, notes in zip(walks, without_repeats(collected.notebooks), strict=True)
    )
    return NotebooksToAnswer(
        item="answer",
        question=question.put,
        plan=steps_of(read["plan"]),
        notebooks=tuple(one for one in notebooks if one.notes),
        evidence=tuple(EvidenceShown(item.id, item.title, item.text, item.quote) for item in offered),
        n_words=n_words(settings),
        draft=draft,
    )


def _read(evidence: Sequence[NotedEvidence], call: SearchCall) -> list[Chunk]:
    """Return the chunks that an answer without a model is taken from: those that a search finds, and those that the notes
    closest to the question rest on, as many as fit the context."""
    question, settings = call.question, call.settings
    close = sorted(evidence, key=lambda item: -question.closeness(item.text, item.heading))
    found = [hit.chunk_id for hit in call.finder.find([question.text], settings.chunks)[0]]
    both = zip_longest(found, [item.place.chunk_id for item in close[: settings.chunks]])
    return fit(read_chunks((id for pair in both for id in pair if id), call.tables), settings.context_tokens)


def _fitting(evidence: Sequence[NotedEvidence], question: Question, budget: int) -> list[NotedEvidence]:
    """Return the evidence closest to the question that fits half a context; the notes on it take the other half."""
    close = {item.id: question.closeness(item.text, item.heading) for item in evidence}
    ranked = sorted(evidence, key=lambda item: -close[item.id])
    sizes = TOKENS.counts([item.quote or item.text for item in ranked])
    kept = {item.id for item in that_fit(ranked, sizes, budget // 2)}
    return [item for item in evidence if item.id in kept]


def _coverage(read: ReadingState, walks: Sequence[Walk], by: str) -> Coverage:
    """Return the share of requests that were answered, and what the answer rests on in words."""
    failures = [*read["failures"], *(why for walk in walks for why in walk.failures)]
    unwritten = by.startswith(WITHOUT)
    asked = 2 + sum(walk.calls for walk in walks) + bool(by)
    share = (asked - len(failures) - unwritten) / asked
    notes = sum(len(walk.notes) for walk in walks)
    late = any("are over" in walk.ended for walk in walks)
    readers, steps = in_number(len(walks), "reader"), in_number(asked - 2 - bool(by), "step")
    description = (
        f"rests on {in_number(notes, 'note')} that {readers} took in {steps}"
        if notes
        else f"{readers} noted nothing in {steps}"
    )
    if not walks:
        description = "nothing to start reading from was found"
    reasons = []
    if failures:
        why = "; ".join(reason for reason, _ in Counter(failures).most_common(2))
        reasons.append(f"the model gave no reply to {len(failures)} of {asked} requests ({why}), done without a model")
    if unwritten:
        reasons.append(f"the answer was written by {by}")
    if late:
        reasons.append("the walks were ended by the deadline")
    coverage = Coverage(share, description)
    return coverage.but("; ".join(reasons)) if reasons else coverage
