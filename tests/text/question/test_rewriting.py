"""Follow-up questions: what leans on the turns before is completed from them, what stands alone is left as it is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.text.question.mentioned_name import MentionedName
from pipeline.text.question.rewriting import find_names, stand_alone

NAMES = (
    MentionedName("Ada Thorne", "PERSON", ("Ada Thorne",)),
    MentionedName("Edmund Vane", "PERSON", ("Edmund Vane",)),
    MentionedName("Harriet Loss", "PERSON", ("Judge Harriet Loss", "Harriet Loss")),
    MentionedName("Northern Dock Company", "ORGANIZATION", ("Northern Dock Company",)),
    MentionedName("Carrow", "PLACE", ("Carrow",)),
    MentionedName("Leith", "PLACE", ("Leith",)),
    MentionedName("Siege of Orléans", "EVENT", ("Siege of Orléans", "siege of Orléans")),
    MentionedName("Orléans", "PLACE", ("Orléans",)),
    MentionedName("Paris", "PLACE", ("Paris",)),
    MentionedName("west mole", "CONCEPT", ("west mole",)),
    MentionedName("Ada 北", "PERSON", ("北方",)),
)
MOLE = [
    (
        "Who built the west mole of Carrow?",
        "Ada Thorne built the west mole of Carrow in 1871. The Northern Dock Company paid for the mole.",
    )
]
MARRIED = [("Whom did Edmund Vane marry?", "Edmund Vane married Ada Thorne in 1882.")]
SIEGE = [("How long did the siege of Orléans last?", "The siege of Orléans lasted 200 days.")]


@pytest.mark.parametrize(
    ("turns", "question", "expected"),
    [
        (MOLE, "When was it broken?", "When was the west mole broken?"),
        (MOLE, "Was she found guilty?", "Was Ada Thorne found guilty?"),
        (MOLE, "Who was her husband?", "Who was Ada Thorne's husband?"),
        (MOLE, "Did they win their case?", "Did the Northern Dock Company win their case?"),
        (MOLE, "Who led that company?", "Who led the Northern Dock Company?"),
        (MOLE, "Who lives there?", "Who lives in Carrow?"),
        (MOLE, "And when did she die?", "And when did Ada Thorne die?"),
        (MARRIED, "When did he die?", "When did Edmund Vane die?"),
        (MARRIED, "Where did they live?", "Where did Edmund Vane and Ada Thorne live?"),
        (MARRIED, "Did Harriet Loss know him?", "Did Harriet Loss know Edmund Vane?"),
        (MARRIED, "What about Harriet Loss?", "Whom did Harriet Loss marry?"),
        (SIEGE, "Who won the siege?", "Who won the Siege of Orléans?"),
        (SIEGE, "And Paris?", "How long did the siege of Paris last?"),
        (SIEGE, "Why?", "Why? (How long did the siege of Orléans last?)"),
        (SIEGE, "And in 1430?", "And in 1430? (How long did the siege of Orléans last?)"),
        (SIEGE, "Who said that?", "Who said that? (How long did the siege of Orléans last?)"),
        (SIEGE, "What was the cause of that?", "What was the cause of that? (How long did the siege of Orléans last?)"),
    ],
)
def test_what_leans_on_the_turns_before_is_completed(
    turns: list[tuple[str, str]], question: str, expected: str
) -> None:
    assert stand_alone(question, turns, NAMES) == expected


@pytest.mark.parametrize(
    "question",
    [
        "What are the main themes?",
        "Who was Edmund Vane?",
        "Did Ada Thorne say that she was guilty?",
        "Is it true that Ada Thorne lived in Leith?",
        "Is there a list of ships?",
        "What did the judge say when he spoke?",
        "And who was Edmund Vane?",
        "What is the company that paid for the mole called?",
    ],
)
def test_a_question_that_stands_alone_is_left_as_it_is(question: str) -> None:
    assert stand_alone(question, MOLE, NAMES) == question


def test_without_turns_nothing_is_done() -> None:
    assert stand_alone("When was it broken?", [], NAMES) == "When was it broken?"


def test_a_question_leans_through_the_one_before_it_on_an_older_one() -> None:
    turns = [*MOLE, ("When was it broken?", "The storm of 1874 broke it.")]
    assert stand_alone("Who paid for it?", turns, NAMES) == "Who paid for the west mole?"


@pytest.mark.parametrize(
    ("before", "question", "expected"),
    [
        ("Wen heiratete Edmund Vane?", "Wann starb er?", "Wann starb er? (Edmund Vane)"),
        ("Qui était Edmund Vane ?", "Quand est-il mort ?", "Quand est-il mort ?"),
        ("Кто такой Edmund Vane?", "Когда он умер?", "Когда он умер? (Edmund Vane)"),
        ("北方在哪里？", "她什么时候来的？", "她什么时候来的？ (Ada 北)"),
    ],
)
def test_in_other_languages_the_name_is_put_behind(before: str, question: str, expected: str) -> None:
    assert stand_alone(question, [(before, "")], NAMES) == expected


def test_where_nothing_fits_the_question_before_is_put_behind() -> None:
    assert stand_alone("When was it lost?", [("Who came?", "Nobody.")], ()) == "When was it lost? (Who came?)"


@settings(deadline=None, max_examples=60)
@given(
    st.text("aA bB Ada Thorne it she Why? And Paris.,(", max_size=60),
    st.text("Ada Thorne she. ?", max_size=40),
)
def test_any_question_comes_back_as_one_and_the_same_each_time(question: str, answer: str) -> None:
    turns = [(question, answer), ("Who was Ada Thorne?", answer)]
    made = stand_alone(question, turns, NAMES)
    assert made == stand_alone(question, turns, NAMES)
    assert (made == question) or made.strip()


def test_names_are_found_longest_first_and_whole() -> None:
    found = find_names("The siege of Orléans was not at Orléansville, but at Orléans.", NAMES)
    assert [match.title for match in found] == ["Siege of Orléans", "Orléans"]


def test_a_pronoun_goes_to_nobody_whom_the_answer_only_names_in_passing() -> None:
    passing = "Somebody could run it. They asked Edmund Vane for a loan. Maybe Harriet Loss?"
    turns = [("Who runs the mill of Carrow?", passing)]
    question = "Does she have an offer?"
    assert stand_alone(question, turns, NAMES) == "Does she have an offer? (Who runs the mill of Carrow?)"
    about = "Somebody else could run it. Harriet Loss runs it today."
    assert stand_alone(question, [(turns[0][0], about)], NAMES) == "Does Harriet Loss have an offer?"


CREW = (
    MentionedName("Tobias Wren", "PERSON", ("Tobias Wren", "Tobias")),
    MentionedName("Tobias", "CONCEPT", ("Tobias",)),
    MentionedName("Silas Crane", "PERSON", ("Silas Crane",)),
    MentionedName("Edmund Pell", "PERSON", ("Edmund",)),
    MentionedName("Brightroof Ltd", "ORGANIZATION", ("Brightroof Ltd",)),
)
CAPTAIN = [
    (
        "Who was the captain of the Marigold?",
        "Tobias stopped rowing. He had known the captain of the Marigold, whose name was Silas Crane. Tobias Wren wept.",
    )
]


def test_him_is_the_person_who_was_asked_for_not_one_whom_the_answer_names_first() -> None:
    assert stand_alone("What happened to him?", CAPTAIN, CREW) == "What happened to Silas Crane?"


def test_a_new_first_name_takes_the_place_of_a_whole_name_and_is_completed_to_its_own() -> None:
    turns = [("What happened to Tobias Wren?", "Tobias Wren wept.")]
    assert stand_alone("And Edmund?", turns, CREW) == "What happened to Edmund Pell?"


def test_brackets_hold_a_question_without_brackets() -> None:
    lost = [("Who came (in 1874)?", "Nobody."), ("When was it lost?", "")]
    assert stand_alone("And how?", lost[:1], ()) == "And how? (Who came in 1874?)"
    assert stand_alone("Why?", lost, ()) == "Why? (When was it lost? Who came in 1874?)"
    why = [("What happened to Silas Crane?", ""), ("Why?", "")]
    assert stand_alone("And in June?", why, CREW) == "And in June? (What happened to Silas Crane?)"


def test_why_is_no_name_that_takes_the_place_of_another() -> None:
    names = (*CREW, MentionedName("Warum", "", ("Warum",)))
    turns = [("Was sah Silas Crane?", ""), ("Wo war er?", "")]
    assert stand_alone("Warum?", turns, names) == "Warum? (Wo war er? Silas Crane)"
    assert stand_alone("Warum?", [*turns, ("Warum?", "")], names) == "Warum? (Wo war er? Silas Crane)"


def test_a_question_that_was_completed_before_is_not_completed_again() -> None:
    turns = [("Was sah Silas Crane?", ""), ("Wo war er? (Silas Crane)", "")]
    assert stand_alone("Warum?", turns, CREW) == "Warum? (Wo war er? Silas Crane)"


@pytest.mark.parametrize("question", ["What is his phone number?", "Where do they live?"])
def test_where_nobody_fits_a_pronoun_stays_and_a_question_that_asks_for_nobody_says_nothing_of_whom(
    question: str,
) -> None:
    assert stand_alone(question, [("How much was the deposit?", "3,390 pounds.")], ()) == question


@pytest.mark.parametrize(
    ("before", "answer", "question", "expected"),
    [
        (
            "Who has the pump house keys?",
            "Brightroof Ltd has them.",
            "Where are they?",
            "Where are the pump house keys?",
        ),
        ("Where are the pump house keys?", "In the shed.", "Who has them?", "Who has the pump house keys?"),
        ("Did Silas Crane count the guns?", "Yes.", "Where are they?", "Where are the guns?"),
        ("Who are Silas Crane and Tobias Wren?", "They count the guns.", "Where are they?", None),
    ],
)
def test_they_are_the_things_that_a_question_speaks_of_in_the_plural(
    before: str, answer: str, question: str, expected: str | None
) -> None:
    expected = expected or "Where are Silas Crane and Tobias Wren?"
    assert stand_alone(question, [(before, answer)], CREW) == expected
