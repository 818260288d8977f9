"""Which excerpts of some passages answer a question, word for word: the sentence, row, list or code that does, and what it
needs beside it to be read alone.
"""

import math
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from pipeline.text.answering.blocks import RULE, Kind, Unit
from pipeline.text.answering.coded_headings import CodedHeadings, coded_above
from pipeline.text.answering.decision import FARTHEST, FEW_PASSAGES, LEAST, AnswerSigns
from pipeline.text.answering.excerpt_context import LISTED, first_name, is_keyed, is_wide, with_context, with_least
from pipeline.text.answering.kind_evidence import (
    asks_for_bearer,
    asks_who,
    defines,
    does_another,
    evidence_of_kind,
    logged,
)
from pipeline.text.answering.passage_units import Excerpt, PassageText, PassageUnits, scaled, union, unquoted
from pipeline.text.answering.second_step import Onward, decides, may_have_steps, passages_onward, second_step
from pipeline.text.answering.unit_score import REQUIRED, SAID, measures, of_the_question
from pipeline.text.attribution import is_entry_head
from pipeline.text.keys import alike, content_keys, key_of, keys_of
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.question.analysis_words import asks_for_analysis, without_analysis
from pipeline.text.question.asked_for import nouns_of
from pipeline.text.question.kinds import goes_on, refers_back, speaks_of_itself
from pipeline.text.question.names import WORD, names_in
from pipeline.text.question.question import EVENTS, RELATED, Question
from pipeline.text.question.scope.document_questions import asks_latest
from pipeline.text.question.who_it_is import ADDRESSED
from pipeline.text.scripts import is_unspaced, words_of
from pipeline.text.sentences import split
from pipeline.text.tokenizer import length

LOOKED_AT = 40
"""Candidates among which further excerpts are looked for, which may be too long."""
MOST, WORDS = 8, 110
"""Excerpts of an answer that are chosen, at most, and its words where the first one is not longer by itself. On six corpora
that nothing was fitted on, 110 words hold what is accepted in 77 of 129 cases, 90 words in 71."""
ENOUGH, TOO_LITTLE = 0.95, 0.0042
"""Likelihood of what is printed from which no more is, and, for each word and as a share of the first excerpt's, that of one which
is not: long sentences must be likelier than short ones."""
GAP_WORDS = 25
"""Words of a sentence between two that are printed up to which it is printed too."""
FEW_OTHERS = 3
"""Words besides names of a line that is a list of names."""
FEW = 8
"""Words of a unit that are few: a still shorter one says too little to be printed before others."""
BARE = 2
"""Words of a unit that say nothing by themselves."""
LINK = re.compile(r"\W*https?://\S+$")
"""A unit that is the address of a page, and nothing else."""
_RIGHTS = re.compile(r"\W*(?:\(c\)(?=.*\b(?:19|20)\d\d\b)|©|copyright\b)[^\n]{0,80}$", re.IGNORECASE)
"""A line that says who holds the rights; "(c)" without a year is the third item of a list."""
_STATING = re.compile(r"(?=(?:\S+\s+){5})[^#*_=\n]*\w, \w[^\n]*\d")
"""A line without a full stop that says something by itself, in several parts and with a number: "Ada Thorne, born 14/02/1951,
retired"."""
OF_CHANGES = frozenset({"date", "version"})
"""Kinds of things that the heading of a version says of all that is below it."""
LATER = 1.0
"""What the latest of some passages is worth, where a question asks for the latest state; the earliest nothing, others between."""
OF_SIGNATURES = frozenset({"contact", "date", "definition", "person", "place"})
"""Kinds of things that the signature below a mail may give."""
AMOUNTS = frozenset({"money", "number"})
"""Kinds of things that a question asks for of its first noun, "How much was the fine?": other figures are no answer."""
_THOSE_PRESENT = re.compile(r"\W*[^\W\d_][\w ]{0,24}:\s")
"""How a line begins that may list names behind a word for what they are: "Present:"."""
OF_ENTRIES = frozenset({"contact", "date", "definition", "person"})
"""Kinds of things that the line above an entry of a log may give."""


@dataclass(frozen=True)
class Selection:
    """Excerpts in the order of reading, and whether they are an answer; what shows that, and whether they are about what is asked."""

    excerpts: tuple[Excerpt, ...]
    answered: bool
    added: tuple[PassageText, ...] = ()
    """Passages that were found on the way; excerpts count them behind those given."""
    signs: AnswerSigns | None = None
    about: bool = False
    first: Kind | None = None
    """What the likeliest of the excerpts is; None where there are none."""
    likely: tuple[tuple[int, int, float], ...] = ()
    """Of each unit that may answer, the likeliest first, its passage, its start in that and how likely it does, as a share of all."""


class _Candidate(NamedTuple):
    text: PassageUnits
    place: int
    unit: Unit
    score: float
    likely: float
    """Likelihood that it answers, as a share of that of all candidates."""

    @property
    def own(self) -> tuple[float, ...]:
        """How far it meets each term by itself."""
        return self.text.own[self.place]

    @property
    def said(self) -> str:
        return self.text.said(self.unit)

    @property
    def for_its_words(self) -> float:
        """How likely it answers for the room that it takes: of two that are as likely the shorter one leaves room for a third."""
        return self.likely / math.sqrt(self.words)

    @property
    def words(self) -> int:
        """Its words, and FEW where it has fewer."""
        return max(length(self.said), FEW)


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
    if not question.terms:
        return Selection((), False)
    texts = [PassageUnits(number, passage, question) for number, passage in enumerate(passages)]
    candidates = [one for text in texts for one in _candidates(text, question, people)]
    candidates = [one for one in candidates if _speaks_of(one, about, question)] or candidates
    if asks_latest(question):
        later = _lateness(texts)
        candidates = [one._replace(score=one.score + LATER * later.get(one.text.date, 0.0)) for one in candidates]
    coded = CodedHeadings(question.text, texts)
    candidates = [one for one in candidates if not coded.leave_out(one.text, one.place)]
    originals = {" ".join(one.said.split()) for one in candidates}
    candidates = [one for one in candidates if not one.said.startswith(">") or _unquoted(one.said) not in originals]
    if not question.asks_what_is_said:  # what somebody was asked in the mail that is quoted says nothing
        candidates = [one for one in candidates if not (one.text.is_quoted(one.place) and one.text.asks(one.place))]
    candidates = [one._replace(score=one.score + _worth_of_place(one, question)) for one in candidates]
    if not candidates:
        return Selection((), False)
    best = max(one.score for one in candidates)
    total = sum(math.exp(one.score - best) for one in candidates)
    candidates = [one._replace(likely=math.exp(one.score - best) / total) for one in candidates]
    candidates.sort(key=lambda one: (-round(one.score, 9), one.text.number, one.place))
    draft = _Draft(question, texts, people, n_words, candidates, coded)
    draft.add(candidates[0])
    named = question.named(candidates[0].text.met(candidates[0].place))
    if question.asks_difference:
        draft.add_sides()
        named = frozenset()
    elif (
        may_have_steps(question, candidates[0].own) and not question.numbers
    ):  # what another version says is no second step
        draft.go_on(candidates[0], known, onward)
        named = frozenset()
    further = [one for one in candidates[1:LOOKED_AT] if one.likely >= TOO_LITTLE * one.words * candidates[0].likely]
    # What says less of the names than the first is about something else; somebody's question without its reply says nothing.
    further = [one for one in further if question.named(one.text.met(one.place)) >= named]
    further = [one for one in further if not _is_bare_word(one, candidates[0])]
    places = {(one.text.number, one.place) for one in further}
    further = [one for one in further if not one.text.asks(one.place) or (one.text.number, one.place + 1) in places]
    for one in sorted(further, key=lambda one: -round(one.for_its_words, 9)):
        if len(draft.chosen) == MOST or draft.likely >= ENOUGH:
            break
        draft.add(one)
    draft.close_gaps()
    return draft.selection()


HEADED = 2.0
"""What a unit gains, a logarithm of likelihood, that is below a heading on just what the question asks of."""
QUOTED = 0.5
"""What a unit loses, a logarithm of likelihood, that a mail quotes: the mail that said it says it better, and the answer is above it."""
SIDES = 2
"""Things whose difference a question asks for."""
HALF = 0.5
"""Share of a question that a sentence says which leaves open what it asks, at least."""
NEAR_ARTICLE = 3
"""Words before a noun among which its article is."""
TELLING = re.compile(r"[\d\"“”„«»:]")
"""What a sentence has that may say which one: a number, a quotation, a colon."""
OF_EVENT = 2
"""Words besides names of a question that asks when somebody was born or died, at most: the event and whose."""
WHOLE = 0.9
"""Share of a question that a sentence says itself, from which on the day in the heading above it is when that was."""


class _Draft:
    """An answer under way: what was chosen, what is printed, and how far that meets the question."""

    def __init__(
        self,
        question: Question,
        texts: list[PassageUnits],
        people: frozenset[str],
        n_words: int,
        candidates: Sequence[_Candidate],
        coded: CodedHeadings,
    ) -> None:
        self.question, self.texts, self._people, self._room = question, texts, people, n_words
        self._candidates, self._coded = candidates, coded
        self.chosen: list[_Candidate] = []
        self.excerpts: list[Excerpt] = []
        self.said = (0.0,) * len(question.terms)
        """What all that is printed meets."""
        self.likely = 0.0
        """Likelihood of what is printed."""
        self._told = False
        """Whether the heading of a code that the question names says what it asks: the day of a version."""
        self._below: tuple[int, int] | None = None
        """The passage and place of the heading of a version that is printed since it answers."""
        self._kind = self._headed = 0.0
        """How surely what is printed, and the heading that is printed above the first, holds the kind of thing that is asked for."""
        self._added: list[PassageText] = []

    def add(self, one: _Candidate) -> None:
        """Print a candidate with what it needs beside it, or with the least of that where only it fits, unless it is printed or
        says nearly what is, or is of another version than the one whose heading answers, or of another code than the row that does."""
        if (self._below and self._is_of_another_version(one)) or self._is_of_another_key(one):
            return
        if self._holds(one) or any(alike(self._keys(one), self._keys(other)) for other in self.chosen):
            return
        opens = not self.chosen
        excerpts = self._new(with_context(one.place, one.text, self.question, opens))
        above = self._answering_heading(one, excerpts) if opens else []
        excerpts = [*self._new(above or self._heading_needed(one, excerpts)), *excerpts]
        if not opens and not self._fit(excerpts):
            excerpts = self._new(with_least(one.place, one.text))
        if opens:
            alone = self.question.kind == "secret"  # what is beside it may give the code of another thing
            shown = [one.text.excerpt(one.place)] if alone else excerpts
            self._show(shown, of_the_question(one.text, one.place, self.question))
        elif not excerpts or not self._fit(excerpts):
            return
        self.chosen.append(one)
        self._print(excerpts)

    def _is_of_another_version(self, one: _Candidate) -> bool:
        coded = coded_above(one.text, one.place)
        return coded is not None and self._below != (one.text.number, coded)

    def _is_of_another_key(self, one: _Candidate) -> bool:
        """Return whether a candidate is a row beside the one whose first cell the question says, an item beside the one that the
        question names, or a field that is asked for of something of which the question says less than of whose field the first is."""
        first = next(iter(self.chosen), None)
        if first is None or is_wide(self.question):
            return False
        beside = one.text is first.text and one.unit.block == first.unit.block
        if first.place in first.text.asked_fields:
            is_asked = one.place in one.text.asked_fields
            less = is_asked and self.question.share(one.own) < self.question.share(first.own)
            return less or (beside and one.unit.kind == "item" and bool(one.text.field_of(one.place)) and not is_asked)
        if one.unit.kind != "row":
            return False
        return (
            beside
            and is_keyed(first.place, first.text, self.question)
            and not is_keyed(one.place, one.text, self.question)
        )

    def _answering_heading(self, one: _Candidate, excerpts: Sequence[Excerpt]) -> list[Excerpt]:
        """Return the heading above a candidate where it has the code that the question names, or says what the question asks of
        something that it or the candidate names, and the excerpts do not: a change log has versions and days in its headings, a
        diary days."""
        question, coded = self.question, self._coded.heading_of(one.text, one.place)
        of_change = coded_above(one.text, one.place) if question.kind in OF_CHANGES else None
        place = next((at for at in (coded, of_change, one.text.heading_places[one.place]) if at is not None), None)
        if place is None:
            return []
        heading = one.text.excerpt(place)
        is_dated = question.kind == "date" and question.share(one.own) >= WHOLE
        is_of_what_is_asked = coded is not None or of_change is not None or is_dated or any(one.text.own[place])
        if question.kind not in REQUIRED or not is_of_what_is_asked:
            return [heading] if coded is not None else []
        kinds = [
            evidence_of_kind(said, question, self._people, one.text.languages)
            for said in self._texts_of([heading, *excerpts])
        ]
        self._told = coded is not None and kinds[0] == 1.0
        self._kind = float(self._told or ((of_change is not None or is_dated) and kinds[0] == 1.0))
        if coded is None and kinds[0] <= max(kinds[1:]):
            return []
        self._below = (one.text.number, of_change) if of_change is not None else None
        self._headed = kinds[0]
        return [heading]

    def _heading_needed(self, one: _Candidate, excerpts: Sequence[Excerpt]) -> list[Excerpt]:
        """Return the heading above a candidate that cannot be read without the name that it has: "Enable this option ...", a value that is
        alone below it, or one of two things whose difference is asked for; unless the question says that name."""
        text, place = one.text, one.text.heading_places[one.place]
        if place is None or not excerpts or one.unit.kind != "prose":  # an item has its name in itself
            return []
        if self.question.asks_difference:
            return [text.excerpt(place)] if text.is_below_its_name(one.place, self.question) else []
        points = QUESTIONS.pattern("of_its_heading", *text.languages)
        needs = text.is_value(one.place) or any(points.search(said) for said in self._texts_of(excerpts))
        return [text.excerpt(place)] if needs and not self.question.covers(text.said(text.units[place])) else []

    def add_sides(self) -> None:
        """Print what opens the sections of the two things whose difference is asked for, and of one that has none the candidate that says
        best what belongs to its name."""
        below = [one for one in self._candidates if one.text.is_below_its_name(one.place, self.question)]
        for one in below[:SIDES]:
            self.add(one)
        said = union([self.said, *(one.text.headings_met[one.place] for one in self.chosen)], len(self.said))
        for name in sorted(self.question.names - self.question.named(said)):
            of = (one for one in self._candidates if name in self.question.named(one.own))
            if best := next(of, None):
                self.add(best)

    def go_on(self, first: _Candidate, known: Collection[str], onward: Onward | None) -> None:
        """Print what goes on from the first candidate to what the question asks, where something does and it fits."""
        if onward:
            here = {text.id for text in self.texts}
            more = passages_onward(self._texts_of(self.excerpts), self.said, self.question, known, onward)
            self._added += [one for one in more if one.id not in here]
            self.texts += [PassageUnits(len(self.texts) + at, one, self.question) for at, one in enumerate(self._added)]
        step = second_step(first.text, first.place, self.texts, self.question, self._people, known)
        excerpts = self._new(step)
        if not excerpts or not self._fit(excerpts):
            return
        before = self.said
        self._print(excerpts)
        if decides(self.question, before, self.said):
            self._show(excerpts)

    def close_gaps(self) -> None:
        """Print the one sentence that is left out between two sentences of a paragraph which are printed, where it is short: what is read
        with both of them may be what they lead to."""
        printed = {(one.passage, one.start) for one in self.excerpts}
        for text in self.texts:
            for place in range(1, len(text.units) - 1):
                before, unit, behind = text.units[place - 1 : place + 2]
                if unit.kind == before.kind == behind.kind == "prose" and unit.block == before.block == behind.block:
                    number = text.number
                    is_gap = {(number, before.start), (number, behind.start)} <= printed and (
                        number,
                        unit.start,
                    ) not in printed
                    if is_gap and length(text.said(unit)) <= GAP_WORDS:
                        self._print(self._new([text.excerpt(place)]))

    def selection(self) -> Selection:
        """Return what was chosen, and whether it is an answer."""
        signs = self._signs()
        about = self._told or self._compares() or self._is_about()
        answered = about and signs.likelihood >= LEAST
        likely = tuple((one.text.number, one.unit.start, one.likely) for one in self._candidates)
        first = self.chosen[0].unit.kind
        return Selection(tuple(self._in_order()), answered, tuple(self._added), signs, about, first, likely)

    def _is_about(self) -> bool:
        """Return whether the first excerpt speaks of all names of the question with its context, and what is printed of each name
        that no passage has. A question whether something is so is answered only by what says one of the names itself or follows
        right behind it."""
        question, first = self.question, self.chosen[0]
        met = first.text.met(first.place)
        if QUESTIONS.pattern("yes_or_no", question.language).match(question.text) and question.names:
            near = union([first.text.near(first.place), first.text.headings_met[first.place]], len(met))
            if not question.named(near):
                return False
        unknown = question.unknown_names - question.named(self.said)
        if (
            unknown
            or self._lacks_its_nouns()
            or self._is_of_another()
            or self._lacks_its_event()
            or self._leaves_open()
            or self._only_hears()
        ):
            return False
        return question.named(met) == question.names

    def _is_of_another(self) -> bool:
        """Return whether all that is printed tells what the question asks of somebody whom it names alone, of another one: "Ben resigned,
        Ada was there" does not say why Ada resigned."""
        question = self.question
        words = [term for term in question.terms if not term.name]
        if len(words) != 1 or len(question.names) != 1 or question.terms[-1] != words[0]:  # "Who founded Caen?"
            return False
        said = [text for text in self._texts_of(self.excerpts) if words[0].key in keys_of(text, question.language)]
        return bool(said) and all(does_another(text, words[0].key, question) for text in said)

    def _only_hears(self) -> bool:
        """Return whether a question asks who somebody is, and all that is printed with the name is what is said by that one or to them:
        neither "Come in," said Ada, nor "Well, Ada, come in" tells that."""
        question = self.question
        if not question.names or not {"definition", "person"} <= set(question.kinds):
            return False
        said = self._texts_of(self.excerpts)
        naming = [text for text in said if question.named(question.met_by(text))]
        others = [text for text in said if text not in naming]
        languages = frozenset({question.language})
        is_heard = bool(naming) and all(defines(text, question) <= ADDRESSED for text in naming)
        return is_heard and not any(goes_on(text, languages) for text in others)

    def _leaves_open(self) -> bool:
        """Return whether a question asks which one of something, and the first excerpt says most of it and only that there is one: "They hired
        a boat in spring" does not say which boat they hired in spring. A name, a number or what is quoted may say it."""
        question, first = self.question, self.chosen[0]
        which = QUESTIONS.pattern("which", question.language).search(question.text)
        noun = WORD.match(question.text, which.end() + 1) if which else None
        if noun is None or is_wide(question) or question.share(first.own) < HALF:
            return False
        key, asked = key_of(noun[0], question.language), question.text.casefold()
        sentences = [first.said[start:end] for start, end in split(first.said)]
        having = [one for one in sentences if key in keys_of(one, question.language)]
        return bool(having) and not any(
            TELLING.search(one)
            or any(name.casefold() not in asked for name in names_in(one))
            or not self._has_indefinite(one, key)
            for one in having
        )

    def _has_indefinite(self, sentence: str, key: str) -> bool:
        """Return whether a sentence says a noun, by its key, only behind an indefinite article."""
        language = self.question.language
        places = [at for at in WORD.finditer(sentence) if key_of(at[0], language) == key]
        article = QUESTIONS.pattern("one", language)
        near = [sentence[: at.start()].split()[-NEAR_ARTICLE:] for at in places]
        return bool(near) and all(any(map(article.fullmatch, words)) for words in near)

    def _lacks_its_event(self) -> bool:
        """Return whether a question asks when somebody was born or died, and nothing printed speaks of a birth or of a death: other days
        of somebody's life are in many texts. Other events have too many words for them; one that a question of several words says by the
        way ("When did the man who was born in Caen move?") is not asked for."""
        question = self.question
        others = 0 if is_unspaced(question.text[:1]) else sum(not term.name for term in question.terms)
        if question.kind != "date" or others > OF_EVENT:
            return False
        texts = [
            (text, self.texts[one.passage].languages)
            for one, text in zip(self.excerpts, self._texts_of(self.excerpts), strict=True)
        ]
        for event in EVENTS:
            asked = QUESTIONS.pattern(event, question.language).search(question.text)
            if asked and not any(QUESTIONS.pattern(event, *languages).search(text) for text, languages in texts):
                words = [] if is_unspaced(asked[0]) else asked[0].casefold().split()
                places = [at for at, term in enumerate(question.terms) if term.word.casefold() in words]
                return not any(self.said[at] >= RELATED for at in places)
        return False

    def _lacks_its_nouns(self) -> bool:
        """Return whether neither any passage nor what is printed has a noun of the question: "Ada Thorne built the pier" does not say
        who built the lighthouse. Where no passage has any of its words, all but verbs are taken for nouns. Of one that asks for an
        amount the first is enough: the fine in "How much was the fine for the boat?"."""
        question = self.question
        words = [at for at, term in enumerate(question.terms) if not term.name]
        lacking = [at for at in words if not question.terms[at].known and self.said[at] < SAID]
        nouns = nouns_of(question.text, question.language)
        places = {at for at in words if question.terms[at].word.casefold() in nouns}
        if len(words) > 1 and not question.names and not any(question.terms[at].known for at in words):
            places |= {
                at for at in words if question.terms[at].word.casefold() not in words_of(question.language).verbs
            }
        first = min((at for at in words if question.terms[at].word.casefold() in nouns), default=-1)
        if question.kind in AMOUNTS and first in lacking and not question.asked_for:
            return True
        if first in lacking and self._asks_who_did():
            return True
        return bool(places) and places <= {*lacking}

    def _asks_who_did(self) -> bool:
        """Return whether a question opens with who did something: "Who played the fiddle?"."""
        question = self.question
        word = WORD.match(question.text)
        persons = QUESTIONS.pattern("asks_person", question.language)
        return question.kind == "person" and word is not None and bool(persons.fullmatch(word[0]))

    def _in_order(self) -> list[Excerpt]:
        """Return the excerpts as they are read: as they were chosen, but a neighbour of one that is printed beside it, and what
        is of one list or table in the order of the text, and items of a passage also where sentences part them; what introduces a list
        before it. No other prose comes before the first, which answers, but for a question that it answers, and the
        sentences right before it where it cannot be read without them: it refers back, or somebody says it of himself."""
        found: list[Excerpt] = []
        excerpts = self._in_stretches()
        leading = [one for one in excerpts if any(self._leads(one, other) for other in excerpts)]
        for one in (one for one in excerpts if one not in leading):
            text = self.texts[one.passage].text
            beside = [
                at
                for at, other in enumerate(found)
                if other.passage == one.passage
                and (
                    (other.kind == one.kind and one.kind == "item")
                    or (
                        other.block == one.block
                        and (
                            one.kind in LISTED
                            or not text[min(one.end, other.end) : max(one.start, other.start)].strip()
                        )
                    )
                )
            ]
            before = [at for at in beside if found[at].start < one.start]
            may_be_first = one.kind in LISTED or self._compares()
            if before:
                found.insert(before[-1] + 1, one)
            elif beside and (beside[0] or may_be_first):
                found.insert(beside[0], one)
            else:
                found.append(one)
        runs = groupby(found[1:], lambda one: (one.passage, one.block))
        found[1:] = [one for _, run in runs for one in sorted(run, key=lambda one: one.start)]
        for one in dict.fromkeys(leading):
            found.insert(next(at for at, other in enumerate(found) if self._leads(one, other)), one)
        return found

    def _in_stretches(self) -> list[Excerpt]:
        """Return the excerpts as they were chosen, but sentences right behind each other in the order of the text; the first stays
        first unless it cannot be read alone or answers a question right before it."""
        found: dict[Excerpt, None] = {}
        for one in self.excerpts:
            stretch = self._stretch(one) if one.kind == "prose" else [one]
            found |= dict.fromkeys(stretch if found or self._follows(one, stretch) else [one, *stretch])
        return list(found)

    def _follows(self, one: Excerpt, stretch: Sequence[Excerpt]) -> bool:
        """Return whether a sentence cannot be read without what is before it in its stretch, or answers a question right before it."""
        text, at = self.texts[one.passage], stretch.index(one)
        asked = at > 0 and text.asks(text.place_of(stretch[at - 1]))
        return asked or _leans(text.text[one.start : one.end], text.languages)

    def _stretch(self, one: Excerpt) -> list[Excerpt]:
        """Return a sentence with the excerpts right before and right behind it in its block, in the order of the text."""
        of_block = sorted(
            {other for other in self.excerpts if (other.passage, other.block) == (one.passage, one.block)},
            key=lambda other: other.start,
        )
        text, found = self.texts[one.passage].text, list[Excerpt]()
        for other in of_block:
            if found and text[found[-1].end : other.start].strip():
                if one in found:
                    break
                found = []
            found.append(other)
        return found

    def _leads(self, one: Excerpt, other: Excerpt) -> bool:
        return one.passage == other.passage and self.texts[one.passage].leads_to(one, other)

    def _signs(self) -> AnswerSigns:
        question, first = self.question, self.chosen[0]
        said = union([self.said, first.text.title_met], len(self.said))
        others = [one.score for one in self._candidates if one.text is not first.text]
        whole = self._told or self._compares()
        together = 1.0 if whole else max(map(self._joined, filter(self._holds, self._candidates)))
        return AnswerSigns(
            printed=1.0 if asks_for_analysis(question) else self.likely,
            ahead=min(max(first.score - max(others, default=first.score), 0.0), FARTHEST),
            together=together,
            lacking=self._lacking(),
            number=float(
                not self._told
                and any(t.word.isdigit() and m < RELATED for t, m in zip(question.terms, said, strict=True))
            ),
            length=math.log(length(first.said)),
            best=first.score,
            scattered=self._scattered(),
        )

    def _scattered(self) -> float:
        """Return from how many passages beyond few the excerpts are, where nothing but single words ties them to the question: it names
        nothing, or asks why and they give no cause, asks for no kind of thing that they show, and for no list, whose items may be in
        many."""
        question = self.question
        unexplained = question.kind == "cause" and not any(map(self._shown, self.excerpts))
        tied = (
            (question.names and not unexplained)
            or question.kind in REQUIRED
            or is_wide(question)
            or question.offers_choice
        )
        return 0.0 if tied else float(max(len({one.passage for one in self.excerpts}) - FEW_PASSAGES, 0))

    def _lacking(self) -> float:
        """Return how far what is printed lacks the kind of thing that an answer must hold; who did something is at least somebody."""
        question = self.question
        if question.kind in REQUIRED or asks_for_bearer(question):
            return 1 - self._kind
        return float(asks_who(question) and not self._kind and not any(map(self._may_mean_somebody, self.excerpts)))

    def _may_mean_somebody(self, one: Excerpt) -> bool:
        """Return whether an excerpt may tell of somebody without a name that shows it: by a pronoun, or in a script without capitals. "We
        asked them to leave" says who did, and not who they are."""
        text = self.texts[one.passage]
        said = text.text[one.start : one.end]
        back = refers_back(said, text.languages) or goes_on(said, text.languages)
        return is_unspaced(said) or (back if self.question.kind == "definition" else _leans(said, text.languages))

    def _compares(self) -> bool:
        """Return whether what is printed speaks of all the things that a question compares; a text seldom says in
        the question's words what they are compared in."""
        several = len(self.question.names) > 1 and self.question.offers_choice
        return several and self.question.named(self.said) == self.question.names

    def _joined(self, one: _Candidate) -> float:
        """Return how far a unit both says, with those beside it, what the question says, and holds what an answer must: a sentence on the
        boat and another one with a sum do not say what the boat cost."""
        together = self._together(one)
        if not together or self.question.kind not in REQUIRED:
            return together
        return min(together, max(self._headed, self._shown(one.text.excerpt(one.place))))

    def _together(self, one: _Candidate) -> float:
        """Return the share of the names, and of the other words, whichever is less, that a unit says with those beside it; its
        heading and the title may say the names for it, and the heading, or the subject of a mail, half of the words. A row of a table
        leaves all that to its head, heading and title. Words that no passage has weigh as much as the rarest known one."""
        row = one.unit.kind == "row"
        near = one.text.own[max(one.place - 1, 0) : one.place + 2]
        met = union([*near, one.text.own[one.text.block(one.place)[0]]] if row else near, len(self.question.terms))
        under_title = float(row or bool(one.text.by))
        heading = union([one.text.headings_met[one.place], scaled(one.text.title_met, under_title)], len(met))
        names, under = self.question.names, union([met, heading, one.text.title_met], len(met))
        named = len(self.question.named(under)) / len(names) if names else 1.0
        said = union([met, scaled(heading, 1.0 if row else 0.5)], len(met))
        return min(named, self.question.share_of_words(said), 1 - self.question.share_unknown(said))

    def _holds(self, one: _Candidate) -> bool:
        number, start = one.text.number, one.unit.start
        return any(e.passage == number and e.start <= start < e.end for e in self.excerpts)

    def _keys(self, one: _Candidate) -> frozenset[str]:
        return keys_of(one.said, self.question.language)

    def _new(self, excerpts: Iterable[Excerpt]) -> list[Excerpt]:
        """Return those of some excerpts that are not printed; chunks overlap, and a sentence is printed once."""
        printed = {
            text for text, one in zip(self._texts_of(self.excerpts), self.excerpts, strict=True) if one.kind == "prose"
        }
        new = [one for one in excerpts if one not in self.excerpts]
        return [one for one, text in zip(new, self._texts_of(new), strict=True) if text not in printed]

    def _fit(self, excerpts: Iterable[Excerpt]) -> bool:
        return sum(map(length, self._texts_of(excerpts))) <= self._room

    def _print(self, excerpts: Sequence[Excerpt]) -> None:
        self.excerpts += excerpts
        self._room -= sum(map(length, self._texts_of(excerpts)))
        self.said = union([self.said, *self._met_by(excerpts)], len(self.said))
        self.likely = sum(one.likely for one in self._candidates if self._holds(one))

    def _show(self, excerpts: Sequence[Excerpt], share: float = 1.0) -> None:
        """Enter how surely excerpts hold the kind of thing that is asked for, counted by a share."""
        for one in excerpts:
            text, place = self.texts[one.passage], self.texts[one.passage].place_of(one)
            if self.question.kind == "date" or not text.introduces_mail(place):
                self._kind = max(self._kind, min(share, of_the_question(text, place, self.question)) * self._shown(one))

    def _shown(self, one: Excerpt) -> float:
        """Return how surely an excerpt holds the kind of thing that is asked for."""
        question, text = self.question, self.texts[one.passage]
        place, said = text.place_of(one), text.text[one.start : one.end]
        said = logged(said) if one.kind == "code" and question.kind == "date" else said
        kind = evidence_of_kind(said, question, self._people, text.languages)
        gives_time = question.kind == "duration" and place in text.asked_fields
        if (gives_time and kind and any(map(str.isdigit, said))) or text.is_answer_below(place, question):
            return 1.0
        return kind

    def _met_by(self, excerpts: Iterable[Excerpt]) -> list[tuple[float, ...]]:
        return [self.question.met_by(text) for text in self._texts_of(excerpts)]

    def _texts_of(self, excerpts: Iterable[Excerpt]) -> list[str]:
        return [self.texts[e.passage].text[e.start : e.end] for e in excerpts]


def _candidates(text: PassageUnits, question: Question, people: frozenset[str]) -> list[_Candidate]:
    return [
        _Candidate(text, place, text.units[place], measures(text, place, question, people).score, 0.0)
        for place in range(len(text.units))
        if may_answer(text, place)
        and (question.kind == "date" or not text.introduces_mail(place))
        and not _only_names(text, place, question)
        and (question.kind in OF_SIGNATURES or text.units[place].kind != "signature")
    ]


def _speaks_of(one: _Candidate, about: Collection[str], question: Question) -> bool:
    """Return whether a candidate speaks of one of some names, or is what answers the question right above it that asks the same."""
    named = any(one.text.speaks_of(one.place, name) for name in about)
    return named or (bool(about) and one.text.is_answer_below(one.place, question))


def _is_bare_word(one: _Candidate, first: _Candidate) -> bool:
    """Return whether a candidate besides the first one is a word or two, no items of one list with it, and says no word of the
    question: "Again.", "- Closed"."""
    listed = one.text is first.text and one.unit.kind == first.unit.kind == "item"
    bare = length(one.said) <= BARE and not any(map(str.isdigit, one.said)) and not any(one.own)
    return one.unit.kind in ("item", "prose") and bare and not listed


def _worth_of_place(one: _Candidate, question: Question) -> float:
    """Return what a unit gains and loses, a logarithm of likelihood, by the heading that it is below and by a mail that quotes it."""
    headed, quoted = one.text.is_headed(one.place, question), one.text.is_quoted(one.place)
    return HEADED * headed - QUOTED * quoted


def _lateness(texts: Iterable[PassageUnits]) -> dict[str, float]:
    """Return how late each day of some passages is among them, 0 to 1."""
    days = sorted({text.date for text in texts if text.date})
    return {day: place / (len(days) - 1) for place, day in enumerate(days)} if len(days) > 1 else {}


def _only_names(text: PassageUnits, place: int, question: Question) -> bool:
    """Return whether a unit only says who holds the rights, which the question asks in no word, or a name of the question, or, unless it
    asks for that, who was present, who sent a mail and to whom, or when an entry of a log was written and by whom."""
    said = text.said(text.units[place])
    words = said.split()
    if _RIGHTS.match(said) and not _meets_a_word(text, place, question):
        return True
    if len(words) <= FEW and _is_name_of(said, question):
        return True
    if text.is_of_head(place) and not _may_name_somebody_asked_for(text, place, question):
        return True
    if is_entry_head(said) and OF_ENTRIES.isdisjoint(question.kinds):
        return True
    if question.kind in ("person", "list") or not question.names:
        return False
    listed = _THOSE_PRESENT.match(said)
    named = sum(len(name.split()) for name in names_in(said[listed.end() :])) if listed and "," in said else 0
    return named > 0 and len(words) - named <= FEW_OTHERS


def _may_name_somebody_asked_for(text: PassageUnits, place: int, question: Question) -> bool:
    """Return whether a line of the head of a mail, which says no more than names and addresses, may answer a question: one that asks
    for an address, or for a person by more than a name, where the line has no name of it. Who Ada Berg is, "From: Ada Berg" does
    not say."""
    names = any(m and term.name for term, m in zip(question.terms, text.own[place], strict=True))
    asks = question.kind == "person" and not names and any(not term.name for term in question.terms)
    return question.kind == "contact" or asks or _meets_a_word(text, place, question)


def _meets_a_word(text: PassageUnits, place: int, question: Question) -> bool:
    """Return whether a unit says a word of the question that is in none of its names."""
    return any(m and not term.name for term, m in zip(question.terms, text.own[place], strict=True))


def _is_name_of(said: str, question: Question) -> bool:
    content = content_keys(said, question.language)
    return bool(content) and content <= {term.key for term in question.terms if term.name}


def _leans(said: str, languages: frozenset[str]) -> bool:
    """Return whether a sentence cannot be read without what is before it."""
    return refers_back(said, languages) or goes_on(said, languages) or speaks_of_itself(said, languages)


def _unquoted(said: str) -> str:
    """Return what a mail quotes as the mail that it answers says it."""
    return " ".join(unquoted(said).split())


def _announces_nothing(text: PassageUnits, place: int) -> bool:
    """Return whether a unit is a sentence with a colon at its end behind which the text ends, or a heading comes."""
    is_last = place + 1 == len(text.units) or text.units[place + 1].kind == "heading"
    return is_last and text.leads(place)


def may_answer(text: PassageUnits, place: int) -> bool:
    """Return whether a unit says anything by itself: neither a heading nor the head of a table, nor a bare link, nor a sentence that
    announces something which is not there."""
    unit = text.units[place]
    said = text.said(unit)
    if (
        (unit.kind == "heading" and not _STATING.match(said))
        or RULE.match(said)
        or LINK.match(said)
        or not any(c.isalnum() for c in said)
        or _announces_nothing(text, place)
    ):
        return False
    if unit.kind != "row" or place + 1 == len(text.units):
        return True
    below = text.said(text.units[place + 1])
    return not (RULE.match(below) or below.startswith(first_name(said)))
