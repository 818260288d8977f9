"""How many entities of a GPT-4 index are found without a model: A Christmas Carol, read by graphstrata and by Microsoft GraphRAG.

Rule of a match (strict). Both titles are brought to a key: compatibility forms, case, quotes and hyphens unified (a hyphen is a
space), a bracketed addition left out, possessive endings and one leading article removed, each word without the ending of an
English plural. An entity of theirs is found when its key equals the key of any written form of one of ours; an entity of
ours is right when any of its written forms has the key of one of theirs. Nothing is matched by similarity. Theirs holds
"SPIRIT", "THE SPIRIT" and "SPIRITS" as three entities: one of ours finds all three.

The looser figures count a match when all words of the shorter key are in the longer one ("SCROOGE'S OFFICE" by "office");
they are printed for comparison only, and say little.

The rules and the general word lists were written with this book and this index at hand: read the figures as those of a
development set, not of unseen text.

Their list mixes names with everyday nouns ("HOUSE", "CHAIR", "LAUGHTER"). ``recall_names`` counts the names alone: titles that
the book itself writes, amid a sentence, mostly with a capital letter for each content word; days and months are none, nor what
only the licence around the book names.
``recall_nouns`` counts the rest, of which only those that are distinctive for a corpus are wanted.

    python benchmarks/entity_recall.py [--data ../shared/data] [--show]
"""

import argparse
import json
import re
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from pipeline.text import sentences
from pipeline.text.inflection import singular
from pipeline.text.names import chunk_scan, vocabulary
from pipeline.text.scripts import LANGUAGES, fold

_BRACKET = re.compile(r"\s*\([^()]*\)")
_POSSESSIVE = re.compile(r"'s?(?=\s|$)")
_TOKENS_PER_CHUNK = 1200
_CHARACTERS_PER_TOKEN = 4.2  # of English prose


def key(title: str) -> str:
    """The comparison key of the rule above."""
    plain = _BRACKET.sub("", title) or title
    plain = _POSSESSIVE.sub("", fold(plain)).replace("-", " ")
    words = re.findall(r"[^\W_]+(?:'[^\W_]+)?", plain)
    return " ".join(singular(word) for word in words)


def chunks(text: str) -> list[str]:
    """Pieces of about 1,200 tokens that end with a sentence."""
    pieces: list[str] = []
    start = 0
    for _, end in sentences.split(text):
        if end - start >= _TOKENS_PER_CHUNK * _CHARACTERS_PER_TOKEN:
            pieces.append(text[start:end])
            start = end
    return [*pieces, text[start:]]


def entities_of(text: str, anchor: str) -> list[vocabulary.Name]:
    """Our entities: the names of the chosen vocabulary that are in a chunk."""
    pieces = chunks(text)
    chosen = vocabulary.choose(chunk_scan.scan(piece, anchor) for piece in pieces)
    matcher = vocabulary.Matcher(chosen)
    found = {match.title for matches in matcher.find_in_order(pieces)[0] for match in matches}
    return [name for name in chosen if name.title in found]


def share(found: Iterable[bool]) -> float:
    values = list(found)
    return round(100 * sum(values) / max(1, len(values)), 1)


def contains(one: str, other: str) -> bool:
    """Whether all words of the shorter key are in the longer."""
    first, second = set(one.split()), set(other.split())
    return bool(first and second) and (first <= second or second <= first)


def running_text(text: str) -> str:
    """A text without its licence, its headings and the first words of its sentences, in plain quotes: where a capital letter says something."""
    kept = []
    text = re.split(r"\*\*\* ?END OF TH", re.split(r"\*\*\* ?START OF TH[^\n]*", text, maxsplit=1)[-1], maxsplit=1)[0]
    for start, end in sentences.split(text):
        words = re.findall(r"\S+", text[start:end].replace("’", "'"))
        if sum(word[:1].isupper() for word in words) * 2 <= len(words):
            kept.append(" ".join(words[1:]))
    return " | ".join(kept)


def is_name(title: str, running: str) -> bool:
    """Whether a title is a name in the book: written there as it is, mostly with a capital letter for each content word."""
    plain = _POSSESSIVE.sub("", fold(_BRACKET.sub("", title) or title))
    words = plain.split()
    content = [word for word in words if word not in LANGUAGES["en"].function]
    if not content or any(word in LANGUAGES["en"].calendar for word in content):
        return False
    found = re.findall(r"\b" + r"\W+".join(map(re.escape, words)) + r"\b", running, re.IGNORECASE)
    capital = [all(word[0].isupper() for word in one.split() if word.lower().strip(".,") in content) for one in found]
    return sum(capital) * 2 > len(capital)


def figures(
    ours: Sequence[vocabulary.Name], theirs: Sequence[tuple[str, int]], seconds: float, text: str
) -> dict[str, float]:
    """Recall and precision in percent; ``theirs`` are (title, degree), ``text`` is the book."""
    running = running_text(text)
    names = [title for title, _ in theirs if is_name(title, running)]
    nouns = [title for title, _ in theirs if title not in names]
    our_keys = [{key(form) for form in name.forms} - {""} for name in ours]
    all_ours = set().union(*our_keys)
    their_keys = {key(title) for title, _ in theirs}
    degree2 = [title for title, degree in theirs if degree >= 2]
    typed = [keys for name, keys in zip(ours, our_keys, strict=True) if name.kind == "name"]
    return {
        "recall_names": share(key(title) in all_ours for title in names),
        "recall_nouns": share(key(title) in all_ours for title in nouns),
        "their_names": len(names),
        "recall": share(key(title) in all_ours for title, _ in theirs),
        "recall_degree2": share(key(title) in all_ours for title in degree2),
        "precision": share(not keys.isdisjoint(their_keys) for keys in our_keys),
        "precision_names": share(not keys.isdisjoint(their_keys) for keys in typed),
        "loose_recall": share(any(contains(key(title), one) for one in all_ours) for title, _ in theirs),
        "loose_precision": share(
            any(contains(one, other) for one in keys for other in their_keys) for keys in our_keys
        ),
        "entities": len(ours),
        "their_entities": len(theirs),
        "cpu_s": round(seconds, 2),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder that holds carol/")
    parser.add_argument("--show", action="store_true", help="also list what was missed and what was added")
    arguments = parser.parse_args()
    book = arguments.data / "carol" / "book.txt"
    if not book.exists():
        print(f"{book} is not there: give the data folder with --data", file=sys.stderr)
        return 2
    import pyarrow.parquet as parquet

    table = parquet.read_table(
        arguments.data / "carol" / "microsoft_index" / "entities.parquet", columns=["title", "degree"]
    )
    theirs = list(zip(table["title"].to_pylist(), table["degree"].to_pylist(), strict=True))
    text = book.read_text(encoding="utf-8-sig")
    started = time.process_time()
    ours = entities_of(text, "A Christmas Carol")
    result = figures(ours, theirs, time.process_time() - started, text)
    if arguments.show:
        show(ours, theirs, running_text(text))
    print(json.dumps(result))
    return 0


def show(ours: Sequence[vocabulary.Name], theirs: Sequence[tuple[str, int]], running: str) -> None:
    """Lists what was missed and what was added, most connected and most frequent first."""
    all_ours = {key(form) for name in ours for form in name.forms}
    their_keys = {key(title) for title, _ in theirs}
    missed = [
        f"{title} ({degree})" for title, degree in sorted(theirs, key=lambda row: -row[1]) if key(title) not in all_ours
    ]
    added = [
        f"{name.title} ({name.frequency})" for name in ours if their_keys.isdisjoint(key(form) for form in name.forms)
    ]
    names = [title for title, _ in theirs if is_name(title, running) and key(title) not in all_ours]
    print("missed names:", "; ".join(names), sep="\n", end="\n\n")
    print("missed:", "; ".join(missed), sep="\n", end="\n\n")
    print("added:", "; ".join(added), sep="\n", end="\n\n")


if __name__ == "__main__":
    sys.exit(main())
