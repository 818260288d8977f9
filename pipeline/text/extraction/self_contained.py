"""Whether a sentence can stand alone: is whole, says who it is about, and leans on nothing that was said before."""

import re
from itertools import islice, takewhile

from pipeline.text.extraction.pronouns import find_pronouns
from pipeline.text.lexicon.genders import governed
from pipeline.text.lexicon.words import Words, either, listed, sections
from pipeline.text.scripts import UNSPACED_CHARACTER, words_of

_LISTS = sections("standing_alone")


def _ties(head: str) -> str:
    return either(filter(None, _LISTS[head].replace("\n", ", ").split(", ")))


CONJUNCTION = re.compile(
    rf"(?:(?:(?:{_ties('ties')})(?:,\s|(?<!know)(?<!mean)\s)|(?:{_ties('ties_before_a_comma')}),\s)(?=\S))+"
)
"""Words in front that tie a sentence to the one before and can be left out; "No" is one in "No, it rained", and not in "No customer
came"."""

OPEN = re.compile(
    r"\W{0,3}(?:(?:(?:some|many|most|all|one|both|none|each|several) of )?"
    rf"(?:{either(listed(_LISTS['pointing']))})\b|[他她它这這此彼]|それ|これ)",
    re.IGNORECASE,
)
"""A pronoun or demonstrative at the opening: the subject is in another sentence."""

_SELF = listed(_LISTS["first_person"])
FIRST_PERSON = re.compile(  # the I of "World War I" and "Otto I" is after a capitalised word
    rf"(?:^|[^\w\s]\s?|\b[a-z][a-z'’]*\s|\b(?:{either(listed(_LISTS['before_i']))})\s)I(?=['’\s,])"
    rf"|\b(?:{either(_SELF - {'I'})})\b"
)
"""A word by which somebody speaks of himself."""
_WHOLE_WORD = re.compile(r"\w+")
_ASCII_WORDS = {code: " " for code in range(128) if not _WHOLE_WORD.match(chr(code))}
"""What leaves the same words of ASCII characters where it is split at spaces, three times as fast."""
_LEAST_WORDS = 4
"""Words of a sentence that can stand alone."""

WORD = re.compile(r"(?=\S)(?:[a-zA-Z0-9]{2,}+(?![\w'’-])|[^\W_]+(?:['’-][^\W_]+)*)")
"""A word with its inner marks; plain ones, which are most, are found by the first half, three times as fast."""

ASIDE = re.compile(r"\s?\([^()]{0,200}\)")
"""What is said in brackets, with the blank before it."""
_ARTICLE = re.compile(rf"(?:{either(listed(_LISTS['articles']))})\s")
_GERMAN_ARTICLES = ("Der ", "Die ", "Das ")
_COMPLEMENTS = listed(_LISTS["complements"])
_CAPITALISED = re.compile(r"[^\W\d_a-z][\w'’-]+(?:\s(?:(?:of|the|de|la|von|du|d['’])\s)*[^\W\d_a-z][\w'’-]+)*")


_CLOSERS = "\"'”’»)]」』*_"
_WHOLE = tuple(".!。…।۔:;")
_LABEL = re.compile(r"[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,3}:\s(?=\S)")
_BROKEN_OPENING = re.compile(r"[\"“‘'][^\"”’']*[,!?.…][\"”’']|\d[\d.]*[).:]\s?|\d\.[A-Z]|[^\w\"“‘'«„(¿¡*\[-]")
"""The rest of a quotation; speech; a paragraph's number."""
_IDENTIFIER = re.compile(r"\w_\w|https?:|www\.")
"""In a piece of a table, an address or a file's name."""
_PLAIN_WORD = re.compile(r"[^\W\d_]+(?=[\s,;:!?'’]|$|[.](?:\s|$))")
_POINTING = re.compile(r"\b(?:in|at|of|by|to|from|on|with|after|before|during) (?:this|that|these|those) [a-z]")
_POINTED = (" this ", " that ", " these ", " those ")
"""One of these is in all that it finds: most sentences have none, which is seen sooner."""


def capitalised(text: str) -> str:
    """Return a text with a capital at its head, unless it opens with an identifier: ``httpx.get`` stays as it is."""
    return text[:1].upper() + text[1:] if _PLAIN_WORD.match(text) else text


def stands_alone(sentence: str) -> bool:
    """Return whether a sentence on one line can be read without the text around it, as far as its shape shows.

    It is whole, neither question, heading nor speech, says no "I", and neither opens with a pronoun, a conjunction or a bare
    "the town" nor holds a "he" or "her" before any name that it could stand for. A speaker's name and a colon may go before.
    """
    said = sentence[label.end() :] if (label := _LABEL.match(sentence)) else sentence
    if not said.rstrip(_CLOSERS).endswith(_WHOLE) or said[-1] == ":" or OPEN.match(said) or _BROKEN_OPENING.match(said):
        return False
    if ("_" in said or "http" in said or "www." in said) and _IDENTIFIER.search(said):
        return False
    if not said.isascii() and UNSPACED_CHARACTER.search(said):
        return len(said) >= 8
    opening = [found[0] for found in islice(WORD.finditer(said), _LEAST_WORDS)]
    if len(opening) < _LEAST_WORDS or opening[0][0].islower() or CONJUNCTION.match(said) or _is_first_person(said):
        return False
    if said.count("(") != said.count(")") or (any(map(said.__contains__, _POINTED)) and _POINTING.search(said)):
        return False
    return not opens_bare(said, words_of("en")) and not _has_loose_pronoun(said)


def _is_first_person(sentence: str) -> bool:
    """Whether somebody speaks of himself; the words are looked up before the expression, which takes five times as long."""
    words = sentence.translate(_ASCII_WORDS).split() if sentence.isascii() else _WHOLE_WORD.findall(sentence)
    return not _SELF.isdisjoint(words) and bool(FIRST_PERSON.search(sentence))


def _has_loose_pronoun(sentence: str) -> bool:
    """Whether an English pronoun for persons is before the names it needs: one, and two where it is an object."""
    asked = [
        pronoun for pronoun in find_pronouns(sentence, 0, len(sentence), "en") if pronoun.kind in ("m", "f", "plural")
    ]
    if not asked:
        return False
    function = words_of("en").function
    last = asked[:2][-1].start
    names = [
        found.start()
        for found in takewhile(lambda found: found.start() < last, _CAPITALISED.finditer(sentence))
        if found[0].lower() not in function and not governed(sentence, 0, found.start())
    ]
    return any(sum(name < pronoun.start for name in names) < 1 + (pronoun.role == "object") for pronoun in asked[:2])


def opens_bare(sentence: str, vocabulary: Words, first_name: int | None = None) -> bool:
    """Return whether the subject is a bare "the town", "the film": article and noun, with no name and no complement before the verb.

    ``first_name`` is where the first name begins, when it is known.
    """
    article = _ARTICLE.match(sentence)
    if not article or (first_name is not None and first_name <= article.end()):
        return False
    german = article[0] in _GERMAN_ARTICLES
    for index, word in enumerate(WORD.findall(sentence[article.end() : article.end() + 80])[:6]):
        if word in _COMPLEMENTS or (word[0].isupper() and not german):
            return False
        if index and (word in vocabulary.function or word in vocabulary.verbs or word.endswith(("ed", "s"))):
            return True
    return False
