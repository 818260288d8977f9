"""Single letters that name somebody or something, as in "Mr K" and "Burdock D": those of a question, and where a text has them in the
same name."""

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from pipeline.text.lexicon.german import is_noun
from pipeline.text.lexicon.lexicon import lexicon_of
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.lexicon.words import union
from pipeline.text.scripts import words_of

_LETTER = "[A-ZÀ-ÖØ-ÞΑ-ΩА-Я]"
_RUN = re.compile(rf"(?<![\w'’&/-])(?<!\w\.){_LETTER}(?:\. ?{_LETTER})*(?![\w&/-])(?!['’](?!s\b))(?!\.\w)")
"""Capital letters that are words by themselves, each but the last with a point behind it: "K", "T. B"."""
_BEFORE = re.compile(r"([^\W_][\w'’-]*)\.? $")
_PAIR = re.compile(r"([^\W_][\w'’-]*)\.? (\S{1,3}) [^\W_][\w'’-]*\.? $")
_SURNAME = re.compile(rf"\.? ?({_LETTER}\w+)")
"""Behind initials: the name that they are before."""
NUMERAL = "I"
"""The letter that is a word of a question and a number behind a name, and tells no two things apart."""


class LetteredName(NamedTuple):
    """Letters of a question that name somebody or something, with what is before them there."""

    start: int
    """Where the letters begin in the question."""
    written: str
    """As the question writes them, without the last point."""
    letters: tuple[str, ...]
    before: str
    """The title, noun or name before them, in lower case."""
    gender: str
    """That of the title before them, m or f; empty where they have none that shows one."""
    titled: bool

    def met(self, text: str, language: str) -> frozenset[str]:
        """Return which of the letters a text has where they can name the same: behind a title of the same gender or none, and not
        behind another name. Of two initials the last one alone meets itself, and of one any that are the last of several."""
        found: set[str] = set()
        for run in _RUN.finditer(text):
            letters, genders, before = _read(text, run, language)
            if letters == self.letters or letters[-1:] == self.letters:
                met = self.letters
            elif len(letters) == 1 and letters == self.letters[-1:]:
                met = letters
            else:
                continue
            if self._may_be(letters, genders, before, language):
                found.update(met)
        return frozenset(found)

    def _may_be(self, letters: tuple[str, ...], genders: frozenset[str], before: str, language: str) -> bool:
        if before.casefold() == self.before:
            return True
        if genders:
            return self.titled and (not self.gender or self.gender in genders)
        if len(letters) == 1 and letters[0].casefold() in words_of(language).function:
            return False  # "A" is the article, unless it is behind the same title or name
        return self.titled or not before[:1].isupper()


def lettered_names(question: str, language: str) -> list[LetteredName]:
    """Return the letters of a question that name somebody behind a title, or something behind a noun or name; no initials of a name
    that the question gives."""
    found = []
    for run in _RUN.finditer(question):
        if _are_before_surname(question, run.end(), language):
            continue
        letters, genders, before = _read(question, run, language)
        lower = before.casefold()
        titled = bool(genders) or lower in _honorifics(language)
        is_noun = (
            bool(lower) and lower not in words_of(language).function and len(letters) == 1 and letters[0] != NUMERAL
        )
        opens = not any(char.isalnum() for char in question[: run.start() - len(before) - 1])
        if titled or (is_noun and not opens):
            start = run.end() - len(_tail(run[0], len(letters)))
            found.append(
                LetteredName(start, question[start : run.end()], letters, lower, next(iter(genders), ""), titled)
            )
    return found


def _are_before_surname(question: str, end: int, language: str) -> bool:
    """Return whether letters are initials of a name; in German, where nouns have capitals, "Frau B. Krankengeld" is none."""
    behind = _SURNAME.match(question, end)
    return behind is not None and not (language == "de" and is_noun(behind[1].casefold(), lexicon_of(("de",))))


def _tail(run: str, size: int) -> str:
    """Return the last letters of a run, so many."""
    starts = [match.start() for match in re.finditer(r"\w", run)]
    return run[starts[-size] :]


def _read(text: str, run: re.Match[str], language: str) -> tuple[tuple[str, ...], frozenset[str], str]:
    """Return the letters of a run, the genders of the titles before them, and the word right before them. In French and Spanish the
    first letter may be a title: "M. K."."""
    letters = tuple(re.findall(r"\w", run[0]))
    if len(letters) > 1 and (gender := _gender(letters[0], language)):
        return letters[1:], frozenset({gender}), letters[0]
    ahead = text[max(0, run.start() - 40) : run.start()]
    word = _BEFORE.search(ahead)
    before = word[1] if word else ""
    genders = {gender} if (gender := _gender(before, language)) else set()
    pair = _PAIR.search(ahead) if genders else None
    if pair and (pair[2] == "&" or QUESTIONS.pattern("joining", language).fullmatch(pair[2])):
        genders |= {gender} if (gender := _gender(pair[1], language)) else set()
    return letters, frozenset(genders), before


def _gender(word: str, language: str) -> str:
    """Return the gender of a title, m or f; empty for another word."""
    men, women = _titles(language)
    lower = word.casefold()
    return "m" if lower in men else "f" if lower in women else ""


@cache
def _titles(language: str) -> tuple[frozenset[str], frozenset[str]]:
    lists = [words_of(one) for one in _languages(language)]
    return union(one.masculine for one in lists), union(one.feminine for one in lists)


@cache
def _honorifics(language: str) -> frozenset[str]:
    return union(words_of(one).honorifics for one in _languages(language))


def _languages(language: str) -> Iterable[str]:
    return {language, "en"}
