"""Several indexes asked at once: one answer, whose numbers lead to sources that name their index."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.base.errors import QuestionError
from pipeline.query.answer import Answer
from pipeline.query.index import Index
from pipeline.query.several import Indexes, joined, named_after_folders
from pipeline.runner.run import run_index
from tests.corpora import project

HARBOUR = {"harbour.md": "Ada Thorne built the west mole of Carrow in 1871. It broke in the storm of 1874.\n"}
RAILWAY = {"rail.md": "Ada Thorne led the railway from 1880 on. Edmund Vane followed Ada Thorne in 1890.\n"}


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Indexes:
    root = tmp_path_factory.mktemp("several")
    for name, texts in (("harbour", HARBOUR), ("railway", RAILWAY)):
        (root / name).mkdir()
        (root / name / "settings.yaml").write_text("search: {walks: 2}\n")
        run_index(project(root / name, texts))
    return Indexes.open(root / "harbour", root / "railway")


def test_an_answer_from_several_says_of_each_source_which_index_it_is_of(both: Indexes) -> None:
    answer = both.ask("What did Ada Thorne do?", "basic")
    assert {source.index for source in answer.sources} == {"harbour", "railway"}
    assert [source.number for source in answer.sources] == list(range(1, len(answer.sources) + 1))
    assert answer.sources[0].location.startswith("harbour: harbour.md, line 1")
    for sentence in answer.sentences:
        cited = {int(number) for number in re.findall(r"\[(\d+)\]", answer.text[sentence.start : sentence.end + 6])}
        assert set(sentence.sources) <= cited, "sentences are where their numbers say"
    texts = {**HARBOUR, **RAILWAY}
    assert all(source.quote in texts[source.file] for source in answer.sources)


def test_where_one_index_answers_its_answer_is_the_whole(both: Indexes) -> None:
    answer = both.ask("When did the west mole break?", "basic")
    assert answer.supported and {source.index for source in answer.sources} == {"harbour"} and "## " not in answer.text


def test_the_text_comes_in_pieces_and_steps_say_of_which_index_they_are(both: Indexes) -> None:
    *events, answer = both.stream("What did Ada Thorne do?", "basic")
    assert isinstance(answer, Answer)
    assert "".join(event.text for event in events if hasattr(event, "text")) == answer.text
    assert {step.detail.partition(":")[0] for step in answer.steps} == {"harbour", "railway"}


def test_folders_of_one_name_are_numbered(tmp_path: Path) -> None:
    index = Indexes.__new__(Index)
    index.root = tmp_path / "same"
    assert list(named_after_folders([index, index])) == ["same", "same 2"]


def test_no_index_is_no_answer() -> None:
    with pytest.raises(QuestionError, match="no index is given"):
        Indexes({})


def test_what_no_index_answers_shows_the_closest_passages_of_all(both: Indexes) -> None:
    answer = both.ask("When did the west mole break?", "basic")
    closest = {
        name: replace(answer, outcome="closest", sources=(), closest=answer.sources, text="Closest:") for name in "ab"
    }
    found = joined("Why?", closest)
    assert found.text.startswith("No passage clearly answers this.") and len(found.closest) == 2 * len(answer.sources)
    assert [one.number for one in found.closest] == list(range(1, len(found.closest) + 1))


def test_not_held_is_what_none_of_the_indexes_holds(both: Indexes) -> None:
    answer = both.ask("Why did Edmund Vane sell Carrow to Zora Quell?", "basic")
    assert not answer.supported and answer.missing == ("Zora", "Quell")
    assert answer.text.startswith("The corpus does not hold: Zora, Quell.")
    assert both.ask("Why did Edmund Vane sell Carrow?", "basic").text.startswith("No passage clearly answers this.")
