"""The second step to an answer: a first excerpt brings in a name, and another one says of it what is still asked for."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from pipeline.text.answering.kind_evidence import evidence_of_kind
from pipeline.text.answering.passage_units import BEFORE, Excerpt, PassageText, PassageUnits
from pipeline.text.question.kinds import offers_choice
from pipeline.text.question.names import names_in
from pipeline.text.question.question import RELATED, Question

OPEN, PART = 0.15, 0.4
"""Share of the question that must be open, and share of it that a sentence must meet."""
STEPS = 4
"""Things that a question speaks of, names and words, from which on it may need two steps."""
LEADS = 3
"""Names that are followed."""
KIND = 0.25
"""What the right kind of thing is worth, in shares of what is open."""

Onward = Callable[[Sequence[str]], Sequence[PassageText]]
"""Finds passages for a name and what is asked of it."""


class SecondStep(NamedTuple):
    """Excerpts that go on from a first one, and the passages that were found for them, behind those that were there."""

    excerpts: list[Excerpt]
    added: list[PassageText]


def may_have_steps(question: Question, first: Sequence[float]) -> bool:
    """Return whether a question speaks of enough things to be answered in two steps, given what the first excerpt meets."""
    things = len(question.names) + sum(not term.name for term in question.terms)
    return things >= STEPS and question.share(first) >= OPEN and not offers_choice(question.text, question.language)


def second_step(
    first: str,
    printed: Sequence[Excerpt],
    said: Sequence[float],
    texts: list[PassageUnits],
    question: Question,
    people: frozenset[str],
    known: Collection[str],
    onward: Onward,
) -> SecondStep | None:
    """Return what says of a name that the first excerpts bring in what they leave open; None where nothing does.

    ``first`` is the sentence that answers best, ``printed`` what is printed with it, ``said`` how far they meet each term.
    ``known`` are names of the index in scripts that do not mark names. What ``onward`` finds is added to ``texts``.
    """
    still = [at for at, term in enumerate(question.terms) if said[at] <= RELATED and not term.name]
    total = sum(term.weight for term in question.terms)
    open_weight = sum(question.terms[at].weight for at in still)
    if open_weight < OPEN * total:
        return None
    said_so_far = [first, *(texts[e.passage].text[e.start : e.end] for e in printed)]
    asked = question.text.casefold()
    brought = [name for text in said_so_far for name in _names(text, known) if name.casefold() not in asked]
    added: list[PassageText] = []
    best: tuple[float, PassageUnits, int, str] | None = None
    for name in list(dict.fromkeys(brought))[:LEADS]:
        here = {text.id for text in texts}
        more = [one for one in onward([name, *(question.terms[at].word for at in still)]) if one.id not in here]
        added += more
        texts += [PassageUnits(len(texts) + at, one, question) for at, one in enumerate(more)]
        for text in texts:
            for place, unit in enumerate(text.units):
                inside = any(e.passage == text.number and e.start <= unit.start < e.end for e in printed)
                if inside or unit.kind == "heading" or text.asks(place) or not text.speaks_of(place, name):
                    continue
                share = sum(question.terms[at].weight * text.own[place][at] for at in still) / open_weight
                value = share + KIND * evidence_of_kind(text.said(unit), question, people, text.languages)
                if share >= PART and (best is None or value > best[0]):
                    best = value, text, place, name
    return SecondStep(_from_the_name(*best[1:]), added) if best else None


def _from_the_name(text: PassageUnits, place: int, name: str) -> list[Excerpt]:
    """Return a unit and those before it in its block from the one that has the name."""
    start = place
    first = text.block(place)[0]
    while start > first and name not in text.said(text.units[start]) and place - start < BEFORE:
        start -= 1
    return [text.excerpt(at) for at in range(start, place + 1)]


def _names(said: str, known: Collection[str]) -> list[str]:
    """Return the names in a text: those that are written as such, or, in scripts that do not, those that are known."""
    found = [name for name in names_in(said) if " " in name or not said.lstrip().startswith(name)]
    return found or [name for name in sorted(known, key=lambda name: (-len(name), name)) if name in said]
