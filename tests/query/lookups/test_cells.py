"""A question that names a row and a column of a table in a text is answered with that row, of every table that has these columns."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.query.index import Index
from pipeline.text.question.rows.row_questions import asked_cell
from tests.corpora import indexed

FLEET = """# Our ships

We run three ships, and all are loved.

| Ship | Built | Captain |
|---|---|---|
| Skua | 1968 | Torvald Nygaard |
| Petrel | 1994 | Sam Petrakis |
| Auk | 2011 | Eileen Crosbie |

| Person | Phone | Home |
|---|---|---|
| Sam | 0151 | Hull |
| Eileen | 0177 | Leith |

Sam Petrakis paints. The Auk had her engine changed in May.
"""
SALES = {
    f"{month.lower()}.md": f"# Sales report {month} 2024\n\nDull.\n\n| Region | Revenue |\n|---|---|\n| North | {n}500 |\n| South | {n}25 |\n"
    for n, month in enumerate(("January", "February", "March"), 1)
}
Ask = Callable[[str], str]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """Returns the answer to a question over ships and sales, with its notes; nothing where there is none."""
    made = indexed(tmp_path_factory.mktemp("cells"), {"fleet.md": FLEET, **SALES}, input={"patterns": ["*.md"]})
    index = Index.open(made.store.folder)

    def asked(question: str) -> str:
        answer = index.ask(question, "basic")
        return answer.text_with_notes if answer.supported else ""

    return asked


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("Who is the captain of the Auk?", "Auk | 2011 | Eileen Crosbie"),
        ("What is the phone number of Sam?", "Sam | 0151 | Hull"),
        ("When was the Petrel built?", "Petrel | 1994 | Sam Petrakis"),
        ("What was the revenue of the North in February 2024?", "North | 2500"),
        ("What was the revenue of the South in March?", "South | 325"),
    ],
)
def test_the_row_that_a_question_names_is_the_whole_answer_below_the_names_of_its_columns(
    ask: Ask, question: str, row: str
) -> None:
    head, *rows = [line for line in ask(question).splitlines() if line]
    assert head.startswith("| ") and len(rows) == 1 and row in rows[0]


def test_rows_of_several_tables_stand_below_the_title_of_each(ask: Ask) -> None:
    above, *parts = ask("What is the revenue of the North?").split("\n\n")
    assert above.endswith("(3 of 6 rows have Region North)")
    assert [part.splitlines()[0] for part in parts] == [
        f"**Sales report {month} 2024**" for month in ("February", "January", "March")
    ]
    assert ["2500" in parts[0], "1500" in parts[1], "3500" in parts[2]] == [True] * 3


def test_figures_are_of_the_tables_whose_title_gives_the_month_that_is_asked_for(ask: Ask) -> None:
    assert "sum of Revenue: 3,825; all 2 rows" in ask("What is the total revenue in March 2024?")
    assert "sum of Revenue: 8,550" not in ask("What is the total revenue in March 2024?")


def test_a_question_with_a_word_that_no_table_has_is_answered_from_the_prose(tmp_path: Path) -> None:
    index = Index.open(indexed(tmp_path, {"fleet.md": FLEET}).store.folder)
    answer = index.ask("What does Sam Petrakis paint?", "basic")
    assert "Sam Petrakis paints." in answer.text and "closest to the question" in answer.coverage.description


@pytest.mark.parametrize(
    "question", ["Who is not captain of the Auk?", "What was the revenue in May 2024 and in June 2024?", "谁是船长？"]
)
def test_what_is_denied_or_of_two_dates_or_without_spaces_is_looked_for_in_no_cell(question: str) -> None:
    assert asked_cell(question, "zh" if "谁" in question else "en") == []


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Who is the captain of the Auk?", ["Auk | Eileen Crosbie | no"]),
        ("Who has sailed?", ["Skua | Torvald Nygaard | yes"]),
        ("Who has not sailed?", ["Auk | Eileen Crosbie | no"]),
    ],
)
def test_a_row_of_a_file_of_records_is_the_whole_answer_too(tmp_path: Path, question: str, rows: list[str]) -> None:
    files = {"ships.csv": "ship,captain,sailed\nSkua,Torvald Nygaard,yes\nAuk,Eileen Crosbie,no\n"}
    index = Index.open(indexed(tmp_path, files, input={"patterns": ["*.csv"]}).store.folder)
    lines = [line.partition(" [")[0] for line in index.ask(question, "basic").text.splitlines()]
    assert [line for line in lines if "|" in line] == ["ship | captain | sailed", *rows]


def test_above_a_record_that_is_printed_as_its_text_stands_what_it_has_in_the_columns_asked_for(tmp_path: Path) -> None:
    tickets = "ticket,opened,priority,state,text\nT-1,2024-01-05,high,open,The scanner jams.\nT-2,2024-02-01,high,closed,The toner is empty.\n"
    index = Index.open(indexed(tmp_path, {"tickets.csv": tickets}, input={"patterns": ["*.csv"]}).store.folder)
    last = index.ask("When was the last ticket opened?", "basic").text_with_notes
    assert last.split("\n\n") == [
        "**Tickets** (opened: the latest of 2)",
        "**Tickets, T-2** (opened: 2024-02-01)\nThe toner is empty. [1]",
    ]
    counted = index.ask("How many high priority tickets are open?", "basic").text_with_notes
    assert counted.split("\n\n") == [
        "**Tickets** (1 of 2 rows have priority high, state open)",
        "**Tickets, T-1** (priority: high, state: open)\nThe scanner jams. [1]",
    ]


STATION = {
    "spec.md": "# A station\n\n## Power\n\nBelow 11.8 V the station goes into lean mode: it measures every thirty minutes instead of every "
    "five. Below 11.2 V it shuts down.\n\n## Alarms\n\n| alarm | raised when | goes to |\n|---|---|---|\n| RISE | level rises by 12 cm | "
    "officer |\n| BATT | voltage below 11.8 V | maintenance |\n| DOOR | cabinet opened without an order | police |\n",
    "minutes.md": "# Minutes\n\nAt 05:20 the alarm RISE came from the quay. A new door is on order.\n",
}


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What happens below 11.8 V?", "Below 11.8 V the station goes into lean mode"),
        ("What does the alarm DOOR mean?", "| DOOR | cabinet opened without an order | police |"),
    ],
)
def test_a_sentence_that_says_it_is_an_answer_beside_a_table_and_what_a_word_means_asks_for_no_mean(
    tmp_path: Path, question: str, said: str
) -> None:
    answer = Index.open(indexed(tmp_path, STATION).store.folder).ask(question, "basic")
    assert answer.outcome == "answered" and said in answer.text, answer.text
