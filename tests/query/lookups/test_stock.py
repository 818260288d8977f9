"""Lists of what there is, and of what was planned: quantities are added up, and one column is compared with another."""

import pytest

from tests.query_cases import AskFiles

INVENTORY = """item,category,quantity,unit price,minimum,location
Padlock brass,security,14,6.50,10,Shed A
Padlock steel,security,9,11.00,10,Shed B
Folding chair,furniture,48,12.00,40,Hall
Stacking chair,furniture,30,18.50,40,Hall
Projector,electrical,1,420.00,1,Office
Trestle table,furniture,0,45.00,0,Hall
"""
ORDERS = "order,customer,item,quantity\nB-1,Holm,chairs,40\nB-2,Lund,tables,3\nB-3,Holm,tables,5\n"
PROJECTS = """project,lead,budget,spent,start,due,finished
Roof repair,Anna Holt,12000,13450,2024-01-08,2024-03-01,2024-03-12
Website,Ben Cray,4000,3900,2024-02-01,2024-04-15,2024-04-10
Boiler,Anna Holt,9000,9000,2024-03-04,2024-05-01,2024-05-01
Archive,Ben Cray,6000,,2024-05-01,2024-09-30,
"""
BY_LANGUAGE = {
    "de": "Artikel,Kategorie,Bestand,Mindestbestand,Ort\nKlappstuhl,Möbel,48,40,Halle\nStapelstuhl,Möbel,30,40,Halle\nZange,Werkzeug,3,2,Keller\n",
    "fr": "titre,auteur,quantité,minimum\nNadja,André Breton,1,2\nLa Peste,Albert Camus,6,4\nBel-Ami,Guy de Maupassant,0,1\n",
    "ru": "товар,категория,количество,минимум\nМолоток,инструмент,12,5\nОтвёртка,инструмент,3,5\nКраска белая,краска,20,10\n",
    "ja": "品名,区分,在庫数,棚\n釘,金物,120,A1\nねじ,金物,30,A2\n白ペンキ,塗料,8,B1\n",
}


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many padlocks are in stock?", "sum of quantity: 23; 2 of 6 rows have item padlocks"),
        ("How many chairs do we have?", "sum of quantity: 78; 2 of 6 rows have item chairs"),
        ("How many folding chairs are left?", "sum of quantity: 48; 1 of 6 rows have item Folding chair"),
        ("How many items are in the Hall?", "sum of quantity: 78; 3 of 6 rows have location Hall"),
        ("How many rows have the category furniture?", "(3 of 6 rows have category furniture)"),
        ("How many categories are there?", "all 6 rows; category: 3 different"),
        ("How many benches are in stock?", ""),
        ("Which items are out of stock?", "Trestle table | furniture | 0"),
    ],
)
def test_how_many_there_are_of_something_is_the_sum_of_its_quantities(
    answered: AskFiles, question: str, said: str
) -> None:
    text = answered(question, {"inventory.csv": INVENTORY})
    assert said in text if said else not text


def test_rows_that_the_table_is_called_by_are_counted_by_their_number(answered: AskFiles) -> None:
    assert "(2 of 3 rows have customer Holm)" in answered("How many orders are from Holm?", {"orders.csv": ORDERS})


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which items are below the minimum?", "2 of 6 rows have quantity < minimum"),
        ("How many items are above the minimum?", "2 of 6 rows have quantity > minimum"),
        ("Which projects went over budget?", "Roof repair | Anna Holt | 12000 | 13450"),
        ("How many projects were under budget?", "1 of 4 rows have spent < budget"),
        ("Which projects spent more than their budget?", "Roof repair | Anna Holt | 12000 | 13450"),
        ("Which projects were finished after the due date?", "Roof repair | Anna Holt | 12000 | 13450"),
        ("How many projects were finished before the due date?", "1 of 4 rows have finished < due"),
        ("Which projects were finished after the flood?", ""),
        ("Which projects are over the due date?", ""),
    ],
)
def test_one_column_is_compared_with_another_that_the_question_names(
    answered: AskFiles, question: str, said: str
) -> None:
    text = answered(question, {"inventory.csv": INVENTORY, "projects.csv": PROJECTS})
    assert said in text if said else not text


@pytest.mark.parametrize(
    ("question", "said", "language"),
    [
        ("Wie viele Klappstühle sind auf Lager?", "Summe von bestand: 48", "de"),
        ("Welche Artikel liegen unter dem Mindestbestand?", "Stapelstuhl | Möbel | 30 | 40 | Halle", "de"),
        ("Combien d'exemplaires de La Peste avons-nous ?", "somme de quantité: 6", "fr"),
        ("Quels titres sont en dessous du minimum ?", "2 lignes sur 3 ont quantité < minimum", "fr"),
        ("Сколько молотков на складе?", "сумма количество: 12", "ru"),
        ("Каких товаров меньше минимума?", "Отвёртка | инструмент | 3 | 5", "ru"),
        ("釘の在庫はいくつですか", "在庫数の合計: 120", "ja"),
        ("金物は何点ありますか", "在庫数の合計: 150", "ja"),
    ],
)
def test_what_there_is_is_asked_in_other_languages(answered: AskFiles, question: str, said: str, language: str) -> None:
    names = {"de": "lager", "fr": "biblio", "ru": "склад", "ja": "在庫"}
    assert said in answered(question, {f"{names[language]}.csv": BY_LANGUAGE[language]})


PAYMENTS_OF_A_CLUB = """Réf,Date,Adhérent,Motif,Montant,État
P1,11/01/2024,Inès Dupuis,cotisation,"120,00 €",payé
P2,12/02/2024,Maëlle Gauthier,stage,"35,50 €",impayé
P3,18/02/2024,Hugo Marchand,don,"100,00 €",en attente
P4,20/05/2024,Louis Colin,stage,"240,00 €",payé
"""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Combien de versements impayés ?", "1 lignes sur 4 ont état impayé"),
        ("total des impayés", "somme de montant: 35,50; 1 lignes sur 4 ont état impayé"),
        ("Combien on a encaissé en 2024 ?", "somme de montant: 360; 2 lignes sur 4 ont date 2024, état payé"),
    ],
)
def test_unpaid_is_a_state_of_its_own_where_a_cell_says_so_and_what_is_open_was_not_received(
    answered: AskFiles, question: str, said: str
) -> None:
    assert said in answered(question, {"versements.csv": PAYMENTS_OF_A_CLUB})


BILLS = (
    "number,date,client,amount\nF1,12/01/2024,Robles,18.00\nF2,15/02/2024,Mirador,45.50\nF3,24/05/2024,Robles,120.00\n"
)
REPAIRS = "job,received,client,bike,hours\n1,06/02/2024,Robles,city,2\n2,07/03/2024,Sanz,folding,3.25\n3,10/04/2024,Sanz,city,1\n"


def test_a_total_of_which_nothing_more_is_said_is_one_of_money(answered: AskFiles) -> None:
    text = answered("total per client", {"bills.csv": BILLS, "repairs.csv": REPAIRS})
    assert "sum of amount: Robles: 138; Mirador: 45.50" in text


def test_what_came_in_was_not_paid_out(answered: AskFiles) -> None:
    donations = {"donations.csv": "Date,Donor,Amount\n28/07/2024,Dr Stein,£1500.00\n31/10/2024,Harbour Trust,£25.00\n"}
    assert not answered("How much did we pay out in 2024?", donations)
    assert "sum of amount: 1,525" in answered("How much did we receive in 2024?", donations)


OPEN_BILLS = """bill,date,client,amount,status
F1,2024-01-12,Robles,118.00,paid
F2,2024-02-15,Mirador,45.50,unpaid
F3,2024-05-24,Sanz,120.00,paid
F4,2024-06-02,Gil,80.25,unpaid
"""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who still has to pay?", "2 of 4 rows have status other than paid"),
        ("How much is still to be paid?", "sum of amount: 125.75; 2 of 4 rows"),
        ("Who needs to pay by June?", ""),
    ],
)
def test_who_still_has_to_pay_is_told_by_what_is_not_paid(answered: AskFiles, question: str, said: str) -> None:
    text = answered(question, {"bills.csv": OPEN_BILLS})
    assert said in text if said else not text
