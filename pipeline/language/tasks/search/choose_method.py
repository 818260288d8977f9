"""Which search method fits a question."""

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task
from pipeline.language.tasks.material import MATERIAL
from pipeline.text.keys import keys_by_language, keys_of
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.question.kinds import asks_connection
from pipeline.text.question.question import Question
from pipeline.text.question.scope.connected_ends import common_thing
from pipeline.text.question.scope.listings import asked_listing
from pipeline.text.question.scope.whole import (
    asked_keys,
    asks_for_whole,
    asks_what_recurs,
    entities_asked,
    is_on_one_matter,
    matter_asked,
)


class MethodShown(NamedTuple):
    """A search method and what it is good for."""

    name: str
    help: str

    def as_line(self) -> str:
        """Return it as a prompt shows it."""
        return f"{self.name}: {self.help}"


class Choice(BaseModel):
    """A search method, and why."""

    method: str = Field(description="name of one of the methods")
    reason: str = Field(description="why it fits, in a few words that go on from: because")


@dataclass(frozen=True)
class QuestionToPlace(Request):
    """A question, the methods there are, and the entities of the index that the question names."""

    question: str
    methods: tuple[MethodShown, ...]
    names: tuple[str, ...]
    asked: Question

    def shown(self, name: str) -> str:
        """Return names with commas between them, other fields as they are."""
        return ", ".join(self.names) or "none" if name == "names" else super().shown(name)


def offline(request: QuestionToPlace) -> Choice:
    """Return the method by rules: whether the question asks for a whole, what it names, and what else it asks.

    Only methods that are at their best without a model are chosen: reading agents, gradings and follow-up questions need one.
    """
    for method, reason in _fitting(request):
        if method in {shown.name for shown in request.methods}:
            return Choice(method=method, reason=reason)
    return Choice(method=request.methods[0].name, reason="no other method is there")


def _fitting(request: QuestionToPlace) -> list[tuple[str, str]]:
    """Return the methods that would do, best first, each with its reason."""
    named_in = " ".join(written for _, written in request.asked.as_written)
    request = replace(request, names=tuple(name for name in request.names if name.casefold() not in named_in))
    names = " and ".join(request.names[:2])
    if request.asked.mention:
        if matter := request.asked.matter:
            return [("basic", f"it asks for the {matter} of {request.asked.mention}")]
        denied = "not " if request.asked.is_mention_denied else ""
        return [("basic", f"it asks where {request.asked.mention} is {denied}mentioned")]
    linked = [one.title for one in request.asked.entities if one.written]
    if len(linked) > 1 and asks_connection(request.question, request.asked.language):
        return [("local", f"it asks how {' and '.join(linked[:2])} are connected"), ("entity", f"it names {names}")]
    if thing := common_thing(request.asked):
        return [("local", f"it asks how {linked[0]} and {thing.words} are connected"), ("entity", f"it names {names}")]
    asked = request.asked
    whole = (
        QUESTIONS.pattern("on_the_whole").search(request.question)
        or asks_what_recurs(request.question)
        or _asks_for_themes(request.question, asked.language)
        or entities_asked(request.question, asked.language)
        or asked_listing(request.question, asked.language)
        or ({*asked.kinds} <= MAY_BE_WHOLE and asks_for_whole(request.question, asked.language))
        or _asks_for_matter(asked)
    )
    named = {key for name in request.names for key in keys_of(name, request.asked.language)}
    rest = [term for term in request.asked.terms if not term.name and term.key not in named | _broad()]
    if whole and not request.names:
        return [("global", "it asks for what runs through the whole corpus"), ("basic", "it names nothing")]
    if not rest and len(request.names) == 1 and not whole:
        return [("entity", f"it asks what is known of {names}"), ("basic", f"it names {names}")]
    if whole:
        return [("entity", f"it asks for the whole of {names}"), ("basic", f"it is about {names}")]
    detail = f"it asks after a detail of {names}" if request.names else "it asks for what a passage says"
    return [("basic", detail)]


def _asks_for_matter(asked: Question) -> bool:
    """Return whether a question asks for the problems, decisions and the like of the whole: it has words for the whole, or names
    nothing else, "what are people unhappy with"."""
    bare = not is_on_one_matter(asked.text, asked.language)
    matter = matter_asked(asked.text, asked.language, bare)
    at_odds = {"place"} if matter == "conflicts" else set()  # "where do people disagree"
    return bool(matter) and {*asked.kinds} <= MAY_BE_WHOLE | at_odds


def _asks_for_themes(question: str, language: str) -> bool:
    """Return whether themes, with what is said of them, are the first thing that a question names: "which future trends", not
    "what if two patterns match", nor "what is a file pattern's weight"."""
    found = QUESTIONS.pattern("themes").search(question)
    of_one = _of_one().fullmatch(question, 0, found.start()) if found else None
    if found and (question[found.end() :].startswith(("'s ", "’s ")) or (of_one and asked_keys(of_one[1], language))):
        return False
    before = question[: found.start()].split() if found else []
    while before and asked_keys(before[-1], language):
        before.pop()
    return bool(found) and not asked_keys(" ".join(before), language)


@cache
def _of_one() -> re.Pattern[str]:
    """Return the pattern of how a question begins that asks what one of a kind of things is: "what is a file pattern"."""
    return re.compile(rf"\W*{QUESTIONS.one_of('what_is')}\s*{QUESTIONS.one_of('one')}\s+([\w-]+)\s+$", re.IGNORECASE)


@cache
def _broad() -> frozenset[str]:
    """Return the keys of what a question about one entity says beside its name when it asks for whatever is known."""
    return keys_by_language(QUESTIONS.by_language("broad"))


MAY_BE_WHOLE = frozenset({"list", "definition"})
"""Kinds of things that a question on the whole may seem to ask for."""


def check(request: QuestionToPlace, reply: Choice) -> Choice:
    """ValueError unless the method is one of those there are."""
    method = reply.method.strip().lower()
    if method not in {shown.name for shown in request.methods}:
        raise ValueError(f"no method {reply.method!r}; there are {', '.join(shown.name for shown in request.methods)}")
    return Choice(method=method, reason=" ".join(reply.reason.split()).removeprefix("because ").rstrip("."))


SYSTEM = f"""You choose the search method that answers a question over a corpus best, by what each is good for. A question on the
corpus as a whole needs reports; a question that connects named things needs reading along the graph; a question on one
thing needs what is known of it; the cheaper method goes before the dearer where both would do.
{MATERIAL}"""

USER = """Methods:
{methods}

Question: {question}
Entities of the index that it names: <material>{names}</material>

Choose."""

choose_method = Task("choose_method", Prompt(SYSTEM, USER), QuestionToPlace, Choice, offline, check)
