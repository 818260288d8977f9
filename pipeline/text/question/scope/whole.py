"""Questions on the whole of the texts: whether one asks for it, and for what of it: its themes, persons, problems."""

import re
from functools import cache
from typing import Final, Literal, get_args

from pipeline.text.inflection import singular
from pipeline.text.keys import content_keys, key_of
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.lexicon.sentences.sentence_words import SENTENCES
from pipeline.text.question.asking_words import asking_words
from pipeline.text.question.nouns_too import nouns_among
from pipeline.text.scripts import UNSPACED_CHARACTER

Matter = Literal["problems", "conflicts", "decisions", "lessons", "changes", "outcomes", "tasks", "rules", "successes"]
MATTERS: Final[tuple[Matter, ...]] = get_args(Matter)
"""What a question may want of the whole that texts seldom call by its name: a complaint hardly says "problem"."""
DENIED: Final = 3
"""Words before a sign among which a word that says no denies it."""
LISTED: Final = {"PERSON": "whole_persons", "PLACE": "whole_places", "ORGANIZATION": "whole_bodies"}
"""Types of entities of which a question may want the main ones, and the words for these."""


_CONTRACTED = re.compile(r"(?<=\b(?:what|that|here))['’](?:s|re|ve)\b|(?<=\b(?:who))['’](?:s|re|ve)\b", re.IGNORECASE)
"""A verb behind the word that asks: "what's"."""


def asked_keys(question: str, language: str) -> frozenset[str]:
    """Return the keys of the words of a question that say something, in a language, without those that ask for the whole
    ("main themes") instead of naming something; empty where it asks for nothing else."""
    without = QUESTIONS.pattern("on_the_whole").sub(" ", question)
    without = QUESTIONS.pattern("whole_unspaced").sub(" ", without)
    asked = content_keys(without, language) - _whole(language)
    asked -= {key_of(word, language) for word in asking_words(language)}
    return asked | {key_of(word, language) for word in nouns_among(question, language)}


def asks_for_whole(question: str, language: str) -> bool:
    """Return whether a question in a spaced script has words that ask for the whole ("what are these texts about"), and no
    others that say something; not one on a single text of many ("what did the letter say")."""
    if QUESTIONS.pattern("one_document").search(question):
        return False
    said = content_keys(question, language) - {key_of(word, language) for word in asking_words(language)}
    rest = asked_keys(question, language) - general_keys(language)
    return bool(said - general_keys(language)) and not UNSPACED_CHARACTER.search(question) and not rest


def asks_what_recurs(question: str) -> bool:
    """Return whether a question asks what comes up again and again; why something fails again and again is a detail."""
    return QUESTIONS.compiled(r"(?is)\b<<recurring>>\b|^\W*<<recurring_questions>>").search(question) is not None


def asks_for_overview(question: str, language: str) -> bool:
    """Return whether a question asks what the whole is, and not for what recurs in it, its themes, persons or problems."""
    others = asks_what_recurs(question) or QUESTIONS.pattern("themes").search(question)
    of_kind = matter_asked(question, language, bare=True) or entities_asked(question, language, bare=True)
    return not (others or of_kind or asked_keys(question, language))


@cache
def _whole(language: str) -> frozenset[str]:
    return frozenset(key_of(word, language) for word in QUESTIONS.of_all("whole"))


@cache
def general_keys(language: str) -> frozenset[str]:
    """Return the keys of the nouns of what any texts are about, which name nothing beside words that ask for the whole."""
    return frozenset(key_of(word, language) for word in QUESTIONS.of("general", language))


@cache
def signs_of(matter: Matter, language: str) -> str:
    """Return a pattern, in small letters, of the words by which sentences in a language (ISO 639-1) concern a matter."""
    return rf"\b(?:{'|'.join(SENTENCES.of(f'{singular(matter)}_signs', language))})\b"


def concerns(text: str, matter: Matter, language: str) -> bool:
    """Return whether a sentence in a language (ISO 639-1) says that there was a problem, a decision or the like, and not that there was
    none: "ran without a fault"."""
    return bool(_signs_in(text, matter, language))


def concerns_surely(text: str, matter: Matter, language: str) -> bool:
    """Return whether a sentence in a language (ISO 639-1) concerns a matter by a word that seldom means anything else."""
    weak = SENTENCES.pattern("weak_signs", language)
    return any(not weak.fullmatch(sign) for sign in _signs_in(text, matter, language))


def _signs_in(text: str, matter: Matter, language: str) -> list[str]:
    denying = QUESTIONS.set_of("negating")
    return [
        sign[0]
        for sign in re.finditer(signs_of(matter, language), text, re.IGNORECASE)
        if denying.isdisjoint(text[: sign.start()].lower().split()[-DENIED:])
    ]


def entities_asked(question: str, language: str, bare: bool = False) -> str:
    """Return the type of the entities of which a question wants the main ones ("who are the main characters"); nothing where it
    wants none, or some of them. With ``bare`` it needs no word for the whole: "which firms are there"."""
    if matter_asked(question, language, bare):  # what people complain of, not who
        return ""
    persons = QUESTIONS.pattern("main_persons", language)
    if persons.search(question) and not asked_keys(persons.sub(" ", question), language) - general_keys(language):
        return "PERSON"
    for type, words in LISTED.items():
        named = frozenset(key_of(word, language) for word in QUESTIONS.of(words, language))
        if named & content_keys(question, language) and _wants_the_whole_of(
            question, language, asked_keys(question, language) - named, bare
        ):
            return type
    return ""


def matter_asked(question: str, language: str, bare: bool = False) -> Matter | None:
    """Return what a question wants of the whole: its problems, conflicts, decisions or lessons; None where it asks for something
    else, or for those of one thing. With ``bare`` it needs no word for the whole: "what were the disagreements"."""
    question = _CONTRACTED.sub("", question)
    for matter in MATTERS:
        asks = QUESTIONS.pattern(f"asks_{matter}", language)
        rest = asked_keys(asks.sub(" ", QUESTIONS.pattern("on_the_whole").sub(" ", question)), language)
        if asks_what_recurs(question):
            rest -= frozenset(key_of(word, language) for word in QUESTIONS.of("recurring_verbs", language))
        if asks.search(question) and _wants_the_whole_of(question, language, rest, bare):
            return matter
    return None


def is_on_one_matter(question: str, language: str) -> bool:
    """Return whether a question speaks of one problem, decision or the like as known: "how was the dispute settled"."""
    return QUESTIONS.pattern("one_matter", language).search(question) is not None


def asking_of_matters(question: str, language: str) -> frozenset[str]:
    """Return the words, in small letters, by which a question asks for problems, decisions and the like, or for what connects things:
    texts that answer it need not have them."""
    asks = (QUESTIONS.pattern(f"asks_{matter}", language) for matter in MATTERS)
    found = {word for pattern in asks for match in pattern.finditer(question) for word in match[0].casefold().split()}
    return frozenset(found) | frozenset(QUESTIONS.of("connecting", language))


def _wants_the_whole_of(question: str, language: str, rest: frozenset[str], bare: bool) -> bool:
    """Return whether a question of which ``rest`` are the words that name something else has words for the whole, or needs none."""
    if (
        rest - general_keys(language)
        or UNSPACED_CHARACTER.search(question)
        or QUESTIONS.pattern("one_document").search(question)
    ):
        return False
    whole = content_keys(question, language) & _whole(language)
    return bare or bool(whole or QUESTIONS.pattern("on_the_whole").search(question) or asks_what_recurs(question))
