"""A passage cut into the units that can be printed by themselves, each measured by a question, alone and with its context."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from pipeline.text.answering.blocks import Kind, Unit, units
from pipeline.text.attribution import HeadLine, heads_in, is_turn_head
from pipeline.text.keys import content_keys
from pipeline.text.question.kinds import goes_on, speaks_of_itself
from pipeline.text.question.names import names_in, opening_name
from pipeline.text.question.question import RELATED, Question
from pipeline.text.scripts import language_of
from pipeline.text.sentences import QUESTION
from pipeline.text.tokenizer import length, without_points

NEAR, HEADING, TITLE, REST = 0.8, 0.8, 0.8, 0.15
"""What a term counts for a unit that only its neighbours, its heading, the passage's title, or the rest of the passage say."""
ASKED = 0.95
"""The same where the question before it says so: an interview, a list of frequent questions."""
PRONOUN, OPENING = 0.9, 4
"""What a name counts for a sentence that has a pronoun for it; characters that may be before the name that opens a sentence."""
OF_ONE = frozenset({"age", "contact", "date", "death", "duration", "money", "place"})
"""Kinds of things that are said of one bearer: a sentence that opens with another name says them of that one."""
_IN_BRACKETS = re.compile(r"\([^()@]*[^\W\d_][^()@]*\)")
WITHOUT_POST = {"from": re.compile(rf",|{_IN_BRACKETS.pattern}"), "to": _IN_BRACKETS, "copy": _IN_BRACKETS}
"""Kinds of lines of the head of a mail that name people, and what in them says more of these than their names: "Ada Berg (chair)",
"Ada Berg, chair". A comma in one that says to whom parts several."""
BEFORE = 2
"""Units before another one of its block that are read for whom it speaks of."""
HEADED_WORDS, HEADED_SHARE = 3, 0.6
"""Words of a question that a heading says, and the share that they are of it, from which on it is a heading on what is asked of."""
FIELD_SHARE = 0.5
"""Share of the words of a question besides its names that a field says with its heading and title, from which on it may be what is
asked for: "Left: three boxes" does not say how somebody was made to leave the roof alone."""
OTHER_WORDS = 1
"""Words that a question of a text may have besides those of the one that is asked."""
LONG_PART = 4
"""A part of a name is taken for the name only where it has more letters than this."""
LEADS = re.compile(r"[:：][*_]*$")
"""How a line ends that introduces what is below it."""
FIELD = re.compile(r"(?:[-*•]\s+)?[*_`]{0,2}(?P<name>[^\W\d_][^\n:：*`]{0,30}?)[*_`]{0,2}\s?[:：][*_]{0,2}\s*\S")
"""How a line begins that gives the value of a field: its name and a colon."""
VALUE_WORDS = 6
"""Words that are alone below a heading up to which they are the value of the field that it names."""
_STOPS = re.compile(r"[.!?。！？][\"'”’»)*_]*$")
"""How a sentence ends, which is no value of a field."""
_QUOTING = re.compile(r"^[> ]*>[ \t]*", re.MULTILINE)
"""What is before each line that a mail quotes."""


class PassageText(NamedTuple):
    """A passage in which an answer is looked for; ``title`` is what is above it, ``by`` who wrote it where that is known. Given
    best first."""

    id: str
    title: str
    text: str
    by: str = ""
    date: str = ""
    """The day of its document (ISO 8601), where that is known."""


class Excerpt(NamedTuple):
    """A unit of a passage, as it is printed: ``passages[passage].text[start:end]``; of one paragraph, list or table all
    have the same ``block``."""

    passage: int
    start: int
    end: int
    kind: Kind
    block: int


class PassageUnits:
    """A passage cut into units, each measured; ``number`` is the passage's place among those given."""

    def __init__(self, number: int, passage: PassageText, question: Question) -> None:
        self.number, self.id, self.title, self.text = number, passage.id, passage.title, passage.text
        self.by, self.date = passage.by, passage.date
        self.units = tuple(unit for unit in units(passage.text) if unit.kind != "mark")
        self._has_points = without_points(passage.text) != passage.text
        self.languages = frozenset({question.language, language_of(passage.text)})
        self.own = [question.met_by(self.said(unit)) for unit in self.units]
        """How far each unit meets each term of the question by itself, and a name by the pronoun that it opens with. Of the line above
        a quotation of a mail, "Ann Thorne wrote:", only the names count."""
        self._names = [bool(term.name) for term in question.terms]
        for place in filter(self.introduces_mail, range(len(self.units))):
            named = zip(self.own[place], self._names, strict=True)
            self.own[place] = tuple(m if is_name else 0.0 for m, is_name in named)
        self._others: frozenset[int] = frozenset()
        """Units that open with another name than the question's, which are about its bearer."""
        self.title_met = question.met_by(passage.title)
        """How far what is above the passage meets each term."""
        if question.names:
            self.title_met = union([self.title_met, scaled(self._met_by_fields(), HEADING)], len(question.terms))
        self._blocks: dict[int, list[int]] = {}
        for place, unit in enumerate(self.units):
            self._blocks.setdefault(unit.block, []).append(place)
        if question.names:
            self._resolve(question)
            self._said_by(question, passage.by)
        size = len(question.terms)
        self.met_by_block = {
            block: scaled(union([self.own[i] for i in places], size), NEAR) for block, places in self._blocks.items()
        }
        """What each block meets, counted as for a neighbour."""
        self._says = [any(own) for own in self.own]
        """Whether each unit meets any term: most meet none."""
        whole = union([*self.own, self.title_met], size)
        self._everywhere = union([scaled(self.title_met, TITLE), scaled(whole, REST)], size)
        """How far every unit meets each term by the passage that it is in."""
        self.headings_met: list[tuple[float, ...]] = []
        """What the heading above each unit meets."""
        self.covered: list[bool] = []
        """Whether the heading above each unit says nothing but words of the question."""
        self.heading_places: list[int | None] = []
        """The place of the heading above each unit; None where there is none."""
        self._asking: dict[int, bool] = {}
        """Of each heading whether it only asks what the question does, "How often": it is read with the heading above it."""
        above: int | None = None
        covered = False
        current = (0.0,) * len(question.terms)
        before: Kind | None = None
        for place, (unit, own) in enumerate(zip(self.units, self.own, strict=True)):
            self.heading_places.append(above)
            if unit.kind == "heading":  # those one below the other are read together: of a mail, a title and its part
                above = place
                self._asking[place] = question.is_asked_by(self.said(unit))
                joined = before == "heading" or self._asking[place]
                current = union([current, own], size) if joined else own
                covered = (self._asking[place] and covered) or (any(own) and question.covers(self.said(unit)))
            before = unit.kind
            self.headings_met.append(current)
            self.covered.append(covered)
        self._enter_asked_fields(question)

    def _enter_asked_fields(self, question: Question) -> None:
        """Let a field that the question asks for meet what the heading and the title above it meet, whose field it is, where they say
        the rest of the question, and half of its words besides names, or the field is an item of a list and does: "**port**: Where it
        listens. Default: 80."; and one that gives a state each state that is asked about."""
        self.asked_fields: frozenset[int] = frozenset()
        """The units that are such fields."""
        size = len(question.terms)
        states = [RELATED * (at in question.states) for at in range(size)]
        for place in range(len(self.units)):
            name = self.field_of(place)
            if not name or not question.asks_for_field(name):
                continue
            state = [states] if question.asks_for_state(name) else []
            above = [self.headings_met[place], self.title_met, *state]
            said = self.own[place] if self.units[place].kind == "item" else question.met_by(name)
            met = union([said, *above], size)
            if question.share(met) >= HEADED_SHARE and question.share_of_words(met) >= FIELD_SHARE:
                self.own[place] = union([self.own[place], *above], size)
                self.asked_fields |= {place}

    def field_of(self, place: int) -> str:
        """Return the name of the field that a unit gives, "Status: closed", or that the heading of a few words right above it is which
        are all there is below that; empty where there is none."""
        unit = self.units[place]
        field = FIELD.match(self.said(unit)) if unit.kind in ("prose", "item") else None
        if field:
            return field["name"]
        return self.said(self.units[place - 1]).strip("#=- \n") if self.is_value(place) else ""

    def is_value(self, place: int) -> bool:
        """Return whether a unit is a few words, no sentence, that are all there is below a heading: "closed" below "Status"."""
        unit = self.units[place]
        said = self.said(unit)
        most = 0 if FIELD.match(said) else 1 if _STOPS.search(said) else VALUE_WORDS
        behind = place + 1 == len(self.units) or self.units[place + 1].kind == "heading"
        above = place > 0 and self.units[place - 1].kind == "heading"
        return above and behind and unit.kind == "prose" and length(said) <= most

    def _met_by_fields(self) -> tuple[float, ...]:
        """Return how far the fields that a passage opens with, "Client: Mrs T. B.", meet the names of the question: what is below them
        is about their bearers, as if the title named them."""
        found = [(0.0,) * len(self._names)]
        for place, unit in enumerate(self.units):
            said = self.said(unit)
            if unit.kind == "heading" and len(found) == 1:
                continue
            if unit.kind not in ("prose", "item") or not FIELD.match(said) or _STOPS.search(said):
                break
            found.append(tuple(m * is_name for m, is_name in zip(self.own[place], self._names, strict=True)))
        return union(found, len(self._names))

    def is_of_head(self, place: int) -> bool:
        """Return whether a unit is a line of the head of a mail that says who sent it or to whom, and nothing more of them: "From: Ada
        Berg <ada@berg.example>"."""
        unit = self.units[place]
        return any(unit.start <= start < unit.end for start in self._head_lines)

    @cached_property
    def _heads(self) -> list[list[HeadLine]]:
        """The heads of mails in the passage."""
        return heads_in(self.text)

    @cached_property
    def _head_lines(self) -> tuple[int, ...]:
        """Where the lines begin that say no more, of heads of several lines."""
        heads = [head for head in self._heads if len(head) > 1 and any(line.kind == "from" for line in head)]
        named = (line for head in heads for line in head if line.kind in WITHOUT_POST)
        return tuple(one.start for one in named if not WITHOUT_POST[one.kind].search(self.text, one.start, one.end))

    def _find_writers(self) -> list[int | None]:
        """Return for each unit the place of the line that says who wrote it: above a quotation of a mail, at the head of one that is
        forwarded below another, above a turn of a ticket; None where no line of the passage does."""
        senders = {line.start for head in self._heads for line in head if line.kind == "from"}
        found: list[int | None] = []
        current: int | None = None
        for place, unit in enumerate(self.units):
            said = self.said(unit)
            if any(unit.start <= start < unit.end for start in senders) or (
                unit.kind == "heading" and is_turn_head(said)
            ):
                current = place
            found.append(self.quoted_by(place) if self.is_quoted(place) else current)
        return found

    def _said_by(self, question: Question, by: str) -> None:
        """Let each unit meet the name of whom the question asks what they say, where this is their text: they wrote it, or, where it
        is not known who did, the title names them, and the text, which speaks of itself, does not. What somebody else wrote to them
        is not, nor what a mail quotes, which is said by whom the line above it names. Where a question asks what somebody does, only
        what speaks of itself does: "I can do Thursday"."""
        met = question.met_by(by) if by else self.title_met
        named = question.named(met)
        asks = question.asks_what_is_said
        if by and asks:
            self.title_met = tuple(
                m * (not t.name or bool(named)) for t, m in zip(question.terms, self.title_met, strict=True)
            )
        elif not by and named:
            named -= question.named(union(self.own, len(question.terms)))
            named = named if asks and speaks_of_itself(self.text, self.languages) else frozenset()
        if "definition" in question.kinds and not asks:  # what somebody tells of himself is seldom who he is
            return
        own, counted = self.own, 1.0 if asks else PRONOUN
        said = tuple(m * (t.name in named) for t, m in zip(question.terms, met, strict=True))
        for place, line in enumerate(self._find_writers()):
            of_line = (
                said if line is None else tuple(m * is_name for m, is_name in zip(own[line], self._names, strict=True))
            )
            if (
                any(of_line)
                and line != place
                and (asks or speaks_of_itself(self.said(self.units[place]), self.languages))
            ):
                self.own[place] = union([own[place], scaled(of_line, counted)], len(said))

    def _resolve(self, question: Question) -> None:
        """Let a sentence that opens with a pronoun meet the name that opens the one before it, or that its pronoun stands for:
        nothing competes for it there. Quoted speech is of somebody else."""
        about: tuple[float, ...] | None = None
        for place, unit in enumerate(self.units):
            said = self.said(unit)
            same = place and self.units[place - 1].block == unit.block
            if about and same and goes_on(said, self.languages):
                self.own[place] = union([self.own[place], about], len(about))
                continue
            opening = opening_name(said, OPENING) if unit.kind != "signature" else ""
            met = question.met_by(opening) if opening else ()
            if question.kind in OF_ONE and " " in opening and not question.named(self.own[place]):
                self._others |= {place}
            named = question.named(met) if met else frozenset()
            about = (
                tuple(PRONOUN * m * (t.name in named) for t, m in zip(question.terms, met, strict=True))
                if named
                else None
            )

    def said(self, unit: Unit) -> str:
        """Return the text of a unit as it is measured, which is not how it is printed: Arabic without points."""
        said = self.text[unit.start : unit.end]
        return without_points(said) if self._has_points else said

    def excerpt(self, place: int) -> Excerpt:
        """Return a unit as it is printed."""
        return Excerpt(self.number, *self.units[place])

    def place_of(self, excerpt: Excerpt) -> int:
        """Return the place of a unit as it is printed."""
        return next(place for place, unit in enumerate(self.units) if unit.start == excerpt.start)

    def met(self, place: int) -> tuple[float, ...]:
        """Return how far a unit meets each term with its context."""
        unit = self.units[place]
        parts = [self.own[place]]
        for other in (place - 1, place + 1):
            if 0 <= other < len(self.units) and self._says[other]:
                asks = other < place and self.asks(other)
                parts.append(scaled(self.own[other], ASKED if asks else NEAR))
        lead = self.block(place)[0] - 1
        if unit.kind in ("item", "row", "code") and lead >= 0:
            parts.append(scaled(self.own[lead], HEADING))
        if any(self.headings_met[place]):
            parts.append(scaled(self.headings_met[place], 1.0 if self.covered[place] else HEADING))
        parts += [self.met_by_block[unit.block], self._everywhere]
        met = union(parts, len(self.title_met))
        if place in self._others:
            return tuple(o if name else m for o, m, name in zip(self.own[place], met, self._names, strict=True))
        return met

    def together(self, place: int) -> tuple[float, ...]:
        """Return what a list or a block of code says as a whole, with the line that leads to it and its heading."""
        block = self.block(place)
        lead = [self.own[block[0] - 1]] if block[0] else []
        heading = scaled(self.headings_met[place], HEADING)
        return union([*(self.own[i] for i in block), *lead, heading], len(self.title_met))

    def speaks_of(self, place: int, name: str) -> bool:
        """Return whether a unit, one of those right before it in its block, or the title above speaks of a name: in full, or
        by a part of it that belongs to no other name there."""
        block = self.units[place].block
        near = [self.said(u) for u in self.units[max(place - BEFORE, 0) : place + 1] if u.block == block]
        if any(name in said for said in (*near, self.title)):
            return True
        parts = [part for part in name.split() if len(part) > LONG_PART]
        return any(other in parts for said in near for other in names_in(said))

    def near(self, place: int) -> tuple[float, ...]:
        """Return what a unit meets with those right before it in its block."""
        block = self.units[place].block
        places = [i for i in self._blocks[block] if place - BEFORE <= i <= place]
        return union([self.own[i] for i in places], len(self.title_met))

    def asks(self, place: int) -> bool:
        """Return whether a unit is a question."""
        return bool(QUESTION.search(self.said(self.units[place])))

    def leads(self, place: int) -> bool:
        """Return whether a unit is a sentence that introduces what is below it."""
        return self.units[place].kind == "prose" and bool(LEADS.search(self.said(self.units[place])))

    def introduces_mail(self, place: int) -> bool:
        """Return whether a unit only says who wrote, and when, what a mail quotes below it."""
        behind = place + 1 < len(self.units) and self.text.startswith(">", self.units[place + 1].start)
        return behind and self.leads(place)

    def is_headed(self, place: int, question: Question) -> bool:
        """Return whether the heading above a unit says several words of a question, and most of it: "False alarm of 29 August"."""
        met = self.headings_met[place]
        return sum(m >= NEAR for m in met) >= HEADED_WORDS and question.share(met) >= HEADED_SHARE

    def is_asked_above(self, place: int) -> bool:
        """Return whether a unit is of what is right below a heading that only asks what the question does."""
        above = self.heading_places[place]
        return above is not None and self._asking[above] and self.units[place].block == self.units[above + 1].block

    def is_below_its_name(self, place: int, question: Question) -> bool:
        """Return whether a unit opens the section whose heading is what a question asks the meaning of, the option that it names, or one
        of the things whose difference it asks for, and nothing else: it says what that is."""
        if not place or self.units[place - 1].kind != "heading" or self.units[place].kind == "heading":
            return False
        heading = self.said(self.units[place - 1])
        if question.asks_difference:
            is_side = question.is_side(heading)
            return is_side or (len(question.named(self.headings_met[place])) == 1 and question.covers(heading))
        if "definition" in question.kinds:
            return question.is_named_by(heading) or question.is_option(heading)
        return all(self._names) and question.is_option(heading)

    def signs_as(self, place: int, question: Question) -> bool:
        """Return whether a unit is the signature of whom a question asks who that is: what is below the name says it."""
        if self.units[place].kind != "signature" or "definition" not in question.kinds or not all(self._names):
            return False
        return question.named(question.met_by(self.said(self.units[place]).partition("\n")[0])) == question.names

    def is_answer_below(self, place: int, question: Question) -> bool:
        """Return whether a unit is right below a question, a heading of frequent ones or a sentence, that asks what is asked in its words."""
        if not place or not self.asks(place - 1):
            return False
        said = content_keys(self.said(self.units[place - 1]), question.language)
        return min(self.own[place - 1]) >= RELATED and len(said - question.keys) <= OTHER_WORDS

    def is_quoted(self, place: int) -> bool:
        """Return whether a unit is of what a mail quotes."""
        return self.said(self.units[self.block(place)[0]]).startswith(">")

    def quoted_by(self, place: int) -> int | None:
        """Return the place of the line above a quotation of a mail that says who wrote it; None where a unit is not of one, or no
        line says so."""
        before = place
        while before >= 0 and self.is_quoted(before):
            before = self.block(before)[0] - 1
        return before if 0 <= before < place and self.leads(before) else None

    def leads_to(self, one: Excerpt, other: Excerpt) -> bool:
        """Return whether an excerpt is a sentence that introduces the list, table or code which another one is of."""
        place, further = self.place_of(one), self.place_of(other)
        if place >= further or other.kind == "prose" or not self.leads(place):
            return False
        between = self.units[place + 1 : further + 1]  # sentences may part the items of a list
        return between[0].kind == other.kind and (
            between[0].block == other.block
            or (other.kind == "item" and all(unit.kind in ("item", "prose") for unit in between))
        )

    def block(self, place: int) -> list[int]:
        """Return the places of the units of one block."""
        return self._blocks[self.units[place].block]

    def n_words(self, places: Sequence[int]) -> int:
        """Return the words of some units together."""
        return sum(length(self.said(self.units[i])) for i in places)


def unquoted(said: str) -> str:
    """Return what a mail quotes without the mark before each line: amid a sentence it would look like a sign of its own."""
    return _QUOTING.sub("", said)


def union(parts: Sequence[Sequence[float]], size: int) -> tuple[float, ...]:
    """Return for each of ``size`` terms how far the best of some parts meets it."""
    if len(parts) < 2:
        return tuple(parts[0]) if parts else (0.0,) * size
    return tuple(map(max, *parts))


def scaled(met: Sequence[float], share: float) -> tuple[float, ...]:
    """Return what is met, counted by a share."""
    return tuple(share * m for m in met)
