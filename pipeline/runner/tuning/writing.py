"""How a sample writes the titles of its entities: inside sentences, at their beginning, in lower case, behind numbers."""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass

from pipeline.runner.tuning.sample_texts import NamedPlace, SampleTexts
from pipeline.text.dates import MONTHS
from pipeline.text.lexicon.english_words import is_english_word
from pipeline.text.lexicon.german import is_noun, is_phrase
from pipeline.text.lexicon.lexicon import CONCEPT, lexicon_of
from pipeline.text.lexicon.places import cities
from pipeline.text.lexicon.words import listed, read_words
from pipeline.text.scripts import fold

_COMMON = 2
"""Chunks from which on a word in lower case is an ordinary word of the texts."""
_LONGEST_UNIT = 3
_NOUNS_IN_CAPITALS = ("de", "lb")
"""Languages that write every noun with a capital."""
_ORDINARY = re.compile(r"(?<![\w`./\\=:<-])[^\W\d_]+(?![\w`/\\=(<>-]|[.:]\w)")
"""A word of prose: neither part of a path, a name of a file, an option, an identifier, nor in quotes of code."""
_RUNNING = re.compile(r"(?:^|\s)[(\"'“‘«]?[a-zß-ÿа-я]\S*(?<![:|]) \(?$")
"""What is before a name inside a sentence: a word in lower case and a blank."""
_AMID = re.compile(r"[^\W_][,;)]? \(?[\"“‘«]?$")
"""What is before a name on the same line where no cell, item or sentence begins with it."""
_GOES_ON = re.compile(r"[\"'”’»]?,? (?:\(|[\"“]?[a-zß-ÿа-я])")
"""What is behind a name that begins a sentence."""
_AFTER_NUMBER = re.compile(r"\d[ \xa0]?$")
_BEFORE = 30
"""Characters before a name that are looked at."""
_NUMBER = re.compile(r"\d+[\w.:-]*|[ivxl]+")
_ORDINALS = listed("one two three four five six seven eight nine ten eleven twelve first second third fourth fifth")
"""Numbers as headings write them."""


@dataclass
class _Writings:
    """In how many places a title is written in which way; in German only that and the article before it are looked at."""

    seen: int = 0
    """Places in languages that write names alone with a capital, whatever form of the name they have."""
    lowered: int = 0
    inside: int = 0
    amid: int = 0
    counted: int = 0
    """Behind a number."""
    subject: int = 0
    """Before a word in lower case."""
    english: bool = False
    foreign: int = 0
    """Places in a language that is known and not German."""
    german: int = 0
    articles: int = 0


class Writing:
    """How names and ordinary words are written in the sample; of languages that write nouns with a capital nothing is known."""

    def __init__(self, sample: SampleTexts) -> None:
        self.ordinary = Counter[str]()
        """Words in lower case, and in how many chunks each is."""
        for text in sample.chunks.values():
            self.ordinary.update({word for word in _ORDINARY.findall(text) if word.islower()})
        self._titles = defaultdict[str, _Writings](_Writings)
        for place in sample.places():
            before = place.text[max(place.sentence.start, place.start - _BEFORE) : place.start]
            count = _count_german if place.sentence.language in _NOUNS_IN_CAPITALS else _count
            count(self._titles[place.title], place, before)

    def is_known(self, title: str) -> bool:
        """Whether a title is written in a language whose capitals say something."""
        return self._titles[title].seen > 0

    def is_inside(self, title: str) -> bool:
        """Whether a title is written inside a sentence, behind a word in lower case."""
        return self._titles[title].inside > 0

    def is_amid(self, title: str) -> bool:
        """Whether a title is written behind another word, be it a name, rather than where a line, cell or sentence begins."""
        return self._titles[title].amid > 0

    def is_ordinary(self, title: str) -> bool:
        """Whether a title is one word that more chunks write in lower case than write it with its capitals amid a sentence."""
        chunks, places = self.ordinary[title.lower()], self._titles[title]
        if " " not in title and 2 * places.lowered > places.seen:
            return True
        if places.english and not is_english_word(title.lower()):
            return False
        return places.seen > 0 and title.isalpha() and chunks >= _COMMON and chunks > places.inside

    def is_german_noun(self, title: str, kind: str) -> bool:
        """Whether a title is a German common noun, whose capital says nothing: a listed one that is no city, or one mostly
        behind an article; or a phrase about a thing, or about what is done."""
        places = self._titles[title]
        if 2 * places.german <= places.foreign:
            return False
        german, words = lexicon_of(("de",)), title.split()
        if len(words) > 1:
            doing = self.ordinary[words[0].lower()] and words[0].endswith("n") and words[1] in ("von", "des", "der")
            return kind in (CONCEPT, "PERSON") and (bool(doing) or is_phrase(words, german))
        if kind not in (CONCEPT, "PLACE") or not title.istitle() or not title.isalpha() or title in cities():
            return False
        return is_noun(title.lower(), german) or (kind == CONCEPT and 2 * places.articles >= places.german)

    def is_ordinary_word(self, word: str) -> bool:
        """Whether a word (lower case) is one that everybody knows, or the texts write it so."""
        return is_english_word(word) or self.ordinary[word] > 0

    def is_everyday(self, title: str) -> bool:
        """Whether a word is one that everybody knows; of languages other than English all are taken for such."""
        return not self._titles[title].english or is_english_word(title)

    def is_only_heading(self, title: str) -> bool:
        """Whether a title is an ordinary word, and no sentence has it: neither amid it nor as its first word."""
        ordinary = self.is_ordinary(title) or (self.is_known(title) and self.is_word(title))
        return ordinary and not self.is_inside(title) and not self._titles[title].subject

    def is_word(self, title: str) -> bool:
        """Whether a title is one word that the texts write in lower case, too, or an ordinary word of English that no sentence
        has behind a word in lower case, as it would a name."""
        english = self._titles[title].english and not self.is_inside(title) and is_english_word(title.lower())
        return title.lower() in self.ordinary or english

    def is_unit(self, title: str) -> bool:
        """Whether a title is a short word that is mostly behind a number."""
        return len(title) <= _LONGEST_UNIT and title.isalpha() and self.is_counted(title)

    def is_counted(self, title: str) -> bool:
        """Whether a title is behind a number half of the time or more."""
        places = self._titles[title]
        return places.counted > 0 and 2 * places.counted >= places.seen

    def is_measured(self, title: str) -> bool:
        """Whether a title is a word and a number, or a word and a month, that only open sentences and lines: what was measured,
        a step, a date."""
        words = title.split()
        if not self.is_known(title) or self.is_inside(title) or len(words) < 2 or not words[0].isalpha():
            return False
        second = fold(words[1])
        return is_number(second) or (second in MONTHS and is_english_word(fold(words[0])))


def _count(writings: _Writings, place: NamedPlace, before: str) -> None:
    language = place.sentence.language
    writings.english |= language in ("en", "und")
    writings.seen += 1
    writings.foreign += language != "und"
    if place.title[0].isupper() and place.written[0].islower() and place.is_title:
        writings.lowered += 1
        return
    writings.inside += _RUNNING.search(before) is not None
    writings.amid += _AMID.search(before) is not None
    writings.counted += _AFTER_NUMBER.search(before) is not None
    writings.subject += _GOES_ON.match(place.text, place.end, place.sentence.end) is not None


def _count_german(writings: _Writings, place: NamedPlace, before: str) -> None:
    if place.written == place.title:
        writings.german += 1
        words = before.split()
        writings.articles += bool(words) and words[-1].lower() in read_words("de").determiners


def is_number(word: str) -> bool:
    return word in _ORDINALS or _NUMBER.fullmatch(word) is not None
