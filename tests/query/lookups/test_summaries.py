"""Summaries of what a question names: the documents of that name and date are summarised from their own sentences."""

from pathlib import Path

import pytest

from graphstrata import Index
from pipeline.runner.run import run_index
from tests.corpora import project

COUNCIL = """# Harbour council - {day} May 2024

Present: Nora Quill, Tim Moss

## 1. Mole

The council hired {builder} to mend the mole. The mole costs 4,000 euros.

## 2. Ferry

- The ferry moves to the {pier} pier in June.
"""


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Index:
    texts = {
        "council meetings/a.md": COUNCIL.format(day=7, builder="Ruben Lane", pier="north"),
        "council meetings/b.md": COUNCIL.format(day=14, builder="Ada Thorne", pier="south"),
        "gauge.txt": "2024-05-14 10:00:01 INFO council gauge=2 level=3.1\n2024-05-14 10:05:01 INFO council gauge=2 level=3.2\n",
        "mail.txt": "From: Tim Moss\nDate: 14 May 2024\nSubject: council\n\nThe council meeting was long.\n",
    }
    made = project(tmp_path_factory.mktemp("harbour"), texts)
    run_index(made)
    return Index.open(made.store.folder)


@pytest.mark.parametrize(
    "question",
    [
        "Summarise the council meeting of 14 May 2024",
        "Can you give me a summary of the council meeting of 14 May 2024?",
        "Fasse Harbour council vom 14. Mai 2024 zusammen",
        "Résume Harbour council du 14 mai 2024",
        "Resume Harbour council del 14 de mayo de 2024",
        "Riassumi Harbour council del 14 maggio 2024",
        "Резюмируй Harbour council 14 мая 2024",
    ],
)
def test_the_document_of_that_name_and_date_is_summarised_from_its_sentences(harbour: Index, question: str) -> None:
    answer = harbour.ask(question)
    assert {source.file for source in answer.sources} == {"council meetings/b.md"}
    assert "Ada Thorne" in answer.text and "south pier" in answer.text
    assert "Present" not in answer.text and "INFO" not in answer.text and "## 1" not in answer.text


def test_of_a_day_that_no_document_is_of_nothing_is_summarised(harbour: Index) -> None:
    answer = harbour.ask("Summarise the council meeting of 15 May 2024")
    assert answer.method.startswith("basic") and not answer.coverage.description.startswith("rests on Harbour council")


def test_a_summary_of_everything_is_for_global_search(harbour: Index) -> None:
    assert harbour.ask("Summarise the documents").method.startswith("global")


def test_files_that_are_numbered_are_summarised_together(tmp_path: Path) -> None:
    texts = {
        f"interview{n}.txt": f"{who} sold oysters to Glasgow. The project was a success.\n"
        for n, who in enumerate(("Ewan Baird", "Ada Thorne"))
    }
    made = project(
        tmp_path, texts | {"readings.md": "# Readings\n\nThe water at Black Rock was clear. The water was cold.\n"}
    )
    run_index(made)
    answer = Index.open(made.store.folder).ask("Summarise the interviews")
    assert {source.file for source in answer.sources} == {"interview0.txt", "interview1.txt"}


def test_summaries_of_documents_of_one_title_are_told_apart_by_their_files(tmp_path: Path) -> None:
    texts = {f"{name}.md": f"# Dredging plan\n\nThe {name} basin is dredged in May.\n" for name in ("north", "south")}
    made = project(tmp_path, texts)
    run_index(made)
    text = Index.open(made.store.folder).ask("Summarise the dredging plan").text_with_notes
    assert "**Dredging plan** (north.md)\nThe north basin" in text
    assert "**Dredging plan** (south.md)\nThe south basin" in text


WEIR = {
    "README.md": "[![state](https://weir.example/s.svg)](https://weir.example)\n\n# Weirwatch\n\n> Mind the gap.\n\n"
    "Weirwatch is a gauge for small rivers. It sends a message when the water rises.\n\nBuy it in the shop.\n",
    "CHANGELOG.md": "# Changelog\n\n## 1.2\n\n- Fixed a crash in the reader of old gauges.\n\n## 1.1\n\n- New: the gauge reads salt water, too.\n"
    "- New: a lamp at the gauge.\n- New: a horn at the gauge.\n\n## 1.0\n\n- First release for rivers and canals.\n",
    "fitting.md": "# Fitting\n\nFix the gauge to a pole below the bridge.\n\n[The shop](https://weir.example/shop).\n",
}


@pytest.fixture(scope="module")
def weir(tmp_path_factory: pytest.TempPathFactory) -> Index:
    made = project(tmp_path_factory.mktemp("weir"), WEIR)
    run_index(made)
    return Index.open(made.store.folder)


@pytest.mark.parametrize("question", ["What is this?", "what is this all about?", "Was ist das hier?"])
def test_an_overview_opens_with_the_first_paragraph_of_the_readme_and_ends_with_the_change_log(
    weir: Index, question: str
) -> None:
    answer = weir.ask(question)
    assert answer.method.startswith("global")
    assert "Weirwatch is a gauge for small rivers. [1] It sends a message" in answer.text.split("\n")[1]
    places = [answer.text.index(said) for said in ("Weirwatch", "Fix the gauge", "**Changelog**")]
    assert places == sorted(places)
    assert "[The shop]" not in answer.text and "Mind the gap" not in answer.text and "Buy it" not in answer.text


@pytest.mark.parametrize(
    "question", ["Give me an overview", "¿Qué es esto?", "Qu'est-ce que c'est ?", "Che cos'è questo?"]
)
def test_an_overview_by_themes_opens_with_that_paragraph_too(weir: Index, question: str) -> None:
    assert "Weirwatch is a gauge for small rivers. [1] It sends a message" in weir.ask(question).text.split("\n")[1]
    assert not weir.ask("What are the main themes?").text.startswith("**Weirwatch**")


def test_an_index_of_a_part_introduces_nothing_of_the_whole(tmp_path: Path) -> None:
    made = project(tmp_path, {"parts/index.md": "# Parts\n\nA pole and a lamp.\n", "fitting.md": WEIR["fitting.md"]})
    run_index(made)
    text = Index.open(made.store.folder).ask("What is this about?").text
    assert text.index("Fix the gauge") < text.index("A pole and a lamp")
