"""When a claim holds: the date that its own verb has, not one of an apposition, of a thing or of what another clause says."""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from pipeline.text.dates import MONTHS, DateSpan
from pipeline.text.lexicon.sentences.sentence_words import SENTENCES
from pipeline.text.scripts import words_of

Period = tuple[str | None, str | None]
"""ISO days of begin and end; None where the text gives none."""

_NONE: Period = (None, None)
_DASHES = frozenset("–-—")
"""What is between two dates, besides words."""
CHECKED = ("en", "und")
"""Languages whose verbs are found; a text in none is read as English."""
_YEARS_ALONE = frozenset(("de",))
"""Languages in which a year is an adverb by itself: gründete 1905 einen Verein."""
_WORD = re.compile(r"[^\W\d_]+(?:[’'-][^\W\d_]+)*['’]?")
_NUMBER = re.compile(r"\d+")
_QUOTATION = re.compile("[\"“”„«»]|(?<!\\w)['‘]|[,.!?]['’]")
_NEXT = re.compile(r"[\s-]([^\W\d_]+)")
_BEFORE_MAIN_VERBS = frozenset(("to", "and", "or", "not", "yet", "be", "been", "being"))
_BEFORE_OTHERS = frozenset(("of", "by", "with", "to", "for", "from", "that"))
_COPULAS = ("is", "was", "are", "were")
_FEW = 5  # words up to the year among those that say what something is
_SHORTEST_PAST = 5  # letters; "moved", but "bed"


class Predicate(NamedTuple):
    """Where the parts of a claim are."""

    start: int
    """Where its clause begins."""
    subject: int
    """Where its subject begins."""
    aside: int
    """Where its subject ends, with the bracket after it."""
    verb: int
    """Where its verb is; ``aside`` where none is looked for."""
    end: int


class _Governed(NamedTuple):
    """How a date relates to the words before it."""

    word: str
    """The preposition or whatever else is before it, words like "the summer of" passed over; "" where nothing is."""
    before: Sequence[str]
    """The words before that one."""
    article: bool
    """Whether an article is right before the date: the 1820 mill."""
    named: bool
    """Whether a word says that it is a time: the year 1820."""


def period(
    text: str,
    of: Predicate,
    dates: Sequence[DateSpan],
    language: str,
    in_brackets: bool = False,
    of_thing: bool = False,
) -> Period:
    """Return the time of a claim: its first date that is the verb's, up to the next where "to" joins them.

    "Since" begins a time that has no end, "until" ends one that has no begin; where it is doubtful what a date is of, the claim
    has none. ``in_brackets`` says whether a year in brackets counts: wrote Emma (1815); ``of_thing`` whether the subject is
    nobody, so that "is a 1916 film" dates it.
    """
    for place, date in enumerate(dates):
        following = dates[place + 1] if place + 1 < len(dates) else None
        until = following if following and _joins(text[date.end : following.start]) else None
        if of_thing and language in CHECKED and _is_of_kind(text, of, date):
            return date.first, date.last
        found = _time(text, of, date, until, language, in_brackets)
        if found != _NONE:
            return found
    return _NONE


def _joins(between: str) -> bool:
    first, *others = between.strip(" ,").lower().split() or [""]
    small = (SENTENCES.set_of(head) for head in ("parts_of_time", "dates_articles"))
    return (first in _DASHES and not others) or (
        first in SENTENCES.set_of("until") and frozenset().union(*small).issuperset(others)
    )


def _is_of_kind(text: str, of: Predicate, date: DateSpan) -> bool:
    """Whether a year is among the words that say what kind of thing the subject is: is a surviving 1916 silent film."""
    words = text[of.verb : date.start].lower().split()
    if not 1 < len(words) <= _FEW or words[0] not in _COPULAS or words[1] not in ("a", "an"):
        return False
    return text[date.start : date.end].isdigit() and words_of("en").function.isdisjoint(words[2:])


def _time(text: str, of: Predicate, date: DateSpan, until: DateSpan | None, language: str, in_brackets: bool) -> Period:
    """The time that a date gives a predicate; none where it is not that of its verb."""
    start = _region(text, of, date.start)
    if not 0 <= start <= date.start:
        return _NONE
    before = text[start : date.start]
    last = max(date.last, until.last) if until else date.last
    lasts = until is not None or (date.first[:4] != date.last[:4] and len(_NUMBER.findall(text[slice(*date[:2])])) > 1)
    opened = text[min(start, of.aside) : date.start]
    if opened.count("(") > opened.count(")"):
        return (date.first, last) if in_brackets and not lasts else _NONE
    governed = _governed(before, language)
    if not _is_of_verb(text, of, date, before, governed.before, language):
        return _NONE
    if lasts and governed.word in _listed("dates_from", language):
        return date.first, last
    if governed.word in _listed("dates_begin", language):
        return date.first, last if lasts else None
    if governed.word in _listed("dates_end", language):
        return None, last
    return (date.first, last) if _is_adverbial(text, date, governed, language) else _NONE


def _region(text: str, of: Predicate, at: int) -> int:
    """Where the words begin that a date at ``at`` is read with; -1 for one that is set between commas behind the subject."""
    if at < of.subject:
        return of.start
    closing = aside_end(text, of.aside, of.end)
    if closing == of.aside or at >= closing:
        return max(of.verb, closing)
    return of.aside if len(_WORD.findall(text, of.aside, at)) < 2 else -1  # ", in 1905,"


def aside_end(text: str, start: int, end: int) -> int:
    """Where what is set between commas behind a subject ends, which ends at ``start``; the same place where nothing is."""
    closing = text.find(",", start + 2, end) if text[start : start + 1] == "," else -1
    return closing + 1 if closing >= 0 else start


@cache
def _listed(head: str, language: str) -> frozenset[str]:
    """The words of a language below a head; of any where no language is known."""
    return SENTENCES.set_of(head) if language == "und" else frozenset(SENTENCES.by_language(head).get(language, ()))


def _governed(before: str, language: str) -> _Governed:
    """How a date relates to what is before it."""
    words = [word.replace("’", "'") for word in _WORD.findall(before)]
    times, of, articles = (_listed(head, language) for head in ("parts_of_time", "dates_of", "dates_articles"))
    article = named = False
    while words:
        word = words[-1].lower()
        ahead = words[-2].lower() if len(words) > 1 else ""
        if word in times or word in MONTHS:
            named = True
        elif word in articles and _governs(ahead, language):
            article = article or not named
        elif not (word in of and (ahead in times or ahead in MONTHS)):
            break
        words.pop()
    return _Governed(words.pop().lower() if words else "", words, article, named)


def _governs(word: str, language: str) -> bool:
    heads = ("dates_at", "dates_begin", "dates_end", "dates_near")
    return any(word in _listed(head, language) for head in heads)


def _is_adverbial(text: str, date: DateSpan, governed: _Governed, language: str) -> bool:
    """Whether a date says when something is done, and is no part of the name or description of a thing."""
    word = governed.word
    if any(word in _listed(head, language) for head in ("dates_near", "dates_of", "dates_from")):
        return False
    is_year = text[date.start : date.end].isdigit()
    if governed.article and (is_year or _is_attribute(text, date.end, language)):
        return False
    if not word or word in _listed("dates_at", language) or not _listed("dates_at", language):
        return True
    if word in _listed("dates_articles", language):
        return not is_year and language not in CHECKED  # le 5 mai 1905
    return governed.named or language in _YEARS_ALONE or text[date.start].isdigit() > is_year


def _is_attribute(text: str, end: int, language: str) -> bool:
    """Whether a noun is right behind a date: the 1990s band."""
    following = _NEXT.match(text, end)
    return bool(following and following[1].islower() and following[1] not in words_of(language).function)


def _is_of_verb(text: str, of: Predicate, date: DateSpan, before: str, words: Sequence[str], language: str) -> bool:
    """Whether no other clause, participle or speech is between a date and the verb of its claim; ``words`` are before the date."""
    checked = language in CHECKED
    if checked and date.start >= of.subject:
        words = _of_description(words)
    lower = [word.lower() for word in words]
    if not _listed("inner_clauses", language).isdisjoint(lower) or ":" in before:
        return False
    deeds = _deeds(language)
    if date.start < of.subject:
        between = text[date.end : of.subject]
        if ";" in between or ":" in between or _QUOTATION.search(between):
            return False
        if "," in between and not deeds.isdisjoint(lower):
            return False  # Born in 1950, ...
        return not (checked and any(map(_is_verb, (*words, *_WORD.findall(between)))))
    _, comma, chunk = before.rpartition(",")
    inside = chunk.lower().split() if comma else []
    if inside and (inside[0] in _listed("relative_pronouns", language) or not deeds.isdisjoint(inside)):
        return False
    return not (checked and _has_inner_verb(words, language))


def _of_description(words: Sequence[str]) -> Sequence[str]:
    """The words of the clause that says what somebody did who is described: was an actor who *played there in*; else all."""
    opener = next((place for place, word in enumerate(words) if word in ("who", "which", "that")), 0)
    if not opener or words[0] not in _COPULAS or not _BEFORE_OTHERS.isdisjoint(words[:opener]):
        return words
    return words[opener + 1 :]


@cache
def _deeds(language: str) -> frozenset[str]:
    """Verbs and participles of a language that claims are made of, and that are no nouns."""
    heads = ("birth_or_death", "military_action", "crime_or_accusation", "office", "ownership", "creation")
    return frozenset().union(*(_listed(head, language) for head in heads))


@cache
def _verbs() -> frozenset[str]:
    heads = ("auxiliaries", "irregular_verbs", "main_verbs")
    return frozenset().union(*(_listed(head, "en") for head in heads))


def _is_verb(word: str) -> bool:
    return word in _verbs() or _is_past(word)


def _is_past(word: str) -> bool:
    return len(word) >= _SHORTEST_PAST and word.endswith("ed") and word.islower()


def _has_inner_verb(words: Sequence[str], language: str) -> bool:
    """Whether a verb or participle of its own is behind the verb with which some words begin: bought the mill built in 1820."""
    at = _behind_verb(words)
    known = words_of(language)
    for place in range(at, len(words)):
        word, last = words[place], words[place - 1].lower() if place else ""
        if not word.islower() or last in known.determiners:
            continue
        if word in _verbs():
            return True
        following = words[place + 1].lower() if place + 1 < len(words) else ""
        joined = not following or following in known.function or last in _BEFORE_MAIN_VERBS or last in known.verb_cues
        if joined and last not in ("be", "been", "being") and (_is_past(word) or word in _deeds("en")):
            return True
    return False


def _behind_verb(words: Sequence[str]) -> int:
    """How many words make the verb that some words begin with: auxiliaries, adverbs, "wrote and directed"."""
    between = _BEFORE_MAIN_VERBS | SENTENCES.set_of("before_verbs")
    for place, word in enumerate(words):
        if not (_is_verb(word) or word in between or word.endswith("ly") or word in _deeds("en")):
            return max(1, place)
    return len(words)
