"""Chunks: exact spans, nothing lost, bounded size, good ends, anchors; for any script and any settings."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
import tiktoken
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pipeline.base.errors import SettingsError
from pipeline.base.tokens import Estimate, Tokenizer
from pipeline.text import chunking
from pipeline.text.chunking import Window, cut
from pipeline.text.graphemes import may_cut

ESTIMATE = Estimate()


class Pairs:
    """A byte pair encoding of few merges: unlike the estimate, its counts do not add up."""

    name = "pairs"
    _encoding = tiktoken.Encoding(
        "pairs",
        pat_str=r"\s?\p{L}+|\s?\p{N}+|\s?[^\s\p{L}\p{N}]+|\s+",
        mergeable_ranks={bytes([n]): n for n in range(256)} | {b" a": 256, b"bc": 257, b" ab": 258, b"\n\n": 259},
        special_tokens={},
    )

    def count(self, text: str) -> int:
        return len(self._encoding.encode_ordinary(text))

    def counts(self, texts: Sequence[str]) -> list[int]:
        return [self.count(text) for text in texts]


SCRAPS = [
    "Joan of Arc rode to Orléans. ",
    "Did she win? Yes!\n\n",
    "# A Heading\n\n",
    "Title\n=====\r\n",
    "STAVE ONE\n\n",
    "\r\n",
    "\r",
    " ",
    "\t\u3000\u00a0",
    "贞德出生于法国。她率领军队，取得胜利！",
    "ジャンヌは生まれた。",
    "Жанна родилась. ",
    "ولدت جان دارك. ",
    "जोन का जन्म हुआ। ",
    "ฌาน ดาร์ก เกิดที่",
    "각각 ",
    "👨‍👩‍👧‍👦",
    "🇫🇷🇬🇧",
    "👍🏽 ",
    "e\u0301\u0302 \u0301",
    "a\u200db",
    "\U0001d49c",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "- item one\n- item two\n",
    "| a | b |\n",
]
DOCUMENTS = st.one_of(
    st.lists(st.sampled_from(SCRAPS), max_size=40).map("".join),
    st.text(max_size=200),
    st.lists(st.text("ab \n\r.\u0301"), max_size=30).map("".join),
)


@st.composite
def sizes(draw: st.DrawFn) -> tuple[int, int]:
    size = draw(st.one_of(st.integers(1, 12), st.integers(1, 100)))
    return size, draw(st.integers(0, size - 1))


def check(text: str, pieces: list[Window], size: int, tokenizer: Tokenizer) -> None:
    """Assert what is true of every cut."""
    covered = 0
    for piece in pieces:
        assert text[piece.start : piece.end] == piece.text
        assert piece.text.strip()
        assert not text[covered : piece.start].strip()
        assert piece.n_tokens == tokenizer.count(piece.text)
        cluster = not any(may_cut(piece.text, place) for place in range(1, len(piece.text)))
        assert piece.n_tokens <= size or cluster
        for edge in (piece.start, piece.end):
            assert may_cut(text, edge) or len(piece.text) > 60
        assert piece.end > covered
        covered = piece.end
    assert not text[covered:].strip()


@given(DOCUMENTS, sizes())
@example(":0: :00: 0  0:0: 0", (11, 9))
@settings(deadline=None, max_examples=300)
def test_spans_are_exact_and_hold_every_character_for_any_text_and_size(text: str, wanted: tuple[int, int]) -> None:
    size, overlap = wanted
    pieces = cut(text, "T", size=size, overlap=overlap, tokenizer=ESTIMATE)
    check(text, pieces, size, ESTIMATE)
    starts = [piece.start for piece in pieces]
    assert starts == sorted(starts)


@given(DOCUMENTS, sizes())
@settings(deadline=None, max_examples=150)
def test_the_same_holds_where_counts_do_not_add_up(text: str, wanted: tuple[int, int]) -> None:
    size, overlap = wanted
    pairs = Pairs()
    check(text, cut(text, "T", size=size, overlap=overlap, tokenizer=pairs), size, pairs)


@given(DOCUMENTS, sizes())
@settings(deadline=None, max_examples=100)
def test_cutting_twice_gives_the_same_pieces(text: str, wanted: tuple[int, int]) -> None:
    size, overlap = wanted
    assert cut(text, "T", size=size, overlap=overlap, tokenizer=ESTIMATE) == cut(
        text, "T", size=size, overlap=overlap, tokenizer=ESTIMATE
    )


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (-1, 0), (5, 5), (5, 9), (5, -1)])
def test_an_overlap_that_would_never_end_is_refused(size: int, overlap: int) -> None:
    with pytest.raises(SettingsError):
        cut("text", "T", size=size, overlap=overlap, tokenizer=ESTIMATE)


@pytest.mark.parametrize("text", ["", " \r\n\t\u3000"])
def test_a_text_of_white_space_gives_no_piece(text: str) -> None:
    assert cut(text, "T", size=5, overlap=1, tokenizer=ESTIMATE) == []


def test_a_text_that_fits_is_one_piece() -> None:
    text = "  One sentence. Another.\n\n# And a heading\n"
    assert cut(text, "T", size=50, overlap=10, tokenizer=ESTIMATE) == [
        Window(2, len(text) - 1, text.strip(), "T", ESTIMATE.count(text.strip()))
    ]


def test_units_keep_their_own_counts_where_some_cannot_be_cut() -> None:
    text = "贞德出生于法国。她率领军队，取得胜利！ฌาน ดาร์ก เกิดที่Did she win? Yes!\n\nJoan of Arc rode to Orléans."
    ends, _, costs = chunking._parts(text, [], 9, 6, ESTIMATE)
    starts = [0, *ends[:-1]]
    assert costs == [ESTIMATE.count(text[start:end]) for start, end in zip(starts, ends, strict=True)]


def prose(paragraphs: int, sentences: int = 5) -> str:
    return "\n\n".join(
        " ".join(f"Sentence {n} of paragraph {m} speaks of the king and his town." for n in range(sentences))
        for m in range(paragraphs)
    )


def test_pieces_end_with_paragraphs_where_they_can_and_with_sentences_else() -> None:
    text = prose(20)
    pieces = cut(text, "T", size=200, overlap=20, tokenizer=ESTIMATE)
    assert all(text[piece.end : piece.end + 2] in ("\n\n", "") for piece in pieces)
    pieces = cut(prose(1, 100), "T", size=100, overlap=20, tokenizer=ESTIMATE)
    assert all(piece.text.endswith("town.") and piece.text.startswith("Sentence") for piece in pieces)


def test_neighbours_share_about_the_overlap_that_was_asked_for() -> None:
    text = prose(1, 200)
    pieces = cut(text, "T", size=200, overlap=60, tokenizer=ESTIMATE)
    for before, after in pairwise(pieces):
        assert 30 <= ESTIMATE.count(text[after.start : before.end]) <= 60
    pieces = cut(text, "T", size=200, overlap=0, tokenizer=ESTIMATE)
    assert all(before.end <= after.start for before, after in pairwise(pieces))


def test_overlap_is_kept_where_there_are_neither_sentences_nor_spaces() -> None:
    text = "贞德出生于法国东北部" * 200
    pieces = cut(text, "T", size=200, overlap=60, tokenizer=ESTIMATE)
    shared = [ESTIMATE.count(text[after.start : before.end]) for before, after in pairwise(pieces)]
    assert all(20 <= tokens <= 60 for tokens in shared)


def test_pieces_are_well_filled() -> None:
    pieces = cut(prose(100), "T", size=200, overlap=0, tokenizer=ESTIMATE)
    assert sum(piece.n_tokens for piece in pieces[:-1]) / (len(pieces) - 1) > 0.7 * 200


def test_a_section_starts_a_piece_of_its_own_without_overlap() -> None:
    text = "\n\n".join(f"# Part {n}\n\n{prose(3)}" for n in "ABCD")
    pieces = cut(text, "Book", size=250, overlap=40, tokenizer=ESTIMATE)
    assert [piece.text[:8] for piece in pieces] == ["# Part A", "# Part B", "# Part C", "# Part D"]
    assert [piece.anchor for piece in pieces] == ["Book > Part A", "Book > Part B", "Book > Part C", "Book > Part D"]


def test_no_piece_ends_with_a_heading_that_heads_the_next() -> None:
    text = "\n\n".join(f"{prose(1, 4)}\n\n## Part {n}" for n in range(30)) + "\n\nEnd."
    for size in range(60, 140, 7):
        for piece in cut(text, "T", size=size, overlap=10, tokenizer=ESTIMATE):
            assert not piece.text.splitlines()[-1].startswith("## ")


def test_the_anchor_is_the_heading_that_a_piece_begins_under() -> None:
    text = f"# Early\n\n{prose(1, 2)}\n\n# Late\n\n{prose(1, 9)}"
    assert [piece.anchor for piece in cut(text, "T", size=5000, overlap=0, tokenizer=ESTIMATE)] == ["T > Early"]
    assert [piece.anchor for piece in cut("Before.\n\n" + text, "T", size=5000, overlap=0, tokenizer=ESTIMATE)] == ["T"]
    [*_, last] = cut(text, "T", size=80, overlap=0, tokenizer=ESTIMATE)
    assert last.anchor == "T > Late" and "# Late" not in last.text
    assert cut(prose(1), "T", size=500, overlap=0, tokenizer=ESTIMATE)[0].anchor == "T"
    assert cut(f"# same\n\n{prose(1)}", "Same", size=500, overlap=0, tokenizer=ESTIMATE)[0].anchor == "Same"
    assert cut(f"# H\n\n{prose(1)}", " ", size=500, overlap=0, tokenizer=ESTIMATE)[0].anchor == "H"
    assert cut("x", "two\nlines " * 100, size=500, overlap=0, tokenizer=ESTIMATE)[0].anchor.startswith("two lines two")


def test_a_piece_of_more_than_the_size_is_a_single_cluster() -> None:
    family = "👨‍👩‍👧‍👦"
    pieces = cut(family * 3, "T", size=1, overlap=0, tokenizer=ESTIMATE)
    assert [piece.text for piece in pieces] == [family] * 3


@pytest.mark.parametrize(
    "text",
    [
        "a" * 2_000_000,
        "ab " * 700_000,
        "a" + "\u0301" * 100_000,
        " " * 2_000_000 + "x",
        "🇩🇪" * 50_000,
        "# a\n" * 30_000,
    ],
)
def test_long_texts_without_structure_are_cut_too(text: str) -> None:
    pieces = cut(text, "T", size=600, overlap=100, tokenizer=ESTIMATE)
    assert max(piece.n_tokens for piece in pieces) <= 600
    assert pieces[-1].end == len(text.rstrip())


def test_every_token_is_counted_twice_at_most_and_the_overlap_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    text = prose(200)
    seen = []

    class Counting(Pairs):
        def count(self, text: str) -> int:
            seen.append(len(text))
            return super().count(text)

    cut(text, "T", size=600, overlap=60, tokenizer=Counting())
    assert sum(seen) < 2.25 * len(text)


def test_shares_of_the_best_ends_fall_with_how_good_they_are() -> None:
    assert [quality for quality, _ in chunking._LEAST_FILLED] == [3, 2, 1]
