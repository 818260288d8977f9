"""Questions that are typed without accents ask what they ask with them."""

import pytest

from pipeline.text.question.accents import with_accents
from pipeline.text.question.kinds import asks_connection
from pipeline.text.question.reading import read_question
from pipeline.text.question.scope.whole import entities_asked

PAIRS = [
    ("es", "de que color es la barca", "de qué color es la barca"),
    ("es", "como se llama la hija de Tomás", "cómo se llama la hija de Tomás"),
    ("es", "cuanto costo la barca", "cuánto costó la barca"),
    ("es", "por que murio el capitan", "por qué murió el capitan"),
    ("it", "perche non e partita la barca", "perché non e partita la barca"),
    ("it", "dove e nato Ugo e quando e morto", "dove è nato Ugo e quando è morto"),
    ("fr", "ou a ete vendu le cheval", "où a été vendu le cheval"),
    ("fr", "qu'est ce que le conseil a vote", "qu'est-ce que le conseil a vote"),
    ("pt", "onde esta a chave e quem e o capitao", "onde está a chave e quem é o capitao"),
]


@pytest.mark.parametrize(("language", "typed", "meant"), PAIRS)
def test_words_that_ask_get_the_accents_that_they_lack(language: str, typed: str, meant: str) -> None:
    assert with_accents(typed, language) == meant
    assert read_question(typed).kinds == read_question(meant).kinds != ()


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("es", "la mujer que vino cuando el barco llegó"),
        ("es", "¿quién es el hombre que vive donde los barcos?"),
        ("it", "Anna e Marco sono fratelli"),
        ("it", "quando e dove"),
        ("fr", "Marie ou Paul"),
        ("pt", "Ana e Rui"),
        ("de", "was kostet der Kaffee"),
        ("en", "who ate the mas"),
    ],
)
def test_words_that_are_others_without_an_accent_stay_where_they_do_not_ask(language: str, question: str) -> None:
    assert with_accents(question, language) == question


def test_names_stay_as_they_are_typed() -> None:
    assert with_accents("quien es Mas", "es", ["Mas"]) == "quién es Mas"
    assert with_accents("quien es mas", "es", ["mas"]) == "quién es mas"


def test_persons_and_connections_are_asked_for_without_accents() -> None:
    asked = read_question("quienes son las personas mas importantes")
    assert entities_asked(asked.text, asked.language) == "PERSON"
    assert asks_connection(read_question("che legame c'e tra Ugo e Pia", corpus_language="it").text, "it")
