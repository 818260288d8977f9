"""Support: a sentence is carried by the fewest spans that hold its names, numbers and words, and by none that contradict it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.text.answering.support import SPANS, carry, negates, spans_of, support

TEXTS = (
    "The mole of Carrow fell in 1874. Ada Thorne had built it in 1871. Rain fell on the harbour for weeks.",
    "Support answered within 6 minutes. The insurer did not pay for the mole.",
)


def test_numbers_and_negations_must_agree() -> None:
    assert support("Support answered within 6 minutes.", TEXTS) == 1
    assert support("Support answered within 4 minutes.", TEXTS) < 0.6
    assert support("The insurer paid for the mole.", ["The insurer did not pay for the mole."]) < 0.7


def test_decimals_are_no_thousands_and_a_number_is_the_same_however_it_is_written() -> None:
    cost = "Der Bau der Mole kostete {} Millionen Mark.".format
    assert support(cost("35"), [cost("3,5")]) < 0.6
    for one, other in (("1500", "1.500"), ("3,5", "3.5")):
        assert support(cost(one), [cost(other)]) > 0.6


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("O navio afundou no porto.", "pt"),
        ("Ne parla il libro, che esce a Roma.", "it"),
        ("No. 12 Squadron moved to Malta, to House No 10.", "en"),
    ],
)
def test_words_that_say_no_in_another_language_and_those_that_number_deny_nothing(text: str, language: str) -> None:
    assert not negates(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [("Er ging nie fort.", "de"), ("Él no vino.", "es"), ("There were no 12 guests.", "en"), ("Hon kom inte.", "sv")],
)
def test_a_denial_is_read_in_its_language(text: str, language: str) -> None:
    assert negates(text, language)


def test_a_sentence_of_two_facts_gets_both_spans_and_no_third() -> None:
    found = carry("The mole, built by Ada Thorne in 1871, fell in 1874.", TEXTS)
    said = [TEXTS[place][start:end] for place, start, end in found.spans]
    assert sorted(said) == ["Ada Thorne had built it in 1871.", "The mole of Carrow fell in 1874."]
    assert found.support > 0.7


def test_who_sent_a_text_counts_with_a_sentence_of_it_and_needs_no_signature_as_a_span() -> None:
    texts = ["I asked the mason about the mole.\n\nYours,\nEdmund Vane", "The mole is of stone."]
    sentence = "Edmund Vane asked the mason about the mole."
    found = carry(sentence, texts, beside=["Edmund Vane, 1874-02-11", ""])
    assert [texts[place][start:end] for place, start, end in found.spans] == ["I asked the mason about the mole."]
    assert found.support == 1.0 and len(carry(sentence, texts).spans) == 2


def test_what_nothing_says_is_carried_by_nothing() -> None:
    assert carry("Elephants graze near Timbuktu.", TEXTS).support < 0.2
    assert carry("", TEXTS) == carry("", ()) and not carry("", TEXTS).spans


@pytest.mark.parametrize("sentence", ["茶厂由林德昌于1912年创办。", "休館日は火曜日です。"])
def test_unspaced_scripts_are_carried_too(sentence: str) -> None:
    assert carry(sentence, ["别的事情。", sentence]).support > 0.9
    assert carry(sentence, ["別のこと。"]).support < 0.5


def test_a_sentence_that_names_many_may_rest_on_as_many_spans_and_no_more_than_five() -> None:
    names = ["Ada Thorne", "Edwin Marsh", "Joan Gray", "Paul Hume", "Mary Leith", "Tom Vane"]
    said = [f"It rained on {', '.join(names[:n])}." for n in range(7)]
    assert [spans_of(sentence) for sentence in said] == [SPANS, SPANS, SPANS, 3, 4, 5, 5]
    found = carry(said[4], [f"It snowed when {name} came." for name in names])
    assert len(found.spans) == 4


@given(st.text(max_size=60), st.lists(st.text(max_size=80), max_size=3))
def test_support_is_a_share_and_spans_are_few(sentence: str, texts: list[str]) -> None:
    found = carry(sentence, texts)
    assert 0 <= found.support <= 1 and len(found.spans) <= spans_of(sentence)
    assert all(0 <= start < end <= len(texts[place]) for place, start, end in found.spans)
