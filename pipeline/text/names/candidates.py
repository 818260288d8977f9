"""Sums the scans of a corpus and decides which capitalised spans are names; the rest counts as common words."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from pipeline.text.inflection import base_form
from pipeline.text.lexicon.given_names import GIVEN_NAMES
from pipeline.text.lexicon.lexicon import CONCEPT, ORGANIZATION, PERSON, WORK, Lexicon, lexicon_of
from pipeline.text.lexicon.places import ORGANIZATIONS, PLACES
from pipeline.text.lexicon.words import listed, sections
from pipeline.text.names.name_types import COMPANY_ENDINGS, NUMERAL, is_person, name_type, noun_type
from pipeline.text.names.names import NameCue, Scan
from pipeline.text.names.phrases import Counts
from pipeline.text.names.tally import N_CUES
from pipeline.text.scripts import fold

_LANGUAGE_SHARE: Final = 0.03  # of the scans; a language below it adds nothing to the word lists
_WORDS: Final = {head: listed(text) for head, text in sections("name_words").items()}
_GERMAN_NOUNS: Final = tuple(
    sorted(listed("ung heit keit schaft tion tät nis tum ment ismus ungen heiten keiten"))
)  # endings
_LONG_SHOUT: Final = 4
"""From so many words on a span in capitals throughout is no name."""
_AND: Final = re.compile(r" (?:and|und|et|y|e|en|och|i|и) ")
_NEVER: Final = (0, 0, 0)
_IDENTIFIER: Final = re.compile(
    r"\w-\d{3,}|\d{5,}|^\w+ing \d+$"
)  # of invoices and orders; "Syncing 500" opens a sentence


class Candidate:
    """All spellings with one comparison key."""

    __slots__ = ("anchored", "chunks", "cues", "key", "surfaces")

    def __init__(self, key: str) -> None:
        self.key = key
        self.surfaces: dict[str, int] = {}
        self.cues = [0] * N_CUES
        self.chunks: list[int] = []
        """Chunk numbers, perhaps repeated."""
        self.anchored = False

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
        return self.cues[NameCue.NOUN_CAPITALS] * 2 > self.seen

    @property
    def spelling(self) -> str:
        """The most frequent spelling, one in mixed case before one in capitals."""
        if len(self.surfaces) == 1:
            return next(iter(self.surfaces))
        return max(self.surfaces, key=lambda text: (not (text.isupper() and len(text) > 6), self.surfaces[text], text))

    def add(self, surface: str, cues: Sequence[int], chunks: Sequence[int], weight: int) -> None:
        self.surfaces[surface] = self.surfaces.get(surface, 0) + weight
        self.cues = [one + other for one, other in zip(self.cues, cues, strict=True)] if self.chunks else list(cues)
        self.chunks = [*self.chunks, *chunks]


class Corpus:
    """Counts over all scans."""

    def __init__(self, scans: Iterable[Scan]) -> None:
        self.n_chunks = self.n_words = 0
        self.words: dict[str, list[int]] = {}
        self.phrases: dict[str, list[int]] = {}
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
        self.candidates = self._candidates()
        self._settle_at()
        self._settle_titles()
        self._settle_epithets()
        self._settle_german_heads()
        self.surnames: frozenset[str] = frozenset()
        """Last words of full names of people."""
        self.name_parts = self._name_parts()
        """First and last words of full names of people, and names of companies, that are seen amid sentences."""

    def counts(self) -> Counts:
        return Counts(self.words, self.phrases, self.n_chunks, self.n_words, self.lexicon)

    def lower_count(self, key: str) -> int:
        """How often a word is in lower case."""
        counts = self.words.get(key)
        return counts[0] if counts else 0

    def is_common(self, word: str) -> bool:
        """Whether a word (lower case) is an ordinary one: a function word, a general one, or seen in lower case."""
        return word in self.lexicon.function or word in self.lexicon.general or self.lower_count(word) > 0

    def _add(self, scan: Scan) -> None:
        chunk = self.n_chunks
        self.n_chunks += 1
        self.n_words += scan.n_words
        for surface, cues in scan.names.items():
            entry = self._surfaces.get(surface)
            if entry is None:
                self._surfaces[surface] = (cues.copy(), [chunk])
            else:
                sums = entry[0]
                for place, value in enumerate(cues):
                    if value:
                        sums[place] += value
                entry[1].append(chunk)
        _add_counts(self.words, scan.words)
        _add_counts(self.phrases, scan.phrases)
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
                and (first in _WORDS["of_places"] or first in self.lexicon.beside)
            ):
                tail.cues[NameCue.GOING] += 1

    def _settle_epithets(self) -> None:
        """Counts "Old Fezziwig" for "Fezziwig", and "Quick Scrooge" seen at openings only for "Scrooge", where these are
        names; "Ask Tom Pinch" at openings only for "Tom Pinch", which begins with a given name."""
        for key in sorted(key for key in self.candidates if " " in key):
            candidate = self.candidates[key]
            first, _, rest = candidate.spelling.partition(" ")
            tail = self.candidates.get(fold(rest))
            word, seen = first.lower(), candidate.seen
            if candidate.anchored or candidate.cues[NameCue.QUOTED]:
                continue
            if tail is not None and tail.cues[NameCue.MIDDLE]:
                if (word in _WORDS["epithets"] and tail.seen >= seen) or self._opens_only(candidate, word):
                    tail.add(candidate.spelling, [0] * N_CUES, candidate.chunks, 0)
                    tail.cues[NameCue.OPENING] += seen
                    del self.candidates[key]
            elif " " in rest and rest.split()[0].lower() in GIVEN_NAMES and self._opens_only(candidate, word):
                cues = [*candidate.cues]
                cues[NameCue.MIDDLE], cues[NameCue.OPENING] = seen, 0
                _candidate(self.candidates, fold(rest)).add(rest, cues, candidate.chunks, seen)
                del self.candidates[key]

    def _settle_german_heads(self) -> None:
        """Counts "Tochter Marie Hansen" and "Schublade von Björn Hansen" for the person: where every noun has a capital,
        the noun before a name looks like a part of it."""
        for key in sorted(key for key in self.candidates if " " in key):
            candidate = self.candidates[key]
            tokens = candidate.spelling.split()
            if not candidate.is_german or candidate.anchored or tokens[0].lower() in GIVEN_NAMES:
                continue
            if noun_type(tokens[0], self.lexicon) not in (CONCEPT, PERSON):  # "Belagerung von Orléans"
                continue
            for place in range(1, len(tokens) - 1):
                tail = " ".join(tokens[place:])
                if tokens[place].lower() in GIVEN_NAMES or (
                    tokens[place][0].isupper() and fold(tail) in self.candidates
                ):
                    _candidate(self.candidates, fold(tail)).add(tail, candidate.cues, candidate.chunks, candidate.seen)
                    del self.candidates[key]
                    break

    def _name_parts(self) -> set[str]:
        parts: set[str] = set()
        surnames: set[str] = set()
        for key, candidate in self.candidates.items():
            first, _, last = key.rpartition(" ")
            if first in GIVEN_NAMES and noun_type(last, self.lexicon) == CONCEPT:
                surnames.add(last)
            if not first or not candidate.cues[NameCue.MIDDLE]:
                continue
            if last in COMPANY_ENDINGS:
                parts.add(first)
            elif is_person(candidate.spelling, candidate.cues, self.lexicon):
                parts.update((key.partition(" ")[0], last))
                if name_type(candidate.spelling, candidate.cues, self) == PERSON and " of " not in key:
                    surnames.add(last)
        self.surnames = frozenset(surnames)
        return parts

    def _opens_only(self, candidate: Candidate, first: str) -> bool:
        if candidate.cues[NameCue.MIDDLE] or first in _WORDS["geographic"]:
            return False
        return self.lower_count(first) > 0 or first in self.lexicon.general or first in self.lexicon.verbs


def _lexicon(languages: Counter[str], n_chunks: int) -> Lexicon:
    """Word lists of the corpus's languages, the most frequent first."""
    ranked = sorted(languages.items(), key=lambda item: (-item[1], item[0]))
    return lexicon_of(tuple(code for code, n in ranked if n >= _LANGUAGE_SHARE * n_chunks))


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


def is_name(candidate: Candidate, corpus: Corpus) -> bool:
    """Whether a candidate is a name: decided by where its capital letters are and by its lower-case use."""
    key = candidate.key
    if len(key) < 2 or not any(map(str.isalpha, key)) or NUMERAL.match(candidate.spelling):
        return False
    if _IDENTIFIER.search(key) or key in corpus.lexicon.calendar:
        return False
    if candidate.anchored:
        return key not in corpus.lexicon.function and key not in corpus.lexicon.calendar
    if candidate.cues[NameCue.QUOTED]:
        return " " in key or not key.isascii() or candidate.cues[NameCue.MIDDLE] > corpus.lower_count(key)
    return _is_long_name(candidate, corpus) if " " in key else _is_single_name(candidate, corpus)


def _is_single_name(candidate: Candidate, corpus: Corpus) -> bool:
    key, cues, lexicon = candidate.key, candidate.cues, corpus.lexicon
    if key in lexicon.no_names and not (candidate.spelling.isupper() and cues[NameCue.MIDDLE] and len(key) > 1):
        return False
    if key.endswith(("-based", "-like", "-style", "-related", "-driven")):
        return False
    if key in lexicon.posts or (key in lexicon.honorifics and candidate.spelling.endswith(".")):
        return False
    if candidate.spelling.isupper() and len(key) < 5 and cues[NameCue.MIDDLE]:
        return key not in lexicon.nouns or corpus.lower_count(key) <= cues[NameCue.MIDDLE]  # "MY SON" is a shout
    lower = corpus.lower_count(key) + corpus.lower_count(key + "s")
    if not cues[NameCue.MIDDLE]:  # openings prove nothing by themselves
        known = key in GIVEN_NAMES or key in corpus.name_parts or cues[NameCue.PERSON] > 2
        return known and not lower and (candidate.seen > 1 or key in corpus.name_parts)
    if lower >= cues[NameCue.MIDDLE]:
        return False
    if key in lexicon.demonyms:
        return cues[NameCue.DETERMINED] > 1 and cues[NameCue.MODIFIER] * 2 < candidate.seen
    if candidate.is_german and (cues[NameCue.DETERMINED] * 5 >= candidate.seen or key.endswith(_GERMAN_NOUNS)):
        return False
    if candidate.is_german and candidate.seen < 2 and not (cues[NameCue.PERSON] or cues[NameCue.PLACE]):
        return False
    if not candidate.is_german and noun_type(key, lexicon) in (ORGANIZATION, WORK):
        return cues[NameCue.MIDDLE] > 2 * max(
            lower, corpus.lower_count(base_form(key))
        )  # Parliament, never in lower case
    if key in lexicon.honorifics or noun_type(key, lexicon) != CONCEPT:
        return cues[NameCue.MIDDLE] > 2 * max(1, lower, corpus.lower_count(base_form(key)))  # "the Spirit" of one tale
    if candidate.spelling.isupper() and len(key) > 5:
        return len(set(candidate.chunks)) > 1  # a shout, more likely than an acronym
    return cues[NameCue.MODIFIER] * 10 < candidate.seen * 9 or candidate.seen < 3 or candidate.spelling.isupper()


def _is_long_name(candidate: Candidate, corpus: Corpus) -> bool:
    spelling = candidate.spelling
    if len(set(candidate.key.split())) == 1:  # "Scrooge Scrooge"
        return False
    if "'s " in spelling:
        return _is_owned_name(candidate, corpus)
    tokens = [token.lower().rstrip(".") for token in spelling.split()]
    lexicon = corpus.lexicon
    if candidate.is_german and not candidate.anchored and candidate.seen < 2:
        named = tokens[0] in GIVEN_NAMES or tokens[0] in lexicon.honorifics or tokens[0].endswith("er")
        return named or noun_type(spelling.split()[0], lexicon) != CONCEPT
    if all(token in lexicon.calendar or token in lexicon.function or not token.isalpha() for token in tokens):
        return False
    if _is_post(tokens, lexicon):
        return False
    if corpus.phrases.get(candidate.key, _NEVER)[0] > candidate.cues[NameCue.MIDDLE]:  # Machine Learning
        return False
    if spelling.isupper():  # a heading or a shout, unless it is a label that comes again
        if candidate.cues[NameCue.PERSON] > 0:
            return True
        words = any(corpus.is_common(token) or noun_type(token, lexicon) != CONCEPT for token in tokens)
        return len(set(candidate.chunks)) > 1 and not words and len(tokens) < _LONG_SHOUT
    if candidate.cues[NameCue.MIDDLE]:
        return True
    # Seen at openings and in headings only: its first word must be unknown as a common one, or the span must come back.
    return candidate.seen > 1 or not corpus.lower_count(tokens[0])


def _is_post(tokens: Sequence[str], lexicon: Lexicon) -> bool:
    """Whether a span names a post and nobody: Chief Scientist of AI, Senior Developer Advocate."""
    end = next((at for at, token in enumerate(tokens) if token in ("of", "for", "at")), len(tokens))
    head, rest = tokens[end - 1], tokens[end + 1 :]
    if rest[:1] == ["the"] and len(rest) == 2:  # Founder of the Feast
        return False
    is_post = head in lexicon.posts or (head == "head" and bool(rest))
    return is_post and not any(token in GIVEN_NAMES for token in tokens[:end])


def _is_owned_name(candidate: Candidate, corpus: Corpus) -> bool:
    """Whether a possessive is inside one name (Marley's Ghost) or between two (Microsoft's Kevin Scott)."""
    owned = fold(candidate.spelling.rsplit("'s ", 1)[-1])
    alone = corpus.candidates.get(owned)
    if " " not in owned and noun_type(owned, corpus.lexicon) != CONCEPT:
        return True
    return candidate.seen > 1 and (alone is None or alone.seen <= candidate.seen)
