"""Finding evidence for a question without a model: chunks, the sentences in them, key elements, and how strong it is."""

import math
import re
from bisect import insort
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property, partial
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline.base.errors import ModelError
from pipeline.base.recent import Recent
from pipeline.base.schema import CHUNKS, EMBEDDINGS, KEY_ELEMENTS, TABLES
from pipeline.base.store import Draft, Generation, Rows
from pipeline.retrieval.index_arrays import COLUMNS
from pipeline.retrieval.lookup_arrays import PASSAGES_FILE, LookupArrays
from pipeline.retrieval.search import RetrievalIndex
from pipeline.retrieval.vectors import VECTORS_FILE, ChunkVectors, Near, Vectorise
from pipeline.text.keys import ENDING, LEAST_PART, REST, content_keys, irregular_forms, key_of
from pipeline.text.question.related_words import related_words
from pipeline.text.scripts import UNSPACED, is_unspaced, language_of
from pipeline.text.tokenizer import fold_word, words

FINDER_READS = (CHUNKS, KEY_ELEMENTS, *(TABLES[f"retrieval_{name}"] for name in COLUMNS), EMBEDDINGS)
"""The tables that a Finder reads; the last may be missing."""
FUSION = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009)."""
COMPOUNDING = frozenset({"de", "nl", "sv", "da", "no", "nb", "fi", "hu"})
"""Languages that write compounds in one word: a door key is a word that ends with "key"."""
BEGIN = 3
"""Letters that the forms of a word have in common."""
RECENT = 64
"""Questions whose hits are kept: a search, and what is shown beside its answer, rank the same question."""
RARITIES = 1 << 14
"""Words whose rarity is kept: the titles that are near one query of a question are near the next."""
SAMPLE = 16
"""Chunks by which the language of a corpus is recognised."""
KANA_IN = 20
"""Of so many parts of a Japanese corpus one at least has kana."""


def write_array_files(
    published: Draft | Generation, folder: Path, before: Path | None, line: Callable[[str], None]
) -> None:
    """Write what questions to a large index map into the ``folder`` of its generation; that of the one ``before`` may hold
    it already. ``line`` gets a message on what cannot be written."""
    stored = published.entries if isinstance(published, Draft) else published.manifest.tables
    tables = {table.name: published.rows(table.name) for table in FINDER_READS if table.name in stored}
    for file in (PASSAGES_FILE, VECTORS_FILE):
        file.write(tables, folder, before, line)


class Hit(NamedTuple):
    """A chunk that was found; scores order the hits of one question and mean nothing across questions."""

    chunk_id: str
    score: float


def fuse(lists: Sequence[Sequence[Hit]]) -> list[Hit]:
    """Return the hits of several lists as one, by the sum of 1 / (FUSION + rank), ranks from 1; ties go by id."""
    shares: dict[str, list[float]] = {}
    for hits in lists:
        for rank, hit in enumerate(hits, 1):
            shares.setdefault(hit.chunk_id, []).append(1 / (FUSION + rank))
    # An exact sum: the order of the lists must not decide between chunks of equal ranks.
    scores = {id: math.fsum(some) for id, some in shares.items()}
    return [Hit(id, scores[id]) for id in sorted(scores, key=lambda id: (-scores[id], id))]


class Node(NamedTuple):
    """A key element that was found, with its score from 0 to 100."""

    id: str
    title: str
    score: float


class _Elements(NamedTuple):
    """The key elements in columns: what a node's score needs to know of each."""

    ids: list[str]
    titles: list[str]
    folded: list[str]
    damping: list[float]
    """The logarithm of the frequency and two."""


def _elements(key_elements: Rows) -> _Elements:
    columns = key_elements.table(["id", "title", "frequency"]).to_pydict()
    titles = columns["title"]
    damping = [math.log(frequency + 2) for frequency in columns["frequency"]]
    return _Elements(columns["id"], titles, [title.casefold() for title in titles], damping)


class Finder:
    """Ranks the chunks, sentences and key elements of one index, given the tables FINDER_READS by name."""

    def __init__(self, tables: Mapping[str, Rows], vectorise: Vectorise = lambda texts: None) -> None:
        self._vectorise = vectorise
        self._tables, self._chunks, self._key_elements = tables, tables["chunks"], tables["key_elements"]
        self._left: NDArray[np.bool_] | None = None
        """Whether each passage may be found; None where all may."""
        self._recent: Recent[str, tuple[int, list[Hit]]] = Recent(RECENT)
        """The best chunks of a question, and how many were looked for."""
        self._rarities: Recent[str, float] = Recent(RARITIES)
        self._relatives: Recent[str, list[int]] = Recent(RARITIES)
        """The rows of the words that are alike one."""

    def among(self, chunk_ids: frozenset[str], key_elements: Rows) -> "Finder":
        """Return a Finder that finds these chunks and key elements alone, and weighs words as this one does."""
        _ = self.retrieval  # opened once for both
        other = copy(self)
        other._recent = Recent(RECENT)
        other._left = np.fromiter((id in chunk_ids for id in self._chunk_ids), bool, len(self._chunk_ids))
        other._key_elements = key_elements
        return other

    def entering(self, ledger: object) -> "Finder":
        """Return a Finder like this one that enters the calls for vectors of questions in a ledger."""
        _ = self.retrieval  # opened once for both
        other = copy(self)
        other._recent = Recent(RECENT)
        other._vectorise = partial(self._vectorise, ledger=ledger)
        return other

    def find(self, questions: Sequence[str], k: int) -> list[list[Hit]]:
        """Return for each question its ``k`` best chunks, best first, ties by their order."""
        known = {question: self._recent.get(question) or (0, []) for question in questions}
        new = [question for question, (most, _) in known.items() if most < k]
        near = self._near(new)
        found = self.retrieval.search(new, k, near, self._left) if new else []
        for question, ranked in zip(new, found, strict=True):
            known[question] = k, [Hit(self._chunk_ids[one.row], one.score) for one in ranked]
            self._recent.put(question, known[question])
        return [known[question][1][:k] for question in questions]

    def nodes(self, question: str, k: int) -> list[Node]:
        """Return the key elements closest to the question, best first: only ones that exist."""
        asked = {key: self.rarity(key) or self._rarest for key in content_keys(question, self.language)}
        begins = "|".join(sorted(re.escape(key[:BEGIN]) for key in asked))
        anywhere = re.compile(begins)  # which passes over most titles much faster than what looks for words
        as_word = re.compile(rf"(?:\A|[\W_]|(?=[{UNSPACED}])|(?<=[{UNSPACED}]))(?:{begins})")
        elements = self._key_elements.derived(_elements) if asked else _Elements([], [], [], [])
        near = []
        for row in [row for row, folded in enumerate(elements.folded) if anywhere.search(folded)]:
            if not as_word.search(elements.folded[row]):
                continue
            keys = content_keys(elements.titles[row], self.language)
            shared = sum(asked[key] for key in sorted(keys & asked.keys()))
            if shared:
                near.append((-shared * shared / shared / elements.damping[row], row, shared, keys))
        found: list[tuple[float, str, str]] = []
        for most, row, shared, keys in sorted(near, key=itemgetter(0, 1)):
            if len(found) >= k and most > found[k - 1][0]:
                break  # whatever other words these titles have, there are better ones
            own = shared + sum(self.rarity(key) or self._rarest for key in sorted(keys - asked.keys()))
            score = -shared * shared / own / elements.damping[row]
            insort(found, (score, elements.titles[row], elements.ids[row]))
        best = -min(found, default=(0.0, "", ""))[0] or 1.0
        return [Node(id, title, -score / best * 100) for score, title, id in found[:k]]

    def _forms(self, word: str) -> list[int]:
        """Return the rows of a word of a spaced script: the word as it is, else those that begin alike and have its key."""
        row_of, folded = self.retrieval.lookup.row_of, fold_word(word)
        return [row_of[folded]] if folded in row_of else self._alike(folded)

    def _alike(self, folded: str) -> list[int]:
        """Return the rows of all words with the key of a folded one that begin alike, or are irregular forms of it; where there are
        none and the corpus is in a language that writes compounds in one, those of the words that end with it."""
        if (known := self._relatives.get(folded)) is None:
            self._relatives.put(folded, known := self._found_alike(folded))
        return known

    def _found_alike(self, folded: str) -> list[int]:
        lookup, own = self.retrieval.lookup, key_of(folded, self.language)
        alike = lookup.row_of.beginning(folded[:BEGIN])
        forms = [term for term in alike if key_of(term, self.language) == own]
        forms += [form for form in irregular_forms().get(own, ()) if form in lookup.row_of]
        if not forms and self.language in COMPOUNDING and len(own) >= LEAST_PART:
            ends = re.compile(rf".{{{REST},}}{re.escape(own)}\w{{0,{ENDING}}}")
            forms = [term for term in lookup.row_of if own in term and ends.fullmatch(term)]
        return [lookup.row_of[term] for term in forms]

    def vocabulary(self) -> Iterable[str]:
        """Return all words of the passages, folded."""
        return self.retrieval.lookup.row_of

    def folded(self, word: str) -> str:
        """Return a word as the vocabulary has it: without case and accents."""
        return fold_word(word)

    def as_written(self, folded: str) -> str:
        """Return a word of the vocabulary as the first passage that holds it writes it."""
        lookup = self.retrieval.lookup
        row = lookup.row_of[folded]
        (chunk,) = self._chunks.by_id([self._chunk_ids[int(lookup.arrays.postings[row][0])]], ["text"]).values()
        return next((word for word in words(chunk["text"]) if fold_word(word) == folded), folded)

    def is_capital_inside(self, folded: str) -> bool:
        """Return whether a word of the vocabulary has a capital anywhere inside a sentence."""
        lookup = self.retrieval.lookup
        return bool(lookup.arrays.capitals[lookup.row_of[folded]])

    def holds_text(self, part: str, outside: str = "") -> bool:
        """Return whether a passage holds these characters of an unspaced script one after the other, ``outside`` of a longer
        text that has them where one is given."""
        lookup = self.retrieval.lookup
        rows = [lookup.row_of.get(char, lookup.n_terms) for char in part]
        if lookup.n_terms in rows:
            return False
        shared = lookup.holding(rows).tolist()
        chunks = self._chunks.by_id([self._chunk_ids[row] for row in shared], ["text"]).values()
        return any(part in (chunk["text"].replace(outside, " ") if outside else chunk["text"]) for chunk in chunks)

    def holding(self, words: Collection[str], most: int) -> list[str]:
        """Return the chunks that hold all of some words in spaced scripts as they are, at most so many, in their order."""
        lookup = self.retrieval.lookup
        rows = [lookup.row_of.get(fold_word(word), lookup.n_terms) for word in words]
        if not rows or lookup.n_terms in rows:
            return []
        left = self._left
        rows = [row for row in lookup.holding(rows).tolist() if left is None or left[row]]
        return [self._chunk_ids[row] for row in rows[:most]]

    def holding_forms(self, words: Sequence[str]) -> list[str]:
        """Return the chunks that hold each of some words in any form, in their order; of unspaced scripts each character."""
        lookup = self.retrieval.lookup
        found = np.arange(self._n_chunks if words else 0)
        for word in words:
            rows = [lookup.row_of.get(word)] if is_unspaced(word) else self._alike(fold_word(word))
            postings = [lookup.arrays.postings[row] for row in rows if row is not None]
            found = found[np.isin(found, np.concatenate(postings))] if postings else found[:0]
        return [self._chunk_ids[row] for row in found.tolist() if self._left is None or self._left[row]]

    def rarity(self, word: str) -> float:
        """Return ln(1 + N / passages with a word in any form), or with all characters of a word of an unspaced script;
        0 for a word that is in none.
        """
        if (known := self._rarities.get(word)) is None:
            self._rarities.put(word, known := self._rarity(word))
        return known

    def _rarity(self, word: str) -> float:
        lookup = self.retrieval.lookup
        if not is_unspaced(word):
            spread = max((int(lookup.arrays.stem_spread[row]) for row in self._forms(word)), default=0)
            return math.log(1 + self._n_chunks / spread) if spread else 0.0
        rows = [lookup.row_of.get(char, lookup.n_terms) for char in word]
        if lookup.n_terms in rows:
            return 0.0
        shared = len(lookup.holding(rows))
        return math.log(1 + self._n_chunks / shared) if shared else 0.0

    def _near(self, questions: Sequence[str]) -> list[Near] | None:
        """What vectors are nearest to each question; None where the index or the settings have no vectors."""
        if not questions or not self._vectors.size or (vectors := self._vectorise(questions)) is None:
            return None
        if vectors.shape[1] != self._vectors.size:
            raise ModelError(
                f"the embedding model of settings gives {vectors.shape[1]} numbers, and the index holds vectors of"
                f" {self._vectors.size}",
                "they cannot be compared",
                "run graphstrata index, which makes the vectors anew, or set language.embedding back",
            )
        return [self._vectors.nearest(vector) for vector in vectors]

    @cached_property
    def _vectors(self) -> ChunkVectors:
        return ChunkVectors.opened(self._tables)

    @cached_property
    def retrieval(self) -> RetrievalIndex:
        """The graph of passages and names that the walk goes over."""
        arrays = LookupArrays.of_flat(PASSAGES_FILE.arrays(self._tables))
        return RetrievalIndex(arrays, alike=lambda word: self._alike(self.folded(word)), related=self._related)

    def _related(self, word: str) -> list[int]:
        """Return the rows of words that may stand for the same thing as a word, in any form."""
        others = related_words(self.language).of(key_of(fold_word(word), self.language))
        return [row for other in sorted(others) for row in self._alike(other)]

    @cached_property
    def language(self) -> str:
        """The language that most of the text of some chunks is in, evenly spaced over the corpus; ISO 639-1, or "und" where none shows
        one, as rows of tables may not."""
        ids = self._chunk_ids[:: max(1, self._n_chunks // SAMPLE)]
        texts = [row["text"] for row in self._chunks.by_id(ids, ["text"]).values()]
        sizes = Counter[str]()
        for text in texts:
            sizes[language_of(text)] += len(text)
        del sizes["und"]
        if sizes["ja"] * KANA_IN > sizes["zh"]:  # rows of names and words in Han characters alone
            del sizes["zh"]
        return max(sorted(sizes), key=lambda code: sizes[code]) if sizes else language_of("\n".join(texts))

    @cached_property
    def _chunk_ids(self) -> list[str]:
        ids: list[str] = self._tables["retrieval_passages"].column("chunk_id").to_pylist()
        return ids

    @cached_property
    def _rarest(self) -> float:
        return math.log(1 + self._n_chunks)

    @cached_property
    def _n_chunks(self) -> int:
        return self._chunks.num_rows
