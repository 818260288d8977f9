"""Local search: right answers with sources and no model, none where the corpus has none, faults in the coverage."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from pipeline.base.settings import parse_settings
from pipeline.base.task import NOT_SAID, Failure, Prose, Request
from pipeline.language.tasks.reader.answer_from_notebook import NotebooksToAnswer
from pipeline.language.tasks.reader.notes import FINISH
from pipeline.language.tasks.reader.read_chunk import ChunkRead
from pipeline.language.transport import rate_limit
from pipeline.query.answer import Answer
from pipeline.query.index import Index
from pipeline.runner.project import Project
from pipeline.runner.run import run_index
from tests.corpora import indexed
from tests.language_cases import settings_for
from tests.lookalike import LookAlike
from tests.lookalike.replies import schema_of
from tests.query_cases import BATTLES, WEATHER, ask, check_answer, check_unanswered, faults, plainly, sample
from tests.scripted_backend import Script

JOURNEYS = "Did Joan of Arc visit any cities in early life where she won battles later?"


def quotes(answer: Answer) -> dict[str, str]:
    return {source.quote: source.file for source in answer.sources}


def test_the_lost_battles_are_named_with_their_sources() -> None:
    answer = plainly(BATTLES, "local")
    check_answer(answer)
    assert answer.supported and not answer.unsupported_sentences
    assert "Paris" in answer.text and "8 September 1429" in answer.text and "La Charité-sur-Loire" in answer.text
    assert set(list(quotes(answer).values())[:3]) <= {  # less likely passages stand behind
        "joan-of-arc.md",
        "siege-of-paris-1429.md",
        "saint-pierre-le-moutier-and-la-charite.md",
    }


def test_the_cities_of_the_early_life_are_answered_from_where_they_are_named() -> None:
    answer = plainly(JOURNEYS, "local")
    check_answer(answer)
    assert answer.text.startswith("Joan of Arc is not known to have visited in early life any city")
    assert answer.sources[0].file == "early-life-and-journeys.md"


@pytest.mark.parametrize(
    "question",
    [
        WEATHER,
        "what is the weather in spain",
        "Who is the president of Brazil?",
        "When did Joan of Arc visit Japan?",
        "When did Joan of Arc visit England?",
        "How many goals did Messi score?",
        "What did Napoleon think of Joan of Arc?",
        "Who won the battle of Waterloo?",
        "What colour was the horse of Joan of Arc?",
        "What language did Joan of Arc speak?",
        "Did Joan of Arc have children?",
    ],
)
def test_what_the_corpus_does_not_say_is_not_said(question: str) -> None:
    answer = plainly(question, "local")
    check_unanswered(answer)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who crowned Charles VII?", "Regnault de Chartres"),
        ("When was Joan of Arc burned?", "30 May 1431"),
        ("At what age was Joan of Arc burned?", "nineteen"),
        ("How old was Joan of Arc when she died?", "nineteen"),
        ("Did Joan of Arc kill anyone?", "never killed"),
        ("Who directed The Passion of Joan of Arc?", "Carl Theodor Dreyer"),
        ("who directed the passion of joan of arc", "Carl Theodor Dreyer"),
        ("When did the siege of Orléans end?", "8 May 1429"),
        ("When did the siege of Orleans end?", "8 May 1429"),
        ("Who founded the University of Caen?", "Henry VI"),
        ("What office did the man hold who laid out the camp at Castillon?", "Treasurer of France"),
        ("Who was the wife of Charles VII and who was her brother?", "René of Anjou"),
    ],
)
def test_single_and_chained_facts_are_found(question: str, said: str) -> None:
    answer = plainly(question, "local")
    check_answer(answer)
    assert said in answer.text


def test_the_same_question_is_answered_in_the_same_way_every_time() -> None:
    assert plainly(BATTLES, "local") == plainly(BATTLES, "local")


def test_a_model_that_answers_as_the_offline_way_does_gets_the_same_answer() -> None:
    scripted, _ = ask(BATTLES, "local")
    assert scripted.text == plainly(BATTLES, "local").text


def test_a_fifth_of_all_calls_failing_lowers_the_coverage_and_is_reported() -> None:
    shares = []
    for salt in ("", "again", "once more"):
        answer, backend = ask(BATTLES, "local", faults(salt))
        check_answer(answer)
        shares.append(answer.coverage.share)
        if answer.coverage.share < 1:
            assert (
                answer.coverage.description.startswith("partial") and "server was away" in answer.coverage.description
            )
        assert "Paris" in answer.text and "La Charité-sur-Loire" in answer.text
        failed = len(backend.asked) * (1 - answer.coverage.share)
        assert failed == pytest.approx(round(failed))
    assert min(shares) < 1


def test_with_no_reply_at_all_the_answer_is_the_offline_one_and_says_so() -> None:
    def away(request: Request) -> Failure:
        return Failure("no such host")

    names = ("plan_reading", "choose_nodes", "read_facts", "read_chunk", "choose_neighbours", "answer_from_notebook")
    answer, _ = ask(BATTLES, "local", dict.fromkeys(names, away))
    assert answer.text == plainly(BATTLES, "local").text
    assert answer.coverage.share == 0 and "written by rules, because the model failed" in answer.coverage.description


def test_ids_that_were_not_offered_are_removed_and_sentences_without_support_are_marked() -> None:
    def inventive(request: NotebooksToAnswer) -> Prose:
        first = request.evidence[0].id
        return Prose(text=f"She lost at Paris [{first}][f99]. She lost at Waterloo [c77]. She lost at Sedan.")

    answer, _ = ask(BATTLES, "local", {"answer_from_notebook": inventive})
    check_answer(answer)
    assert answer.removed_citations == 2
    assert answer.unsupported_sentences == ("She lost at Waterloo.", "She lost at Sedan.")
    assert answer.text == "She lost at Paris [1]. She lost at Waterloo. She lost at Sedan."


def test_an_answer_that_cites_nothing_is_not_supported() -> None:
    scripts: dict[str, Script] = {"answer_from_notebook": lambda request: Prose(text="She lost at Waterloo.")}
    answer, _ = ask(BATTLES, "local", scripts)
    assert not answer.supported and "Waterloo" not in answer.text


def test_a_model_may_find_that_the_corpus_does_not_say() -> None:
    answer, _ = ask(BATTLES, "local", {"answer_from_notebook": lambda request: Prose(text=NOT_SAID)})
    check_unanswered(answer)


def test_evidence_is_offered_under_its_title_and_each_piece_once() -> None:
    _, backend = ask(BATTLES, "local")
    (asked,) = [asked for _, asked in backend.asked if isinstance(asked, NotebooksToAnswer)]
    assert len({(item.title, item.text) for item in asked.evidence}) == len(asked.evidence)
    shown = asked.shown("evidence").splitlines()
    assert all(re.match(r"\[[fc]\d+\] \(.+\) .+", line) for line in shown)
    noted = set(re.findall(r"\[([fc]\d+)\]", asked.shown("notebooks")))
    assert noted == {item.id for item in asked.evidence}


def test_readers_who_noted_nothing_are_not_shown() -> None:
    nothing: dict[str, Script] = {"read_chunk": lambda request: ChunkRead(reason="", notes=[], action=FINISH, query="")}
    _, backend = ask(BATTLES, "local", nothing)
    (asked,) = [asked for _, asked in backend.asked if isinstance(asked, NotebooksToAnswer)]
    assert asked.notebooks and all(one.notes for one in asked.notebooks)


def test_evidence_and_notes_stay_within_the_context() -> None:
    _, backend = ask(BATTLES, "local", context_tokens=400)
    (asked,) = [asked for _, asked in backend.asked if isinstance(asked, NotebooksToAnswer)]
    assert len(asked.shown("evidence").split()) < 400


def test_a_corpus_without_facts_is_read_chunk_by_chunk(tmp_path: Path) -> None:
    (tmp_path / "input").mkdir()
    (tmp_path / "input" / "a.txt").write_text("Ding dong.")
    project = Project(tmp_path, parse_settings({}))
    run_index(project)
    index = Index.open(project.store.folder)
    assert not len(index.facts)
    assert not index.ask("Who is the president of Brazil?", "local").supported
    assert not index.ask("Hello?", "local").supported
    assert index.ask("What of ding dong?", "local").text == "Ding dong. [1]"


def hasty(body: dict[str, Any]) -> object:
    """Reply as a model that invents ids, quotes what is not there and never has enough."""
    schema = schema_of(body)
    if schema is None:
        return "She lost at Paris [f1][f99]. She lost at Waterloo [c77]."
    fields = schema["properties"]
    made: dict[str, object] = {"reason": "more", "query": "", "steps": ["read"], "queries": [BATTLES]}
    if "action" in fields:
        made["action"] = next(
            move for move in ("read_chunks", "search_more", "read_nodes") if move in fields["action"]["enum"]
        )
    made["chunks"] = ["c1", "c2", "c99"]
    made["nodes"] = ["n1", "n99"] if "action" in fields else [{"id": f"n{i}", "score": 90} for i in (1, 2, 3, 77)]
    notes = fields.get("notes", {}).get("items", {}).get("properties", {})
    made["notes"] = [{"text": "Paris", "facts": ["f1", "f99"], "quote": "never said"}] if notes else []
    made["notes"] = [{name: note[name] for name in notes} for note in made["notes"]]  # type: ignore[attr-defined]
    return {name: made[name] for name in fields}


@pytest.mark.parametrize("troubles", [{}, {"500": 0.1, "empty": 0.1}])
def test_over_http_no_invented_id_reaches_a_reader_and_faults_are_reported(
    troubles: dict[str, float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limit, "FIRST_WAIT", 0.002)
    with LookAlike(hasty, faults=troubles) as server:
        given = settings_for(server.url, max_attempts=1)
        settings = given.model_copy(update={"language": given.language.model_copy(update={"max_repairs": 0})})
        index = Index.open(sample(), settings)
        shutil.copytree(index.generation.folder / "generations", tmp_path / "generations")
        index = Index(type(index.generation)(tmp_path, index.generation.manifest), settings, tmp_path)
        answer = index.ask(BATTLES, "local")
        assert server.calls <= 3 + settings.search.walks * settings.search.walk_calls
    check_answer(answer)
    assert answer.removed_citations > 10 and "f99" not in answer.text and "c77" not in answer.text
    assert (answer.coverage.share < 1) == bool(troubles)
    assert answer.coverage.description.startswith("partial") == bool(troubles)


def test_without_a_model_what_no_reader_finds_is_answered_as_basic_search_does(tmp_path: Path) -> None:
    fleet = "# Our ships\n\n| Ship | State |\n|---|---|\n| Skua | afloat |\n| Petrel | afloat |\n| Auk | sunk |\n"
    index = Index.open(indexed(tmp_path, {"fleet.md": fleet}).store.folder)
    answer = index.ask("How many ships are afloat?", "local")
    assert answer.method == "local" and answer.text_with_notes.startswith(
        "**Our ships** (2 of 3 rows have State afloat)"
    )
