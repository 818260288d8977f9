"""pipeline/retrieval/coverage.py: passages that together say what is asked, and the territories that lead from one to the next."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.retrieval.coverage import WordShares, covering
from pipeline.retrieval.question_names import find_names, read_words
from pipeline.retrieval.search import Mix, RetrievalIndex
from pipeline.retrieval.territories import TerritoryForms, kinds_called_for
from pipeline.text.lexicon.territories import territories, territory_nouns
from tests.retrieval_cases import build

FILMS = [
    f"Film {word} is a Telugu comedy film with music by Kora Vann." for word in ("Abo", "Bel", "Cid", "Dov", "Eka")
]


def shares(question: str, texts: list[str]) -> WordShares:
    index = build(texts, [""] * len(texts))
    return WordShares(read_words(question, index.lookup), index.lookup)


def test_a_passage_that_says_the_rest_of_a_question_comes_before_those_that_repeat_the_first() -> None:
    texts = [*FILMS, "She was the only female director of her village.", "A mill stood by the weir."]
    said = shares("Which Telugu comedy has the only female director?", texts)
    rows, scores = covering(np.arange(7), np.array([1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4]), said, 1.0)
    assert rows.tolist()[:2] == [0, 5]
    assert sorted(rows.tolist()) == list(range(7))
    assert (np.diff(scores) <= 0).all()


def test_where_words_alone_decide_the_order_stays() -> None:
    said = shares("Which Telugu comedy has the only female director?", [*FILMS, "The only female director."])
    rows, scores = covering(np.arange(6), np.linspace(1, 0.5, 6), said, 0.0)
    assert rows.tolist() == list(range(6))
    assert np.allclose(scores, np.linspace(1, 0.5, 6))


@settings(deadline=None, max_examples=30)
@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=40), st.floats(0, 1))
def test_the_best_passage_stays_first_and_no_passage_is_lost(scores: list[float], sure: float) -> None:
    texts = [FILMS[row % 5] + " Music." * (row % 3) for row in range(len(scores))]
    ordered = np.sort(np.array(scores))[::-1]
    rows, found = covering(np.arange(len(ordered)), ordered, shares("Telugu comedy music film", texts), sure)
    assert rows[0] == 0
    assert sorted(rows.tolist()) == list(range(len(scores)))
    assert (np.diff(found) <= 0).all()


def test_more_passages_asked_for_begin_with_the_same_ones() -> None:
    index = build([*FILMS, "Kora Vann was the only female director of Velm."], ["", *"bcdef"])
    few, many = (index.search(["Who is Kora Vann, the only female director?"], k)[0] for k in (2, 6))
    assert [hit.row for hit in many[:2]] == [hit.row for hit in few]


TRAVELS = [
    "The Orro Bridge crosses the Velm in Kandy, Sri Lanka.",
    "The Sri Lankan independence movement sought to leave the empire of its rulers.",
    "Norway and Sweden were one empire until they chose to leave it.",
    "The Orro Bridge Club plays cards on Mondays.",
    *(f"Bridge number {number} was built of stone and opened by a mayor." for number in range(20)),
]
TITLES = ["Orro Bridge", "Independence movement", "Union", "Orro Bridge Club", *(f"Bridge {n}" for n in range(20))]


def test_a_country_that_is_called_for_leads_on_to_a_passage_on_its_people() -> None:
    index = build(TRAVELS, TITLES)
    question = ["When did the country where the Orro Bridge is leave the empire?"]
    without = RetrievalIndex(index.arrays, Mix(together=False))

    def place(index: RetrievalIndex) -> int:
        return [hit.row for hit in index.search(question, 24)[0]].index(1)

    assert place(index) <= 2
    assert place(index) < place(without) or place(without) <= 1


def test_a_country_that_is_asked_for_calls_for_none() -> None:
    index = build(TRAVELS, TITLES)
    for question, kinds in (
        ("When did the country where the Orro Bridge is leave the empire?", {"country"}),
        ("Which country is the Orro Bridge in?", set()),
        ("Who governs the state and the nation of Velm?", {"state", "country"}),
    ):
        words = read_words(question, index.lookup)
        found = kinds_called_for(words, find_names(words, index.lookup))
        assert found == kinds


def test_passages_speak_of_territories_by_name_and_by_the_words_made_of_it() -> None:
    index = build(TRAVELS, TITLES)
    forms = TerritoryForms(index.lookup)
    spoken = [{territories()[number].names[0]: how for number, how in forms.spoken_of(row).items()} for row in range(4)]
    assert spoken[0] == {"sri lanka": 1.0}
    assert list(spoken[1]) == ["sri lanka"]
    assert spoken[1]["sri lanka"] < 1
    assert spoken[2] == {"norway": 1.0, "sweden": 1.0}
    assert spoken[3] == {}


def test_each_territory_is_of_a_kind_that_a_noun_calls_for() -> None:
    assert {territory.kind for territory in territories()} == set(territory_nouns().values())
    assert all(name == name.lower() for territory in territories() for name in (*territory.names, *territory.words))
