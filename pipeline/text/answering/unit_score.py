"""How well a unit of a passage answers a question: what was measured of it, each weighed by what it is worth."""

import re
from typing import NamedTuple

from pipeline.text.answering.coded_headings import coded_above
from pipeline.text.answering.excerpt_context import LISTED, is_keyed, is_wide
from pipeline.text.answering.kind_evidence import evidence_of_kind, logged, shows_version
from pipeline.text.answering.passage_units import FIELD, FIELD_SHARE, PassageUnits, scaled, union
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.question.question import Question

OF_LIST = {"item": 0.8, "code": 0.9, "row": 0.3}
"""How surely a unit is of the kind that is asked for where that is a list or a way to do something."""
ENOUGH = 0.3
"""Share of the question that a unit must meet with its context for the right kind of thing in it to count in full."""
APART = 0.5
"""What the right kind of thing counts in a unit that is not about what is asked."""
AROUND = ((-1, 0.8), (1, 0.8), (-2, 0.6), (2, 0.5), (-3, 0.45), (3, 0.35), (-4, 0.3), (-5, 0.2))
"""What a term counts that only a unit so many places before or behind says."""
IN_TITLE, IN_HEADING, IN_BLOCK = 0.6, 0.7, 0.3
"""What it counts where only the title, the heading or the rest of the block says it."""
SAID = 0.5
"""How far a unit with its context meets a word that it says."""
REQUIRED = frozenset(
    {
        "age",
        "colour",
        "contact",
        "date",
        "death",
        "duration",
        "expansion",
        "money",
        "name",
        "number",
        "secret",
        "version",
    }
)
"""Kinds of things that an answer must hold."""
BESIDE_THE_QUESTION = REQUIRED | {"cause"}
"""Kinds of things that count in full only where a word of the question is near."""


_ENUMERATED = r"[^\s,;:.!?]+(?: [^\s,;:.!?]+){0,3}"
_ENUMERATES = re.compile(rf"\w: (?:{_ENUMERATED}[,;] ){{2,}}{_ENUMERATED}[.!?]?$")
"""How a sentence ends that has a list in it, each thing in a few words: "Bring with you: a torch, a rope, two buckets"."""


class Measures(NamedTuple):
    """What is measured of a unit, each from 0 to 1."""

    own: float
    """Share of the question that it meets itself; a list or code as a whole where one is asked for."""
    met: float
    """The same with what is beside it, its block, its heading and title."""
    around: float
    """The same with what is around it, which counts the less the further it is off."""
    title: float
    """Share of the question that the title above it meets."""
    kind: float
    """How surely it holds the kind of thing that is asked for, where it is about what is asked."""
    first: float
    """1 in the first passage, 1/2 in the second, 1/3 in the third."""
    led: float
    """Share of the question that the line above its list meets; 1 where what is right above it asks the same."""
    precedes: float
    """What the unit behind it adds to its share of the question: that one is then the answer."""
    asks: float
    """1 where it is a question itself."""

    @property
    def score(self) -> float:
        """What the measures are worth together: the logarithm of how likely this unit answers, against others of a question."""
        return sum(value * worth for value, worth in zip(self, WORTH, strict=True))


WORTH = Measures(
    own=1.48, met=2.85, around=2.78, title=1.28, kind=3.22, first=1.13, led=1.29, precedes=-1.27, asks=-0.89
)
"""What each measure is worth; fitted by benchmarks/answers.py on 397 questions on 27 corpora."""


def measures(text: PassageUnits, place: int, question: Question, people: frozenset[str]) -> Measures:
    """Return what is measured of a unit; ``people`` are names of persons."""
    defines = "definition" in question.kinds
    unit, alone, size = text.units[place], text.own[place], len(question.terms)
    wide = is_wide(question)
    met = question.share(text.met(place))
    said = logged(text.said(unit)) if unit.kind == "code" and question.kind == "date" else text.said(unit)
    kind = evidence_of_kind(said, question, people, text.languages)
    asked = float(text.is_answer_below(place, question))
    headed = (
        question.share(union([text.headings_met[place], text.title_met], size)) if text.is_asked_above(place) else 0.0
    )
    below = max(asked, headed, float(text.is_below_its_name(place, question) or text.signs_as(place, question)))
    if question.kind == "version":  # a change log has it above what came with it
        coded = coded_above(text, place)
        kind = max(kind, shows_version(text.title if coded is None else text.said(text.units[coded]), question.text))
    kind = max(kind, _of_list(text, place) if wide else 0.0, below, _gives_value(text, place, question))
    lead = text.block(place)[0] - 1
    last = place + 1 == len(text.units) or not any(text.own[place + 1])
    behind = alone if last else union([alone, text.own[place + 1]], size)
    return Measures(
        own=max(question.share(text.together(place) if wide and unit.kind in ("item", "code") else alone), below),
        met=met,
        around=question.share(_around(text, place, size)),
        title=question.share(text.title_met),
        kind=kind * of_the_question(text, place, question) * min(1.0, met / ENOUGH),
        first=1 / (text.number + 1),
        led=question.share(text.own[lead]) if unit.kind in LISTED and lead >= 0 and not defines else asked,
        precedes=question.share(behind) - question.share(alone),
        asks=float(text.asks(place)),
    )


def of_the_question(text: PassageUnits, place: int, question: Question) -> float:
    """Return what the right kind of thing in a unit counts: APART where neither it nor those right before it say a word of
    the question, or it does not speak, with its context, of what is counted or named; 0 for the code of another thing."""
    if question.kind not in BESIDE_THE_QUESTION:
        return 1.0
    if not (any(text.near(place)) or text.is_asked_above(place) or _is_field_of(text, place, question)):
        return APART
    secret = question.kind == "secret"
    above = [text.headings_met[place], text.title_met]
    met = union([text.own[place], *above], len(question.terms)) if secret else text.met(place)
    said = not question.asked_for or any(met[at] >= SAID for at in question.asked_for)
    return 1.0 if said else 0.0 if secret else APART


def _is_field_of(text: PassageUnits, place: int, question: Question) -> bool:
    """Return whether a unit is a field that is called no more than a date, where one is asked for, below a title or heading that has all
    names of the question: "Date: 23 May" of what it names; "Opened: 23 May" does not say when that was closed."""
    field = FIELD.match(text.said(text.units[place])) if question.kind == "date" and question.names else None
    if not field or field["name"].casefold() not in QUESTIONS.set_of("saying_little"):
        return False
    return question.named(union([text.headings_met[place], text.title_met], len(question.terms))) == question.names


def _gives_value(text: PassageUnits, place: int, question: Question) -> float:
    """Return 1 for a line that gives a value behind the name of what is asked for, "Default: 5" where the default is, and for the row
    of a code under a heading or head of which the question has a word: "3 | wrong password" where exit code 3 is."""
    if is_keyed(place, text, question) and any(
        union([text.own[text.block(place)[0]], text.headings_met[place]], len(question.terms))
    ):
        return 1.0
    name = text.field_of(place) if question.names else ""
    if place in text.asked_fields:
        return 1.0
    if not name or not question.asks_for_field(name):
        return 0.0
    said = union([text.own[place], text.headings_met[place], text.title_met], len(question.terms))
    return float(question.share_of_words(said) >= FIELD_SHARE)


def _of_list(text: PassageUnits, place: int) -> float:
    """Return how surely a unit is of a list, where one is asked for: a row under a line that leads to it is like an item."""
    unit = text.units[place]
    lead = text.block(place)[0] - 1
    led = unit.kind == "row" and lead >= 0 and text.leads(lead)
    listed = unit.kind == "prose" and _ENUMERATES.search(text.said(unit))
    return OF_LIST["item"] if led or listed else OF_LIST.get(unit.kind, 0.0)


def _around(text: PassageUnits, place: int, size: int) -> tuple[float, ...]:
    """Return how far a unit meets each term with what is around it."""
    near = [(text.own[place + d], share) for d, share in AROUND if 0 <= place + d < len(text.units)]
    above = [
        (text.title_met, IN_TITLE),
        (text.headings_met[place], 1.0 if text.covered[place] else IN_HEADING),
        (text.met_by_block[text.units[place].block], IN_BLOCK),
    ]
    # Most units meet no word of a question.
    return union([text.own[place], *(scaled(met, share) for met, share in [*near, *above] if any(met))], size)
