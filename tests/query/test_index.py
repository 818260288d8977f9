"""The index in Python: tables, answers with all they hold, notebooks, event loops, LangChain, and partial indexes."""

import asyncio
import json
import pickle
import sys
from pathlib import Path
from typing import Any

import pytest

from pipeline.base.errors import QuestionError, SettingsError
from pipeline.base.store import Rows
from pipeline.base.task import Failure
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.query.answer import Coverage
from pipeline.query.failed_items import ITEMS, failed_items
from pipeline.query.index import Index
from pipeline.runner.run import run_index
from tests.corpora import project
from tests.lookalike import LookAlike
from tests.query.test_streaming import at
from tests.query_cases import BATTLES, check_answer, in_file, opened, sample
from tests.scripted_backend import ScriptedBackend
from workflows.stages import STAGES


def index() -> Index:
    return opened()


def test_an_index_is_opened_for_a_block_and_reads_again_after_it() -> None:
    with index() as there, there.where("title != nobody") as part:
        asked = there.ask(BATTLES, "basic")
    assert there.ask(BATTLES, "basic") == asked and there.count("documents") == part.count("documents")


def test_ask_may_be_called_while_an_event_loop_runs_and_aask_lets_the_loop_go_on() -> None:
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.001)

    async def both() -> None:
        inside = index().ask(BATTLES, "local")
        ticking = asyncio.create_task(tick())
        awaited = await index().aask(BATTLES, "local")
        ticking.cancel()
        assert inside == awaited and ticks > 1

    asyncio.run(both())


def test_a_model_may_be_asked_from_several_loops_one_after_the_other(tmp_path: Path) -> None:
    with LookAlike(lambda body: f"It is so. [c1] {len(body['messages'][-1]['content'])}") as server:
        there = at(server, tmp_path)

        async def ask(question: str) -> str:
            return there.ask(question, "basic").text + (await there.aask(f"{question} Really?", "basic")).text

        assert all(asyncio.run(ask(question)) for question in ("Who came?", "Who went?"))
        assert server.calls == 4


def test_a_language_service_of_ones_own_is_left_open_for_the_next_question() -> None:
    service = LanguageService(OfflineBackend(), Ledger(), ScriptedBackend({}))
    first, second = (index().ask(BATTLES, "basic", language=service) for _ in range(2))
    assert first.usage["calls"] == second.usage["calls"] == 1
    assert len(service.ledger.calls) == 2


def test_usage_says_no_cost_where_a_price_is_not_known() -> None:
    service = LanguageService(OfflineBackend(), Ledger(), ScriptedBackend({}))
    usage = index().ask(BATTLES, "basic", language=service).usage
    assert "cost" not in usage and usage["tokens_in"] == 1
    assert index().ask(BATTLES, "basic").usage["cost"] == 0


@pytest.mark.parametrize("method", ["global", "local", "entity", "drift", "basic", "fusion", "auto"])
def test_an_answer_as_json_holds_everything(method: str) -> None:
    answer = index().ask(BATTLES, method)
    content = json.loads(json.dumps(answer.to_dict()))
    assert content["question"] == BATTLES and content["coverage"]["description"] == answer.coverage.description
    assert [source["quote"] for source in content["sources"]] == [source.quote for source in answer.sources]
    assert set(content) >= {
        "text",
        "steps",
        "usage",
        "outcome",
        "closest",
        "supported",
        "unsupported_sentences",
        "removed_citations",
    }
    check_answer(answer)


def test_answers_tables_and_indexes_show_themselves_in_a_notebook() -> None:
    answer = index().ask(BATTLES, "basic")
    shown = answer._repr_html_()
    assert "joan-of-arc.md" in shown and "<ol>" in shown
    assert "<script" not in Index.open(sample()).ask("<script>alert(1)</script> Joan?", "basic")._repr_html_()
    assert "community_reports" in index()._repr_html_()
    assert "<table" in index().entities._repr_html_()


def test_a_list_of_answers_and_a_map_are_shown_in_a_line_each() -> None:
    class Printer:
        said = ""

        def text(self, said: str) -> None:
            self.said += said

    answer, drawn = index().ask("Who was crowned at Reims?", "basic"), index().map()
    assert repr([answer]).startswith("[<Answer by basic: answered, ") and len(repr(answer)) < 160
    assert f"of {len(drawn.disks)} communities" in repr(drawn)
    printer = Printer()
    answer._repr_pretty_(printer, cycle=False)
    assert printer.said == str(answer)


def test_settings_of_one_question_are_checked_and_change_nothing_else() -> None:
    base = index()
    short = base.with_settings({"search": {"answer_tokens": 50}, "language": {"output": "German"}})
    assert short.settings.search.answer_tokens == 50 and short.settings.language.output == "German"
    assert base.settings.search.answer_tokens is None and short.generation is base.generation
    with pytest.raises(SettingsError, match=r"search\.answer_tokens"):
        base.with_settings({"search": {"answer_tokens": 1}})
    with pytest.raises(SettingsError, match="did you mean level"):
        base.with_settings({"search": {"levle": 1}})


def test_shorter_answers_are_shorter(tmp_path: Path) -> None:
    question = "What are the main themes?"
    long = index().ask(question, "global")
    short = index().with_settings({"search": {"answer_tokens": 60}}).ask(question, "global")
    assert len(short.text) < len(long.text) / 2
    with LookAlike(lambda body: "So. [c1]") as server:
        at(server, tmp_path).with_settings({"search": {"answer_tokens": 200}, "language": {"output": "German"}}).ask(
            BATTLES, "basic"
        )
        system = server.asked[0]["messages"][0]["content"]
    assert "Write in German." in system and "About 150 words" in system


def test_empty_questions_and_unknown_methods_are_refused() -> None:
    for question, method, match in (("  ", "local", "empty"), ("Who?", "nonsense", "no search method")):
        with pytest.raises(QuestionError, match=match):
            index().ask(question, method)


@pytest.mark.parametrize(
    "given",
    [
        {"question": None},
        {"question": b"Who?"},
        {"method": None},
        {"method": ["local"]},
        {"where": 5},
        {"history": 5},
        {"history": "Who?"},
        {"history": [("Who?",)]},
        {"history": [{"role": "user", "content": "Who?"}]},
    ],
)
def test_what_is_no_question_method_filter_or_history_is_refused_in_words(given: dict[str, Any]) -> None:
    with pytest.raises(QuestionError, match="^the (question|method|filter|history) is "):
        index().ask(**{"question": BATTLES, "method": "basic", **given})


def test_the_retriever_gives_documents_that_are_where_they_say() -> None:
    retriever = index().as_retriever(k=4)
    found = retriever.invoke(BATTLES)
    assert len(found) == 4
    for document in found:
        about = document.metadata
        assert in_file(sample().parent / "input", about, document.page_content)
        assert document.id == about["chunk_id"] and about["file"].endswith((".md", ".txt", ".html"))
    scores = [document.metadata["score"] for document in found]
    assert scores == sorted(scores, reverse=True)
    assert asyncio.run(retriever.ainvoke(BATTLES)) == found
    with pytest.raises(ValueError, match="greater than or equal to 1"):
        index().as_retriever(k=0)


def test_the_tool_answers_with_sources_and_keeps_the_answer() -> None:
    tool = index().as_tool("basic")
    assert tool.name == "basic_search" and "sources" in tool.description
    message = tool.invoke({"name": tool.name, "args": {"question": BATTLES}, "id": "1", "type": "tool_call"})
    assert message.artifact == index().ask(BATTLES, "basic")
    assert message.content == str(message.artifact) and "[1] joan-of-arc.md" in message.content
    with pytest.raises(QuestionError, match="no search method"):
        index().as_tool("nonsense")


def test_an_answer_from_a_partial_index_says_what_failed_and_what_share_it_rests_on(tmp_path: Path) -> None:
    backend = ScriptedBackend(
        {"extract_graph": lambda request: Failure("the server was away", 3) if "storm" in str(request) else None}
    )
    made = project(tmp_path)
    assert run_index(made, default=backend).status == "partial"
    there = Index(made.store.open(), made.settings)
    whole, failed = there.generation.manifest.tables["chunks"].rows, failed_items(there.generation)
    n_failed = len(failed["s30_extract_graph"])
    answer = there.ask("Who built the west mole?", "basic")
    assert answer.coverage.share == pytest.approx(1 - n_failed / whole)
    assert (
        f"when the index was made, {n_failed} of {whole} chunks failed in extract graph" in answer.coverage.description
    )
    assert answer.coverage.description.startswith("partial: ") and not answer.coverage.description.startswith(
        "partial: partial"
    )


def test_an_answer_from_a_complete_index_says_nothing_of_it() -> None:
    answer = index().ask(BATTLES, "basic")
    assert isinstance(answer.coverage, Coverage) and "partial" not in answer.coverage.description


def test_the_stages_that_go_through_items_exist() -> None:
    assert set(ITEMS) <= {stage.name for stage in STAGES}


OPENED: list[str] = []


def _note_opening(event: str, given: tuple[object, ...]) -> None:
    if event in ("open", "sqlite3.connect") and LISTENING:
        OPENED.append(str(given[0]))


LISTENING: list[bool] = []


@pytest.mark.parametrize("method", ["basic", "entity", "global", "local", "fusion", "drift", "auto"])
def test_the_second_question_to_an_index_opens_nothing(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    index = Index.open(sample())
    first = index.ask(BATTLES, method).text
    read = Rows._open

    def counted(self: Rows, **options: Any) -> Any:
        OPENED.append(str(self.path))
        return read(self, **options)

    monkeypatch.setattr(Rows, "_open", counted)
    sys.addaudithook(_note_opening)  # hooks cannot be removed: this one is deaf but for the second question
    OPENED.clear()
    LISTENING.append(True)
    try:
        second = index.ask(BATTLES, method).text
    finally:
        LISTENING.clear()
    assert OPENED == [] and second == first
    assert index.with_settings({"search": {"answer_tokens": 100}}).finder() is index.finder()


def test_the_vector_of_a_question_is_in_the_answers_usage_and_asked_for_once(tmp_path: Path) -> None:
    with LookAlike() as server:
        model = {"model": "look-alike-embedding", "kind": "embedding", "base_url": server.url, "price_in": 2.0}
        made = project(tmp_path, models={"e": model}, language={"embedding": "e"})
        run_index(made)
        there = Index.open(made.store.folder, made.settings)
        first, second = there.ask("Who built it?", "basic"), there.ask("Who built it?", "basic")
    assert first.usage["calls"] == 1 and first.usage["tokens_in"] > 0 and first.usage["cost"] > 0
    assert second.usage["calls"] == 0 and second.usage["cached"] >= 1 and second.usage["cost"] == 0
    assert first.text == second.text


def test_who_a_document_is_about_leads_to_it_however_long_its_passages_are() -> None:
    there = index()
    anchors = {row["id"]: row["anchor"] for row in there.generation.table("chunks").to_pylist()}
    [hits] = there.finder().find(["How old was Joan of Arc when she died?"], 3)
    assert anchors[hits[0].chunk_id] == "Joan of Arc", "it says burned, where other passages say died"


@pytest.mark.parametrize("question", [BATTLES, "Which English king besieged the city of Orléans in the war?"])
def test_the_nearest_nodes_are_the_first_of_all_that_are_near(question: str) -> None:
    finder = index().finder()
    every = finder.nodes(question, 10_000)
    assert len(every) > 10 and [node.score for node in every] == sorted((node.score for node in every), reverse=True)
    for k in (1, 2, 7):
        assert finder.nodes(question, k) == every[:k]


def test_an_index_is_handed_to_another_process_with_what_it_was_opened_with(tmp_path: Path) -> None:
    texts = {
        f"{number}.md": f"---\ncustomer: {name}\n---\n\nThe letter of {name} arrived in spring."
        for number, name in enumerate(("Ada", "Ben"))
    }
    made = project(tmp_path, texts, input={"patterns": ["*.md"]})
    run_index(made)
    whole = Index.open(made.store.folder).with_settings({"search": {"answer_tokens": 200}})
    for one in (whole, whole.where("customer = Ada")):
        said = one.ask("When did the letter arrive?", "basic")  # what is open by now stays behind
        other = pickle.loads(pickle.dumps(one))
        assert other.settings == one.settings and other.generation == one.generation
        assert list(other.documents["source"]) == list(one.documents["source"])
        assert other.ask("When did the letter arrive?", "basic") == said
    assert len(whole.documents) == 2 and len(whole.where("customer = Ada").documents) == 1
