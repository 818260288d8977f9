"""What a question costs in a large index of passages, and whether it finds what reading everything would find.

    python benchmarks/passages.py [--passages 1000000] [--questions 200] [--exact 20] [--work DIR]

The corpus is made up, the same each time: every passage has a title of two name words and sixty words after Zipf, names
three others (two of its neighbourhood, one that many name), and is asked for by its title, words near a name in it, and
words of the passage on that name. The arrays are made from its words in parts by the code that indexes texts, written to one
file, and opened by a process of its own that maps it. DIR keeps the file for the next run.

The last line is one JSON object: ``passages``, ``index_cpu_s``, ``index_peak_mb`` and ``file_mb`` of making it; ``open_ms`` (CPU,
the first question's reading of it not included), ``cpu_ms_per_question``, ``p95_ms``, ``recall`` (share of the ten best of an
exact ranking, over ``exact`` of the questions, that are among the ten found), ``first`` (share where the best is the same),
``vectors_ms`` (what comparing a question with 200,000 clustered vectors of 384 numbers adds, where there are any; their making is
``vectors_index_cpu_s``) and ``vectors_recall`` (share found of the ten nearest),
``resident_mb`` of the process after all questions, pages of the file included, and ``private_mb`` without them.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np
from numpy.typing import NDArray

from pipeline.base.arrow.columns import IntArray
from pipeline.base.storage.mapped import map_arrays, write_arrays
from pipeline.base.storage.spill import Spill
from pipeline.retrieval import closeness, pagerank
from pipeline.retrieval.bm25 import best
from pipeline.retrieval.indexing.build import index_words
from pipeline.retrieval.indexing.passage_words import AT_ONCE as BLOCK
from pipeline.retrieval.indexing.passage_words import PassageWords
from pipeline.retrieval.lookup_arrays import PASSAGES_FILE, LookupArrays, flat_arrays
from pipeline.retrieval.search import RetrievalIndex
from pipeline.retrieval.vectors import ChunkVectors, in_cells

SEED = 7
AT_ONCE = 48 * BLOCK
N_WORDS, ZIPF = 200_000, 1.05
FIRST_WORDS, LAST_WORDS = 5_003, 40_009  # primes: titles are different up to their product
LENGTH, SENTENCE = 60, 20
OWN, NEAR, FAR = (0, 34), (9, 24), 48
"""Places of the passage's own name, of two names of its neighbourhood, and of one that many passages have."""
NEIGHBOURS = 50
FUNCTION = [
    "the",
    "of",
    "in",
    "and",
    "a",
    "to",
    "was",
    "is",
    "by",
    "for",
    "on",
    "with",
    "as",
    "at",
    "from",
    "his",
    "her",
    "an",
    "that",
    "it",
    "which",
    "were",
    "be",
    "or",
    "its",
    "he",
    "she",
]
VOWELS, CONSONANTS = "aeiou", "bdfgklmnprstvz"


def made_words(n: int, first: str) -> list[str]:
    """Different pronounceable words."""
    syllables = [c + v for c in CONSONANTS for v in VOWELS]
    found = []
    for number in range(n):
        word = first
        while True:
            number, at = divmod(number, len(syllables))
            word += syllables[at]
            if not number:
                break
        found.append(word + "n")
    return found


class Corpus:
    """Passages of made-up words; a word is its row in ``terms``."""

    def __init__(self, n: int) -> None:
        self.n = n
        common = FUNCTION + made_words(N_WORDS - len(FUNCTION), "w")
        self.terms = [*common, *made_words(FIRST_WORDS, "a"), *made_words(LAST_WORDS, "o")]
        weights = np.arange(1, N_WORDS + 1, dtype=np.float64) ** -ZIPF
        self._sums = np.cumsum(weights) / weights.sum()

    def name(self, passages: IntArray) -> tuple[IntArray, IntArray]:
        """The two words of the names of passages."""
        return N_WORDS + passages * 7919 % FIRST_WORDS, N_WORDS + FIRST_WORDS + passages * 104729 % LAST_WORDS

    def title(self, passage: int) -> str:
        first, last = self.name(np.array([passage]))
        return f"{self.terms[int(first[0])].title()} {self.terms[int(last[0])].title()}"

    def part(self, start: int) -> tuple[NDArray[np.int32], IntArray]:
        """Words of some passages from ``start`` on, shape (passages, words), and the neighbours that they name, (passages, 2)."""
        random = np.random.default_rng([SEED, start])
        rows = np.arange(start, min(start + AT_ONCE, self.n))
        words = np.searchsorted(self._sums, random.random((len(rows), LENGTH))).astype(np.int32)
        near = np.clip(rows[:, None] + random.integers(-NEIGHBOURS, NEIGHBOURS + 1, (len(rows), 2)), 0, self.n - 1)
        far = (self.n * random.random(len(rows)) ** 4).astype(np.int64)
        places = zip((*OWN, *NEAR, FAR), (rows, rows, near[:, 0], near[:, 1], far), strict=True)
        for place, named in places:
            words[:, place], words[:, place + 1] = self.name(named)
        return words, near

    def read(self) -> PassageWords:
        """All passages, as reading their texts would give them."""
        spill, n_sentences = Spill(), LENGTH // SENTENCE
        parts = (self.part(start)[0] for start in range(0, self.n, AT_ONCE))
        for stream in (part[first : first + BLOCK].ravel() for part in parts for first in range(0, len(part), BLOCK)):
            n = len(stream) // LENGTH
            begins = (np.arange(n, dtype=np.int32)[:, None] * LENGTH + np.sort([*OWN, *NEAR, FAR])).ravel()
            capital, opening = np.zeros(len(stream), bool), np.zeros(len(stream), bool)
            capital[begins] = capital[begins + 1] = True
            opening[::SENTENCE] = capital[::SENTENCE] = True
            spill.write_arrays(
                {
                    "stream": stream,
                    "capital": capital,
                    "opening": opening,
                    "sentence_ends": np.arange(SENTENCE, len(stream) + 1, SENTENCE, dtype=np.int32),
                    "characters": np.tile(np.array([0, 1], np.int32), n * n_sentences),
                    "spans": np.stack([begins, begins + 2], axis=1).astype(np.int32).ravel(),
                }
            )
        return PassageWords(
            terms=self.terms,
            row_of={term: row for row, term in enumerate(self.terms)},
            sentence_offsets=np.arange(0, self.n * n_sentences + 1, n_sentences, dtype=np.int64),
            sentence_ends=np.arange(SENTENCE, self.n * LENGTH + 1, SENTENCE, dtype=np.int64),
            spill=spill,
        )

    def questions(self, n: int) -> Iterator[str]:
        """Questions of two steps: a title, words beside a name in its passage, and words of the passage on that name."""
        random = np.random.default_rng(SEED)
        part = cache(self.part)
        for passage in random.integers(0, self.n, n).tolist():
            words, near = part(passage // AT_ONCE * AT_ONCE)
            here, there = words[passage % AT_ONCE], int(near[passage % AT_ONCE, 0])
            led = part(there // AT_ONCE * AT_ONCE)[0][there % AT_ONCE]
            beside = " ".join(self.terms[row] for row in here[NEAR[0] - 3 : NEAR[0]])
            rest = " ".join(self.terms[row] for row in led[12:18])
            yield f"Which {rest} is the {beside} of {self.title(passage)}?"


def make(corpus: Corpus, path: Path) -> dict[str, float]:
    """Index the corpus and write its arrays."""
    started = time.process_time()
    titles = [corpus.title(row) for row in range(corpus.n)]
    write_arrays(path, flat_arrays(index_words(corpus.read(), titles, (), titles)), str(corpus.n))
    return {
        "index_cpu_s": round(time.process_time() - started),
        "index_peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def ask(path: Path, n: int, questions: list[str], exact: int) -> dict[str, Any]:
    """Open the file and ask; what a process of its own does."""
    started = time.process_time()
    found = map_arrays(path, str(n))
    assert found is not None
    index = RetrievalIndex(LookupArrays.of_flat(found))
    open_ms = 1000 * (time.process_time() - started)
    index.search(["Which words warm it up?"], 10)
    spent, rankings = [], []
    for question in questions:
        started = time.process_time()
        rankings.append([hit.row for hit in index.search([question], 10)[0]])
        spent.append(1000 * (time.process_time() - started))
    memory = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    vectors = measure_vectors()
    closeness.SHORT = pagerank.WHOLE = 2 * n
    index = RetrievalIndex(LookupArrays.of_flat(found))
    whole = [[hit.row for hit in index.search([question], 10)[0]] for question in questions[:exact]]
    pairs = list(zip(rankings, whole, strict=False))
    return {
        "open_ms": round(open_ms, 1),
        "cpu_ms_per_question": round(float(np.mean(spent)), 1),
        "p95_ms": round(float(np.percentile(spent, 95)), 1),
        "recall": round(float(np.mean([len({*some} & {*all_}) / max(1, len(all_)) for some, all_ in pairs])), 3),
        "first": round(float(np.mean([some[:1] == all_[:1] for some, all_ in pairs])), 3),
        **vectors,
        "resident_mb": int(memory["VmRSS"].split()[0]) // 1024,
        "private_mb": int(memory["RssAnon"].split()[0]) // 1024,
    }


def measure_vectors(n: int = 200_000, size: int = 384, topics: int = 2_000, asked: int = 50) -> dict[str, float]:
    """CPU milliseconds of comparing a question with many vectors, and the share found of its ten nearest."""
    random = np.random.default_rng(SEED)
    centres = random.standard_normal((topics, size), dtype=np.float32) + 1.1 * random.standard_normal(
        size, dtype=np.float32
    )
    of = random.choice(topics, n + asked, p=random.dirichlet(np.full(topics, 0.5)))
    vectors = np.empty((n + asked, size), np.float16)
    for first in range(0, len(of), AT_ONCE):
        some = centres[of[first : first + AT_ONCE]]
        some += random.standard_normal(some.shape, dtype=np.float32)
        vectors[first : first + AT_ONCE] = some / np.linalg.norm(some, axis=1, keepdims=True)
    questions = vectors[n:].astype(np.float32)
    started = time.process_time()
    chunks = ChunkVectors(in_cells(np.arange(n), vectors[:n]))
    built = time.process_time() - started
    chunks.nearest(questions[0])
    started = time.process_time()
    found = [chunks.nearest(question, 10).rows for question in questions]
    spent = time.process_time() - started
    matrix = vectors[:n].astype(np.float32)
    shares = [
        len(set(best(matrix @ one, 10).tolist()) & set(rows.tolist())) / 10
        for one, rows in zip(questions, found, strict=True)
    ]
    return {
        "vectors": n,
        "vectors_index_cpu_s": round(built, 1),
        "vectors_ms": round(1000 * spent / asked, 1),
        "vectors_recall": round(float(np.mean(shares)), 3),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, default=1_000_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--exact", type=int, default=20, help="questions that are also ranked by reading everything")
    parser.add_argument("--work", type=Path, help="folder that keeps the arrays")
    parser.add_argument("--ask", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.ask:
        print(json.dumps(ask(given.ask, given.passages, json.load(sys.stdin), given.exact)))
        return 0
    corpus = Corpus(given.passages)
    with tempfile.TemporaryDirectory() as scratch:
        path = (given.work or Path(scratch)) / f"{corpus.n}-{PASSAGES_FILE.name}"
        path.parent.mkdir(parents=True, exist_ok=True)
        figures: dict[str, Any] = {"passages": corpus.n}
        if not path.exists():
            figures |= make(corpus, path)
        figures["file_mb"] = path.stat().st_size >> 20
        asked = json.dumps(list(corpus.questions(given.questions)))
        sizes = [f"--passages={corpus.n}", f"--exact={given.exact}"]
        done = subprocess.run(
            [sys.executable, __file__, *sizes, f"--ask={path}"],
            check=True,
            input=asked,
            stdout=subprocess.PIPE,
            text=True,
        )
        figures |= json.loads(done.stdout)
    for name, value in figures.items():
        print(f"{name:22}{value}")
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
