"""The capitalised names of a text, and the language of a question without them."""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from pipeline.text.lexicon.words import listed
from pipeline.text.scripts import UNSPACED, language_of, words_of

BETWEEN = listed("of the de du des la le les von van der den zu zum di da del do dos das al el bin ibn y")
"""Small words inside names."""

WORD = re.compile(rf"[{UNSPACED}]+|(?:(?![{UNSPACED}])[^\W_])+(?:['’‐‑-](?:(?![{UNSPACED}])[^\W_])+)*")
_JOINTS = re.compile("['’‐‑-]")
_POSSESSIVE = re.compile(r"['’]s?$")


def names_in(text: str) -> list[str]:
    """Return the capitalised names of a text as written, in order, each once; a first word counts where it has a second."""
    return list(_names_in(text))


@lru_cache(maxsize=20_000)
def _names_in(text: str) -> tuple[str, ...]:
    """Return the names of a sentence, which several questions and several steps of one look at."""
    return tuple(dict.fromkeys(capital_runs(text, words_of(language_of(text)).function)))


def question_language(question: str) -> str:
    """Return the language of a question without its names, which may be foreign; English where it is not clear."""
    rest = question
    for name in capital_runs(question, ()):
        rest = rest.replace(name, " ")
    code = language_of(rest)
    return "en" if code == "und" and question.isascii() else code


def capital_runs(text: str, function: Collection[str]) -> Iterable[str]:
    """Yield runs of capitalised words, small connectors inside; words of ``function`` begin none."""
    run: list[re.Match[str]] = []
    between: list[re.Match[str]] = []
    for match in [*WORD.finditer(text), None]:
        gap = match is not None and run and text[(between or run)[-1].end() : match.start()].strip(" -–") != ""
        if match is None or gap:
            yield from _closed(text, run)
            run, between = [], []
        if match is None:
            break
        word = match[0]
        if word[0].isupper() and not (not run and word.casefold() in function):
            run, between = [*run, *between, match], []
        elif run and (word in BETWEEN or (word[0].isdigit() and not between)):
            between.append(match)
        else:
            yield from _closed(text, run)
            run, between = [], []


def _closed(text: str, run: Sequence[re.Match[str]]) -> Iterable[str]:
    if run and any(len(match[0]) > 1 for match in run):
        yield without_possessive(text[run[0].start() : run[-1].end()])


def without_possessive(word: str) -> str:
    """Return a word without 's at its end."""
    return _POSSESSIVE.sub("", word)


def parts_of(text: str) -> list[str]:
    """Return the words of a text, those of hyphenated ones by themselves; single letters only where they are numerals."""
    parts = (part for word in WORD.findall(text) for part in _JOINTS.split(word))
    return [part for part in parts if len(part) > 1 or part.isdigit() or (part and part in "VX")]
