"""What texts and descriptions say of names: that one is "also called" another, or is in brackets behind it, that somebody
is the father whom another name describes."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from pipeline.graph.merge import fold_title
from pipeline.resolution.likeness import Likeness
from pipeline.resolution.occurrences import NameOccurrences
from pipeline.text.lexicon.words import listed, sections

NEAR_THE_START: Final = 160
"""Characters of a description in which another name of what it describes is looked for."""
CALLED: Final = 0.92
KIN: Final = 0.9
AMBIGUOUS: Final = 0.7
"""Score of a short form that the texts introduce for several names."""
MOST_WORDS: Final = 10
"""Words before a bracket in which the name that it abbreviates is looked for."""
BRACKETS: Final = r"\([A-Z][A-Za-z.]{1,9}\)|\b[A-Z]{2,9} \("
"""What texts have that introduce a short form."""
_BRACKET: Final = re.compile(r"\(([^()\n]{2,100})\)")
_END: Final = re.compile(r"[,;:.()\n]| and | who | which | that | is | was ")


def _called() -> str:
    """Return the words that another name follows, as an alternative of a regular expression."""
    lines = sections("other_names")["called"].splitlines()
    return "|".join(sorted((re.escape(words) for line in lines for words in line.split("|")), key=len, reverse=True))


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    words = sections("other_names")
    kin, of = "|".join(sorted(listed(words["kin"]))), "|".join(sorted(listed(words["of"])))
    return (
        re.compile(rf"\b(?:{_called()}) (?:the )?(.+)", re.IGNORECASE),
        re.compile(rf"(.+)['’]s? ({kin})", re.IGNORECASE),
        re.compile(rf"({kin}) (?:{of}) (.+)", re.IGNORECASE),
    )


def introduced_pairs(texts: Iterable[str], numbers: Mapping[str, int]) -> Iterator[tuple[int, int, Likeness]]:
    """Yield (short form, name) that texts introduce: "Computer Science and Artificial Intelligence Laboratory (CSAIL)", or the
    other way round."""
    found: dict[int, dict[int, str]] = defaultdict(dict)
    for text in texts:
        for bracket in _BRACKET.finditer(text):
            before, inside = text[: bracket.start()].split()[-MOST_WORDS:], bracket[1].strip()
            names = ((" ".join(before[at:]), inside) for at in range(len(before) - 1))
            for name, short in (*names, *((inside, word) for word in before[-1:])):
                a, b = numbers.get(fold_title(short)), numbers.get(fold_title(name))
                if a is not None and b is not None and a != b and _abbreviates(short, name):
                    found[a].setdefault(b, f"the texts write {name} ({short})")
    for short_form, some in found.items():
        for full, reason in some.items():
            yield short_form, full, Likeness("initials", CALLED if len(some) == 1 else AMBIGUOUS, 0, reason)


def _abbreviates(short: str, name: str) -> bool:
    """Whether capitals stand for a name: its letters, in their order, half of them or more at the head of a word."""
    letters = short.replace(".", "").lower()
    if sum(letter.isupper() for letter in short) < 2 or not letters.isalpha() or " " not in name:
        return False
    words = name.lower().split()
    heads, ahead = Counter(word[0] for word in words), iter("".join(words))
    in_order = letters[0] == words[0][0] and all(letter in ahead for letter in letters)
    return in_order and 2 * (heads & Counter(letters)).total() >= len(letters)


def described_pairs(
    titles: Sequence[str], numbers: dict[str, int], occurrences: NameOccurrences
) -> Iterator[tuple[int, int, Likeness]]:
    """Yield pairs of names of which a description says that they are one, with what it says."""
    called, _, _ = _patterns()
    saying = occurrences.described_with(_called())
    for name in range(len(titles)):
        for text in occurrences.descriptions(name) if name in saying else ():
            if match := called.search(text[:NEAR_THE_START]):
                other = numbers.get(fold_title(_END.split(match[1], maxsplit=1)[0].strip("\"'“”‘’ ")))
                if other is not None and other != name:
                    yield name, other, Likeness("description", CALLED, -1, f"described as {match[0][:60]!r}")
        yield from _kin(name, titles, numbers, occurrences)


def _kin(
    name: int, titles: Sequence[str], numbers: dict[str, int], occurrences: NameOccurrences
) -> Iterator[tuple[int, int, Likeness]]:
    """Yield the one person whose description says that he is who this name describes: "Ann's father"."""
    read = _as_kin(titles[name])
    whose = numbers.get(fold_title(read[0])) if read else None
    if read is None or whose is None:
        return
    owner, kin = re.escape(read[0]), re.escape(read[1])
    of, verb = ("|".join(sorted(listed(sections("other_names")[head]))) for head in ("of", "is"))
    said = re.compile(
        rf"(?:^|\b(?:{verb}) (?:the )?)(?:{owner}['’]s? {kin}|{kin} (?:{of}) {owner})\b",
        re.IGNORECASE,
    )
    near = (occurrences.neighbours(whose) | occurrences.neighbours(name)) - {name, whose}
    found = [one for one in sorted(near) if any(said.search(text) for text in occurrences.descriptions(one))]
    if len(found) == 1 and _as_kin(titles[found[0]]) is None:
        yield name, found[0], Likeness("description", KIN, 0, f"described as {titles[name]}")


def _as_kin(title: str) -> tuple[str, str] | None:
    """Return (whose, kin) of a name such as "Ann's father" or "father of Ann"."""
    _, owned, of = _patterns()
    if match := owned.fullmatch(title):
        return match[1], match[2]
    match = of.fullmatch(title)
    return (match[2], match[1]) if match else None
