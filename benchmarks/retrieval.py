"""Recall of gold passages without a model: BM25, reciprocal rank fusion, and the walk on the graph of passages and names.

2WikiMultiHopQA by default: 498 questions of two to four hops over 6,119 passages. Any other set of the same form can be given:
passages as JSON lines {"id", "title", "text"} (title may be missing), questions as {"question", "gold": [ids]}.

recall@k is the share of a question's gold passages among the first k, averaged over the questions; all_gold@8 the share of
questions whose gold passages are all among the first eight. With four gold passages recall@2 is at most a half: 88.5 % is
the most that any ranking can reach on this set.

    python benchmarks/retrieval.py [--passages FILE --questions FILE] [--lower-case] [--without-titles] [--vocabulary]
                                   [--half even|odd] [--ablation]

The recipe was developed on the questions in even rows (--half even): choices and errors were looked at there. Of those in
odd rows only the figures were read, now and then, and nothing was chosen by them.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np

from pipeline.retrieval import build
from pipeline.retrieval.bm25 import Bm25, best, fuse
from pipeline.retrieval.index_arrays import Lists, Passages
from pipeline.retrieval.passage_names import OWN
from pipeline.retrieval.search import Mix, RetrievalIndex
from pipeline.text.names import names as scans
from pipeline.text.names import vocabulary
from pipeline.text.tokenizer import words

DATA = ROOT.parent / "shared" / "data" / "2wiki"
DEPTH = 100
"""Passages of each ranking that is fused."""


class Corpus(NamedTuple):
    texts: list[str]
    anchors: list[str]
    names: list[tuple[str, tuple[str, ...]]]


class Asked(NamedTuple):
    question: str
    gold: frozenset[int]


Ranking = list[list[int]]


def recalls(rankings: Ranking, asked: Sequence[Asked]) -> dict[str, float]:
    """The four figures, in percent."""
    pairs = list(zip(rankings, asked, strict=True))

    def share(k: int) -> float:
        return 100 * float(np.mean([len(one.gold & set(ranking[:k])) / len(one.gold) for ranking, one in pairs]))

    found = {f"recall@{k}": round(share(k), 1) for k in (2, 5, 10)}
    whole = [one.gold <= set(ranking[:8]) for ranking, one in pairs]
    return {**found, "all_gold@8": round(100 * float(np.mean(whole)), 1)}


def by_words(index: RetrievalIndex, questions: Sequence[str]) -> Ranking:
    """BM25 over texts and titles."""
    lookup = index.lookup
    rows = [lookup.rows(words(question)) for question in questions]
    return [best(lookup.bm25.scores(r[r < lookup.n_terms].tolist()), DEPTH).tolist() for r in rows]


def by_stems(index: RetrievalIndex, questions: Sequence[str]) -> Ranking:
    """BM25 over stems instead of words."""
    lookup, postings = index.lookup, index.passages.postings
    n = max(1, lookup.n)
    pairs, which = np.unique(index.passages.stems[postings.rows()] * n + postings.items, return_inverse=True)
    counts = np.bincount(which, weights=index.passages.counts.items).astype(np.int64)
    lengths = np.bincount(pairs % n, weights=counts, minlength=lookup.n)
    offsets = np.searchsorted(pairs // n, np.arange(int(index.passages.stems.max(initial=-1)) + 2))
    ranker = Bm25(offsets, pairs % n, counts, lengths)
    rows = [lookup.rows(words(question)) for question in questions]
    return [best(ranker.scores(index.passages.stems[r[r < lookup.n_terms]].tolist()), DEPTH).tolist() for r in rows]


def by_walk(index: RetrievalIndex, questions: Sequence[str]) -> Ranking:
    """The walk on the graph of passages and names."""
    return [[hit.row for hit in hits] for hits in index.search(questions, DEPTH)]


def compare(corpus: Corpus, asked: Sequence[Asked]) -> dict[str, float]:
    """Print all rankings side by side and return the figures of the last line."""
    started = time.process_time()
    arrays = read(corpus)
    read_in = time.process_time() - started
    index = RetrievalIndex(arrays)
    questions = [one.question for one in asked]
    lexical, stems = by_words(index, questions), by_stems(index, questions)
    started = time.process_time()
    walked = by_walk(index, questions)
    per_question = 1000 * (time.process_time() - started) / len(questions)
    rankings = {
        "BM25": lexical,
        "BM25 by words and by stems, reciprocal rank": [fuse(pair) for pair in zip(lexical, stems, strict=True)],
        "walk on passages and names": walked,
        "walk and BM25, reciprocal rank": [fuse(pair) for pair in zip(walked, lexical, strict=True)],
    }
    for name, ranking in rankings.items():
        show(name, recalls(ranking, asked))
    return {
        **recalls(walked, asked),
        "bm25_recall@5": recalls(lexical, asked)["recall@5"],
        "rrf_recall@5": recalls(rankings["BM25 by words and by stems, reciprocal rank"], asked)["recall@5"],
        "cpu_ms_per_question": round(per_question, 1),
        "build_cpu_s": round(read_in, 2),
        "questions": len(asked),
        "passages": len(corpus.texts),
    }


def ablate(corpus: Corpus, asked: Sequence[Asked]) -> None:
    """Print what each ingredient adds: the figures without it."""
    print("\nwithout ...")
    arrays = read(corpus)
    mix = Mix()
    for name, less in {
        "bridging": replace(mix, bridge=0.0),
        "the second hop": replace(mix, hops=1),
        "the passages about a name in the restart": replace(mix, own=0.0),
        "text similarity in the restart": replace(mix, text=0.0),
        "phrases that no name covers": replace(mix, phrases=False),
        "long walks (damping 0.5)": replace(mix, damping=0.5),
    }.items():
        _try(name, RetrievalIndex(arrays, less), asked)
    _try("what passages are about (title, first name)", RetrievalIndex(_without_subjects(arrays)), asked)
    for name, what, instead in BUILD_ABLATIONS:
        with mock.patch.object(build, what, instead(getattr(build, what))):
            _try(name, RetrievalIndex(read(corpus)), asked)
    _try("titles", RetrievalIndex(read(corpus._replace(anchors=[""] * len(corpus.texts)))), asked)
    _try(
        "capitals in the questions",
        RetrievalIndex(arrays),
        [one._replace(question=one.question.lower()) for one in asked],
    )


def _nothing_implied(original: Callable[..., Any]) -> Callable[..., list[list[int]]]:
    return lambda forms, names, anchored: [[] for _ in forms.lengths]


def _only_certain(original: Callable[..., Any]) -> Callable[..., Any]:
    def collect(read_words: Any, anchors: Sequence[str], names: Any) -> Any:
        with mock.patch("pipeline.retrieval.passage_names._capital_forms", return_value={}):
            return original(read_words, anchors, names)

    return collect


BUILD_ABLATIONS = (
    ("shorter names that longer ones imply", "implied_forms", _nothing_implied),
    ("names read from capitals", "collect_forms", _only_certain),
)


def _without_subjects(arrays: Passages) -> Passages:
    subject = np.isin(
        arrays.names.rows() * arrays.n_names + arrays.names.items,
        arrays.subjects.rows() * arrays.n_names + arrays.subjects.items,
    )
    weights = np.where(subject, np.maximum(arrays.weights.items - OWN, 1e-6), arrays.weights.items)
    empty = Lists(np.zeros(arrays.n_passages + 1, dtype=np.int64), np.zeros(0, dtype=np.int64))
    return replace(arrays, weights=Lists(arrays.weights.offsets, weights), subjects=empty, subject_weights=empty)


def _try(name: str, index: RetrievalIndex, asked: Sequence[Asked]) -> None:
    show(name, recalls(by_walk(index, [one.question for one in asked]), asked))


def show(name: str, figures: dict[str, float]) -> None:
    print(f"{name:48}" + "  ".join(f"{key} {value:5.1f}" for key, value in figures.items()), flush=True)


def read(corpus: Corpus) -> Passages:
    return build.index_passages(corpus.texts, corpus.anchors, corpus.names)


def lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())


def load(arguments: argparse.Namespace) -> tuple[Corpus, list[Asked]]:
    passages = list(lines(arguments.passages))
    row_of = {passage["id"]: row for row, passage in enumerate(passages)}
    texts = [passage["text"] for passage in passages]
    anchors = ["" if arguments.without_titles else passage.get("title") or "" for passage in passages]
    names = chosen(texts, anchors) if arguments.vocabulary else []
    asked = [
        Asked(
            one["question"].lower() if arguments.lower_case else one["question"],
            frozenset(row_of[id] for id in one["gold"]),
        )
        for one in lines(arguments.questions)
    ]
    first, step = {"all": (0, 1), "even": (0, 2), "odd": (1, 2)}[arguments.half]
    return Corpus(texts, anchors, names), asked[first::step]


def chosen(texts: Sequence[str], anchors: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    """The names of the vocabulary that the pipeline itself would choose."""
    found = vocabulary.choose(scans.scan(text, anchor) for text, anchor in zip(texts, anchors, strict=True))
    return [(name.title, name.forms) for name in found]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=Path, default=DATA / "passages.jsonl")
    parser.add_argument("--questions", type=Path, default=DATA / "questions.jsonl")
    parser.add_argument("--lower-case", action="store_true", help="questions without capitals")
    parser.add_argument("--without-titles", action="store_true", help="passages without anchors")
    parser.add_argument(
        "--vocabulary", action="store_true", help="also give the names that the pipeline's vocabulary chooses"
    )
    parser.add_argument(
        "--half", choices=("all", "even", "odd"), default="all", help="questions in even or odd rows only"
    )
    parser.add_argument("--ablation", action="store_true", help="also print the figures without each ingredient")
    arguments = parser.parse_args()
    for path in (arguments.passages, arguments.questions):
        if not path.exists():
            print(f"{path} is not there: name the files with --passages and --questions", file=sys.stderr)
            return 2
    corpus, asked = load(arguments)
    figures = compare(corpus, asked)
    if arguments.ablation:
        ablate(corpus, asked)
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
