"""Questions on the rows of tables: the very rows, counts and sums are given, and only where every word of the question is met."""

from pathlib import Path

import pytest

from pipeline.base.task import Prose
from pipeline.language.backends.fake import ScriptedBackend
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.query.answer import Answer
from pipeline.query.index import Index
from pipeline.runner.run import run_index
from tests.corpora import project

ORDERS = """order,customer,item,date,amount,status
A-1,Mill Lane Bakery,flour,2024-01-05,240.50,paid
A-2,Harbour Cafe,coffee,2024-01-09,1180.00,paid
A-3,Green Grocer,apples,2024-02-11,95.20,open
A-4,Harbour Cafe,cups,2024-02-19,310.00,open
"""
FLEET = """# Our ships

We run three ships, and all are loved.

| Ship | Built | Seats | Captain |
|---|---|---|---|
| Skua | 1968 | 120 | Torvald Nygaard |
| Petrel | 1994 | 57 | Sam Petrakis |
| Auk | 2011 | 210 | Eileen Crosbie |

The Auk had her engine changed.
"""
BILLS = """Nummer;Kunde;Datum;Betrag;Status
R-1;Holm;05.01.2024;1.180,00 €;bezahlt
R-2;Hafen;09.01.2024;240,50 €;offen
R-3;Holm;11.02.2024;95,20 €;offen
"""
PLOTS = """# The garden

Everybody digs in May.

| Plot | Holder | Area (m²) | Since |
|---|---|---|---|
| 1 | Tom Kerr | 120 | 2009 |
| 2 | Lise Duval | 80 | 2016 |
| 3 | Ned Farrow | 150 | 2001 |
| 4 | Mina Holt | 80 | 2020 |
"""
TICKETS = """ticket,priority,status
T-1,high,open
T-2,low,open
T-3,high,closed
"""
STAFF = """name,role,team,salary
Abel Moss,driver,deliveries,24500
Rita Vance,accountant,office,33100
Kit Hale,driver,deliveries,26100
"""
OTHER_SCRIPTS = {
    "заказы.csv": "номер,клиент,сумма,статус\nЗ-1,Колос,2400,оплачен\nЗ-2,Гавань,11800,открыт\nЗ-3,Лавка,950,открыт\n",
    "订单.csv": "编号,客户,日期,金额,状态\nD-1,麦香,2024-01-05,240,已付\nD-2,港湾,2024-01-09,1180,未付\nD-3,绿叶,2024-02-11,95,未付\n",
    "注文.csv": "番号,顧客,日付,金額,状態\nC-1,麦パン店,2024-01-05,240,支払済\nC-2,港カフェ,2024-01-09,1180,未払い\nC-3,青果店,2024-02-11,95,未払い\n",
}


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Index:
    made = project(tmp_path_factory.mktemp("scripts"), OTHER_SCRIPTS, input={"patterns": ["*.csv"]})
    run_index(made)
    return Index.open(made.store.folder)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    texts = {
        "orders.csv": ORDERS,
        "fleet.md": FLEET,
        "rechnungen.csv": BILLS,
        "garden.md": PLOTS,
        "staff.csv": STAFF,
        "tickets.csv": TICKETS,
    }
    made = project(tmp_path_factory.mktemp("rows"), texts, input={"patterns": ["*.csv", "*.md"]})
    run_index(made)
    return Index.open(made.store.folder)


def rows(answer: Answer) -> list[str]:
    """The first cells of the rows that are printed, without heads of tables."""
    lines = (line.strip("| ") for line in answer.text.splitlines() if line and not line.startswith("**"))
    cells = (line.replace(";", "|").split("|")[0].strip() for line in lines)
    return [
        cell
        for cell in cells
        if cell not in ("order", "Ship", "Nummer", "ticket", "Plot", "name", "номер", "编号", "番号")
    ]


def check_places(answer: Answer, index: Index) -> None:
    for source in answer.sources:
        text = (index.root / "input" / source.file).read_text()
        assert text[source.start : source.end] == source.quote


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which order was the most expensive?", ["A-2"]),
        ("Which order was the cheapest?", ["A-3"]),
        ("When was the last order of the Harbour Cafe?", ["A-4"]),
        ("Which ship has the most seats?", ["Auk"]),
        ("Who is the captain of the oldest ship?", ["Skua"]),
        ("How many seats does the Petrel have?", ["Petrel"]),
        ("Who has the highest salary?", ["Rita Vance"]),
        ("Who has the largest plot?", ["3"]),
        ("Which plot is the smallest?", ["2", "4"]),
        ("Which order was the highest?", ["A-2"]),
        ("Welche Rechnung ist die teuerste?", ["R-1"]),
        ("Wann war die letzte Rechnung von Holm?", ["R-3"]),
    ],
)
def test_the_row_with_the_most_or_the_least_is_the_answer(question: str, expected: list[str], index: Index) -> None:
    answer = index.ask(question, "basic")
    assert rows(answer) == expected
    check_places(answer, index)


@pytest.mark.parametrize(
    ("question", "expected", "noted"),
    [
        ("How many orders are open?", ["A-3", "A-4"], "**Orders** (2 of 4 rows)"),
        ("How many drivers are there?", ["Abel Moss", "Kit Hale"], "**Staff** (2 of 3 rows)"),
        (
            "What is the average salary of the staff?",
            ["Abel Moss", "Rita Vance", "Kit Hale"],
            "**Staff** (salary: 27,900; 3 of 3 rows)",
        ),
        ("How many orders did the Harbour Cafe place?", ["A-2", "A-4"], "**Orders** (2 of 4 rows)"),
        ("What is the total of all open orders?", ["A-3", "A-4"], "**Orders** (amount: 405.20; 2 of 4 rows)"),
        ("What is the average amount of the paid orders?", ["A-1", "A-2"], "**Orders** (amount: 710.25; 2 of 4 rows)"),
        ("Which customer has the most orders?", ["A-2", "A-4"], "**Orders** (Harbour Cafe: 2; 2 of 4 rows)"),
        ("Wie viele Rechnungen sind offen?", ["R-2", "R-3"], "**Rechnungen** (2 von 3 Zeilen)"),
        (
            "Was ist die Summe der offenen Rechnungen?",
            ["R-2", "R-3"],
            "**Rechnungen** (betrag: 335,70; 2 von 3 Zeilen)",
        ),
    ],
)
def test_rows_are_counted_and_summed_and_each_can_be_checked(
    question: str, expected: list[str], noted: str, index: Index
) -> None:
    answer = index.ask(question, "basic")
    assert rows(answer) == expected and answer.text_with_notes.startswith(noted)
    assert all(sentence.sources for sentence in answer.sentences if sentence.asserts)
    check_places(answer, index)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Какой заказ самый дорогой?", ["З-2"]),
        ("Сколько заказов открыто?", ["З-2", "З-3"]),
        ("哪个订单金额最高？", ["D-2"]),
        ("最早的订单是什么时候？", ["D-1"]),
        ("有多少个未付的订单？", ["D-2", "D-3"]),
        ("最も安い注文はどれですか？", ["C-3"]),
        ("未払いの注文は何件ありますか？", ["C-2", "C-3"]),
    ],
)
def test_rows_are_found_in_scripts_of_other_stems_and_without_spaces(
    question: str, expected: list[str], scripts: Index
) -> None:
    answer = scripts.ask(question, "basic")
    assert rows(answer) == expected
    check_places(answer, scripts)


@pytest.mark.parametrize(
    "question",
    [
        "How many orders did the Old Inn place?",
        "Which ship has the most sailors?",
        "What is the total of all open letters?",
        "How many ships did Torvald Nygaard sink?",
    ],
)
def test_a_question_with_a_word_that_no_table_explains_is_not_answered_by_counting(question: str, index: Index) -> None:
    assert " rows)" not in index.ask(question, "basic").text_with_notes


def test_decimals_are_summed_as_decimals_and_the_sum_has_as_many(tmp_path: Path) -> None:
    nails = "# Weights of nails\n\n| Nail | Weight |\n|---|---|\n| brad | 0.125 |\n| spike | 1.375 |\n"
    made = project(tmp_path, {"nails.md": nails}, input={"patterns": ["*.md"]})
    run_index(made)
    answer = Index.open(made.store.folder).ask("What is the total weight of all nails?", "basic")
    assert answer.text_with_notes.startswith("**Weights of nails** (Weight: 1.500; 2 of 2 rows)")


def test_of_many_rows_the_first_are_listed_and_the_answer_says_so(tmp_path: Path) -> None:
    records = "".join(f"T-{number},open\n" for number in range(60))
    made = project(tmp_path, {"tickets.csv": f"ticket,state\n{records}"}, input={"patterns": ["*.csv"]})
    run_index(made)
    answer = Index.open(made.store.folder).ask("How many tickets are open?", "basic")
    assert "(60 of 60 rows)" in answer.text_with_notes and len(rows(answer)) == 20
    assert "20 are listed" in answer.coverage.description


def test_no_model_is_asked_for_what_all_rows_show(index: Index) -> None:
    backend = ScriptedBackend({"answer_from_passages": lambda request: Prose(text="About 20.")})
    service = LanguageService(OfflineBackend(), Ledger(), backend)
    answer = index.ask("How many orders are open?", "basic", language=service)
    assert "(2 of 4 rows)" in answer.text_with_notes and not backend.asked
