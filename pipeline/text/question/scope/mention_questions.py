"""Questions on one thing, by their form: where it is mentioned, how often, how what is said of it changes; and what it says in short."""

import re
from typing import NamedTuple

from pipeline.text.keys import content_keys
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.question.scope.question_forms import forms_of, without_marks
from pipeline.text.question.scope.whole import MATTERS, Matter, general_keys


class MentionAsked(NamedTuple):
    """What a question looks for, empty where it asks for no mentions, whether it asks for the texts without it, and what
    about it is asked, where not just anything: what went wrong with it."""

    sought: str = ""
    is_denied: bool = False
    matter: Matter | None = None


def asked_mention(question: str, language: str) -> MentionAsked:
    """Return what a question in a language (ISO 639-1) looks for where it asks which texts mention that or do not, where or how
    often, what all of them say of it, or what went wrong with it, was decided on it and the like. All languages' forms count where this one has none."""
    plain = without_marks(question)
    for form in forms_of("not_mentioning", language):
        for no in form.finditer(plain):
            kept = no.groupdict().get("kept") or ""
            found = _matched("mentioning", plain[: no.start()] + kept + plain[no.end() :], language)
            if found and not found.start("x") <= no.start() < found.end("x"):
                return MentionAsked(found["x"].strip(), True)
    heads = {"mentioning": None, **{head: one for one in MATTERS if (head := f"{one}_of") in QUESTIONS}}
    for head, matter in heads.items():
        found = _matched(head, plain, language)
        if found and not content_keys(found["x"], language) <= general_keys(language):
            return MentionAsked(found["x"].strip(), False, matter)
    return MentionAsked()


def asked_summary(question: str) -> str:
    """Return what a question asks to summarise, in any language, since one of names and a date shows none; empty where it asks for
    something else."""
    found = _matched("summarising", without_marks(question), "")
    return found["x"].strip() if found else ""


def _matched(head: str, plain: str, language: str) -> re.Match[str] | None:
    plain = " ".join(plain.split())
    return next((found for form in forms_of(head, language) if (found := form.fullmatch(plain))), None)
