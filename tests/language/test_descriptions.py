"""One description out of many: the choice is that of a whole ranking, cut where there is no room for more."""

import random
from itertools import accumulate

import pytest

from pipeline.language.tasks.indexing import summarise_descriptions
from pipeline.language.tasks.indexing.summarise_descriptions import ManyDescriptions
from pipeline.text.summary.sentence_ranking import rank_sentences


@pytest.mark.parametrize("count", [1, 70, 500])
@pytest.mark.parametrize("n_words", [1, 280, 4000])
def test_descriptions_are_taken_by_rank_until_the_next_has_no_room(count: int, n_words: int) -> None:
    chance = random.Random(count)
    words = [f"word{i}" for i in range(200)]
    descriptions = tuple(" ".join(chance.choices(words, k=chance.randint(1, 30))) for _ in range(count))
    ranked = [index for index, _ in rank_sentences(descriptions, "Carrow", limit=count)]
    room = list(accumulate(len(descriptions[index].split()) for index in ranked))
    taken = max(1, sum(words <= n_words for words in room))
    chosen = summarise_descriptions.offline(ManyDescriptions("one", "Carrow", descriptions, n_words))
    assert chosen.description.split("\n") == [descriptions[index] for index in sorted(ranked[:taken])]
