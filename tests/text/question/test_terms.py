"""What a question wants: its names and words with weights that follow the corpus, the kind of answer, how much is met."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.text.question.terms import CAUSE, DATE, NUMBER, PERSON, PLACE, Wanted, holds, names_in, want, weighed


def words(wanted: Wanted) -> dict[str, int]:
    return {term.word: term.name for term in wanted.terms}


def test_names_are_told_from_words_and_what_only_asks_is_left_out() -> None:
    assert words(want("Did Joan of Arc lose any battles?")) == {"Joan": 1, "Arc": 1, "lose": 0, "battles": 0}
    assert words(want("Tell me about Gilles de Rais.")) == {"Gilles": 1, "Rais": 1}
    assert words(want("What is La Charité-sur-Loire?")).keys() == {"Charité", "sur", "Loire"}
    assert set(words(want("What is La Charité-sur-Loire?")).values()) == {1}


def test_known_names_count_in_any_case_and_by_any_form() -> None:
    wanted = want("when did the maid of orleans die", {"maid of orleans": ("Joan of Arc", "maid of orleans")})
    assert words(wanted)["maid"] == 1
    assert wanted.named(wanted.met("Joan of Arc died in 1431.")) == {1}


def test_years_are_demanded_like_names() -> None:
    wanted = want("Who was executed at Rouen in 1431?")
    assert len(wanted.names) == 2
    assert wanted.named(wanted.met("The sentence was read at Rouen in 1456.")) != wanted.names


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who crowned Charles VII?", PERSON),
        ("When was she burned?", DATE),
        ("In which year was he born?", DATE),
        ("Where did he die?", PLACE),
        ("How many men came?", NUMBER),
        ("Why did it fail?", CAUSE),
        ("What happened at Patay?", ""),
        ("Did she visit any cities where she won?", ""),
        ("Wann starb er?", DATE),
        ("Qui a gagné?", PERSON),
    ],
)
def test_the_kind_of_answer_is_told_by_the_word_that_asks(question: str, kind: str) -> None:
    assert want(question).kind == kind


def test_a_number_is_more_than_a_date() -> None:
    assert (
        holds(NUMBER, "for 10,000 livres") and holds(NUMBER, "forty times") and holds(NUMBER, "ten ships in May 1430")
    )
    assert not holds(NUMBER, "on 23 May 1430")
    assert holds(DATE, "on 23 May 1430") and not holds(DATE, "10,000 livres")
    assert holds(CAUSE, "because it rained") and not holds(CAUSE, "it rained")


def test_rare_words_weigh_more_and_a_long_name_not_more_than_its_rarest_word() -> None:
    wanted = weighed(want("Did Joan of Arc lose?"), {"joan": 90, "arc": 90, "los": 3}, 100)
    weights = dict(zip((term.word for term in wanted.terms), wanted.weights, strict=True))
    assert weights["lose"] > weights["Joan"] + weights["Arc"]
    unmet = weighed(want("When did Joan of Arc visit Japan?"), {"joan": 90, "arc": 90, "visit": 9, "japan": 0}, 100)
    assert unmet.share(unmet.met("Joan of Arc visited Auxerre.")) < 0.5


def test_a_name_is_met_by_most_of_it() -> None:
    wanted = weighed(want("Who was Charles VII?"), {"charl": 20, "vii": 15}, 100)
    assert wanted.named(wanted.met("Charles VII was king."))
    assert not wanted.named(wanted.met("Charles VI was king."))


def test_of_several_things_a_statement_need_speak_of_one_only() -> None:
    wanted = want("Who is older, Ada Thorne or Bela Quist?")
    assert wanted.several and wanted.closeness("Ada Thorne is older.") == 1


def test_names_in_a_text_keep_their_connectors() -> None:
    text = "In 1429 the Duke of Alençon and Joan of Arc came to Saint-Denis. Charles VII's army left."
    assert names_in(text) == ["Duke of Alençon", "Joan of Arc", "Saint-Denis", "Charles VII"]


@settings(deadline=None, max_examples=80)
@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=20))
def test_any_question_and_any_text_can_be_measured(question: str, text: str, heading: str) -> None:
    wanted = want(question)
    assert len(wanted.terms) == len(wanted.weights)
    assert all(0 <= met <= 1 for met in wanted.met_under(text, heading))
    assert 0 <= wanted.closeness(text, heading) <= 1 + 1e-9
    assert wanted.named(wanted.met(text)) <= wanted.names
