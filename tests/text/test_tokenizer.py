"""pipeline/text/tokenizer.py: the words of any script, and what makes two spellings one."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.text.tokenizer import fold_word, length, words, words_and_gaps

QUICK = settings(deadline=None, max_examples=60)


def test_hyphens_and_apostrophes_cut_words() -> None:
    assert words("Holstein-Gottorp's abbey, 3rd (of 5)") == ["Holstein", "Gottorp", "s", "abbey", "3rd", "of", "5"]


def test_scripts_without_spaces_give_single_characters_and_vowel_signs_stay_in_their_words() -> None:
    assert words("東京は大きい") == list("東京は大きい")
    assert words("हिन्दी भाषा") == ["हिन्दी", "भाषा"]


def test_two_characters_of_a_script_without_spaces_are_a_word_and_those_of_korean_are_not() -> None:
    assert length("東京は大きい。") == length("กรุงเทพ") == 3
    assert length("등대는 항구에 있다.") == length("The mole broke.") == 3


def test_case_and_accents_make_no_difference() -> None:
    assert {fold_word(word) for word in ("Méliès", "MELIES", "melies")} == {"melies"}
    assert fold_word("Łódź") == "lodz"


def test_a_letter_that_only_looks_like_an_accented_one_stays() -> None:
    assert fold_word("Новый") == "новый" and fold_word("Пётр") == "петр"


@QUICK
@given(st.text(max_size=60))
def test_words_and_gaps_make_up_the_text_after_its_first_word(text: str) -> None:
    found, gaps = words_and_gaps(text)
    assert found == words(text) and len(found) == len(gaps)
    assert text.endswith("".join(word + gap for word, gap in zip(found, gaps, strict=True)))
