"""Claims without a model: what a text asserts of a name, with its kind, its date, its object and the words that say so.

A claim is a name followed by a predicate with a verb, where a date, a number or a verb of a known kind makes it worth checking. A
negation makes it FALSE, a hedge SUSPECTED. (Claims as covariates of entities: Edge et al., arXiv 2404.16130, section 3.1.2.)
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from pipeline.text.dates import DateSpan
from pipeline.text.extraction.annotate import AnnotatedSentence, Reading
from pipeline.text.extraction.claim_cues import (
    OTHER,
    is_called_false,
    is_deed_of,
    is_denied,
    is_hedged,
    is_taken_back,
    is_verb,
    kind_of,
)
from pipeline.text.extraction.claim_dates import CHECKED, Predicate, aside_end, period
from pipeline.text.extraction.pronouns import written_out
from pipeline.text.extraction.self_contained import ASIDE, capitalised
from pipeline.text.extraction.speech import speaker
from pipeline.text.lexicon.genders import governed, is_name
from pipeline.text.lexicon.sentences.sentence_words import SENTENCES
from pipeline.text.lexicon.words import Words
from pipeline.text.scripts import words_of
from pipeline.text.sentences import CLOSED, QUESTION
from pipeline.text.spans import Match

SUBJECTS = frozenset(("PERSON", "ORGANIZATION", "PLACE", "EVENT", "WORK"))
"""Types of names that a claim can be about."""

NO_OBJECT = "NONE"
"""Written as the object of a claim that has none."""

MOST = 3
"""Clauses of one sentence that make a claim, at most."""


class Claim(NamedTuple):
    """One assertion; ``text[start:end] == quote``."""

    subject: str
    object: str
    """Title of another name, or NONE."""
    type: str
    """One of ``sentence_words.KINDS`` in capitals, or OTHER."""
    status: str
    """TRUE as asserted, FALSE where the text denies it, SUSPECTED where it hedges."""
    description: str
    """The assertion on one line, its pronouns replaced."""
    start_date: str | None
    """ISO day on which it begins; None where the text gives none, or only an end."""
    end_date: str | None
    """ISO day on which it ends; None where it goes on."""
    quote: str
    start: int
    end: int


class _Subject(NamedTuple):
    title: str
    type: str
    start: int
    end: int
    aside: int  # where the bracket after the name ends; equal to end where there is none
    verb: int  # where the predicate begins
    clause: int  # where the clause begins that it opens


_PLACE_BEFORE = re.compile(r"\b[^\W\d_a-z][\w'’-]*, $")  # born in Dundee, Scotland
_LETTER = re.compile(r"[^\W\d_]")
_DASH = re.compile(r"[-–—]")
_NUMBER = re.compile(r"\b\d[\d.,]*\d?\b|\b(?:hundred|thousand|million|billion)\b")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_BROKEN = re.compile(r"[^\w\s,()\[\]–—-]")  # "Fred!" said Scrooge: no verb of Fred's
_QUOTED = re.compile("[\"“”„«»‘’']")
_NEAR = 40  # characters before a subject in which its verb may be
_NEED_MORE = frozenset(("STATEMENT", "JOURNEY"))


def find_claims(text: str, reading: Reading) -> list[Claim]:
    """Return the claims of ``text`` in reading order; ``reading`` is its annotation."""
    types = {match.title: match.type for sentence in reading.sentences for match in sentence.mentions}
    vocabulary = words_of(reading.language)
    found: dict[tuple[str, str], Claim] = {}
    speaks = _QUOTED.search(text) is not None
    speaking = vocabulary.speech | SENTENCES.set_of("statement")
    for sentence in reading.sentences:
        last = max(sentence.start, sentence.end - 6)
        if not sentence.mentions or QUESTION.search(text, last, sentence.end):
            continue
        subjects = list(_subjects(text, sentence, types, reading.language, vocabulary))
        claims = list(_claims(text, sentence, subjects, types, reading.language))
        if claims and speaks:
            said_by = speaker(text, sentence.start, sentence.end, sentence.mentions, speaking)
            claims = _told(text, sentence, said_by, claims, types, reading.language) if said_by else claims
        if claims and is_taken_back(text[sentence.start : sentence.end]):
            continue
        for claim in claims:
            found.setdefault((claim.subject, claim.description), claim)
    return list(found.values())


def _told(
    text: str, sentence: AnnotatedSentence, said_by: Match, claims: list[Claim], types: Mapping[str, str], language: str
) -> list[Claim]:
    """The claims of a sentence with quoted speech: who speaks states something of whom the speech has claims of."""
    about = next((claim.subject for claim in claims if claim.subject != said_by.title), "")
    if not about or types.get(said_by.title) not in SUBJECTS or not is_name(said_by.title):
        return [claim for claim in claims if claim.subject == said_by.title]
    span = sentence.start, sentence.start + len(text[sentence.start : sentence.end].rstrip())
    description = capitalised(written_out(text, *span, list(sentence.mentions), language))
    quote = text[slice(*span)]
    return [Claim(said_by.title, about, "STATEMENT", "TRUE", description, None, None, quote, *span)]


def _subjects(
    text: str, sentence: AnnotatedSentence, types: Mapping[str, str], language: str, vocabulary: Words
) -> list[_Subject]:
    """Names that a predicate follows; after the first only those that open a clause of their own."""
    checked = language in CHECKED
    if not checked and not CLOSED.search(text, max(sentence.start, sentence.end - 6), sentence.end):
        return []
    found: list[_Subject] = []
    subordinate: list[_Subject] = []
    for item in sentence.mentions:
        type_ = types.get(item.title, "")
        if type_ not in SUBJECTS or not is_name(item.title) or not _may_lead(text, sentence.start, item):
            continue
        if type_ == "PLACE" and _PLACE_BEFORE.search(text[max(sentence.start, item.start - 24) : item.start]):
            continue
        clause = _clause_start(text, found[-1].end if found else sentence.start, item.start)
        follows = checked and text[item.start - 2 : item.start] == ", "
        if found and clause < 0 and not follows:
            continue
        bracket = ASIDE.match(text, item.end, sentence.end)
        aside = bracket.end() if bracket else item.end
        verb = _verb(text, aside, sentence.end, vocabulary) if checked else aside
        if found and clause < 0:  # Ingrid wrote the scheduler, Marco wrote the parser
            if verb != aside + 1:
                continue
            clause = item.start
        if verb is None or not _LETTER.search(text, verb, sentence.end):
            continue
        subject = _Subject(item.title, type_, item.start, item.end, aside, verb, max(clause, sentence.start))
        if found or not _subordinate().search(text[max(sentence.start, item.start - 24) : item.start]):
            found.append(subject)
        elif item.start - sentence.start < 20:
            subordinate.append(subject)
    return (found or subordinate)[:MOST]


def _may_lead(text: str, start: int, item: Match) -> bool:
    """Whether a name can be a subject: not after a preposition, no possessive, no "him" or "her"."""
    if item.role:
        leads = item.role == "subject"
    else:
        leads = text[item.end : item.end + 2] not in ("'s", "’s", "s'", "s’")
    return leads and not governed(text, start, item.start)


def _clause_start(text: str, start: int, at: int) -> int:
    """Where the clause begins whose first name is at ``at``; -1 where no clause begins right before it."""
    ties = list(_clause().finditer(text, max(start, at - 24), at))
    if not ties or not {*text[ties[-1].end() : at].lower().split()} <= SENTENCES.set_of("before_subjects"):
        return -1
    return ties[-1].end()


def _verb(text: str, start: int, end: int, vocabulary: Words) -> int | None:
    """Where the verb after a name begins, an apposition between commas and adverbs skipped; None without a verb."""
    at = start
    if text[at : at + 1] == ",":
        closing = text.find(",", at + 1, min(end, at + 100))
        if closing < 0:
            return None
        at = closing + 1
    for index, word in enumerate(_WORD.finditer(text, at, min(end, at + 60))):
        lower = word[0].lower()
        if lower in SENTENCES.set_of("before_verbs") or lower.endswith("ly"):
            continue
        if index > 3 or word[0] != lower or (index == 0 and _BROKEN.search(text, start, word.start())):
            return None
        return word.start() if is_verb(lower, vocabulary) else None
    return None


def _claims(
    text: str, sentence: AnnotatedSentence, subjects: Sequence[_Subject], types: Mapping[str, str], language: str
) -> Iterator[Claim]:
    for index, subject in enumerate(subjects):
        start = subject.clause if index else sentence.start
        end = sentence.end
        if index + 1 < len(subjects):
            following = subjects[index + 1]
            ties = {tie.end(): tie.start() for tie in _clause().finditer(text, subject.end, following.start)}
            end = ties.get(following.clause, following.clause - len(", "))
        claims = (_life(text, subject, sentence.dates), _claim(text, sentence, subject, (start, end), types, language))
        yield from (claim for claim in claims if claim)


def _life(text: str, subject: _Subject, dates: Sequence[DateSpan]) -> Claim | None:
    """The claim in a bracket after a person's name: born, died, or both."""
    inside = [date for date in dates if subject.end < date.start < subject.aside]
    if not inside or subject.type != "PERSON":
        return None
    first, last = inside[0], inside[-1]
    bracket = text[subject.end : subject.aside].lower()
    written = [" ".join(text[date.start : date.end].split()) for date in inside]
    if len(inside) > 1 and _DASH.search(text, inside[-2].end, last.start):
        said = f"lived from {written[0]} to {written[-1]}"
    elif len(inside) == 1 and "born" in bracket:
        said = f"was born {_when(written[0])}"
    elif len(inside) == 1 and "died" in bracket:
        said = f"died {_when(written[0])}"
    elif len(inside) == 1 and first.first[:4] != first.last[:4]:
        said = f"lived from {first.first[:4].lstrip('0')} to {first.last[:4].lstrip('0')}"
    else:
        return None
    span = subject.start, subject.aside
    description = f"{subject.title} {said}."
    return Claim(
        subject.title,
        NO_OBJECT,
        "BIRTH OR DEATH",
        "TRUE",
        description,
        first.first,
        last.last,
        text[slice(*span)],
        *span,
    )


def _when(written: str) -> str:
    return f"on {written}" if len(re.findall(r"\d+", written)) > 1 else f"in {written}"


def _claim(
    text: str,
    sentence: AnnotatedSentence,
    subject: _Subject,
    clause: tuple[int, int],
    types: Mapping[str, str],
    language: str,
) -> Claim | None:
    """The claim that one clause makes of its subject; None where it holds nothing worth checking."""
    start, end = clause[0], clause[0] + len(text[slice(*clause)].rstrip())
    dates = [date for date in sentence.dates if start <= date.start < end]
    dates = [date for date in dates if not subject.end <= date.start < subject.aside]
    kind = _kind(text, sentence, subject, (start, end), language)
    object_ = _object(text, sentence, subject, end, types, kind)
    counted = dates or _NUMBER.search(text, subject.verb, end)
    if kind == OTHER and not counted:
        return None
    if kind in _NEED_MORE and not (dates if language in CHECKED else counted) and object_ == NO_OBJECT:
        return None
    inside = [match for match in sentence.mentions if start <= match.start < end]
    description = capitalised(written_out(text, start, end, inside, language).rstrip(" ,;"))
    if description.endswith(":"):
        return None  # what it says is in the list that follows
    description += "" if CLOSED.search(description) else "."
    quote = text[start:end]
    status = "SUSPECTED" if is_hedged(quote) else "TRUE"
    if status == "TRUE" and (is_called_false(quote) or is_denied(text, subject.aside, subject.verb, end)):
        status = "FALSE"
    of = Predicate(start, subject.start, subject.aside, subject.verb, end)
    is_made = kind == "CREATION"
    time = period(text, of, dates, language, in_brackets=is_made, of_thing=is_made or subject.type != "PERSON")
    return Claim(subject.title, object_, kind, status, description, *time, quote, start, end)


def _kind(text: str, sentence: AnnotatedSentence, subject: _Subject, clause: tuple[int, int], language: str) -> str:
    """The kind of the claim that a clause makes of its subject."""
    start, end = clause
    first = aside_end(text, subject.verb, end)
    if language in CHECKED:
        ends = {item.end: item.title == subject.title for item in sentence.mentions}
        return kind_of(
            text,
            first,
            end,
            lambda at, verb: (
                is_deed_of(text, (subject.aside, first), (at, verb), ends) or bool(_QUOTED.search(text, first, at))
            ),
        )
    kind = kind_of(text, first, end)
    if kind == OTHER:  # a verb may be before its subject: nació Juana
        kind = kind_of(text, subject.verb, end)
    if kind == OTHER:
        near = max(start, subject.start - _NEAR, *(text.rfind(mark, start, subject.start) for mark in ";:("))
        kind = kind_of(text, near, subject.start)
    return kind


def _object(
    text: str, sentence: AnnotatedSentence, subject: _Subject, end: int, types: Mapping[str, str], kind: str
) -> str:
    """The first other name of the predicate, names of things before concepts; nobody makes a person who is only named besides."""
    others = [item for item in sentence.mentions if subject.verb <= item.start < end and item.title != subject.title]
    if kind == "CREATION" and subject.type == "PERSON":
        others = [one for one in others if types.get(one.title) != "PERSON" or _is_made(text[subject.verb : one.start])]
    names = [item.title for item in others if is_name(item.title)]
    named = [title for title in names if types.get(title) in SUBJECTS]
    return next(iter(named or names), NO_OBJECT)


def _is_made(before: str) -> bool:
    """Whether a name behind a verb of making is what is made, or who makes: created Sherlock Holmes, was written by Jane Austen."""
    words = _WORD.findall(before.lower())
    besides = SENTENCES.set_of("before_verbs") | SENTENCES.set_of("and") | words_of("en").determiners
    return words[-1:] == ["by"] or all(
        word in besides or word.endswith("ly") or is_verb(word, words_of("en")) for word in words
    )


@cache
def _clause() -> re.Pattern[str]:
    """Return the pattern of what joins two main clauses."""
    return re.compile(rf";\s|,?\s{SENTENCES.one_of('joining_clauses')}\s")


@cache
def _subordinate() -> re.Pattern[str]:
    """Return the pattern of what is before the subject of a clause that states nothing by itself."""
    return re.compile(rf"\b{SENTENCES.one_of('subordinate')}\s(?:the\s)?$", re.IGNORECASE)
