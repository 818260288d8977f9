"""The reading: it ends whatever the replies are, no two walks read the same, nothing that does not exist is read."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from pydantic import BaseModel

from pipeline.base.settings import SearchSettings
from pipeline.base.task import Prose, Request
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.language.tasks.reader.answer_from_notebook import NotebooksToAnswer
from pipeline.language.tasks.reader.choose_neighbours import NeighboursToChoose, NextNodes
from pipeline.language.tasks.reader.choose_nodes import NodesToChoose, StartNode, StartNodes
from pipeline.language.tasks.reader.plan_reading import QuestionToPlan, ReadingPlan
from pipeline.language.tasks.reader.read_chunk import ChunkNote, ChunkRead, ChunkToRead
from pipeline.language.tasks.reader.read_facts import FactNote, FactsRead, FactsToRead, read_facts
from pipeline.query.answer import Step, Trace
from pipeline.query.index import Index
from pipeline.query.method import SearchCall
from pipeline.query.reader.fact_graph import FactGraph
from pipeline.query.reader.loop import IDLE, ReadingAgent
from pipeline.query.reader.start_nodes import CANDIDATES
from pipeline.text.question.reading import read_question
from pipeline.text.sentences import split
from tests.query_cases import BATTLES, WEATHER, ask, sample
from tests.scripted_backend import Script

IN_WALKS = ("read_facts", "read_chunk", "choose_neighbours")


def facts(action: str, **given: Any) -> FactsRead:
    return FactsRead(**{"reason": "", "notes": [], "action": action, "chunks": [], "query": "", **given})


def chunk(action: str, **given: Any) -> ChunkRead:
    return ChunkRead(**{"reason": "", "notes": [], "action": action, "query": "", **given})


def nodes(action: str, **given: Any) -> NextNodes:
    return NextNodes(**{"reason": "", "action": action, "nodes": [], "query": "", **given})


def everywhere(request: Request) -> BaseModel:
    """Never be done: read all that is offered, and search for more."""
    if isinstance(request, FactsToRead):
        return facts("read_chunks", chunks=[id for id, _ in request.anchors])
    if isinstance(request, ChunkToRead):
        return chunk("search_more")
    assert isinstance(request, NeighboursToChoose)
    return nodes("read_nodes", nodes=[node.id for node in request.nodes])


def nonsense(request: Request) -> BaseModel:
    """Name only what does not exist."""
    if isinstance(request, FactsToRead):
        return facts("launch_rocket", chunks=["c99"], notes=[FactNote(text="It rained.", facts=["f99"])])
    if isinstance(request, ChunkToRead):
        return chunk("", notes=[ChunkNote(text="zzz", quote="zzz")])
    return nodes("read_nodes", nodes=["n99", "Joan of Arc"])


def restless(request: Request) -> BaseModel:
    """Search again after every step."""
    made: Mapping[type[Request], Callable[..., BaseModel]] = {
        FactsToRead: facts,
        ChunkToRead: chunk,
        NeighboursToChoose: nodes,
    }
    return made[type(request)]("search_again", query="Orléans Paris Reims Rouen coronation trial siege")


def back_and_forth(request: Request) -> BaseModel:
    """Read the chunk before, for ever."""
    if isinstance(request, FactsToRead):
        return facts("read_chunks", chunks=["c1"])
    return chunk("read_previous") if isinstance(request, ChunkToRead) else nodes("finish")


def scripts(script: Callable[[Any], BaseModel]) -> dict[str, Script]:
    return dict.fromkeys(IN_WALKS, script)


def calls_by_walk(asked: list[tuple[str, Request]]) -> Counter[str]:
    return Counter(request.item.split(" call ")[0] for name, request in asked if name in IN_WALKS)


@pytest.mark.parametrize("script", [everywhere, nonsense, restless, back_and_forth])
def test_every_walk_ends_within_its_calls_whatever_is_replied(script: Callable[[Any], BaseModel]) -> None:
    answer, backend = ask(BATTLES, "local", scripts(script), walk_calls=6, walks=4)
    calls = calls_by_walk(backend.asked)
    assert len(calls) == 4 and max(calls.values()) <= 6
    ended = [step for step in answer.steps if "ended" in step.data]
    assert len(ended) == 4


def test_no_chunk_and_no_node_is_read_twice_by_any_walk() -> None:
    answer, _ = ask(BATTLES, "local", scripts(everywhere), walk_calls=12, walks=5)
    for kind in ("read_chunk", "read_facts"):
        read = [step.data["id"] for step in answer.steps if step.name == kind]
        assert read and len(read) == len(set(read))
    turns = Counter(step.data["walk"] for step in answer.steps if step.name in IN_WALKS)
    assert len(turns) == 5


def test_what_does_not_exist_is_counted_and_never_read() -> None:
    known = Index.open(sample())
    ids = set(known.chunks.id) | set(known.key_elements.id)
    answer, backend = ask(BATTLES, "local", scripts(nonsense))
    assert answer.removed_citations >= len([name for name, _ in backend.asked if name in IN_WALKS])
    assert all(step.data["id"] in ids for step in answer.steps if "id" in step.data)
    assert not answer.supported


def test_start_nodes_that_do_not_exist_are_left_out_and_counted() -> None:
    def choose(request: NodesToChoose) -> StartNodes:
        return StartNodes(nodes=[StartNode(id=id, score=90) for id in ("n1", "n1", "n77", "Spain", "n2")])

    answer, backend = ask(BATTLES, "local", {"choose_nodes": choose})
    assert len(calls_by_walk(backend.asked)) == 2
    (step,) = [step for step in answer.steps if step.name == "choose_nodes"]
    assert step.data["removed"] == 2


def test_ids_may_come_in_brackets_in_capitals_or_several_in_one_text() -> None:
    def note(request: FactsToRead) -> FactsRead:
        several = ", ".join(f"[{fact.id.upper()}]" for fact in request.facts[:2])
        return facts("give_up", notes=[FactNote(text="Paris was not taken.", facts=[several])])

    choices = StartNodes(nodes=[StartNode(id="[n1]", score=90), StartNode(id="N2 ", score=80)])
    scripts: dict[str, Script] = {"choose_nodes": lambda request: choices, "read_facts": note}
    answer, backend = ask(BATTLES, "local", scripts)
    assert len(calls_by_walk(backend.asked)) == 2 and not answer.removed_citations
    assert facts("Give up.").action == nodes("GIVE-UP").action == "give_up"
    (asked,) = [asked for _, asked in backend.asked if isinstance(asked, NotebooksToAnswer)]
    assert len(asked.evidence) > 1


def test_with_no_start_node_chosen_nothing_is_read_and_nothing_said() -> None:
    answer, backend = ask(BATTLES, "local", {"choose_nodes": lambda request: StartNodes(nodes=[])})
    assert not answer.supported and not calls_by_walk(backend.asked)


def test_an_empty_plan_is_no_obstacle() -> None:
    answer, _ = ask(BATTLES, "local", {"plan_reading": lambda request: ReadingPlan(steps=[], queries=["", "  "])})
    assert "Paris" in answer.text and answer.coverage.share == 1


def test_never_all_key_elements_are_offered_and_all_that_are_exist() -> None:
    titles = set(Index.open(sample()).key_elements.title)
    for question in (BATTLES, WEATHER):
        _, backend = ask(question, "local")
        (offer,) = [asked for _, asked in backend.asked if isinstance(asked, NodesToChoose)]
        assert 0 < len(offer.nodes) <= CANDIDATES < len(titles)
        assert {node.title for node in offer.nodes} <= titles


def test_the_plan_is_made_in_the_words_of_the_corpus() -> None:
    _, backend = ask(BATTLES, "local")
    (asked,) = [asked for _, asked in backend.asked if isinstance(asked, QuestionToPlan)]
    assert "Joan of Arc" in asked.about


def test_facts_are_shown_under_the_heading_of_their_chunk() -> None:
    _, backend = ask(BATTLES, "local")
    shown = [asked.shown("facts") for _, asked in backend.asked if isinstance(asked, FactsToRead)]
    assert any("] Joan of Arc, part 1 of 1\n  [f1] " in text for text in shown)


def test_notes_carry_what_they_rest_on_and_a_quote_is_looked_up() -> None:
    def read(request: ChunkToRead) -> ChunkRead:
        notes = [ChunkNote(text="Paris was not taken.", quote="The assault  on Paris failed, and Joan of Arc lost")]
        return chunk("finish", notes=notes if "assault on Paris failed" in request.text else [])

    def go(request: FactsToRead) -> FactsRead:
        assaults = [id for id, anchor in request.anchors if "The Assault on Paris" in anchor]
        return facts("read_chunks" if assaults else "give_up", chunks=assaults)

    def write(request: NotebooksToAnswer) -> Prose:
        return Prose(text=f"Paris was not taken. [{request.evidence[0].id}]")

    scripts: dict[str, Script] = {"read_chunk": read, "read_facts": go, "answer_from_notebook": write}
    found, _ = ask(BATTLES, "local", scripts)
    assert [source.quote for source in found.sources] == ["The assault on Paris failed, and Joan of Arc lost"]


def test_a_second_search_leads_to_what_is_no_neighbour() -> None:
    def search(request: FactsToRead) -> FactsRead:
        return facts("search_again", query="first film of Georges Méliès")

    _answer, backend = ask(
        BATTLES, "local", {"read_facts": search, "read_chunk": lambda request: chunk("finish")}, walks=1
    )
    first = next(asked for _, asked in backend.asked if isinstance(asked, ChunkToRead))
    assert "Méliès" in first.text


def test_the_chunk_before_and_after_are_those_of_the_document() -> None:
    index = Index.open(sample())
    graph = FactGraph({name: index.generation.rows(name) for name in ("facts", "key_elements", "chunks", "documents")})
    for _, two in index.chunks.sort_values("position").groupby("document_id"):
        ids = list(two.id)
        assert [graph.beside(id, 1) for id in ids] == [*ids[1:], None]
        assert [graph.beside(id, -1) for id in ids] == [None, *ids[:-1]]


def test_supernodes_are_not_the_best_neighbours() -> None:
    index = Index.open(sample())
    graph = FactGraph({name: index.generation.rows(name) for name in ("facts", "key_elements", "chunks", "documents")})
    top = graph.most_frequent(1)[0]
    table = index.key_elements.set_index("title")
    found = graph.neighbours(table.loc["Patay"].id, read_question("Who won at Patay?"))
    assert top.title == "Joan of Arc" and top.title in {node.title for _, node, _ in found}
    assert found[0][1].frequency < top.frequency


def test_a_deadline_ends_the_walks_and_the_answer_says_so() -> None:
    answer, backend = ask(BATTLES, "local", max_seconds=1e-9)
    assert not calls_by_walk(backend.asked)
    assert "deadline" in answer.coverage.description and answer.coverage.description.startswith("partial")


def test_every_step_is_an_event_as_it_happens_in_the_order_of_the_walks() -> None:
    seen: list[Step] = []
    index = Index.open(sample())
    answer = index.ask(BATTLES, "local", watch=seen.append, language=LanguageService(OfflineBackend(), Ledger()))
    assert tuple(seen) == answer.steps
    names = {step.name for step in seen}
    assert {"plan_reading", "choose_nodes", "read_facts", "read_chunk", "walk", "answer"} <= names
    first_round = [step.data["walk"] for step in seen if step.name == "read_facts"][:3]
    assert first_round == [1, 2, 3]


def test_the_graph_of_the_reading_can_be_drawn() -> None:
    index = Index.open(sample())
    graph = FactGraph({name: index.generation.rows(name) for name in ("facts", "key_elements", "chunks", "documents")})
    service = LanguageService(OfflineBackend(), Ledger())
    call = SearchCall(read_question(BATTLES), {}, index.finder(), SearchSettings(), service, Trace())
    reading = ReadingAgent(call, graph)
    drawn = reading.compiled().get_graph().draw_mermaid()
    assert all(name in drawn for name in ("plan_reading", "choose_nodes", "share", *IN_WALKS))


def asked_of(kind: type[Any], script: Callable[[Any], BaseModel], **search: Any) -> list[Any]:
    _, backend = ask(BATTLES, "local", scripts(script), **search)
    return [request for _, request in backend.asked if isinstance(request, kind)]


def test_when_one_reader_has_found_all_nobody_reads_on() -> None:
    def found(request: Request) -> BaseModel:
        if isinstance(request, FactsToRead):
            noted = [FactNote(text="She lost at Paris.", facts=[request.facts[0].id])]
            return facts("finish" if request.item.startswith("walk 2 ") else "read_neighbours", notes=noted)
        return everywhere(request)

    answer, backend = ask(BATTLES, "local", scripts(found), walks=4)
    assert sum(name in IN_WALKS for name, _ in backend.asked) == 4
    assert "reader 2 holds that all is found" in [step.data.get("ended") for step in answer.steps]


def test_readers_who_give_up_with_nothing_noted_leave_no_answer() -> None:
    def hopeless(request: Request) -> BaseModel:
        return facts("give_up") if isinstance(request, FactsToRead) else nodes("give_up")

    answer, backend = ask(BATTLES, "local", scripts(hopeless))
    assert not answer.supported and sum(name in IN_WALKS for name, _ in backend.asked) == 3
    assert not any(name == "answer_from_notebook" for name, _ in backend.asked)


def test_rounds_that_add_nothing_end_the_reading() -> None:
    answer, backend = ask(BATTLES, "local", scripts(everywhere), walk_calls=20)
    assert max(calls_by_walk(backend.asked).values()) <= IDLE
    assert "the last rounds of reading added nothing" in [step.data.get("ended") for step in answer.steps]


def test_a_list_says_how_much_it_leaves_out() -> None:
    shown = asked_of(FactsToRead, everywhere, context_tokens=400)
    assert any(re.fullmatch(r"\d+ of \d+ facts, the closest to the question", request.count) for request in shown)
    for request in shown:
        assert request.count.startswith(("all ", f"{len(request.facts)} of "))
        assert request.count in read_facts.render(request, common={"language": "English"})[1]


def test_readers_see_what_was_read_searched_and_noted_and_by_whom() -> None:
    def chatty(request: Request) -> BaseModel:
        if isinstance(request, FactsToRead):
            noted = [FactNote(text=f"Note of {request.node}.", facts=[request.facts[0].id])]
            return facts("search_again", notes=noted, query="Rouen trial judges")
        return everywhere(request)

    later = asked_of(ChunkToRead, chatty, walks=2)
    assert later and all("you read the facts of" in request.done for request in later)
    assert all("searched for Rouen trial judges" in request.done for request in later)
    assert all(re.search(r"reader [12] read the facts of", request.done) for request in later)
    assert all(re.search(r"Note of .+ \(reader [12]\)", request.others) for request in later)
    assert all("- Note of" in request.notebook and "(reader" not in request.notebook for request in later)


def test_what_a_reader_quotes_reaches_the_answer_in_the_words_of_the_chunk() -> None:
    said: list[str] = []

    def quoting(request: Request) -> BaseModel:
        if isinstance(request, FactsToRead):
            return facts("read_chunks", chunks=[request.facts[0].chunk])
        assert isinstance(request, ChunkToRead)
        sentences = [request.text[slice(*span)] for span in split(request.text)]
        said.append(max(sentences, key=len))
        return chunk("give_up", notes=[ChunkNote(text="a note", quote=said[-1])])

    (request,) = [
        asked for _, asked in ask(BATTLES, "local", scripts(quoting))[1].asked if isinstance(asked, NotebooksToAnswer)
    ]
    assert {item.quote for item in request.evidence} == {" ".join(quote.split()) for quote in said}
    assert all(item.quote in request.shown("evidence") for item in request.evidence)


def test_a_search_for_one_word_of_many_finds_nothing() -> None:
    def common(request: Request) -> BaseModel:
        return (
            facts("search_again", query="army zeppelin zebra") if isinstance(request, FactsToRead) else chunk("give_up")
        )

    assert not asked_of(ChunkToRead, common, walks=1, walk_calls=1)
    read = asked_of(ChunkToRead, common, walks=1)
    assert all("zeppelin zebra, which found nothing" in request.done for request in read)


def test_chunks_are_named_by_their_part_of_the_document_and_by_who_has_read_them() -> None:
    def same(request: Request) -> BaseModel:
        if isinstance(request, FactsToRead):
            return facts("read_chunks", chunks=[id for id, _ in request.anchors])
        return chunk("search_more") if isinstance(request, ChunkToRead) else nodes("give_up")

    first = asked_of(FactsToRead, same)[0]
    assert all(re.search(r", part \d+ of \d+( \(read by reader \d\))?$", anchor) for _, anchor in first.anchors)
    read = asked_of(ChunkToRead, same, walks=5, walk_calls=6)
    assert read and all(re.fullmatch(r"part \d+ of \d+", request.part) for request in read)


def test_a_reader_waits_for_what_another_one_reads_in_the_same_round() -> None:
    def one_chunk(request: Request) -> BaseModel:
        if isinstance(request, FactsToRead):
            noted = [FactNote(text=f"Note of {request.node}.", facts=[request.facts[0].id])]
            return facts("read_chunks", notes=noted, chunks=["c1"])
        if isinstance(request, ChunkToRead):
            return chunk("search_more", notes=[ChunkNote(text=request.item, quote=request.text[:40])])
        return nodes("give_up")

    def same_nodes(request: NodesToChoose) -> StartNodes:
        return StartNodes(nodes=[StartNode(id=node.id, score=50) for node in request.nodes[:6]])

    answer, backend = ask(BATTLES, "local", {**scripts(one_chunk), "choose_nodes": same_nodes}, walks=6)
    left = [request.done for _, request in backend.asked if hasattr(request, "done") and " to reader " in request.done]
    assert left and all(len(set(done.split("; "))) == len(done.split("; ")) for done in left)
    assert answer.coverage.share == 1


def test_sums_and_years_are_offered_as_nodes_only_where_the_question_has_them() -> None:
    def numbers(question: str) -> set[str]:
        _, backend = ask(question, "local")
        nodes = [node for _, asked in backend.asked if isinstance(asked, NodesToChoose) for node in asked.nodes]
        assert nodes
        return {node.title for node in nodes if not any(map(str.isalpha, node.title))}

    assert numbers("When was Joan of Arc captured, and when was the assault on Paris?") == set()
    assert "1429" in numbers("What happened to Joan of Arc in 1429?")
