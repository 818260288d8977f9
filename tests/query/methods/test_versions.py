"""Versions and sections: "2.1" is one word of a question, which neither "2.0" nor "2.10" nor "12.1" meets."""

import pytest

from graphstrata import Index
from pipeline.runner.run import run_index
from pipeline.text.question.names import identifiers_in
from pipeline.text.question.reading import read_question
from tests.corpora import project

NOTES = """# Tidekeeper, release notes

## Early releases

Tidekeeper 1.9 was released on 3 May 2016. This release was made by 12 people.

Tidekeeper 2.0 was released on 1 March 2018. It reads 140 kinds of gauges.

## Later releases

Tidekeeper 2.1 was finished on 9 June 2019. It reads 155 kinds of gauges and 3 kinds of buoys.

Tidekeeper 2.10 was released on 30 January 2021. It reads 210 kinds of gauges.

Tidekeeper 12.1 was released on 4 July 2025. It reads 300 kinds of gauges.
"""


DATES = ("3 May 2016", "1 March 2018", "9 June 2019", "30 January 2021", "4 July 2025")


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Index:
    made = project(tmp_path_factory.mktemp("notes"), {"notes.md": NOTES})
    run_index(made)
    return Index.open(made.store.folder)


@pytest.mark.parametrize(
    ("version", "date"),
    [("2.1", "9 June 2019"), ("2.10", "30 January 2021"), ("12.1", "4 July 2025"), ("v2.0", "1 March 2018")],
)
def test_a_question_for_a_version_is_answered_by_that_one_alone(notes: Index, version: str, date: str) -> None:
    answer = notes.ask(f"When was Tidekeeper {version} released?", "basic")
    assert answer.outcome == "answered" and date in answer.text
    assert [other for other in DATES if other in answer.text] == [date]


def test_a_version_that_no_text_has_is_answered_by_no_other(notes: Index) -> None:
    answer = notes.ask("How many kinds of gauges does Tidekeeper 2.7 read?", "basic")
    assert answer.outcome == "closest"


@pytest.mark.parametrize(
    ("said", "share"),
    [
        ("Version 3.0 came late.", 1.0),
        ("Version 3.0, then 4.1.", 1.0),
        ("V3.0 came late.", 1.0),
        ("Version 3.0.1 came late.", 0.0),
        ("Version 13.0 came late.", 0.0),
        ("It costs 3.05.", 0.0),
        ("Chapter 3 of 0.9", 0.0),
    ],
)
def test_a_number_with_points_is_met_by_itself_alone(said: str, share: float) -> None:
    question = read_question("3.0?")
    assert question.share(question.met_by(said)) == share


@pytest.mark.parametrize("said", ["on 01.02.2003", "paid 1.500 Euro", "1,500.00", "at 10:30.5", "a/3.0/b"])
def test_dates_and_sums_are_no_versions(said: str) -> None:
    assert identifiers_in(said) == []


@pytest.mark.parametrize("said", ["DDGA/4", "INV/2023/117", "BB-A/12b"])
def test_the_number_of_an_archive_is_one_word(said: str) -> None:
    assert identifiers_in(f"What is in {said}?") == [said]
    question = read_question(f"What is in {said}?")
    assert question.named(question.met_by(f"{said}: letters.")) and not question.named(
        question.met_by(f"{said}3: plans.")
    )
    assert not identifiers_in("TCP/IP and/or 24/7, a/3")


TIDE = {
    "README.md": "# Tide\n\nTide is a queue for jobs.\n\n## Requirements\n\n- Python 3.11 or newer\n- PostgreSQL 14 or newer\n",
    "CHANGELOG.md": "# Changelog\n\n## 2.10.0 - 2023-11-02\n\n- Dropped support for PostgreSQL 12.\n\n"
    "## 2.9.0 - 2023-03-20\n\n- New parser in C.\n- Configuration moved to `tide.toml`.\n\n## 1.4.2 - 2022-01-09\n\n- Wheels for Linux.\n",
}


@pytest.fixture(scope="module")
def tide(tmp_path_factory: pytest.TempPathFactory) -> Index:
    made = project(tmp_path_factory.mktemp("tide"), TIDE)
    run_index(made)
    return Index.open(made.store.folder)


@pytest.mark.parametrize(
    ("question", "told", "not_told"),
    [
        ("Which version of PostgreSQL do I need?", "PostgreSQL 14 or newer", "New parser"),
        ("Which version dropped PostgreSQL 12?", "## 2.10.0 - 2023-11-02", "New parser"),
        ("In which version did the configuration move?", "## 2.9.0 - 2023-03-20", "PostgreSQL"),
        ("When did the new parser come?", "## 2.9.0 - 2023-03-20", "PostgreSQL"),
        ("What is the latest version?", "**2.10.0 - 2023-11-02**", "New parser"),
        ("What changed in the newest release of Tide?", "Dropped support for PostgreSQL 12.", "New parser"),
    ],
)
def test_the_heading_of_a_change_log_tells_the_version_of_what_is_below_it_and_nothing_is_told_of_another(
    tide: Index, question: str, told: str, not_told: str
) -> None:
    answer = tide.ask(question, "basic")
    assert answer.outcome == "answered" and told in answer.text, answer.text
    assert not_told not in answer.text
