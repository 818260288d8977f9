"""Which excerpts of some passages answer a question, word for word: the sentence, row, list or code that does, and what it
needs beside it to be read alone.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from pipeline.text.answering.blocks import RULE, Unit
from pipeline.text.answering.excerpt_context import KIND, WHOLE, first_name, is_wide, with_context
from pipeline.text.answering.kind_evidence import evidence_of_kind
from pipeline.text.answering.passage_units import Excerpt, PassageText, PassageUnits, length, union
from pipeline.text.answering.second_step import Onward, decides, may_have_steps, passages_onward, second_step
from pipeline.text.keys import alike, keys_of
from pipeline.text.question.analysis_words import without_analysis
from pipeline.text.question.kinds import offers_choice, refers_back
from pipeline.text.question.names import names_in
from pipeline.text.question.question import Question, Term

OWN, CONTEXT, PRIOR, EXACT = 0.4, 0.6, 0.1, 0.05
"""Of a unit's score: the share of the question that it meets itself, that it meets with its context, the first place of its
passage (a further one has PRIOR / rank), and having all its words in their form; the right kind of thing is worth KIND."""
LED, FOLLOWS, PRECEDES = 0.35, 0.1, 0.1
"""What a unit gains by the share of the question that the line above its list meets, and by what the unit before it adds to
its own; what it loses by what the unit behind it adds, which is then the answer: a sentence goes on from the one before.
Fitted on 228 questions on fifteen corpora: on a corpus left out the right unit is first in 47 of 100, without these in 44."""
OF_LIST = {"item": 0.8, "code": 0.9, "row": 0.3}
"""How surely a unit is of the kind that is asked for where that is a list or a way to do something."""
ENOUGH, FOCUS = 0.3, 0.2
"""Share of the question that a unit must meet with its context for the right kind of thing in it to count in full; what it is
worth to speak of what is asked for."""
DEFINED = 0.4
"""What it is worth to say what something is, where that is asked for: any sentence with the name meets all of the question."""
APART = 0.5
"""What the right kind of thing counts in a unit that is not about what is asked."""
QUESTION, LONE, FEW = 0.4, 0.05, 4
"""What is left of the score of a unit that only asks; what a unit of fewer than FEW words loses."""
GAIN, LINKED = 0.15, 0.25
"""Share of the question that a further excerpt beside another must add, and one elsewhere that shares a name with it."""
ALSO = 0.55
"""Share of the first excerpt's score from which another is printed, though it adds nothing that the question says."""
MOST, TRIED, LOOKED_AT = 5, 10, 60
"""Excerpts of an answer, at most; further ones that are tried, which may be too long; and candidates among which each is
looked for."""
BESIDE = 3
"""Two units of a passage that are no further apart count as beside each other."""
WORDS = 100
"""Words of an answer, at most, where its first excerpt is not longer by itself."""
SURE, SAID, UNKNOWN, SHOWN, MISSED = 0.6, 0.3, 0.4, 0.6, 0.36
"""An answer is one whose first excerpt has a score of SURE, meets SAID of what the question says besides names with its
context, and has all names beside it, where words that no passage has are at most UNKNOWN of the question; and which speaks of
a name of the question itself, or shows what is asked for with SHOWN: under the title "Ada Vane" not all is about her.
Where no kind of thing shows an answer, it misses no single word that is more than MISSED of the question.

Chosen with an eye on 235 questions on fifteen corpora, each answerable one also asked of the passages without its answer: 55 in
100 are answered rightly, 77 of 100 answers are right, and 3 of 45 questions without an answer are answered.
"""
LISTED = frozenset(OF_LIST)
NAMED = frozenset({"person", "place"})
"""Kinds of things that an answer must hold at least where it says no word of the question itself."""
REQUIRED = frozenset({"age", "contact", "date", "death", "duration", "money", "name", "number"})
"""Kinds of things that an answer must hold: what its first excerpt lacks of them is taken off its score."""


@dataclass(frozen=True)
class Selection:
    """Excerpts in the order of reading, the first the one that answers; how sure that is; and whether it is an answer."""

    excerpts: tuple[Excerpt, ...]
    sure: float
    answered: bool
    added: tuple[PassageText, ...] = ()
    """Passages that were found on the way; excerpts count them behind those given."""


class _Candidate(NamedTuple):
    text: PassageUnits
    place: int
    unit: Unit
    own: tuple[float, ...]
    met: tuple[float, ...]
    """With its context."""
    score: float


def select(
    question: Question,
    passages: Sequence[PassageText],
    people: frozenset[str] = frozenset(),
    n_words: int = WORDS,
    known: Collection[str] = (),
    onward: Onward | None = None,
    about: Collection[str] = (),
) -> Selection:
    """Choose the excerpts that answer a question; ``people`` are names of persons that the index knows, ``known`` its names
    in scripts that do not mark names. ``onward`` finds more passages for what the first excerpt leaves open, where a name in
    it leads on. With ``about`` only what speaks of one of these names is chosen, if anything does.
    """
    question = without_analysis(question)
    texts = [PassageUnits(number, passage, question) for number, passage in enumerate(passages)]
    candidates = [one for text in texts for one in _candidates(text, question, people)]
    candidates = [one for one in candidates if any(one.text.speaks_of(one.place, name) for name in about)] or candidates
    if not candidates or not question.terms:
        return Selection((), 0.0, False)
    candidates.sort(key=lambda one: (-round(one.score, 9), one.text.number, one.place))
    draft = _Draft(question, texts, people, n_words)
    first = candidates[0]
    draft.add(first, first.met)
    if may_have_steps(question, first.own):
        draft.go_on(first, known, onward)
    for _ in range(TRIED):
        if len(draft.chosen) == MOST:
            break
        candidates = [one for one in candidates if not draft.holds(one)]
        found = _next(candidates, draft)
        if found is None:
            break
        best, adds = found
        if not draft.add(best, best.met if adds else None):
            candidates.remove(best)
    return draft.selection()


class _Draft:
    """An answer under way: what was chosen, what is printed, and how far that meets the question."""

    def __init__(self, question: Question, texts: list[PassageUnits], people: frozenset[str], n_words: int) -> None:
        self.question, self.texts, self._people, self._room = question, texts, people, n_words
        self.chosen: list[_Candidate] = []
        self.excerpts: list[Excerpt] = []
        self.said = self._met = (0.0,) * len(question.terms)
        """What all that is printed meets; and what is printed to answer meets, with its context."""
        self._kind = 0.0
        self._speaks_of_names = True
        self._added: list[PassageText] = []

    def add(self, one: _Candidate, context: tuple[float, ...] | None) -> bool:
        """Print a candidate with what it needs beside it, unless it is no longer the first and does not fit; ``context`` is
        what it meets with its context where it adds to the answer."""
        excerpts = with_context(one.place, one.text, self.question, self._people, self._room)
        words = sum(map(length, self._texts_of(excerpts)))
        if self.chosen and words > self._room:
            return False
        if not self.chosen:
            self._show(excerpts, _of_the_question(one.text, one.place, self.question))
            self._speaks_of_names = self._speaks(one, union(self._met_by(excerpts), len(one.met)))
        self.chosen.append(one)
        self._print(excerpts, words)
        if context is not None:
            self._met = union([self._met, context, *self._met_by(excerpts)], len(context))
        return True

    def go_on(self, first: _Candidate, known: Collection[str], onward: Onward | None) -> None:
        """Print what goes on from the first candidate to what the question asks, where something does and it fits."""
        if onward:
            here = {text.id for text in self.texts}
            more = passages_onward(self._texts_of(self.excerpts), self.said, self.question, known, onward)
            self._added += [one for one in more if one.id not in here]
            self.texts += [PassageUnits(len(self.texts) + at, one, self.question) for at, one in enumerate(self._added)]
        step = second_step(first.text, first.place, self.texts, self.question, self._people, known)
        excerpts = [one for one in step if one not in self.excerpts]
        words = sum(map(length, self._texts_of(excerpts)))
        if not excerpts or words > self._room:
            return
        before = self.said
        self._print(excerpts, words)
        if decides(self.question, before, self.said):
            self._met = union([self._met, *self._met_by(excerpts)], len(self._met))
            self._show(excerpts)

    def _speaks(self, one: _Candidate, printed: tuple[float, ...]) -> bool:
        """Return whether what is printed speaks of a name of the question; so does a list under a heading that does, and under
        a title that does a sentence that opens with a pronoun, names nobody, and has all other words of the question."""
        question = self.question
        if not question.names or question.named(printed):
            return True
        if one.unit.kind in LISTED:
            return bool(question.named(one.text.heading_of(one.place)))
        said = one.text.said(one.unit)
        whole = any(not term.name for term in question.terms) and question.share_of_words(one.own) >= WHOLE
        own = whole and refers_back(said, one.text.languages) and not names_in(said)
        return own and bool(question.named(one.text.title))

    def holds(self, one: _Candidate) -> bool:
        """Return whether a candidate is printed."""
        number, start = one.text.number, one.unit.start
        return any(e.passage == number and e.start <= start < e.end for e in self.excerpts)

    def selection(self) -> Selection:
        """Return what was chosen, and whether it is an answer."""
        question, first = self.question, self.chosen[0]
        lacking = 1 - self._kind if question.kind in REQUIRED else 0.0
        sure = first.score - lacking
        complete = question.named(self._met) == question.names and question.share_unknown(first.met) <= UNKNOWN
        complete = complete and (self._kind >= SHOWN or self._speaks_of_names)
        missed = question.kind == "" and question.most_missed(first.met) > MISSED
        missed = missed or (question.kind in NAMED and not any(first.own) and self._kind < SHOWN)
        answered = sure >= SURE and complete and not missed and question.share_of_words(first.met) >= SAID
        order = tuple(dict.fromkeys(self.excerpts))
        return Selection(order, sure, answered or self._compares(), tuple(self._added))

    def _compares(self) -> bool:
        """Return whether what is printed speaks of all the things that a question compares; a text seldom says in
        the question's words what they are compared in."""
        several = len(self.question.names) > 1 and offers_choice(self.question.text, self.question.language)
        return several and self.question.named(self.said) == self.question.names

    def _print(self, excerpts: Sequence[Excerpt], words: int) -> None:
        self.excerpts += excerpts
        self._room -= words
        self.said = union([self.said, *self._met_by(excerpts)], len(self.said))

    def _show(self, excerpts: Sequence[Excerpt], share: float = 1.0) -> None:
        """Enter how surely excerpts hold the kind of thing that is asked for, counted by a share."""
        kinds = (
            evidence_of_kind(text, self.question, self._people, self.texts[one.passage].languages)
            for one, text in zip(excerpts, self._texts_of(excerpts), strict=True)
        )
        self._kind = max(self._kind, *(share * kind for kind in kinds))

    def _met_by(self, excerpts: Iterable[Excerpt]) -> list[tuple[float, ...]]:
        return [self.question.met_by(text) for text in self._texts_of(excerpts)]

    def _texts_of(self, excerpts: Iterable[Excerpt]) -> list[str]:
        return [self.texts[e.passage].text[e.start : e.end] for e in excerpts]


def _exact(question: Question, said: str) -> float:
    """Return the share of a question's words, and of its pairs of neighbouring words, that a text has in the same form: of
    "crowned" and "crown" the first answers who crowned somebody."""
    parts = _words_and_pairs(question.terms, question.text)
    written = said.casefold()
    return sum([part in written for part in parts]) / len(parts) if parts else 0.0


@lru_cache(maxsize=64)
def _words_and_pairs(terms: tuple[Term, ...], text: str) -> tuple[str, ...]:
    tokens = text.casefold().rstrip("?？ ").split()
    words = (term.word.casefold() for term in terms if not term.name)
    return *words, *(f"{one} {other}" for one, other in pairwise(tokens))


def _candidates(text: PassageUnits, question: Question, people: frozenset[str]) -> list[_Candidate]:
    wide = is_wide(question)
    worth = DEFINED if "definition" in question.kinds else KIND
    found = []
    for place, unit in enumerate(text.units):
        said = text.said(unit)
        if unit.kind == "heading" or RULE.match(said) or not any(c.isalnum() for c in said):
            continue
        if unit.kind == "row" and place + 1 < len(text.units):
            below = text.said(text.units[place + 1])
            if RULE.match(below) or below.startswith(first_name(said)):
                continue
        met = text.met(place)
        kind = max(evidence_of_kind(said, question, people, text.languages), _of_list(text, place) if wide else 0.0)
        own = text.together(place) if wide and unit.kind in ("item", "code") else text.own[place]
        kind *= _of_the_question(text, place, question)
        share = question.share(met)
        score = OWN * question.share(own) + CONTEXT * share + worth * kind * min(1.0, share / ENOUGH)
        score += PRIOR / (text.number + 1) + EXACT * _exact(question, said)
        score += FOCUS * _focus(own if wide else met, question)
        score += _beside(text, place, question)
        if not any(own) and not kind:
            score -= KIND
        if text.asks(place):
            score *= QUESTION
        if length(said) < FEW:
            score -= LONE
        found.append(_Candidate(text, place, unit, text.own[place], met, score))
    return found


def _of_the_question(text: PassageUnits, place: int, question: Question) -> float:
    """Return what the right kind of thing in a unit counts: APART where neither it nor those right before it say a word of
    the question."""
    return 1.0 if question.kind not in REQUIRED or any(text.near(place)) else APART


def _of_list(text: PassageUnits, place: int) -> float:
    """Return how surely a unit is of a list, where one is asked for: a row under a line that leads to it is like an item."""
    unit = text.units[place]
    lead = text.block(place)[0] - 1
    led = unit.kind == "row" and lead >= 0 and text.leads(lead)
    return OF_LIST["item"] if led else OF_LIST.get(unit.kind, 0.0)


def _beside(text: PassageUnits, place: int, question: Question) -> float:
    """Return what a unit gains and loses by what is said right before and behind it."""
    own, size = text.own[place], len(question.terms)
    share = question.share(own)
    lead = text.block(place)[0] - 1
    gain = LED * question.share(text.own[lead]) if text.units[place].kind in LISTED and lead >= 0 else 0.0
    if place:
        gain += FOLLOWS * (question.share(union([own, text.own[place - 1]], size)) - share)
    if place + 1 < len(text.units):
        gain -= PRECEDES * (question.share(union([own, text.own[place + 1]], size)) - share)
    return gain


def _focus(met: Sequence[float], question: Question) -> float:
    """Return how far a unit speaks of what is asked for, 0 to 1: of firms where the question is which firms gave a price."""
    return max((m for term, m in zip(question.terms, met, strict=True) if term.key == question.focus), default=0.0)


def _next(candidates: Sequence[_Candidate], draft: _Draft) -> tuple[_Candidate, bool] | None:
    """Return the candidate to print next, and whether it adds to what those before say of the question: what is connected
    with them and adds first, then what is nearly as good by itself."""
    question, chosen = draft.question, draft.chosen
    several = offers_choice(question.text, question.language) or question.kind == "list"
    asked = question.text.casefold()
    names = {name for one in chosen for name in names_in(one.text.said(one.unit)) if name.casefold() not in asked}
    before = [keys_of(one.text.said(one.unit), question.language) for one in chosen]
    named, whole = question.named(chosen[0].own), question.share(chosen[0].own) >= WHOLE
    said_before = question.share(draft.said)
    best: tuple[float, _Candidate, bool] | None = None
    for one in candidates[:LOOKED_AT]:
        said = one.text.said(one.unit)
        keys = keys_of(said, question.language)
        if any(alike(keys, other) for other in before):
            continue
        gain = question.share(union([draft.said, one.own], len(one.own))) - said_before
        linked = any(name in said for name in names)
        beside = any(one.text is other.text and abs(one.place - other.place) <= BESIDE for other in chosen)
        adds = (gain >= GAIN and beside) or (gain >= LINKED and linked)
        as_good = one.score >= (ALSO - 0.1 * several) * chosen[0].score
        near = one.text.near(one.place) if as_good else one.own
        as_good = as_good and (not named or named <= question.named(near))
        as_good = as_good and (not whole or question.share_of_words(one.own) >= ALSO)
        if adds or as_good:
            value = (gain + 0.1 * linked) * adds + 0.6 * one.score
            if best is None or value > best[0]:
                best = value, one, adds
    return best[1:] if best else None
