"""Words by which a question says how its subject is to be looked at, and which answers seldom contain: role, change, reason."""

import re
from functools import cache

from pipeline.text.keys import key_of, keys_by_language
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.question.question import Question

LIGHT = 0.5
"""What such a word weighs, as a share of its rarity: an answer to "what role did he play" holds neither word."""
_PART = re.compile(r"\b(?:role|part)\b.*\bplay(?:s|ed|ing)?\b|\bplay(?:s|ed|ing)?\b.*\b(?:role|part)\b", re.IGNORECASE)


def asks_for_analysis(question: Question) -> bool:
    """Return whether a question says how its subject is to be looked at, or says nothing besides names: much answers it."""
    return all(term.name for term in question.terms) or any(not t.name and t.key in _keys() for t in question.terms)


def without_analysis(question: Question) -> Question:
    """Return a question in which words of analysis weigh LIGHT, where it says anything else."""
    light = _keys() | {key_of("play", "en")} if _PART.search(question.text) else _keys()
    if all(term.name or term.key in light for term in question.terms):
        return question
    terms = (t._replace(weight=t.weight * LIGHT) if not t.name and t.key in light else t for t in question.terms)
    return question._replace(terms=tuple(terms))


@cache
def _keys() -> frozenset[str]:
    """Return the keys of words of analysis; they count in questions of any language."""
    return keys_by_language(QUESTIONS.by_language("analysis"))
