"""Questions on where something is mentioned: which texts speak of it, how often, and how what they say of it changes."""

import re
from functools import cache
from typing import NamedTuple

from pipeline.text.lexicon.questions.question_words import QUESTIONS

_LEADING = "¿¡\"'«“„ \t"
_CLOSING = re.compile(r"[\s?!.？。\"'»”“]+$")


class MentionAsked(NamedTuple):
    """What a question looks for, empty where it asks for no mentions, and whether it asks for the texts without it."""

    sought: str = ""
    is_denied: bool = False


def asked_mention(question: str, language: str) -> MentionAsked:
    """Return what a question in a language (ISO 639-1) looks for where it asks which texts mention that or do not, where or how
    often, or what all of them say of it. All languages' forms count where this one has none."""
    plain = _CLOSING.sub("", question.lstrip(_LEADING))
    for form in _forms("not_mentioning", language):
        for no in form.finditer(plain):
            kept = no.groupdict().get("kept") or ""
            found = _matched(plain[: no.start()] + kept + plain[no.end() :], language)
            if found and not found.start("x") <= no.start() < found.end("x"):
                return MentionAsked(found["x"].strip(), True)
    found = _matched(plain, language)
    return MentionAsked(found["x"].strip()) if found else MentionAsked()


def _matched(plain: str, language: str) -> re.Match[str] | None:
    plain = " ".join(plain.split())
    return next((found for form in _forms("mentioning", language) if (found := form.fullmatch(plain))), None)


@cache
def _forms(head: str, language: str) -> list[re.Pattern[str]]:
    by_language = QUESTIONS.by_language(head)
    some = by_language.get(language) or [form for own in by_language.values() for form in own]
    return [re.compile(form, re.IGNORECASE) for form in some]
