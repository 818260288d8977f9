"""How surely a text holds the kind of thing that a question asks for: a person, a number, a reason, what somebody is."""

import re
from collections.abc import Iterable

from pipeline.text.question.kinds import longest_unspaced, shows
from pipeline.text.question.names import names_in
from pipeline.text.question.question import Question
from pipeline.text.scripts import words_of

NAMES = 4
"""Names of a sentence beyond which it is taken for a list of those present."""
OPENING = 12
"""Characters that may be before a name, or a word of one, that opens a sentence."""
_SIGN = re.compile(r"^\W*\d{1,3}[.)]\s")
"""The number of an item of a list."""
_APPOSED = re.compile(
    r"(?: [A-Z][\w.]*){0,2}(?:,? (?:is|was|are|from|of|the|a|an|ist|war|wurde|der|die|das|eine?|est|était|un|une|le|la|es|era|fue|el|è|een|de|het)\b"
    r"| ?[(（]|,\s[\w'’]+ \w+|[—–-]|是|は|：|,? который|,? которая|,? был)"
)
_NOUN_BEFORE = re.compile(r"([^\W\d_A-Z][\w'’]*|的|人|主任|長|师|員|者|[\u3400-\u9fff]) ?$")


def evidence_of_kind(said: str, question: Question, people: frozenset[str], languages: frozenset[str]) -> float:
    """Return how surely a text holds the kind of thing that is asked for, 0 to 1; ``people`` are names of persons,
    ``languages`` those that the question and the text are in."""
    if "definition" in question.kinds:
        return defines(said, question)
    return shows(question.kind, _SIGN.sub("", said), question.text, people, languages)


def defines(said: str, question: Question) -> float:
    """Return how likely a sentence says who or what the question's names are, 0 to 1."""
    return says_what(said, _subjects(question), question.language)


def says_what(said: str, names: Iterable[str], language: str) -> float:
    """Return how likely a sentence says who or what some names are, 0 to 1: it says so beside one of them. A sentence
    of many names is taken for a list of those present, unless it opens with that one."""
    best = 0.0
    speech = words_of(language).speech
    crowded = len(names_in(said)) > NAMES
    for name in names:
        for match in re.finditer(re.escape(name), said):
            before, after = said[max(0, match.start() - 30) : match.start()], said[match.end() : match.end() + 30]
            noun = _NOUN_BEFORE.search(before)
            sure = 1.0 if _APPOSED.match(after) else 0.8 if noun and noun[1] not in speech else 0.3
            opens = match.start() <= OPENING and sure == 1.0
            best = max(best, sure * (0.5 if crowded and not opens else 1.0))
    return best


def _subjects(question: Question) -> list[str]:
    """Return the words of a question's names; where it has none, what it asks about, as it writes it."""
    named = [term.word for term in question.terms if term.name]
    return named or longest_unspaced(question.text) or [term.word for term in question.terms]
