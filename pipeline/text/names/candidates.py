"""Sums the scans of a corpus and decides which capitalised spans are names; the rest counts as common words."""

import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from itertools import dropwhile
from typing import Final

from pipeline.text.dates import MONTHS
from pipeline.text.inflection import base_form
from pipeline.text.keys import irregular_lines
from pipeline.text.lexicon import german
from pipeline.text.lexicon.english_words import is_english_word
from pipeline.text.lexicon.given_names import BEFORE_SURNAME, GIVEN_NAMES
from pipeline.text.lexicon.lexicon import CONCEPT, ORGANIZATION, PERSON, PLACE, Lexicon, lexicon_of
from pipeline.text.lexicon.places import ORGANIZATIONS, PLACES, PRODUCTS, cities
from pipeline.text.lexicon.russian import is_given_in_a_case, is_patronymic, is_surname
from pipeline.text.lexicon.words import listed, sections
from pipeline.text.names.chunk_scan import Scan
from pipeline.text.names.name_types import (
    COMPANY_ENDINGS,
    HEAD_ENDS,
    NAME_WORDS,
    head_of,
    is_numeral,
    is_person,
    name_type,
    noun_type,
)
from pipeline.text.names.phrases import Counts
from pipeline.text.names.tally import N_CUES, NameCue
from pipeline.text.scripts import fold

_LANGUAGE_SHARE: Final = 0.03  # of the scans; a language below it adds nothing to the word lists
_AND: Final = re.compile(r" (?:and|und|et|y|e|en|och|i|и) ")
_INITIALS: Final = 4
"""Letters below which what is between a given name and a last name is initials."""
_MAIN: Final = 20
"""Above so many sightings a name with "the" and a word behind it, seen once, is the name."""
_MORE: Final = 4
"""A word that is seen so many times as often by itself as behind a person's name is no part of that."""
_FIRMS: Final = 0.03
"""Share of the names of a corpus about firms that end in Inc, Corp, GmbH and the like."""
_WITH_SURNAME: Final = listed(*map(sections("name_context").__getitem__, ("with_surname", "more_with_names")))
"""Titles before a name."""
_BEFORE_LAST_NAMES: Final = listed(sections("name_context")["with_surname"])
"""Titles before last names."""
_REALMS: Final = listed(sections("name_context")["realms"])
_COMPANIES: Final = listed(sections("name_words")["companies"])
"""Endings that go on with "of": Aluminum Company of America."""
_LONGEST_PERSON: Final = 4
"""Words of a full name of a person, at most."""
_OF: Final = listed(sections("name_context")["from"])
"""Words between who or what is of a place or a body and its name."""
_SHORTEST: Final = 2
"""Letters of a surname, at least."""
_PAST_FORMS: Final = frozenset(
    forms[1] for forms in irregular_lines() if len(forms) == 3 and forms[1] not in forms[::2]
)
"""Past tenses of verbs that are no participles, and so no adjectives, and hardly ever a name's first word: rang."""
DETERMINED_SHARE: Final = 4
"""A German word with an article, an adjective or a number before one in so many sightings is a common noun."""


class Candidate:
    """All spellings with one comparison key."""

    __slots__ = ("anchored", "chunks", "cues", "key", "spelling", "surfaces")

    def __init__(self, key: str) -> None:
        self.key = key
        self.surfaces: dict[str, int] = {}
        self.cues = [0] * N_CUES
        self.chunks: list[int] = []
        """Chunk numbers, perhaps repeated."""
        self.anchored = False
        self.spelling = ""
        """The most frequent spelling, one in mixed case before one in capitals."""

    @property
    def seen(self) -> int:
        return self.cues[NameCue.MIDDLE] + self.cues[NameCue.OPENING]

    @property
    def sightings(self) -> int:
        """All of them, at least one."""
        return max(1, self.seen + self.cues[NameCue.QUOTED])

    @property
    def is_german(self) -> bool:
        """Whether it occurs mostly where every noun has a capital letter."""
        nouns = self.cues[NameCue.NOUN_CAPITALS]
        return nouns > 0 and nouns * 2 > self.seen

    def add(self, surface: str, cues: Sequence[int], chunks: Sequence[int], weight: int) -> None:
        surfaces = self.surfaces
        surfaces[surface] = surfaces.get(surface, 0) + weight
        self.spelling = surface
        if len(surfaces) > 1:
            self.spelling = max(surfaces, key=lambda one: (not (one.isupper() and len(one) > 6), surfaces[one], one))
        self.cues = [one + other for one, other in zip(self.cues, cues, strict=True)] if self.chunks else list(cues)
        self.chunks = [*self.chunks, *chunks]


class Corpus:
    """Counts over all scans."""

    def __init__(self, scans: Iterable[Scan]) -> None:
        self.n_chunks = self.n_words = 0
        self.words: dict[str, list[int]] = {}
        self.phrases: dict[str, list[int]] = {}
        self.small: dict[str, list[int]] = {}
        """Word in small letters to [places that treat it as a name, cells of tables among them, chunks]."""
        self.pairs: set[tuple[str, str]] = set()
        """(short form, name) that the texts themselves introduce."""
        self._surfaces: dict[str, tuple[list[int], list[int]]] = {}
        self._anchors: dict[str, list[int]] = {}
        self._brackets: dict[str, set[str]] = {}
        languages: Counter[str] = Counter()
        licences = []
        for scan in scans:
            languages[scan.language] += 1
            if scan.boilerplate:
                licences.append(scan)
            else:
                self._add(scan)
        if len(licences) > self.n_chunks:  # a corpus about licences
            for scan in licences:
                self._add(scan)
        self.lexicon = _lexicon(languages, self.n_chunks)
        self.language = next(iter(_ranked(languages)), "und")
        """The most frequent one."""
        self.candidates = self._candidates()
        self._settle_at()
        self._settle_titles()
        self._settle_imperatives()
        self._settle_epithets()
        self._settle_patronymics()
        self._settle_posts()
        self._settle_origins()
        self._settle_letters()
        self.german_nouns: frozenset[str] = self._german_nouns()
        """Keys of common nouns that have a capital letter because German gives them one."""
        self._settle_german_heads()
        self._settle_neighbours()
        self.heads: frozenset[str] = frozenset(head_of(key.split()) for key in self.candidates if " " in key)
        """The words that say what names of several words are of: institute, treaty."""
        firms = sum(key.rpartition(" ")[2] in COMPANY_ENDINGS for key in self.candidates)
        self.has_firms: bool = firms >= _FIRMS * len(self.candidates) > 0
        """Whether so many names end as those of firms do that it is firms who say and announce here."""
        self.people: frozenset[str] = frozenset(
            key for key, one in self.candidates.items() if is_person(one.spelling, one.cues, self.lexicon)
        )
        """Keys of those of which something says outright that they are a person's."""
        self.surnames: frozenset[str] = frozenset()
        """Last words of full names of people."""
        self.full_names: set[str] = set()
        """Keys of names of several words that are of the type of people before surnames are known, and stay so: surnames only add people."""
        self.name_parts = self._name_parts()
        """First and last words of full names of people, and names of companies, that are seen amid sentences."""

    def counts(self) -> Counts:
        return Counts(self.words, self.phrases, self.n_chunks, self.n_words, self.lexicon, self.language)

    def lower_count(self, key: str) -> int:
        """How often a word is in lower case."""
        counts = self.words.get(key)
        return counts[0] if counts else 0

    def is_german(self, candidate: Candidate) -> bool:
        """Whether a candidate may be German: where most of it is, and anywhere in a corpus that is German for the most part."""
        return candidate.is_german or self.language == "de"

    def is_common(self, word: str) -> bool:
        """Whether a word (lower case) is an ordinary one: a function word, a general one, or seen in lower case."""
        return word in self.lexicon.function or word in self.lexicon.general or self.lower_count(word) > 0

    def is_verb(self, word: str) -> bool:
        """Whether a word is the form of a verb, as far as its ending or a list shows, and nothing that a name begins with."""
        if word in GIVEN_NAMES or word in BEFORE_SURNAME or word in NAME_WORDS["geographic"]:
            return False
        if word in self.lexicon.verbs or word in _PAST_FORMS:
            return True
        is_form = word.endswith("ed") or (word.endswith("s") and base_form(word) != word)
        is_title = word in self.lexicon.honorifics or word in self.lexicon.nouns
        return is_form and not is_title and is_english_word(word)

    def _add(self, scan: Scan) -> None:
        chunk = self.n_chunks
        self.n_chunks += 1
        self.n_words += scan.n_words
        for surface, cues in scan.names.items():
            entry = self._surfaces.get(surface)
            if entry is None:
                entry = self._surfaces[surface] = ([0] * N_CUES, [])
            sums, chunks = entry
            for cue in cues:
                sums[cue] += 1
            chunks.append(chunk)
        _add_counts(self.words, scan.words)
        _add_counts(self.phrases, scan.phrases)
        _add_counts(self.small, scan.small)
        for name in scan.anchored:
            self._anchors.setdefault(name, []).append(chunk)
        if len(scan.anchored) == 2:
            self._brackets.setdefault(scan.anchored[1], set()).add(scan.anchored[0])
        self.pairs.update((short, name) for name, short in scan.aliases)

    def _candidates(self) -> dict[str, Candidate]:
        found: dict[str, Candidate] = {}
        for surface, (cues, chunks) in self._surfaces.items():
            candidate = _candidate(found, fold(surface))
            candidate.add(surface, cues, chunks, cues[NameCue.MIDDLE] + cues[NameCue.OPENING] + cues[NameCue.QUOTED])
        self._surfaces.clear()  # a third of what the candidates take
        for name, chunks in self._anchors.items():
            parts = _AND.split(name)
            if len(parts) > 1 and fold(name) not in found and any(fold(part) in found for part in parts):
                continue  # the title of a text about several
            candidate = _candidate(found, fold(name))
            candidate.add(name, [0] * N_CUES, chunks, 1)
            candidate.anchored = True
        # A title with a bracket is another form of the title without, unless several titles differ in nothing else.
        self.pairs.update((min(titles), bare) for bare, titles in self._brackets.items() if len(titles) == 1)
        return found

    def _settle_at(self) -> None:
        """Counts "at" as a cue of a place or of a body, whichever most of the known names that follow it are."""
        at = [candidate for candidate in self.candidates.values() if candidate.cues[NameCue.AT]]
        bodies, places = (
            sum(candidate.cues[NameCue.AT] for candidate in at if candidate.key in known)
            for known in (ORGANIZATIONS, PLACES)
        )
        means = NameCue.BODY if bodies > 2 * places else NameCue.GOING if places >= 2 * bodies else NameCue.PLACE
        for candidate in at:
            candidate.cues[means] += candidate.cues[NameCue.AT]

    def _settle_titles(self) -> None:
        """Counts "Siege of Orléans" and "Archbishop of Reims" as signs that the last name is a place."""
        for key in sorted(key for key in self.candidates if " of " in key or " d'" in key):
            head, _, rest = self.candidates[key].spelling.partition(" of ")
            tail = self.candidates.get(fold(rest))
            first = head.lower().rsplit(" ", 1)[-1]
            if (
                tail is not None
                and " of " not in rest
                and (first in NAME_WORDS["of_places"] or first in self.lexicon.beside)
            ):
                tail.cues[NameCue.GOING] += 1

    def _settle_imperatives(self) -> None:
        """Counts "Tell Dora" and "Ask Peter Hall", where sentences open with them, for whom they name; and, where notes leave out who
        did it, "Rang Mr Pym" and "Praises Canon Ash"."""
        for key in sorted(key for key in self.candidates if " " in key):
            candidate = self.candidates[key]
            first, _, rest = key.partition(" ")
            if candidate.cues[NameCue.MIDDLE] or candidate.cues[NameCue.QUOTED]:
                continue
            if candidate.anchored and not first.endswith("ing"):  # Using the Sorter, as a guide is called
                continue
            is_settled = self._settle_instruction(key) or candidate.anchored
            if is_settled or (first not in NAME_WORDS["imperatives"] and not self.is_verb(first)):
                continue  # as most
            rest = candidate.spelling.partition(" ")[2]
            known = self.candidates.get(fold(rest))
            named = rest.split()[0].lower() in GIVEN_NAMES and noun_type(rest.split()[-1], self.lexicon) == CONCEPT
            if first in NAME_WORDS["imperatives"]:
                named = named or (known is not None and known.cues[NameCue.MIDDLE] > 0)
            elif " " in rest:
                opener, second, *_ = rest.lower().split()
                named = named or (opener.rstrip(".") in _WITH_SURNAME and second not in HEAD_ENDS)
            else:
                named = (named and known is not None) or (first in _PAST_FORMS and candidate.seen == 1)
            if named:
                self._rename(key, rest, is_inside=True)

    def _settle_instruction(self, key: str) -> bool:
        """Whether a span at openings alone tells to do something or what was done: "Adds Tidal" counts for Tidal, "Move Files" for nothing."""
        candidate = self.candidates[key]
        first, *words = candidate.spelling.split()
        if first.isupper() or first.lower() in GIVEN_NAMES or not is_instruction(first.lower()):
            return False
        name = " ".join(dropwhile(lambda word: word.lower() in self.lexicon.function, words))
        known = self.candidates.get(fold(name))
        is_named = known is not None and known.cues[NameCue.MIDDLE] > 0
        if is_named or not all(part.istitle() and is_english_word(part.lower()) for part in re.findall(r"\w+", name)):
            self._rename(key, name, is_inside=True)
        else:
            del self.candidates[key]
        return True

    def _settle_epithets(self) -> None:
        """Counts "Old Fezziwig" for "Fezziwig", and "Quick Scrooge" seen at openings only for "Scrooge", where these are
        names; "Ask Tom Pinch" at openings only for "Tom Pinch", which begins with a given name."""
        for key in sorted(key for key in self.candidates if " " in key):
            candidate = self.candidates[key]
            first, _, rest = candidate.spelling.partition(" ")
            word, seen = first.lower(), candidate.seen
            if seen == 1 and rest.startswith("the "):
                alone = self.candidates.get(fold(first))
                if alone is not None and alone.seen > _MAIN:
                    self._move(key, first)  # "Scrooge the Baleful" is Scrooge
                    continue
            if word == "herrn":  # with Herrn Brandt
                self._rename(key, f"Herr {rest}")
                continue
            if word in self.lexicon.honorifics and rest.count(" ") == 1 and rest.lower().startswith(("la ", "le ")):
                del self.candidates[key]  # "Madame la Présidente" is a way to write to somebody
                continue
            if candidate.anchored or candidate.cues[NameCue.QUOTED]:
                continue
            is_epithet, opens = word in NAME_WORDS["epithets"], self._opens_only(candidate, word)
            given = rest.split()[0].lower() if " " in rest else ""
            before_given = given != "" and (given in GIVEN_NAMES or is_given_in_a_case(given))
            if not (is_epithet or opens or before_given):
                continue  # as most
            tail = self.candidates.get(fold(rest))
            addressed = rest.split()[0].lower()
            if (
                tail is None
                and word in NAME_WORDS["salutations"]
                and (addressed in GIVEN_NAMES or addressed in self.lexicon.honorifics)
            ):
                self._rename(key, rest)  # "Chère Hélène," is a name and how one writes to it
                continue
            if tail is not None and tail.cues[NameCue.MIDDLE]:
                is_epithet = is_epithet and tail.seen >= seen
                if is_epithet or opens:
                    tail.add(
                        candidate.spelling if is_epithet or word in self.lexicon.honorifics else rest,
                        [0] * N_CUES,
                        candidate.chunks,
                        0,
                    )
                    tail.cues[NameCue.OPENING] += seen
                    del self.candidates[key]
            elif before_given and (opens or self._is_before_person(candidate, word)):
                self._rename(key, rest, is_inside=True)

    def _settle_patronymics(self) -> None:
        """Counts "Скажи Анне Фёдоровне" for "Анне Фёдоровне": before a given name and a patronymic is a surname or nothing."""
        for key in sorted(key for key in self.candidates if key.count(" ") > 1 and not key.isascii()):
            tokens = self.candidates[key].spelling.split()
            at = next((place for place, token in enumerate(tokens) if is_patronymic(token.lower())), 0)
            surname_first = at > 1 and at + 1 == len(tokens) and is_surname(tokens[at - 2])
            begin = at - 2 if surname_first else at - 1
            if begin > 0 and not self.candidates[key].anchored:
                _candidate(self.candidates, fold(rest := " ".join(tokens[begin:])))
                self._move(key, rest)

    def _is_before_person(self, candidate: Candidate, word: str) -> bool:
        """Whether a word before a full name is a post (Nurse Bridget Malone), or opens a sentence once (Conducía Koldo Arrieta)."""
        known = noun_type(word, self.lexicon)
        if word in self.lexicon.posts:
            return True
        if word in self.lexicon.honorifics or word in GIVEN_NAMES:
            return False
        if known == PERSON:
            return True
        once = candidate.seen == 1 and not candidate.cues[NameCue.MIDDLE]
        return once and known == CONCEPT and word not in NAME_WORDS["epithets"] and len(candidate.spelling.split()) == 3

    def _settle_posts(self) -> None:
        """Counts "OPEC President Rilwanu Lukman" for the body and for the person, "Ian Jackson Projektleiter" for the person."""
        posts = self.lexicon.posts
        for key in sorted(key for key in self.candidates if key.count(" ") > 1):
            candidate = self.candidates[key]
            tokens = candidate.spelling.split()
            if posts.isdisjoint(map(str.lower, tokens)):
                continue  # as most
            place = next((at for at, token in enumerate(tokens) if at and token.lower() in posts), 0)
            head, tail = " ".join(tokens[:place]), " ".join(tokens[place + 1 :])
            if not place or candidate.anchored or not HEAD_ENDS.isdisjoint(tokens):
                continue
            if not tail and tokens[0].lower() in GIVEN_NAMES:
                self._rename(key, head, is_inside=True)
            elif tail and (tokens[place + 1].lower() in GIVEN_NAMES or fold(tail) in self.candidates):
                candidate.cues[NameCue.PERSON] += 1
                self._rename(key, tail, is_inside=True)
                if fold(head) in self.candidates:
                    self.candidates[fold(head)].add(head, [0] * N_CUES, candidate.chunks, candidate.seen)

    def _settle_origins(self) -> None:
        """Counts "Ada Thorne of Brightmill" for the person and for the firm, "Brightmill of Leeds" for the firm and for the town; who is
        known by no surname stays Joan of Arc."""
        keys = sorted(key for key in self.candidates if not _OF.isdisjoint(key.split()))
        realms = {key.partition(" of ")[2] for key in keys if key.partition(" of ")[0] in _REALMS}
        of_people: set[str] = set()
        for are_firms in (False, True):
            for key in keys:
                candidate = self.candidates.get(key)
                if candidate is None or candidate.anchored or candidate.cues[NameCue.QUOTED]:
                    continue
                words = candidate.spelling.split()
                place = next((at for at, word in enumerate(words) if word in _OF), 0)
                head, tail = words[:place], [*dropwhile(str.islower, words[place + 1 :])]  # of the Grenmark Group
                if not head or not tail or (words[place] != "of" and not self._is_body(tail)):
                    continue
                name = " ".join(tail)
                if are_firms and self._is_firm(head, name, candidate, of_people):
                    self._count_origin(name, candidate, is_of_person=False)
                elif not are_firms and fold(name) not in realms and self._is_full_name(head, tail):
                    self._count_origin(name, candidate, is_of_person=True)
                    of_people.add(fold(name))
                else:
                    continue
                self._rename(key, " ".join(head))

    def _count_origin(self, name: str, whole: Candidate, is_of_person: bool) -> None:
        """Count what is behind "of"; where somebody is of it, what speaks or is spoken to there is a body, and nobody."""
        cues = [0] * N_CUES
        cues[NameCue.MIDDLE] = whole.seen
        origin = _candidate(self.candidates, fold(name))
        origin.add(name, cues, whole.chunks, whole.seen)
        if is_of_person and origin.key not in GIVEN_NAMES:
            origin.cues[NameCue.BODY] += origin.cues[NameCue.PERSON]
            origin.cues[NameCue.PERSON] = 0
            if " " in name:
                origin.cues[NameCue.PLACE] += whole.seen  # or a place, whatever it looks like

    def _settle_letters(self) -> None:
        """Counts "D. Plan B", where a sentence ends in a letter, for "Plan B": no surname goes on with a letter or a number."""
        for key in sorted(key for key in self.candidates if key[1:2] == " " and key.count(" ") > 1):
            rest = self.candidates[key].spelling.partition(" ")[2]
            first, _, last = rest.rpartition(" ")
            known = fold(first) in self.candidates or fold(rest) in self.candidates
            if known and (len(last) == 1 or last.isdigit()):
                self._rename(key, rest)

    def _is_body(self, words: Sequence[str]) -> bool:
        """Whether the words of a name say that it is a body's."""
        name = " ".join(words).lower()
        known = name in ORGANIZATIONS or words[-1].lower().rstrip(".") in NAME_WORDS["organization"]
        return known or noun_type(words[0], self.lexicon) == ORGANIZATION

    def _is_full_name(self, words: Sequence[str], tail: Sequence[str]) -> bool:
        """Whether words are the full name of a person, or a last name behind a title that is no rank: not "Queen Anne", nor "Mary Jane",
        which may go on with the place that somebody is called by, unless ``tail`` is a body."""
        *firsts, last = [word.lower().rstrip(".") for word in words]
        surname = words[-1].replace("-", "")
        are_capitals = all(word[0].isupper() for word in words)
        if not firsts or not are_capitals or not (surname.isalpha() and len(surname) >= _SHORTEST):
            return False
        if len(words) > _LONGEST_PERSON or last in self.lexicon.honorifics or is_numeral(words[-1]):
            return False
        is_word = is_english_word(last) and last not in NAME_WORDS["surnames_too"]
        names_place = len(tail) > 1 and tail[-1].lower() in NAME_WORDS["place"]
        if firsts[0] in _BEFORE_LAST_NAMES:
            return firsts[0] in NAME_WORDS["addresses"] or not is_word
        if last in GIVEN_NAMES:
            return (names_place or self._is_body(tail)) and firsts[0] in GIVEN_NAMES
        is_word = is_word and len(words) > 2  # the Ellis Island Medal of Honor, but Jane Frost of Brightmill
        kind = noun_type(words[-1], self.lexicon)
        if kind not in (CONCEPT, PERSON, PLACE) and last not in NAME_WORDS["surnames_too"]:
            return False
        if (is_word or kind != CONCEPT) and fold(" ".join(words)) not in self.candidates:
            return False
        is_initialled = all(len(word) == _SHORTEST and word[1] == "." for word in words[:-1])
        return (firsts[0] in GIVEN_NAMES and firsts[0] not in self.lexicon.demonyms) or is_initialled

    def _is_firm(self, words: Sequence[str], place: str, candidate: Candidate, of_people: Container[str]) -> bool:
        """Whether words before "of" name a firm, which is from the place behind it: it ends as firms do, or is no word otherwise, stands
        by itself more often and is what somebody is of, joins or works at."""
        first, last = words[0].lower(), words[-1].lower().rstrip(".")
        if last in COMPANY_ENDINGS:
            return len(words) > 1 and last not in _COMPANIES
        name = fold(" ".join(words))
        alone = self.candidates.get(name)
        is_known = place.lower() in PLACES or place.lower() in cities() or fold(place) in self.candidates
        if alone is None or alone.seen < candidate.seen or not is_known:
            return False
        if is_english_word(first) or first in GIVEN_NAMES or first in PLACES or first in self.lexicon.honorifics:
            return False
        beside = max(alone.cues[NameCue.DETERMINED], alone.cues[NameCue.PERSON])
        if beside * 2 > alone.seen or first in self.lexicon.demonyms:
            return False
        if len(words) > 1:
            return self._is_body(words)
        is_unknown = noun_type(words[0], self.lexicon) == CONCEPT and not self.lower_count(first)
        is_body = name in of_people or alone.cues[NameCue.BODY] or alone.cues[NameCue.IS_BODY]
        return is_unknown and bool(is_body) and alone.seen > candidate.seen

    def _settle_neighbours(self) -> None:
        """Counts "Ian Murdock Debian" for the person, where German puts two names beside each other: "verließ Ian Murdock
        Debian"."""
        for key in sorted(key for key in self.candidates if key.count(" ") == 2):
            candidate = self.candidates[key]
            if not self.is_german(candidate):
                continue
            first, second, third = candidate.spelling.split(" ", 2)
            other = self.candidates.get(fold(third))
            if (
                first.lower() in GIVEN_NAMES
                and fold(f"{first} {second}") in self.candidates
                and other is not None
                and other.seen > _MORE * candidate.seen
            ):
                self._move(key, f"{first} {second}")

    def _german_nouns(self) -> frozenset[str]:
        unknown: set[str] = set()
        nouns: set[str] = set()
        for key, candidate in self.candidates.items():
            if " " in key or not self.is_german(candidate) or (not candidate.spelling[1:].islower() and "-" not in key):
                continue
            cues = candidate.cues
            if key in GIVEN_NAMES or key in PLACES or key in ORGANIZATIONS or key in PRODUCTS:
                continue
            if cues[NameCue.PERSON] > cues[NameCue.DETERMINED] or (key in cities() and cues[NameCue.GOING]):
                continue
            if german.is_noun(key, self.lexicon) or cues[NameCue.DETERMINED] * DETERMINED_SHARE >= candidate.seen > 1:
                nouns.add(key)
            elif (
                not cues[NameCue.GOING] and not cues[NameCue.PERSON] and not cues[NameCue.BODY] and key not in cities()
            ):
                unknown.add(key)
        return frozenset(nouns | (german.are_nouns(unknown | nouns, nouns) & unknown))

    def _settle_german_heads(self) -> None:
        """Counts "Tochter Marie Hansen" and "Schublade von Björn Hansen" for the person: where every noun has a capital,
        the noun before a name looks like a part of it. "Verwendung von Unicode" counts for Unicode."""
        for key in sorted(key for key in self.candidates if " " in key):
            candidate = self.candidates[key]
            if not self.is_german(candidate) or candidate.anchored:
                continue
            tokens = candidate.spelling.split()
            if tokens[0].lower() in GIVEN_NAMES:
                continue
            if tokens[0].lower() in MONTHS and noun_type(tokens[-1], self.lexicon) == CONCEPT:
                self._move(key, " ".join(tokens[1:]))  # bis zum 30. November Widerspruch einlegen
                continue
            if noun_type(tokens[0], self.lexicon) not in (CONCEPT, PERSON):  # "Belagerung von Orléans"
                continue
            if german.is_phrase(tokens, self.lexicon) and (
                len(tokens) == 3 or fold(" ".join(tokens[2:])) in self.candidates
            ):
                self._move(key, " ".join(tokens[2:]))
                continue
            is_noun = tokens[0].lower() in self.german_nouns and tokens[0].lower() not in self.lexicon.honorifics
            if is_noun and fold(" ".join(tokens[1:])) in self.candidates:
                self._move(key, " ".join(tokens[1:]))
                continue
            for place in range(1, len(tokens) - 1):
                tail = " ".join(tokens[place:])
                if tokens[place].lower() in GIVEN_NAMES or (
                    tokens[place][0].isupper() and fold(tail) in self.candidates
                ):
                    _candidate(self.candidates, fold(tail))
                    self._move(key, tail)
                    break

    def _move(self, key: str, name: str) -> None:
        """Count a candidate for another, where there is one, and for nothing else."""
        candidate = self.candidates.pop(key)
        other = self.candidates.get(fold(name))
        if other is not None:
            cues = [*candidate.cues]
            cues[NameCue.DETERMINED] = 0  # the article is that of the noun before
            other.add(name, cues, candidate.chunks, candidate.seen)

    def _rename(self, key: str, name: str, is_inside: bool = False) -> None:
        """Count a candidate under another name, which may be new; as one inside of sentences where what went before is no part of it."""
        candidate = self.candidates.pop(key)
        seen, cues = candidate.seen, [*candidate.cues]
        if is_inside:
            cues[NameCue.MIDDLE], cues[NameCue.OPENING] = seen, 0
        _candidate(self.candidates, fold(name)).add(name, cues, candidate.chunks, seen)

    def _name_parts(self) -> set[str]:
        parts: set[str] = set()
        surnames: set[str] = set()
        for key, candidate in self.candidates.items():
            first, _, last = key.rpartition(" ")
            given, _, middle = first.partition(" ")
            if given in GIVEN_NAMES and len(middle) < _INITIALS and noun_type(last, self.lexicon) == CONCEPT:
                surnames.add(last)
            if not first or not candidate.cues[NameCue.MIDDLE]:
                continue
            if last in COMPANY_ENDINGS:
                parts.add(first)
            elif key in self.people:
                parts.update((given, last))
                if name_type(candidate.spelling, candidate.cues, self) == PERSON:
                    self.full_names.add(key)
                    if HEAD_ENDS.isdisjoint(key.split()):
                        surnames.add(last)
        self.surnames = frozenset(surnames)
        return parts

    def _opens_only(self, candidate: Candidate, first: str) -> bool:
        if candidate.cues[NameCue.MIDDLE] or first in NAME_WORDS["geographic"]:
            return False
        return self.lower_count(first) > 0 or first in self.lexicon.general or first in self.lexicon.verbs


def is_instruction(word: str) -> bool:
    """Whether a word (lower case) opens what is to be done or was done in a manual or a list of changes: add, adds, added, adding."""
    words = NAME_WORDS["instructions"]
    if word in words or base_form(word) in words:
        return True
    for ending in ("ed", "ing"):
        stem = word.removesuffix(ending)
        if stem != word and (stem in words or stem + "e" in words or (stem[-1:] == stem[-2:-1] and stem[:-1] in words)):
            return True
    return False


def _lexicon(languages: Counter[str], n_chunks: int) -> Lexicon:
    """Word lists of the corpus's languages, the most frequent first."""
    return lexicon_of(tuple(code for code in _ranked(languages) if languages[code] >= _LANGUAGE_SHARE * n_chunks))


def _ranked(languages: Counter[str]) -> list[str]:
    return sorted(languages, key=lambda code: (-languages[code], code))


def _candidate(found: dict[str, Candidate], key: str) -> Candidate:
    candidate = found.get(key)
    if candidate is None:
        candidate = found[key] = Candidate(key)
    return candidate


def _add_counts(sums: dict[str, list[int]], counts: dict[str, list[int]]) -> None:
    """Adds the counts of one chunk; the last place of a sum is the number of chunks."""
    for key, values in counts.items():
        entry = sums.get(key)
        if entry is None:
            sums[key] = [*values, 1]
        else:
            for place, value in enumerate(values):
                entry[place] += value
            entry[-1] += 1
