"""What a question connects that has no name of the index: only where it asks for a connection, of one name, in words that the texts have."""

import pytest

from pipeline.text.question.question import LinkedEntity
from pipeline.text.question.reading import read_question
from pipeline.text.question.scope.connected_ends import asks_in_common, common_thing

ADA = LinkedEntity("1", "Ada Thorne", "PERSON", "Ada Thorne", 3, ())


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("How is Ada Thorne connected to the flood?", "flood"),
        ("What is the connection between Ada Thorne and boiler 2?", "boiler 2"),
        ("Who links Ada Thorne and the harbour?", "harbour"),
        ("Was hat Ada Thorne mit dem Hafen zu tun?", "Hafen"),
        ("Quel est le lien entre Ada Thorne et le port ?", "port"),
        ("¿Qué relación hay entre Ada Thorne y el puerto?", "puerto"),
        ("Che relazione c'è tra Ada Thorne e il porto?", "porto"),
        ("What did Ada Thorne say of the flood?", ""),
        ("Who joined Ada Thorne in the harbour?", ""),
    ],
)
def test_the_end_without_a_name_is_what_a_question_for_a_connection_says_besides_it(question: str, thing: str) -> None:
    found = common_thing(read_question(question, [ADA]))
    assert (found.words if found else "") == thing


@pytest.mark.parametrize(
    "question",
    [
        "What do Ada Thorne and Ben Okar have in common?",
        "Was haben Ada Thorne und Ben Okar gemeinsam?",
        "Qu'ont Ada Thorne et Ben Okar en commun ?",
        "¿Qué tienen en común Ada Thorne y Ben Okar?",
        "Che cosa hanno in comune Ada Thorne e Ben Okar?",
    ],
)
def test_a_question_for_what_is_common_is_told(question: str) -> None:
    assert asks_in_common(read_question(question, [ADA]))
