"""How a sample writes the titles of its entities: inside sentences, at their beginning, in lower case, behind numbers."""

import re
from collections import Counter

from pipeline.base.store import Generation
from pipeline.runner.tuning.surroundings import columns
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


class Writing:
    """How names and ordinary words are written in the sample; of languages that write nouns with a capital nothing is known."""

    def __init__(self, tables: Generation) -> None:
        texts = dict(columns(tables, "chunks", "id", "text"))
        self.ordinary = Counter[str]()
        """Words in lower case, and in how many chunks each is."""
        for text in texts.values():
            self.ordinary.update({word for word in _ORDINARY.findall(text) if word.islower()})
        self._seen, self._inside, self._amid, self._counted, self._subject, self._lowered = (
            Counter[str]() for _ in range(6)
        )
        self._english = set[str]()
        self._german, self._articles, self._foreign = Counter[str](), Counter[str](), Counter[str]()
        wanted = ("chunk_id", "start", "end", "language", "titles", "starts", "ends")
        for chunk, first, last, language, titles, starts, ends in columns(tables, "sentences", *wanted):
            if language in _NOUNS_IN_CAPITALS:
                for title, start, end in zip(titles, starts, ends, strict=True):
                    if texts[chunk][start:end] == title:
                        self._german[title] += 1
                        before = texts[chunk][max(first, start - _BEFORE) : start].split()[-1:]
                        self._articles[title] += bool(before) and before[0].lower() in read_words("de").determiners
                continue
            text = texts[chunk]
            for title, start, end in zip(titles, starts, ends, strict=True):
                if language in ("en", "und"):
                    self._english.add(title)
                self._seen[title] += 1
                self._foreign[title] += language != "und"
                if title[0].isupper() and text[start].islower() and fold(text[start:end]) == fold(title):
                    self._lowered[title] += 1
                    continue
                before = text[max(first, start - _BEFORE) : start]
                self._inside[title] += bool(_RUNNING.search(before))
                self._amid[title] += bool(_AMID.search(before))
                self._counted[title] += bool(_AFTER_NUMBER.search(before))
                self._subject[title] += bool(_GOES_ON.match(text, end, last))

    def is_known(self, title: str) -> bool:
        """Whether a title is written in a language whose capitals say something."""
        return bool(self._seen[title])

    def is_inside(self, title: str) -> bool:
        """Whether a title is written inside a sentence, behind a word in lower case."""
        return bool(self._inside[title])

    def is_amid(self, title: str) -> bool:
        """Whether a title is written behind another word, be it a name, rather than where a line, cell or sentence begins."""
        return bool(self._amid[title])

    def is_ordinary(self, title: str) -> bool:
        """Whether a title is one word that more chunks write in lower case than write it with its capitals amid a sentence."""
        written = self.ordinary[title.lower()]
        if " " not in title and 2 * self._lowered[title] > self._seen[title]:
            return True
        if title in self._english and not is_english_word(title.lower()):
            return False
        return bool(self._seen[title]) and title.isalpha() and written >= _COMMON and written > self._inside[title]

    def is_german_noun(self, title: str, kind: str) -> bool:
        """Whether a title is a German common noun, whose capital says nothing: a listed one that is no city, or one mostly
        behind an article; or a phrase about a thing, or about what is done."""
        if 2 * self._german[title] <= self._foreign[title]:
            return False
        german, words = lexicon_of(("de",)), title.split()
        if len(words) > 1:
            doing = self.ordinary[words[0].lower()] and words[0].endswith("n") and words[1] in ("von", "des", "der")
            return kind in (CONCEPT, "PERSON") and (bool(doing) or is_phrase(words, german))
        if kind not in (CONCEPT, "PLACE") or not title.istitle() or not title.isalpha() or title in cities():
            return False
        return is_noun(title.lower(), german) or (kind == CONCEPT and 2 * self._articles[title] >= self._german[title])

    def is_ordinary_word(self, word: str) -> bool:
        """Whether a word (lower case) is one that everybody knows, or the texts write it so."""
        return is_english_word(word) or self.ordinary[word] > 0

    def is_everyday(self, title: str) -> bool:
        """Whether a word is one that everybody knows; of languages other than English all are taken for such."""
        return title not in self._english or is_english_word(title)

    def is_only_heading(self, title: str) -> bool:
        """Whether a title is an ordinary word, and no sentence has it: neither amid it nor as its first word."""
        ordinary = self.is_ordinary(title) or (self.is_known(title) and self.is_word(title))
        return ordinary and not self._inside[title] and not self._subject[title]

    def is_word(self, title: str) -> bool:
        """Whether a title is one word that the texts write in lower case, too, or an ordinary word of English that no sentence
        has behind a word in lower case, as it would a name."""
        english = title in self._english and not self._inside[title] and is_english_word(title.lower())
        return title.lower() in self.ordinary or english

    def is_unit(self, title: str) -> bool:
        """Whether a title is a short word that is mostly behind a number."""
        return len(title) <= _LONGEST_UNIT and title.isalpha() and self.is_counted(title)

    def is_counted(self, title: str) -> bool:
        """Whether a title is behind a number half of the time or more."""
        return self._counted[title] > 0 and 2 * self._counted[title] >= self._seen[title]

    def is_measured(self, title: str) -> bool:
        """Whether a title is a word and a number, or a word and a month, that only open sentences and lines: what was measured,
        a step, a date."""
        words = title.split()
        if title not in self._seen or self.is_inside(title) or len(words) < 2 or not words[0].isalpha():
            return False
        second = fold(words[1])
        return is_number(second) or (second in MONTHS and is_english_word(fold(words[0])))


def is_number(word: str) -> bool:
    return word in _ORDINALS or _NUMBER.fullmatch(word) is not None
