"""The kinds of thing that questions ask for, by cues in thirteen languages."""

import re

from pipeline.text.keys import TOKEN
from pipeline.text.lexicon.questions.question_words import KINDS, QUESTIONS
from pipeline.text.scripts import HIRAGANA, UNSPACED, is_unspaced

ALL: frozenset[str] = frozenset()
"""No language in particular: the cues of all count."""

_SHORT_CUES = frozenset({"age", "cause", "date", "duration", "money", "name", "person", "version"})
_OR = frozenset({"or", "oder", "ou", "o", "u", "of", "eller", "czy", "или"})
"""Cues of a choice that ask for no difference."""
_RELATIVE = frozenset({"date", "definition", "how", "person", "place"})
"""Kinds whose cues also open relative clauses."""
_LEADING = re.compile(r"\W*(?:\w+ )?$")
"""What may be before the word that opens a question: a preposition."""


def kinds_of(question: str, language: str = "") -> tuple[str, ...]:
    """Return the kinds that a question in a language (ISO 639-1) asks for, the one whose cue is first before others, of
    equals the longest; all languages' cues count where none is given.

    A cue behind the word that asks is a relative clause ("the woman who", "when I upgrade") and asks for nothing, unless a
    conjunction is before it.
    """
    found = []
    for order, kind in enumerate(KINDS):
        match = QUESTIONS.pattern(f"asks_{kind}", language).search(question)
        if match:
            found.append((match.start() if not is_unspaced(match[0]) else 0, -len(match[0]), order, kind))
    found.sort()
    if QUESTIONS.pattern("yes_or_no", language).match(question) and found and found[0][0] > 0:
        return ()
    opens = QUESTIONS.pattern("interrogatives", language).search(question) if language else None
    first = found[0][0] if found else 0
    if opens and opens.start() < first and _LEADING.match(question, 0, opens.start()):
        first = opens.start()
    joined = QUESTIONS.pattern("joining", language)
    kept = [
        kind
        for at, *_, kind in found
        if at <= first + LEAD
        or not language
        or kind not in _RELATIVE
        or ((words := question[:at].split()) and joined.fullmatch(words[-1]))
    ]
    if kept[:2] == ["list", "name"]:  # "What are their children called?"
        kept[:2] = ["name", "list"]
    if kept[:2] == ["definition", "name"]:  # "What was Ada's dog's name?"
        kept[:2] = ["name"]
    if not kept and QUESTIONS.pattern("what_is_the", language).match(question):
        kept = ["definition"]
    return tuple(dict.fromkeys(kept))


LEAD = 4
"""Two cues of one asking word begin at most so many characters apart: "in which year", "which year"."""


def cue_words(question: str, language: str) -> list[str]:
    """Return the words of the cues by which a question asks for a time, a sum, a person, a cause or a meaning, which answers do
    not repeat; what a sum is called by what it is for, a rent, a deposit, they do."""
    found: list[str] = []
    for kind in KINDS:
        match = QUESTIONS.pattern(f"asks_{kind}", language).search(question)
        if match and kind in _SHORT_CUES:
            kept = QUESTIONS.set_of("sums") if kind == "money" else frozenset[str]()
            found += [word for word in TOKEN.findall(match[0]) if word.casefold() not in kept]
        elif match and kind in ("definition", "secret"):
            found += [word for word in TOKEN.findall(question) if word.casefold() in QUESTIONS.set_of("meaning")]
    return found


def longest_unspaced(question: str) -> list[str]:
    """Return the longest stretch of a question that is in an unspaced script and says something; none where it has none."""
    function = re.escape("".join(sorted(QUESTIONS.set_of("function_of_unspaced"))))
    found = re.findall(f"(?:(?![{function}{HIRAGANA}])[{UNSPACED}]){{2,}}", question)
    return [max(found, key=len)] if found else []


def refers_back(text: str, languages: frozenset[str]) -> bool:
    """Return whether a sentence opens with a word that needs the one before it: a pronoun, "therefore"."""
    return bool(QUESTIONS.pattern("refers_back", *languages).match(text.lstrip(" \t\"'“„«»*_-([")))


def goes_on(text: str, languages: frozenset[str]) -> bool:
    """Return whether a sentence opens with a pronoun that stands for whom the one before it is about."""
    return bool(QUESTIONS.pattern("same_person", *languages).match(text.lstrip(" \t*_-")))


def offers_choice(question: str, language: str = "") -> bool:
    """Return whether a question sets things against each other: X or Y."""
    return bool(QUESTIONS.pattern("either", language).search(question))


def speaks_of_itself(text: str, languages: frozenset[str]) -> bool:
    """Return whether a text has a word for whom it is by: I, our."""
    return bool(QUESTIONS.pattern("self", *languages).search(text))


def sets_against(word: str, language: str) -> bool:
    """Return whether a word asks how things differ."""
    return bool(QUESTIONS.pattern("either", language).fullmatch(word)) and word.casefold() not in _OR


def compared(question: str, language: str = "") -> tuple[str, str] | None:
    """Return the two things between which a question asks for the difference, as it writes them; None where it does not."""
    cue = QUESTIONS.pattern("either", language).search(question)
    sides = QUESTIONS.pattern("between", language).search(question) if cue and cue[0].casefold() not in _OR else None
    if not sides:
        return None
    one, other = [side for side in sides.groups() if side]
    return one, other


def asks_of_several(question: str, language: str) -> bool:
    """Return whether a question may ask the same of several things: X or Y, both X and Y."""
    return offers_choice(question, language) or bool(QUESTIONS.pattern("several", language).search(question))


def asks_connection(question: str, language: str = "") -> bool:
    """Return whether a question asks how things are connected."""
    return bool(QUESTIONS.pattern("connects", language).search(question))
