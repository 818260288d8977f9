"""Retrieval over the graph of passages and names, without a language model: from a question to the passages that answer it.

What a question names, the passages about it, the names reached by bridging and a little text similarity make the restart of
a personalised PageRank; its visits and the closeness in words rank the passages (``pipeline.retrieval.blend``), those that
are on a country or state which the question calls for gain (``territories``), and the first are chosen by what each adds
(``coverage``). ``benchmarks/retrieval.py --ablation`` shows what each part adds.

Measured and left out (recall@5 in points, 2WikiMultiHopQA with titles unless said otherwise; "free form" are some ninety
questions written for its passages in other words):

- a lexical ranking fused with the visits after every walk: -27; it counts there only where the walk is spread;
- more text in the restart: twice as much -1, the same for every question -1;
- word vectors learned from the corpus (PPMI of stems in sentences, 64 dimensions) for words near in sense to a question's:
  +0.5, in free form -0.8, and twice the time to index; a list of words near in sense: 0;
- names that share rare words with an unknown name of the question: 0; every passage that mentions a name in the restart,
  the closest most: 0 (recall@2 without titles +0.8);
- a second hop that uses the first one's words again: -0.3, and in free form -3 on chains of three; a third hop: 0;
- common nouns as names: -0.8;
- a subject besides the anchor for every passage, or the names inside an anchor as subjects: -0.2, recall@2 -0.5;
- walks that restart more often (damping 0.5 instead of 0.7): recall@2 +0.5, all-gold@8 -0.8;
- the two closest sentences of a passage beside the whole of it: 0 to +1 on statements in long documents, -2 elsewhere;
- passages that hold a name that was reached, the closest to the question's other words most; passages that speak of names
  which those before them do not put first; a third hop: -1 to +1 on the even rows of MuSiQue, as much the other way on the odd
  ones, and nothing on HotpotQA;
- after the walk, for each name in the best three passages the passages that hold it, by its rarity and by what they say of
  the question that the first does not: recall@2 on HotpotQA +2, on 2WikiMultiHopQA -1, recall@5 the same (even rows);
- vectors (multilingual-e5-small, 384 numbers, four bits a weight) as a share of the restart alone: 0 on MuSiQue; one for a
  passage of 400 words, put first on a novel 44 % by vectors alone, of its parts 51 %, in interviews 66 % and 84 %; parts of 50 words:
  among the first five +1.4, first 0; cosines less the corpus's mean, or each passage's: 0 to -4; fused by reciprocal ranks: -12 first
  on a novel; nearness to a power beside the best in words, so that both count alike: -15 there; words in standard deviations, too,
  in place of their own scale: 0 on a novel, -0.3 in interviews, and all postings read;
- vectors of all-MiniLM-L6-v2 (MuSiQue 83.3; first on a novel 76.0, by words alone 78.0) with a deviation worth 0.7 to 2.2 nats in
  place of 3: MuSiQue 82.8, first on a novel 76.3 to 76.9, among the first five there +1, in interviews +0.3 and +0.7;
- passages about a name weighing 2.0 instead of 1.5 in the restart: +0.5, without titles +0.2, on MuSiQue +0.8; but whom the corpus
  knows by another name is then lost among passages about the words of that name;
- a word's stem counting as much as the word (0.5 instead of 0.75): first on a novel +0.9, in four interviews +0.3, in all sixty
  -0.7, recall@5 on HotpotQA -0.5, elsewhere the same;
- no function words at all in closeness: -1 to -3 on such statements; leaving out those that merely ask: 0, in short
  questions over tickets +6.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline.base.arrow.columns import FloatArray, IntArray
from pipeline.retrieval.blend import MEANING, blended, certainty, sureness
from pipeline.retrieval.bm25 import best
from pipeline.retrieval.bridging import Origin, Reached, UnnamedWords, hop
from pipeline.retrieval.coverage import POOL, WordShares, covering
from pipeline.retrieval.lookup import FEW, PassageLookup
from pipeline.retrieval.lookup_arrays import LookupArrays, distinct
from pipeline.retrieval.pagerank import DAMPING
from pipeline.retrieval.question_names import (
    Alike,
    NameMatch,
    Phrase,
    QuestionWords,
    closeness,
    find_names,
    find_phrases,
    read_words,
    written,
)
from pipeline.retrieval.territories import FIRST, TerritoryForms, lead_on
from pipeline.retrieval.vectors import Near

CLOSEST: Final = 20
"""Passages that text similarity gives to the restart."""
JUDGED: Final = 500
"""Of the best passages by walk and words, and of those that vectors are nearest to, the nearness in meaning counts."""


class RankedRow(NamedTuple):
    """A passage that was found; ``score`` orders the hits of one question and means nothing across questions."""

    row: int
    score: float


@dataclass(frozen=True)
class Mix:
    """What the restart is made of, by weight; all that a question names has weight 1 together."""

    own: float = 1.5
    """For the passages about a name, beside what the name itself has: the answer's first hop."""
    bridge: float = 0.5
    """For the names that the first hop reaches, together."""
    hops: int = 2
    further: float = 0.6
    """What a second hop has of the first one's weight, at most: less where it finds fewer of the question's words."""
    text: float = 0.25
    """For the closest passages by BM25, times the share of the question that no name covers: little where a question is
    its names, much where it describes; all where it names nothing."""
    vectors: float = 0.25
    """For the passages that vectors are nearest to, against all that a question names."""
    phrases: bool = True
    together: bool = True
    """Whether passages lead on by the countries and states that a question calls for, and are chosen by what they add."""
    damping: float = DAMPING


@dataclass(frozen=True)
class QuestionReading:
    """What a question was read as; ``restart_*`` are rows with their weights."""

    words: QuestionWords
    names: list[NameMatch]
    phrases: list[Phrase]
    bridges: list[Reached]
    uncovered: float
    """Share of the question's weight (idf) that no name and no phrase covers, 0 to 1."""
    titled: float
    """Share of what it names that a few passages are about, 0 to 1."""
    near: Near | None
    """How near passages are in meaning; None without vectors."""
    restart_names: dict[int, float]
    restart_passages: tuple[IntArray, FloatArray]


class Why(NamedTuple):
    """What led from a question to its passages, for people: what is written there, and what it was taken for."""

    names: list[tuple[str, tuple[str, ...]]]
    """Words of the question, and the titles they name."""
    phrases: list[tuple[str, int]]
    """Words that no name covers, and the number of passages that hold them together."""
    bridges: list[tuple[str, float]]
    """Titles of the names that were reached, with their weight, best first."""
    uncovered: float
    """Share of the question that no name and no phrase covers, 0 to 1."""


class RetrievalIndex:
    """A corpus of passages to which questions can be put; passages are named by their rows."""

    def __init__(
        self,
        arrays: LookupArrays,
        mix: Mix | None = None,
        alike: Alike = lambda word: (),
        related: Alike = lambda word: (),
    ) -> None:
        """``alike`` and ``related`` as ``read_words`` takes them."""
        self.arrays, self.mix, self._alike, self._related = arrays, mix or Mix(), alike, related
        self.lookup = PassageLookup(arrays, self.mix.damping)

    def search(
        self,
        questions: Sequence[str],
        k: int,
        near: Sequence[Near] | None = None,
        among: NDArray[np.bool_] | None = None,
    ) -> list[list[RankedRow]]:
        """The ``k`` best passages for each question, best first, ties by row; fewer where no more has anything to do with it.

        ``near`` says how near passages are in meaning, for each question; ``among`` says of each passage whether
        it may be found.
        """
        nearest: Sequence[Near | None] = near or [None for _ in questions]
        return self.rank([self.read(*pair) for pair in zip(questions, nearest, strict=True)], k, among)

    def read(self, question: str, near: Near | None = None) -> QuestionReading:
        """Find what a question names and what that leads to."""
        words = read_words(question, self.lookup, self._alike, self._related)
        names = find_names(words, self.lookup)
        phrases = find_phrases(words, names, self.lookup) if self.mix.phrases else []
        total = sum(name.weight * len(name.names) for name in names) + sum(phrase.weight for phrase in phrases)
        names = [name._replace(weight=name.weight / total) for name in names]
        phrases = [phrase._replace(weight=phrase.weight / total) for phrase in phrases]
        named = _strongest((name, one.weight) for one in names for name in one.names)
        bridges = self._bridge(words, names, phrases, named)
        weights = named | {reached.name: reached.score for reached in bridges}
        uncovered = self._uncovered(words, names, phrases)
        titled = sum(one.weight for one in names for name in one.names if 0 < self.lookup.n_about(name) <= FEW)
        titled += sum(one.weight for one in phrases if 0 < one.n_about <= FEW)
        passages = self._passages(words, phrases, weights, uncovered, near)
        return QuestionReading(words, names, phrases, bridges, uncovered, titled, near, weights, passages)

    def rank(
        self, readings: Sequence[QuestionReading], k: int, among: NDArray[np.bool_] | None = None
    ) -> list[list[RankedRow]]:
        """Rank by a walk from the restart of each question, by its words, and by what passages say together."""
        return [[RankedRow(*pair) for pair in self._ranked(reading, k, among)] for reading in readings]

    @cached_property
    def _territories(self) -> TerritoryForms:
        return TerritoryForms(self.lookup)

    def _ranked(self, reading: QuestionReading, k: int, among: NDArray[np.bool_] | None) -> Iterator[tuple[int, float]]:
        """Rows and scores, best first."""
        close, near = reading.words.close, reading.near
        walk = self.lookup.walk.visited(*reading.restart_passages, reading.restart_names)
        sure = sureness(certainty(walk.visits, self.lookup.n, walk.lost), reading.titled)
        by_words = close.holding() if among is None and k <= POOL else np.flatnonzero(close.every())
        rows = distinct(np.concatenate([walk.rows, by_words]))
        if near is not None:
            rows = distinct(np.concatenate([rows, near.rows]))
        visits, in_words = np.zeros(len(rows)), close.of(rows)
        visits[np.searchsorted(rows, walk.rows)] = walk.visits
        scores = blended(visits, in_words, sure)
        if near is not None:
            judged = np.union1d(best(scores, max(k, JUDGED)), np.searchsorted(rows, near.rows))
            in_words[judged] += MEANING * near.above_of(rows[judged])
            scores = blended(visits, in_words, sure)
        if among is not None:
            scores = scores * among[rows]
        if not (self.mix.together and sure):
            first = best(scores, k)
            yield from zip(rows[first].tolist(), scores[first].tolist(), strict=True)
            return
        shares = WordShares(reading.words, self.lookup)
        first = best(scores, FIRST)
        led, gains = lead_on(scores[first], rows[first], reading.words, reading.names, shares, self._territories)
        if among is not None:
            led, gains = led[among[led]], gains[among[led]]
        every = distinct(np.concatenate([rows, led]))
        gained, total = np.zeros(len(every)), np.zeros(len(every))
        np.maximum.at(gained, np.searchsorted(every, led), gains)
        total[np.searchsorted(every, rows)] = scores
        total += sure * gained
        first = best(total, max(k, POOL))
        found, ordered = covering(every[first], total[first], shares, sure)
        yield from zip(found[:k].tolist(), ordered[:k].tolist(), strict=True)

    def why(self, reading: QuestionReading) -> Why:
        """Put a reading into words."""
        titles, words = self.arrays.titles, reading.words
        return Why(
            [(written(words, one.start, one.end), tuple(titles[name] for name in one.names)) for one in reading.names],
            [(written(words, one.start, one.end), len(one.passages)) for one in reading.phrases],
            [(titles[reached.name], reached.score) for reached in reading.bridges],
            reading.uncovered,
        )

    def _bridge(
        self, words: QuestionWords, names: Sequence[NameMatch], phrases: Sequence[Phrase], named: dict[int, float]
    ) -> list[Reached]:
        """Names that the hops reach, their scores as weights of the restart."""
        lookup, mix = self.lookup, self.mix
        if not mix.bridge:
            return []
        cue = UnnamedWords(words, _places(names), lookup)
        origins = [
            Origin(w, lookup.sentences_of(name))
            for name, w in named.items()
            if lookup.arrays.spread[name] <= lookup.hub
        ]
        origins += [Origin(phrase.weight, phrase.sentences) for phrase in phrases]
        found: list[Reached] = []
        reached: list[Reached] = []
        first, total, weight = 0.0, 0.0, mix.bridge
        for turn in range(mix.hops):
            if turn:
                origins = [Origin(one.score / total, lookup.sentences_of(one.name), one.spent) for one in reached]
            reached = hop(origins, cue, {*named, *(one.name for one in found)}, lookup)
            total = sum(one.score for one in reached)
            first = first or total
            scale = max(total, first)
            found += [one._replace(score=weight * one.score / scale) for one in reached]
            weight *= mix.further
        return found

    def _uncovered(self, words: QuestionWords, names: Sequence[NameMatch], phrases: Sequence[Phrase]) -> float:
        idf = self.lookup.idf(words.rows)
        covered = np.zeros(len(idf), dtype=bool)
        for start, end in [(one.start, one.end) for one in names] + [(one.start, one.end) for one in phrases]:
            covered[start:end] = True
        total = float(idf.sum())
        return float(idf[~covered].sum()) / total if total else 1.0

    def _passages(
        self,
        words: QuestionWords,
        phrases: Sequence[Phrase],
        weights: dict[int, float],
        uncovered: float,
        near: Near | None,
    ) -> tuple[IntArray, FloatArray]:
        """Passages of the restart with their weights; one passage may come several times."""
        rows: list[IntArray] = [phrase.passages for phrase in phrases]
        shares: list[FloatArray] = [phrase.weight * phrase.shares for phrase in phrases]
        for name, weight in weights.items():
            about, how = self.lookup.about_name(name)
            if len(about) and self.mix.own:
                close = how * closeness(words.close, about)
                rows.append(about)
                shares.append(self.mix.own * weight * close / close.sum())
        total = sum(weights.values()) + sum(float(share.sum()) for share in shares)
        closest = words.close.best(CLOSEST)
        if len(closest) and (self.mix.text or not total):
            scores = words.close.of(closest)
            rows.append(closest)
            shares.append((self.mix.text * uncovered * total or 1.0) * scores / scores.sum())
        if near is not None and self.mix.vectors:
            rows.append(near.rows)
            shares.append(self.mix.vectors * (total or 1.0) * near.shares)
        return np.concatenate([np.zeros(0, dtype=np.int64), *rows]), np.concatenate([np.zeros(0), *shares])


def _strongest(weights: Iterable[tuple[int, float]]) -> dict[int, float]:
    """The largest weight of each name."""
    found: dict[int, float] = {}
    for name, weight in weights:
        found[name] = max(weight, found.get(name, 0.0))
    return found


def _places(named: Iterable[NameMatch]) -> list[int]:
    return [place for one in named for place in range(one.start, one.end)]
