"""What descriptions say of names: that one is "also called" another, that somebody is the father whom another name describes."""

import re
from collections.abc import Iterator, Sequence
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
    of = "|".join(sorted(listed(sections("other_names")["of"])))
    said = re.compile(
        rf"(?:^|\b(?:is|was|ist|war|est|era|es) (?:the )?)(?:{owner}['’]s? {kin}|{kin} (?:{of}) {owner})\b",
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
