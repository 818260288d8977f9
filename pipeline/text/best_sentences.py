"""Which few statements answer a question, best first: those that meet most of it, closely together, and each something new."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from pipeline.text.dates import find_dates
from pipeline.text.near_words import agreement, bases
from pipeline.text.scripts import language_of, words_of
from pipeline.text.sentences import split
from pipeline.text.wanted import DATE, NUMBER, PERSON, PLACE, Wanted, holds, names_in
from pipeline.text.words import Words

MOST, FEW = 6, 3
"""Statements of an answer, and of one that is a date or a number."""
SPREAD = 0.3
"""Share of its closeness that a statement loses when what it meets stands far apart in it."""
NAMELESS = 0.3
"""Share of its closeness that is left to a statement that speaks of none of the names that the question has."""
BY_HEADING = 2
"""Words of the question, names aside, that a statement must meet for the names in its heading to count as its own."""
KIND = 0.25
"""Share of the question that the right kind of thing (a date for "when") is worth."""
AGREED, DATED, NAMED, PRECISE, ORDERED = 0.02, 0.03, 0.01, 0.05, 0.05
"""What each further notebook with the statement is worth (up to four), a date, each name that the question does not have
(up to three), saying nothing but what is asked, and saying it in the order of the question: of two that meet as much, the
one to take first."""
LONG, WORD = 25, 0.005
"""Words of a sentence of good length, and what each further word costs."""
AS_GOOD = 0.85
"""A further statement must be this close to the question, as a share of the first one's closeness."""
ADDS = 0.08
"""Or it must be connected with one before it and meet at least this share of the question that none before it met."""
NEXT = 0.1
"""What it is worth to stand right beside a chosen statement in the text."""
ABOUT = 8
"""Characters before the name that a sentence is about: an article, a preposition."""
SUBJECT = 4
"""Words of a statement in which a name is likely what it speaks of."""
NEW = 0.4
"""Share of a statement's own words that none before it has said."""
_BESIDE = 4
"""Characters between two sentences that follow each other."""
_ANSWER = -1


class Statement(NamedTuple):
    """A statement, the title above it, how many say so, and where it stands if that is known."""

    text: str
    heading: str
    votes: int = 1
    document: str = ""
    start: int = 0
    end: int = 0


class Picked(NamedTuple):
    """The places of the chosen statements, best first, how far they together meet each term of the question, and how
    close the first is by itself, 0 to 1."""

    places: list[int]
    met: tuple[float, ...]
    closeness: float = 0.0


def pick(
    wanted: Wanted, statements: Sequence[Statement], types: Mapping[str, str], n_words: int, most: int = MOST
) -> Picked:
    """Choose the statements that answer a question; ``types`` gives the type of a name where it is known.

    At least one is chosen where any meets something, at most ``most``, of about ``n_words`` words together.
    """
    told = [_Told(wanted, statement, types) for statement in statements]
    left = sorted(range(len(told)), key=lambda place: (-told[place].score, place))
    most = min(most, FEW) if wanted.kind in (DATE, NUMBER) else most
    chosen: list[int] = []
    met = (0.0,) * len(wanted.terms)
    room = n_words
    while left and len(chosen) < most:
        before = [told[place] for place in chosen]
        values = [told[place].value(wanted, met, before) for place in left]
        best = max(range(len(left)), key=lambda i: (values[i], -i))
        place = left.pop(best)
        if values[best] <= 0 or (chosen and told[place].length > room):
            break
        chosen.append(place)
        room -= told[place].length
        met = tuple(map(max, met, told[place].met))
    return Picked(chosen, met, told[chosen[0]].closeness if chosen else 0.0)


class _Told:
    """What one statement tells of the question."""

    def __init__(self, wanted: Wanted, statement: Statement, types: Mapping[str, str]) -> None:
        self.at = statement
        self.length = len(statement.text.split())
        text, heading = _context_apart(statement)
        language = words_of(language_of(text))
        words = [word for word in bases(text) if word not in language.function]
        self.met, self.named = _with_heading(wanted, wanted.met(text), heading)
        where = _positions([term.base for term in wanted.terms], words)
        self.n_met = len({number for _, number in where})
        self.own = {word for place, word in enumerate(words) if not any(at == place for at, _ in where)}
        names = {name: frozenset(bases(name)) for name in _names(text, types, language)}
        self.held = set(names.values())
        about = frozenset(bases(statement.heading))
        self.subjects = {parts for parts in (*self.held, about) if parts and parts <= {*about, *words[:SUBJECT]}}
        asked = {term.base for term in wanted.terms if term.name}
        bridges = {name: parts for name, parts in names.items() if parts and not parts <= asked}
        self.bridges = set(bridges.values())
        answering = [
            parts
            for name, parts in bridges.items()
            if parts.isdisjoint(asked) and _fits(wanted.kind, types.get(name, ""))
        ]
        self.answers = bool(answering) or (wanted.kind not in (PERSON, PLACE, "") and holds(wanted.kind, text))
        where += [(i, _ANSWER) for i, word in enumerate(words) if any(word in parts for parts in answering)]
        missing = 1 - len(self.named) / len(wanted.names) if wanted.names and not wanted.several else 0.0
        spread = SPREAD * (1 - _compactness(sorted(where)))
        self.closeness = wanted.share(self.met) * (1 - spread) * (1 - (1 - NAMELESS) * missing)
        self.score = (
            self.closeness
            + (KIND if self.answers else 0.0)
            + AGREED * min(statement.votes - 1, 4)
            + (DATED if find_dates(text) else 0.0)
            + NAMED * min(len(self.bridges), 3)
            + (ORDERED if _in_order(where) else 0.0)
            + PRECISE * (1 - len(self.own) / max(len(words), 1))
            - WORD * max(0, self.length - LONG)
        )

    def value(self, wanted: Wanted, met: Sequence[float], before: Sequence["_Told"]) -> float:
        """Return how much this adds to what was chosen; 0 where it adds nothing worth a sentence.

        What is not as close to the question as the first belongs to the answer only through what connects them: a name
        that both have and the question has not, standing side by side, or that the question asks of several.
        """
        if not any(self.met):
            return 0.0
        if not before:
            return self.score
        first = before[0]
        adds = wanted.share(tuple(max(0.0, m - b) for m, b in zip(self.met, met, strict=True)))
        new = 1 - max(_overlap(self.own, other.own) for other in before)
        new = max(new, NEW) if adds >= ADDS else new
        if new < NEW:
            return 0.0
        beside = any(_are_beside(self.at, other.at) for other in before)
        good = self.closeness >= AS_GOOD * first.closeness and self.named >= first.named
        if good and first.answers and not self.answers:
            good = False
        led = any(subject <= name for other in before for name in other.held for subject in self.subjects)
        connected = (
            beside
            or led
            or any(_share_name(self.bridges, other.bridges) for other in before)
            or (self.n_met > 1 and self.named == wanted.names)
            or (wanted.several and not self.named <= wanted.named(met))
        )
        told_there = (
            _are_beside(self.at, first.at) and self.answers and bool(wanted.names) and self.named == wanted.names
        )
        if good or told_there or (adds >= ADDS and connected):
            return self.score * new + (3 if led else 2) * adds + (NEXT if beside else 0.0)
        return 0.0


def _context_apart(statement: Statement) -> tuple[str, str]:
    """Return what a statement says, and its heading with its context.

    The sentences before the last are context; what they speak of, the name that begins them, is spoken of by the last.
    """
    spans = split(statement.text)
    if len(spans) < 2:
        return statement.text, statement.heading
    start = spans[-1][0]
    context = statement.text[:start]
    subject = next((name for name in names_in(context) if context.index(name) < ABOUT), "")
    return f"{subject} {statement.text[start:]}".strip(), f"{statement.heading} {context}".strip()


def _with_heading(wanted: Wanted, own: tuple[float, ...], heading: str) -> tuple[tuple[float, ...], frozenset[int]]:
    """Return what a statement meets with its heading, and which names of the question it speaks of.

    A heading says what the whole text is about, not each sentence: its names count where the statement itself holds
    another of the names or enough other words of the question.
    """
    named = wanted.named(own)
    words = sum(m > 0 for term, m in zip(wanted.terms, own, strict=True) if not term.name)
    if not heading or (not named and words < BY_HEADING):
        return own, named
    met = wanted.under(own, heading)
    return met, wanted.named(met)


def _names(text: str, types: Mapping[str, str], language: Words) -> list[str]:
    """Return the names in a text, nations and dates aside; a single word that opens it is one only where it is known."""
    aside = language.demonyms | language.calendar
    return [
        name
        for name in names_in(text)
        if (" " in name or name in types or not text.startswith(name)) and aside.isdisjoint(name.lower().split())
    ]


def _fits(kind: str, type_: str) -> bool:
    """Return whether a name of a type, empty where it is not known, may answer a question for a kind."""
    return type_ in {PERSON: ("PERSON", "ORGANIZATION", ""), PLACE: ("PLACE", "")}.get(kind, ())


def _are_beside(one: Statement, other: Statement) -> bool:
    gap = max(one.start, other.start) - min(one.end, other.end)
    return bool(one.document) and one.document == other.document and 0 <= gap <= _BESIDE


def _share_name(ones: Collection[frozenset[str]], others: Collection[frozenset[str]]) -> bool:
    return any(one <= other or other <= one for one in ones for other in others)


def _overlap(one: Collection[str], other: Collection[str]) -> float:
    shared = len(set(one) & set(other))
    return shared / min(len(one), len(other)) if one and other else 1.0


def _positions(asked: Sequence[str], words: Sequence[str]) -> list[tuple[int, int]]:
    """Return (place of a word, number of a term that it meets) for all that meet."""
    return [(place, n) for place, word in enumerate(words) for n, base in enumerate(asked) if agreement(base, word)]


def _in_order(where: Sequence[tuple[int, int]]) -> bool:
    """Return whether the terms that are met first come in the order of the question."""
    first: dict[int, int] = {}
    for place, number in sorted(where):
        if number != _ANSWER:
            first.setdefault(number, place)
    places = [first[number] for number in sorted(first)]
    return len(places) > 1 and places == sorted(places)


def _compactness(where: Sequence[tuple[int, int]]) -> float:
    """Return how close together all that is met stands, 0 to 1: its number over the words that span it."""
    n_terms = len({number for _, number in where})
    if n_terms < 2:
        return 1.0
    best = where[-1][0] - where[0][0] + 1
    last: dict[int, int] = {}
    for place, number in where:
        last[number] = place
        if len(last) == n_terms:
            best = min(best, place - min(last.values()) + 1)
    return min(1.0, n_terms / best)
