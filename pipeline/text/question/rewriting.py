"""Makes a question that follows others stand alone, without a model: pronouns, "that battle", "And Paris?", "Why?".

What was spoken of last is what is meant: the names of the last question before those of its answer, these before older
ones, and always one of fitting gender and kind. English pronouns are replaced; in other languages, where a name cannot
simply take a pronoun's place, the name is put behind the question in brackets. What stands alone is left as it is.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pipeline.text.extraction.pronouns import by_sentence, find_pronouns
from pipeline.text.inflection import singular
from pipeline.text.keys import content_keys
from pipeline.text.lexicon.genders import genders, is_name, noun_kind
from pipeline.text.lexicon.lexicon import lexicon_of
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.question.kinds import kinds_of
from pipeline.text.question.mentioned_name import TURNS, MentionedName
from pipeline.text.question.rewriting_words import (
    A_NOUN,
    ARTICLE_BEFORE,
    ASKING,
    EXISTENTIAL,
    IMPERSONAL,
    POINTING,
    SHORT,
    goes_on,
    pronouns,
)
from pipeline.text.scripts import UNSPACED_CHARACTER, language_of
from pipeline.text.sentences import split
from pipeline.text.spans import Match

ELLIPSIS = 6
"""Words that "And ...?" may bring; more of them make a question of their own."""


class _Spoken(NamedTuple):
    title: str
    type: str
    kind: str  # m, f, person (gender unknown), thing, things or group
    turn: int  # 0 for the last
    the: bool  # whether it was written with its article


class _Lean(NamedTuple):
    """A word of the question at ``start`` to ``end`` that leans on what was said."""

    start: int
    end: int
    kind: str  # m, f, thing, plural, place, any, noun or nothing
    role: str  # subject, object or possessive
    noun: str = ""


def stand_alone(question: str, turns: Sequence[tuple[str, str]], names: Sequence[MentionedName]) -> str:
    """Return ``question`` so that it can be understood without the ``turns`` (question, answer) before it, oldest first.

    ``names`` are those of the turns and of the question. A question that stands alone is returned as it is.
    """
    kept = list(turns[-TURNS:])
    if not kept or _COMPLETED.search(question):
        return question
    names = [*names, *_described(kept, names)]
    before = stand_alone(kept[-1][0], kept[:-1], names)
    rest = elliptic(question)
    if rest is not None:
        return _completed(question, rest, before, names)
    spoken = _spoken([*kept[:-1], (before, kept[-1][1])], names)
    leans = list(_leans(question, spoken, names))
    if not leans:
        return question
    own = {match.title for match in find_names(question, names)}
    others = [one for one in spoken if one.title not in own]
    if language_of(question) == "en":
        return _replaced(question, leans, others, before)
    titles = dict.fromkeys(one.title for lean in leans for one in _meant(lean, others))
    return bracketed(question, ", ".join(titles) or before)


def find_names(text: str, names: Sequence[MentionedName]) -> list[Match]:
    """Return where names are in a text, in order, the longest form first and none overlapping."""
    forms = {form: name for name in reversed(names) for form in name.forms if form}
    longest = sorted(forms, key=lambda form: (-len(form), form))
    parts = [
        re.escape(form) if UNSPACED_CHARACTER.search(form) else rf"(?<!\w){re.escape(form)}(?!\w)" for form in longest
    ]
    found = re.finditer("|".join(parts) or r"(?!)", text)
    return [Match(m.start(), m.end(), forms[m[0]].title, forms[m[0]].type) for m in found]


def _spoken(turns: Sequence[tuple[str, str]], names: Sequence[MentionedName]) -> list[_Spoken]:
    """Return the names of the turns: what was spoken of last comes first, and in a turn what was asked about.

    A common noun counts where an article makes one thing of it, a person whom only an answer names where it is about them.
    """
    kinds = _kinds("\n\n".join(part.strip() for turn in turns for part in turn), names)
    found: dict[str, _Spoken] = {}
    for age, (question, answer) in enumerate(reversed(turns)):
        for part, titles in ((question, None), (answer, _answering(question, answer, names))):
            for match in find_names(part, names):
                if titles is not None and kinds.get(match.title) in _PERSONS and match.title not in titles:
                    continue
                article = ARTICLE_BEFORE.search(part[: match.start])
                if is_name(match.title) or article:
                    kind = "things" if _is_plural(match) else kinds.get(match.title, "thing")
                    the = bool(article) and match.type != "PERSON"
                    found.setdefault(match.title, _Spoken(match.title, match.type, kind, age, the))
    return list(found.values())


_PERSONS = ("m", "f", "person")


def _answering(question: str, answer: str, names: Sequence[MentionedName]) -> set[str]:
    """Return the names that an answer is about: where the question asks who, the persons of the first sentence of those that
    name one and say most of what was asked; else those of its first sentence, those that open one, and those of several."""
    stated = [answer[start:end] for start, end in split(answer) if answer[end - 1] not in "?？"]
    asked = {match.title for match in find_names(question, names)}
    language = language_of(question)
    if _asks_who(question):
        words = content_keys(question, language)
        best: tuple[int, set[str]] = (0, set())
        for sentence in stated:
            persons = {match.title for match in find_names(sentence, names) if match.type == "PERSON"} - asked
            shared = len(words & content_keys(sentence, language)) if persons else 0
            best = max(best, (shared, persons), key=lambda one: one[0])
        if best[0]:
            return best[1]
    return _subjects_of(stated, names)


def _subjects_of(stated: Sequence[str], names: Sequence[MentionedName]) -> set[str]:
    """Return the names of the first of some sentences, those that open one, and those of several."""
    named = [find_names(sentence, names) for sentence in stated]
    often = Counter(title for some in named for title in {match.title for match in some})
    first = {match.title for some in named[:1] for match in some}
    opening = {some[0].title for some in named if some and some[0].start == 0}
    return first | opening | {title for title, times in often.items() if times > 1}


def _asks_who(question: str) -> bool:
    return "person" in kinds_of(question, language_of(question))


def _is_plural(match: Match) -> bool:
    """Return whether a match is a common noun for several: "pump house keys"."""
    return not match.type and _ends_in_plural(match.title)


def _ends_in_plural(phrase: str) -> bool:
    last = phrase.split()[-1]
    return last.islower() and singular(last) != last


_DESCRIBED = re.compile(
    r"(?:(\w+) )?\bthe ((?:[a-z][\w-]* ){0,3}?[a-z][\w-]*)"
    r"(?=\s*[?.,;]|\s(?:of|in|at|on|from|to|by|for|with|and|or|that|which|who)\b)"
)
"""A thing that a question describes, with the word before its article: "built the west mole of"."""
_INVERTED = frozenset(
    ["did", "does", "do", "was", "were", "is", "are", "has", "have", "had", "can", "could", "will", "would", "should"]
)
"""Verbs after which the words behind an article go on into the predicate, so that only a plural shows where the thing ends."""


def _described(turns: Sequence[tuple[str, str]], names: Sequence[MentionedName]) -> list[MentionedName]:
    """Return what English questions describe without a name of the index for it; it can be meant by "it" later on."""
    known = {form.lower() for name in names for form in name.forms}
    phrases = dict.fromkeys(
        match[2]
        for question, _ in turns
        for match in (_DESCRIBED.finditer(question) if language_of(question) == "en" else ())
        if match[2] not in known and ((match[1] or "").lower() not in _INVERTED or _ends_in_plural(match[2]))
    )
    return [MentionedName(phrase, "", (phrase,)) for phrase in phrases]


def _kinds(text: str, names: Sequence[MentionedName]) -> dict[str, str]:
    spans = split(text)
    grouped = by_sentence(spans, find_names(text, names))
    language = language_of(text)
    found = [find_pronouns(text, *span, language) if pronouns(language) else [] for span in spans]
    return genders(text, grouped, [[(one.start, one.kind) for one in some] for some in found])


def elliptic(question: str) -> str | None:
    """Return what a question without a sentence of its own brings ("Paris" of "And Paris?"); None for a whole question."""
    bare = question.strip().rstrip("?？!. ")
    opened = goes_on(language_of(bare)).match(bare)
    rest = bare[opened.end() :].strip() if opened else bare
    if QUESTIONS.compiled(SHORT).match(rest):
        return rest
    brings = opened and rest and not QUESTIONS.compiled(ASKING).match(rest) and len(rest.split()) <= ELLIPSIS
    return rest if brings else None


def _completed(question: str, rest: str, before: str, names: Sequence[MentionedName]) -> str:
    """Return the question before with a new name where it has one of the same type, else with what is new put behind."""
    persons = [match for match in find_names(before, names) if match.type == "PERSON"]
    # "Warum" is written like a name
    for new in find_names(rest, names)[: 0 if QUESTIONS.compiled(SHORT).match(rest) else 1]:
        alike = [name for name in names if new.type in ("", name.type)]
        for old in find_names(before, alike):
            within = any(one.start <= old.start and old.end <= one.end and one != old for one in persons)
            if new.title != old.title and not within:
                return before[: old.start] + _in_full(new, rest) + rest[new.end :] + before[old.end :]
    return bracketed(question, before)


def _in_full(name: Match, text: str) -> str:
    """Return a person's title where a text has only a part of it, else what the text has."""
    written = text[name.start : name.end]
    return name.title if name.type == "PERSON" and written in name.title.split() else written


def _leans(question: str, spoken: Sequence[_Spoken], names: Sequence[MentionedName]) -> Iterator[_Lean]:
    """Yield the words of a question that say nothing without what was said before."""
    language = language_of(question)
    own = find_names(question, names)
    if language == "en":
        yield from _pointed(question, spoken, own)
    pattern = pronouns(language)
    for match in pattern.finditer(question) if pattern else ():
        kind, before = str(match.lastgroup), question[: match.start()]
        if language == "en":
            nothing = QUESTIONS.compiled(IMPERSONAL).match(question, match.end()) if kind == "thing" else None
            if nothing or (kind == "place" and EXISTENTIAL.search(before)):
                continue
        role = _role(question, match) if language == "en" else "subject"
        if not _answered_within(before, kind, role, own):
            yield _Lean(match.start(), match.end(), kind, role)


def _pointed(question: str, spoken: Sequence[_Spoken], own: Sequence[Match]) -> Iterator[_Lean]:
    """Yield nouns that are pointed at, and, where the question names nothing, those of a title that was spoken of."""
    nouns = lexicon_of(("en",)).nouns
    titled = {word for one in spoken for word in one.title.lower().split()[:-1] or [one.title.lower()]}
    for match in POINTING.finditer(question):
        noun = (match["noun"] or "").lower()
        if any(name.start < match.end() and match.start() < name.end for name in own):
            continue
        if not noun:
            yield _Lean(match.start(), match.end(), "nothing", "object")
        elif (match["points"] and (noun in nouns or noun in titled)) or (not own and noun in titled):
            yield _Lean(match.start(), match.end(), "noun", "subject", noun)


def _role(question: str, match: re.Match[str]) -> str:
    word = match[0].lower()
    if word in ("his", "its", "their"):
        return "possessive"
    if word != "her":
        return "object" if word in ("him", "them") else "subject"
    found = [p.role for p in find_pronouns(question, 0, len(question), "en") if p.start == match.start()]
    return found[0] if found else "object"


def _answered_within(before: str, kind: str, role: str, own: Sequence[Match]) -> bool:
    """Return whether the question itself names, before a pronoun, who or what it may stand for."""
    named = [match for match in own if match.end <= len(before)]
    if role == "object":
        named = named[1:]  # of the first name, its subject, the question would say himself
    nouns = {noun_kind(phrase[1]) for phrase in A_NOUN.finditer(before)}
    persons = [match for match in named if match.type == "PERSON"]
    if kind in ("m", "f"):
        return bool(persons) or bool(nouns & {kind, "person"})
    if kind == "thing":
        return len(named) > len(persons) or "thing" in nouns
    return kind in ("plural", "any") and bool(named or nouns)


def _meant(lean: _Lean, spoken: Sequence[_Spoken]) -> list[_Spoken]:
    """Return what a word means; several only for a plural, which a group of people fits better than some of them."""
    fitting = [one for one in spoken if _fits(lean, one)]
    if lean.kind != "plural":
        # One whose gender is known goes before one that might be of it.
        return sorted(fitting, key=lambda one: (one.turn, one.kind == "person" and lean.kind in ("m", "f")))[:1]
    together = [one for one in fitting if one.turn == fitting[0].turn]
    things = [one for one in together if one.kind == "things"]
    several = [one for one in together if one.kind != "things"]
    groups = [one for one in several if one.kind == "group"]
    if things and (together[0] == things[0] or (not groups and len(several) == 1)):
        return things[:1]
    return groups[:1] or several[:3]


def _fits(lean: _Lean, one: _Spoken) -> bool:
    if lean.kind == "place":
        return one.type == "PLACE"
    if lean.kind == "noun":
        wanted = lexicon_of(("en",)).nouns.get(lean.noun)
        return lean.noun in one.title.lower().split() or (wanted is not None and wanted == one.type)
    kinds = {
        "m": "m person",
        "f": "f person",
        "thing": "thing group",
        "plural": "group things m f person",
        "nothing": "",
    }
    return lean.kind == "any" or one.kind in kinds[lean.kind].split()


def _replaced(question: str, leans: Sequence[_Lean], spoken: Sequence[_Spoken], before: str) -> str:
    """Return an English question with names for what leans; where nothing fits, with the question before put behind, which
    says nothing of a person unless it asks who.

    The second "he" of a question may stay: it means whom the first does.
    """
    parts: list[str] = []
    at, fitted = 0, True
    kinds: set[str] = set()
    for lean in sorted(leans):
        meant = _meant(lean, spoken)
        fitted = fitted and (bool(meant) or (lean.kind in ("m", "f", "plural") and not _asks_who(before)))
        if meant and lean.start >= at and lean.kind not in kinds:
            parts += [question[at : lean.start], _words(meant, lean)]
            at = lean.end
            kinds.add(lean.kind)
    whole = "".join([*parts, question[at:]])
    return whole if fitted else bracketed(whole, before)


def _words(meant: Sequence[_Spoken], lean: _Lean) -> str:
    named = [f"the {one.title}" if one.the or not is_name(one.title) else one.title for one in meant]
    words = " and ".join(filter(None, [", ".join(named[:-1]), named[-1]]))
    if lean.role == "possessive":
        words += "'" if words.endswith("s") else "'s"
    words = f"in {words}" if lean.kind == "place" else words
    return words[:1].upper() + words[1:] if lean.start == 0 else words


_COMPLETED = re.compile(r"[?？؟]\s?\([^()]+\)$")
"""How a question ends that was completed before: what it leant on is behind it."""


def bracketed(question: str, context: str) -> str:
    """Return a question with what it leans on put behind in brackets; of one that has some itself without them."""
    opened = context.find("(")
    if opened >= 0 and QUESTIONS.compiled(SHORT).match(context[:opened].strip().rstrip("?？!. ")):
        context = context[opened:]
    return f"{question.strip()} ({re.sub('[()]', '', context).strip()})"
