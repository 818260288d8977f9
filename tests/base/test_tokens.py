"""The estimate, tiktoken without the network, and the choice between them."""

import hashlib
import pickle
from pathlib import Path

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.base import tokens
from pipeline.base.errors import SettingsError
from pipeline.base.tokens import Estimate, Tiktoken, choose

ESTIMATE = Estimate()
BYTES = tiktoken.Encoding(
    "bytes",
    pat_str=r"\s?\p{L}+|\s?\p{N}+|\s?[^\s\p{L}\p{N}]+|\s+",
    mergeable_ranks={bytes([n]): n for n in range(256)},
    special_tokens={},
)
"""An encoding of one token a byte, so that tests need no ranks."""


@given(st.text())
@settings(deadline=None)
def test_the_estimate_lies_between_one_and_the_bytes_of_utf8(text: str) -> None:
    assert min(1, len(text)) <= ESTIMATE.count(text) <= len(text.encode("utf-8", "surrogatepass"))


@given(st.lists(st.text()))
@settings(deadline=None)
def test_counting_many_is_counting_each(texts: list[str]) -> None:
    assert ESTIMATE.counts(texts) == [ESTIMATE.count(text) for text in texts]


@given(st.lists(st.text("abcxyzäßжяあ中한ع5.,", min_size=1)))
@settings(deadline=None)
def test_the_estimate_adds_up_over_words(words: list[str]) -> None:
    assert ESTIMATE.count(" ".join(words)) == sum(ESTIMATE.counts(words))


@given(st.text(), st.text())
@settings(deadline=None)
def test_cutting_anywhere_changes_the_estimate_by_two_at_most(left: str, right: str) -> None:
    assert abs(ESTIMATE.count(left) + ESTIMATE.count(right) - ESTIMATE.count(left + right)) <= 2


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("The cat sat on the mat and looked at the king.", 10, 14),
        ("Die Jungfrau führte die französischen Truppen nach Orléans.", 9, 18),
        ("贞德出生于法国东北部的一个小村庄。", 10, 20),
        ("ジャンヌはドンレミ村に生まれた。", 7, 17),
        ("Жанна родилась в деревне Домреми.", 8, 16),
        ("ولدت جان دارك في قرية دومريمي", 9, 20),
        ("1431-05-30", 4, 6),
        ("\n\n\n", 1, 1),
        ("don't", 1, 2),
    ],
)
def test_the_estimate_is_of_the_right_size(text: str, least: int, most: int) -> None:
    assert least <= ESTIMATE.count(text) <= most


def test_a_long_text_counts_as_its_parts() -> None:
    sentence = "The cat sat on the mat. "
    text = sentence * 100_000
    assert abs(ESTIMATE.count(text) - 100_000 * ESTIMATE.count(sentence)) <= 5


def test_special_tokens_in_a_text_are_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "_encoding", lambda name: BYTES)
    assert Tiktoken("cl100k_base").count("<|endoftext|> and \ud800") > 0


def test_tiktoken_is_given_long_texts_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "_encoding", lambda name: BYTES)
    assert Tiktoken("o200k_base").counts(["a" * 100_000, "", "ab cd " * 10_000]) == [100_000, 0, 60_000]


def test_tokenizers_travel_to_other_processes_by_name() -> None:
    for tokenizer in (ESTIMATE, Tiktoken("o200k_base")):
        assert pickle.loads(pickle.dumps(tokenizer)) == tokenizer


@pytest.mark.parametrize("name", sorted(tokens._RANKS))
def test_the_ranks_looked_for_are_those_that_tiktoken_loads(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    public = pytest.importorskip("tiktoken_ext.openai_public")
    asked: list[tuple[str, str]] = []

    def load(url: str, expected_hash: str) -> dict[bytes, int]:
        asked.append((url, expected_hash))
        return {}

    monkeypatch.setattr(public, "load_tiktoken_bpe", load)
    public.ENCODING_CONSTRUCTORS[name]()
    file, sha256 = tokens._RANKS[name]
    assert asked == [(f"{tokens._BLOBS}{file}.tiktoken", sha256)]


@pytest.fixture
def without_ranks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without ranks and without a network."""
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("tiktoken.load.read_file", lambda path: pytest.fail(f"{path} was fetched"))
    return tmp_path


@pytest.fixture
def with_ranks(without_ranks: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    content = b"ranks"
    monkeypatch.setitem(tokens._RANKS, "o200k_base", ("o200k_base", hashlib.sha256(content).hexdigest()))
    name = hashlib.sha1(f"{tokens._BLOBS}o200k_base.tiktoken".encode()).hexdigest()
    (without_ranks / name).write_bytes(content)
    return without_ranks / name


def test_auto_is_the_estimate_where_there_are_no_ranks(without_ranks: Path) -> None:
    tokenizer, note = choose("auto")
    assert tokenizer.name == "estimate-1"
    assert "o200k_base" in note


def test_auto_is_tiktoken_where_its_ranks_are_at_hand(with_ranks: Path) -> None:
    assert choose("auto")[0].name == "o200k_base"


def test_ranks_that_are_not_whole_are_not_taken_and_not_touched(with_ranks: Path) -> None:
    with_ranks.write_bytes(b"ran")
    assert choose("auto")[0].name == "estimate-1"
    assert with_ranks.read_bytes() == b"ran"


def test_an_empty_cache_folder_means_none(with_ranks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    assert not tokens.ranks_on_disk("o200k_base")


def test_auto_keeps_what_the_last_index_was_counted_with(with_ranks: Path) -> None:
    tokenizer, note = choose("auto", "estimate-1")
    assert tokenizer.name == "estimate-1"
    assert "o200k_base is at hand" in note
    assert choose("auto", "o200k_base")[0].name == "o200k_base"


@pytest.mark.parametrize("pinned", ["o200k_base", "estimate-0", "someone-elses"])
def test_a_tokenizer_of_the_last_index_that_is_gone_is_an_error(without_ranks: Path, pinned: str) -> None:
    with pytest.raises(SettingsError) as error:
        choose("auto", pinned)
    assert pinned in error.value.found
    assert "estimate" in error.value.fix


def test_the_setting_goes_before_the_last_index_and_a_note_says_so(with_ranks: Path) -> None:
    tokenizer, note = choose("estimate", "o200k_base")
    assert tokenizer.name == "estimate-1"
    assert "the last index used o200k_base" in note
    assert choose("o200k_base", "estimate-1")[0].name == "o200k_base"


def test_a_misspelt_encoding_is_an_error_with_the_nearest_name(without_ranks: Path) -> None:
    with pytest.raises(SettingsError, match="did you mean o200k_base"):
        choose("o200k_bse")
    with pytest.raises(SettingsError, match="not on this machine"):
        choose("cl100k_base")
