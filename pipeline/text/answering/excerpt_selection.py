"""Which excerpts of some passages answer a question, word for word: the sentence, row, list or code that does, and what it
needs beside it to be read alone.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pipeline.text.answering.blocks import Kind, Unit, units
from pipeline.text.keys import alike, keys_of
from pipeline.text.question.kinds import offers_choice, refers_back, shows
from pipeline.text.question.names import names_in
from pipeline.text.question.question import Question
from pipeline.text.scripts import words_of

NEAR, HEADING, TITLE, REST = 0.8, 0.8, 0.8, 0.15
"""What a term counts for a unit that only its neighbours, its heading, the passage's title, or the rest of the passage say."""
ASKED = 0.95
"""The same where the question before it says so: an interview, a list of frequent questions."""
OWN, CONTEXT, KIND, PRIOR = 0.4, 0.6, 0.25, 0.1
"""Of a unit's score: the share of the question that it meets itself, that it meets with its context, the right kind of
thing, and the first place of its passage (a further one has PRIOR / rank)."""
QUESTION, LONE = 0.4, 0.05
"""What is left of the score of a unit that only asks; what a very short unit loses."""
GAIN = 0.15
"""Share of the question that a further excerpt must add."""
MOST = 5
"""Excerpts of an answer, at most."""
ALSO = 0.55
"""Share of the first excerpt's score from which another is printed, though it adds nothing that the question says."""
LINKED = 0.25
"""The same for one elsewhere that shares a name with those before it."""
BESIDE = 3
"""Units between two that are beside each other."""
WORDS = 90
"""Words of an answer, at most, where its first excerpt is not longer by itself."""
BLOCK_WORDS = 140
"""Words of a list, table or code that is printed as a whole."""
LEAST = 0.53
"""Share of the question's weight that the first excerpt must meet with its context."""
SHOWN = {"definition": 0.4, "number": 0.4, "money": 0.4, "date": 0.5, "duration": 0.5}
"""How surely an answer must hold the number, sum or time that is asked for."""

_ASKS = re.compile(r"[?？؟][\"'”’»)」』*_]*$")
_RULE = re.compile(r"[\s|:+-]+$")
_LEADS = re.compile(r"[:：][*_]*$")


class PassageText(NamedTuple):
    """A passage in which an answer is looked for; ``title`` is what stands above it. Given best first."""

    id: str
    title: str
    text: str


class Excerpt(NamedTuple):
    """A unit of a passage, as it is printed: ``passages[passage].text[start:end]``; of one paragraph, list or table all
    have the same ``block``."""

    passage: int
    start: int
    end: int
    kind: Kind
    block: int


@dataclass(frozen=True)
class Selection:
    """Excerpts in the order of reading, the first the one that answers; how much of the question they meet, 0 to 1; and
    whether that is an answer."""

    excerpts: tuple[Excerpt, ...]
    cover: float
    answered: bool


class _Candidate(NamedTuple):
    passage: int
    place: int
    unit: Unit
    own: tuple[float, ...]
    met: tuple[float, ...]
    """With its context."""
    kind: float
    score: float


class _Text:
    """A passage cut into units, each measured."""

    def __init__(self, passage: PassageText, question: Question) -> None:
        self.text = passage.text
        self.units = units(passage.text)
        self.own = [question.met(keys_of(passage.text[u.start : u.end], question.language)) for u in self.units]
        self.title = question.met(keys_of(passage.title, question.language))
        self.whole = _union([*self.own, self.title], len(question.terms))
        self.headings: list[tuple[float, ...]] = []
        current = (0.0,) * len(question.terms)
        for unit, own in zip(self.units, self.own, strict=True):
            current = own if unit.kind == "heading" else current
            self.headings.append(current)

    def said(self, unit: Unit) -> str:
        return self.text[unit.start : unit.end]

    def met(self, place: int) -> tuple[float, ...]:
        """Return how far a unit meets each term with its context."""
        unit = self.units[place]
        parts = [self.own[place]]
        for other in (place - 1, place + 1):
            if 0 <= other < len(self.units):
                asks = other < place and self.asks(other)
                parts.append(_scaled(self.own[other], ASKED if asks else NEAR))
        block = [own for own, other in zip(self.own, self.units, strict=True) if other.block == unit.block]
        lead = next((i for i in range(place - 1, -1, -1) if self.units[i].block != unit.block), None)
        if unit.kind in ("item", "row", "code") and lead is not None:
            parts.append(_scaled(self.own[lead], HEADING))
        parts += [_scaled(own, NEAR) for own in block]
        parts += [_scaled(self.headings[place], HEADING), _scaled(self.title, TITLE), _scaled(self.whole, REST)]
        return _union(parts, len(self.title))

    def asks(self, place: int) -> bool:
        return bool(_ASKS.search(self.said(self.units[place])))

    def block(self, place: int) -> list[int]:
        """Return the places of the units of one block."""
        return [i for i, unit in enumerate(self.units) if unit.block == self.units[place].block]


def select(
    question: Question, passages: Sequence[PassageText], people: frozenset[str] = frozenset(), n_words: int = WORDS
) -> Selection:
    """Choose the excerpts that answer a question; ``people`` are names of persons that the index knows."""
    texts = [_Text(passage, question) for passage in passages]
    candidates = [one for number, text in enumerate(texts) for one in _candidates(number, text, question, people)]
    if not candidates or not question.terms:
        return Selection((), 0.0, False)
    candidates.sort(key=lambda one: (-round(one.score, 9), one.passage, one.place))
    chosen: list[_Candidate] = []
    printed: list[list[Excerpt]] = []
    length = 0
    kind = 0.0
    first: tuple[float, ...] = ()
    said = met = (0.0,) * len(question.terms)
    while len(chosen) < MOST:
        found = _next(candidates, chosen, said, texts, question)
        if found is None:
            break
        best, adds = found
        excerpts = _printed(best, texts[best.passage], question, people, n_words - length)
        words = sum(_length(texts[e.passage].text[e.start : e.end]) for e in excerpts)
        if chosen and length + words > n_words:
            candidates = [one for one in candidates if one is not best]
            continue
        chosen.append(best)
        printed.append(excerpts)
        length += words
        own = _met_in(excerpts, texts, question)
        said = _union([said, *own], len(said))
        if not first:
            first = _union([best.met, *own], len(met))
        if adds:
            met = _union([met, best.met, *own], len(met))
            said_here = (texts[e.passage].text[e.start : e.end] for e in excerpts)
            kind = max(kind, *(_kind(text, question, people) for text in said_here))
        candidates = [one for one in candidates if not _inside(one, excerpts)]
    if not chosen:
        return Selection((), 0.0, False)
    cover = question.share(first)
    answered = cover >= LEAST and question.named(met) == question.names and kind >= SHOWN.get(question.kind, 0.0)
    order = tuple(dict.fromkeys(excerpt for some in printed for excerpt in some))
    return Selection(order, cover, answered)


def _candidates(number: int, text: _Text, question: Question, people: frozenset[str]) -> list[_Candidate]:
    found = []
    for place, unit in enumerate(text.units):
        said = text.said(unit)
        if unit.kind == "heading" or _RULE.match(said) or not any(c.isalnum() for c in said):
            continue
        if unit.kind == "row" and place + 1 < len(text.units):
            below = text.said(text.units[place + 1])
            if _RULE.match(below) or below.startswith(_first_name(said)):
                continue
        met = text.met(place)
        kind = _kind(said, question, people)
        if "list" in question.kinds or "how" in question.kinds:
            kind = max(kind, {"item": 0.8, "code": 0.9, "row": 0.3}.get(unit.kind, 0.0))
        score = OWN * question.share(text.own[place]) + CONTEXT * question.share(met) + KIND * kind
        score += PRIOR / (number + 1)
        if not any(text.own[place]) and not kind:
            score -= KIND
        if text.asks(place):
            score *= QUESTION
        if _length(said) < 4:
            score -= LONE
        found.append(_Candidate(number, place, unit, text.own[place], met, kind, score))
    return found


def _kind(said: str, question: Question, people: frozenset[str]) -> float:
    if "definition" in question.kinds and question.names:
        return defines(said, question)
    return shows(question.kind, said, question.text, people)


def defines(said: str, question: Question) -> float:
    """Return how likely a sentence says who or what the question's names are, 0 to 1: beside one of them is what it is."""
    best = 0.0
    speech = words_of(question.language).speech
    for term in question.terms:
        for match in re.finditer(re.escape(term.word), said) if term.name else ():
            before, after = said[max(0, match.start() - 30) : match.start()], said[match.end() : match.end() + 30]
            noun = _NOUN_BEFORE.search(before)
            best = max(best, 1.0 if _APPOSED.match(after) else 0.8 if noun and noun[1] not in speech else 0.3)
    return best * (1.0 if len(names_in(said)) <= NAMES else 0.5)


NAMES = 4
"""Names that a sentence may hold before it is a list of those present."""
_APPOSED = re.compile(
    r"(?: [A-Z][\w.]*){0,2}(?:,? (?:is|was|are|from|of|the|a|an|ist|war|wurde|der|die|das|eine?|est|était|un|une|le|la|es|era|fue|el|è|een|de|het)\b"
    r"| ?[(（]|,\s[\w'’]+ \w+|[—–-]|是|は|：|,? который|,? которая|,? был)"
)
_NOUN_BEFORE = re.compile(r"([^\W\d_A-Z][\w'’]*|的|人|主任|長|师|員|者|[\u3400-\u9fff]) ?$")


def _next(
    candidates: Sequence[_Candidate],
    chosen: Sequence[_Candidate],
    said: tuple[float, ...],
    texts: Sequence[_Text],
    question: Question,
) -> tuple[_Candidate, bool] | None:
    """Return the candidate to print next, and whether it adds to what those before say of the question: the best of all
    first, then what is connected with it and adds, then what is nearly as good by itself."""
    if not candidates:
        return None
    if not chosen:
        return candidates[0], True
    several = offers_choice(question.text) or question.kind == "list"
    names = {name for one in chosen for name in names_in(texts[one.passage].said(one.unit))}
    names = {name for name in names if name.casefold() not in question.text.casefold()}
    best: tuple[float, int, bool] | None = None
    before = [keys_of(texts[one.passage].said(one.unit), question.language) for one in chosen]
    for at, one in enumerate(candidates[:60]):
        keys = keys_of(texts[one.passage].said(one.unit), question.language)
        if any(alike(keys, other) for other in before):
            continue
        gain = question.share(_union([said, one.own], len(said))) - question.share(said)
        text = texts[one.passage].said(one.unit)
        linked = any(name in text for name in names)
        beside = any(one.passage == other.passage and abs(one.place - other.place) <= BESIDE for other in chosen)
        adds = (gain >= GAIN and beside) or (gain >= LINKED and linked)
        if adds or one.score >= (ALSO - 0.1 * several) * chosen[0].score:
            value = gain * adds + 0.6 * one.score + 0.1 * linked
            if best is None or value > best[0]:
                best = value, at, adds
    return (candidates[best[1]], best[2]) if best else None


def _printed(one: _Candidate, text: _Text, question: Question, people: frozenset[str], room: int) -> list[Excerpt]:
    """Return a unit as it is printed: with its list, its table's head, the code that it introduces, the sentence beside."""
    place, unit = one.place, one.unit
    block = text.block(place)
    wide = question.kinds[:1] in (("list",), ("how",)) or "how" in question.kinds or "list" in question.kinds
    lead = block[0] - 1
    led = lead >= 0 and text.units[lead].kind == "prose" and _LEADS.search(text.said(text.units[lead]))
    if unit.kind == "row":
        rows = [i for i in block if not _RULE.match(text.said(text.units[i]))]
        whole = sum(_length(text.said(text.units[i])) for i in rows) <= 40
        named = text.said(unit).startswith(_first_name(text.said(text.units[rows[0]])))  # it needs no company
        places = rows if wide or (whole and not named) else sorted({rows[0], place})
    elif unit.kind == "item" and (wide or led) and _words(text, block) <= BLOCK_WORDS:
        places = block
        after = block[-1] + 1
        if _LEADS.search(text.said(text.units[block[-1]])) and after < len(text.units):
            places = [*block, *text.block(after)]
    elif unit.kind == "prose":
        places = _sentences(place, block, text, question, people, room)
        after = block[-1] + 1
        if _LEADS.search(text.said(text.units[places[-1]])) and after < len(text.units):
            follows = text.block(after)
            if text.units[after].kind != "heading" and _words(text, follows) <= BLOCK_WORDS:
                places = [*places, *follows]
    else:
        places = [place]
    if unit.kind in ("item", "code") and led:
        places = [lead, *places]
    return [Excerpt(one.passage, *text.units[i]) for i in places]


def _first_name(head: str) -> str:
    """How a row begins that has the names of the columns in it, given the table's head."""
    return head.partition(" | ")[0] + ": "


def _sentences(
    place: int, block: Sequence[int], text: _Text, question: Question, people: frozenset[str], room: int
) -> list[int]:
    """Return a sentence and those right beside it in its paragraph that say more of what is asked."""
    taken = [place]
    while taken[0] - 1 in block and len(taken) < 3 and refers_back(text.said(text.units[taken[0]])):
        taken.insert(0, taken[0] - 1)
    met = _union([text.own[i] for i in taken], len(text.title))
    kind = shows(question.kind, text.said(text.units[place]), question.text, people)
    length = _words(text, taken)
    for _ in range(2):
        best: tuple[float, int] | None = None
        for other in (taken[-1] + 1, taken[0] - 1):
            if other not in block:
                continue
            said = text.said(text.units[other])
            if length + _length(said) > max(room, 45) or (text.asks(other) and other > place):
                continue
            gain = question.share(_union([met, text.own[other]], len(met))) - question.share(met)
            gain += KIND * max(0.0, shows(question.kind, said, question.text, people) - kind)
            gain += 0.03 if other > place or question.kind == "cause" else 0.0
            if gain >= 0.03 and (best is None or gain > best[0]):
                best = gain, other
        if best is None:
            break
        taken = sorted([*taken, best[1]])
        met = _union([met, text.own[best[1]]], len(met))
        kind = max(kind, shows(question.kind, text.said(text.units[best[1]]), question.text, people))
        length += _length(text.said(text.units[best[1]]))
        if length > 60:
            break
    return taken


def _met_in(excerpts: Sequence[Excerpt], texts: Sequence[_Text], question: Question) -> list[tuple[float, ...]]:
    return [question.met(keys_of(texts[e.passage].text[e.start : e.end], question.language)) for e in excerpts]


def _inside(one: _Candidate, excerpts: Sequence[Excerpt]) -> bool:
    return any(e.passage == one.passage and e.start <= one.unit.start < e.end for e in excerpts)


def _words(text: _Text, places: Sequence[int]) -> int:
    return sum(_length(text.said(text.units[i])) for i in places)


def _length(text: str) -> int:
    """Return the words of a text; of an unspaced script two characters are one."""
    spaced = len(text.split())
    return max(spaced, sum(ord(c) > 0x2E80 for c in text) // 2)


def _union(parts: Sequence[Sequence[float]], size: int) -> tuple[float, ...]:
    return tuple(max(column) for column in zip(*parts, strict=True)) if parts else (0.0,) * size


def _scaled(met: Sequence[float], share: float) -> tuple[float, ...]:
    return tuple(share * m for m in met)
