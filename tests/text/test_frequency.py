"""How frequent words are in any text of their language."""

from pipeline.text.lexicon.frequency import RARE, frequency


def test_a_word_of_every_day_is_more_frequent_than_a_word_of_a_subject_and_unknown_ones_are_rare() -> None:
    assert frequency("work", "en") > frequency("bridge", "en") > frequency("asbestos", "en") == RARE
    assert frequency("говорил", "ru") > RARE == frequency("ледоход", "ru")
    assert frequency("work", "xx") == RARE
