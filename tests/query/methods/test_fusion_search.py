"""Fusion search: lists fuse by reciprocal rank, documents are graded, strips kept in order, the web joins in where it must."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.base.errors import ModelError, SettingsError
from pipeline.base.task import Failure, Prose
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.language.tasks.search.answer_from_passages import PassagesToAnswer
from pipeline.language.tasks.search.grade_documents import LOWER, UPPER, DocumentToGrade, Grade, offline
from pipeline.language.tasks.search.grade_strips import Kept, StripsToGrade
from pipeline.language.tasks.search.similar_questions import NameAsked, Questions, QuestionToVary, check
from pipeline.language.tasks.search.similar_questions import offline as vary_offline
from pipeline.query.evidence.citations import Page
from pipeline.query.index import Index
from pipeline.query.methods import web
from pipeline.query.methods.corrective import overall, strips_of
from pipeline.query.methods.web import Tavily, WebError, pages, web_search
from pipeline.runner.run import run_index
from tests.corpora import project
from tests.query_cases import BATTLES, WEATHER, ask, check_answer, check_unanswered, faults, plainly
from tests.scripted_backend import Script, ScriptedBackend

RAIN = Page(
    "https://example.org/spain",
    "Climate of Spain",
    "# Spain\n\nThe weather in Spain is dry in summer. It rains in the north.",
)


class Found:
    """A web search that finds one page, or fails."""

    def __init__(self, fails: bool = False) -> None:
        self.queries: list[str] = []
        self.fails = fails

    def search(self, query: str, k: int) -> list[Page]:
        self.queries.append(query)
        if self.fails:
            raise WebError("the network is down")
        return [RAIN]


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Iterator[Found]:
    search = Found()
    monkeypatch.setitem(web.WEB_SEARCHES, "own", lambda: search)
    yield search


@given(st.floats(0, 1))
@settings(deadline=None, max_examples=60)
def test_a_verdict_follows_the_thresholds(support: float) -> None:
    verdict = offline(DocumentToGrade("d", "q", "t", "x", support)).verdict
    assert verdict == ("correct" if support >= UPPER else "ambiguous" if support >= LOWER else "incorrect")


def test_the_verdict_on_all_is_the_best_one() -> None:
    assert overall(["incorrect", "correct", "ambiguous"]) == "correct"
    assert overall(["incorrect", "ambiguous"]) == "ambiguous"
    assert overall(["incorrect"]) == overall([]) == "incorrect"


@given(
    st.lists(
        st.sampled_from(["It broke in 1874.", "Who built it?", "# The mole", "Ada Thorne came.", "\n\n"]), max_size=9
    )
)
@settings(deadline=None, max_examples=100)
def test_strips_are_pieces_of_the_text_in_order_of_one_or_two_sentences(parts: list[str]) -> None:
    text = " ".join(parts).replace(" # ", "\n\n# ")
    strips = strips_of(text)
    assert all(text[start : start + len(strip)] == strip for start, strip in strips)
    assert [start for start, _ in strips] == sorted(start for start, _ in strips)
    assert not any(strip.startswith("#") for _, strip in strips)


def test_strips_leave_out_nothing_but_headings() -> None:
    text = "# Elections\n\nAnd when is this?\n'79 or '80 --\n\n| Treasurer | Dilys |\n|---|---|\n| Chair | open |\n\n- Skelton"
    assert "".join("".join(strip.split()) for _, strip in strips_of(text)) == "".join(text.split()[2:])


def test_variants_come_from_spellings_and_neighbours() -> None:
    names = (NameAsked("Jean de Dunois", ("the Bastard of Orléans",)),)
    asked = QuestionToVary("x", "Did Jean de Dunois lose battles?", 3, names, ("Orléans",))
    questions = vary_offline(asked).questions
    assert questions[0] == "Did the Bastard of Orléans lose battles?"
    assert questions[1] == "Did Jean de Dunois lose battles? (Orléans)"


def test_of_a_models_questions_only_new_ones_are_kept_and_not_too_many() -> None:
    asked = QuestionToVary("x", "Who led?", 2, (), ())
    kept = check(
        asked, Questions(questions=["who  LED?", "", "Who commanded?", "Who commanded?", "Who ruled?", "More?"])
    )
    assert kept.questions == ["Who commanded?", "Who ruled?"]


def test_lost_battles_are_answered_from_graded_passages() -> None:
    answer = plainly(BATTLES, "fusion")
    check_answer(answer)
    assert answer.supported and not answer.unsupported_sentences and "La Charité-sur-Loire" in answer.text
    names = [step.name for step in answer.steps]
    order = [
        "plan",
        "similar_questions",
        "retrieve",
        "fuse",
        "integrate_questions",
        "grade_documents",
        "refine",
        "answer",
    ]
    assert [name for name in names if name in order] == order
    assert answer == plainly(BATTLES, "fusion")


def test_without_a_web_search_it_shows_the_closest_passages() -> None:
    answer = plainly(WEATHER, "fusion")
    check_unanswered(answer)
    assert any(step.name == "search_web" and "no web search is set up" in step.detail for step in answer.steps)


def test_the_web_answers_what_the_corpus_does_not_and_its_pages_are_cited(found: Found) -> None:
    answer = plainly(WEATHER, "fusion", web="own")
    assert answer.supported and answer.text.startswith("The weather in Spain is dry in summer. [1]")
    source = answer.sources[0]
    assert (source.file, source.title) == (RAIN.url, RAIN.title)
    assert RAIN.text[source.start : source.end] == source.quote
    assert len(found.queries) == 1 and "Spain" in found.queries[0]


def test_the_web_is_left_alone_where_a_document_is_correct(found: Found) -> None:
    answer = plainly(BATTLES, "fusion", web="own")
    assert answer.supported and not found.queries


def test_whoever_speaks_once_in_a_chunk_and_often_in_the_document_is_known_there(tmp_path: Path) -> None:
    asks = "HOST: And then?\n\nHOST: Really?\n\n"
    talk = f"{asks}ADA THORNE: I came to Carrow by sea.\n\nThe moon over Carrow is red.\n\n{asks}"
    filler = "".join(f"HOST: Number {n}?\n\n" for n in range(150))
    made = project(tmp_path, {"talk.txt": f"{talk}{filler}ADA THORNE: Indeed."}, chunks={"size": 120, "overlap": 0})
    run_index(made)
    scripts: dict[str, Script] = {
        "grade_documents": lambda request: Grade(verdict="correct"),
        "grade_strips": lambda request: Kept(strips=[strip.id for strip in request.strips]),
    }
    backend = ScriptedBackend(scripts)
    service = LanguageService(OfflineBackend(), Ledger(), backend)
    Index.open(made.store.folder).ask("What is red over Carrow?", "fusion", language=service)
    (asked,) = (request for _, request in backend.asked if isinstance(request, PassagesToAnswer))
    (moon,) = (one for one in asked.passages if one.text.startswith("The moon"))
    assert moon.speaker == "ADA THORNE"


def test_a_strip_of_a_conversation_is_shown_under_the_name_of_whoever_speaks(tmp_path: Path) -> None:
    talk = "HOST: Who came?\n\nADA THORNE: I came to Carrow.\n\nThe moon over Carrow is red.\n\nHOST: Ah.\n\nADA THORNE: Indeed."
    made = project(tmp_path, {"talk.txt": talk})
    run_index(made)
    scripts: dict[str, Script] = {
        "grade_documents": lambda request: Grade(verdict="correct"),
        "grade_strips": lambda request: Kept(strips=[strip.id for strip in request.strips]),
    }
    backend = ScriptedBackend(scripts)
    service = LanguageService(OfflineBackend(), Ledger(), backend)
    Index.open(made.store.folder).ask("What is red over Carrow?", "fusion", language=service)
    (asked,) = (request for _, request in backend.asked if isinstance(request, PassagesToAnswer))
    speakers = {one.text: one.speaker for one in asked.passages}
    assert speakers["The moon over Carrow is red."] == "ADA THORNE" and speakers["ADA THORNE: I came to Carrow."] == ""
    prompted = asked.shown("passages")
    assert "] (ADA THORNE) The moon over Carrow is red." in prompted
    assert prompted.count(asked.passages[0].title) == 1, "a title stands once above its passages"


def test_ambiguous_documents_are_refined_and_the_web_joins_in(found: Found) -> None:
    answer, backend = ask(BATTLES, "fusion", {"grade_documents": lambda request: Grade(verdict="ambiguous")}, web="own")
    refined = [asked.item for _, asked in backend.asked if isinstance(asked, StripsToGrade)]
    assert found.queries and RAIN.url in refined and len(refined) > 1
    assert "and on 1 page of the web" in answer.coverage.description


def test_incorrect_documents_are_not_refined(found: Found) -> None:
    _, backend = ask(BATTLES, "fusion", {"grade_documents": lambda request: Grade(verdict="incorrect")}, web="own")
    assert [asked.item for _, asked in backend.asked if isinstance(asked, StripsToGrade)] == [RAIN.url]


def test_a_web_search_that_fails_is_in_the_coverage(found: Found) -> None:
    found.fails = True
    answer = plainly(WEATHER, "fusion", web="own")
    check_unanswered(answer)
    assert "the web search failed" in answer.coverage.description
    assert answer.coverage.share < 1


def test_invented_ids_of_strips_and_answers_are_removed_and_counted() -> None:
    def invent(request: StripsToGrade) -> Kept:
        return Kept(strips=["s1", "[s2]", "s999"])

    said = Prose(text="She lost at Paris. [s1][s888] She flew. [q7]")
    answer, backend = ask(BATTLES, "fusion", {"grade_strips": invent, "answer_from_passages": lambda request: said})
    check_answer(answer)
    refined = sum(isinstance(asked, StripsToGrade) for _, asked in backend.asked)
    assert answer.removed_citations == refined + 2
    assert answer.unsupported_sentences == ("She flew.",)


@pytest.mark.parametrize("salt", "abcd")
def test_a_fifth_of_faults_still_gives_an_answer_that_states_its_coverage(salt: str) -> None:
    answer, backend = ask(BATTLES, "fusion", faults(salt))
    check_answer(answer)
    planned = next(step.data["calls"] for step in answer.steps if step.name == "plan")
    assert answer.supported and len(backend.asked) <= planned
    failed = sum(bool(step.data.get("failed")) for step in answer.steps)
    assert (answer.coverage.share < 1) == bool(failed)
    assert answer.coverage.description.startswith("partial: ") or not failed


def test_every_task_may_fail_and_an_answer_is_given_all_the_same() -> None:
    tasks = ("similar_questions", "integrate_questions", "grade_documents", "grade_strips", "answer_from_passages")
    answer, _ = ask(BATTLES, "fusion", {task: lambda request: Failure("away") for task in tasks})
    check_answer(answer)
    assert answer.supported and answer.coverage.share == 0 and "graded by statistics" in answer.coverage.description


def test_an_unknown_web_search_is_refused_with_those_there_are() -> None:
    with pytest.raises(SettingsError, match="tavily"):
        web_search("altavista")
    assert web_search(None) is None


def test_tavily_is_asked_with_a_key_of_ones_own_or_not_at_all() -> None:
    for environ in ({}, {"TAVILY_API_KEY": " "}):
        with pytest.raises(ModelError, match="TAVILY_API_KEY is not set"):
            Tavily(environ)


def test_tavily_gives_pages_and_its_errors_do_not_show_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    class Client:
        def __init__(self, key: str) -> None:
            self.key = key

        def search(self, query: str, max_results: int, timeout: float) -> dict[str, object]:
            if query == "fails":
                raise ConnectionError(f"Bearer {self.key} was refused")
            return {"results": [{"url": "u", "title": "t", "content": "c" * 20_000}][:max_results]}

    monkeypatch.setitem(sys.modules, "tavily", SimpleNamespace(TavilyClient=Client))
    search = Tavily({"TAVILY_API_KEY": "tvly-secret-123"})
    (page,) = search.search("rain", 3)
    assert page.url == "u" and len(page.text) == web.LONGEST
    with pytest.raises(WebError) as error:
        search.search("fails", 3)
    assert "secret" not in str(error.value)


def test_pages_without_address_or_text_are_left_out() -> None:
    found = {"results": [{"url": "u", "content": "text"}, {"url": "", "content": "x"}, {"url": "v", "content": None}]}
    assert pages(found) == [Page("u", "u", "text")]
    assert pages({}) == []
