"""Lists of names are told from sentences that say something of them, by their form, in any language with capital letters."""

import pytest

from pipeline.text.extraction.name_lists import are_listed, is_name_list, is_relation_line, label_of


@pytest.mark.parametrize(
    "text",
    [
        "Present: Ada Thorne, Ben Okar (chair), Mary Voss.",
        "**Present:** Ada Thorne, Ben Okar; for the union: Mary Voss",
        "Apologies were received from Ada Thorne and Ben Okar.",
        "Stores weekly, 3 May 2024\nthere: Ada, Ben, Mary (chair)",
        "Cc: Ada Thorne; Ben Okar",
        "Ada Thorne, harbour master Ben Okar, Mary Voss (by telephone)",
        "Lindley Company: Ada Thorne, Ben Okar (accounts).",
        "Anwesend waren Petra Kern und Jonas Vogt (Vorsitz).",
        "Entschuldigt: Petra Kern, Jonas von der Au",
        "Étaient présents : Anne Morel, Luc Petit et Jean de la Tour.",
        "Asistieron Ana Ruiz, Luis Gil y Eva Sanz.",
        "Presenti: Anna Rossi, Marco Neri (presidente) e Lia Bosco.",
        "Присутствовали: Анна Орлова, Пётр Ким.",
    ],
)
def test_a_list_of_who_was_there_is_one(text: str) -> None:
    assert is_name_list(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ada Thorne met Ben Okar, Mary Voss and Jonas Lindley.",
        "Ada Thorne, Ben Okar and Mary Voss came late.",
        "Ada Thorne, of Carrow, left.",
        "Was Ada Thorne, of Carrow, there?",
        "Ada Thorne: Ben Okar wrote to Mary Voss, and Jonas laughed.",
        "Ada Thorne | Lindley Company | engineer",
        "Ada Thorne\nHarbour Engineer\nLindley Company",
        "Roof: committee limit 550, payments to Ada Thorne and Ben Okar 583.",
        "Romeo and Juliet",
        "Frau Kern verkaufte Herrn Vogt, dem Nachbarn, das Haus.",
        "Anne Morel a vu Luc Petit, Jean et Marie.",
        "他开着卡车，把茶叶送到厦门，一边开车一边背单词。",
        "",
    ],
)
def test_what_says_something_of_the_names_or_sets_them_in_a_row_of_a_table_is_no_list(text: str) -> None:
    assert not is_name_list(text)


def test_the_label_of_a_list_is_what_is_before_its_first_name() -> None:
    assert label_of("Lindley Company: Ada Thorne, Ben Okar.") == "Lindley Company: "
    assert label_of("Ada Thorne, Ben Okar, Mary Voss") == ""


def test_items_of_one_list_are_told_from_names_that_a_sentence_relates() -> None:
    said = "It is trusted by Wren, Finch and Lark."
    assert are_listed("Wren", "Lark", said) and not are_listed("Wren", "Finch", "Wren, which is old, calls Finch.")
    assert not are_listed("Finch", "Lark", said) and not are_listed("Wren", "Crow", said)


@pytest.mark.parametrize(
    "line", ["Supersedes: RFC 5", "- **Status:** replaced by RFC 7", "Ersetzt durch: RFC 7", "Depends on RFC 2"]
)
def test_a_line_whose_label_relates_is_one(line: str) -> None:
    assert is_relation_line(line) and not is_relation_line("We replaced it by RFC 7")
