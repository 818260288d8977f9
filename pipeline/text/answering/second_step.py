"""Answers in two steps: one sentence says who or what a question describes, and another says of that what is asked."""

import math
from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.text.answering.kind_evidence import evidence_of_kind
from pipeline.text.answering.passage_units import BEFORE, Excerpt, PassageText, PassageUnits
from pipeline.text.keys import keys_of
from pipeline.text.question.kinds import refers_back
from pipeline.text.question.names import names_in
from pipeline.text.question.question import RELATED, Question
from pipeline.text.scripts import words_of

OPEN, PART = 0.15, 0.4
"""Share of the question that the best sentence must leave open, and share of that which a second one must say to decide
whether there is an answer."""
STEPS, DECISIVE = 3, 4
"""Things that a question speaks of, names and words, from which on it may need two steps, and from which on the second one
decides whether there is an answer: of few things any two sentences speak."""
LEADS = 3
"""Names that are followed to further passages."""
TRIED = 40
"""Second sentences that are looked through for the kind of thing that is asked for."""
KIND, TITLE, WORD, NAME, RANK, SAME = 0.5, 0.7, 0.15, 0.45, 0.35, 0.4
"""What a second sentence is worth, where the share of the question that only it says has weight 1: the kind of thing that is
asked for; the share of the title above it that the first sentence says; a word and a name that both have and the question
has not, by its rarity; the first place of its passage; and being in another passage than the first, since sentences of one
share words anyway. Fitted (conditional logit over pairs of sentences) on 440 questions of two steps and more over thirty
corpora. Of 397 questions of all kinds over 27 of them 182 are answered rightly, 176 by following names alone.
"""
OF_A_NAME = frozenset({"person", "name", "place"})
"""Kinds of things that a name shows: the name that leads on is not what is asked for."""

Floats = NDArray[np.float64]
Onward = Callable[[Sequence[str]], Sequence[PassageText]]
"""Finds passages for a name and what is asked of it."""


def may_have_steps(question: Question, first: Sequence[float]) -> bool:
    """Return whether a question speaks of enough things to be answered in two steps, given what the best sentence meets."""
    return _n_things(question) >= STEPS and question.share(first) >= OPEN and not question.offers_choice


def decides(question: Question, before: Sequence[float], after: Sequence[float]) -> bool:
    """Return whether a second step says enough of a question to decide whether it is answered, given what is met ``before``
    and ``after`` it."""
    said = question.share(before)
    return _n_things(question) >= DECISIVE and question.share(after) - said >= max(OPEN, PART * (1 - said))


def _n_things(question: Question) -> int:
    return len(question.names) + sum(not term.name for term in question.terms)


def passages_onward(
    said: Sequence[str], met: Sequence[float], question: Question, known: Collection[str], onward: Onward
) -> list[PassageText]:
    """Return passages for the names that some texts bring in, with the words of the question that are not ``met``; ``known``
    are names of the index in scripts that do not mark names."""
    still = [term.word for at, term in enumerate(question.terms) if met[at] <= RELATED and not term.name]
    asked = question.text.casefold()
    brought = [name for text in said for name in _names(text, known) if name.casefold() not in asked]
    found = [one for name in list(dict.fromkeys(brought))[:LEADS] for one in onward([name, *still])] if still else []
    return list({one.id: one for one in found}.values())


def second_step(
    first: PassageUnits,
    place: int,
    texts: Sequence[PassageUnits],
    question: Question,
    people: frozenset[str],
    known: Collection[str],
) -> list[Excerpt]:
    """Return what goes best from a unit, the first step, to what is asked: another unit of some passages, with those before it
    that its opening pronoun needs; empty where nothing is connected with it."""
    rows = [(text, at) for text in texts for at, unit in enumerate(text.units) if unit.kind != "heading"]
    rows = [(text, at) for text, at in rows if not text.asks(at) and (text, at) != (first, place)]
    if not rows:
        return []
    worth = _worth(first, place, rows, texts, question, known)
    best = [row for row in np.argsort(-worth, kind="stable")[:TRIED].tolist() if worth[row] > 0]
    said = first.said(first.units[place])
    if not best:
        return []
    for row in best:
        worth[row] += KIND * _kind(rows[row][0], rows[row][1], said, question, people)
    text, at = rows[max(best, key=lambda row: float(worth[row]))]
    return [text.excerpt(unit) for unit in _with_antecedents(text, at)]


def _with_antecedents(text: PassageUnits, place: int) -> range:
    """Return the places of a unit and of those before it in its block that its opening pronoun needs."""
    start, first = place, text.block(place)[0]
    while start > first and place - start < BEFORE and refers_back(text.said(text.units[start]), text.languages):
        start -= 1
    return range(start, place + 1)


def _worth(
    first: PassageUnits,
    place: int,
    rows: Sequence[tuple[PassageUnits, int]],
    texts: Sequence[PassageUnits],
    question: Question,
    known: Collection[str],
) -> Floats:
    """Return what each row is worth as a second step but for the kind of thing in it; 0 where it is not connected."""
    skipped = keys_of(question.text, question.language) | words_of(question.language).function

    def keys_in(said: str) -> frozenset[str]:
        return keys_of(said, question.language) - skipped

    said = first.said(first.units[place])
    names = [name for name in _names(said, known) if " " in name or question.language != "de"]  # no common noun
    keys, named = keys_in(said), keys_in(" ".join(names))
    holders: dict[str, set[int]] = {key: set() for key in keys}
    for row, (text, at) in enumerate(rows):
        for unit in _with_antecedents(text, at):
            for key in keys_in(text.said(text.units[unit])) & keys:
                holders[key].add(row)
    linked, by_name = np.zeros(len(rows)), np.zeros(len(rows), dtype=bool)
    for key, some in holders.items():
        places = sorted(some)
        rarity = math.log(1 + len(rows) / max(1, len(places))) / math.log(1 + len(rows))
        linked[places] = np.maximum(linked[places], (NAME if key in named else WORD) * rarity)
        by_name[places] |= key in named
    titles = {text.number: keys_of(text.title, question.language) - skipped for text in texts}
    shares = {number: len(title & keys) / max(1, len(title)) for number, title in titles.items()}
    titled = np.array([shares[text.number] for text, _ in rows])
    numbers = np.array([text.number for text, _ in rows])
    weights = np.array([term.weight for term in question.terms])
    own = np.array([text.own[at] for text, at in rows])
    gains = np.maximum(own - np.array(first.own[place]), 0.0) @ weights / weights.sum()
    enough = gains >= PART * (1 - question.share(first.own[place]))
    worth = gains + linked + TITLE * titled + RANK / (1 + numbers) - SAME * (numbers == first.number) + SAME
    return np.asarray(np.where(by_name | (titled > 0) | ((linked > 0) & enough), worth, 0.0))


def _kind(text: PassageUnits, place: int, before: str, question: Question, people: frozenset[str]) -> float:
    """Return how surely a unit holds the kind of thing that is asked for, besides the names of what is said ``before``."""
    said = text.said(text.units[place])
    names = names_in(said)
    if question.kind in OF_A_NAME and names and all(name in before or name in question.text for name in names):
        return 0.0
    return evidence_of_kind(said, question, people, text.languages)


def _names(said: str, known: Collection[str]) -> list[str]:
    """Return the names in a text: those that are written as such, or, in scripts that do not, those that are known."""
    found = [name for name in names_in(said) if " " in name or not said.lstrip().startswith(name)]
    return found or [name for name in sorted(known, key=lambda name: (-len(name), name)) if name in said]
