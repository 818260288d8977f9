"""What a question asks of the rows of a table, in the languages that have words for it."""

import pytest

from pipeline.text.question.row_questions import asked_rows


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
    asked = asked_rows(question, language)
    assert asked is not None and (asked.wanted, asked.column) == (wanted, column)


def test_the_words_that_say_something_else_are_left_for_the_table_to_explain() -> None:
    asked = asked_rows("How many open orders did the Harbour Cafe place?", "en")
    assert asked is not None and asked.keys == {"open", "order", "harbour", "cafe"}


OTHERS = [
    ("How many tickets are not closed?", "en"),
    ("How many tickets aren't closed?", "en"),
    ("How many tickets have more than 3 hours?", "en"),
    ("What is the second highest bill?", "en"),
    ("How many orders came after 2020?", "en"),
    ("Wie viele Rechnungen sind nicht bezahlt?", "de"),
    ("Combien de factures coûtent plus de 100 € ?", "fr"),
    ("Сколько заказов не оплачено?", "ru"),
    ("有多少个订单超过100元？", "zh"),
    ("三番目に高い注文はいくつですか？", "ja"),
]
"""Questions that deny or compare, which are looked up in no table."""


def test_words_with_a_hyphen_and_characters_are_left_too() -> None:
    english, chinese = asked_rows("How many orders are sea-green?", "en"), asked_rows("有多少个未付的订单？", "zh")
    assert english is not None and english.keys == {"sea", "green", "order"}
    assert chinese is not None and chinese.keys == set("未付订单")


@pytest.mark.parametrize(
    ("question", "language"),
    [("Who built the mole?", "en"), ("Кто построил мол?", "ru"), ("谁付了钱？", "zh"), ("", "en"), *OTHERS],
)
def test_other_questions_ask_nothing_of_rows(question: str, language: str) -> None:
    assert asked_rows(question, language) is None
