"""pipeline/retrieval/lookup_arrays.py: what questions look up."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.retrieval.index_arrays import Passages
from pipeline.retrieval.indexing.build import index_passages
from pipeline.retrieval.lookup_arrays import Terms, TextArray
from tests.retrieval_cases import lookup_arrays

TEXTS = ["Ada Thorne keeps bees in Carrow.", "Bees keep honey; Ada Thorne sells it.", "Carrow is a port."]


def passages() -> Passages:
    return index_passages(TEXTS, ["Ada Thorne", "", "Carrow"])


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text(max_size=6), unique=True, max_size=12), st.text(max_size=4))
def test_words_are_found_by_their_letters_and_by_how_they_begin(words: list[str], other: str) -> None:
    arrays = lookup_arrays(index_passages([], []))
    order = np.array(sorted(range(len(words)), key=lambda row: words[row].encode()), dtype=np.int64)
    terms = Terms(type(arrays)(**{**vars(arrays), "terms": TextArray.of(words), "terms_sorted": order}))
    assert list(terms) == words
    assert all(terms[word] == row for row, word in enumerate(words))
    assert (other in terms) == (other in words)
    assert set(terms.beginning(other)) == {word for word in words if word.startswith(other)}


def test_the_forms_of_a_stem_lead_round_to_the_first() -> None:
    arrays = lookup_arrays(passages())
    terms = Terms(arrays)
    assert int(arrays.next_form[terms["keeps"]]) == terms["keep"]
    assert int(arrays.next_form[terms["keep"]]) == terms["keeps"]
    assert int(arrays.next_form[terms["carrow"]]) == terms["carrow"]
