"""Questions on the rows of tables: the very rows, counts and sums are given, and only where every word of the question is met."""

import io
from collections.abc import Sequence
from pathlib import Path

import pytest

from pipeline.base.task import Prose
from pipeline.language.backends.offline import OfflineBackend
from pipeline.language.ledger import Ledger
from pipeline.language.service import LanguageService
from pipeline.query.answer import Answer
from pipeline.query.index import Index
from pipeline.runner.run import run_index
from tests.corpora import project
from tests.query_cases import LISTS_OF_BILLS, AskFiles
from tests.scripted_backend import ScriptedBackend

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
COMPLAINTS = """complaint,opened,customer,site,product,status,refund,remark,urgent
K-1,2024-01-05,Acme Ltd,Bergen,cod loins,open,10.00,wrong label,yes
K-2,2024-05-06,Acme Ltd,Vigo,cod loins,closed,30.00,too much glazing,no
K-3,2024-05-07,Beta Ltd,Bergen,mussels,open,50.00,three crates missing,yes
K-4,2024-05-09,Beta Ltd,Vigo,mussels,closed,,,no
K-5,2024-06-01,Acme Ltd,Bergen,shrimp,open,40.00,delivered late,no
K-6,2023-05-02,Acme Ltd,Vigo,shrimp,rejected,20.00,too much glazing,no
"""
IN_OTHER_LANGUAGES = {
    "rechnungen.csv": "nummer,kunde,datum,betrag,status,mahnung\nR-1,Holm,2024-01-05,240,bezahlt,nein\n"
    "R-2,Hafen,2024-05-09,1180,offen,ja\nR-3,Holm,2024-05-11,95,offen,nein\n",
    **LISTS_OF_BILLS,
    "заказы.csv": "номер,клиент,дата,сумма,статус\nЗ-1,Колос,2024-01-05,240,оплачен\n"
    "З-2,Гавань,2024-05-09,1180,открыт\nЗ-3,Колос,2024-05-11,95,открыт\n",
}
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


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> Index:
    texts = {"complaints.csv": COMPLAINTS, "note.md": "# Fish\n\nEverybody complains of glazing in January 2024.\n"}
    made = project(tmp_path_factory.mktemp("complaints"), texts, input={"patterns": ["*.csv", "*.md"]})
    run_index(made)
    return Index.open(made.store.folder)


@pytest.fixture(scope="module")
def languages(tmp_path_factory: pytest.TempPathFactory) -> Index:
    made = project(tmp_path_factory.mktemp("languages"), IN_OTHER_LANGUAGES, input={"patterns": ["*.csv"]})
    run_index(made)
    return Index.open(made.store.folder)


def note(answer: Answer) -> str:
    """What is noted beside the name of the table."""
    return next((sentence.note for sentence in answer.sentences if sentence.note), "")


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
        ("How many orders are open?", ["A-3", "A-4"], "**Orders** (2 of 4 rows have status open)"),
        ("How many drivers are there?", ["Abel Moss", "Kit Hale"], "**Staff** (2 of 3 rows have role driver)"),
        (
            "What is the average salary of the staff?",
            ["Abel Moss", "Rita Vance", "Kit Hale"],
            "**Staff** (mean of salary: 27,900; all 3 rows)",
        ),
        (
            "How many orders did the Harbour Cafe place?",
            ["A-2", "A-4"],
            "**Orders** (2 of 4 rows have customer Harbour Cafe)",
        ),
        (
            "What is the total of all open orders?",
            ["A-3", "A-4"],
            "**Orders** (sum of amount: 405.20; 2 of 4 rows have status open)",
        ),
        (
            "What is the average amount of the paid orders?",
            ["A-1", "A-2"],
            "**Orders** (mean of amount: 710.25; 2 of 4 rows have status paid)",
        ),
        (
            "Which customer has the most orders?",
            ["A-2", "A-4"],
            "**Orders** (Harbour Cafe: 2; 2 of 4 rows have customer Harbour Cafe)",
        ),
        ("Which orders are there?", ["A-1", "A-2", "A-3", "A-4"], "**Orders** (all 4 rows)"),
        ("Who are the customers?", ["A-1", "A-2", "A-3"], "**Orders** (customer: 3; all 4 rows)"),
        ("Wie viele Rechnungen sind offen?", ["R-2", "R-3"], "**Rechnungen** (2 von 3 Zeilen haben status offen)"),
        (
            "Was ist die Summe der offenen Rechnungen?",
            ["R-2", "R-3"],
            "**Rechnungen** (Summe von betrag: 335,70; 2 von 3 Zeilen haben status offen)",
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
    assert " rows" not in index.ask(question, "basic").text_with_notes


@pytest.mark.parametrize(
    ("question", "noted"),
    [
        ("How many complaints were opened in May 2024?", "3 of 6 rows have opened May 2024"),
        ("How many complaints were opened in May?", "4 of 6 rows have opened May"),
        ("How many complaints were opened in 2023?", "1 of 6 rows have opened 2023"),
        ("How many open complaints were opened in May 2024?", "1 of 6 rows have opened May 2024, status open"),
        ("How many open complaints are from May 2024?", "1 of 6 rows have opened May 2024, status open"),
        ("How many complaints were not opened in May 2024?", "3 of 6 rows have opened other than May 2024"),
        ("How many complaints are not closed?", "4 of 6 rows have status other than closed"),
        ("How many complaints aren't from Acme?", "2 of 6 rows have customer other than Acme Ltd"),
        ("How many complaints are urgent?", "2 of 6 rows have urgent yes"),
        ("Which complaints are not urgent?", "4 of 6 rows have urgent no"),
        ("How many complaints have no remark?", "1 of 6 rows have remark empty"),
        ("How many complaints have a remark?", "5 of 6 rows have remark filled in"),
        ("How many complaints about glazing?", "2 of 6 rows have remark too much glazing"),
        ("How many open complaints about glazing?", "0 of 6 rows have status open, remark too much glazing"),
        ("How many complaints about cod in Vigo?", "1 of 6 rows have site Vigo, product cod loins"),
        ("Show the open complaints of Acme Ltd", "2 of 6 rows have customer Acme Ltd, status open"),
        ("How many complaints per site?", "Bergen: 3; Vigo: 3; all 6 rows"),
        ("How many open complaints per site?", "Bergen: 3; 3 of 6 rows have status open"),
        (
            "Total refund for each customer?",
            "sum of refund: Acme Ltd: 100; Beta Ltd: 50; 5 of 6 rows have refund filled in",
        ),
        (
            "Which customer has the highest total refund?",
            "sum of refund: Acme Ltd: 100; 4 of 6 rows have refund filled in, customer Acme Ltd",
        ),
        ("How many customers have closed complaints?", "2 of 6 rows have status closed; customer: 2 different"),
        ("What is the average refund per complaint?", "mean of refund: 30; 5 of 6 rows have refund filled in"),
        ("How many complaints are there in total?", "all 6 rows; the first 5 are shown"),
        ("How many complaints per month?", "2023-05: 1; 2024-01: 1; 2024-05: 3; 2024-06: 1; all 6 rows"),
        ("How many complaints were opened before May 2024?", "2 of 6 rows have opened before May 2024"),
        ("Which complaints have a refund over 20?", "3 of 6 rows have refund over 20"),
        ("How many complaints of Acme Ltd are over 20?", "2 of 6 rows have refund over 20, customer Acme Ltd"),
        ("How many complaints are closed or rejected?", "3 of 6 rows have status closed, rejected"),
    ],
)
def test_every_condition_of_a_question_is_applied_and_told(question: str, noted: str, complaints: Index) -> None:
    answer = complaints.ask(question, "basic")
    assert answer.supported and note(answer) == noted
    check_places(answer, complaints)


@pytest.mark.parametrize(
    "question",
    [
        "How many complaints were closed in May 2024?",
        "How many complaints were opened early in May 2024?",
        "How many complaints are about printers?",
        "How many complaints of Acme Ltd did we settle?",
        "How many complaints are not over 20?",
        "How many complaints are closed or from Bergen?",
        "How many closed complaints are about glazing or printers?",
        "How many complaints were not closed or rejected?",
        "How many of them are there?",
        "How many complaints were opened in May 2024 or in June?",
        "Which complaints were closed in May 2024?",
    ],
)
def test_where_one_condition_is_not_understood_no_row_is_an_answer(question: str, complaints: Index) -> None:
    answer = complaints.ask(question, "basic")
    assert not answer.supported and not note(answer)


def test_no_row_is_an_answer_that_cites_nothing_and_prints_no_others(complaints: Index) -> None:
    answer = complaints.ask("How many open complaints about glazing?", "basic")
    assert (
        answer.outcome == "answered" and answer.text == "**Complaints**" and not answer.sources and not answer.closest
    )


LOAVES = """order,customer,paid,note
301,The Wheatsheaf,yes,
302,Primary School,no,on account
303,Society,n/a,
304,Cafe Lumen,no,says short by 2
"""
FLOOD = """| date | page | what |
|---|---|---|
| 6 Feb 1953 | 1 | Flood special, five died at Skelwick, 214 houses |
| 13 Feb 1953 | 6 | Stoppage at the mill |
"""


@pytest.fixture(scope="module")
def bakery(tmp_path_factory: pytest.TempPathFactory) -> Index:
    texts = {"o.csv": LOAVES, "mercury.md": f"# The Mercury\n\n{FLOOD}"}
    made = project(tmp_path_factory.mktemp("bakery"), texts, input={"patterns": ["*.csv", "*.md"]})
    run_index(made)
    return Index.open(made.store.folder)


@pytest.mark.parametrize("question", ["Which orders are not paid?", "Which orders are unpaid?", "Who has not paid?"])
def test_a_cell_that_says_that_it_does_not_apply_hides_neither_yes_nor_no(question: str, bakery: Index) -> None:
    answer = bakery.ask(question, "basic")
    assert note(answer) == "2 of 4 rows have paid no"
    assert [row for row in rows(answer) if row != "order"] == ["302", "304"]


WORKS = """No;Raised;Building;Trade;Status;Contractor;Cost
W1;2024-02-03;Library;Heating;Open;Northgate;85.00
W2;2024-03-10;Workshop;Plumbing;Closed;Harker;45.00
W3;2024-03-14;Library;Plumbing;Open;Harker;600.00
W4;2024-05-02;Halls;Heating;Waiting;;tbc
"""
TESTED = "ref,appliance,tested,result\nT1,Kettle,2024-04-02,Fail\nT2,Kettle,2024-04-02,Fail\nT3,Microwave,2024-04-03,Pass\nT4,Microwave,2024-04-03,Fail\n"
FLUSHING = "# Flushing log\n\n| Week | Building | Done by |\n|---|---|---|\n| 1 April | Halls | Tom Garside |\n| 8 April | Halls | not done |\n"
SHARES = "kind;total;share\nheating;9190.90;usage\nbins;1224.00;persons\n"
FLATS = "flat;name;persons\nF1;Brandt;3\nF2;Novak;5\n"
ISSUES = '{"id":1,"title":"Crash","labels":["imap","bug"]}\n{"id":2,"title":"Hangs","labels":["imap"]}\n{"id":3,"title":"Slow","labels":["store"]}\n'
LOANS = "month,books,comics\n2024-03,102,31\n2024-04,1390,465\n2024-05,1266,420\n"
SUMS = "bill;firm;sum\nB1;Hobbs;£100.00\nB2;Peak;€50.00\n"


@pytest.fixture(scope="module")
def college(tmp_path_factory: pytest.TempPathFactory) -> Index:
    texts = {
        "works.csv": WORKS,
        "pat.csv": TESTED,
        "flushing.md": FLUSHING,
        "shares.csv": SHARES,
        "flats.csv": FLATS,
        "sums.csv": SUMS,
        "issues.jsonl": ISSUES,
        "loans.csv": LOANS,
    }
    made = project(tmp_path_factory.mktemp("college"), texts, input={"patterns": ["*.csv", "*.md", "*.jsonl"]})
    run_index(made)
    return Index.open(made.store.folder)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("open works in the library", ["W1", "W3"]),
        ("works without a contractor", ["W4"]),
        ("plumbing works", ["W2", "W3"]),
        ("works of Harker", ["W2", "W3"]),
    ],
)
def test_words_that_are_typed_to_find_rows_find_those_and_no_others(
    typed: str, expected: list[str], college: Index
) -> None:
    assert [row for row in rows(college.ask(typed, "basic")) if row != "No"] == expected


def test_of_a_column_that_is_counted_all_rows_are_given_and_how_many_differ(college: Index) -> None:
    answer = college.ask("How many appliances failed?", "basic")
    assert note(answer) == "3 of 4 rows have result Fail; appliance: 2 different"
    assert [row for row in rows(answer) if row != "ref"] == ["T1", "T2", "T4"]


def test_days_are_not_what_is_counted(college: Index) -> None:
    assert note(college.ask("How many microwaves were tested?", "basic")) == "2 of 4 rows have appliance Microwave"


def test_a_cell_that_denies_is_found_by_a_question_that_denies(college: Index) -> None:
    assert note(college.ask("How many weeks were not done?", "basic")) == "1 of 2 rows have Done by not done"


def test_what_is_not_known_yet_hinders_no_sum_and_what_is_in_several_currencies_has_none(college: Index) -> None:
    assert note(college.ask("What is the total cost of the works?", "basic")).startswith(
        "sum of cost: 730; 3 of 4 rows"
    )
    assert "150" not in college.ask("What is the total sum of the bills?", "basic").text_with_notes


def test_an_item_of_a_cell_that_is_a_list_is_found_as_a_cell_is(college: Index) -> None:
    assert note(college.ask("How many issues have the label imap?", "basic")) == "2 of 3 rows have labels imap"
    assert note(college.ask("How many issues have the label bug?", "basic")) == "1 of 3 rows have labels bug"
    assert not note(college.ask("Which issues are without the label imap?", "basic"))


@pytest.mark.parametrize(("month", "row"), [("March 2024", "2024-03 | 102"), ("April 2024", "2024-04 | 1390")])
def test_a_month_is_that_of_a_cell_however_many_days_it_has(month: str, row: str, college: Index) -> None:
    answer = college.ask(f"How many books in {month}?", "basic")
    assert answer.outcome == "answered" and row in answer.text and not note(answer)


def test_a_column_is_added_up_rather_than_one_whose_rows_have_its_name_in_a_cell(college: Index) -> None:
    assert note(college.ask("What is the sum of the persons?", "basic")) == "sum of persons: 8; all 2 rows"


def test_what_the_first_column_is_called_is_counted_by_its_rows(bakery: Index) -> None:
    assert note(bakery.ask("How many orders are there?", "basic")) == "all 4 rows"


def test_rows_that_tell_of_what_is_counted_are_not_what_is_counted(bakery: Index) -> None:
    assert " rows" not in bakery.ask("How many died in the flood?", "basic").text_with_notes


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Show the two most expensive complaints", ["K-3", "K-5"]),
        ("Show the three complaints with the highest refund", ["K-3", "K-5", "K-2"]),
        ("Which open complaint is the cheapest?", ["K-1"]),
        ("Which complaint of Beta Ltd is not open?", ["K-4"]),
    ],
)
def test_as_many_rows_as_are_asked_for_are_given_in_their_order(
    question: str, expected: list[str], complaints: Index
) -> None:
    assert [row for row in rows(complaints.ask(question, "basic")) if row != "complaint"] == expected


@pytest.mark.parametrize(
    ("question", "noted"),
    [
        ("Wie viele Rechnungen sind nicht bezahlt?", "2 von 3 Zeilen haben status anders als bezahlt"),
        ("Wie viele Rechnungen vom Mai 2024 sind offen?", "2 von 3 Zeilen haben datum Mai 2024, status offen"),
        ("Wie viele Rechnungen haben keine Mahnung?", "2 von 3 Zeilen haben mahnung nein"),
        ("Wie viele Rechnungen pro Kunde?", "Holm: 2; Hafen: 1; alle 3 Zeilen"),
        ("Welcher Kunde hat die höchste Summe?", "Summe von betrag: Hafen: 1.180; 1 von 3 Zeilen haben kunde Hafen"),
        ("Combien de factures ne sont pas payées ?", "2 lignes sur 3 ont statut autre que payée"),
        ("Combien de factures de mai 2024 sont ouvertes ?", "2 lignes sur 3 ont date mai 2024, statut ouverte"),
        ("Quelles factures sont ouvertes ?", "2 lignes sur 3 ont statut ouverte"),
        ("¿Cuántos pedidos no están cerrados?", "2 de 3 filas tienen estado distinto de cerrado"),
        ("¿Cuántos pedidos de mayo de 2024 están abiertos?", "2 de 3 filas tienen fecha mayo de 2024, estado abierto"),
        ("¿Cuántos pedidos por cliente?", "Sol: 2; Luz: 1; todas las 3 filas"),
        ("Quanti ordini non sono chiusi?", "2 righe su 3 hanno stato diverso da chiuso"),
        ("Quanti ordini di maggio 2024 sono aperti?", "2 righe su 3 hanno data maggio 2024, stato aperto"),
        ("Сколько заказов не оплачено?", "2 из 3 строк: статус не оплачен"),
        ("Сколько заказов в мае 2024 года?", "2 из 3 строк: дата мае 2024"),
        ("Какие заказы открыты?", "2 из 3 строк: статус открыт"),
    ],
)
def test_conditions_are_read_and_told_in_the_language_of_the_question(
    question: str, noted: str, languages: Index
) -> None:
    assert note(languages.ask(question, "basic")) == noted


@pytest.mark.parametrize(
    "question",
    [
        "Wie viele Rechnungen wurden im Mai 2024 bezahlt?",
        "Combien de factures ont été payées en mai 2024 ?",
        "¿Cuántos pedidos fueron cerrados en mayo de 2024?",
        "Quanti ordini sono stati chiusi a maggio 2024?",
        "Сколько заказов оплачено в мае 2024 года?",
    ],
)
def test_the_day_of_a_bill_is_not_taken_for_the_day_on_which_it_was_paid(question: str, languages: Index) -> None:
    assert not languages.ask(question, "basic").supported


def test_decimals_are_summed_as_decimals_and_the_sum_has_as_many(tmp_path: Path) -> None:
    nails = "# Weights of nails\n\n| Nail | Weight |\n|---|---|\n| brad | 0.125 |\n| spike | 1.375 |\n"
    made = project(tmp_path, {"nails.md": nails}, input={"patterns": ["*.md"]})
    run_index(made)
    answer = Index.open(made.store.folder).ask("What is the total weight of all nails?", "basic")
    assert answer.text_with_notes.startswith("**Weights of nails** (sum of Weight: 1.500; all 2 rows)")


def test_of_many_rows_that_are_counted_the_first_are_listed_and_the_answer_says_so(tmp_path: Path) -> None:
    records = "".join(f"T-{number},open\n" for number in range(60))
    made = project(tmp_path, {"tickets.csv": f"ticket,state\n{records}T-60,closed\n"}, input={"patterns": ["*.csv"]})
    run_index(made)
    answer = Index.open(made.store.folder).ask("How many tickets are open?", "basic")
    assert "(60 of 61 rows have state open; the first 5 are shown)" in answer.text_with_notes and len(rows(answer)) == 5
    assert "5 are listed" in answer.coverage.description


def test_no_model_is_asked_for_what_all_rows_show(index: Index) -> None:
    backend = ScriptedBackend({"answer_from_passages": lambda request: Prose(text="About 20.")})
    service = LanguageService(OfflineBackend(), Ledger(), backend)
    answer = index.ask("How many orders are open?", "basic", language=service)
    assert "(2 of 4 rows have status open)" in answer.text_with_notes and not backend.asked


KINGS = "# Kings\n\n| Name | Born | Crowned | Died |\n|---|---|---|---|\n| Olaf | 1040 | 1099 | 1110 |\n| Sven | 1060 | 1080 | 1090 |\n| Knut | 1071 | 1091 | 1098 |\n"
WAITS = "ticket,minutes,wait,price,shipping\nT-1,10,90,5.00,30.00\nT-2,60,5,80.00,2.00\nT-3,30,20,40.00,4.00\n"


@pytest.mark.parametrize(
    ("question", "named", "files"),
    [
        ("Who died last?", "Olaf", {"kings.md": KINGS}),
        ("Who was crowned first?", "Sven", {"kings.md": KINGS}),
        ("Which ticket has the longest wait?", "T-1", {"waits.csv": WAITS}),
        ("Which ticket has the cheapest shipping?", "T-2", {"waits.csv": WAITS}),
    ],
)
def test_the_column_that_a_question_names_decides_and_no_other_of_its_kind(
    answered: AskFiles, question: str, named: str, files: dict[str, str]
) -> None:
    rows = [line for line in answered(question, files).splitlines() if "|" in line]
    assert named in rows[-1] and len(rows) == 2


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which ticket has the longest wait?", "**Waits** (wait: the greatest of 3)"),
        ("Which ticket has the cheapest shipping?", "**Waits** (shipping: the smallest of 3)"),
    ],
)
def test_above_the_row_with_the_most_stands_of_which_column_and_of_how_many_rows(
    answered: AskFiles, question: str, said: str
) -> None:
    assert said in answered(question, {"waits.csv": WAITS})


TASKS = "task_id,task,owner,state,note\n1,Paint,Anna,done,\n2,Roof,Ben,done,call\n3,Gutter,Anna,todo,\n4,Bricks,Carla,todo,\n5,Lamp,Ben,on,\n"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many tasks are done?", "2 of 5 rows have state done"),
        ("How many tasks are done by Anna?", "1 of 5 rows have owner Anna, state done"),
        ("How many tasks are on?", "1 of 5 rows have state on"),
        ("How many tasks have a note?", "1 of 5 rows have note filled in"),
        ("How many tasks are late?", ""),
    ],
)
def test_a_small_word_is_a_condition_where_a_cell_or_column_is_that_word(
    answered: AskFiles, question: str, said: str
) -> None:
    text = answered(question, {"tasks.csv": TASKS})
    assert said in text if said else not text


PAYMENTS = """Date,Payee,Category,Amount,Method,Cheque no
07/04/2024,Royal Mail,Office,£600.00,cheque,2041
13/01/2024,Cobb & Sons,Repairs,"£1,095.50",cheque,2042
20/10/2024,Cornergy,Utilities,£410.00,card,
09/10/2024,Cobb & Sons,Repairs,£20.00,cash,
"""
MEMBERS = "No,Name,Joined,Fee,Paid on\n101,Ruth Penhale,2013-11-02,185,2024-02-05\n102,Colin Trask,1991-10-02,310,\n"
INCOME = "date,source,from,amount\n2024-01-16,Hall hire,members,843.79\n2024-02-07,Donation,members,334.73\n2024-02-13,Races,,874.47\n"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which payments are over £500?", "2 of 4 rows have amount over £500"),
        ("payments before May", "2 of 4 rows have date before May"),
        ("How many payments were made after 9 October 2024?", "1 of 4 rows have date after 9 October 2024"),
        ("payments between £300 and £700", "2 of 4 rows have amount between £300 and £700"),
        ("How much did we pay Cobb & Sons before June?", "sum of amount: 1,095.50; 1 of 4 rows"),
        ("How much did we spend on repairs?", "sum of amount: 1,115.50; 2 of 4 rows have category Repairs"),
        ("What was the total paid by cheque?", "sum of amount: 1,695.50; 2 of 4 rows have method cheque"),
        ("What is the total in October?", "sum of amount: 430; 2 of 4 rows have date October"),
        ("total per month", "2024-01: 1,095.50; 2024-04: 600; 2024-10: 430; all 4 rows"),
        ("payments per category", "Repairs: 2; Office: 1; Utilities: 1; all 4 rows"),
        ("How many payments per month?", "2024-01: 1; 2024-04: 1; 2024-10: 2; all 4 rows"),
        ("Which month had the highest total?", "sum of amount: 2024-01: 1,095.50"),
        ("What was the last payment?", "20/10/2024 | Cornergy"),
        ("total spent on repairs between January and March", "sum of amount: 1,095.50; 1 of 4 rows"),
        ("spending per category", "Repairs: 1,115.50; Office: 600; Utilities: 410; all 4 rows"),
        ("Which category cost the most?", "sum of amount: Repairs: 1,115.50; 2 of 4 rows have category Repairs"),
        ("How much did we spend on fireworks?", ""),
        ("How many payments have no cheque?", "2 of 4 rows have method other than cheque"),
        ("How much did we spend in the second quarter?", "sum of amount: 600; 1 of 4 rows have date second quarter"),
        ("How many payments in H1 2024?", "2 of 4 rows have date H1 2024"),
        ("payments before Q3", "2 of 4 rows have date before Q3"),
        ("payments from 5 to 15 October 2024", "09/10/2024 | Cobb & Sons"),
        ("How much did we spend last quarter?", ""),
        ("How many payments in January and February?", "1 of 4 rows have date January and February"),
        ("How many payments in January and April?", ""),
        ("What is the second most expensive payment?", "amount: the greatest of 4, no. 2 in this order"),
        ("Which category cost the second most?", "sum of amount: Office: 600; 1 of 4 rows have category Office"),
        ("What is the fifth most expensive payment?", ""),
    ],
)
def test_a_list_of_payments_is_asked_by_amounts_days_and_months(answered: AskFiles, question: str, said: str) -> None:
    text = answered(question, {"payments.csv": PAYMENTS})
    assert said in text if said else not text


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("How many members do we have?", "**Members** (all 2 rows)"),
        ("Who joined last?", "Ruth Penhale"),
        ("How many members joined before 2000?", "1 of 2 rows have joined before 2000"),
        ("Which month had the highest income?", "sum of amount: 2024-02: 1,209.20"),
        ("Which month had the most income?", ""),
        ("Who is the newest member?", ""),
    ],
)
def test_the_table_that_is_called_by_what_is_counted_goes_before_one_with_a_cell_of_it(
    answered: AskFiles, question: str, title: str
) -> None:
    text = answered(question, {"income.csv": INCOME, "members.csv": MEMBERS})
    assert title in text if title else "**" not in text


BILLS_OF_STATES = {
    "en": (
        "invoices.csv",
        "Invoice;Date;Customer;Amount;Status\nF1;2024-01-10;Holm;100.00;paid\nF2;2024-02-11;Holm;200.00;paid\nF3;2024-03-12;Lund;50.00;to pay\n",
    ),
    "de": (
        "rechnungen.csv",
        "Rechnung;Datum;Kunde;Betrag;Status\nR1;10.01.2024;Holm;100,00;bezahlt\nR2;11.02.2024;Holm;200,00;neu\nR3;12.03.2024;Huber;50,00;bezahlt\n",
    ),
    "fr": (
        "factures.csv",
        "Facture;Date;Client;Montant;Statut\nF1;10/01/2024;Petit;100,00;payée\nF2;11/02/2024;Petit;200,00;en attente\nF3;12/03/2024;Duval;50,00;en retard\n",
    ),
}


@pytest.mark.parametrize(
    ("language", "question", "said"),
    [
        ("en", "How many invoices to pay?", "1 of 3 rows have status to pay"),
        ("en", "total of paid invoices", "sum of amount: 300; 2 of 3 rows have status paid"),
        ("en", "How many invoices are unpaid?", "1 of 3 rows have status other than paid"),
        ("en", "How many invoices over 5000 euros?", "0 of 3 rows have amount over 5000 euros"),
        ("de", "wie viel haben wir eingenommen", "Summe von betrag: 150; 2 von 3 Zeilen haben status bezahlt"),
        ("de", "Wie viel hat Holm bezahlt?", "Summe von betrag: 100; 1 von 3 Zeilen"),
        ("de", "summe der rechnungen mit status neu", "Summe von betrag: 200; 1 von 3 Zeilen haben status neu"),
        ("de", "teuerste rechnung", "betrag: das größte von 3"),
        ("de", "rechnungen pro kunde", "Holm: 2; Huber: 1; alle 3 Zeilen"),
        ("de", "zweitteuerste Rechnung", "betrag: das größte von 3, Nr. 2 in dieser Reihenfolge"),
        ("de", "Summe der Rechnungen im ersten Quartal", "Summe von betrag: 350"),
        ("fr", "la deuxième facture la plus chère", "montant : le plus grand de 3, n° 2 dans cet ordre"),
        ("fr", "combien de factures non payées", "2 lignes sur 3 ont statut autre que payée"),
        ("fr", "total des factures à payer", "somme de montant: 250; 2 lignes sur 3 ont statut autre que payée"),
        ("fr", "total des factures de mars", "somme de montant: 50; 1 lignes sur 3 ont date mars"),
    ],
)
def test_a_state_of_a_bill_is_neither_another_of_the_same_verb_nor_a_wish(
    answered: AskFiles, language: str, question: str, said: str
) -> None:
    name, rows = BILLS_OF_STATES[language]
    assert said in answered(question, {name: rows, "note.md": NOTES[language]})


NOTES = {
    "en": "The office is open on Monday, and closed on the days before a holiday.",
    "de": "Das Büro ist am Montag offen und an den Tagen vor einem Feiertag geschlossen.",
    "fr": "Le bureau est ouvert le lundi, et fermé les jours qui sont avant une fête.",
}
HOURS = "Day;Volunteer;Hours\n2024-04-01;Ali Kaya;7.5\n2024-04-02;Ali Kaya;8\n2024-05-03;Meike Thiel;9\n"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many hours in April?", "sum of hours: 15.50; 2 of 3 rows"),
        ("hours per volunteer", "Ali Kaya: 15.50; Meike Thiel: 9; all 3 rows"),
        ("Who has the most hours?", "sum of hours: Ali Kaya: 15.50; 2 of 3 rows"),
        ("How many volunteers are there?", "volunteer: 2 different"),
    ],
)
def test_how_many_of_a_column_of_numbers_are_its_sum(answered: AskFiles, question: str, said: str) -> None:
    assert said in answered(question, {"volunteer_hours.csv": HOURS})


def test_what_was_paid_in_a_month_is_told_by_the_day_of_payment(answered: AskFiles) -> None:
    rows = "Invoice;Date;Amount;Paid on\nR1;2024-04-10;100;2024-05-02\nR2;2024-05-11;200;2024-06-03\nR3;2024-05-12;50;2024-05-20\n"
    assert "sum of amount: 150; 2 of 3 rows have paid on May" in answered("How much was paid in May?", {"i.csv": rows})


BUDGET = "# Budget\n\n| Heading | Q1 | Q2 |\n|---|---|---|\n| Travel | 300 | 450 |\n| Postage | 20 | 35 |\n"


def test_a_quarter_that_a_table_has_as_a_column_or_cell_is_that_one(answered: AskFiles) -> None:
    assert "| Travel | 300 | 450 |" in answered(
        "What is the travel budget for the second quarter?", {"budget.md": BUDGET}
    )
    rows = "quarter,item,cost\nQ1,travel,300\nQ1,post,5\nQ2,travel,450\nQ2,post,9\n"
    assert "sum of cost: 459; 2 of 4 rows have quarter Q2" in answered(
        "total cost in the second quarter", {"costs.csv": rows}
    )


TICKETS = (
    "ticket_id,opened_on,closed_on,assignee,severity,status\nT1,2024-03-30,2024-04-02,Priya Raman,S1,closed\n"
    "T2,2024-04-05,2024-04-09,Priya Raman,S2,closed\nT3,2024-04-20,,Hannah Beck,S2,open\nT4,2024-05-02,2024-05-30,Tomasz Wilk,S3,closed\n"
    "T5,2024-05-28,,Hannah Beck,S1,open\n"
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many tickets were closed in April?", "2 of 5 rows have closed_on April"),
        ("How many tickets did Priya close in the second quarter?", "2 of 5 rows have closed_on second quarter"),
        ("tickets opened before May", "3 of 5 rows have opened_on before May"),
        ("How many tickets were opened per month?", "2024-03: 1; 2024-04: 2; 2024-05: 2; all 5 rows"),
        ("How many open tickets are from May 2024?", ""),
        ("How many different assignees are there?", "all 5 rows; assignee: 3 different"),
        ("Who has the most open tickets?", "Hannah Beck: 2; 2 of 5 rows have status open"),
        ("tickets per assignee and severity", ""),
    ],
)
def test_a_ticket_has_a_day_for_each_of_its_states(answered: AskFiles, question: str, said: str) -> None:
    text = answered(question, {"tickets.csv": TICKETS})
    assert said in text if said else "**" not in text


COSTS = "heading,quarter,Planned GBP,Spent GBP\nStaff,Q1 2024,900,905\nBoats,Q1 2024,300,100\nStaff,Q2 2024,900,890\nBoats,Q2 2024,300,420\n"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What did we spend on boats?", "sum of spent gbp: 520; 2 of 4 rows have heading Boats"),
        ("What was spent in Q1 2024?", "sum of spent gbp: 1,005; 2 of 4 rows have quarter Q1 2024"),
        ("sum of planned GBP for Boats", "sum of planned gbp: 600; 2 of 4 rows have heading Boats"),
        ("Which quarter was the most expensive?", "sum of spent gbp: Q2 2024: 1,310"),
    ],
)
def test_what_was_spent_is_not_what_was_planned(answered: AskFiles, question: str, said: str) -> None:
    assert said in answered(question, {"costs.csv": COSTS})


TURBIDITY = "date,site,turbidity_ntu\n2024-05-10,Ardnish,9.8\n2024-06-10,Ardnish,4.0\n2024-06-20,Sound,4.2\n"


def test_the_highest_reading_of_a_month_is_no_sum(answered: AskFiles) -> None:
    text = answered("Which month had the highest turbidity?", {"turbidity.csv": TURBIDITY})
    assert "turbidity_ntu: the greatest of 3" in text and "2024-05-10 | Ardnish" in text


PAPERS = (
    'key,authors,title,journal,citations\nL1,"Beck, M.",Shells,Marine Policy,214\nL2,"Sas, H.; Beck, M.",Reefs,Ecology,398\n'
    'L3,"Sas, H.",Starfish,Ecology,10\n'
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many papers are by Beck, M.?", "2 of 3 rows have authors Beck, M."),
        ("Which title has the most citations?", "citations: the greatest of 3"),
        ("Which journal has the most citations?", "sum of citations: Ecology: 408"),
        ("Which journal has the most entries?", "Ecology: 2; 2 of 3 rows have journal Ecology"),
    ],
)
def test_a_list_of_papers_is_asked_by_authors_titles_and_journals(answered: AskFiles, question: str, said: str) -> None:
    assert said in answered(question, {"papers.csv": PAPERS})


SERVICES = (
    "# Services\n\n| Service | p50 ms | p95 ms |\n|---|---|---|\n| billing | 40 | 300 |\n| search | 140 | 610 |\n"
)


def test_of_columns_with_one_unit_the_one_that_is_named_is_bounded(answered: AskFiles) -> None:
    assert "| search | 140 | 610 |" in answered("Which services have a p95 over 500 ms?", {"services.md": SERVICES})


OF_OTHER_SCRIPTS = {
    "zh": (
        "付款记录.csv",
        "日期,收款方,类别,金额,付款方式\n2024-05-12,市供电局,水电,10400,现金\n2024-06-05,家和餐饮,食堂,16480,支票\n"
        "2024-06-22,金叶纸业,原材料,15350,现金\n2024-07-13,金叶纸业,原材料,69210,转账\n",
    ),
    "ja": (
        "会計帳簿.csv",
        "日付,区分,科目,金額\n2024/07/26,支出,修繕費,165000\n2024/08/04,収入,夏祭り売上,272000\n2024/08/05,支出,夏祭り,96500\n"
        "2024/08/20,支出,夏祭り,128000\n",
    ),
    "ru": (
        "Заявки.csv",
        "Номер;Дата;Категория;Статус;Стоимость\nЗ-001;05.05.2024;вода;закрыта;700\nЗ-002;06.06.2024;соседи;открыта;\n"
        "З-003;07.07.2024;дорога;закрыта;2500\n",
    ),
}
NOTES_OF_OTHER_SCRIPTS = {
    "zh": "办公室星期一开门，节日前一天关门。我们每天都在这里工作。",
    "ja": "事務所は月曜日に開いています。祭日の前の日は閉まります。",
    "ru": "Контора открыта по понедельникам и закрыта перед праздниками.",
}


@pytest.mark.parametrize(
    ("language", "question", "said"),
    [
        ("zh", "现金付款有几笔", "4 行中 2 行：付款方式 现金"),
        ("zh", "六月份一共付了多少钱", "金额合计: 31,830; 4 行中 2 行：日期 六月份"),
        ("zh", "每月付款总额", "2024-05: 10,400; 2024-06: 31,830; 2024-07: 69,210"),
        ("zh", "各类别的付款总额", "原材料: 84,560; 食堂: 16,480; 水电: 10,400"),
        ("zh", "哪个收款方的付款总额最高", "金额合计: 金叶纸业: 84,560"),
        ("zh", "超过15000元的付款", "4 行中 3 行：金额 超过15000元"),
        ("zh", "支票付款", "2024-06-05 | 家和餐饮"),
        ("zh", "1万到2万之间的付款", "4 行中 3 行：金额 1万到2万之间"),
        ("zh", "第二季度付款总额", "金额合计: 42,230"),
        ("ja", "8月の収入はいくら", "金額の合計: 272,000; 4 行中 1 行：日付 8月、区分 収入"),
        ("ja", "科目ごとの合計", "夏祭り売上: 272,000; 夏祭り: 224,500; 修繕費: 165,000"),
        ("ja", "月別の支出の合計", "2024-07: 165,000; 2024-08: 224,500"),
        ("ja", "100000円以上の支出", "4 行中 2 行：金額 100000円以上、区分 支出"),
        ("ja", "最後の支出", "日付：3 行中最新"),
        ("ja", "支出合計", "金額の合計: 389,500; 4 行中 3 行：区分 支出"),
        ("ru", "сколько всего заявок", "все строки: 3"),
        ("ru", "заявки по месяцам", "2024-05: 1; 2024-06: 1; 2024-07: 1"),
        ("ru", "сколько заявок до июля", "2 из 3 строк: дата до июля"),
        ("ru", "заявки дороже 2000 рублей", "07.07.2024"),
    ],
)
def test_rows_are_bounded_grouped_and_summed_in_languages_of_other_scripts(
    answered: AskFiles, language: str, question: str, said: str
) -> None:
    name, rows = OF_OTHER_SCRIPTS[language]
    assert said in answered(question, {name: rows, "note.md": NOTES_OF_OTHER_SCRIPTS[language]})


DISTRICTS = "番号,氏名,丁目,人数\nM1,佐藤,4丁目,3\nM2,林,3丁目,5\nM3,高橋,3丁目,4\n"


def test_a_number_in_a_longer_cell_is_that_of_no_other_column(answered: AskFiles) -> None:
    files = {"会員名簿.csv": DISTRICTS, "note.md": NOTES_OF_OTHER_SCRIPTS["ja"]}
    assert "3 行中 2 行：丁目 3丁目" in answered("3丁目の会員は何人", files)


def test_a_small_file_is_looked_at_though_many_texts_are_closer(answered: AskFiles) -> None:
    texts = {
        f"minutes{n}.md": f"# Minutes {n}\n\nThe total of Holm, item {n}, was read out at length.\n" for n in range(12)
    }
    stock = "part,weight,supplier\nsaw,30,Holm\ndrill,90,Lund\nfile,12,Holm\n"
    assert "sum of weight: 42; 2 of 3 rows have supplier Holm" in answered("Holm total", texts | {"stock.csv": stock})


def test_of_two_lists_that_have_days_what_was_spent_is_in_that_of_payments(answered: AskFiles) -> None:
    machines = "machine,bought,price\npress,2024-04-03,900\nsaw,2023-01-05,70\n"
    assert "sum of amount: 600" in answered(
        "How much did we spend in April?", {"payments.csv": PAYMENTS, "machines.csv": machines}
    )


PRICES = "Услуга;Единица;Цена, руб.\nПокос травы;сотка;350\nЧистка колодца;шт.;8000\n"


def test_what_something_costs_in_a_list_of_prices_is_no_count(answered: AskFiles) -> None:
    assert "Чистка колодца;шт.;8000" in answered("сколько стоит чистка колодца", {"Прайс.csv": PRICES})


LENT = (
    "loan,lent on,returned on,borrower,deposit,status\nL1,2024-11-03,2024-12-01,Ada Thorne,10,returned\nL2,2024-11-09,,ada thorne,,on loan\n"
    "L3,2024-12-02,2024-12-20,Bo Lind,20,returned\nL4,2024-12-03,,Bo Lind,5,overdue\n"
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many loans are there?", "all 4 rows"),
        ("How many loans were returned?", "2 of 4 rows have status returned"),
        ("How many loans are overdue?", "1 of 4 rows have status overdue"),
        ("How many are on loan?", "1 of 4 rows have status on loan"),
        ("How many loans were lent in November?", "2 of 4 rows have lent on November"),
        ("How many loans per borrower?", "Ada Thorne: 2; Bo Lind: 2"),
        ("How many different borrowers are there?", "borrower: 2 different"),
        ("deposit per borrower", "sum of deposit: Bo Lind: 25; Ada Thorne: 10"),
        ("loans per quarter", ""),
        ("loans except overdue ones", "3 of 4 rows have status other than overdue"),
    ],
)
def test_the_name_of_a_table_is_no_state_and_names_in_capitals_are_no_others(
    answered: AskFiles, question: str, said: str
) -> None:
    text = answered(question, {"loans.csv": LENT})
    assert said in text if said else "**" not in text


GIFTS = "date,donor,amount\n2024-07-28,Dr. Stein,1500\n2024-10-31,Harbour Trust,25\n2025-01-07,Harbour Trust,50\n"
TEAM = "name;entry;year of birth\nDerek Alban;2000-02-01;1951\nAnna Boon;2019-10-25;2003\n"


def test_what_came_in_was_not_spent(answered: AskFiles) -> None:
    assert "sum" not in answered("How much did we spend in 2024?", {"donations.csv": GIFTS})
    assert "2024-Q3: 1,500; 2024-Q4: 25; 2025-Q1: 50" in answered("amount per quarter", {"donations.csv": GIFTS})


def test_the_oldest_is_who_was_born_first(answered: AskFiles) -> None:
    assert "Derek Alban" in answered("Who is the oldest member?", {"members.csv": TEAM})
    assert "year of birth: the latest of 2" in answered("youngest member", {"members.csv": TEAM})


STATES = {
    "es": (
        "facturas.csv",
        "Nº;Cliente;Importe;Estado;Forma de pago\nF1;Sol;100,00;pagada;tarjeta\nF2;Luz;50,00;pendiente;\nF3;Sol;20,00;pagada;bizum\n",
    ),
    "it": (
        "reclami.csv",
        "ID;Cliente;Priorità;Rimborso\n1;Sole;alta;10\n2;Luce;media;5\n3;Sole;media;20\n4;Mare;bassa;0\n",
    ),
    "fr": (
        "paiements.csv",
        "Réf;Date;Motif;Montant;État\nP1;03/01/2024;cotisation;30,00;payé\nP2;04/02/2024;don;50,00;en attente\nP3;05/02/2024;stage;20,00;payé\n",
    ),
}


@pytest.mark.parametrize(
    ("language", "question", "said"),
    [
        ("es", "facturas no pagadas", "Luz"),
        ("es", "¿Cuántas facturas por forma de pago?", "tarjeta: 1; bizum: 1"),
        ("it", "quanti reclami con priorità media?", "2 righe su 4 hanno priorità media"),
        ("it", "reclami con priorità media", "2 righe su 4 hanno priorità media"),
        ("it", "Qual è il rimborso medio?", "media di rimborso: 8,75"),
        ("fr", "Combien de paiements en attente ?", "1 lignes sur 3 ont état en attente"),
        ("fr", "total des paiements", "somme de montant: 100"),
        ("fr", "total des paiements hors dons", "somme de montant: 50; 2 lignes sur 3 ont motif autre que don"),
        ("fr", "paiements en été", ""),
    ],
)
def test_a_word_of_one_stem_with_the_table_or_a_wish_is_what_it_is_written_as(
    answered: AskFiles, language: str, question: str, said: str
) -> None:
    name, rows = STATES[language]
    text = answered(question, {name: rows})
    assert said in text if said else "**" not in text


ROSTER = "date,race officer,safety boat\n2024-04-14,Owen Quick,Stan Varley\n2024-04-21,Petra Novotna,Gareth Pascoe\n"


def test_a_row_is_not_what_a_word_of_a_longer_head_names(answered: AskFiles) -> None:
    assert not answered("Which is the oldest boat?", {"roster.csv": ROSTER})


def test_of_several_lists_of_payments_none_is_added_up(answered: AskFiles) -> None:
    lists = {"payments.csv": PAYMENTS, "outgoings.csv": "day,what,cost\n2024-05-01,paint,20\n2024-05-02,rope,30\n"}
    assert not answered("How much did we spend?", lists)
    assert "sum of cost: 20" in answered("How much did we spend on paint?", lists)


ALERTS = "alert,service,severity,fired\nLag,ledger,1,4\nDup,ledger,1,0\nCert,gateway,2,1\n"
OUTAGE = "# Duplicate postings\n\nOn that day 418 postings were booked twice.\n\n| Action | Owner |\n|---|---|\n| Alert | Amira |\n| Replay | Pavel |\n"


def test_a_number_behind_the_name_of_a_column_is_of_that_column(answered: AskFiles) -> None:
    assert "2 of 3 rows have severity 1" in answered("How many alerts are severity 1?", {"alerts.csv": ALERTS})


def test_the_rows_of_a_text_are_what_their_first_column_is_called(answered: AskFiles) -> None:
    assert "rows" not in answered("How many postings were duplicated?", {"outage.md": OUTAGE})
    assert "418" in answered("How many postings were booked twice?", {"outage.md": OUTAGE})


BOATS = "# Boats\n\n| Boat | Length (m) | Built |\n|---|---|---|\n| Merle | 6.2 | 1988 |\n| Nightjar | 8.5 | 2004 |\n| Faithful | 11.0 | 1975 |\n"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which boats are longer than 7 m?", "2 of 3 rows have Length (m) longer than 7"),
        ("How many boats are under 8 metres?", "1 of 3 rows have Length (m) under 8"),
        ("How many boats were built before 1980?", "1 of 3 rows have Built before 1980"),
        ("How many boats are over 8?", ""),
    ],
)
def test_a_limit_is_of_the_column_whose_name_or_unit_is_beside_it(answered: AskFiles, question: str, said: str) -> None:
    text = answered(question, {"boats.md": BOATS})
    assert said in text if said else not text


SALES = "# Sales\n\n| Region | Revenue |\n|---|---|\n| North | 1,200 |\n| South | 300 |\n| **Total** | **1,500** |\n"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the total revenue?", "sum of Revenue: 1,500; all 2 rows"),
        ("Which region has the highest revenue?", "North"),
        ("How many regions are there?", "all 2 rows"),
    ],
)
def test_a_last_row_that_says_what_the_others_come_to_is_none_of_them(
    answered: AskFiles, question: str, said: str
) -> None:
    text = answered(question, {"sales.md": SALES})
    assert said in text and "**Total**" not in text


YEARS = {
    "orders-2023.csv": "order_id,customer,status,amount\nA-1,Acme,open,100.50\nA-2,Beta,shipped,20.00\n",
    "orders-2024.csv": "order_id,customer,status,amount\nB-1,Acme,open,500.00\nB-2,Delta,open,10.00\nB-3,Acme,shipped,1.00\n",
}
MONTHS_OF_SALES = {
    f"{month}.md": f"# Report of {month}\n\nDull.\n\n| Region | Revenue |\n|---|---|\n| North | {n}00 |\n| South | {n}0 |\n"
    for n, month in enumerate(("January", "February", "March", "April", "May", "June", "July"), 1)
}


@pytest.mark.parametrize(
    ("question", "said", "files"),
    [
        ("How many orders are open?", "3 of 5 rows have status open", YEARS),
        ("What is the total amount?", "sum of amount: 631.50; all 5 rows", YEARS),
        ("Which order has the highest amount?", "B-1", YEARS),
        ("What is the total revenue?", "sum of Revenue: 3,080; all 14 rows", MONTHS_OF_SALES),
        ("What is the total revenue in the report of March?", "sum of Revenue: 330", MONTHS_OF_SALES),
    ],
)
def test_tables_with_the_same_columns_are_one_unless_the_title_of_one_is_named(
    answered: AskFiles, question: str, said: str, files: dict[str, str]
) -> None:
    assert said in answered(question, files)


def test_files_have_the_same_columns_also_where_the_first_row_of_one_leaves_some_empty(answered: AskFiles) -> None:
    files = {
        "orders-2023.csv": "order_id,customer,status,note\nA-1,Acme,open,\nA-2,Beta,shipped,call\n",
        "orders-2024.csv": "order_id,customer,status,note\nB-1,Acme,open,gift\nB-2,Delta,open,\nB-3,Acme,shipped,\n",
    }
    assert "3 of 5 rows have status open" in answered("How many orders are open?", files)


def test_who_has_nothing_of_a_kind_is_not_told_by_rows_that_are_of_another(answered: AskFiles) -> None:
    tickets = "ticket,customer,status\nT-1,Acme,open\nT-2,Acme,closed\nT-3,Beta,closed\nT-4,Beta,closed\n"
    assert answered("Which customers have no open tickets?", {"tickets.csv": tickets}) == ""


def test_several_rows_are_no_answer_to_what_has_the_most(answered: AskFiles) -> None:
    orders = "order_id,order_date,customer,price,total\nO-1,2024-01-02,Acme,10.00,10.00\nO-2,2024-01-02,Beta,250.00,250.00\nO-3,2024-01-05,Acme,5.00,500.00\n"
    assert answered("Which order is the most expensive?", {"orders.csv": orders}) == ""
    assert "Acme: 2" in answered("Which customer has the most orders?", {"orders.csv": orders})


def test_figures_of_each_cell_say_how_many_rows_have_one(answered: AskFiles) -> None:
    orders = "order,customer,region\n1,Acme,North\n2,Beta,\n3,Acme,South\n4,Beta,\n"
    text = answered("How many orders per region?", {"orders.csv": orders})
    assert "North: 1; South: 1; 2 of 4 rows have region filled in" in text


def test_a_word_that_is_a_state_and_a_column_is_not_both_said_and_denied(tmp_path: Path) -> None:
    orders = "order,placed_date,status,shipped_on\n1,2024-01-01,shipped,2024-01-02\n2,2024-01-03,shipped,\n3,2024-01-04,open,\n4,2024-01-05,open,\n"
    made = project(tmp_path, {"orders.csv": orders}, input={"patterns": ["*.csv"]})
    run_index(made)
    index = Index.open(made.store.folder)
    for question in (
        "How many shipped orders have no shipped date?",
        "How many orders with a shipped date are not shipped?",
    ):
        assert not index.ask(question, "basic").supported
    for question, note in {
        "How many shipped orders have no shipping date?": "1 of 4 rows have status shipped, shipped_on empty",
        "How many orders are not shipped?": "2 of 4 rows have status other than shipped",
    }.items():
        assert note in index.ask(question, "basic").text_with_notes


def workbook(**sheets: Sequence[Sequence[object]]) -> bytes:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name.replace("_", " "))
        for row in rows:
            sheet.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


KEYS = [
    ("Key no", "Opens", "Holder", "Returned"),
    (101, "Library", "Ada Thorne", None),
    (102, "Library", "Ben Marsh", "2024-02-01"),
    (103, "Gate", "Cora Vale", None),
    (104, "Gate", "Ada Thorne", "2024-03-01"),
]
COLLEGE: dict[str, Sequence[Sequence[object]]] = {
    "Keys": [("Keys of the college",), (), *KEYS],
    "Meters": [("Meter", "Reading"), ("Z1", 40), ("Z2", None), ("Z3", 60)],
    "Fire_extinguishers": [
        ("All sites",),
        ("No", "Type", "Fee"),
        (1, "Foam", 300),
        (2, "CO2", None),
        ("Total", None, 300),
    ],
    "Loans_2023": [("Loan", "Reader", "Price"), ("L1", "Ada", 2), ("L2", "Ben", None)],
    "Loans_2024": [
        ("The year",),
        ("Loan", "Reader", "Price", "Remark"),
        ("L3", "Ada", 3, None),
        ("L4", "Cora", None, "late"),
    ],
}


@pytest.fixture(scope="module")
def of_sheets(tmp_path_factory: pytest.TempPathFactory) -> Index:
    made = project(tmp_path_factory.mktemp("college"), {}, input={"patterns": ["*.xlsx"]})
    made.input.mkdir(parents=True)
    (made.input / "college.xlsx").write_bytes(workbook(**COLLEGE))
    run_index(made)
    return Index.open(made.store.folder)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many keys are there?", "**College, Keys** (all 4 rows)"),
        ("Who has not returned a key?", "**College, Keys** (2 of 4 rows have Returned empty)"),
        ("How many fire extinguishers are there?", "**College, Fire extinguishers** (all 2 rows)"),
        (
            "What is the sum of the fee?",
            "**College, Fire extinguishers** (sum of Fee: 300; 1 of 2 rows have Fee filled in)",
        ),
        ("How many meters are there?", "**College, Meters** (all 3 rows)"),
        (
            "What is the sum of the reading?",
            "**College, Meters** (sum of Reading: 100; 2 of 3 rows have Reading filled in)",
        ),
    ],
)
def test_each_sheet_of_a_workbook_is_a_table_of_its_rows(of_sheets: Index, question: str, said: str) -> None:
    assert of_sheets.ask(question, "basic").text_with_notes.startswith(said)


@pytest.mark.parametrize(
    ("question", "noted"),
    [
        ("What is the sum of the price of the loans?", "(sum of Price: 5; 2 of 4 rows have Price filled in)"),
        ("How many loans does Ada have?", "(2 of 4 rows have Reader Ada)"),
        ("How many loans are late?", "**College, Loans 2024** (1 of 2 rows have Remark late)"),
    ],
)
def test_tables_that_have_the_columns_of_a_question_are_one_though_another_has_a_column_more(
    of_sheets: Index, question: str, noted: str
) -> None:
    assert noted in of_sheets.ask(question, "basic").text_with_notes.splitlines()[0]


PROTOCOLS = {
    "2023.md": "# Protokoll 2023\n\n| TOP | Beschluss | Ja | Nein | Ergebnis |\n|---|---|---|---|---|\n"
    "| 1 | Abrechnung 2022 | 6 | 0 | angenommen |\n| 2 | Kamera am Eingang | 1 | 5 | abgelehnt |\n",
    "2024.md": "# Protokoll 2024\n\n| TOP | Beschluss | Ja | Nein | Enthaltung | Ergebnis |\n|---|---|---|---|---|---|\n"
    "| 1 | Abrechnung 2023 | 5 | 0 | 0 | angenommen |\n| 2 | Wallbox | 2 | 3 | 1 | abgelehnt |\n",
    "jan.csv": "ship;cargo;tons;port\nSkua;coal;10;Leith\nAuk;salt;20;Hull\n",
    "feb.csv": "ship;cargo;tons;port;remark\nSkua;coal;30;Leith;late\nPetrel;salt;40;Hull;\n",
    "crew.csv": "ship;captain;rank;pay\nSkua;Ada;mate;7\nAuk;Ben;cook;8\n",
}


@pytest.fixture(scope="module")
def nearly_alike(tmp_path_factory: pytest.TempPathFactory) -> Index:
    made = project(tmp_path_factory.mktemp("alike"), PROTOCOLS, input={"patterns": ["*.md", "*.csv"]})
    run_index(made)
    return Index.open(made.store.folder)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Wie viele Beschlüsse wurden abgelehnt?", "(2 von 4 Zeilen haben Ergebnis abgelehnt)"),
        ("Was ist die Summe der Enthaltung?", "**Protokoll 2024** (Summe von Enthaltung: 1; "),
        ("What is the sum of the tons?", "(sum of tons: 100; all 4 rows)"),
        ("What is the sum of the tons of coal?", "(sum of tons: 40; 2 of 4 rows have cargo coal)"),
    ],
)
def test_texts_and_files_of_records_with_nearly_the_same_columns_are_counted_together(
    nearly_alike: Index, question: str, said: str
) -> None:
    assert said in nearly_alike.ask(question, "basic").text_with_notes.splitlines()[0]
