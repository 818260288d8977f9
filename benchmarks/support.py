"""How well the support score separates carried statements from others, and what carries the sentences of stored answers.

    python benchmarks/support.py [--data DIR]

DIR holds support.jsonl (statements with the quotes shown under them, and a reader's verdict: full, part, none), answers.jsonl
(answers with numbered sources), and the chunks of the index that they were made from. ``auc`` is the share of pairs of a
carried (full or part) and an unsupported statement that the score puts in this order; ``mean_before`` and ``mean_after`` are
the mean support of the answers' cited sentences by the quotes stored with them, and by the spans that are chosen now among
the chunks of their quotes and the chunks closest in words. The last line is one JSON object.
"""

import argparse
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import pyarrow.parquet as pq

from pipeline.query.evidence.citations import sentence_spans
from pipeline.text.answering.support import carry, support
from pipeline.text.keys import keys_of
from pipeline.text.scripts import language_of
from pipeline.text.stems import stem

DATA = ROOT.parent / "shared" / "data" / "interviews"
MARKS = re.compile(r"\s*(?:\[(\d+)\]|\[no source\])")
QUOTE = re.compile(r'^.*?: "(.*)"$', re.DOTALL)
CLOSEST = 5


def auc(scores: list[tuple[float, bool]]) -> float:
    """Share of pairs of a true and a false one in which the true one scores higher; ties count half."""
    true = [score for score, carried in scores if carried]
    false = [score for score, carried in scores if not carried]
    won = sum((a > b) + 0.5 * (a == b) for a in true for b in false)
    return won / (len(true) * len(false))


def rarity_among(texts: Sequence[str]) -> Callable[[str], float]:
    """Return ln(1 + N / texts with a word) for some texts, counted once."""
    counts = Counter(key for text in texts for key in keys_of(text, language_of(text)))
    n = max(len(texts), 1)

    def rarity(word: str) -> float:
        return math.log(1 + n / max(counts[stem(word, "en")], 1))

    return rarity


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def cited_sentences(answer: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """Sentences of an answer with the quotes of the sources that they cite."""
    listed = answer.get("sources") or []
    quotes = {str(source["number"]): source["quote"] for source in listed if source.get("quote")}
    marks: list[tuple[int, str]] = []
    bare = ""
    at = 0
    for mark in MARKS.finditer(answer["text"]):
        bare += answer["text"][at : mark.start()]
        at = mark.end()
        marks.append((len(bare), mark[1] or ""))
    bare += answer["text"][at:]
    found: dict[tuple[int, int], list[str]] = {}
    spans = sentence_spans(bare)
    for place, number in marks:
        owner = max((span for span in spans if span[0] < place), default=None)
        if owner and number in quotes:
            found.setdefault(owner, []).append(quotes[number])
    return [(bare[start:end], cited) for (start, end), cited in found.items()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    data = parser.parse_args().data
    texts = pq.read_table(data / "output" / "chunks.parquet", columns=["text"])["text"].to_pylist()
    rarity = rarity_among(texts)
    judged = [row for row in lines(data / "support.jsonl") if row["quotes"]]
    by_half: dict[str, list[tuple[float, bool]]] = {"even": [], "odd": []}
    for place, row in enumerate(judged):
        quotes = [(QUOTE.match(quote) or [quote, quote])[1] for quote in row["quotes"]]
        score = support(MARKS.sub("", row["statement"]), quotes, rarity)
        by_half["odd" if place % 2 else "even"].append((score, row["verdict"] != "none"))
    before, after = [], []
    for answer in lines(data / "answers.jsonl"):
        for sentence, quotes in cited_sentences(answer):
            before.append(support(sentence, quotes, rarity))
            own = [text for text in texts if any(quote in text for quote in quotes)]
            near = sorted(texts, key=lambda text: -support(sentence, [text], rarity))[:CLOSEST]
            after.append(carry(sentence, [*own, *near], rarity).support)
    figures = {
        "statements": len(judged),
        "auc": auc(by_half["even"] + by_half["odd"]),
        "auc_even": auc(by_half["even"]),
        "auc_odd": auc(by_half["odd"]),
        "sentences": len(before),
        "mean_before": sum(before) / max(len(before), 1),
        "mean_after": sum(after) / max(len(after), 1),
    }
    print(json.dumps({name: round(value, 4) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
