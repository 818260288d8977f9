"""Words by which a question leans on the one before it, in the languages that graphstrata meets most."""

import re
from functools import cache

from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.scripts import is_unspaced


@cache
def pronouns(language: str) -> re.Pattern[str] | None:
    """Return the pattern of the pronouns of a language, a named group for each kind; those that stand for whatever was spoken of
    are ``any``. None for a language without a list. Scripts without spaces are searched without borders of words."""
    groups = []
    for line in QUESTIONS.by_language("pronouns").get(language, ()):
        kind, _, words = line.partition(": ")
        group = f"(?P<{kind}>{'|'.join(sorted(words.split(), key=lambda word: (-len(word), word)))})"
        groups.append(group if is_unspaced(words) else rf"(?<![\w'’-]){group}(?![\w'’])")
    # Capitalised, the German "Sie" and "Ihr" address the reader.
    return re.compile("|".join(groups), re.NOFLAG if language == "de" else re.IGNORECASE) if groups else None


POINTING = re.compile(
    r"\b(?:(?:(?P<points>this|that|these|those|(?:the )?(?:same|latter|former)|the said)|the)\s+(?P<noun>[a-z]{3,})\b(?!\s+of\b)"
    r"|(?:this|that)(?=\s*(?:[?.!]|$)))",
    re.IGNORECASE,
)
"""A noun that is pointed at, one with its article, or a demonstrative that ends the question."""

A_NOUN = re.compile(r"\b(?:the|an?|this|that|which|what|his|her|their|its)\s((?:[a-z][\w'’-]*\s?){1,3})")
"""A common noun that a pronoun after it may stand for."""

ARTICLE_BEFORE = re.compile(r"\b(?:the|an?|this|that)\s$", re.IGNORECASE)


IMPERSONAL = r"\s+<<impersonal>>"
"""What follows an "it" that means nothing."""

EXISTENTIAL = re.compile(r"(?:\b(?:is|are|was|were|be|been|will|would|has|have|had)\s|^)$", re.IGNORECASE)
"""What is before a "there" that is no place."""

ASKING = r"(?i)(?:(?:in|at|by|on|to|for|from|with|since|until)\s(?=wh|how))?<<opening>>\b"
"""What a whole question begins with, after "and"."""

SHORT = "(?i)<<short>>$"
"""Questions of a word or two that only mean something after another."""


@cache
def goes_on(language: str) -> re.Pattern[str]:
    """Return the pattern of how a question opens that goes on from the last, in a language; in English for one without a list."""
    forms = QUESTIONS.by_language("going_on")
    return re.compile("|".join(forms.get(language, forms["en"])), re.IGNORECASE)
