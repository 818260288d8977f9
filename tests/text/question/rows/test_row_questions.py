"""What a question asks of the rows of a table, in the languages that have words for it."""

import math

import pytest

from pipeline.text.question.rows.row_bounds import EARLIEST, LATEST
from pipeline.text.question.rows.row_questions import asked_phrase, asked_rows, asks_of_all_rows


@pytest.mark.parametrize(
    ("question", "language", "wanted", "column"),
    [
        ("Which order was the most expensive?", "en", "most", "money"),
        ("Which order was the least expensive?", "en", "least", "money"),
        ("How many tickets are open?", "en", "count", ""),
        ("What is the total of all open orders?", "en", "sum", ""),
        ("Welches ist das älteste Schiff?", "de", "least", "date"),
        ("Wie hoch ist der durchschnittliche Betrag?", "de", "mean", ""),
        ("Quel est le navire le plus ancien ?", "fr", "least", "date"),
        ("Combien de factures sont ouvertes ?", "fr", "count", ""),
        ("¿Cuál es el pedido más barato?", "es", "least", "money"),
        ("Qual è la nave più veloce?", "it", "most", "speed"),
        ("Which ship is the largest?", "en", "most", "size"),
        ("Какой заказ самый дешёвый?", "ru", "least", "money"),
        ("Сколько заказов открыто?", "ru", "count", ""),
        ("最早的订单是什么时候？", "zh", "least", "date"),
        ("有多少个未付的订单？", "zh", "count", ""),
        ("一番高い注文はどれですか？", "ja", "most", "level"),
        ("注文の合計金額はいくらですか？", "ja", "sum", ""),
    ],
)
def test_what_is_wanted_and_of_which_kind_of_column(question: str, language: str, wanted: str, column: str) -> None:
    asked = asked_rows(question, language)[0]
    assert (asked.wanted, asked.column) == (wanted, column) and asked.is_clear


def test_the_words_that_say_something_else_are_left_for_the_table_to_explain() -> None:
    (asked,) = asked_rows("How many open orders did the Harbour Cafe place?", "en")
    assert asked.keys == {"open", "order", "harbour", "cafe"}


def test_words_with_a_hyphen_and_characters_are_left_too() -> None:
    (english,), (chinese,) = (
        asked_rows("How many orders are sea-green?", "en"),
        asked_rows("有多少个未付的订单？", "zh"),
    )
    assert english.keys == {"sea", "green", "order"} and chinese.keys == set("未付订单")


@pytest.mark.parametrize(
    ("question", "language", "denied"),
    [
        ("How many tickets are not closed?", "en", "closed"),
        ("How many tickets aren't closed yet?", "en", "closed"),
        ("Wie viele Rechnungen sind noch nicht bezahlt?", "de", "bezahlt"),
        ("Combien de factures n'ont pas été payées ?", "fr", "payées"),
        ("¿Cuántos pedidos no están cerrados?", "es", "cerrados"),
        ("Quanti ordini non sono chiusi?", "it", "chiusi"),
        ("Сколько заказов не оплачено?", "ru", "оплачено"),
    ],
)
def test_a_denial_is_one_of_the_word_behind_it(question: str, language: str, denied: str) -> None:
    (asked,) = asked_rows(question, language)
    assert asked.is_clear and [term.written for term in asked.terms if term.denied] == [denied]


@pytest.mark.parametrize(
    ("question", "language", "first"),
    [
        ("How many tickets were opened in May 2024?", "en", "2024-05-01"),
        ("How many tickets were opened in May?", "en", "05-01"),
        ("How many tickets were opened on 2024-05-07?", "en", "2024-05-07"),
        ("Wie viele Rechnungen sind vom Mai 2024?", "de", "2024-05-01"),
        ("Combien de factures de mai 2024 sont ouvertes ?", "fr", "2024-05-01"),
        ("¿Cuántos pedidos de mayo de 2024 están abiertos?", "es", "2024-05-01"),
        ("Quanti ordini di maggio 2024 sono aperti?", "it", "2024-05-01"),
        ("Сколько заказов в мае 2024 года?", "ru", "2024-05-01"),
        ("有多少个2024年5月的订单？", "zh", "2024-05-01"),
    ],
)
def test_the_days_of_a_question_are_no_words_that_a_cell_has_to_hold(question: str, language: str, first: str) -> None:
    (asked,) = asked_rows(question, language)
    assert asked.is_clear and asked.days and asked.days.first == first
    assert "2024" not in asked.keys and "may" not in asked.keys


def test_how_many_rows_are_wanted_and_of_what_each_is_to_have_a_figure() -> None:
    (five,) = asked_rows("Show the five most expensive complaints", "en")
    assert (five.wanted, five.column, five.rows) == ("most", "money", 5)
    (each,) = asked_rows("Wie viele Rechnungen gibt es pro Kunde?", "de")
    assert [term.written for term in each.terms if term.per] == ["kunde"]
    assert [one.total for one in asked_rows("Which product has the highest total amount?", "en")] == [None, "sum"]


OTHERS = [
    ("How many tickets have twice as many hours?", "en"),
    ("How many bills are second?", "en"),
    ("How many orders came around 1 May 2020?", "en"),
    ("How many orders are not over 30?", "en"),
    ("How many orders are from May or July 2024?", "en"),
    ("How many orders have three items?", "en"),
    ("How many orders were not opened and not closed?", "en"),
    ("How many orders came before 03/04/2024?", "en"),
    ("Wie viele Rechnungen sind Ende Mai 2024 offen?", "de"),
    ("Сколько заказов пришло не в январе 2024 года?", "ru"),
    ("有多少个订单没有发货或取消？", "zh"),
    ("三番目に高い注文はいくつですか？", "ja"),
]
"""Questions that compare, or deny twice, which are looked up in no table."""


@pytest.mark.parametrize(("question", "language"), OTHERS)
def test_a_question_that_compares_is_not_clear_and_a_few_rows_are_no_answer_to_it(question: str, language: str) -> None:
    asked = asked_rows(question, language)
    assert not any(one.is_clear for one in asked) and asks_of_all_rows(asked)


@pytest.mark.parametrize(
    ("question", "language"),
    [("Who built the mole?", "en"), ("Кто построил мол?", "ru"), ("谁付了钱？", "zh"), ("", "en")],
)
def test_other_questions_ask_nothing_of_rows(question: str, language: str) -> None:
    assert not asked_rows(question, language)


@pytest.mark.parametrize(
    ("question", "language", "first", "last"),
    [
        ("How many orders came after 2020?", "en", "2021-01-01", LATEST),
        ("How many orders came since May?", "en", "05-01", "99-99"),
        ("orders before 2 June 2024", "en", EARLIEST, "2024-06-01"),
        ("orders by 1 March 2024", "en", EARLIEST, "2024-03-01"),
        ("orders between 1 February 2024 and 30 April 2024", "en", "2024-02-01", "2024-04-30"),
        ("orders from 2 May to 4 June", "en", "05-02", "06-04"),
        ("orders in May", "en", "05-01", "05-31"),
        ("orders after April", "en", "05-01", "99-99"),
        ("orders after February", "en", "03-01", "99-99"),
        ("orders up to 2020", "en", EARLIEST, "2020-12-31"),
        ("Wie viele Rechnungen sind seit Mai 2024 offen?", "de", "2024-05-01", LATEST),
        ("Rechnungen nach dem 1. März 2024", "de", "2024-03-02", LATEST),
        ("factures avant le 3 mars 2024", "fr", EARLIEST, "2024-03-02"),
        ("¿Cuántos pedidos hay desde mayo de 2024?", "es", "2024-05-01", LATEST),
        ("Quanti ordini ci sono dopo maggio 2024?", "it", "2024-06-01", LATEST),
    ],
)
def test_days_are_bounded_by_a_date_or_by_two(question: str, language: str, first: str, last: str) -> None:
    (asked,) = asked_rows(question, language) or asked_phrase(question, language)
    assert asked.is_clear and asked.days and (asked.days.first, asked.days.last) == (first, last)


@pytest.mark.parametrize(
    ("question", "language", "least", "most", "column"),
    [
        ("How many tickets have more than 3 hours?", "en", 3, math.inf, ""),
        ("payments over £1,500.50", "en", 1500.5, math.inf, "money"),
        ("payments between 100 and 250 euros", "en", 100, 250, "money"),
        ("rooms with 3 or more", "en", 3, math.inf, ""),
        ("How many invoices are more than 2000?", "en", 2000, math.inf, ""),
        ("boats cheaper than 900", "en", -math.inf, 900, "money"),
        ("Combien de factures coûtent plus de 1 500 € ?", "fr", 1500, math.inf, "money"),
        ("Zahlungen von höchstens 1.000 Euro", "de", -math.inf, 1000, "money"),
    ],
)
def test_numbers_are_bounded_by_a_number_or_by_two(
    question: str, language: str, least: float, most: float, column: str
) -> None:
    (asked,) = asked_rows(question, language) or asked_phrase(question, language)
    assert asked.limit and (asked.limit.least, asked.limit.most, asked.limit.column) == (least, most, column)


def test_the_numbers_at_a_bound_are_within_it_where_the_words_say_so() -> None:
    (over,), (at_least,) = (
        asked_rows("Which bills are over 30?", "en"),
        asked_rows("Which bills are at least 30?", "en"),
    )
    assert over.limit and at_least.limit
    assert (over.limit.holds(30), at_least.limit.holds(30), over.limit.holds(math.nan)) == (False, True, False)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("How much did we spend on paint?", "en"),
        ("Wie viel haben wir für Farbe ausgegeben?", "de"),
        ("Combien avons-nous dépensé pour la peinture ?", "fr"),
        ("¿Cuánto hemos gastado en pintura?", "es"),
        ("Quanto abbiamo speso per la vernice?", "it"),
    ],
)
def test_what_was_spent_is_a_sum_of_money(question: str, language: str) -> None:
    (asked,) = asked_rows(question, language)
    assert (asked.wanted, asked.column, len(asked.terms)) == ("sum", "money", 1)
