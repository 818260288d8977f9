"""Fusion search: RAG-Fusion x CRAG. Similar questions retrieve, their lists fuse by reciprocal rank, each document is
graded, what helps is refined in strips, and where the corpus falls short the web is searched, if one is set up.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypedDict

from pipeline.base.schema import CHUNKS, DOCUMENTS, ENTITIES, RELATIONSHIPS
from pipeline.language.language import Reply
from pipeline.language.tasks.search.answer_from_passages import PassageShown, answer_from_passages
from pipeline.language.tasks.search.grade_documents import LOWER, Verdict, grade_documents
from pipeline.language.tasks.search.grade_strips import grade_strips
from pipeline.language.tasks.search.integrate_questions import QuestionsToIntegrate, integrate_questions
from pipeline.language.tasks.search.similar_questions import similar_questions
from pipeline.language.tasks.search.write_web_query import QuestionToSearch, write_web_query
from pipeline.language.transport.event_loop import untraced
from pipeline.query.answer import Answer, Coverage
from pipeline.query.evidence.cited_context import Offered, Writer, fit, n_words, read_chunks
from pipeline.query.evidence.confirmation import confirming_cost
from pipeline.query.evidence.excerpts import Excerpts
from pipeline.query.method import SearchCall, search
from pipeline.query.methods.corrective import Document, KeptStrip, grade, overall, refine
from pipeline.query.methods.question_variants import vary
from pipeline.query.methods.web import WebError, WebSearch, web_search
from pipeline.query.model_requests import Deadline
from pipeline.query.reader.state_graph import langgraph_graph
from pipeline.retrieval.chunk_search import Hit, fuse
from pipeline.text.answering.document_support import document_supports
from pipeline.text.answering.passage_units import PassageText
from pipeline.text.inflection import in_number

PAGES = 3
"""Pages taken from the web."""


@search(
    reads=(CHUNKS, ENTITIES, RELATIONSHIPS, DOCUMENTS),
    asks=(
        similar_questions,
        integrate_questions,
        grade_documents,
        grade_strips,
        write_web_query,
        answer_from_passages,
    ),
)
def fusion_search(call: SearchCall) -> Answer:
    """Answer from passages that several wordings of the question find and that are graded as helpful."""
    settings = call.settings
    flow = _Flow(call, web_search(settings.web))
    most = settings.chunks
    confirming = confirming_cost(n_words(settings), settings, call.language).calls
    calls = 3 + 2 * most + (1 + PAGES if flow.web else 0) + confirming
    description = f"similar questions, {most} gradings and as many refinements at most, and the answer"
    description += ", confirmed" if confirming else ""
    call.trace.step("plan", f"at most {calls} calls: {description}", calls=calls)
    return flow.run()["answer"]


class State(TypedDict, total=False):
    """What the nodes hand on."""

    questions: list[str]
    lists: list[list[Hit]]
    documents: list[Document]
    integrated: str
    verdicts: dict[str, Verdict]
    verdict: Verdict
    strips: list[KeptStrip]
    answer: Answer


@dataclass
class _Flow:
    """The nodes of the graph, and what they share."""

    call: SearchCall
    web: WebSearch | None
    offered: Offered = field(default_factory=Offered)
    troubles: list[str] = field(default_factory=list)
    """What a model did not reply to, and what came of it."""
    asked: int = 0
    failed: int = 0
    removed: int = 0

    def __post_init__(self) -> None:
        self.deadline = Deadline(self.call.settings.max_seconds)

    def run(self) -> State:
        """Run the graph from the question to the answer."""
        library = langgraph_graph()
        graph: Any = library.StateGraph(State)
        nodes: list[Callable[[State], State]] = [
            self.similar_questions, self.retrieve, self.fuse, self.integrate_questions, self.grade_documents,
            self.refine, self.search_web, self.write_answer,
        ]  # fmt: skip
        for node in nodes:
            graph.add_node(node.__name__, node)
        names = [node.__name__ for node in nodes]
        for before, after in zip([library.START, *names[:4]], names[:5], strict=True):
            graph.add_edge(before, after)
        graph.add_conditional_edges("grade_documents", self.after_grading, ["refine", "search_web"])
        graph.add_conditional_edges("refine", self.after_refining, ["search_web", "write_answer"])
        graph.add_edge("search_web", "write_answer")
        graph.add_edge("write_answer", library.END)
        with untraced():
            final: State = graph.compile().invoke({})
        return final

    def similar_questions(self, state: State) -> State:
        """Put the question into other words."""
        questions, had = vary(self.call)
        self._count(not had, 1, "no similar questions could be had")
        return {"questions": questions}

    def retrieve(self, state: State) -> State:
        """Find chunks for all questions at once."""
        lists = self.call.finder.find(state["questions"], self.call.settings.chunks)
        found = {hit.chunk_id for hits in lists for hit in hits}
        self.call.trace.step("retrieve", f"{in_number(len(found), 'chunk')} for {in_number(len(lists), 'question')}")
        return {"lists": lists}

    def fuse(self, state: State) -> State:
        """Make one list of several, and take as much of it as fits the context."""
        best = fuse(state["lists"])[: self.call.settings.chunks]
        found = read_chunks([hit.chunk_id for hit in best], self.call.tables)
        chunks = fit(found, self.call.settings.context_tokens)
        self.call.trace.step("fuse", in_number(len(chunks), "document"), documents=[chunk.id for chunk in chunks])
        return {"documents": [Document(chunk.id, chunk.title, chunk.text) for chunk in chunks]}

    def integrate_questions(self, state: State) -> State:
        """Make one question of all; the question itself where there is no other, or no reply."""
        others = tuple(state["questions"][1:])
        if not others:
            return {"integrated": self.call.question.text}
        reply = self.call.language.one(
            integrate_questions, QuestionsToIntegrate("integrate", self.call.question.text, others)
        )
        failed = not isinstance(reply, Reply)
        self._count(failed, 1, "the questions could not be integrated, so the one that was asked was used")
        if not isinstance(reply, Reply):
            self.call.trace.step("integrate_questions", f"failed: {reply.reason}", failed=True)
            return {"integrated": self.call.question.text}
        self.call.trace.step("integrate_questions", reply.value.question)
        return {"integrated": reply.value.question}

    def grade_documents(self, state: State) -> State:
        """Grade each document against the integrated question."""
        passages = {doc.id: PassageText(doc.id, doc.title, doc.text) for doc in state["documents"]}
        supports = document_supports(self.call.question, passages, LOWER)
        graded = [(doc, supports[doc.id]) for doc in state["documents"]]
        verdicts, failed = grade(state["integrated"], graded, self.call, self.deadline)
        self._count(failed, len(verdicts), f"{failed} of {len(verdicts)} documents were graded by statistics")
        verdict = overall(verdicts.values())
        self.call.trace.step("grade_documents", f"{_counted(verdicts)}: together {verdict}", verdicts=verdicts)
        return {"verdicts": verdicts, "verdict": verdict, "strips": []}

    def after_grading(self, state: State) -> str:
        """Where to go on: nothing is refined where all documents are incorrect."""
        return "search_web" if state["verdict"] == "incorrect" else "refine"

    def refine(self, state: State) -> State:
        """Keep of the documents that are not incorrect the strips that help."""
        kept = [doc for doc in state["documents"] if state["verdicts"][doc.id] != "incorrect"]
        return {"strips": self._refine(state["integrated"], kept)}

    def after_refining(self, state: State) -> str:
        """Where to go on: the web joins in where the documents are ambiguous, or where no strip of them helps."""
        return "write_answer" if state["verdict"] == "correct" and state["strips"] else "search_web"

    def search_web(self, state: State) -> State:
        """Search the web, where one is set up, and refine what it finds as documents are."""
        if self.web is None:
            self.call.trace.step("search_web", "no web search is set up (search.web)")
            return {}
        if not self.deadline.allows():
            self.call.trace.step("search_web", "left out, because the time is over", failed=True)
            self._count(1, 1, "the web was not searched, because the time was over")
            return {}
        query = self._query(state["integrated"])
        try:
            pages = self.web.search(query, PAGES)[:PAGES]
        except WebError as error:
            self.call.trace.step("search_web", f"{query}: failed: {error}", failed=True)
            self._count(1, 1, "the web search failed")
            return {}
        self.offered.pages += pages
        self.call.trace.step(
            "search_web", f"{query}: {in_number(len(pages), 'page')}", pages=[page.url for page in pages]
        )
        found = [Document(page.url, page.title, page.text) for page in pages]
        return {"strips": [*state["strips"], *self._refine(state["integrated"], found)]}

    def write_answer(self, state: State) -> State:
        """Answer from the strips; without any there is nothing to ask a model."""
        strips = state["strips"]
        pages = {page.url: page for page in self.offered.pages}
        kept = [PassageText(doc.id, doc.title, doc.text) for doc in state["documents"]]
        kept += [PassageText(page.url, page.title, page.text) for page in pages.values()]

        def id_of(passage: PassageText) -> str:
            if passage.id in pages:
                return self.offered.strip(passage.id, 0, passage.text)
            return self.offered.chunk(passage.id, passage.text)

        draft = Excerpts(self.call.question, self.call.tables, self.call.finder).draft(kept, id_of)
        shown = [PassageShown(strip.id, strip.title, strip.text, strip.speaker) for strip in strips]
        writer = Writer(self.call, "fusion", self.offered)
        return {"answer": writer.from_passages(shown, draft, self._coverage(state), self.removed)}

    def _query(self, question: str) -> str:
        reply = self.call.language.one(write_web_query, QuestionToSearch("web", question))
        self._count(not isinstance(reply, Reply), 1, "the web was searched with the words of the question")
        if isinstance(reply, Reply):
            return reply.value.query
        return write_web_query.offline(QuestionToSearch("web", self.call.question.text)).query

    def _refine(self, question: str, documents: list[Document]) -> list[KeptStrip]:
        found = refine(question, documents, self.call, self.offered, self.deadline)
        description = f"{found.failed} of {len(documents)} documents were refined by statistics"
        self._count(found.failed, len(documents), description)
        self.removed += found.removed
        self.call.trace.step(
            "refine", f"{in_number(len(found.strips), 'strip')} kept of {in_number(len(documents), 'document')}"
        )
        return found.strips

    def _count(self, failed: int, asked: int, description: str) -> None:
        """Count requests, and keep what is to be reported where some of them had no reply, or none in time."""
        self.asked += asked
        self.failed += failed
        if failed:
            self.troubles.append(description)

    def _coverage(self, state: State) -> Coverage:
        counts = Counter(state["verdicts"].values())
        graded = ", ".join(f"{counts[verdict]} {words}" for verdict, words in _GRADED.items() if counts[verdict])
        description = (
            f"rests on {in_number(len(state['strips']), 'excerpt')} from {in_number(counts.total(), 'passage')}"
        )
        description += f": {graded}" if graded else ""
        if self.offered.pages:
            description += f"; and on {in_number(len(self.offered.pages), 'page')} of the web"
        if not self.failed:
            return Coverage(1.0, description)
        why = f"{self.failed} of {self.asked} requests had no reply: {', '.join(self.troubles)}"
        return Coverage(1.0, description).but(why, 1 - self.failed / self.asked)


_GRADED: dict[Verdict, str] = {"correct": "helpful", "ambiguous": "perhaps helpful", "incorrect": "not helpful"}
"""What the grades of passages say of them, since a passage that is no help is not incorrect."""


def _counted(verdicts: dict[str, Verdict]) -> str:
    counts = Counter(verdicts.values())
    order: tuple[Verdict, ...] = ("correct", "ambiguous", "incorrect")
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in order if counts[verdict])
