"""The names of the entities of a sample, and titles that are made of them: lists, names behind other words, initials."""

import re
from collections.abc import Sequence
from typing import Any

from pipeline.base.store import Generation
from pipeline.runner.tuning.sample_texts import SampleTexts
from pipeline.runner.tuning.surroundings import is_doing
from pipeline.text.dates import MONTHS
from pipeline.text.inflection import singular
from pipeline.text.lexicon.english_words import is_english_word
from pipeline.text.lexicon.lexicon import CONCEPT
from pipeline.text.lexicon.words import listed, read_words
from pipeline.text.scripts import fold

_LISTED = 3
"""Initials of people in one sentence, from which on they are a list of those."""
_JOINING = listed("a an and as at but by for from if in into nor of on or that than the to when where which with")
_COUNT = re.compile(r"\d{2,3}")
"""A number behind a name that counts something; shorter ones and years are parts of names."""


class SampleNames:
    """The names of the entities of a sample, and what is made of them."""

    def __init__(self, tables: Generation, sample: SampleTexts, rows: Sequence[dict[str, Any]]) -> None:
        self._document_of = dict(tables.values("chunks", "id", "document_id"))
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
        initials = {letters for letters, _ in self._initials}
        known = {row["title"] for row in people if _capitals(row["title"]) in row["aliases"]}
        listed = (
            {title for title in sentence.titles if title in known or (title.isupper() and title in initials)}
            for sentence in sample.sentences
        )
        self._in_lists = {title for titles in listed if len(titles) >= _LISTED for title in titles - known}
        """Initials that a sentence has beside others: "Present: GM, KM, LM"."""

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
        return (is_doing(word) or word in self._opening) and rest[:1].isupper() and fold(rest) in self.forms

    def is_cut_off(self, title: str) -> bool:
        """Whether a title ends in an English word that joins others, with a capital as headings have it: "Rename To"."""
        first, last = title.split()[0].lower(), title.split()[-1]
        return last.istitle() and last.lower() in _JOINING and first not in ("the", last.lower())

    def is_double(self, row: dict[str, Any]) -> bool:
        """Whether a title is the plural of another entity's name ("Delegates"), or a person's name behind what they are, which is
        another entity ("Nurse Ada Thorne")."""
        title, kind = row["title"], row["type"]
        first, _, rest = title.partition(" ")
        one = singular(fold(title))
        own = {fold(form) for form in (title, *row["aliases"])}
        plural = one not in own and one in self.forms and (kind == CONCEPT or bool(rest))
        named = " " in rest and fold(rest) in self._people and fold(rest) not in own and is_english_word(first.lower())
        return (plural and kind != "WORK") or (named and kind != "PERSON")

    def is_post(self, title: str) -> bool:
        """Whether all words of a title are posts, ranks and offices, or it is the adjective of a nation."""
        words = title.lower().split()
        posts = self._posts.issuperset(words) and all(map(is_english_word, words)) and not title.isupper()
        return posts or (len(words) == 1 and words[0] in self._nations)

    def is_initials(self, row: dict[str, Any]) -> bool:
        """Whether a title is mostly in documents that name a person whose initials it is, or is listed with such of others."""
        letters, documents = row["title"].replace(".", ""), self._documents(row)
        beside = sum((letters, document) in self._initials for document in documents)
        return row["title"].isupper() and (2 * beside > len(documents) or row["title"] in self._in_lists)

    def _documents(self, row: dict[str, Any]) -> set[str]:
        return {self._document_of[chunk] for chunk in row["chunk_ids"]}


def _capitals(name: str) -> str:
    """Return the first letters of the words of a name that have a capital, without its title."""
    words = [word for word in name.replace("-", " ").split() if word[:1].isupper() and not word.endswith(".")]
    return "".join(word[0] for word in words)
