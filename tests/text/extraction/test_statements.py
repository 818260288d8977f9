"""What reads as a sentence: decided by its end alone, without going back over a long list of names."""

import pytest

from pipeline.language.tasks.indexing.extract_graph import is_statement


@pytest.mark.parametrize(
    "text", ["Joan came.", "Did she come?", 'He said: "No."', "她死了。", "Ann, Bob, Cid, " * 5000 + "Dan."]
)
def test_a_sentence_ends_as_sentences_do(text: str) -> None:
    assert is_statement(text)


@pytest.mark.parametrize("text", ["Early life", "# .", "...", "", "Ann Bob, " * 20_000])
def test_headings_marks_and_lists_are_no_statements(text: str) -> None:
    assert not is_statement(text)
