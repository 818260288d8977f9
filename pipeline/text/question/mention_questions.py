"""Questions on where something is mentioned: which texts speak of it, how often, and how what they say of it changes."""

import re
from functools import cache

from pipeline.text.lexicon.questions.question_words import QUESTIONS

_LEADING = "¿¡\"'«“„ \t"
_CLOSING = re.compile(r"[\s?!.？。\"'»”“]+$")


def asked_mention(question: str, language: str) -> str:
    """Return what a question in a language (ISO 639-1) looks for where it asks which texts mention that, where or how often, or
    what all of them say of it; empty where it asks for something else. All languages' forms count where this one has none."""
    plain = _CLOSING.sub("", question.lstrip(_LEADING))
    forms = _forms()
    for form in forms.get(language) or [form for some in forms.values() for form in some]:
        if found := form.fullmatch(plain):
            return found["x"].strip()
    return ""


@cache
def _forms() -> dict[str, list[re.Pattern[str]]]:
    return {
        language: [re.compile(form, re.IGNORECASE) for form in some]
        for language, some in QUESTIONS.by_language("mentioning").items()
    }
