"""Counts tokens: with tiktoken where its ranks are on disk already, with an estimate of our own everywhere else.

Nothing here touches the network. Left to itself, tiktoken downloads what it misses, and deletes and downloads again what
does not have the expected hash; so the file is looked at first.
"""

import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from pipeline.base.errors import SettingsError, meant

if TYPE_CHECKING:
    import tiktoken


ItemT = TypeVar("ItemT")


def that_fit(items: Sequence[ItemT], sizes: Iterable[float], room: float) -> list[ItemT]:
    """Return the first items that fit into ``room`` together, by the size of each; at least one."""
    for place, size in enumerate(sizes):
        room -= size
        if room < 0 and place:
            return list(items[:place])
    return list(items)


def batches_within(sizes: Iterable[float], room: float, most: int | None = None) -> Iterator[slice]:
    """Yield the stretches of items, given by their sizes, that fit into ``room`` one after the other, ``most`` items each at the most
    where that is given; an item that does not fit is alone."""
    start, end, total = 0, 0, 0.0
    for end, size in enumerate(sizes, 1):
        if end - 1 > start and (total + size > room or end - 1 - start == most):
            yield slice(start, end - 1)
            start, total = end - 1, 0.0
        total += size
    if end > start:
        yield slice(start, end)


class Tokenizer(Protocol):
    """Counts tokens. ``name`` goes into the metadata of the tables, so it changes whenever the counts do."""

    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int:
        """Tokens of one text: 0 for the empty one, otherwise from 1 to the number of its UTF-8 bytes."""

    def counts(self, texts: Sequence[str]) -> list[int]:
        """``count`` of each, faster than one by one."""


# --- the estimate ---------------------------------------------------------------------------------------------------

_SPACE, _NEWLINE = 1, 2
# What a run of characters of one group costs: the sum of its characters' weights in hundredths of a token, rounded up.
# The weights follow what o200k_base is known to need: openai.com/index/hello-gpt-4o gives one sentence in 20 languages;
# the weight of an English letter is fitted to a book of 35,438 words, 50,288 tokens in that family (estimated 0.4 % fewer).
_CLASSES: tuple[tuple[int, int, tuple[tuple[int, int], ...]], ...] = (
    # group, weight, ranges of code points (inclusive); later lines win
    (0, 100, ((0x0, 0x10FFFF),)),  # anything else
    (0, 200, ((0x10000, 0x1FFFF),)),  # emoji, historic scripts
    (3, 34, ((0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E))),  # punctuation, in threes
    (3, 50, ((0xA1, 0xBF), (0x2010, 0x206F), (0x3001, 0x303F), (0xFF01, 0xFF0F), (0xFF1A, 0xFF20), (0xFF3B, 0xFF40))),
    (4, 33, ((0x30, 0x39),)),  # digits, in threes
    (5, 12, ((0x41, 0x5A), (0x61, 0x7A))),  # a to z: up to eight letters are one token
    (5, 45, ((0xAA, 0xAA), (0xB5, 0xB5), (0xBA, 0xBA), (0xC0, 0xD6), (0xD8, 0xF6), (0xF8, 0x24F), (0x1E00, 0x1EFF))),
    (5, 30, ((0x27, 0x27), (0x2019, 0x2019))),  # apostrophes inside words
    (6, 25, ((0x370, 0x52F), (0x1F00, 0x1FFF))),  # Greek, Cyrillic
    (7, 38, ((0x590, 0x6FF), (0x750, 0x77F), (0x8A0, 0x8FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFC))),  # Hebrew, Arabic
    (8, 38, ((0x530, 0x58F), (0x900, 0xEFF), (0x10A0, 0x10FF))),  # Armenian, Indic, Thai, Lao, Georgian
    (9, 55, ((0x3040, 0x30FF), (0xFF66, 0xFF9F))),  # kana
    (10, 75, ((0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))),  # Han
    (11, 60, ((0x1100, 0x11FF), (0x3130, 0x318F), (0xAC00, 0xD7AF))),  # Hangul
    (
        _SPACE,
        0,
        ((0x9, 0x9), (0xB, 0xC), (0x1C, 0x20), (0xA0, 0xA0), (0x2000, 0x200A), (0x202F, 0x202F), (0x3000, 0x3000)),
    ),
    (_NEWLINE, 0, ((0xA, 0xA), (0xD, 0xD), (0x85, 0x85), (0x2028, 0x2029))),
)
_BATCH = 1 << 15  # characters looked at at once: what the processor's caches hold
_PART = 1 << 20  # characters of a part of a longer text


@lru_cache(maxsize=1)
def _tables() -> tuple[np.ndarray, bytes, bytes]:
    """Class of every code point (uint8, 0x110000); group and weight of every class, as translations of bytes."""
    classes = np.zeros(0x110000, dtype=np.uint8)
    for number, (_, _, ranges) in enumerate(_CLASSES):
        for first, last in ranges:
            classes[first : last + 1] = number
    groups = bytes(group for group, _, _ in _CLASSES)
    return classes, groups.ljust(256), bytes(weight for _, weight, _ in _CLASSES).ljust(256)


@dataclass(frozen=True)
class Estimate:
    """Tokens by script and length of runs, the same on every machine and every version of Unicode.

    A run is a stretch of one group: letters of one script, digits, punctuation, white space. Runs are counted one by one, so
    counts add up exactly wherever a text is cut between two runs (at the edge of a word), and cutting inside a run adds at
    most one. Texts beyond 2**20 characters are counted in parts.
    """

    name: str = "estimate-1"

    def count(self, text: str) -> int:
        return self.counts((text,))[0]

    def counts(self, texts: Sequence[str]) -> list[int]:
        totals: list[int] = []
        for cut in batches_within(map(len, texts), _BATCH):
            batch = texts[cut]
            totals += _count_runs(batch) if len(batch) > 1 else [sum(_count_runs([*_parts(batch[0], _PART)]))]
        return [max(total, 1) if text else 0 for total, text in zip(totals, texts, strict=True)]


def _count_runs(pieces: Sequence[str]) -> list[int]:
    classes_of, groups_of, weights_of = _tables()
    joined = "".join(pieces)
    if not joined:
        return [0] * len(pieces)
    if joined.isascii():
        codes = np.frombuffer(joined.encode("ascii"), dtype=np.uint8)
    else:
        codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    classes = classes_of.take(codes).tobytes()
    # Bytes are translated, and summed in 32 bits, three to five times faster than arrays are indexed and summed in 64.
    groups = np.frombuffer(classes.translate(groups_of), dtype=np.uint8)
    weights = np.frombuffer(classes.translate(weights_of), dtype=np.uint8)
    so_far = np.cumsum(weights, dtype=np.int32 if len(codes) <= _PART else np.int64)
    edges = np.concatenate(([0], np.cumsum([len(piece) for piece in pieces], dtype=np.int64)))
    first = np.empty(len(codes), dtype=bool)  # whether a run begins at the character
    np.not_equal(groups[1:], groups[:-1], out=first[1:])
    first[edges[:-1][edges[:-1] < len(codes)]] = True
    starts = np.flatnonzero(first)
    kinds, lengths = groups[starts], np.diff(starts, append=len(codes))
    tokens = (np.diff(so_far[starts + lengths - 1], prepend=0) + 99) // 100
    # A single space belongs to the word behind it; longer white space has tokens of its own, up to 16 characters each.
    tokens = np.where(kinds == _SPACE, (lengths + 14) // 16, tokens)
    tokens = np.where(kinds == _NEWLINE, (lengths + 15) // 16, tokens)
    sums = np.concatenate(([0], np.cumsum(tokens)))
    counts: list[int] = np.diff(sums[np.searchsorted(starts, edges)]).tolist()
    return counts


def _parts(text: str, limit: int) -> Iterator[str]:
    """Pieces of at most ``limit`` characters that join to the text, cut before a space where there is one."""
    start = 0
    while len(text) - start > limit:
        space = text.rfind(" ", start + 1, start + limit)
        end = space if space > 0 else start + limit
        yield text[start:end]
        start = end
    if start < len(text):
        yield text[start:]


# --- tiktoken -------------------------------------------------------------------------------------------------------

_BLOBS = "https://openaipublic.blob.core.windows.net/encodings/"
_RANKS = {
    "o200k_base": ("o200k_base", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"),
    "o200k_harmony": ("o200k_base", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"),
    "cl100k_base": ("cl100k_base", "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"),
    "p50k_base": ("p50k_base", "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069"),
    "r50k_base": ("r50k_base", "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930"),
}
"""Encodings of tiktoken: name of the ranks' file, SHA-256 of its content."""

PREFERRED = "o200k_base"
# characters handed to tiktoken at once: a longer run without spaces can exhaust its expression engine
_LONGEST = 1 << 16


@dataclass(frozen=True)
class Tiktoken:
    """An encoding of tiktoken, loaded at the first count. Texts beyond 2**16 characters are counted in parts."""

    name: str

    def count(self, text: str) -> int:
        # encode() raises on text that spells a special token, such as <|endoftext|>; encode_ordinary() takes it as text.
        encoding = _encoding(self.name)
        return sum(len(encoding.encode_ordinary(part)) for part in _parts(text, _LONGEST))

    def counts(self, texts: Sequence[str]) -> list[int]:
        return [self.count(text) for text in texts]


@lru_cache(maxsize=2)
def _encoding(name: str) -> "tiktoken.Encoding":
    import tiktoken

    return tiktoken.get_encoding(name)


def ranks_on_disk(name: str) -> bool:
    """Whether tiktoken would find the encoding's ranks, whole, where it keeps them: then it downloads nothing."""
    file, sha256 = _RANKS[name]
    folder = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR"))
    if folder == "":  # tiktoken's way to say: keep nothing, download always
        return False
    where = Path(folder) if folder else Path(tempfile.gettempdir()) / "data-gym-cache"
    path = where / hashlib.sha1(f"{_BLOBS}{file}.tiktoken".encode(), usedforsecurity=False).hexdigest()
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256


# --- the choice -----------------------------------------------------------------------------------------------------


def choose(setting: str, pinned: str | None = None) -> tuple[Tokenizer, str]:
    """Return the tokenizer and a sentence that says which it is and why.

    ``setting`` is that of settings.yaml: "auto", "estimate" or an encoding of tiktoken. ``pinned`` is the name that the last index
    was counted with: "auto" keeps it, so that counts never change by themselves. Raises SettingsError for a name that
    is not known and for an encoding whose ranks are not on disk.
    """
    name = _named(setting, pinned)
    tokenizer: Tokenizer = Estimate() if name == Estimate.name else Tiktoken(name)
    note = f"tokens are {'estimated' if name == Estimate.name else f'counted by {name}'}"
    if setting != "auto":
        return tokenizer, note + (f"; the last index used {pinned}" if pinned not in (None, name) else "")
    if name == Estimate.name and pinned and ranks_on_disk(PREFERRED):
        return tokenizer, f"{note}, as in the last index; {PREFERRED} is at hand now: set chunks.tokenizer to change"
    if name == Estimate.name and not pinned:
        return tokenizer, f"{note}: what tiktoken needs to count them ({PREFERRED}) is not on this machine"
    return tokenizer, note


def _named(setting: str, pinned: str | None) -> str:
    if setting == "estimate":
        return Estimate.name
    if setting != "auto":
        return _available(setting, "chunks.tokenizer", "set chunks.tokenizer to estimate, or")
    if pinned is None:
        return PREFERRED if ranks_on_disk(PREFERRED) else Estimate.name
    if pinned == Estimate.name:
        return pinned
    return _available(
        pinned, "the last index", "set chunks.tokenizer to estimate (every document is then cut again), or"
    )


def _available(name: str, where: str, fix: str) -> str:
    known = [Estimate.name, *_RANKS]
    if name not in known:
        raise SettingsError(
            f"{where} names the tokenizer {name!r}{meant(name, ['auto', 'estimate', *_RANKS], 0.4)}",
            f"this version knows: auto, estimate, {', '.join(_RANKS)}",
            f"{fix} name one of them",
        )
    if name in _RANKS and not ranks_on_disk(name):
        raise SettingsError(
            f"{where} names the tokenizer {name!r}, whose ranks are not on this machine",
            "graphstrata downloads nothing by itself",
            f'{fix} fetch them once, where there is a network: python -c "import tiktoken; tiktoken.get_encoding({name!r})"'
            " (TIKTOKEN_CACHE_DIR says where they are kept)",
        )
    return name
