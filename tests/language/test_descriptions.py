"""One description out of many: only as many are ranked as fit, and the choice is that of a whole ranking."""

import random

import pytest

from pipeline.language.tasks.indexing import summarise_descriptions as task
from pipeline.language.tasks.indexing.summarise_descriptions import ManyDescriptions


@pytest.mark.parametrize("count", [1, 70, 500])
@pytest.mark.parametrize("n_words", [1, 280, 4000])
def test_ranking_what_fits_chooses_what_a_whole_ranking_chooses(
    count: int, n_words: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(count)
    words = [f"word{i}" for i in range(200)]
    descriptions = tuple(" ".join(chance.choices(words, k=chance.randint(1, 30))) for _ in range(count))
    request = ManyDescriptions("one", "word1 word2", descriptions, n_words)
    chosen = task.offline(request)
    monkeypatch.setattr(task, "RANKED_FIRST", 10**6)
    assert chosen == task.offline(request)
