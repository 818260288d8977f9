"""How things are connected: the sentences along the relationships from one to the other, in the corpus's own words."""

from functools import cache
from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphstrata import build
from pipeline.language.tasks.reader.answer_from_notebook import NotebooksToAnswer
from pipeline.query.evidence.connections import MOST_STEPS, graph_of
from pipeline.query.index import Index
from pipeline.text.question.kinds import asks_connection
from tests.query_cases import ask, check_answer, plainly

TEXTS = {
    "mole": "Ada Thorne built the west mole of Carrow in 1871. Ada Thorne was the engineer of the Lindley Company.",
    "company": "The Lindley Company was founded by Jonas Lindley in 1850. Jonas Lindley lived in Porth Eilan.",
    "lighthouse": "The Skerry Light was kept by Mary Voss for thirty years. Mary Voss never left the island.",
}


@cache
def index() -> Index:
    return build(TEXTS)


def test_a_relationship_of_the_two_is_the_answer_in_the_words_of_the_text() -> None:
    answer = index().ask("How is Ada Thorne connected to the Lindley Company?", "local")
    assert answer.outcome == "answered"
    assert answer.text == "Ada Thorne was the engineer of the Lindley Company. [1]"
    assert TEXTS["mole"][answer.sources[0].start : answer.sources[0].end] == answer.sources[0].quote


@pytest.mark.parametrize(
    "question",
    [
        "What connects Ada Thorne and Jonas Lindley?",
        "How are Ada Thorne and Jonas Lindley related?",
        "Was verbindet Ada Thorne und Jonas Lindley?",
        "Quel est le lien entre Ada Thorne et Jonas Lindley ?",
        "¿Qué relación hay entre Ada Thorne y Jonas Lindley?",
        "Che cosa lega Ada Thorne a Jonas Lindley?",
        "Как связаны Ada Thorne и Jonas Lindley?",
        "Ada Thorne和Jonas Lindley有什么关系？",
    ],
)
def test_what_is_not_related_itself_is_connected_over_what_both_are_related_to(question: str) -> None:
    answer = index().ask(question, "local")
    assert answer.outcome == "answered"
    assert answer.text == (
        "**Ada Thorne – Lindley Company**\nAda Thorne was the engineer of the Lindley Company. [1]\n\n"
        "**Lindley Company – Jonas Lindley**\nThe Lindley Company was founded by Jonas Lindley in 1850. [2]"
    )
    assert [step.detail for step in answer.steps if step.name == "connections"] == [
        "Ada Thorne – Lindley Company – Jonas Lindley"
    ]


def test_what_nothing_connects_is_not_said_to_be_connected() -> None:
    answer = index().ask("How is Mary Voss connected to Ada Thorne?", "local")
    assert answer.outcome != "answered" and not answer.sources


def test_without_a_method_a_question_of_how_two_things_are_connected_goes_along_the_graph() -> None:
    answer = index().ask("How is Ada Thorne connected to the Lindley Company?")
    assert answer.method == "local (auto, because it asks how Ada Thorne and Lindley Company are connected)"


def test_connections_of_the_sample_name_both_and_are_where_their_sources_say() -> None:
    answer = plainly("How is Regnault de Chartres connected to Joan of Arc?", "local")
    check_answer(answer)
    assert answer.outcome == "answered" and not answer.unsupported_sentences
    assert answer.text.startswith("**Regnault de Chartres – ") and "– Joan of Arc**" in answer.text
    assert "Regnault de Chartres" in answer.sources[0].quote and "Joan of Arc" in answer.sources[-1].quote


def test_a_model_has_the_relationships_between_the_two_among_the_notebooks() -> None:
    _, backend = ask("How is La Hire connected to Joan of Arc?", "local")
    (asked,) = [asked for _, asked in backend.asked if isinstance(asked, NotebooksToAnswer)]
    (notebook,) = [one for one in asked.notebooks if one.start.startswith("the relationships between")]
    cited = {id for _, ids in notebook.notes for id in ids}
    assert cited <= {item.id for item in asked.evidence} and cited


@pytest.mark.parametrize(
    "question",
    ["Who built the west mole?", "Did Ada Thorne build it?", "Wann wurde es gebaut?", "What did Ada Thorne do?"],
)
def test_other_questions_ask_for_no_connection(question: str) -> None:
    assert not asks_connection(question)


TITLES = st.sampled_from("abcdefghij")


@settings(deadline=None)
@given(
    st.dictionaries(st.tuples(TITLES, TITLES).filter(lambda pair: pair[0] < pair[1]), st.integers(1, 5)), TITLES, TITLES
)
def test_a_way_is_a_chain_of_relationships_and_exists_where_one_of_few_steps_does(
    weights: dict[tuple[str, str], int], one: str, other: str
) -> None:
    degree = {title: sum(title in pair for pair in weights) for title in "abcdefghij"}
    rows = [(a, b, float(w), degree[a] + degree[b]) for (a, b), w in sorted(weights.items())]
    columns = ("source", "target", "weight", "combined_degree")
    types = (pa.string(), pa.string(), pa.float64(), pa.int64())
    table = pa.table(
        {c: pa.array([row[i] for row in rows], t) for i, (c, t) in enumerate(zip(columns, types, strict=True))}
    )
    way = graph_of(table).way(one, other, set())
    assert all(tuple(sorted(pair)) in weights for pair in pairwise(way))
    assert len(way) <= MOST_STEPS + 1 and len(set(way)) == len(way)
    if way:
        assert (way[0], way[-1]) == (one, other)
    near = {one}
    for _ in range(2):
        near |= {b for pair in weights for a, b in (pair, pair[::-1]) if a in near}
    if other in near and one != other:
        assert way


def test_two_names_below_a_contract_do_not_say_what_connects_them() -> None:
    texts = {
        "contract": "The mole is let to the Company. Signed in Carrow.\n\nAda Thorne        Ben Okar\n",
        "storm": "Ada Thorne sold the mole of Carrow to Ben Okar after the storm. Ben Okar paid in silver.",
    }
    answer = build(texts).ask("How are Ada Thorne and Ben Okar connected?", "local")
    assert (
        answer.text.startswith("Ada Thorne sold the mole of Carrow to Ben Okar")
        and "Ada Thorne Ben Okar" not in answer.text
    )
