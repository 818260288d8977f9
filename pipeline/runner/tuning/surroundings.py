"""What is around the titles of a sample wherever it writes them: paths and code, menus, quoted titles, labels, numbers."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from pipeline.base.store import Generation
from pipeline.text.lexicon.english_words import is_english_word
from pipeline.text.lexicon.words import read_words
from pipeline.text.scripts import fold

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


class WrittenTitle(NamedTuple):
    """One place where a title is written: the text, the title's span and its sentence's, and that one's language."""

    text: str
    start: int
    end: int
    first: int
    last: int
    language: str


class Surroundings:
    """What is around each title of a sample, over all places that write the title itself, not a form or a pronoun."""

    def __init__(self, tables: Generation, ordinary: Counter[str]) -> None:
        """``ordinary``: words in lower case, and in how many chunks each is."""
        self._ordinary = ordinary
        texts = dict(columns(tables, "chunks", "id", "text"))
        self._labels, self._headings = _labels(texts.values(), ordinary), _headings(texts.values())
        (
            self._seen,
            self._glued,
            self._coded,
            self._menu,
            self._within,
            self._lowered,
            self._loud,
            self._captions,
            self._referred,
        ) = (Counter[str]() for _ in range(9))
        self._inside = Counter[str]()
        self._numbers: dict[str, Counter[str]] = {}
        for title, place in _places(tables, texts):
            self._count(title, place)

    def _count(self, title: str, place: WrittenTitle) -> None:
        text, start, end, first, last, language = place
        self._seen[title] += 1
        before, behind = text[max(0, start - _CHARACTERS) : start], text[end : end + _CHARACTERS]
        self._glued[title] += _is_glued(title, before, text[start:end], behind)
        sentence = _ADDRESS.sub("", text[first:last])
        self._coded[title] += len(_CODE_LINE.findall(sentence)) > 1 and not _has_grammar(sentence, language)
        self._menu[title] += bool(_ARROW_BEFORE.search(before) or _ARROW_BEHIND.match(behind))
        self._referred[title] += _REFERENCE.search(before) is not None
        self._within[title] += _is_within_a_quoted_title(before, text[start:end], behind)
        self._lowered[title] += title[0].isupper() and text[start].islower()
        beside = [*_WORD.findall(before[-30:])[-1:], *_WORD.findall(behind[:30])[:1]]
        self._loud[title] += any(len(word) > 1 and word.isupper() and self._is_word(word) for word in beside)
        if number := _NUMBER_BEHIND.match(behind):
            self._numbers.setdefault(title, Counter())[number[1]] += 1
            opens = not text[:start].rpartition("\n")[2].strip(" #*_>")
            self._captions[title] += opens and behind[number.end() : number.end() + 1] in (".", ":", " ")
        self._inside[title] += text[start].isupper() and _has_lower_case_before(text[first:start])

    def _is_word(self, word: str) -> bool:
        return is_english_word(word.lower()) or word.lower() in self._ordinary

    def _mostly(self, counted: Counter[str], title: str) -> bool:
        return counted[title] > 0 and counted[title] >= _SHARE * self._seen[title]

    def is_piece_of_code(self, title: str) -> bool:
        """Whether a title is mostly a piece of a path, an identifier or keys pressed together, or in lines without grammar."""
        places = self._seen[title] - self._glued[title] - self._coded[title]
        few = places < max(_CLEAN, _FEW * self._seen[title])
        return few and self._mostly(self._glued + self._coded, title)

    def is_in_menus(self, title: str) -> bool:
        """Whether a title is mostly beside an arrow, as the entries of menus are written."""
        return self._mostly(self._menu, title)

    def is_within_titles(self, title: str) -> bool:
        """Whether a title is almost only a part of a longer title in quotation marks."""
        return self._mostly(self._within, title)

    def is_lowered(self, title: str) -> bool:
        """Whether a title of several words is written with its first word in lower case, too: "see Section"."""
        particles = read_words("en").determiners
        first, _, rest = title.partition(" ")
        return (
            bool(rest)
            and first.lower() not in particles
            and rest[0].isupper()
            and 2 * self._lowered[title] >= self._seen[title]
        )

    def is_counted_on(self, title: str) -> bool:
        """Whether mostly a number is behind a title, one place after the other another, and it is an ordinary word or opens
        captions with it: Section, Figure."""
        numbers = self._numbers.get(title, Counter[str]())
        ordinary = self._is_word(title.rpartition(" ")[2]) or self._captions[title] >= _NUMBERED
        return ordinary and len(numbers) >= _NUMBERED and numbers.total() >= _SHARE * self._seen[title]

    def is_behind_label(self, title: str) -> bool:
        """Whether a title begins with an ordinary word in capitals that opens several lines of the texts: "NOTE Gannet"."""
        first, _, rest = title.partition(" ")
        return bool(rest) and first in self._labels and not rest.isupper()

    def is_loud(self, title: str) -> bool:
        """Whether a title is an ordinary word that is in capitals where the words beside it are, too."""
        return len(title) > 3 and title.isupper() and self._is_word(title) and self._mostly(self._loud, title)

    def is_heading_of_doing(self, title: str) -> bool:
        """Whether a title begins with a form in -ing of an English verb, opens a heading or is referred to by number, and
        no sentence has it behind a word in lower case: "Using Gannet", "Saving the Harbour"."""
        first, _, rest = title.partition(" ")
        stem = first.lower().removesuffix("ing")
        verb = len(stem) > 1 and stem != first.lower() and (is_english_word(stem) or is_english_word(f"{stem}e"))
        named = self._referred[title] > 0 or self.is_heading(title)
        return bool(rest) and verb and named and not self._inside[title]

    def is_heading(self, title: str) -> bool:
        """Whether a heading of the texts begins with a title."""
        return any(heading.startswith(fold(title)) for heading in self._headings.get(fold(title).split()[0], ()))


def columns(tables: Generation, name: str, *names: str) -> Iterable[tuple[Any, ...]]:
    """Return the rows of these columns of a table."""
    table = tables.table(name, list(names))
    return zip(*(table[column].to_pylist() for column in names), strict=True)


def _places(tables: Generation, texts: dict[str, str]) -> Iterable[tuple[str, WrittenTitle]]:
    """Return each place that writes a title itself, whatever its case."""
    wanted = ("chunk_id", "start", "end", "language", "titles", "starts", "ends")
    for chunk, first, last, language, titles, starts, ends in columns(tables, "sentences", *wanted):
        text = texts[chunk]
        for title, start, end in zip(titles, starts, ends, strict=True):
            if fold(text[start:end]) == fold(title):
                yield title, WrittenTitle(text, start, end, first, last, language)


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
    function = read_words("en").function | read_words(language).function
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


def _has_lower_case_before(text: str) -> bool:
    words = text.rsplit("\n", 1)[-1].rstrip(" \"'“‘„«(").split()
    return bool(words) and words[-1].isalpha() and words[-1].islower()


def _labels(texts: Iterable[str], ordinary: Counter[str]) -> set[str]:
    lines = {
        (word, following)
        for text in texts
        for word, following in _LABEL.findall(text)
        if word.isupper() and not following.isupper() and (is_english_word(word.lower()) or word.lower() in ordinary)
    }
    return {word for word, _ in lines} if len(lines) >= _LABELLED else set()


def _headings(texts: Iterable[str]) -> dict[str, list[str]]:
    """Return headings, folded and without their marks and numbers, by their first word."""
    found: dict[str, list[str]] = {}
    for text in texts:
        for mark in _HEADING.finditer(text):
            heading = fold(text[mark.end() :].partition("\n")[0])
            if heading:
                found.setdefault(heading.split()[0], []).append(heading)
    return found
