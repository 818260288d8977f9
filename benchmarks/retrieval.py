"""How often retrieval without a model finds what a question needs, on the index that ``graphstrata index`` writes.

    python benchmarks/retrieval.py [--only 2wiki,novel] [--work DIR] [--lower-case] [--ablation] [--vectors SETTINGS]

Two kinds of sets, in one table, BM25 (over the same chunks, words and headings) beside each:

- multi-hop questions over encyclopaedic passages (2wiki, with and without titles; musique; hotpot): recall@k, the share of
  the passages that a question needs which are among the first k;
- statements put in other words, each found in one place of long documents (four interviews, all sixty, a novel): hit@k, the
  share of those whose passage is among the first k, and ``lost``, those that BM25 puts first and the index not among ten.

The rows "dev" are questions by which choices were made; of "unseen" ones only the figures were read. DIR keeps the indexes for
the next run. With SETTINGS, a file whose ``language.embedding`` names a model, vectors of the passages and questions count too.
The last line is one JSON object.
"""

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np

from benchmarks.measure import DATA, command, make_project, run
from pipeline.base.settings import Settings, read_settings
from pipeline.base.store import Store
from pipeline.language.backends.embedder import embedder
from pipeline.language.cache import Cache
from pipeline.language.factory import question_vectors
from pipeline.language.ledger import Ledger
from pipeline.query.opened import OpenedTables
from pipeline.retrieval import blend
from pipeline.retrieval.bm25 import best
from pipeline.retrieval.search import Mix, RetrievalIndex
from pipeline.retrieval.vectors import ChunkVectors, Near, in_cells, parts
from pipeline.text.tokenizer import words

DEPTH = 10
Ranking = list[list[int]]


class Asked(NamedTuple):
    question: str
    gold: frozenset[int]
    """Rows of chunks."""
    dev: bool = True


@dataclass(frozen=True)
class Corpus:
    """A set of questions: where its texts are, which files of them, and where the questions are."""

    folder: str
    patterns: tuple[str, ...]
    asked: str
    dev: Callable[[int], bool] = lambda row: row % 2 == 0
    titles: bool = True
    only_asked: bool = False
    """Index only the files that hold an answer."""

    @property
    def multi_hop(self) -> bool:
        return self.asked.endswith("questions.jsonl")


PASSAGES = ("passages.jsonl",)
CORPORA = {
    "2wiki": Corpus("2wiki", PASSAGES, "2wiki/questions.jsonl", lambda row: row % 2 == 0 or row % 3 == 0),
    "2wiki-untitled": Corpus(
        "2wiki", PASSAGES, "2wiki/questions.jsonl", lambda row: row % 2 == 0 or row % 3 == 0, titles=False
    ),
    "musique": Corpus("musique", PASSAGES, "musique/questions.jsonl"),
    "hotpot": Corpus("hotpot", PASSAGES, "hotpot/questions.jsonl"),
    "interviews": Corpus("podcasts", ("*.txt",), "interviews/needles.jsonl", only_asked=True),
    "podcasts": Corpus("podcasts", ("*.txt",), "interviews/needles.jsonl"),
    "novel": Corpus("carol", ("book.txt",), "carol/needles.jsonl"),
}


def recalls(rankings: Ranking, asked: Sequence[Asked]) -> dict[str, float]:
    """Recall at three depths, and the share of questions all of whose gold is among the first eight; in percent."""
    pairs = list(zip(rankings, asked, strict=True))

    def share(k: int) -> float:
        return 100 * float(np.mean([len(one.gold & set(ranking[:k])) / len(one.gold) for ranking, one in pairs]))

    found = {f"recall@{k}": round(share(k), 1) for k in (2, 5, 10)}
    whole = [one.gold <= set(ranking[:8]) for ranking, one in pairs]
    return {**found, "all_gold@8": round(100 * float(np.mean(whole)), 1)}


def hits(rankings: Ranking, asked: Sequence[Asked]) -> dict[str, float]:
    """Share of the questions any of whose gold is among the first k, in percent."""
    pairs = list(zip(rankings, asked, strict=True))
    return {
        f"hit@{k}": round(100 * float(np.mean([bool(one.gold & set(ranking[:k])) for ranking, one in pairs])), 1)
        for k in (1, 5, 10)
    }


def by_words(index: RetrievalIndex, questions: Sequence[str]) -> Ranking:
    """BM25 over texts and headings."""
    lookup = index.lookup
    rows = [lookup.rows(words(question)) for question in questions]
    return [best(lookup.bm25.scores(r[r < lookup.n_terms].tolist()), DEPTH).tolist() for r in rows]


def by_index(index: RetrievalIndex, questions: Sequence[str], near: Sequence[Near] | None = None) -> Ranking:
    """As every search ranks."""
    return [[hit.row for hit in hits] for hits in index.search(questions, DEPTH, near)]


def nearness(opened: OpenedTables, asked: Sequence[Asked], settings: Settings, cache: Path) -> tuple[list[Near], float]:
    """What the vectors of the model in settings say of each question, and the CPU seconds of comparing them."""
    kept = Cache(cache, 1)
    model = embedder(settings, Ledger(), cache=kept)
    questions = question_vectors(settings, kept, [one.question for one in asked])
    if model is None or questions is None:
        raise SystemExit("the settings of --vectors name no model under language.embedding")
    chunks = opened.rows("chunks").table(["anchor", "text"]).to_pydict()
    found = [
        (row, f"{anchor}\n{part}")
        for row, (anchor, text) in enumerate(zip(chunks["anchor"], chunks["text"], strict=True))
        for part in parts(text)
    ]
    rows, texts = np.array([row for row, _ in found]), [text for _, text in found]
    vectors = ChunkVectors(in_cells(rows, model.embed(texts).vectors))
    vectors.nearest(questions[0])
    started = time.process_time()
    near = [vectors.nearest(question) for question in questions]
    return near, time.process_time() - started


def compare(
    name: str,
    index: RetrievalIndex,
    asked: Sequence[Asked],
    multi_hop: bool,
    near: Sequence[Near] | None = None,
    compared_s: float = 0.0,
) -> dict[str, float]:
    """Print a row for each part of a set and return the figures of the whole; ``compared_s`` CPU seconds went into ``near``."""
    questions = [one.question for one in asked]
    started = time.process_time()
    ranked = by_index(index, questions, near)
    per_question = 1000 * (time.process_time() - started + compared_s) / len(questions)
    lexical = by_words(index, questions)
    figures: dict[str, float] = {}
    for part, chosen in (
        ("dev", [row for row, one in enumerate(asked) if one.dev]),
        ("unseen", [row for row, one in enumerate(asked) if not one.dev]),
        ("all", list(range(len(asked)))),
    ):
        if chosen:
            measure = recalls if multi_hop else hits
            some = [asked[row] for row in chosen]
            figures = measure([ranked[row] for row in chosen], some)
            plain = measure([lexical[row] for row in chosen], some)
            if not multi_hop:
                figures["lost"] = _lost(ranked, lexical, asked, chosen)
            show(f"{name} {part} ({len(chosen)})", figures, plain)
    return {
        **{f"{name}_{key}": value for key, value in figures.items()},
        **{f"{name}_bm25_{key}": value for key, value in plain.items()},
        f"{name}_cpu_ms": round(per_question, 1),
    }


def _lost(ranked: Ranking, lexical: Ranking, asked: Sequence[Asked], chosen: Sequence[int]) -> float:
    lost = [bool(asked[i].gold & set(lexical[i][:1])) and not asked[i].gold & set(ranked[i]) for i in chosen]
    return round(100 * float(np.mean(lost)), 1)


def show(name: str, figures: Mapping[str, float], plain: Mapping[str, float]) -> None:
    own = "  ".join(f"{key} {value:5.1f}" for key, value in figures.items())
    print(f"{name:30}{own}   BM25 {' / '.join(str(value) for value in plain.values())}", flush=True)


def ablate(index: RetrievalIndex, asked: Sequence[Asked], multi_hop: bool) -> None:
    """Print the figures without each ingredient of a ranking."""
    mix, measure = Mix(), recalls if multi_hop else hits
    questions = [one.question for one in asked]
    for name, less in {
        "bridging": replace(mix, bridge=0.0),
        "the second hop": replace(mix, hops=1),
        "passages about a name in the restart": replace(mix, own=0.0),
        "text similarity in the restart": replace(mix, text=0.0),
        "phrases that no name covers": replace(mix, phrases=False),
        "territories, and what passages say together": replace(mix, together=False),
        "long walks (damping 0.5)": replace(mix, damping=0.5),
    }.items():
        show(f"  - {name}", measure(by_index(RetrievalIndex(index.arrays, less), questions), asked), {})
    for name, walk, close in (
        ("words in the score", (1.0, 1.0), (0.0, 0.0)),
        ("the walk in the score", (0.0, 0.0), (1.0, 1.0)),
    ):
        with mock.patch.multiple(blend, WALK_POWERS=walk, WORDS_POWERS=close):
            show(f"  - {name}", measure(by_index(index, questions), asked), {})


def lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())


def flat(text: str) -> str:
    """A text with single spaces, in small letters."""
    return " ".join(text.split()).lower()


def open_index(corpus: Corpus, folder: Path) -> OpenedTables:
    """Index a corpus where that was not done before, and open it."""
    if not (folder / "output" / "manifest.json").exists():
        texts = DATA / corpus.folder
        if corpus.only_asked or not corpus.titles:
            texts = folder / "input"
            texts.mkdir(parents=True, exist_ok=True)
            if corpus.titles:
                for file in sorted({one["file"] for one in lines(DATA / corpus.asked)}):
                    shutil.copy(DATA / corpus.folder / file, texts)
            else:
                bare = (
                    {k: v for k, v in one.items() if k != "title"} for one in lines(DATA / corpus.folder / PASSAGES[0])
                )
                (texts / PASSAGES[0]).write_text("".join(json.dumps(one) + "\n" for one in bare), encoding="utf-8")
        make_project(folder, texts, corpus.patterns)
        run(command("index", "--root", str(folder)))
    return OpenedTables(Store(folder / "output").open())


def questions_of(corpus: Corpus, opened: OpenedTables, lower_case: bool) -> list[Asked]:
    """The questions whose gold is in the index, with the rows of the chunks that hold it."""
    documents = opened.rows("documents").table(["id", "source", "text"]).to_pydict()
    chunks = opened.rows("chunks").table(["document_id", "text"]).to_pydict()
    of_document: dict[str, list[int]] = {}
    for row, id in enumerate(chunks["document_id"]):
        of_document.setdefault(id, []).append(row)
    found = []
    if corpus.multi_hop:
        by_text = {flat(text): id for id, text in zip(documents["id"], documents["text"], strict=True)}
        rows_of = {
            one["id"]: of_document[by_text[flat(one["text"])]][:1] for one in lines(DATA / corpus.folder / PASSAGES[0])
        }
        for number, one in enumerate(lines(DATA / corpus.asked)):
            gold = frozenset(row for id in one["gold"] for row in rows_of[id])
            found.append(Asked(one["question"], gold, corpus.dev(number)))
    else:
        source = dict(zip(documents["id"], documents["source"], strict=True))
        files = [str(source[id]).split("#")[0] for id in chunks["document_id"]]
        texts = [flat(text) for text in chunks["text"]]
        for number, one in enumerate(lines(DATA / corpus.asked)):
            quote = flat(one["quote"])
            gold = frozenset(
                row for row, text in enumerate(texts) if files[row].endswith(one["file"]) and quote in text
            )
            if gold:
                found.append(Asked(one["query"], gold, corpus.dev(number)))
    return [one._replace(question=one.question.lower()) for one in found] if lower_case else found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(CORPORA), help=f"of {', '.join(CORPORA)}")
    parser.add_argument("--work", type=Path, help="folder that keeps the indexes")
    parser.add_argument("--lower-case", action="store_true", help="questions without capitals")
    parser.add_argument("--vectors", type=Path, metavar="SETTINGS", help="settings that name an embedding model")
    parser.add_argument("--ablation", action="store_true", help="also print the figures without each ingredient")
    arguments = parser.parse_args()
    if not DATA.exists():
        print(f"no corpora at {DATA}: this benchmark reads them there", file=sys.stderr)
        return 2
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name in arguments.only.split(","):
            corpus = CORPORA[name]
            opened = open_index(corpus, (arguments.work or Path(scratch)) / name)
            index, asked = opened.finder.retrieval, questions_of(corpus, opened, arguments.lower_case)
            index.search(["warm up"], 1)
            near, compared_s = None, 0.0
            if arguments.vectors:
                cache = (arguments.work or Path(scratch)) / name / "vectors.sqlite"
                near, compared_s = nearness(opened, asked, read_settings(arguments.vectors), cache)
            figures |= compare(name, index, asked, corpus.multi_hop, near, compared_s)
            if arguments.ablation:
                ablate(index, asked, corpus.multi_hop)
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
