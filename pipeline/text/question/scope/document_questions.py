"""Questions that the metadata of documents help to answer: who sent a mail and when, by its headers; what is the latest state of
something, by the dates of documents ("in the end", "currently")."""

import re
from functools import cache

from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.lexicon.words import either
from pipeline.text.question.question import Question

HEADERS = {"person": "from", "date": "date"}
"""The header of a mail that answers, by the kind that is asked for."""
_GOES_ON = re.compile(r"\s+(?!the\b)[a-zà-öø-ÿ]")
"""What is behind a verb that no name follows: "about", "to"."""


def asked_header(question: Question) -> str:
    """Return the header of a mail that answers a question, "from" or "date", were a mail to say what else it asks for; empty where
    it asks for something else."""
    sends = QUESTIONS.pattern("sends", question.language).search(question.text)
    return HEADERS.get(question.kind, "") if sends and not _asks_for_author(question, sends.end()) else ""


def _asks_for_author(question: Question, verb_end: int) -> bool:
    """Return whether a question asks who wrote something that has a name and is nobody: "Who wrote The Tempest?", not "Who wrote
    about the Tempest?"."""
    has_only_names = all(term.name for term in as_of_mail(question).terms)
    goes_on = _GOES_ON.match(question.text, verb_end)
    return (
        question.kind == "person"
        and has_only_names
        and not goes_on
        and all(one.type != "PERSON" for one in question.entities)
    )


def as_of_mail(question: Question) -> Question:
    """Return such a question as what the mail says is measured by it: without the verb of sending, for no kind of thing."""
    sends = QUESTIONS.pattern("sends", question.language)
    terms = tuple(term for term in question.terms if term.name or not sends.fullmatch(term.word))
    return question._replace(kinds=(), terms=terms) if terms else question


def asks_latest(question: Question) -> bool:
    """Return whether a question asks for the last of several states."""
    return bool(_as_it_stands(question.language).search(question.text))


def without_latest(question: Question) -> Question:
    """Return such a question without the words by which it asks so, which no text need hold."""
    said = " ".join(found[0] for found in _as_it_stands(question.language).finditer(question.text)).casefold()
    kept = tuple(term for term in question.terms if term.name or term.word.casefold() not in said.split())
    return question._replace(terms=kept) if kept else question


@cache
def _as_it_stands(language: str) -> re.Pattern[str]:
    listed = QUESTIONS.by_language("as_it_stands").get(language, ())
    return re.compile(rf"(?<!\w)(?:{either(listed)})(?!\w)" if listed else "(?!)", re.IGNORECASE)
