"""Names that are written in small letters, as those of programs and services are: isort, beets, the ledger-bridge.

A word in small letters is one where sentences begin with it, headings and links are made of it, or cells of tables hold nothing else,
and where it is no word of the language, or takes another verb than that word does.
"""

import re
from collections.abc import Container, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from pipeline.text.inflection import base_form
from pipeline.text.lexicon.english_words import is_english_word, is_of_the_list
from pipeline.text.lexicon.frequency import RARE, frequency
from pipeline.text.lexicon.lexicon import CONCEPT, Lexicon
from pipeline.text.lexicon.words import listed, sections
from pipeline.text.names.phrases import Counts
from pipeline.text.names.tally import Tally

_WORD: Final = "[a-z][a-z0-9]{2,}(?:-[a-z0-9]+)*"
_OPENING: Final = re.compile(
    rf"([#>*+\s–•-]*)(?:The |the )?([`*_]{{0,3}})({_WORD})([`*_]{{0,3}})(?:\s*\Z|[ \n]([a-z]+(?:n't)?)(?=[\s,.]))"
)
"""A word at the opening of a sentence that may be its subject, with its marks and the word behind it; or a heading of one word."""
_LINKED: Final = re.compile(rf"\[`?({_WORD})`?\]\(|`({_WORD})(?: <[^<>`\n]{{1,200}}>)?`_")
"""A link of Markdown or of reStructuredText with one word for its text."""
_CELL: Final = re.compile(_WORD)
AFTER_SUBJECTS: Final = listed(sections("name_context")["after_subjects"])
"""Verbs in forms that are no participles and no nouns, behind one who does something (English)."""
_LEAST: Final = 2
"""Places that treat a word as a name, at least."""
_OFTEN: Final = 4
"""Sightings of such a word, at least. One in so many has an article, where it names one of a table's things, the ledger-bridge; of another
at most one in so many."""
_SHORT: Final = 3
_SCIENCES: Final = ("ics", "ss", "us", "is")
"""Endings of words that are no plurals though they end as those do."""


class SmallName(NamedTuple):
    """A name written in small letters, with its counts over the corpus."""

    text: str
    frequency: int
    spread: int


def read_small_names(sentence: str, language: str, tally: Tally) -> None:
    """Count the places of a sentence that treat a word in small letters as a name."""
    if (found := _OPENING.match(sentence)) and _is_treated_as_name(found, language):
        tally.add_small(found[3])
    if "](" in sentence or "`_" in sentence:
        for first, second in _LINKED.findall(sentence):
            word = first or second
            if base_form(word) == word and is_unknown(word, language):
                tally.add_small(word)


def is_tabled(cell: str, language: str) -> bool:
    """Whether a cell of a table holds a word in small letters that may be the name of a thing, and nothing else."""
    return _CELL.fullmatch(cell) is not None and is_unknown(cell, language)


def takes_singular(word: str, verb: str) -> bool:
    """Whether a word (lower case) that looks like a plural does what one thing does, so that it is a name: Beets is, not beets are."""
    return verb.endswith("s") and word.endswith("s") and not word.endswith(_SCIENCES) and verb in AFTER_SUBJECTS


def _is_treated_as_name(opening: re.Match[str], language: str) -> bool:
    """Whether a sentence is on the word that opens it, or a heading of this word alone."""
    before, mark, word, closing, verb = opening.groups()
    if base_form(word) != word:
        return verb is not None and takes_singular(word, verb)
    if verb is None:
        return "#" in before and is_unknown(word, language)
    return _is_subject(word, verb, mark == closing != "") and is_unknown(word, language)


def _is_subject(word: str, verb: str, is_marked: bool) -> bool:
    """Whether a word behind another shows that this is what the sentence is about."""
    does = verb in AFTER_SUBJECTS or (verb.endswith("s") and len(verb) > _SHORT and is_english_word(verb))
    return does or (is_marked and "-" not in verb)


@lru_cache(maxsize=1 << 14)
def is_unknown(word: str, language: str) -> bool:
    """Whether a word (lower case) is none that everybody knows: none of English, and rare in its language; or one who does something
    that nobody does by that word, as a program may: an invoicer."""
    if frequency(word, language) > RARE or frequency(word, "en") > RARE:
        return False
    return not is_english_word(word) or (word.endswith(("er", "or")) and not is_of_the_list(word))


def choose_small_names(counts: Counts, small: dict[str, list[int]], taken: Container[str]) -> Iterator[SmallName]:
    """Yield the words in small letters that a corpus treats as names, without those ``taken``.

    ``small`` has, for each, the places that do, the cells of tables among them, and the chunks of these."""
    for word, (places, cells, chunks) in sorted(small.items()):
        total, determined, heads, verbal, spread = counts.words.get(word, (0, 0, 0, 0, 0))
        if places < _LEAST or chunks < _LEAST or total < _OFTEN or word in taken or _is_known(word, counts.lexicon):
            continue
        is_noun = heads * 2 >= total and verbal * _OFTEN <= total
        is_name = places - cells >= _LEAST and determined * _OFTEN <= total
        if is_noun and (is_name or (cells and determined * _OFTEN >= total)):
            yield SmallName(word, total, max(spread, chunks))


def _is_known(word: str, lexicon: Lexicon) -> bool:
    one = base_form(word)
    known = lexicon.nouns.get(word) or lexicon.nouns.get(one) or CONCEPT
    return known != CONCEPT or word in lexicon.general or word in lexicon.verbs or word in lexicon.calendar
