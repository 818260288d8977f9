"""What each word list adds without a model: names, types, resolved pronouns, claims, facts and keywords with it and without it.

Keywords are the common words that at least three facts have and that are KEY times as frequent here as in any text of the language.

Every list of one language, those of given names and places, and those that say where sentences end and which stand alone, what
is a year, who is he or she, what a claim is, what a word's ending means and what is around a name, is emptied in turn, in a process of its own; the figures are differences from the run with
all lists. Read over the demo corpus and, where it is there, A Christmas Carol. A list that changes nothing there is named
at the end: it is for other languages, or to go.

    python benchmarks/word_lists.py [--language en] [--data ../shared/data] [--only LIST]
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from pipeline.text.lexicon import words

OTHERS = ("given_names", "places")
"""Data files that belong to no language and are one list each."""
KEY, FEWEST = 10, 3
RULES = ("sentence_ends", "date_words", "people", "name_context", "token_kinds", "standing_alone")
"""Data files whose lists serve different rules, each measured by itself."""

NEEDED = "third_persons"
"""The list that a pattern in the code is made for."""


def texts(data: Path) -> Iterator[tuple[str, str]]:
    """Yield pieces of the corpora with their titles."""
    from benchmarks.entity_recall import chunks

    for path in sorted((ROOT / "input").glob("*.md")):
        yield from ((piece, path.stem.replace("-", " ").title()) for piece in chunks(path.read_text(encoding="utf-8")))
    book = data / "carol" / "book.txt"
    if book.exists():
        yield from ((piece, "A Christmas Carol") for piece in chunks(book.read_text(encoding="utf-8-sig")))


def figures(data: Path, language: str) -> dict[str, int]:
    """Count what is found with the lists as they are."""
    from pipeline.text.extraction.annotate import annotate
    from pipeline.text.extraction.claims import find_claims
    from pipeline.text.extraction.facts import find_facts
    from pipeline.text.lexicon.frequency import frequency
    from pipeline.text.names import chunk_scan, vocabulary

    pieces = list(texts(data))
    chosen = vocabulary.choose(chunk_scan.scan(*piece) for piece in pieces)
    matcher = vocabulary.Matcher(chosen)
    readings = [annotate(text, matcher.find(text), title) for text, title in pieces]
    found = list(zip(pieces, readings, strict=True))
    facts = [fact for (text, title), reading in found for fact in find_facts(text, reading, title)]
    counts = Counter(word for fact in facts for word in fact.key_elements if word.islower() and word.isalpha())
    billion = 1e9 / sum(len(text.split()) for text, _ in pieces)
    return {
        "names": len(chosen),
        "typed": sum(name.type != "CONCEPT" for name in chosen),
        "pronouns": sum(bool(match.role) for one in readings for sent in one.sentences for match in sent.mentions),
        "claims": sum(len(find_claims(text, reading)) for (text, _), reading in found),
        "facts": len(facts),
        "keywords": sum(
            n >= FEWEST and n * billion >= KEY * 10 ** frequency(word, language) for word, n in counts.items()
        ),
    }


def without(emptied: str) -> None:
    """Empty one list, ``file`` or ``file list``, before anything reads it."""
    whole = words.sections
    file, _, head = emptied.partition(" ")

    def sections(name: str) -> dict[str, str]:
        found = whole(name)
        return found | dict.fromkeys([head] if head else found, "") if name == file else found

    words.sections = sections  # type: ignore[assignment]


def main() -> None:
    """Print the figures of all lists, then the differences without each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", default="en")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--only", help="print the figures with this list emptied, as JSON")
    given = parser.parse_args()
    if given.only is not None:
        without(given.only)
        print(json.dumps(figures(given.data, given.language)))
        return
    files = (given.language, f"sentences/{given.language}", *RULES)
    names = (
        "",
        *(f"{file} {head}" for file in files for head in words.sections(file) if head != NEEDED),
        *OTHERS,
        f"frequent_{given.language}",
    )
    base: dict[str, int] = {}
    idle = []
    for name in names:
        command = [sys.executable, __file__, "--language", given.language, "--data", str(given.data), "--only", name]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
        found = json.loads(done.stdout)
        base = base or found
        shown = found if not name else {key: f"{value - base[key]:+d}" for key, value in found.items()}
        if name and found == base:
            idle.append(name)
        print(f"{name or 'all lists':30}" + "  ".join(f"{key} {value:>6}" for key, value in shown.items()), flush=True)
    print(f"without effect here: {', '.join(idle) or 'none'}")
    print(json.dumps(base | {"lists": len(names) - 1, "without_effect": len(idle)}))


if __name__ == "__main__":
    main()
