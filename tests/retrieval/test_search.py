"""pipeline/retrieval/search.py and what it is made of: questions put to small corpora, and the measured claim on a large one."""

import json
from dataclasses import replace
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.retrieval import Asked, recalls
from pipeline.base.storage.mapped import map_arrays, write_arrays
from pipeline.retrieval import closeness, pagerank
from pipeline.retrieval.index_arrays import StoredPassages, table_of
from pipeline.retrieval.indexing.build import index_passages
from pipeline.retrieval.lookup_arrays import LookupArrays, flat_arrays
from pipeline.retrieval.search import Mix, RankedRow, RetrievalIndex
from tests.paths import DATA
from tests.retrieval_cases import build, lookup_arrays

ARTICLES = {
    "The Tide Mill (film)": "The Tide Mill is a 1931 drama film directed by Olga Marsh. It stars Peter Vann.",
    "The Tide Mill (novel)": "The Tide Mill is a novel of 1920 by Ida Crewe.",
    "Olga Marsh": "Olga Jane Marsh (1899 – 1970) was a film director. She was born in Leith.",
    "Peter Vann": "Peter Vann was an actor. He was born in Carrow.",
    "Leith": "Leith is a port on the Firth of Forth. It was burned in 1544.",
    "Ida Crewe": "Ida Crewe was a novelist. She married Edmund Lorne, a banker.",
    "Edmund Lorne": "Edmund Lorne died at Carrow in 1940.",
    "North Star": "North Star is a 1950 film directed by Karl Brandt.",
    "Karl Brandt": "Karl Brandt was a director, the son of the painter Emil Brandt.",
    "Emil Brandt": "Emil Brandt painted harbours. He lived at Stade.",
    "Herring": "The herring is a fish. Some fishermen salt it in barrels.",
    "Barrels": "Coopers make barrels of oak. The staves are bent over a fire.",
}
TITLES, TEXTS = list(ARTICLES), list(ARTICLES.values())
BIG = DATA / "2wiki"


@pytest.fixture(scope="module")
def index() -> RetrievalIndex:
    return build(TEXTS, TITLES)


def found(index: RetrievalIndex, question: str, k: int) -> set[str]:
    return {TITLES[hit.row] for hit in index.search([question], k)[0]}


def test_a_chain_leads_from_the_film_to_its_director(index: RetrievalIndex) -> None:
    assert found(index, "Where was the director of The Tide Mill (film) born?", 2) == {
        "The Tide Mill (film)",
        "Olga Marsh",
    }


def test_the_same_is_found_in_lower_case(index: RetrievalIndex) -> None:
    assert {"The Tide Mill (film)", "Olga Marsh"} <= found(index, "where was the director of the tide mill born?", 3)


def test_the_same_is_found_without_titles() -> None:
    untitled = build(TEXTS, [""] * len(TEXTS))
    assert {"The Tide Mill (film)", "Olga Marsh"} <= found(untitled, "Where was the director of The Tide Mill born?", 3)


def test_a_bracket_distinguishes_articles_of_one_name(index: RetrievalIndex) -> None:
    assert TITLES[index.search(["Who wrote The Tide Mill (novel)?"], 1)[0][0].row] == "The Tide Mill (novel)"


def test_of_two_articles_of_one_name_the_one_closer_to_the_question_comes_first(index: RetrievalIndex) -> None:
    assert TITLES[index.search(["Which novel is The Tide Mill?"], 1)[0][0].row] == "The Tide Mill (novel)"
    assert TITLES[index.search(["Which drama film is The Tide Mill?"], 1)[0][0].row] == "The Tide Mill (film)"


def test_a_comparison_finds_both_films_and_both_directors(index: RetrievalIndex) -> None:
    question = "Which film has the director who was born first, The Tide Mill (film) or North Star?"
    assert found(index, question, 4) == {"The Tide Mill (film)", "North Star", "Olga Marsh", "Karl Brandt"}


def test_a_second_hop_goes_on_with_the_words_that_are_left(index: RetrievalIndex) -> None:
    reading = index.read("Where did the father, a painter, of the director of North Star live?")
    bridges = [title for title, _ in index.why(reading).bridges]
    assert bridges[0] == "Karl Brandt" and "Emil Brandt" in bridges
    assert {"North Star", "Karl Brandt", "Emil Brandt"} == {TITLES[hit.row] for hit in index.rank([reading], 3)[0]}


def test_a_name_that_no_vocabulary_has_is_found_as_a_phrase() -> None:
    texts = ["The waltz Silver gravel is by Otto Hale.", "Otto Hale was a composer.", "Gravel is made of stones."]
    index = build(texts, ["", "", ""])
    reading = index.read("Who composed Silver Gravel?")
    assert index.why(reading).phrases == [("Silver Gravel", 1)]
    assert [hit.row for hit in index.rank([reading], 2)[0]] == [0, 1]


def test_words_that_merely_ask_are_no_name() -> None:
    passages = ["Questions. How Do I ask about oil? Write to us.", "Ports. A port is opened by the key of the valve."]
    found = build(passages, ["Questions", "Ports"], [("How do I", [])])
    assert not found.read("How do I open a port?").names
    assert found.search(["How do I open a port?"], 2)[0][0].row == 1


def test_a_question_that_names_nothing_is_ranked_by_its_words(index: RetrievalIndex) -> None:
    reading = index.read("what do fishermen salt?")
    assert not reading.names and reading.uncovered == 1
    assert TITLES[index.rank([reading], 1)[0][0].row] == "Herring"


def test_common_words_in_the_order_of_a_title_are_not_taken_for_it() -> None:
    texts = [
        "Place of Birth is a film.",
        "The place of birth of Ida Crewe is Carrow.",
        "His place of birth is Leith, a place of birth of many.",
    ]
    index = build(texts, ["Place of Birth", "Ida Crewe", "Otto Hale"])
    assert not index.why(index.read("what is his place of birth?")).names
    assert [name for name, _ in index.why(index.read("Who directed Place Of Birth?")).names] == ["Place Of Birth"]


def test_why_says_what_was_named_and_reached(index: RetrievalIndex) -> None:
    why = index.why(index.read("Who directed North Star?"))
    assert why.names == [("North Star", ("North Star",))]
    assert why.bridges[0][0] == "Karl Brandt" and 0 < why.uncovered < 1


@pytest.mark.parametrize("question", ["", "?", "zzz qqq", "A", "the", "Xyzzy Plugh", "¿東京?", "a" * 5000, "or " * 400])
def test_any_question_is_answered_even_by_nothing(index: RetrievalIndex, question: str) -> None:
    reading = index.read(question)
    rows = [hit.row for hit in index.rank([reading], 5)[0]]
    assert len(rows) <= 5 and set(rows) <= set(range(len(TEXTS)))


@pytest.mark.parametrize("texts", [[], [""], ["..."], ["word"], ["Ada Thorne"], ["東京。"]])
def test_any_corpus_can_be_asked(texts: list[str]) -> None:
    index = build(texts, [""] * len(texts))
    for question in ("Who is Ada Thorne?", "word", "東京"):
        reading = index.read(question)
        rows = [hit.row for hit in index.rank([reading], 3)[0]]
        assert set(rows) <= set(range(len(texts)))


def test_scripts_without_capitals_are_found_by_given_names_and_by_words_side_by_side() -> None:
    texts = ["紅楼夢は曹雪芹の小説である。", "曹雪芹は南京で生まれた。", "海は青い。"]
    index = build(texts, ["", "", ""], [("曹雪芹", ("曹雪芹",)), ("紅楼夢", ("紅楼夢",))])
    assert {hit.row for hit in index.search(["紅楼夢の作者はどこで生まれたか"], 2)[0]} == {0, 1}


WORDS = st.sampled_from(
    ["Olga", "Marsh", "director", "of", "The", "Tide", "Mill", "north", "Star", "who", "Zed", "film"]
)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.lists(WORDS, max_size=9).map(" ".join), max_size=4))
def test_a_batch_gives_what_its_questions_give_alone(index: RetrievalIndex, questions: list[str]) -> None:
    batch = index.search(questions, 5)
    for question, hits in zip(questions, batch, strict=True):
        alone = index.search([question], 5)[0]
        assert [hit.row for hit in hits] == [hit.row for hit in alone]
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_an_index_read_back_from_its_tables_gives_the_same_hits(index: RetrievalIndex) -> None:
    question = ["Where was the director of The Tide Mill (film) born?"]
    passages = vars(index_passages(TEXTS, TITLES))
    stored = StoredPassages(lambda table, column: table_of(table, passages)[column])
    again = RetrievalIndex(lookup_arrays(stored))
    assert _rows(again.search(question, 5)) == _rows(index.search(question, 5))


def test_an_index_mapped_from_a_file_gives_the_same_hits(index: RetrievalIndex, tmp_path: Path) -> None:
    write_arrays(tmp_path / "passages.arrow", flat_arrays(index_passages(TEXTS, TITLES)), "these texts")
    found = map_arrays(tmp_path / "passages.arrow", "these texts")
    assert found is not None
    again = RetrievalIndex(LookupArrays.of_flat(found))
    for question in ("Where was the director of The Tide Mill (film) born?", "a fish in barrels", "Emil Brandt"):
        assert again.search([question], 12) == index.search([question], 12)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.sampled_from([word for text in [*TEXTS, *TITLES] for word in text.split()]), max_size=9))
def test_postings_left_unread_and_walks_near_the_restart_change_no_hit_where_there_is_room_for_all(
    words: list[str],
) -> None:
    question = [" ".join(words) + "?"]
    whole = build(TEXTS, TITLES).search(question, 5)[0]
    with mock.patch.object(closeness, "SHORT", 1), mock.patch.multiple(pagerank, WHOLE=1, NEAR=(100,) * 8):
        part = build(TEXTS, TITLES).search(question, 5)[0]
    assert [hit.row for hit in part] == [hit.row for hit in whole]
    assert np.allclose([hit.score for hit in part], [hit.score for hit in whole])


def test_without_bridging_the_director_is_not_preferred_to_the_actor(index: RetrievalIndex) -> None:
    plain = RetrievalIndex(index.arrays, replace(Mix(), bridge=0.0))
    question = "Where was the director of The Tide Mill (film) born?"
    margin = {TITLES[hit.row]: hit.score for hit in plain.search([question], 12)[0]}
    with_bridge = {TITLES[hit.row]: hit.score for hit in index.search([question], 12)[0]}
    assert with_bridge["Olga Marsh"] / with_bridge["Peter Vann"] > margin["Olga Marsh"] / margin["Peter Vann"]


def test_recall_is_the_share_of_gold_among_the_first() -> None:
    asked = [Asked("", frozenset({1, 2})), Asked("", frozenset({3}))]
    figures = recalls([[1, 9, 8, 2], [7, 6, 5, 4, 3]], asked)
    assert figures == {"recall@2": 25.0, "recall@5": 100.0, "recall@10": 100.0, "all_gold@8": 100.0}


@pytest.mark.skipif(
    not (BIG / "passages.jsonl").exists(), reason="the 2WikiMultiHopQA passages are not beside the project"
)
def test_every_tenth_question_of_2wikimultihopqa_reaches_the_measured_recall() -> None:
    passages = [json.loads(line) for line in (BIG / "passages.jsonl").read_text(encoding="utf-8").splitlines()]
    questions = [json.loads(line) for line in (BIG / "questions.jsonl").read_text(encoding="utf-8").splitlines()][::10]
    row_of = {passage["id"]: row for row, passage in enumerate(passages)}
    index = build([passage["text"] for passage in passages], [passage["title"] for passage in passages])
    asked = [Asked(one["question"], frozenset(row_of[id] for id in one["gold"])) for one in questions]
    figures = recalls(_rows(index.search([one.question for one in asked], 10)), asked)
    assert figures["recall@5"] >= 95 and figures["recall@2"] >= 74 and figures["all_gold@8"] >= 90


def _rows(hits: list[list[RankedRow]]) -> list[list[int]]:
    return [[hit.row for hit in ranking] for ranking in hits]


def test_a_name_in_lower_case_is_found_in_a_question_that_has_capitals_elsewhere() -> None:
    texts = ["The Reign of Terror began in Paris.", "The Bakers' Guild met in Leith.", "Terror is a feeling."]
    index = build(texts, ["", "", ""])
    named = index.why(index.read("Did the Guild meet during the reign of terror?")).names
    assert "the reign of terror" in [name for name, _ in named]


def test_words_that_merely_ask_rank_no_passage() -> None:
    texts = ["How many and when and where and why did they ask?", "The cooper made nine barrels.", "Oak is hard."]
    index = build(texts, ["", "", ""])
    assert index.search(["How many barrels did the cooper make, and when?"], 1)[0][0].row == 1
