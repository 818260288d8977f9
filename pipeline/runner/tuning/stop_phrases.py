"""Stop phrases that counting proposes: titles that are hardly wanted as entities, each with what shows it."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from pipeline.base.store import Generation
from pipeline.text.dates import MONTHS
from pipeline.text.inflection import singular
from pipeline.text.lexicon.english_words import is_english_word
from pipeline.text.lexicon.words import either, listed, read_words
from pipeline.text.scripts import fold

UNKNOWN = "CONCEPT"
"""The type of what shows no kind."""
_RARE = 3
"""Chunks up to which a phrase of common nouns is no term of its corpus, and a name of no kind may be an accident."""
_SERIES = 3
"""Names that differ in a number alone, from which on they are a series."""
_COPIES, _COPIED_SHARE = 3, 0.1
"""Chunks from which on, and share of all of them, a sentence that is written the same is boilerplate."""
_EVERYWHERE = 0.8
"""Share of the chunks from which on a name in repeated sentences that nothing is related to is boilerplate, whatever its type."""
_COMMON = 2
"""Chunks from which on a word in lower case is an ordinary word of the texts."""
_LONGEST_UNIT = 3
_LONGEST_ABBREVIATION = 3
_PLURAL_ABBREVIATION = re.compile("[A-Z]{2,}s")
_MOST_STOPS = 400
_NOUNS_IN_CAPITALS = ("de", "lb")
"""Languages that write every noun with a capital."""
_WORD = re.compile(r"[^\W\d_]+")
_ORDINARY = re.compile(r"(?<![\w`./\\=:<-])[^\W\d_]+(?![\w`/\\=(<>-]|[.:]\w)")
"""A word of prose: neither part of a path, a name of a file, an option, an identifier, nor in quotes of code."""
_RUNNING = re.compile(r"(?:^|\s)[(\"'“‘«]?[a-zß-ÿа-я]\S* \(?$")
"""What is before a name inside a sentence: a word in lower case and a blank."""
_AMID = re.compile(r"[^\W_][,;)]? \(?[\"“‘«]?$")
"""What is before a name on the same line where no cell, item or sentence begins with it."""
_GOES_ON = re.compile(r"[\"'”’»]?,? (?:\(|[\"“]?[a-zß-ÿа-я])")
"""What is behind a name that begins a sentence."""
_AFTER_NUMBER = re.compile(r"\d[ \xa0]?$")
_BEFORE = 30
"""Characters before a name that are looked at."""
_COUNT = re.compile(r"\d{2,3}")
"""A number behind a name that counts something; shorter ones and years are parts of names."""
_DATED = re.compile(rf" \d{{1,2}} (?:{either(MONTHS)})$", re.IGNORECASE)
_NUMBER = re.compile(r"\d+[\w.:-]*|[ivxl]+")
_ORDINALS = listed("one two three four five six seven eight nine ten eleven twelve first second third fourth fifth")
"""Numbers as headings write them."""


def stop_phrases(tables: Generation, entities: Sequence[dict[str, Any]], headings: frozenset[str]) -> dict[str, str]:
    """Return phrases that settings may stop, each with the reason; ``headings`` are the titles of documents, folded.

    ``entities`` are rows of that table. What a document is called is wanted, unless nothing but its heading has the name.
    """
    writing, names = _Writing(tables), _Names(tables, entities)
    reasons = _Reasons(tables, writing, names)
    stops: dict[str, str] = {}
    for row in sorted(entities, key=lambda row: (-row["frequency"], row["title"])):
        title = row["title"]
        if headings.isdisjoint(map(fold, (title, *row["aliases"]))):
            reason = reasons.of(row)
        else:
            reason = "an ordinary word that is only a heading" if writing.is_only_heading(title) else ""
        if reason:
            stops[title] = reason
    stops = dict(list(stops.items())[:_MOST_STOPS])
    kept = [row for row in entities if row["title"] not in stops]
    return _with_series(stops, kept, headings)


class _Reasons:
    """Why a title is hardly wanted, by where and how the sample writes it."""

    def __init__(self, tables: Generation, writing: "_Writing", names: "_Names") -> None:
        self._writing, self._names = writing, names
        self._kinds = dict(_columns(tables, "vocabulary", "title", "kind"))
        sentences = _sentences(tables)
        copies: dict[str, set[str]] = {}
        for chunk, _, text in sentences:
            copies.setdefault(text, set()).add(chunk)
        self._chunks = len({chunk for chunk, _, _ in sentences})
        many = max(_COPIES, _COPIED_SHARE * self._chunks)
        self._seen, self._copied = Counter[str](), Counter[str]()
        for _, titles, text in sentences:
            self._seen.update(set(titles))
            self._copied.update(set(titles) if len(copies[text]) >= many else ())

    def of(self, row: dict[str, Any]) -> str:
        """Return the reason; empty where an entity may be wanted."""
        title, frequency, known = row["title"], row["frequency"], row["type"] != UNKNOWN
        writing, names = self._writing, self._names
        everywhere = frequency >= _EVERYWHERE * self._chunks and row["type"] != "PERSON" and row["degree"] == 0
        copied = self._copied[title]
        if copied >= _COPIES and copied >= 0.8 * self._seen[title] and (not known or everywhere):
            return "almost only in sentences that are repeated"
        dated = fold(title).split()[0] in MONTHS and writing.is_counted(title)
        if frequency <= _RARE and not writing.is_inside(title) and (dated or names.is_list(row)):
            return "a known name with a date or a count, or two names in a row"
        if frequency <= _RARE and not writing.is_inside(title) and names.is_after_opening(title):
            return "a known name behind the word that opens a line or a heading"
        if self._kinds.get(title) == "phrase" and frequency <= _RARE and is_common(title, names.forms):
            return f"a phrase that {frequency} places use"
        if frequency <= _RARE and names.is_post(title):
            return "rare, a post or a nation without a name"
        if known:
            return ""
        if writing.is_unit(title):
            return "a unit behind numbers"
        if _PLURAL_ABBREVIATION.fullmatch(title):
            return "the plural of an abbreviation"
        if names.is_initials(row):
            return "initials of a person's name"
        if writing.is_ordinary(title):
            return "a word that the texts write mostly in lower case"
        if frequency > _RARE:
            return ""
        if writing.is_measured(title) and (row["degree"] == 0 or _DATED.search(title)):
            return "rare, a word with a number that opens sentences"
        if _is_with_placeholder(title):
            return "a name and a placeholder"
        if _is_compound_name(title) or not writing.is_known(title):
            return ""
        if title.istitle() and title.isalpha() and not writing.is_amid(title):
            return "rare, of no known kind, and only at the beginning of lines, cells or sentences"
        short = title.isalpha() and title.isupper() and len(title) <= _LONGEST_ABBREVIATION
        if short and row["degree"] <= (frequency == 1):
            return "a rare abbreviation with hardly a relationship"
        alone = row["degree"] == 0 and not title.isupper() and writing.is_word(title)
        return "rare, of no known kind, and related to nothing" if alone else ""


class _Names:
    """The names of the entities of a sample, and what is made of them."""

    def __init__(self, tables: Generation, rows: Sequence[dict[str, Any]]) -> None:
        self._document_of = dict(_columns(tables, "chunks", "id", "document_id"))
        self.forms = {fold(form) for row in rows for form in (row["title"], *row["aliases"])}
        english = read_words("en")
        self._opening = english.function
        self._posts, self._nations = english.posts | english.honorifics, english.demonyms
        people = [row for row in rows if row["type"] == "PERSON"]
        self._people = {fold(form): row["title"] for row in people for form in (row["title"], *row["aliases"])}
        self._initials = {
            (letters, document)
            for row in people
            if len(letters := _capitals(row["title"])) > 1
            for document in self._documents(row)
        }

    def is_list(self, row: dict[str, Any]) -> bool:
        """Whether a title is the name of another entity behind a month or before a number, or are two people's names."""
        words = fold(row["title"]).split()
        bare = words[1:] if words[0] in MONTHS and len(words) > 1 else words
        if len(bare) > 1 and _COUNT.fullmatch(bare[-1]):
            bare = bare[:-1]
            if len(bare) > 1 or words[0] in MONTHS:
                return True
        if len(bare) < len(words) and " ".join(bare) in self.forms:
            return True
        halves = ((" ".join(words[:place]), " ".join(words[place:])) for place in range(2, len(words)))
        return any({*map(self._people.get, pair)}.isdisjoint({None, row["title"]}) for pair in halves)

    def is_after_opening(self, title: str) -> bool:
        """Whether a title is another entity's name behind an ordinary word that opens headings and lines: See, From, Moving."""
        first, _, rest = title.partition(" ")
        word = first.lower()
        stem = word.removesuffix("ing")
        verb = stem != word and len(stem) > 2 and (is_english_word(stem) or is_english_word(f"{stem}e"))
        return (verb or word in self._opening) and rest[:1].isupper() and fold(rest) in self.forms

    def is_post(self, title: str) -> bool:
        """Whether all words of a title are posts, ranks and offices, or it is the adjective of a nation."""
        words = title.lower().split()
        posts = self._posts.issuperset(words) and all(map(is_english_word, words)) and not title.isupper()
        return posts or (len(words) == 1 and words[0] in self._nations)

    def is_initials(self, row: dict[str, Any]) -> bool:
        """Whether a title is mostly in documents that name a person whose initials it is."""
        letters, documents = row["title"].replace(".", ""), self._documents(row)
        beside = sum((letters, document) in self._initials for document in documents)
        return row["title"].isupper() and 2 * beside > len(documents)

    def _documents(self, row: dict[str, Any]) -> set[str]:
        return {self._document_of[chunk] for chunk in row["chunk_ids"]}


def _capitals(name: str) -> str:
    """Return the first letters of the words of a name that have a capital, without its title."""
    words = [word for word in name.split() if word[:1].isupper() and not word.endswith(".")]
    return "".join(word[0] for word in words)


class _Writing:
    """How names and ordinary words are written in the sample; of languages that write nouns with a capital nothing is known."""

    def __init__(self, tables: Generation) -> None:
        texts = dict(_columns(tables, "chunks", "id", "text"))
        self.ordinary = Counter[str]()
        """Words in lower case, and in how many chunks each is."""
        for text in texts.values():
            self.ordinary.update({word for word in _ORDINARY.findall(text) if word.islower()})
        self._seen, self._inside, self._amid, self._counted, self._subject = (Counter[str]() for _ in range(5))
        self._english = set[str]()
        columns = ("chunk_id", "start", "end", "language", "titles", "starts", "ends")
        for chunk, first, last, language, titles, starts, ends in _columns(tables, "sentences", *columns):
            if language in _NOUNS_IN_CAPITALS:
                continue
            text = texts[chunk]
            for title, start, end in zip(titles, starts, ends, strict=True):
                before = text[max(first, start - _BEFORE) : start]
                self._seen[title] += 1
                if language == "en":
                    self._english.add(title)
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
        return bool(self._seen[title]) and title.isalpha() and written >= _COMMON and written > self._inside[title]

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
        return _is_number(second) or (second in MONTHS and is_english_word(fold(words[0])))


def is_common(phrase: str, names: Collection[str]) -> bool:
    """Whether a phrase is of common nouns, says of a name what it is ("NASA astronaut") that is an entity by itself, or names
    things of a kind after one ("French cookbooks"), unless that is written as no word is ("HeLa cells")."""
    words = phrase.split()
    named = [place for place, word in enumerate(words) if not word.islower()]
    if not named or fold(" ".join(words[: named[-1] + 1])) in names:
        return True
    plain = all(word.istitle() or word.isupper() for word in words[: named[-1] + 1] if word.isalpha())
    return plain and words[-1].islower() and singular(words[-1]) != words[-1]


def _is_compound_name(title: str) -> bool:
    """Whether a name has two words with a capital or a digit, as names of things have and words at a sentence's start do not."""
    return sum(word[:1].isupper() or any(map(str.isdigit, word)) for word in title.split()) > 1


def _is_with_placeholder(title: str) -> bool:
    """Whether a name ends in an ordinary word that alone is in capitals, as forms and commands write what is to be filled in."""
    *name, last = title.split()
    return last.isupper() and is_english_word(last.lower()) and bool(name) and not any(map(str.isupper, name))


def _with_series(
    stops: dict[str, str], entities: Iterable[dict[str, Any]], headings: Collection[str]
) -> dict[str, str]:
    """Return stop phrases with a pattern for each series of names that differ in a number alone, as headings within documents
    do; but not for one after which documents are named: what a document is about is wanted."""
    series: dict[str, set[str]] = {}
    for title in [*stops, *(row["title"] for row in entities if row["type"] in (UNKNOWN, "WORK"))]:
        head, _, last = fold(title).rpartition(" ")
        if head and _is_number(last):
            series.setdefault(head, set()).add(title)
    own = {
        " ".join(words[:place])
        for words in map(str.split, headings)
        for place in range(1, len(words))
        if _is_number(words[place].strip(":.,"))
    }
    found = {head: titles for head, titles in series.items() if len(titles) >= _SERIES}
    within = {title for titles in found.values() for title in titles}
    patterns = {
        f"{head} *": f"{len(titles)} names that differ in a number alone"
        for head, titles in found.items()
        if head not in own
    }
    return patterns | {title: reason for title, reason in stops.items() if title not in within}


def _is_number(word: str) -> bool:
    return word in _ORDINALS or _NUMBER.fullmatch(word) is not None


def _sentences(tables: Generation) -> list[tuple[str, Sequence[str], str]]:
    """Return (chunk, titles of its names, its text without numbers) of each sentence."""
    texts = dict(_columns(tables, "chunks", "id", "text"))
    columns = ("chunk_id", "start", "end", "titles")
    return [
        (chunk, titles, re.sub(r"\d+", "0", " ".join(texts[chunk][start:end].split())))
        for chunk, start, end, titles in _columns(tables, "sentences", *columns)
    ]


def _columns(tables: Generation, name: str, *columns: str) -> Iterable[tuple[Any, ...]]:
    table = tables.table(name, list(columns))
    return zip(*(table[column].to_pylist() for column in columns), strict=True)
