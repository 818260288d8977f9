"""How surely a sentence says who somebody is, beside the name: an apposition, a role, a relative clause, a form of *to be*."""

import re

from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.scripts import words_of

SURE, LIKELY, NAMED = 1.0, 0.8, 0.3
"""How surely a sentence says who somebody is that says so; that has a noun where a role may be; that only has the name."""
ADDRESSED = 0.1
"""The same of one in which somebody is spoken to: "I swear, Ada."."""
_WORD = r"[^\W\d_][\w’']*"
_LAST, _FIRST = re.compile(rf"(?P<word>{_WORD}) $"), re.compile(rf"(?: [A-Z][\w./+]*){{0,2}} (?P<word>{_WORD})")
"""The word right before a name, and right behind it or further names of the same bearer."""
_OWNER = re.compile(r"['’]s?(?!\w)")
"""Behind a name whose bearer owns something: what is said is said of that, "Ada's dog"."""
CALLED = 2
"""Words before a name among which one says that somebody is called so, "a carter called Ben", at most."""
_QUOTES = re.compile("[\"“”„«»]|(?<!\\w)['‘]")
_ADDRESS = re.compile(r"(?:^|,)\s*[\"“„«‘']?$")
_BEHIND_ADDRESS = re.compile(r"[,.!?;]")
_NEXT = re.compile(r"(?: [A-ZÀ-ÖØ-ÞЀ-Я][\w./+]*){0,2}(?P<comma>,)? (?P<word>[^\W\d_][\w’']*)")
"""The word behind a name, or behind further names of the same bearer."""
_BRACKET = re.compile(r"(?: [A-ZÀ-ÖØ-ÞЀ-Я][\w./+]*){0,2} ?[(（](?=[^\W\d_])")
_DASH = re.compile(r"(?: [A-ZÀ-ÖØ-ÞЀ-Я][\w./+]*){0,2}(?: ?[—–]| -) (?=[^\W\d_])")
DOES = re.compile(r"(?: [A-ZÀ-ÖØ-ÞЀ-Я][\w.]*)? (?:is|was|are|were) (?:\w+ing|here|there)\b")
"""Behind a name: what its bearer was doing just then, or where, not who that is."""
_COPULA = r"(?i:(?:^|.*\W)(?P<subject>[^\W\d_][\w’'-]*),? <<is_or_was>> (?:[^\W\d_]{1,4}\.? )?)$"
"""Before a name of which a sentence says that somebody else, by a role, is that one: "Her deputy was Ada"."""
_LABEL = re.compile(r"^\W*[^\W\d_][^:.!?\n]{2,40}: (?:[A-ZÀ-ÖØ-ÞЀ-Я][a-z]{0,3}\.? )?$")
"""A role before a name that is all that is behind it: "Chair: Ada"."""
_LABELLED = re.compile(r"(?: [A-ZÀ-ÖØ-ÞЀ-Я][\w./+]*){0,2}\W*(?:$|\()")


def says_who(said: str, start: int, end: int, language: str) -> float | None:
    """Return how surely a sentence in a language says who bears the name that is at a place of it, by what is right before and behind it;
    None where that shows nothing and a noun before it may still be a role."""
    before, after = said[:start], said[end:]
    if _QUOTES.search(said) and _ADDRESS.search(before) and _BEHIND_ADDRESS.match(after):
        return ADDRESSED
    if QUESTIONS.pattern("naming").search(" ".join(before.split()[-CALLED:])):
        return LIKELY
    if _OWNER.match(after):
        last = before.split()[-1:]
        return NAMED if not last or last[0].casefold() in words_of(language).function else None
    copula = QUESTIONS.compiled(_COPULA).match(before)
    if copula and copula["subject"].casefold() not in words_of(language).function:
        return SURE
    if _LABEL.match(before) and _LABELLED.fullmatch(after):
        return LIKELY
    if _BRACKET.match(after) or _DASH.match(after):
        return SURE
    follows = _NEXT.match(after)
    if not follows:
        return None
    word = follows["word"].casefold()
    if QUESTIONS.pattern("relative").fullmatch(f"{follows['comma'] or ''}{word}"):
        return SURE
    if follows["comma"]:
        return SURE if opens_apposition(word, language) else None
    if QUESTIONS.pattern("behind_people").fullmatch(word):
        behind = _NEXT.match(after[follows.end() :])
        is_verb = QUESTIONS.pattern("is_or_was").fullmatch(word)
        is_said = behind and not DOES.match(after) and opens_apposition(behind["word"].casefold(), language)
        return SURE if not is_verb or is_said else None
    return None


def speaks(said: str, start: int, end: int, language: str) -> bool:
    """Return whether a sentence in a language with a quotation says of who bears the name at a place of it that it is by that one, and no
    more: "Come in," said Ada."""
    beside = (_LAST.search(said[:start]), _FIRST.match(said[end:]))
    is_said = any(word and word["word"].casefold() in words_of(language).speech for word in beside)
    return bool(_QUOTES.search(said)) and is_said


def may_be_role(word: str, language: str) -> bool:
    """Return whether the word of a language, in lower case, right before a name may be what its bearer is: "the carter Ben"."""
    words = words_of(language)
    return word not in words.speech and word not in words.verbs


def opens_apposition(word: str, language: str) -> bool:
    """Return whether a word of a language, in lower case, may begin what says who somebody is: an article, a possessive, a preposition or
    a noun, but no verb, pronoun or conjunction."""
    words = words_of(language)
    if QUESTIONS.pattern("no_apposition").fullmatch(word) or word in words.verbs or word in words.speech:
        return False
    is_small = word in words.function and word not in words.determiners and word not in words.prepositions
    return not is_small or bool(QUESTIONS.pattern("placing", language).fullmatch(word))
