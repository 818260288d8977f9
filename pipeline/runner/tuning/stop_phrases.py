"""Stop phrases that counting proposes: titles that are hardly wanted as entities, each with what shows it."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from pipeline.base.store import Generation
from pipeline.runner.tuning.names import SampleNames
from pipeline.runner.tuning.phrases import Phrases, is_common
from pipeline.runner.tuning.sample_texts import SampleTexts
from pipeline.runner.tuning.surroundings import Surroundings
from pipeline.runner.tuning.writing import Writing, is_number
from pipeline.text.dates import MONTHS
from pipeline.text.lexicon.english_words import is_english_word
from pipeline.text.lexicon.lexicon import CONCEPT
from pipeline.text.lexicon.words import either
from pipeline.text.scripts import fold

_RARE = 3
"""Chunks up to which a phrase of common nouns is no term of its corpus, and a name of no kind may be an accident."""
_SERIES = 3
"""Names that differ in a number alone, from which on they are a series."""
_COPIES, _COPIED_SHARE = 3, 0.1
"""Chunks from which on, and share of all of them, a sentence that is written the same is boilerplate."""
_EVERYWHERE = 0.8
"""Share of the chunks from which on a name in repeated sentences that nothing is related to is boilerplate, whatever its type."""
_LONGEST_ABBREVIATION = 3
_PLURAL_ABBREVIATION = re.compile("[A-Z]{2,}s")
_MOST_STOPS = 400
_DOING = "a heading that says what is done"
_DOINGS = 5
"""Documents that are called by what is done, from which on that is how sections are called and not a subject."""
_DATED = re.compile(rf" \d{{1,2}} (?:{either(MONTHS)})$", re.IGNORECASE)


def stop_phrases(tables: Generation, entities: Sequence[dict[str, Any]], headings: frozenset[str]) -> dict[str, str]:
    """Return phrases that settings may stop, each with the reason; ``headings`` are the titles of documents, folded.

    ``entities`` are rows of that table. What a document is called is wanted, unless nothing but its heading has the name.
    """
    sample = SampleTexts(tables)
    writing, names = Writing(sample), SampleNames(tables, sample, entities)
    reasons = _Reasons(tables, sample, writing, names)
    called = {row["title"] for row in entities if not headings.isdisjoint(map(fold, (row["title"], *row["aliases"])))}
    doings = sum(reasons.of_heading(title) == _DOING for title in called)
    stops: dict[str, str] = {}
    for row in sorted(entities, key=lambda row: (-row["frequency"], row["title"])):
        title = row["title"]
        reason = reasons.of_heading(title) if title in called else reasons.of(row)
        if reason and (reason != _DOING or title not in called or doings >= _DOINGS):
            stops[title] = reason
    stops = dict(list(stops.items())[:_MOST_STOPS])
    kept = [row for row in entities if row["title"] not in stops]
    return _with_series(stops, kept, headings, writing)


class _Reasons:
    """Why a title is hardly wanted, by where and how the sample writes it."""

    def __init__(self, tables: Generation, sample: SampleTexts, writing: Writing, names: SampleNames) -> None:
        self._writing, self._names = writing, names
        self._around = Surroundings(sample, writing)
        self._kinds = dict(tables.values("vocabulary", "title", "kind"))
        self._phrases = Phrases(sample, (title for title, kind in self._kinds.items() if kind == "phrase"))
        without_numbers = [
            re.sub(r"\d+", "0", " ".join(sample.chunks[one.chunk][one.start : one.end].split()))
            for one in sample.sentences
        ]
        copies = defaultdict[str, set[str]](set)
        for sentence, text in zip(sample.sentences, without_numbers, strict=True):
            copies[text].add(sentence.chunk)
        self._chunks = len({sentence.chunk for sentence in sample.sentences})
        many = max(_COPIES, _COPIED_SHARE * self._chunks)
        self._seen, self._copied = Counter[str](), Counter[str]()
        for sentence, text in zip(sample.sentences, without_numbers, strict=True):
            self._seen.update(set(sentence.titles))
            self._copied.update(set(sentence.titles) if len(copies[text]) >= many else ())

    def of(self, row: dict[str, Any]) -> str:
        """Return the reason; empty where an entity may be wanted."""
        title, frequency, known = row["title"], row["frequency"], row["type"] != CONCEPT
        writing, names = self._writing, self._names
        everywhere = frequency >= _EVERYWHERE * self._chunks and row["type"] != "PERSON" and row["degree"] == 0
        copied = self._copied[title]
        if copied >= _COPIES and copied >= 0.8 * self._seen[title] and (not known or everywhere):
            return "almost only in sentences that are repeated"
        if names.is_double(row):
            return "the plural of another name, or a person with what they are"
        if reason := self._by_surroundings(title, row["type"]):
            return reason
        dated = fold(title).split()[0] in MONTHS and writing.is_counted(title)
        if frequency <= _RARE and not writing.is_inside(title) and (dated or names.is_list(row)):
            return "a known name with a date or a count, or two names in a row"
        if frequency <= _RARE and not writing.is_inside(title) and names.is_after_opening(title):
            return "a known name behind the word that opens a line or a heading"
        if self._kinds.get(title) == "phrase":
            if frequency <= _RARE and is_common(title, names.forms):
                return f"a phrase that {frequency} places use"
            if self._phrases.is_clause(title):
                return "a phrase that ends in a verb"
            if not known and self._phrases.is_loose(title) and not self._around.is_heading(title):
                return "a phrase of words that are mostly in others, and that no heading has"
            everyday = title.islower() and title.isalpha() and writing.is_everyday(title)
            if everyday and not self._around.is_heading(title):
                return "a single common noun that no heading has"
        if frequency <= _RARE and names.is_post(title):
            return "rare, a post or a nation without a name"
        return "" if known else self._of_no_kind(row)

    def of_heading(self, title: str) -> str:
        """Return the reason for what a document is called: that is wanted, unless nothing but its heading has the name."""
        if self._around.is_heading_of_doing(title):
            return _DOING
        return "an ordinary word that is only a heading" if self._writing.is_only_heading(title) else ""

    def _by_surroundings(self, title: str, kind: str) -> str:
        """Return the reason that what is around a title gives, wherever it is written."""
        around, writing = self._around, self._writing
        labelled = around.is_behind_label(title) and not writing.is_inside(title)
        shown = {
            "almost only a part of a longer title in quotation marks": around.is_within_titles(title),
            "begins with a word that sentences write in lower case": kind != "PERSON" and around.is_lowered(title),
            "behind a word in capitals that opens lines": labelled,
            _DOING: around.is_heading_of_doing(title),
            "a common noun": writing.is_german_noun(title, kind),
            "ends in a word that joins others": kind != "WORK" and self._names.is_cut_off(title),
        }
        if kind == CONCEPT:
            shown |= {
                "mostly a piece of a path, of code or of a key combination": around.is_piece_of_code(title),
                "mostly an entry of a menu": around.is_in_menus(title),
                "an ordinary word with a number behind it": around.is_counted_on(title),
                "an ordinary word that is in capitals with its neighbours": around.is_loud(title),
            }
        return next((reason for reason, is_so in shown.items() if is_so), "")

    def _of_no_kind(self, row: dict[str, Any]) -> str:
        title, writing, names = row["title"], self._writing, self._names
        if writing.is_unit(title):
            return "a unit behind numbers"
        if _PLURAL_ABBREVIATION.fullmatch(title):
            return "the plural of an abbreviation"
        if names.is_initials(row):
            return "initials of a person's name"
        if title.istitle() and title.isalpha() and title.endswith("ed") and is_english_word(title.lower()):
            return "a participle"
        if writing.is_ordinary(title):
            return "a word that the texts write mostly in lower case"
        if row["frequency"] > _RARE:
            return ""
        if writing.is_measured(title) and (row["degree"] == 0 or _DATED.search(title)):
            return "rare, a word with a number that opens sentences"
        if _is_with_placeholder(title):
            return "a name and a placeholder"
        if _is_compound_name(title) or not writing.is_known(title):
            return ""
        if title.istitle() and title.isalpha() and writing.is_word(title) and not writing.is_amid(title):
            return "rare, of no known kind, and only at the beginning of lines, cells or sentences"
        short = title.isalpha() and title.isupper() and len(title) <= _LONGEST_ABBREVIATION
        if short and row["degree"] <= (row["frequency"] == 1):
            return "a rare abbreviation with hardly a relationship"
        alone = row["degree"] == 0 and not title.isupper() and writing.is_word(title)
        return "rare, of no known kind, and related to nothing" if alone else ""


def _is_compound_name(title: str) -> bool:
    """Whether a name has two words with a capital or a digit, as names of things have and words at a sentence's start do not."""
    return sum(word[:1].isupper() or any(map(str.isdigit, word)) for word in title.split()) > 1


def _is_with_placeholder(title: str) -> bool:
    """Whether a name ends in an ordinary word that alone is in capitals, as forms and commands write what is to be filled in."""
    *name, last = title.split()
    return last.isupper() and is_english_word(last.lower()) and bool(name) and not any(map(str.isupper, name))


def _with_series(
    stops: dict[str, str], entities: Iterable[dict[str, Any]], headings: Collection[str], writing: Writing
) -> dict[str, str]:
    """Return stop phrases with a pattern for each series of names that differ in a number alone, as headings within documents
    do; but not for one after which documents are named, as what a document is about is wanted, nor for versions of a name."""
    series: dict[str, set[str]] = {}
    for title in [*stops, *(row["title"] for row in entities if row["type"] in (CONCEPT, "WORK"))]:
        head, _, last = fold(title).rpartition(" ")
        if head and is_number(last):
            series.setdefault(head, set()).add(title)
    own = {
        " ".join(words[:place])
        for words in map(str.split, headings)
        for place in range(1, len(words))
        if is_number(words[place].strip(":.,"))
    }
    found = {head: titles for head, titles in series.items() if len(titles) >= _SERIES}
    named = {fold(row["title"]) for row in entities}
    patterns = {
        f"{head} *": f"{len(titles)} names that differ in a number alone"
        for head, titles in found.items()
        if head not in own and head not in named and writing.is_ordinary_word(head.rpartition(" ")[2])
    }
    within = {title for titles in found.values() for title in titles}
    return patterns | {title: reason for title, reason in stops.items() if title not in within}
