"""Sentences that list names and say next to nothing of them: who was present, who sent apologies, who gets a copy."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from pipeline.text.lexicon.words import either, listed, sections
from pipeline.text.sentences import CELLS, CLOSED_STATEMENT, QUESTION

LONGEST_LABEL: Final = 40
"""Characters before the colon of a list, at most."""
OFFICE_WORDS: Final = 3
"""Words in lower case, at most, that say what somebody in a list is: "plant manager"."""
UNLABELLED = 3
"""Fewest names of a list that neither a label nor "Present were" opens: "Romeo and Juliet" is none."""
_ASIDE: Final = re.compile(r"\s?\([^()]{0,80}\)|\s?\[[^\[\]]{0,80}\]")
_MARKS: Final = re.compile(r"^[\s#>*_•-]+|[*_]{1,3}")
_UNMARKED: Final = re.compile(r"[^\s#>*_•-][^*_]*")
"""A text without any of these, as most are, which is seen sooner."""
_WORD: Final = re.compile(r"[^\W_](?:[\w'’.-]*[\w'’])?")
_SEPARATED: Final = re.compile(r"[,;，、；،؛]")
_LINED: Final = re.compile(r"[,;\n，、；，،؛]")
"""What separates the names behind a label; without one, lines of a name, a post and a firm are a signature."""


@lru_cache(maxsize=4096)
def is_name_list(sentence: str) -> bool:
    """Return whether a sentence lists names and says next to nothing of them: "Present: Ann Thorne, Ben Cole (chair), Cy Dane."

    It goes by form: a label or "Present were", then names between commas, each perhaps with an office; a word in lower case
    behind a name is a verb. Only in scripts with capital letters; a row of a table says what belongs together and is none.
    """
    text = _ASIDE.sub("", sentence) if "(" in sentence or "[" in sentence else sentence
    text = (text if _UNMARKED.fullmatch(text) else _MARKS.sub("", text)).strip()
    opening = _opening().match(text)
    if not opening and "\n" in text:
        above, _, below = text.partition("\n")
        opening = _opening().match(below)
        if opening and len(above) <= LONGEST_LABEL and not CLOSED_STATEMENT.search(above):
            text = below  # what was held, and when: "Weekly, 3 May\nthere: Ann, Ben"
        else:
            opening = None
    is_list = opening or _SEPARATED.search(text)
    if not is_list or CELLS in text or QUESTION.search(text):
        return False
    parts = _parts(text[opening.end() :], _LINED) if opening else _parts(text, _SEPARATED)
    names = offices = 0
    for part in parts:
        kind = _kind(part)
        if kind == "other":
            return False
        names, offices = names + (kind == "name"), offices + (kind == "office")
    if offices > names:
        return False
    if opening:
        return names > 0
    return names >= UNLABELLED and ":" not in text and not (offices and CLOSED_STATEMENT.search(text))


def label_of(sentence: str) -> str:
    """Return what opens a list of names, as the sentence has it: "Kestrel Markets:" before those who came for it; empty without one."""
    marks = _MARKS.match(sentence)
    start = marks.end() if marks else 0
    opening = _opening().match(sentence, start)
    return sentence[: opening.end()] if opening else ""


def are_listed(one: str, other: str, sentence: str) -> bool:
    """Return whether a sentence has two names only as items of one list, with commas and other names between them: "trusted by Wren, Finch
    and Lark"."""
    lowered = sentence.lower()
    first, second = sorted((lowered.find(name.lower()), len(name)) for name in (one, other))
    between = sentence[first[0] + first[1] : second[0]]
    if first[0] < 0 or not _SEPARATED.search(between):
        return False
    return all(not word[0].islower() or word in _words("between_listed") for word in _WORD.findall(between))


def is_relation_line(line: str) -> bool:
    """Return whether a line says by its label what something has to do with what the text is on: "Supersedes: ADR 5", "Status: replaced
    by ADR 7"."""
    return _relation_label().match(line) is not None


@cache
def _relation_label() -> re.Pattern[str]:
    labels = sections("other_names")["relation_labels"].replace("\n", "").split("|")
    ends = either(map(re.escape, sorted(labels, key=len, reverse=True)))
    return re.compile(
        rf"[\s#>*_•-]*(?:[^\W\d_]{{1,20}}[*_]{{0,2}}:[*_]{{0,2}}\s*)?(?:{ends})[*_]{{0,2}}(?:\s*:|\s)", re.IGNORECASE
    )


@cache
def _words(head: str) -> frozenset[str]:
    return listed(sections("other_names")[head])


@cache
def _joined() -> re.Pattern[str]:
    """Return the pattern of what is between two names of a list besides commas."""
    return re.compile(rf"\s(?:{either(_words('between_listed'))}|&)\s")


@cache
def _opening() -> re.Pattern[str]:
    """Return the pattern of how a list opens: a label, or words such as "present were"."""
    word = rf"(?:{either(_words('attendance'))})"
    return re.compile(
        rf"[^\W\d_][^:：.!?,;\n]{{0,{LONGEST_LABEL}}}+[:：]\s*|(?i:{word}(?:\s+{word})*)\s+(?=[^\W\d_a-z])"
    )


def _parts(text: str, separator: re.Pattern[str]) -> Iterator[str]:
    """Yield what is between the commas of a list, without a label that begins anew behind one: "; for the union: Cy Dane"."""
    parts = (part for piece in separator.split(text) for part in _joined().split(piece))
    return (bare for part in parts if (bare := part.rpartition(":")[2].strip(" \t.!*_–-")))


def _kind(part: str) -> str:
    """Return what an item of a list is: a "name", perhaps behind an office, an "office", or "other", as where a verb or a sum is."""
    words = _WORD.findall(part)
    if not all(
        word[0].islower() or word[0].isupper() for word in words
    ):  # figures, and scripts without capital letters
        return "other"
    capitals = [place for place, word in enumerate(words) if word[0].isupper()]
    if not capitals:
        return "office" if len(words) <= OFFICE_WORDS else "other"
    rest = words[capitals[0] :]
    is_name = capitals[0] <= OFFICE_WORDS and all(word[0].isupper() or word in _words("within_listed") for word in rest)
    return "name" if is_name and not rest[-1][0].islower() else "other"
