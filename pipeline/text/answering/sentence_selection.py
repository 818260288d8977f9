"""Which few statements answer a question, best first: those that meet most of it, closely together, and each something new."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from pipeline.text.dates import find_dates
from pipeline.text.keys import keys_in_order, keys_of, meets
from pipeline.text.lexicon.words import Words
from pipeline.text.question.kinds import shows
from pipeline.text.question.names import names_in
from pipeline.text.question.question import Question
from pipeline.text.scripts import language_of, words_of
from pipeline.text.sentences import split

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
AS_GOOD = 0.75
"""A further statement must be this close to the question, as a share of the first one's closeness."""
ADDS = 0.08
"""Or it must be connected with one before it and meet at least this share of the question that none before it met."""
NEXT = 0.1
"""What it is worth to be next to a chosen statement in the text."""
ABOUT = 8
"""Characters before the name that a sentence is about: an article, a preposition."""
SUBJECT = 4
"""Words of a statement in which a name is likely what it speaks of."""
NEW = 0.4
"""Share of a statement's own words that none before it has said."""
_BESIDE = 4
"""Characters between two sentences that follow each other."""
_ANSWER = -1
_BRIEF = frozenset({"date", "number", "duration", "money"})
_SURELY = 0.5
"""How surely a statement must hold the kind of thing that is asked for."""
_TYPES = {"person": ("PERSON", "ORGANIZATION", ""), "place": ("PLACE", "")}
"""Types of the names that answer a question for a kind; empty for a name whose type is not known."""


class Statement(NamedTuple):
    """A statement, the title above it, how many say so, and where it is if that is known."""

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
    question: Question, statements: Sequence[Statement], types: Mapping[str, str], n_words: int, most: int = MOST
) -> Picked:
    """Choose the statements that answer a question; ``types`` gives the type of a name where it is known.

    At least one is chosen where any meets something, at most ``most``, of about ``n_words`` words together.
    """
    told = [_tell(question, statement, types) for statement in statements]
    left = sorted(range(len(told)), key=lambda place: (-told[place].score, place))
    most = min(most, FEW) if question.kind in _BRIEF else most
    chosen: list[int] = []
    met = (0.0,) * len(question.terms)
    room = n_words
    while left and len(chosen) < most:
        before = [told[place] for place in chosen]
        values = [_value(told[place], question, met, before) for place in left]
        best = max(range(len(left)), key=lambda i: (values[i], -i))
        place = left.pop(best)
        if values[best] <= 0 or (chosen and told[place].length > room):
            break
        chosen.append(place)
        room -= told[place].length
        met = tuple(map(max, met, told[place].met))
    return Picked(chosen, met, told[chosen[0]].closeness if chosen else 0.0)


class _Told(NamedTuple):
    """What one statement says to the question."""

    at: Statement
    length: int
    met: tuple[float, ...]
    named: frozenset[int]
    """Names of the question that it speaks of."""
    n_met: int
    """Words of the question that its own words meet."""
    own: frozenset[str]
    """Its other words."""
    names: "_Names"
    answers: bool
    """Whether it holds a thing of the kind that is asked for."""
    closeness: float
    score: float


class _Names(NamedTuple):
    """The names in a statement, each as the set of its keys."""

    held: frozenset[frozenset[str]]
    bridges: frozenset[frozenset[str]]
    """Those that the question does not have, which may connect it with another statement."""
    subjects: frozenset[frozenset[str]]
    """Those that it is likely about: its heading, and what is among its first words."""
    answering: frozenset[frozenset[str]]
    """Those that may be the person or place that is asked for."""


def _tell(question: Question, statement: Statement, types: Mapping[str, str]) -> _Told:
    text, heading = _context_apart(statement)
    language = words_of(language_of(text))
    words = keys_in_order(text, question.language, language.function)
    met, named = _with_heading(question, question.met_by(text), heading)
    where = _positions([term.key for term in question.terms], words)
    taken = {place for place, _ in where}
    own = frozenset(word for place, word in enumerate(words) if place not in taken)
    names = _names_told(question, _names(text, types, language), words, statement.heading, types)
    answers = bool(names.answering) or (
        question.kind not in _TYPES and shows(question.kind, text, question.text, frozenset()) > _SURELY
    )
    answering = [(i, _ANSWER) for i, word in enumerate(words) if any(word in parts for parts in names.answering)]
    closeness = _closeness(question, met, named, sorted([*where, *answering]))
    score = (
        closeness
        + (KIND if answers else 0.0)
        + AGREED * min(statement.votes - 1, 4)
        + (DATED if find_dates(text) else 0.0)
        + NAMED * min(len(names.bridges), 3)
        + (ORDERED if _in_order(where) else 0.0)
        + PRECISE * (1 - len(own) / max(len(words), 1))
    )
    length = len(statement.text.split())
    n_met = len({number for _, number in where})
    score -= WORD * max(0, length - LONG)
    return _Told(statement, length, met, named, n_met, own, names, answers, closeness, score)


def _value(one: _Told, question: Question, met: Sequence[float], before: Sequence[_Told]) -> float:
    """Return how much a statement adds to those chosen before; 0 where it adds nothing worth a sentence.

    What is not as close to the question as the first belongs to the answer only where it meets what is still open and is
    connected: it is about a name that one of them holds, shares a name with one, is beside one, speaks of all names
    of the question itself, or of another one where several are asked about.
    """
    if not any(one.met):
        return 0.0
    if not before:
        return one.score
    first = before[0]
    adds = question.share_of_one(tuple(max(0.0, m - b) for m, b in zip(one.met, met, strict=True)))
    new = 1 - max(_overlap(one.own, other.own) for other in before)
    new = max(new, NEW) if adds >= ADDS else new
    beside = any(_are_beside(one.at, other.at) for other in before)
    led = any(subject <= name for other in before for name in other.names.held for subject in one.names.subjects)
    connected = (
        beside
        or led
        or any(_share_name(one.names.bridges, other.names.bridges) for other in before)
        or (one.n_met > 1 and one.named == question.names)
        or (question.several and not one.named <= question.named(met))
    )
    if new < NEW or not (_is_as_good(one, first, question) or (adds >= ADDS and connected)):
        return 0.0
    return one.score * new + (3 if led else 2) * adds + (NEXT if beside else 0.0)


def _is_as_good(one: _Told, first: _Told, question: Question) -> bool:
    """Return whether a statement answers as the first one does, or goes on right where it ends with what is asked for."""
    if _are_beside(one.at, first.at) and one.answers and question.names and one.named == question.names:
        return True
    close = one.closeness >= AS_GOOD * first.closeness and one.named >= first.named
    return close and (one.answers or not first.answers)


def _closeness(
    question: Question, met: Sequence[float], named: frozenset[int], where: Sequence[tuple[int, int]]
) -> float:
    """Return the share of the question that is met, less where it is far apart or without the question's names."""
    missing = 1 - len(named) / len(question.names) if question.names and not question.several else 0.0
    spread = SPREAD * (1 - _compactness(where))
    return question.share_of_one(met) * (1 - spread) * (1 - (1 - NAMELESS) * missing)


def _names_told(
    question: Question, names: Sequence[str], words: Sequence[str], heading: str, types: Mapping[str, str]
) -> _Names:
    parts = {name: keys_of(name, question.language) for name in names}
    asked = {term.key for term in question.terms if term.name}
    held = frozenset(parts.values()) - {frozenset()}
    about = keys_of(heading, question.language)
    near = about | set(words[:SUBJECT])
    return _Names(
        held=held,
        bridges=frozenset(name for name in held if not name <= asked),
        subjects=frozenset(name for name in (*held, about) if name and name <= near),
        answering=frozenset(
            found
            for name, found in parts.items()
            if found and found.isdisjoint(asked) and _fits(question.kind, types.get(name, ""))
        ),
    )


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


def _with_heading(question: Question, own: tuple[float, ...], heading: str) -> tuple[tuple[float, ...], frozenset[int]]:
    """Return what a statement meets with its heading, and which names of the question it speaks of.

    A heading says what the whole text is about, not each sentence: its names count where the statement itself holds
    another of the names or enough other words of the question.
    """
    named = question.named(own)
    words = sum(m > 0 for term, m in zip(question.terms, own, strict=True) if not term.name)
    if not heading or (not named and words < BY_HEADING):
        return own, named
    met = question.under(own, heading)
    return met, question.named(met)


def _names(text: str, types: Mapping[str, str], language: Words) -> list[str]:
    """Return the names in a text, nations and dates aside; a single word that opens it is one only where it is known."""
    aside = language.demonyms | language.calendar
    return [
        name
        for name in names_in(text)
        if (" " in name or name in types or not text.startswith(name))
        and not all(word in aside or word.isdigit() for word in name.lower().split())
    ]


def _fits(kind: str, type_: str) -> bool:
    """Return whether a name of a type, empty where it is not known, may answer a question for a kind."""
    return type_ in _TYPES.get(kind, ())


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
    return [
        (place, n) for place, word in enumerate(words) for n, key in enumerate(asked) if meets(key, frozenset([word]))
    ]


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
