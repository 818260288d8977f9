"""Questions on who wrote or sent a mail, and when, which its headers answer and not what it says."""

from pipeline.text.question.cues import showing
from pipeline.text.question.kinds import cue_languages
from pipeline.text.question.question import Question

HEADERS = {"person": "from", "date": "date"}
"""The header that answers, by the kind that is asked for."""


def asked_header(question: Question) -> str:
    """Return the header of a mail that answers a question, "from" or "date", were a mail to say what else it asks for; empty where
    it asks for something else."""
    sends = showing("sends", cue_languages(question.language)).search(question.text)
    return HEADERS.get(question.kind, "") if sends else ""


def as_of_mail(question: Question) -> Question:
    """Return such a question as what the mail says is measured by it: without the verb of sending, for no kind of thing."""
    sends = showing("sends", cue_languages(question.language))
    terms = tuple(term for term in question.terms if term.name or not sends.fullmatch(term.word))
    return question._replace(kinds=(), terms=terms) if terms else question
