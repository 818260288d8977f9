"""Common nouns and noun phrases: which are worth an entity, and how many."""

import pytest

from pipeline.text.names.candidates import Corpus
from pipeline.text.names.chunk_scan import scan
from pipeline.text.names.phrases import Noun, budget, choose_nouns, least, widest


def nouns(texts: list[str], min_count: int = 2, limit: int = 1000) -> dict[str, Noun]:
    counts = Corpus(scan(text, "") for text in texts).counts()
    return {noun.text: noun for noun in choose_nouns(counts, min_count, limit)}


def filler(n: int) -> list[str]:
    return [f"Nobody said that the weather of town{k} was bad or that the sky had been clear." for k in range(n)]


def test_a_phrase_is_counted_over_both_numbers() -> None:
    found = nouns(
        ["The price increase came.", "Many price increases came. A price increase slept. The price fell."] * 2
    )
    assert found["price increase"].frequency == 6
    assert found["price increase"].forms == ("price increase", "price increases")


def test_a_phrase_hardly_seen_outside_a_longer_one_is_left_out() -> None:
    found = nouns(["The spike protein vaccine works. The spike grew.", *["A spike protein vaccine helps."] * 5])
    assert "spike protein vaccine" in found and "protein vaccine" not in found


def test_an_adjective_and_a_noun_must_come_more_often_than_a_compound_of_nouns() -> None:
    assert "suspicious attitude" not in nouns(["The suspicious attitude won."] * 8)
    assert "suspicious attitude" in nouns(["The suspicious attitude won."] * 9)
    assert "price increase" in nouns(["The price increase won. The price fell."] * 5)


def test_kin_roles_and_buildings_are_no_entities_nor_what_belongs_to_somebody() -> None:
    found = nouns(["The king met his son. Scrooge's nephew met the blacksmith in the house of the king."] * 6)
    assert not {"king", "son", "nephew", "Scrooge's nephew", "blacksmith", "house"} & set(found)


@pytest.mark.parametrize("phrase", ["good time", "american actor", "last thing", "wrangle data", "really nice"])
def test_general_words_verbs_and_adverbs_make_no_phrase(phrase: str) -> None:
    text = "It was a good time. The American actor left. The last thing fell. We wrangle data. They wrangle data. It was really nice."
    assert phrase not in {found.lower() for found in nouns([text, text])}


def test_a_noun_is_a_term_where_it_clusters_and_makes_compounds() -> None:
    compounds = [
        "The protein chain folds. The protein fold holds a protein. The protein slept. A protein is a protein."
    ]
    assert "protein" in nouns(compounds * 4 + filler(60))
    assert "protein" not in nouns(
        ["The protein met a protein. The protein folds. A protein is a protein."] * 2 + filler(60)
    )
    even = [f"The notion of number{k} was odd." for k in range(0, 10)] + filler(52)
    assert "notion" not in nouns(even)


def test_a_named_event_is_kept_at_its_first_sighting_an_everyday_one_is_not() -> None:
    found = nouns(["They fought at the siege of Orléans. They mourned the death of Jacob."])
    assert found["siege of Orléans"].type == "EVENT" and "death of Jacob" not in found


def test_the_limit_keeps_the_best() -> None:
    texts = ["They fought at the siege of Orléans. They fought at the battle of Patay. The siege of Orléans ended."]
    assert list(nouns(texts, limit=1)) == ["siege of Orléans"]


def test_limits_grow_with_the_corpus() -> None:
    assert [least(n) for n in (0, 30_000, 1_000_000, 10_000_000)] == [2, 2, 3, 4]
    assert budget(0) == 0 and budget(10_000) < budget(100_000) < 10 * budget(10_000)
    assert widest(1) == widest(40) == 25 and widest(10_000) < 1_000
