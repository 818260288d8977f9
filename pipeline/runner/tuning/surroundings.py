"""What is around the titles of a sample wherever it writes them: paths and code, menus, quoted titles, labels, numbers."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from pipeline.runner.tuning.sample_texts import NamedPlace, SampleTexts
from pipeline.runner.tuning.writing import Writing
from pipeline.text.lexicon.english_words import is_english_word
from pipeline.text.lexicon.words import read_words
from pipeline.text.scripts import fold, words_of

_SHARE = 0.6
"""Share of a title's places from which on what is around it there says what it is."""
_CLEAN, _FEW = 2, 0.25
"""Places outside code, and their share, from which on a title is a name."""
_LABELLED = 5
"""Different lines that an ordinary word in capitals opens before others, from which on such words are labels."""
_NUMBERED = 3
"""Different numbers behind a title, from which on it is a word that counts something: Section, Figure."""
_CHARACTERS = 160
"""Before and behind a title that are looked at for quotation marks."""
_LONGEST_QUOTED_TITLE = 12
"""Words."""
_TOKEN_BEFORE, _TOKEN_BEHIND = re.compile(r"[^\s,;()\[\]\"“”„«»‘]*$"), re.compile(r"[^\s,;)\]\"“”«»’]*")
_CODE_TOKEN = re.compile(r"[$\\={}<>!@]|_\w|\w_|^[~.]?/|/.*/|^--?\w|[\w*]\.[a-z]\w{0,5}$|\+")
"""A path, an option, an assignment, a tag, a file's name, or keys that are pressed together."""
_GLUED_BEFORE = re.compile(r"(?:[$=/\\<{}%@#!-]|\w_|::|\+ ?)$")
_GLUED_BEHIND = re.compile(r"[=/\\{}%@!-]|_\w|::|\.[a-z]| ?\+ ?\w")
"""What joins a title to the rest of such a token; the last name of a dotted path is whole."""
_CAMEL = re.compile(r"[a-z][A-Z]")
_ALTERNATIVES = re.compile(r"[^\W\d_a-z][^/$=_{}<>\\@]*(?:/(?:[^\W\d_a-z][^/$=_{}<>\\@]*|\W*))+")
"""Names with a slash between them."""
_ADDRESS = re.compile(r"\w+://\S+")
_CODE_LINE = re.compile(r"[{}$=\\]|%\w|\w\(\)|::|;$", re.MULTILINE)
_ARROW_BEFORE, _ARROW_BEHIND = re.compile(r"(?:→|⇒|▸|->|\s>)\s*$"), re.compile(r"\s*(?:→|⇒|▸|->|>\s)")
_QUOTED = re.compile(r"[\"“„«]\s*([^\"“”„«»]{3,150}?)\s*[\"“”»]")
_REFERENCE = re.compile(r"\d,? [“\"„«]$")
"""What is before the title of a section that a sentence refers to."""
_NUMBER_BEHIND = re.compile(r"[ \xa0](\d+(?:\.\d+)*|[IVX]+|[A-Z]\.\d+(?:\.\d+)*)\b")
_LABEL = re.compile(r"^[^\w\n]*([^\W\d_]{3,}) +([^\s:|]+)", re.MULTILINE)
_HEADING = re.compile(r"^(?:#+ (?:[\w.]*\d[\w.]*\.? )?|(?:\d+\.)+\d* )", re.MULTILINE)
_WORD = re.compile(r"[^\W\d_]+")


@dataclass
class _Around:
    """In how many places that write a title itself it is surrounded in which way."""

    seen: int = 0
    glued: int = 0
    """Joined to a path, an identifier or a key."""
    coded: int = 0
    """In lines of code."""
    menu: int = 0
    """Beside an arrow."""
    within: int = 0
    """A part of a longer title in quotation marks."""
    lowered: int = 0
    loud: int = 0
    """Beside an ordinary word in capitals."""
    captions: int = 0
    """At the beginning of a line and before a number."""
    referred: int = 0
    """Behind the number of a section that a sentence refers to."""
    numbers: Counter[str] = field(default_factory=Counter)
    """Behind it."""

    def is_mostly(self, places: int) -> bool:
        """Whether so many places are most of those that there are."""
        return places > 0 and places >= _SHARE * self.seen


class Surroundings:
    """What is around each title of a sample, over all places that write the title itself, not a form or a pronoun."""

    def __init__(self, sample: SampleTexts, writing: Writing) -> None:
        self._writing = writing
        self._labels, self._headings = self._labels_of(sample.chunks.values()), _headings(sample.chunks.values())
        self._titles = defaultdict[str, _Around](_Around)
        for place in sample.places():
            if place.is_title:
                self._count(self._titles[place.title], place)

    def _count(self, around: _Around, place: NamedPlace) -> None:
        title, text, start, end, sentence = place
        around.seen += 1
        before, behind = text[max(0, start - _CHARACTERS) : start], text[end : end + _CHARACTERS]
        around.glued += _is_glued(title, before, place.written, behind)
        line = _ADDRESS.sub("", text[sentence.start : sentence.end])
        around.coded += len(_CODE_LINE.findall(line)) > 1 and not _has_grammar(line, sentence.language)
        around.menu += bool(_ARROW_BEFORE.search(before) or _ARROW_BEHIND.match(behind))
        around.referred += _REFERENCE.search(before) is not None
        around.within += _is_within_a_quoted_title(before, place.written, behind)
        around.lowered += title[0].isupper() and text[start].islower()
        beside = [*_WORD.findall(before[-30:])[-1:], *_WORD.findall(behind[:30])[:1]]
        around.loud += any(len(word) > 1 and word.isupper() and self._is_ordinary(word) for word in beside)
        if number := _NUMBER_BEHIND.match(behind):
            around.numbers[number[1]] += 1
            opens = not text[:start].rpartition("\n")[2].strip(" #*_>")
            around.captions += opens and behind[number.end() : number.end() + 1] in (".", ":", " ")

    def _is_ordinary(self, word: str) -> bool:
        return self._writing.is_ordinary_word(word.lower())

    def is_piece_of_code(self, title: str) -> bool:
        """Whether a title is mostly a piece of a path, an identifier or keys pressed together, or in lines without grammar."""
        around = self._titles[title]
        code = around.glued + around.coded
        return around.seen - code < max(_CLEAN, _FEW * around.seen) and around.is_mostly(code)

    def is_in_menus(self, title: str) -> bool:
        """Whether a title is mostly beside an arrow, as the entries of menus are written."""
        return self._titles[title].is_mostly(self._titles[title].menu)

    def is_within_titles(self, title: str) -> bool:
        """Whether a title is almost only a part of a longer title in quotation marks."""
        return self._titles[title].is_mostly(self._titles[title].within)

    def is_lowered(self, title: str) -> bool:
        """Whether a title of several words is written with its first word in lower case, too: "see Section"."""
        around = self._titles[title]
        first, _, rest = title.partition(" ")
        named = rest[:1].isupper() and first.lower() not in read_words("en").determiners
        return named and 2 * around.lowered >= around.seen

    def is_counted_on(self, title: str) -> bool:
        """Whether mostly a number is behind a title, one place after the other another, and it is an ordinary word or opens
        captions with it: Section, Figure."""
        around = self._titles[title]
        ordinary = self._is_ordinary(title.rpartition(" ")[2]) or around.captions >= _NUMBERED
        return ordinary and len(around.numbers) >= _NUMBERED and around.is_mostly(around.numbers.total())

    def is_behind_label(self, title: str) -> bool:
        """Whether a title begins with an ordinary word in capitals that opens several lines of the texts: "NOTE Gannet"."""
        first, _, rest = title.partition(" ")
        return bool(rest) and first in self._labels and not rest.isupper()

    def is_loud(self, title: str) -> bool:
        """Whether a title is an ordinary word that is in capitals where the words beside it are, too."""
        around = self._titles[title]
        return len(title) > 3 and title.isupper() and self._is_ordinary(title) and around.is_mostly(around.loud)

    def is_heading_of_doing(self, title: str) -> bool:
        """Whether a title begins with a form in -ing of an English verb, opens a heading or is referred to by number, and
        no sentence has it behind a word in lower case: "Using Gannet", "Saving the Harbour"."""
        first, _, rest = title.partition(" ")
        named = self._titles[title].referred > 0 or self.is_heading(title)
        return bool(rest) and is_doing(first.lower()) and named and not self._writing.is_inside(title)

    def _labels_of(self, texts: Iterable[str]) -> set[str]:
        """Return ordinary words in capitals that open lines before others, where there are many such lines."""
        lines = {
            (word, following)
            for text in texts
            for word, following in _LABEL.findall(text)
            if word.isupper() and not following.isupper() and self._is_ordinary(word)
        }
        return {word for word, _ in lines} if len(lines) >= _LABELLED else set()

    def is_heading(self, title: str) -> bool:
        """Whether a heading of the texts begins with a title."""
        return any(heading.startswith(fold(title)) for heading in self._headings.get(fold(title).split()[0], ()))


def is_doing(word: str) -> bool:
    """Whether a word (lower case) is the form in -ing of an English verb."""
    stem = word.removesuffix("ing")
    return 1 < len(stem) < len(word) and (is_english_word(stem) or is_english_word(f"{stem}e"))


def _is_glued(title: str, before: str, written: str, behind: str) -> bool:
    """Whether a title is joined to a path, an assignment, an identifier or a key, not to a name by a slash or a hyphen."""
    joined = _GLUED_BEHIND.match(behind) or _GLUED_BEFORE.search(before)
    if joined is None or (joined[0][0] == "." and _CAMEL.search(title)):
        return False
    token = _TOKEN_BEFORE.search(before)[0] + written + _TOKEN_BEHIND.match(behind)[0]  # type: ignore[index]
    token = token.strip("'*`.,:!?’")
    return (
        " " in joined[0]
        or "::" in joined[0]
        or (_CODE_TOKEN.search(token) is not None and not _ALTERNATIVES.fullmatch(token))
    )


def _has_grammar(sentence: str, language: str) -> bool:
    """Whether a sentence has words that only join others, one in a dozen at least: a line of code, of keys or of sums has none."""
    words = [word.lower() for word in _WORD.findall(sentence)]
    function = words_of("en").function | words_of(language).function
    return 12 * sum(len(word) > 1 and word in function for word in words) >= max(len(words), 1)


def _is_within_a_quoted_title(before: str, title: str, behind: str) -> bool:
    text = before + title + behind
    for quoted in _QUOTED.finditer(text):
        if quoted.start(1) <= len(before) and len(before) + len(title) <= quoted.end(1):
            words = _WORD.findall(quoted[1])
            if words[0].lower() in read_words("en").determiners:
                words = words[1:] or words
            long = [word for word in words if len(word) > 3]
            longer = len(words) > len(_WORD.findall(title))
            in_capitals = sum(word[0].isupper() for word in long) >= 0.75 * len(long)
            return longer and len(words) <= _LONGEST_QUOTED_TITLE and words[0][0].isupper() and in_capitals
    return False


def _headings(texts: Iterable[str]) -> dict[str, list[str]]:
    """Return headings, folded and without their marks and numbers, by their first word."""
    found: dict[str, list[str]] = {}
    for text in texts:
        for mark in _HEADING.finditer(text):
            heading = fold(text[mark.end() :].partition("\n")[0])
            if heading:
                found.setdefault(heading.split()[0], []).append(heading)
    return found
