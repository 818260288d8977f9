"""Follow-up questions on rows: "and heating?" takes the place of what was said of the same column, "of them" keeps the rows that were
listed, and what cannot be understood so is refused."""

from collections.abc import Callable

import pytest

from pipeline.query.answer import Answer
from pipeline.query.index import Index
from pipeline.runner.run import run_index
from tests.corpora import project
from tests.query_cases import LISTS_OF_BILLS

TABLES = {
    "orders.csv": """No;Raised;Building;Trade;Status;Contractor;Cost
W1;03/02/2024;Library;Heating;Open;Northgate;85.00
W2;10/03/2024;Workshop;Plumbing;Closed;Harker;45.00
W3;14/03/2024;Library;Plumbing;Open;Harker;600.00
W4;02/05/2024;Halls;Heating;Waiting;;120.00
W5;20/05/2024;Library;Heating;closed;Northgate;
W6;21/05/2024;Halls;Roofing;Open;Peak;70.00
""",
    "maengel.csv": """Nr;gemeldet am;von;Ort;Mangel;Status;Kosten
1;08.01.2024;Schuster;Keller;Licht flackert;erledigt;274,30
2;02.02.2024;Novak;Keller;Feuchte Wand;offen;
3;11.03.2024;Brandt;Hof;Pflaster lose;in Arbeit;
4;13.05.2024;Novak;Hof;Ratten gesehen;offen;1.287,60
""",
    **LISTS_OF_BILLS,
}
Talk = Callable[..., tuple[Answer, str]]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Index]:
    made: dict[str, Index] = {}

    def index(name: str) -> Index:
        if name not in made:
            own = project(tmp_path_factory.mktemp(name), {name: TABLES[name]})
            run_index(own)
            made[name] = Index.open(own.store.folder)
        return made[name]

    return index


@pytest.fixture
def talk(opened: Callable[[str], Index]) -> Talk:
    def ask(name: str, *questions: str, as_texts: bool = False) -> tuple[Answer, str]:
        """Return the answer to the last of some questions, and as what it was asked."""
        history: list[tuple[str, str | Answer]] = []
        for question in questions:
            answer = opened(name).ask(question, history=history)
            history.append((question, answer.text if as_texts else answer))
        return answer, next(str(one.data["question"]) for one in answer.steps if one.name == "standalone")

    return ask


ORDERS, DEFECTS = "orders.csv", "maengel.csv"


def check_understood(told: tuple[Answer, str], asked: str, note: str) -> None:
    """Check how a question was understood, and what is noted above the rows that answer it."""
    answer, understood = told
    assert understood == asked
    assert answer.sentences[0].note.startswith(note)


@pytest.mark.parametrize(
    ("table", "before", "question", "asked", "note"),
    [
        (ORDERS, "total cost of plumbing orders", "and heating?", "total cost of heating orders", "sum of cost: 205;"),
        (ORDERS, "how many orders are open", "and closed?", "how many orders are closed", "2 of 6 rows"),
        (ORDERS, "how many orders are open", "only the closed ones", "how many orders are closed", "2 of 6 rows"),
        (ORDERS, "how many orders in the library", "and in the workshop?", "how many orders in the workshop", "1 of 6"),
        (ORDERS, "how many orders in the library", "what about halls?", "how many orders in the halls", "2 of 6"),
        (ORDERS, "how many orders were raised in march", "and in may?", "how many orders were raised in may", "3 of 6"),
        (DEFECTS, "wie viele Mängel sind offen", "und in Arbeit?", "wie viele Mängel sind in Arbeit", "1 von 4 Zeilen"),
        (
            DEFECTS,
            "wie viele Mängel sind in Arbeit",
            "und erledigt?",
            "wie viele Mängel sind erledigt",
            "1 von 4 Zeilen",
        ),
        ("factures.csv", "combien de factures sont ouvertes", "et payées ?", "combien de factures sont payées", "1 "),
        ("pedidos.csv", "¿cuántos pedidos de Sol?", "¿y de Luz?", "¿cuántos pedidos de Luz?", "1 "),
        ("ordini.csv", "quanti ordini di Sole", "e di Luce?", "quanti ordini di Luce", "1 "),
    ],
)
def test_another_cell_of_the_same_column_takes_the_place_of_the_one_before(
    talk: Talk, table: str, before: str, question: str, asked: str, note: str
) -> None:
    check_understood(talk(table, before, question), asked, note)


@pytest.mark.parametrize(
    ("table", "before", "question", "asked", "note"),
    [
        (ORDERS, "how many orders are open", "and in the library?", "how many orders are open in the library", "2 of"),
        (ORDERS, "how many orders are open", "and heating?", "and heating? (how many orders are open)", "1 of 6"),
        (ORDERS, "how many orders are open", "per building", "how many orders are open per building", "Library: 2;"),
        (DEFECTS, "wie viele Mängel sind offen", "pro Ort", "wie viele Mängel sind offen pro Ort", "Keller: 1; Hof: 1"),
        (ORDERS, "how many orders are open", "in march", "in march (how many orders are open)", "1 of 6"),
    ],
)
def test_what_is_of_another_column_is_asked_beside_what_was_said_before(
    talk: Talk, table: str, before: str, question: str, asked: str, note: str
) -> None:
    check_understood(talk(table, before, question), asked, note)


@pytest.mark.parametrize(
    ("table", "before", "question", "asked", "note"),
    [
        (ORDERS, "how many orders are open", "how many of them are heating?", "(orders: open)", "1 of 6 rows"),
        (ORDERS, "how many orders are open", "what do they cost together?", "(orders: open)", "sum of cost: 755;"),
        (ORDERS, "how many orders were raised in may", "how many of them are heating?", "(orders: in may)", "2 of 6"),
        (ORDERS, "how many orders are not closed", "how many of them are heating?", "(orders are not closed)", "2 of 6"),
        (ORDERS, "how many orders are there", "how many of them are heating?", "(orders)", "3 of 6 rows"),
        (DEFECTS, "wie viele Mängel hat Novak gemeldet", "was kosten die zusammen?", "(Mängel: Novak)", "Summe von kosten: 1.287,60;"),
        (DEFECTS, "wie viele Mängel sind offen", "wie viele davon sind im Keller?", "(Mängel: offen)", "1 von 4 Zeilen"),
        ("factures.csv", "combien de factures sont ouvertes", "combien d'entre elles sont de Petit ?", "(factures: ouvertes)", "1 "),
        ("pedidos.csv", "cuántos pedidos están abiertos", "¿cuántos de ellos son de Sol?", "(pedidos: abiertos)", "1 "),
        ("ordini.csv", "quanti ordini sono aperti", "quanti di loro sono di Sole?", "(ordini: aperti)", "1 "),
    ],
)  # fmt: skip
def test_those_are_the_rows_that_were_listed(
    talk: Talk, table: str, before: str, question: str, asked: str, note: str
) -> None:
    check_understood(talk(table, before, question), f"{question} {asked}", note)


def test_a_list_of_those_rows_has_no_others(talk: Talk) -> None:
    answer, understood = talk(ORDERS, "which orders are open", "which of those are in the library?")
    assert understood == "which of those are in the library? (orders: open)"
    assert "W1" in answer.text and "W3" in answer.text and "W5" not in answer.text and "W6" not in answer.text
    latest, _ = talk(ORDERS, "which orders are open", "which is the latest?")
    assert "W6" in latest.text and "W5" not in latest.text


@pytest.mark.parametrize("as_texts", [False, True])
def test_rows_are_kept_through_several_questions(talk: Talk, as_texts: bool) -> None:
    questions = "how many orders are open", "how many of them are heating?", "and plumbing?"
    answer, understood = talk(ORDERS, *questions, as_texts=as_texts)
    assert understood == "how many of them are plumbing? (orders: open)"
    assert answer.sentences[0].note == "1 of 6 rows have trade Plumbing, status Open"


@pytest.mark.parametrize(
    ("before", "question"),
    [
        ("how many orders are open", "how many of them are closed?"),
        ("which order is the most expensive", "what do they cost together?"),
        ("how many orders are open", "and the zeppelins?"),
        ("how many orders are not closed", "and waiting?"),
    ],
)
def test_what_is_not_clear_of_those_rows_is_not_counted(talk: Talk, before: str, question: str) -> None:
    answer, understood = talk(ORDERS, before, question)
    assert understood == f"{question} ({before})"
    assert not answer.supported


def test_a_question_that_asks_of_all_rows_is_left_as_it_is(talk: Talk) -> None:
    answer, understood = talk(ORDERS, "how many orders are open", "how many orders are closed?")
    assert understood == "how many orders are closed?"
    assert answer.sentences[0].note.startswith("2 of 6 rows")
