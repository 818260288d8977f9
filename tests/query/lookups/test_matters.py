"""Questions on what went wrong with one thing, or was decided on it: the sentences that name it and tell of that, by document."""

from pathlib import Path

import pytest

from pipeline.query.index import Index
from pipeline.text.question.scope.mention_questions import asked_mention
from tests.corpora import indexed

DIARY = {
    "2024-01-08.md": "# The lift\n\nThe cable was found to be cracked. The paint of the door is blue and still wet.\n",
    "2024-02-05.md": "# Meeting\n\nThe lift failed twice in the night. It was agreed that the lift gets a new motor in spring. Tea was served.\n",
    "2024-03-04.md": "# Rounds\n\nThe lift is out of order since Monday. The garden is dry. The guests praised the lift attendant.\n",
    "2024-04-01.md": "# Kitchen\n\nThe oven failed on the first day of April. The cook shrugged and made a salad for all.\n",
}


@pytest.fixture(scope="module")
def diary(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return Index.open(indexed(tmp_path_factory.mktemp("diary"), DIARY).store.folder)


@pytest.mark.parametrize("question", ["What problems were there with the lift?", "What went wrong with the lift?"])
def test_what_went_wrong_with_a_thing_is_told_by_every_document_also_below_its_heading(
    diary: Index, question: str
) -> None:
    answer = diary.ask(question)
    assert answer.outcome == "answered"
    for told in ("cable was found to be cracked", "failed twice", "out of order"):
        assert told in answer.text
    for other in ("paint", "oven", "Tea", "garden", "praised"):
        assert other not in answer.text
    assert [source.file for source in answer.sources] == sorted(source.file for source in answer.sources)
    assert answer.method == "basic (auto, because it asks for the problems of the lift)"


def test_what_was_decided_on_a_thing_is_the_sentence_that_says_so(diary: Index) -> None:
    answer = diary.ask("What was agreed about the lift?")
    assert "It was agreed that the lift gets a new motor in spring." in answer.text and "failed" not in answer.text


def test_what_became_of_a_complaint_asks_for_no_problems() -> None:
    for question in (
        "What came of the complaint about the broken lift?",
        "What happened to the complaints about noise?",
    ):
        assert asked_mention(question, "en").matter is None


@pytest.mark.parametrize(
    ("question", "language", "sought", "matter"),
    [
        ("What problems did we have with the printer?", "en", "the printer", "problems"),
        ("What problems did the printer cause?", "en", "the printer", "problems"),
        ("What are the risks of the new bridge?", "en", "the new bridge", "problems"),
        ("What was decided about the roof?", "en", "the roof", "decisions"),
        ("Which decisions were taken on the roof?", "en", "the roof", "decisions"),
        ("What did we learn from the flood?", "en", "the flood", "lessons"),
        ("What disputes were there over the fence?", "en", "the fence", "conflicts"),
        ("Welche Probleme gab es mit der Pumpe?", "de", "der Pumpe", "problems"),
        ("Was wurde über das Dach entschieden?", "de", "das Dach", "decisions"),
        ("Quels problèmes y a-t-il eu avec la pompe ?", "fr", "la pompe", "problems"),
        ("¿Qué problemas hubo con la bomba?", "es", "la bomba", "problems"),
        ("Che cosa è stato deciso per il tetto?", "it", "il tetto", "decisions"),
    ],
)
def test_what_is_asked_of_which_thing_is_read_from_the_form_of_a_question(
    question: str, language: str, sought: str, matter: str
) -> None:
    assert asked_mention(question, language) == (sought, False, matter)


@pytest.mark.parametrize(
    "question",
    [
        "What are the main problems?",
        "Who solved the problem with the pump?",
        "Why was the decision taken?",
        "What problem?",
    ],
)
def test_a_question_on_the_whole_or_on_a_detail_is_none_of_these(question: str) -> None:
    assert asked_mention(question, "en") == ("", False, None)


MINUTES = {
    "may.txt": "Meeting of 3 May\n\n1. Organ\nThe bellows leaked twice in April. Tom stitched them with care.\n\n2. Choir\nThe stairs are worn.\n",
    "june.txt": "Meeting of 7 June\n\n1. Choir\nThe new robes are blue and fit well.\n\n2. Organ\nIt was agreed that a builder comes in July.\n",
}


def test_a_numbered_line_of_minutes_names_what_is_below_it_until_the_next(tmp_path: Path) -> None:
    opened = Index.open(indexed(tmp_path, MINUTES).store.folder)
    answer = opened.ask("What went wrong with the organ?")
    assert "bellows leaked" in answer.text and "stairs" not in answer.text
    decided = opened.ask("What was decided about the organ?")
    assert "builder comes in July" in decided.text and "robes" not in decided.text


def test_of_what_had_no_problem_none_is_told(diary: Index) -> None:
    assert diary.ask("What went wrong with the garden?").outcome == "closest"
    assert diary.ask("What was decided about the kitchen door?").outcome != "answered"


@pytest.mark.parametrize(
    ("question", "said"), [("What were the faults?", "failed twice"), ("What agreements were there?", "new motor")]
)
def test_a_question_that_no_passage_answers_is_asked_of_the_whole_where_it_names_nothing_else(
    diary: Index, question: str, said: str
) -> None:
    answer = diary.ask(question)
    assert answer.method.startswith("global") and said in answer.text
