"""How things are connected: the sentences along the relationships from one to the other, in the corpus's own words."""

from functools import cache
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphstrata import build
from pipeline.language.tasks.reader.answer_from_notebook import NotebooksToAnswer
from pipeline.query.index import Index
from pipeline.query.ways.relationship_graph import MOST_STEPS, graph_of
from pipeline.runner.run import run_index
from pipeline.text.question.kinds import asks_connection
from tests.corpora import project
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
    quotes = " ".join(source.quote for source in answer.sources)
    assert "Regnault de Chartres" in quotes and "Joan" in quotes


def test_a_model_has_the_relationships_between_the_two_among_the_notebooks() -> None:
    _, backend = ask("How is La Hire connected to Joan of Arc?", "local")
    (asked,) = [asked for _, asked in backend.asked if isinstance(asked, NotebooksToAnswer)]
    notes = [note for one in asked.notebooks for note in one.notes if note[0].startswith("La Hire and Joan of Arc: ")]
    cited = {id for _, ids in notes for id in ids}
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


MEETING = {
    "minutes": "Present: Ada Thorne, Ben Okar (chair), Mary Voss.\n\nThe meeting was short.",
    "minutes 2": "Present: Mary Voss, Ada Thorne, Ben Okar.\n\nIt was as short.",
    "roof": "Ada Thorne demanded damages of Ben Okar for the roof. Ada Thorne studied the recall of the pumps.",
    "clubs": "Ada Thorne belongs to the Carrow Club since May. Mary Voss has belonged to the Carrow Club since 1871. "
    "The Carrow Club was founded by Mary Voss.",
}


@cache
def meeting() -> Index:
    return build(MEETING)


@pytest.mark.parametrize("question", ["What connects Ada Thorne and Ben Okar?", "Who links Ada Thorne with Ben Okar?"])
def test_a_statement_comes_before_lists_of_who_was_present(question: str) -> None:
    answer = meeting().ask(question)
    assert answer.text == "Ada Thorne demanded damages of Ben Okar for the roof. [1]"


def test_where_only_lists_name_both_one_of_them_is_shown() -> None:
    answer = meeting().ask("How is Ben Okar connected to Mary Voss?", "local")
    assert answer.text == "Present: Ada Thorne, Ben Okar (chair), Mary Voss. [1]"


def test_one_end_may_be_a_common_noun() -> None:
    answer = meeting().ask("How is Ada Thorne connected to the recall?")
    assert answer.method == "local (auto, because it asks how Ada Thorne and recall are connected)"
    assert answer.text == "Ada Thorne studied the recall of the pumps. [1]"


def test_what_two_have_in_common_is_what_the_same_is_said_of_with_a_sentence_for_each() -> None:
    answer = meeting().ask("What do Ada Thorne and Mary Voss have in common?")
    assert answer.text == (
        "**Ada Thorne – Carrow Club**\nAda Thorne belongs to the Carrow Club since May. [1]\n\n"
        "**Carrow Club – Mary Voss**\nMary Voss has belonged to the Carrow Club since 1871. [2]"
    )


def test_the_passage_that_names_both_comes_before_ways_over_others() -> None:
    texts = {
        "storm": "Ada Thorne was called at noon and came at six. The ships were broken by then. Ben Okar lost four of them.",
        "night": "Ada Thorne wrote to Mary Voss at night.",
        "house": "Mary Voss sold the house to Ben Okar.",
    }
    answer = build(texts).ask("How are Ada Thorne and Ben Okar connected?", "local")
    assert " ".join(source.quote for source in answer.sources) == texts["storm"]


def test_of_ways_over_others_one_of_which_a_document_states_all_steps_comes_first() -> None:
    texts = {
        "a": "Ada Thorne wrote to Mary Voss.",
        "b": "Mary Voss sold the house to Ben Okar.",
        "c": "Ada Thorne worked for the Lindley Company.\n\n"
        + "It rained all day. " * 6
        + "\n\nThe Lindley Company was sold to Ben Okar.",
    }
    answer = build(texts).ask("How are Ada Thorne and Ben Okar connected?", "local")
    assert answer.text.startswith("**Ada Thorne – Lindley Company**")


MAIL = """From: {one}
To: {other}
Date: Mon, 6 May 2024 10:00:00 +0000
Subject: The mole

Dear Ben,

the west mole has sunk by a foot since Easter. Ada Thorne came too.

Mary Voss
"""


def test_who_wrote_a_mail_is_connected_to_whom_it_is_to_with_its_headers_above(tmp_path: Path) -> None:
    mail = MAIL.format(one="Mary Voss <m@voss.example>", other="Ben Okar <b@okar.example>")
    made = project(tmp_path, {"mole.eml": mail, "note.txt": "Ben Okar lives in Carrow. Mary Voss lives in Leeds."})
    run_index(made)
    answer = Index.open(made.store.folder).ask("How is Mary Voss connected to Ben Okar?", "local")
    assert answer.text.startswith(
        "From: Mary Voss <m@voss.example>\nTo: Ben Okar <b@okar.example>\n\n"
        "the west mole has sunk by a foot since Easter. [1]"
    )


def test_the_head_of_a_letter_connects_who_wrote_it_to_whom_it_is_to() -> None:
    text = "From: Mary Voss\nTo: Ben Okar\nSubject: The mole\n\nDear Ben,\n\nthe west mole has sunk by a foot.\n\nMary Voss\n"
    answer = build({"letter": text}).ask("How is Mary Voss connected to Ben Okar?", "local")
    assert answer.text == "From: Mary Voss To: Ben Okar Subject: The mole [1]"


def test_what_one_is_to_the_other_is_printed_first() -> None:
    aside = "At the fair, where Ada Thorne had a stall, it was so hot that Ben Okar went home before noon with a basket of plums."
    answer = build({"a": aside, "b": "Ben Okar is a cousin of Ada Thorne."}).ask(
        "How are Ada Thorne and Ben Okar related?", "local"
    )
    assert answer.text.startswith("Ben Okar is a cousin of Ada Thorne. [1]")
