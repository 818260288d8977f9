"""A question as texts are measured by it, read once: its words with what each weighs, its names, what it asks for."""

import re
from collections.abc import Sequence
from functools import cache, cached_property
from operator import mul
from typing import NamedTuple

from pipeline.text.keys import TOKEN, content_keys, key_of, keys_of, meets
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.question.asked_for import asked_for
from pipeline.text.question.asking_words import asking_words
from pipeline.text.question.initials import LetteredName
from pipeline.text.question.kinds import compared, kinds_of, offers_choice
from pipeline.text.question.names import is_flag, number_in
from pipeline.text.question.nouns_too import nouns_among, nouns_too
from pipeline.text.question.related_words import related_words
from pipeline.text.question.rows.row_words import is_column_of
from pipeline.text.question.scope.whole import Matter

NAMED = 0.6
"""A text speaks of the bearer of a name when it meets this share of the name's weight."""
HEADING = 0.7
"""What a word counts that is not in a statement but only in the heading above it."""
BY_FORM = 0.9
"""What the words of a name count where a text gives the name in another form."""
WORDS_ONLY = 0.5
"""What the words of an identifier count where a text does not have it as the question writes it."""
_DIRECTIVE = re.compile(r"^\.\. [\w:-]+::|^#+\s+|^\s*(?:[A-Z]\.)?\d+(?:\.\d+)*\.?\s+", re.MULTILINE)
"""How a heading begins that is a directive of reStructuredText (``.. option:: --port``), is marked or is numbered."""
_OPTIONS = re.compile(r"[\w-][\w.-]*")
_WORDY = re.compile(r"[\w.-] [^\W\d_]\w* [^\W\d_]")
"""What shows a heading of several words, which is more than an option and the name of its value."""
EVENTS = ("born", "died")
"""Heads of words of which texts write signs before a date."""
RELATED = 0.7
"""What a word counts where a text has one that is used for the same."""


class Term(NamedTuple):
    """A word of a question: ``key`` is its stem, or one or two characters of an unspaced script. ``name`` numbers the
    name that it belongs to, from 1; 0 where it belongs to none."""

    word: str
    """As the question writes it."""
    key: str
    name: int
    weight: float
    known: bool = True
    """Whether any passage has it, in any form."""


class LinkedEntity(NamedTuple):
    """An entity of the index; ``written`` is how the question names it, empty where only its chunks were found for it."""

    id: str
    title: str
    type: str
    written: str
    frequency: int
    aliases: tuple[str, ...]


class QuestionValues(NamedTuple):
    """A question, its language (ISO 639-1), the kinds that it asks for, the surest first, its terms in their order, and
    the entities that it names, in its order."""

    text: str
    language: str
    kinds: tuple[str, ...]
    terms: tuple[Term, ...]
    entities: tuple[LinkedEntity, ...] = ()
    forms: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """Other forms of its names: the number of the name, and the keys of the form."""
    several: bool = False
    """Whether it asks of several named things (X or Y, both X and Y), which no single statement need connect."""
    as_written: tuple[tuple[int, str], ...] = ()
    """Identifiers: the number of the name, and its characters in lower case."""
    mention: str = ""
    """What it looks for where it asks which texts mention that, or what all of them say of it."""
    is_mention_denied: bool = False
    """Whether it asks which texts do not."""
    matter: Matter | None = None
    """What the mentions are to be about: problems, conflicts, decisions or lessons; None where of anything."""
    original: str = ""
    """As it was put, where that was in another language than the texts are in; ``text`` is then a translation."""
    original_language: str = ""
    follows: tuple[str, ...] | None = ()
    """The chunks of the rows whose table is looked at first, as it follows an answer with these; None where it leans on rows in a way
    that is not understood, so that none answer it."""
    lettered: tuple[tuple[int, LetteredName], ...] = ()
    """Names that have letters by themselves ("Mr K."): the number of the name, and its letters."""


class Question(QuestionValues):
    """A question as texts are measured by it; what is made of its values for that is made once."""

    @property
    def kind(self) -> str:
        """The surest kind, empty where no cue shows one."""
        return self.kinds[0] if self.kinds else ""

    @property
    def put(self) -> str:
        """The question as it was put, in whose language it is answered."""
        return self.original or self.text

    @property
    def answer_language(self) -> str:
        """The language in which it was put (ISO 639-1)."""
        return self.original_language or self.language

    @cached_property
    def names(self) -> frozenset[int]:
        """The numbers of its names."""
        return frozenset(term.name for term in self.terms if term.name)

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of its names that are versions or sections ("3.0")."""
        return frozenset(name for (name, _), found in zip(self.as_written, self._numbers, strict=True) if found)

    @cached_property
    def _numbers(self) -> tuple[re.Pattern[str] | None, ...]:
        """Of each identifier that is a number with points what finds it, and no longer one that contains it."""
        numbers = (number_in(written) for _, written in self.as_written)
        return tuple(re.compile(rf"(?<!\d)(?<!\d[.,]){re.escape(n)}(?![.,]?\d)") if n else None for n in numbers)

    @cached_property
    def _whole(self) -> tuple[re.Pattern[str], ...]:
        """Of each identifier what finds it, and no longer one that contains it."""
        return tuple(re.compile(rf"(?<!\w){re.escape(written)}(?!\w)") for _, written in self.as_written)

    @cached_property
    def asked_for(self) -> tuple[int, ...]:
        """The places of the terms that say what is counted, or bears the name that is asked for; empty where nothing is."""
        places = [place for place, term in enumerate(self.terms) if not term.name]
        found = asked_for(self.text, self.language, self.kind, [self.terms[place].word for place in places])
        return tuple(places[at] for at in found)

    # Every unit or passage asks these again.

    @cached_property
    def offers_choice(self) -> bool:
        """Whether it sets things against each other: X or Y."""
        return offers_choice(self.text, self.language)

    @cached_property
    def asks_difference(self) -> bool:
        """Whether it asks for the difference between two things, which what each of them is shows."""
        return len(self.names) > 1 and compared(self.text, self.language) is not None

    @cached_property
    def asks_what_is_said(self) -> bool:
        """Whether it asks what somebody says, writes or thinks."""
        return bool(QUESTIONS.pattern("says", self.language).search(self.text))

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of its terms."""
        return frozenset(term.key for term in self.terms)

    def is_foreign_to(self, language: str) -> bool:
        """Return whether it is in another language than texts are (ISO 639-1 or "und"), which hold few of its words."""
        unknown = [not term.known for term in self.terms if not term.name]
        return "und" not in (language, self.language) and language != self.language and 2 * sum(unknown) > len(unknown)

    @property
    def unknown_names(self) -> frozenset[int]:
        """The numbers of its names of which no passage has a word."""
        return self.names - {term.name for term in self.terms if term.known}

    def met(self, keys: frozenset[str]) -> tuple[float, ...]:
        """Return for each term how far some keys of a text meet it, 0 to 1; of a name whose other form they hold BY_FORM."""
        met = tuple(
            [
                m if (m := meets(key, keys)) >= RELATED or related.isdisjoint(keys) else RELATED
                for key, related in self._wanted
            ]
        )
        if not self.forms:
            return met
        named = {name for name, form in self.forms if keys.issuperset(form)}
        if not named:
            return met
        return tuple(max(m, BY_FORM) if t.name in named else m for t, m in zip(self.terms, met, strict=True))

    def met_by(self, text: str) -> tuple[float, ...]:
        """Return for each term how far a text meets it, 0 to 1; of an identifier that it does not have as written WORDS_ONLY,
        and of a number or a flag all or nothing: "4.0" is not in part "3.0"."""
        met = self.met(keys_of(text, self.language))
        for place, sign in self._signs:
            if met[place] < RELATED and sign.search(text):
                met = (*met[:place], RELATED, *met[place + 1 :])
        if self._nouns_too and (also := self._other_than_nouns(text)):
            met = tuple(0.0 if place in also else m for place, m in enumerate(met))
        for name, one in self.lettered:
            said = one.met(text, self.language)
            met = tuple(
                float(t.word in said) if t.name == name and t.word in one.letters else m
                for t, m in zip(self.terms, met, strict=True)
            )
        if not self.as_written or not any(met):
            return met
        lower = text.casefold()
        shares: dict[int, tuple[float, float]] = {}  # by name: what each of its words counts at least, and at most
        for (name, written), number, whole in zip(self.as_written, self._numbers, self._whole, strict=True):
            if number:
                shares[name] = (1.0, 1.0) if number.search(lower) else (0.0, 0.0)
            elif is_flag(written):
                shares[name] = (1.0, 1.0) if whole.search(text) else (0.0, 0.0)
            elif written not in lower or not whole.search(lower):
                shares[name] = (0.0, WORDS_ONLY)
        every = (0.0, 1.0)
        return tuple(
            max(low, m * high)
            for t, m in zip(self.terms, met, strict=True)
            for low, high in [shares.get(t.name, every)]
        )

    def is_named_by(self, heading: str) -> bool:
        """Return whether a heading says what a question asks about, all of it and nothing else."""
        keys = content_keys(_DIRECTIVE.sub("", _DIRECTIVE.sub("", heading)), self.language)
        return bool(keys) and keys <= self.keys and min(self.met_by(heading)) >= RELATED

    def is_option(self, heading: str) -> bool:
        """Return whether a heading is an identifier of the question, perhaps beside its other forms: "`-t`, `--target`"."""
        said = frozenset(_OPTIONS.findall(heading))
        written = frozenset(one for _, one in self.as_written)
        return not written.isdisjoint(
            said | {one.casefold() for one in said if len(one) > len("-t")}
        ) and not _WORDY.search(heading)

    def is_side(self, heading: str) -> bool:
        """Return whether a heading is one of the two things whose difference is asked for, as the question writes it."""
        sides = compared(self.text, self.language) or ()
        return _bare(heading) in map(_bare, sides) or self.is_option(heading)

    def covers(self, heading: str) -> bool:
        """Return whether a heading says nothing but words of the question, so that what is below it is about them."""
        keys = content_keys(heading, self.language)
        return bool(keys) and keys <= self.keys

    def is_asked_by(self, heading: str) -> bool:
        """Return whether a heading asks for the same kind of thing and says nothing else: "How often", "Since when?"."""
        if not self.kinds or not content_keys(heading, self.language) <= self._asking:
            return False
        return kinds_of(heading, self.language)[:1] == self.kinds[:1]

    @cached_property
    def states(self) -> tuple[int, ...]:
        """The places of the words for a state where it asks whether something is in that: "Is ticket 12 closed?"; else empty."""
        if not QUESTIONS.pattern("yes_or_no", self.language).match(self.text):
            return ()
        return tuple(at for at, one in enumerate(self.terms) if not one.name and one.key in _states(self.language))

    def asks_for_field(self, name: str) -> bool:
        """Return whether the name of a field is what it asks for: an identifier of its, words of it that are none of its names, "Duration" where it
        asks how long, "Status" where it asks whether something is in a state."""
        keys = content_keys(name, self.language)
        if name.casefold() in {written for _, written in self.as_written} or (keys and keys <= self._said_beside_names):
            return True
        return (self.kind == "duration" and is_column_of(name, "duration")) or self.asks_for_state(name)

    def asks_for_state(self, name: str) -> bool:
        """Return whether it asks whether something is in a state, and the name of a field says that this gives one."""
        return bool(self.states) and is_column_of(name, "state")

    def met_under(self, statement: str, heading: str) -> tuple[float, ...]:
        """Return for each term how far a statement under a heading meets it; the heading counts by HEADING."""
        own = self.met_by(statement)
        return self.under(own, heading) if heading else own

    def under(self, own: Sequence[float], heading: str) -> tuple[float, ...]:
        """Return what a statement meets that meets ``own`` by itself and is under a heading."""
        return tuple(max(o, HEADING * h) for o, h in zip(own, self.met_by(heading), strict=True))

    def share(self, met: Sequence[float]) -> float:
        """Return the share of the question's weight that is met, 0 to 1."""
        if not any(met):  # most sentences
            return 0.0
        weights, total = self._weights
        return sum(map(mul, weights, met)) / total if total else 0.0

    def share_of_words(self, met: Sequence[float]) -> float:
        """Return the share that is met of what it says besides names, 0 to 1; 1 where that is nothing."""
        parts = [(term.weight, m) for term, m in zip(self.terms, met, strict=True) if not term.name]
        total = sum(weight for weight, _ in parts)
        return sum(weight * m for weight, m in parts) / total if total else 1.0

    def share_unknown(self, met: Sequence[float]) -> float:
        """Return the share of the question's weight that unknown words have which are neither names nor met. A word is
        unknown where no passage has it, and then weighs as much as the rarest known one."""
        rarest = max((term.weight for term in self.terms if term.known), default=1.0)
        weights = [term.weight if term.known or term.name else rarest for term in self.terms]
        left = (w * (1 - m) for w, t, m in zip(weights, self.terms, met, strict=True) if not (t.known or t.name))
        return sum(left) / sum(weights) if weights else 0.0

    def share_of_one(self, met: Sequence[float]) -> float:
        """Return the share that is met, 0 to 1, where a statement need speak of only one of several things asked about: those
        that it does not speak of are left out."""
        if not self.several:
            return self.share(met)
        named = self.named(met) or {1}
        kept = [not term.name or term.name in named for term in self.terms]
        total = sum(term.weight for term, keep in zip(self.terms, kept, strict=True) if keep)
        said = sum(t.weight * m for t, m, keep in zip(self.terms, met, kept, strict=True) if keep)
        return said / total if total else 0.0

    def closeness(self, statement: str, heading: str = "") -> float:
        """Return which share of the question's weight a statement under a heading meets, 0 to 1."""
        return self.share_of_one(self.met_under(statement, heading))

    def named(self, met: Sequence[float]) -> frozenset[int]:
        """Return the numbers of the names of which NAMED of their weight is met."""
        return frozenset(
            name
            for name, places, least in self._weights_of_names
            if sum(self.terms[place].weight * met[place] for place in places) >= least
        )

    # Every sentence that is read is measured by these.

    @cached_property
    def _signs(self) -> tuple[tuple[int, re.Pattern[str]], ...]:
        """The places of words that texts say in another way than by a word, each with what finds that: "b. 1944" for a birth, "put off"
        for postponed."""
        found = []
        for event in EVENTS:
            asks, signs = (
                QUESTIONS.pattern(event, self.language),
                "|".join(QUESTIONS.of(f"{event}_signs", self.language)),
            )
            for place, term in enumerate(self.terms):
                if not term.name and asks.fullmatch(term.word):
                    found.append((place, re.compile(rf"(?<!\w)(?:{signs})\s*(?=\d)")))
        for place, term in enumerate(self.terms):
            if not term.name:
                found += [(place, pattern) for pattern in related_words(self.language).phrases_for(term.key)]
        return tuple(found)

    @cached_property
    def _nouns_too(self) -> tuple[int, ...]:
        """The places of the terms that are function words elsewhere: a will, a van."""
        listed = nouns_too(self.language)
        return tuple(place for place, term in enumerate(self.terms) if not term.name and term.word in listed)

    def _other_than_nouns(self, text: str) -> frozenset[int]:
        """Return the places of those of them that a text has only as function words: "Tom will sell", "van Gogh"."""
        nouns, said = nouns_among(text, self.language), frozenset(map(str.casefold, TOKEN.findall(text)))
        terms = ((place, self.terms[place]) for place in self._nouns_too)
        return frozenset(place for place, term in terms if term.word in said - nouns)

    @cached_property
    def _wanted(self) -> tuple[tuple[str, frozenset[str]], ...]:
        """The key of each term, with those of words that a text may use in its place, or in that of a phrase that it is in; none for a
        name."""
        others = related_words(self.language)
        in_phrases = others.in_phrases(self.text)
        return tuple(
            (
                one.key,
                frozenset()
                if one.name
                else others.of(one.key).union(*(keys for words, keys in in_phrases if one.word.casefold() in words)),
            )
            for one in self.terms
        )

    @cached_property
    def _asking(self) -> frozenset[str]:
        """The keys of its words and of those by which one asks."""
        return self.keys | {key_of(word, self.language) for word in asking_words(self.language)}

    @cached_property
    def _said_beside_names(self) -> frozenset[str]:
        """The keys of its words that are in none of its names, also of those that say little: "date", "state"."""
        said = content_keys(self.text, self.language) - {term.key for term in self.terms if term.name}
        return said | {term.key for term in self.terms if not term.name}

    @cached_property
    def _weights(self) -> tuple[tuple[float, ...], float]:
        """The weight of each term, and of all."""
        each = tuple(term.weight for term in self.terms)
        return each, sum(each)

    @cached_property
    def _weights_of_names(self) -> tuple[tuple[int, tuple[int, ...], float], ...]:
        """The number of each name, the places of its terms, and NAMED of their weight."""
        found = []
        for name in sorted(self.names):
            places = tuple(place for place, term in enumerate(self.terms) if term.name == name)
            found.append((name, places, NAMED * sum(self.terms[place].weight for place in places)))
        return tuple(found)


@cache
def _states(language: str) -> frozenset[str]:
    """Return the keys of the words for states in a language (ISO 639-1)."""
    return frozenset(key_of(word, language) for word in QUESTIONS.by_language("states").get(language, ()))


def _bare(text: str) -> str:
    """Return what a heading or a question calls an option, without marks and the hyphens before it."""
    return text.strip("#=~`*\"'?. \n").lstrip("-").casefold()
