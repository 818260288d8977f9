"""Questions on where something is mentioned: every document that does is counted, one sentence of each is shown, in order."""

from pathlib import Path

import pytest

from pipeline.query.answer import Answer
from pipeline.query.index import Index
from pipeline.runner.run import run_index
from pipeline.text.question.scope.mention_questions import asked_mention
from tests.corpora import project

LETTERS = {
    f"18{year}.txt": text
    for year, text in {
        70: "Dear Ada, the boiler house is cold. We had no coal. The boiler house has a new roof by now, I hope.",
        71: "Dear Ada, the ferry is late again this week. Nobody knows why. The sea is rough and grey.",
        72: "Dear Ada, the council met twice. They spoke of boilers and of a house for the keeper.",
        73: "Dear Ada, snow at last. The old boiler house burned down in March. Nobody was hurt.",
        74: "Dear Ada, the orchard is in bloom. The keeper sends you his regards. We miss you.",
    }.items()
}


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> Index:
    made = project(tmp_path_factory.mktemp("letters"), LETTERS)
    run_index(made)
    return Index(made.store.open(), made.settings, made.root)


def said(answer: Answer) -> list[tuple[str, str]]:
    return [(source.file, source.quote) for source in answer.sources]


def test_every_document_that_mentions_it_is_counted_and_quoted_in_their_order(letters: Index) -> None:
    answer = letters.ask("Which letters mention the boiler house?")
    assert answer.method.startswith("basic") and answer.supported
    files, quotes = zip(*said(answer), strict=True)
    assert files == ("1870.txt", "1873.txt")
    assert "boiler house" in quotes[0] and quotes[1] == "The old boiler house burned down in March."
    assert "**the boiler house** (in 2 of 5 documents)" in answer.text_with_notes
    assert "**1870** (2×)" in answer.text_with_notes
    assert answer.coverage.description == "rests on 3 sentences in 2 documents of 5"


def test_a_word_counts_in_any_form(letters: Index) -> None:
    assert [file for file, _ in said(letters.ask("Where are boilers mentioned?"))] == [
        "1870.txt",
        "1872.txt",
        "1873.txt",
    ]


def test_words_that_never_follow_each_other_count_where_one_sentence_has_them_all(letters: Index) -> None:
    assert said(letters.ask("Which letters mention the rough sea?")) == [("1871.txt", "The sea is rough and grey.")]


def test_what_no_document_mentions_is_asked_like_any_other_question(letters: Index) -> None:
    answer = letters.ask("Which letters mention the lighthouse?")
    assert answer.outcome != "answered" and not answer.sources


def test_of_more_than_an_answer_may_hold_the_first_and_those_that_mention_it_most_are_listed(letters: Index) -> None:
    short = letters.with_settings({"search": {"answer_tokens": 50}})
    answer = short.ask("How often is Ada mentioned?")
    files = [file for file, _ in said(answer)]
    assert files[0] == "1870.txt" and len(files) < 5
    assert answer.coverage.description.endswith(f"5 documents of 5; {len(files)} are listed")


def test_an_only_document_is_listed_by_its_passages(tmp_path: Path) -> None:
    chapters = "\n\n".join(f"## Chapter {n}\n\n" + text for n, text in enumerate(LETTERS.values(), 1))
    made = project(tmp_path, {"book.md": chapters}, chunks={"size": 50, "overlap": 0})
    run_index(made)
    answer = Index(made.store.open(), made.settings, made.root).ask("Where is the boiler house mentioned?")
    assert {quote.split(" ")[0] for _, quote in said(answer)} >= {"The"} and len(answer.sources) == 2
    assert "Chapter 4" in answer.text


def test_documents_of_the_files_that_a_question_names_are_counted_and_no_others(tmp_path: Path) -> None:
    texts = {
        "tickets.csv": "id,summary\nT1,Holm Ltd cannot log in today\nT2,The printer is broken again\n",
        "mail.md": "# Mail\n\nHolm Ltd wrote to us about the crane.\n",
        "notes.md": "# Notes\n\nHolm Ltd has a new crane.\n",
    }
    made = project(tmp_path, texts, input={"patterns": ["*.csv", "*.md"]})
    run_index(made)
    text = Index.open(made.store.folder).ask("How many tickets mention Holm Ltd?").text_with_notes
    assert "**Holm Ltd** (in 1 of 2 documents)" in text and "cannot log in" in text and "wrote" not in text


def test_documents_of_one_title_have_counts_of_their_own_and_are_told_apart_by_their_files(tmp_path: Path) -> None:
    weeks = {
        "w1.md": "# Weekly report\n\nHolm Ltd mended the crane. Holm Ltd sent a bill. The bill of Holm Ltd is due.\n",
        "w2.md": "# Weekly report\n\nWe called Holm Ltd. Nobody answered.\n",
        "w3.md": "# Crane log\n\nHolm Ltd oiled the crane. Holm Ltd left at noon.\n",
    }
    made = project(tmp_path, weeks)
    run_index(made)
    text = Index.open(made.store.folder).ask("Which documents mention Holm Ltd?").text_with_notes
    assert "**Holm Ltd** (in 3 of 3 documents)" in text
    assert "**Weekly report** (w1.md, 3×)\n\nHolm Ltd mended" in text
    assert "**Weekly report** (w2.md)\n\nWe called Holm Ltd." in text
    assert "**Crane log** (2×)\n\nHolm Ltd oiled" in text


@pytest.mark.parametrize(
    ("question", "language", "sought"),
    [
        ("which speeches mention Hurricane Katrina?", "en", "Hurricane Katrina"),
        ("How many of the letters talk about the war?", "en", "the war"),
        ("In which reports is the pump discussed?", "en", "the pump"),
        ("what did each president say about energy independence", "en", "energy independence"),
        ("What do the guests say about quantum computing?", "en", "quantum computing"),
        ("How did views on marriage change over the years?", "en", "marriage"),
        ("when was social security first mentioned", "en", "social security"),
        ("List all e-mails about the boiler.", "en", "the boiler"),
        ("In welchen Protokollen wird die Heizung erwähnt?", "de", "die Heizung"),
        ("Quelles lettres parlent de la guerre ?", "fr", "guerre"),
        ("¿En qué correos se menciona la factura?", "es", "la factura"),
        ("In quali verbali si parla della caldaia?", "it", "la caldaia"),
        ("В каких письмах упоминается война?", "ru", "война"),
        ("哪些信件提到了母亲？", "zh", "母亲"),
        ("What did the king mention about the war?", "en", ""),
        ("Which city is mentioned in the song?", "en", ""),
        ("Who mentioned the leak?", "en", ""),
        ("How often does the ferry run?", "en", ""),
        ("What does Reagan say about taxes?", "en", ""),
        ("Which tickets are still open?", "en", ""),
        ("How did prices change between 1990 and 1995?", "en", ""),
        ("How do I change the port over HTTP?", "en", ""),
    ],
)
def test_what_mentions_are_asked_for_is_read_from_the_form_of_a_question(
    question: str, language: str, sought: str
) -> None:
    assert asked_mention(question, language) == (sought, False, None)


@pytest.mark.parametrize(
    ("question", "language", "sought"),
    [
        ("Which documents do not mention Strand Ltd?", "en", "Strand Ltd"),
        ("How many documents don't mention the crane?", "en", "the crane"),
        ("Which of the letters never talk about the war?", "en", "the war"),
        ("Which documents did not ever mention the crane?", "en", "the crane"),
        ("In which documents is the crane not mentioned?", "en", "the crane"),
        ("In how many letters does the crane not appear?", "en", "the crane"),
        ("Which reports are not about the crane?", "en", "the crane"),
        ("Which reports mention no crane?", "en", "crane"),
        ("Welche Dokumente erwähnen Strand Ltd nicht?", "de", "Strand Ltd"),
        ("Wie viele Dokumente erwähnen den Kran nicht?", "de", "den Kran"),
        ("In welchen Dokumenten wird der Kran nicht erwähnt?", "de", "der Kran"),
        ("In wie vielen Dokumenten kommt der Kran nicht vor?", "de", "der Kran"),
        ("Welche Briefe erwähnen keinen Kran?", "de", "Kran"),
        ("Quels documents ne mentionnent pas Strand Ltd ?", "fr", "Strand Ltd"),
        ("Combien de documents ne parlent pas de la grue ?", "fr", "grue"),
        ("Dans quels documents n'est-il pas question de la grue ?", "fr", "grue"),
        ("¿Qué documentos no mencionan a Strand Ltd?", "es", "Strand Ltd"),
        ("¿Cuántos documentos no hablan de la grúa?", "es", "la grúa"),
        ("¿En qué documentos no se menciona la grúa?", "es", "la grúa"),
        ("Quali documenti non menzionano la gru?", "it", "la gru"),
        ("В каких документах не упоминается кран?", "ru", "кран"),
        ("哪些文档没有提到吊车？", "zh", "吊车"),
        ("どの文書がクレーンに言及していませんか？", "ja", "クレーン"),
    ],
)
def test_what_is_not_to_be_mentioned_is_told_from_what_is(question: str, language: str, sought: str) -> None:
    assert asked_mention(question, language) == (sought, True, None)


@pytest.mark.parametrize(
    ("question", "sought"),
    [
        ("Which documents mention that we do not talk?", "that we do not talk"),
        ("Which documents mention Dr. No?", "Dr. No"),
        ("Which documents mention No. 5?", "No. 5"),
        ("Which documents mention the Never Ending Story?", "the Never Ending Story"),
    ],
)
def test_a_no_in_what_is_looked_for_denies_nothing(question: str, sought: str) -> None:
    assert asked_mention(question, "en") == (sought, False, None)


@pytest.mark.parametrize(
    ("question", "files", "note"),
    [
        (
            "Which letters do not mention the boiler house?",
            ("1871.txt", "1872.txt", "1874.txt"),
            "not in 3 of 5 documents",
        ),
        ("How many documents don't mention Ada?", (), ""),
        (
            "How many documents do not mention the keeper?",
            ("1870.txt", "1871.txt", "1873.txt"),
            "not in 3 of 5 documents",
        ),
        ("Which documents do not mention the lighthouse?", (), ""),
        ("Which documents do not mention the coal or the snow?", (), ""),
    ],
)
def test_documents_that_do_not_mention_it_are_counted_and_listed_or_none_is_an_answer(
    letters: Index, question: str, files: tuple[str, ...], note: str
) -> None:
    answer = letters.ask(question)
    assert tuple(file for file, _ in said(answer)) == files
    assert note in answer.text_with_notes and answer.supported is bool(files)
    assert not (files and answer.closest)


def test_documents_are_in_the_order_of_their_dates_however_these_are_written(tmp_path: Path) -> None:
    dates = ["July 2023", "2022", "3 May 2024", "2023-09-01"]
    rows = "".join(f"{i},{date},The boiler was seen {i} times.\n" for i, date in enumerate(dates))
    made = project(tmp_path, {"log.csv": f"id,date,text\n{rows}"}, input={"patterns": ["*.csv"]})
    run_index(made)
    answer = Index.open(made.store.folder).ask("Which entries mention the boiler?", "basic")
    assert [quote for _, quote in said(answer)] == [f"The boiler was seen {i} times." for i in (1, 0, 3, 2)]
