"""Questions on the whole: which want the main persons, places or firms, which the problems or decisions, and which want one thing."""

import pytest

from pipeline.text.question.scope.mention_questions import asked_mention
from pipeline.text.question.scope.whole import (
    asks_for_whole,
    concerns,
    concerns_surely,
    entities_asked,
    is_on_one_matter,
    matter_asked,
)


@pytest.mark.parametrize(
    ("question", "language", "type"),
    [
        ("Who are the main characters?", "en", "PERSON"),
        ("Which people are mentioned most often?", "en", "PERSON"),
        ("Which places are important?", "en", "PLACE"),
        ("What are the most important companies?", "en", "ORGANIZATION"),
        ("Wer sind die wichtigsten Personen?", "de", "PERSON"),
        ("Wer sind die Hauptfiguren?", "de", "PERSON"),
        ("Quels sont les lieux importants ?", "fr", "PLACE"),
        ("¿Quiénes son los personajes principales?", "es", "PERSON"),
        ("Quali sono le aziende più importanti?", "it", "ORGANIZATION"),
        ("Who counts most in this tale?", "en", "PERSON"),
        ("Wer ist am wichtigsten?", "de", "PERSON"),
    ],
)
def test_the_main_entities_of_a_type_are_asked_for(question: str, language: str, type: str) -> None:
    assert entities_asked(question, language) == type and matter_asked(question, language) is None


@pytest.mark.parametrize(
    ("question", "language", "matter"),
    [
        ("What are the main problems?", "en", "problems"),
        ("What problems come up again and again?", "en", "problems"),
        ("What went wrong?", "en", "problems"),
        ("What do people complain about?", "en", "problems"),
        ("What are the biggest disagreements?", "en", "conflicts"),
        ("What decisions were taken?", "en", "decisions"),
        ("What are the main conclusions?", "en", "lessons"),
        ("Was sind die größten Probleme?", "de", "problems"),
        ("Was ist schiefgelaufen?", "de", "problems"),
        ("Quels sont les principaux conflits ?", "fr", "conflicts"),
        ("¿Cuáles son los principales problemas?", "es", "problems"),
        ("Quali sono le decisioni più importanti?", "it", "decisions"),
        ("What was agreed?", "en", "decisions"),
        ("What did the committee decide?", "en", "decisions"),
        ("Which decisions did people make?", "en", "decisions"),
        ("Was wurde beschlossen?", "de", "decisions"),
        ("¿Qué se acordó?", "es", "decisions"),
        ("Cosa hanno deciso?", "it", "decisions"),
        ("What changed?", "en", "changes"),
        ("How did life change over the years?", "en", "changes"),
        ("Was hat sich geändert?", "de", "changes"),
        ("¿Qué ha cambiado?", "es", "changes"),
        ("Qu'est-ce qui a changé ?", "fr", "changes"),
        ("What was the outcome?", "en", "outcomes"),
        ("How did it all end?", "en", "outcomes"),
        ("Wie ging das alles aus?", "de", "outcomes"),
        ("Com'è andata a finire?", "it", "outcomes"),
        ("What are the greatest worries of the family?", "en", "problems"),
    ],
)
def test_what_went_wrong_was_disputed_decided_or_learnt_is_asked_for(question: str, language: str, matter: str) -> None:
    assert matter_asked(question, language) == matter and entities_asked(question, language) == ""


@pytest.mark.parametrize(
    "question",
    [
        "Which places are closed?",
        "Who are the members?",
        "Who are the main characters in chapter 3?",
        "What is the biggest ship?",
        "What problems did the pump have?",
        "What are the main problems of the ferry?",
        "What decision was taken on the pier?",
        "What are the risks?",
        "Which companies are there?",
        "Was the main problem solved by the letter?",
        "What changed in version 3.2?",
        "What was agreed with the ferryman?",
        "How did the voyage end?",
        "What was the result of the count?",
        "Who decided?",
    ],
)
def test_a_question_on_one_thing_on_some_or_in_one_text_is_none_on_the_whole(question: str) -> None:
    assert matter_asked(question, "en") is None and entities_asked(question, "en") == ""


@pytest.mark.parametrize(
    ("question", "language", "matter"),
    [
        ("What were the disagreements?", "en", "conflicts"),
        ("What are the risks?", "en", "problems"),
        ("Welche Lehren gibt es?", "de", "lessons"),
        ("Quels sont les désaccords ?", "fr", "conflicts"),
    ],
)
def test_where_nothing_else_answers_a_question_that_names_nothing_else_may_be_on_the_whole(
    question: str, language: str, matter: str
) -> None:
    assert matter_asked(question, language) is None and matter_asked(question, language, bare=True) == matter
    assert entities_asked("Which companies are there?", "en", bare=True) == "ORGANIZATION"
    assert matter_asked("What problems did the pump have?", "en", bare=True) is None


@pytest.mark.parametrize(
    ("said", "there_was_one"),
    [
        ("The pump failed twice in May.", True),
        ("The pump ran without a fault.", False),
        ("There was no damage to the roof.", False),
        ("Nobody saw that the roof was damaged.", True),
    ],
)
def test_a_sentence_that_denies_a_problem_concerns_none(said: str, there_was_one: bool) -> None:
    assert concerns(said, "problems", "en") == there_was_one
    assert not concerns("Der Brunnen läuft ohne Störung.", "problems", "de")


@pytest.mark.parametrize("question", ["What is life?", "What is a family?", "What things are in the box?"])
def test_nouns_of_what_any_texts_are_about_alone_ask_for_no_whole(question: str) -> None:
    assert not asks_for_whole(question, "en")


def test_how_such_things_changed_is_no_question_on_where_they_are_mentioned() -> None:
    assert asked_mention("How did things change over the years?", "en").sought == ""
    assert asked_mention("How did the ferry change over the years?", "en").sought == "ferry"


@pytest.mark.parametrize(
    ("question", "language", "matter"),
    [
        ("What are people unhappy with?", "en", "problems"),
        ("What did not work?", "en", "problems"),
        ("What's gone wrong?", "en", "problems"),
        ("What still has to be done?", "en", "tasks"),
        ("What's still left to do?", "en", "tasks"),
        ("What are the next steps?", "en", "tasks"),
        ("What are the rules here?", "en", "rules"),
        ("What is forbidden?", "en", "rules"),
        ("What went well?", "en", "successes"),
        ("Where do people disagree?", "en", "conflicts"),
        ("Was ist noch zu tun?", "de", "tasks"),
        ("Was ist hier verboten?", "de", "rules"),
        ("Qu'est-ce qui reste à faire ?", "fr", "tasks"),
        ("¿Qué queda por hacer?", "es", "tasks"),
        ("Cosa resta da fare?", "it", "tasks"),
    ],
)
def test_everyday_words_ask_for_what_is_left_to_do_for_rules_and_for_what_went_well(
    question: str, language: str, matter: str
) -> None:
    assert matter_asked(question, language, bare=True) == matter


@pytest.mark.parametrize(
    "question",
    [
        "What is left in the box?",
        "What is forbidden in the harbour?",
        "Which jobs are on the mill?",
        "What must be oiled?",
    ],
)
def test_the_same_of_one_thing_is_no_question_on_the_whole(question: str) -> None:
    assert matter_asked(question, "en", bare=True) is None


def test_one_problem_or_decision_that_is_spoken_of_as_known_is_told_from_all_of_them() -> None:
    assert is_on_one_matter("How was the dispute settled?", "en") and is_on_one_matter(
        "Wie lautet der Beschluss?", "de"
    )
    assert not is_on_one_matter("What disputes were there?", "en")


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Who does what?", "en"),
        ("Who's responsible for what?", "en"),
        ("Wer macht was?", "de"),
        ("Qui fait quoi ?", "fr"),
    ],
)
def test_who_does_what_asks_for_the_main_persons(question: str, language: str) -> None:
    assert entities_asked(question, language) == "PERSON"


def test_a_sign_that_mostly_means_something_else_shows_a_problem_less_surely() -> None:
    assert concerns("She can't come on Monday.", "problems", "en")
    assert not concerns_surely("She can't come on Monday.", "problems", "en")
    assert concerns_surely("The roof leaked and we can't use the hall.", "problems", "en")
