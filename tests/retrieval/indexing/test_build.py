"""pipeline/retrieval/indexing: a corpus as arrays, and the arrays as tables."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.base.arrow.lists import Lists
from pipeline.retrieval.index_arrays import Passages, StoredPassages, table_of
from pipeline.retrieval.indexing import passage_words, postings
from pipeline.retrieval.indexing.build import index_passages, index_terms
from pipeline.retrieval.indexing.passage_names import PART, WHOLE, anchor_names
from pipeline.retrieval.indexing.passage_words import capital_spans
from pipeline.retrieval.indexing.term_stems import stem_numbers
from pipeline.text.tokenizer import words, words_and_gaps

TEXTS = [
    "The Tide Mill is a 1931 film directed by Olga Marsh. It stars Peter Vann and Ida Crewe.",
    "Olga Jane Marsh (born 1899) was a director. Marsh was born in Leith.",
    "Tide Mill may refer to a mill. In the Harbour of Carrow there is one. In the Harbour it stands.",
    "It rained in the Harbour of Carrow. The rain went on.",
]
ANCHORS = ["The Tide Mill (film)", "Olga Marsh", "The Tide Mill", ""]
WORDS = st.sampled_from(["Olga", "Marsh", "the", "mill", "of", "Carrow", "is", "1931", "Tide", "東京", "naïve", "(x)"])
ANY_TEXT = st.lists(WORDS, max_size=12).map(lambda parts: " ".join(parts) + ".")


def names_in(passages: Passages, row: int) -> set[str]:
    return {passages.titles[name] for name in passages.names[row]}


def spans(text: str) -> list[str]:
    found, gaps = words_and_gaps(text)
    return [" ".join(found[a:b]) for a, b in capital_spans(found, gaps)]


def test_a_capitalised_span_takes_connectors_initials_and_hyphens_along_but_no_and() -> None:
    text = "said Count Otto of the Lower Rhine and J. R. Hale-Kerr to O'Brien in Leith. (Vann)"
    assert spans(text) == ["Count Otto of the Lower Rhine", "J R Hale Kerr", "O Brien", "Leith", "Vann"]


def test_forms_of_an_irregular_verb_are_one_stem_of_a_corpus_in_their_language() -> None:
    texts = [
        "Der Arzt empfahl der Frau die Kur.",
        "Er hat die Kur in dem Ort nicht empfohlen.",
        "Die Frau ist in dem Haus.",
    ]
    read = passage_words.read_words(texts, [""] * 3)
    stems = dict(zip(read.terms, stem_numbers(read).tolist(), strict=True))
    assert stems["empfahl"] == stems["empfohlen"] != stems["kur"]


def test_an_anchor_names_title_and_heading_whole_and_without_bracket() -> None:
    found = dict(anchor_names("The Ape (2005 film) > Cast"))
    assert found == {"The Ape (2005 film)": WHOLE, "The Ape": PART, "Cast": WHOLE}
    assert not list(anchor_names(" "))


def test_names_are_found_without_any_vocabulary() -> None:
    passages = index_passages(TEXTS, [""] * 4)
    assert {"olga marsh", "peter vann", "ida crewe"} <= names_in(passages, 0)
    assert "harbour of carrow" in names_in(passages, 3)


def test_what_merely_opens_a_sentence_is_no_part_of_a_name() -> None:
    passages = index_passages([*TEXTS, *TEXTS[3:] * 3], [""] * 7)
    assert "in the harbour of carrow" not in names_in(passages, 2)


def test_a_longer_name_implies_the_shorter_one_that_leaves_out_its_middle() -> None:
    passages = index_passages(TEXTS, ANCHORS)
    assert "Olga Marsh" in names_in(passages, 1)
    assert "Olga Marsh" in names_in(index_passages(TEXTS[:2], ["", "Olga Marsh"]), 1)


def test_a_title_with_a_bracket_stays_a_name_of_its_own_whatever_a_vocabulary_merges() -> None:
    passages = index_passages(TEXTS, ANCHORS, [("The Tide Mill", ("The Tide Mill", "The Tide Mill (film)"))])
    subjects = {row: [passages.titles[name] for name in passages.subjects[row]] for row in (0, 2)}
    assert "The Tide Mill (film)" in subjects[0] and "The Tide Mill (film)" not in subjects[2]


def test_forms_of_a_given_name_lead_to_one_name() -> None:
    passages = index_passages(
        ["Ida won the race. The Lioness won the next."], [""], [("Ida Crewe", ("Ida", "Lioness"))]
    )
    assert [passages.titles[name] for name in passages.mentions[0]] == ["Ida Crewe", "Ida Crewe"]


def test_common_nouns_are_no_names() -> None:
    passages = index_passages(["The director met a film director."], [""], [("film director", ("director",))])
    assert len(passages.mentions.items) == 0


def test_a_passage_without_an_anchor_is_about_the_name_that_opens_it_or_else_the_one_it_repeats() -> None:
    texts = [
        "Ada Thorne built it.",
        "After a long storm on the coast Edmund Vane came. There Edmund Vane met Ada Thorne.",
    ]
    passages = index_passages(texts, ["", ""])
    assert [passages.titles[name] for row in (0, 1) for name in passages.subjects[row]] == ["ada thorne", "edmund vane"]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(ANY_TEXT, st.one_of(st.just(""), ANY_TEXT)), max_size=6))
def test_every_place_lies_in_its_passage_and_every_share_between_nothing_and_all(parts: list[tuple[str, str]]) -> None:
    texts, anchors = [text for text, _ in parts], [anchor for _, anchor in parts]
    passages = index_passages(texts, anchors, [("Olga Marsh", ("Marsh", "Olga"))])
    for row, text in enumerate(texts):
        n = len(passages.tokens[row])
        assert n == len(words(text))
        assert passages.sentence_ends[row].tolist()[-1:] == ([n] if n else [])
        for (start, end), here in zip(
            passages.sentence_spans[row].reshape(-1, 2), passages.sentence_ends[row], strict=True
        ):
            assert text[start:end].strip() and here <= n
        starts, ends = passages.mention_starts[row], passages.mention_ends[row]
        assert ((starts >= 0) & (starts < ends) & (ends <= n)).all()
        assert set(passages.mentions[row]) | set(passages.subjects[row]) == set(passages.names[row])
    assert ((passages.form_capital >= 0) & (passages.form_capital <= 1)).all()
    assert (passages.mention_shares.items > 0).all() and (passages.mention_shares.items <= 1).all()
    assert (passages.weights.items > 0).all()


@settings(deadline=None, max_examples=25)
@given(st.lists(ANY_TEXT, max_size=4))
def test_arrays_come_back_from_their_tables_and_the_same_corpus_gives_the_same_ones(texts: list[str]) -> None:
    passages = index_passages(texts, texts[::-1])
    stored = StoredPassages(lambda table, column: table_of(table, vars(passages))[column])
    for other in (stored, index_passages(texts, texts[::-1])):
        for name, value in vars(passages).items():
            found = getattr(other, name)
            if isinstance(value, Lists):
                assert value.offsets.tolist() == found.offsets.tolist()
                value, found = value.items, found.items
            assert np.allclose(value, found) if isinstance(value, np.ndarray) else list(value) == list(found)


def test_titles_that_only_count_records_name_no_passage() -> None:
    texts = ["Ada Thorne was born in Leith.", "Olga Marsh wrote a novel.", "Peter Vann died at Carrow."]
    counted = index_passages(texts, [f"Notes, {place}" for place in ("1", "2", "line 3")])
    bare = index_passages(texts, [""] * 3)
    assert list(counted.titles) == list(bare.titles)
    assert counted.subjects.items.tolist() == bare.subjects.items.tolist()


def test_a_passage_is_found_by_its_labels_and_holds_none_of_their_words() -> None:
    texts = ["The pump leaks again.", "The pump leaks at night."]
    passages = index_passages(texts, ["", ""], labels=["Cora", "Bolt"])
    row = passages.terms.index("cora")
    assert passages.postings[row].tolist() == [0]
    assert row not in passages.tokens.items


def test_passages_and_words_in_many_parts_are_the_same_as_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    texts, anchors = [*TEXTS * 5, "", "Olga Marsh."], [*ANCHORS * 5, "", "Olga Marsh"]
    whole = vars(index_passages(texts, anchors))
    monkeypatch.setattr(passage_words, "AT_ONCE", 3)
    monkeypatch.setattr(postings, "POSTINGS_AT_ONCE", 8)
    read = passage_words.read_words(texts, anchors)
    assert len(list(read.blocks())) == 8 and len(list(index_terms(read, anchors))) > 10
    for name, value in vars(index_passages(texts, anchors)).items():
        if isinstance(value, Lists):
            assert value.offsets.tolist() == whole[name].offsets.tolist(), name
            assert value.items.tolist() == whole[name].items.tolist(), name
        else:
            assert list(value) == list(whole[name]), name
