"""Words and names of a question that a corpus does not hold, looked up in its postings, and those that they may be misspelt for."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from pipeline.base.store import Rows
from pipeline.retrieval.chunk_search import Finder
from pipeline.text.lexicon.english_words import is_english_word
from pipeline.text.lexicon.frequency import RARE, frequency
from pipeline.text.lexicon.sounds import sound_of
from pipeline.text.question.asked_for import nouns_of
from pipeline.text.question.kinds import longest_unspaced
from pipeline.text.question.question import Question
from pipeline.text.question.scope.whole import asking_of_matters
from pipeline.text.scripts import UNSPACED, is_unspaced

SWAPPED, SHORT, LONG = 4, 5, 8
"""Letters from which a word may be misspelt by two that are swapped or one that is doubled, by any one letter, and by two."""
LOOKED_UP = 20
"""Unknown words of a question for which a near one is looked for: a pasted log has thousands, and asks for none."""
MOST = 2
"""Letters that a misspelt word may have more or less."""
LONGER, OTHERS = 3, 4
"""Letters that a word which sounds like another may have more or less, and those that only one of them has."""
_RUN = re.compile(f"[{UNSPACED}]{{3,}}")
_NAME = (3, 4)
"""Characters of a name in an unspaced script in which one may be wrong."""


class MissingWord(NamedTuple):
    """A word of a question that no passage holds, as written, and the word of the corpus that is nearest; empty if none."""

    word: str
    near: str


def missing_words(question: Question, finder: Finder, entities: Rows) -> list[MissingWord]:
    """Return the words of a question that no passage holds in any form, in its order.

    Names are taken for misspelt: words with a capital, or any but the frequent ones of the language where the question
    has none, that are near a word which the corpus writes with one; in German, where every noun has one, near a word of an
    entity's title. So is in English, of which everyday words are listed, what is none of them and near one.
    """
    known = finder.vocabulary()
    cased = any(char.isupper() for char in question.text[1:])
    written = _as_written(question)
    found = []
    unknown = dict.fromkeys(term.word for term in question.terms if not term.known and not is_unspaced(term.word))
    for place, word in enumerate(unknown):
        word = written.get(word.casefold(), word)
        if place >= LOOKED_UP or not any(map(str.isalpha, word)):  # another number is no misspelt one
            found.append(MissingWord(word, ""))
            continue
        may_be_name = word[0].isupper() or not (cased or frequency(word, question.language) > RARE)
        folded = finder.folded(word)
        near = (nearest(folded, known) or heard_as(folded, known, question.language)) if may_be_name else ""
        name = finder.as_written(near) if near and not _only_opens(near, finder, question.language) else ""
        if question.language == "de" and name not in _titled(entities):
            name = ""
        if question.language == "en" and word.islower() and is_english_word(word):  # a chaplain is no captain
            name = ""
        name = name if name[:1].isupper() or not name[:1].isalpha() else ""
        may_be_everyday = question.language == "en" and word.islower()
        found.append(MissingWord(word, name or (_everyday(finder.folded(word), known) if may_be_everyday else "")))
    if _RUN.search(question.text):
        names = _names(question.text, finder, entities)
        found += names or [
            MissingWord(run, "") for run in longest_unspaced(question.text) if not finder.holds_text(run)
        ]
    return found


def _everyday(word: str, known: Iterable[str]) -> str:
    """Return the everyday English word of the corpus that a word which is none differs from by one letter or two; empty if none."""
    if len(word) < SHORT or not word.isalpha() or is_english_word(word) or frequency(word, "en") > RARE:
        return ""
    return nearest(word, (other for other in known if abs(len(other) - len(word)) <= MOST and is_english_word(other)))


def _only_opens(word: str, finder: Finder, language: str) -> bool:
    """Return whether a corpus writes an ordinary word with a capital only where it opens sentences: "Freezes well" is no name."""
    ordinary = frequency(word, language) > RARE or (language == "en" and is_english_word(word))
    return ordinary and not finder.is_capital_inside(word)


def worth_naming(words: Iterable[MissingWord], question: Question) -> list[str]:
    """Return of the words that no passage holds those worth a reader's while, as the question writes them: names, nouns, numbers and
    what is in an unspaced script; not the verbs and adjectives by which one happens to ask, nor the words for what texts say without
    calling it so: problems, decisions, connections."""
    nouns = nouns_of(question.text, question.language)
    first = next(iter(re.findall(r"\w+", question.text)), "").casefold()
    named = {term.word.casefold() for term in question.terms if term.name}
    asking = asking_of_matters(question.text, question.language)
    return [
        one.word
        for one in words
        if one.word.casefold() not in asking
        if (one.word[:1].isupper() and one.word.casefold() != first)
        or one.word.casefold() in named | nouns
        or is_unspaced(one.word)
        or any(char.isdigit() for char in one.word)
    ]


def _as_written(question: Question) -> dict[str, str]:
    """Return the words of a question by their folded form, the first of each as it is written."""
    return {word.casefold(): word for word in reversed(re.findall(r"\w+", question.text))}


def _titled(entities: Rows) -> frozenset[str]:
    return frozenset(word for title in entities.column("title").to_pylist() for word in title.split())


def corrected(question: str, words: Iterable[MissingWord]) -> str:
    """Return a question with the nearest words of the corpus in place of those that it does not hold."""
    for one in words:
        if one.near:
            edge = "" if is_unspaced(one.word) else r"\b"
            question = re.sub(edge + re.escape(one.word) + edge, one.near, question)
    return question


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that differs least from a word, by one letter or two; empty where none is near.

    A letter may be added, left out, replaced, or swapped with the next. Ties go to the same beginning, then by the word.
    """
    most = 0 if len(word) < SWAPPED else 1 if len(word) < LONG else 2
    letters = sorted(word) if len(word) < SHORT else []
    best: tuple[int, bool, str] | None = None
    for other in known if most else ():
        if (
            abs(len(other) - len(word)) > most
            or len(other) < SHORT - 1
            or not (other[0] == word[0] or other[-1] == word[-1])
            or (letters and sorted(other) != letters and set(other) != set(letters))
        ):
            continue
        rank = (edits(word, other, most), other[0] != word[0], other)
        if rank[0] <= most and (best is None or rank < best):
            best = rank
    return best[2] if best else ""


def heard_as(word: str, known: Iterable[str], language: str) -> str:
    """Return the first known word, by the alphabet, that sounds like a word in a language; empty where none does."""
    sound = sound_of(word, language) if len(word) >= SHORT and word.isalpha() else ""
    letters = set(word)
    alike = (
        other
        for other in known
        if abs(len(other) - len(word)) <= LONGER and len(letters ^ set(other)) <= OTHERS and len(other) >= SHORT
    )
    return min((other for other in alike if sound_of(other, language) == sound), default="") if sound else ""


def edits(one: str, other: str, most: int) -> int:
    """Return how many edits turn one word into another, ``most`` + 1 where it takes more (optimal string alignment)."""
    earlier: list[int] = []
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        earlier, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1] if row[-1] <= most else most + 1


def _names(question: str, finder: Finder, entities: Rows) -> list[MissingWord]:
    """Return parts of an unspaced question that differ from a name of the index in one character and are in no passage. Where
    the other characters are in a passage outside of that name, they are a word, and what is beside them is of another one."""
    titles = [title for title in entities.column("title").to_pylist() if len(title) in _NAME and _RUN.fullmatch(title)]
    found = []
    for run in _RUN.findall(question):
        for title in sorted(titles):
            size = len(title)
            for at in range(len(run) - size + 1):
                part = run[at : at + size]
                differing = [i for i, (a, b) in enumerate(zip(part, title, strict=True)) if a != b]
                if len(differing) != 1 or title in question or finder.holds_text(part):
                    continue
                (wrong,) = differing
                if wrong in (0, size - 1) and finder.holds_text(part[wrong == 0 : size - (wrong > 0)], outside=title):
                    continue
                found.append(MissingWord(part, title))
    return found[:1]
