"""The forms of whole questions that word lists hold, and a question as they are compared with it."""

import re
from functools import cache

from pipeline.text.lexicon.questions.question_words import QUESTIONS

_LEADING = "¿¡\"'«“„ \t"
_CLOSING = re.compile(r"[\s?!.？。\"'»”“]+$")


def without_marks(question: str) -> str:
    """Return a question without the marks and blanks around it."""
    return _CLOSING.sub("", question.lstrip(_LEADING))


@cache
def forms_of(head: str, language: str) -> list[re.Pattern[str]]:
    """Return the forms below a head of the lists of questions in a language (ISO 639-1), each as a pattern in any case."""
    return [re.compile(form, re.IGNORECASE) for form in QUESTIONS.of(head, language)]
