"""How surely a sentence says who somebody is."""

import pytest

from pipeline.text.answering.kind_evidence import says_what


@pytest.mark.parametrize(
    ("language", "name", "tells", "names"),
    [
        (
            "en",
            "Ada",
            "The choir is led by Ada Thorne who teaches at the school.",
            "The letter was read by Ada Thorne.",
        ),
        ("en", "Ada", "The treasurer is Ada.", "It was Ada."),
        ("en", "Ada", "Chair: Ada Thorne", "The rain stopped: Ada went out."),
        ("en", "Ada", "Ada, our cook, left early.", "Ada, however, left early."),
        ("en", "Ada", "Ada is the warden.", "Ada is not here."),
        ("en", "Ada", "Ada (warden) left early.", "Ada (14:30) left early."),
        ("en", "Ada", "A carter called Ada came by.", "A carter saw Ada."),
        ("en", "Ada", "The carter Ada came by.", "They told Ada to come."),
        ("fr", "Ada", "C'est chez Ada qui garde le refuge.", "C'est chez Ada."),
        ("fr", "Ada", "Ada est la bergère.", "Ada est là."),
        ("it", "Ada", "C'era anche Ada, che tiene la bottega.", "C'era anche Ada, ma tardi."),
        ("de", "Ada", "Ada, die Wirtin, war da.", "Ada, aber nicht Ben, war da."),
        ("es", "Ada", "Vino Ada, la maestra.", "Vino Ada, pero tarde."),
        ("ru", "Елена", "Елена Петровна Рябова — врач в посёлке.", "Елена Петровна Рябова ушла."),
        ("ru", "Елена", "Елена Рябова (врач) ушла.", "Вчера Елена Рябова ушла."),
        ("ru", "Елена", "Была и Елена, которая лечила детей.", "Была и Елена, но поздно."),
        ("ru", "Елена", "Елена приходится ему тёткой.", "Елена пришла домой."),
        ("ru", "Рябова", "Её тётка Рябова ушла.", "Елена Рябова ушла."),
    ],
)
def test_a_role_beside_a_name_says_who_bears_it(language: str, name: str, tells: str, names: str) -> None:
    assert says_what(tells, [name], language) >= 0.8
    assert says_what(tells, [name], language) > says_what(names, [name], language)


def test_a_sentence_that_speaks_to_somebody_does_not_say_who_that_is() -> None:
    assert says_what('"That is all we did, Ada, I swear."', ["Ada"], "en") < 0.3
    assert says_what('"You had better read them, Ada."', ["Ada"], "en") < 0.3
    assert says_what("Then came our cook, Ada, and laughed.", ["Ada"], "en") >= 0.3


def test_what_somebody_owns_does_not_say_who_that_is() -> None:
    assert says_what("They left it in Ada's car: the green one.", ["Ada"], "en") <= 0.3
    assert says_what("They left it with the carter Ada's dog.", ["Ada"], "en") >= 0.8


@pytest.mark.parametrize(
    "said", ['"Come in," said Ada.', '"Come in," Ada Thorne replied.', '"Come in," Ada said, "and sit."']
)
def test_that_somebody_said_something_does_not_say_who_that_is(said: str) -> None:
    assert says_what(said, ["Ada"], "en") < 0.3
    assert says_what('"Come in," said Ada, the miller.', ["Ada"], "en") >= 0.8
    assert says_what("They said Ada had left.", ["Ada"], "en") >= 0.3
