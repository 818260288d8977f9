"""What is made of a question before any search sees it: one that follows others stands alone, in the language of the texts."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import pyarrow.compute as pc

from pipeline.base.arrow.build import scalar
from pipeline.base.errors import QuestionError
from pipeline.base.store import Rows
from pipeline.base.task import NOT_SAID
from pipeline.language.language import Language, Reply
from pipeline.language.tasks.search.make_standalone import FollowUp, PastTurn, make_standalone
from pipeline.language.tasks.search.translate_question import QuestionToTranslate, translate_question
from pipeline.query.answer import Answer, Trace
from pipeline.query.evidence.entity_linker import link, types_of
from pipeline.query.lookups.row_followups import RowFollowUps
from pipeline.query.model_requests import request_one
from pipeline.retrieval.chunk_search import Finder
from pipeline.text.answering.source_numbers import without_source_numbers
from pipeline.text.question.mentioned_name import TURNS, MentionedName
from pipeline.text.question.names import names_in
from pipeline.text.question.question import Question
from pipeline.text.quotes import shorten

History = Sequence[tuple[str, "str | Answer"]]
"""Questions with their answers, oldest first."""

ANSWER = 1200
"""Characters of an answer that are remembered: what it says first."""


class Standing(NamedTuple):
    """A question as a search is to be asked it, and the chunks of the rows that it follows, as ``Question.follows``."""

    text: str
    follows: tuple[str, ...] | None = ()


def stand_alone(
    question: str, history: History, entities: Rows, language: Language, trace: Trace, rows: RowFollowUps
) -> Standing:
    """Return the question as a search is to be asked it. Without history it is the question itself, and nobody is asked.

    When the model fails it is done without one, and that is reported in the trace. QuestionError where the history is none.
    """
    if not history:
        return Standing(question)
    if not isinstance(history, Sequence) or not all(map(_is_turn, history)):
        found = f"the history is {history!r:.60}"
        raise QuestionError(
            found, "it is a list of questions with their answers", "give [(question, answer), ...], oldest first"
        )
    turns = tuple(PastTurn(_understood(asked, answer), _said(answer)) for asked, answer in history[-TURNS:])
    request = FollowUp("question", question, turns, _names(question, turns, entities))
    reply, by, failure = request_one(make_standalone, request, language)
    standalone = reply.question
    follows: tuple[str, ...] | None = ()
    if failure or not language.has_model(make_standalone):
        on_rows = _on_rows(question, history[-TURNS:], standalone, entities, rows)
        standalone, follows = on_rows or (standalone, follows)
    changed = standalone != question
    trace.step("standalone", standalone if changed else "the question stands alone", question=standalone, by=by)
    return Standing(standalone, follows)


def _on_rows(question: str, history: History, otherwise: str, entities: Rows, rows: RowFollowUps) -> Standing | None:
    """Return a question that goes on from one that rows of a table answered, which may itself go on from another."""
    (asked, answer), older = history[-1], history[:-1]
    before = _understood(asked, answer)
    if isinstance(answer, str) and older:
        turns = tuple(PastTurn(_understood(*turn), _said(turn[1])) for turn in older)
        names = _names(asked, turns, entities)
        plain = make_standalone.offline(FollowUp("question", asked, turns, names)).question
        found = _on_rows(asked, older, plain, entities, rows)
        before = found.text if found else plain
    followed = rows.of(question, before, answer, otherwise)
    return Standing(followed.question, followed.chunks or None) if followed else None


def in_language_of_texts(asked: Question, finder: Finder, language: Language, trace: Trace) -> str:
    """Return a question in the language of the texts, as a model translates it; empty where it need not be, or cannot: it is in
    that language, there is no model, or most of its words are in the texts."""
    if not asked.is_foreign_to(finder.language) or not language.adds(translate_question):
        return ""
    reply = language.one(translate_question, QuestionToTranslate("question", asked.text, finder.language))
    if isinstance(reply, Reply):
        trace.step("translate", reply.value.question, question=reply.value.question, by=reply.by)
        return reply.value.question
    trace.step("translate", f"searched as it was put, because the model failed: {reply.reason}", failed=True)
    return ""


def _is_turn(turn: object) -> bool:
    return (
        isinstance(turn, tuple | list)
        and len(turn) == 2
        and isinstance(turn[0], str)
        and isinstance(turn[1], str | Answer)
    )


def _understood(asked: str, answer: "str | Answer") -> str:
    """Return a question as it was understood, where its answer says so: it may have leant on turns that are not looked at now."""
    steps = () if isinstance(answer, str) else answer.steps
    return next((str(step.data["question"]) for step in steps if step.name == "standalone"), asked)


def _said(answer: "str | Answer") -> str:
    """Return the text of an answer without citations and marks, cut at the end of a word; that there was none where there was none."""
    text = answer if isinstance(answer, str) else answer.text if answer.supported else NOT_SAID
    return shorten(without_source_numbers(text), ANSWER)


def _names(question: str, turns: Sequence[PastTurn], entities: Rows) -> tuple[MentionedName, ...]:
    """Return the entities that the turns and the question name, and other capitalised names, as they are written there."""
    forms: dict[str, dict[str, None]] = {}
    unknown: list[str] = []
    for text in (*(part for turn in turns for part in turn), question):
        named = link(text, entities)
        for one in named:
            forms.setdefault(one.title, {})[one.written] = None
        known = " ".join(one.written for one in named)
        unknown += [name for name in names_in(text) if name not in known]
    whole = _by_first_name(unknown, entities)
    for name in unknown:
        forms.setdefault(whole.get(name, name), {})[name] = None
    types = dict(types_of(forms, entities))
    return tuple(MentionedName(title, types.get(title, ""), tuple(written)) for title, written in forms.items())


def _by_first_name(names: Sequence[str], entities: Rows) -> dict[str, str]:
    """Return the titles of persons by those of some names that are the first name of exactly one."""
    words = "|".join(re.escape(name) for name in dict.fromkeys(names) if " " not in name)
    if not words:
        return {}
    table = entities.table(["title", "type"])
    titled = pc.match_substring_regex(table["title"], f"^(?:{words}) ")
    rows = table.filter(pc.and_(titled, pc.equal(table["type"], scalar("PERSON"))))["title"].to_pylist()
    shared = Counter(title.split()[0] for title in rows)
    return {first: title for title in rows if shared[first := title.split()[0]] == 1}
