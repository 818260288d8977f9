"""Auto: looks at the question, picks the search method that fits it, says which and why, and runs it."""

from collections.abc import Mapping
from dataclasses import replace

from pipeline.language.tasks.search.choose_method import (
    MAY_BE_WHOLE,
    Choice,
    MethodShown,
    QuestionToPlace,
    choose_method,
)
from pipeline.query.answer import Answer
from pipeline.query.evidence.cited_context import read_chunks, read_closest
from pipeline.query.evidence.entity_linker import proper_names
from pipeline.query.lookups.rows import find_rows
from pipeline.query.lookups.sections import find_versions
from pipeline.query.lookups.summaries import find_summarised
from pipeline.query.method import Search, SearchCall
from pipeline.query.model_requests import request_one
from pipeline.query.reader.state_graph import RUN_ON_IT, has_langgraph
from pipeline.text.dates import find_dates
from pipeline.text.question.question import Question
from pipeline.text.question.rows.row_questions import asked_rows
from pipeline.text.question.scope.mention_questions import asked_summary
from pipeline.text.question.scope.whole import entities_asked, matter_asked

GOOD_FOR = {
    "global": "what runs through the whole corpus: themes, trends, an overview; reads community reports",
    "local": "how named things connect, several steps, details that need reading on; an agent reads facts and chunks",
    "entity": "what is known of one person, place or thing; one call over its records, reports and chunks",
    "drift": "a broad question about something named: from reports to follow-up questions; the dearest",
    "fusion": "a question in other words than the corpus uses, or beside it; grades what it finds, may ask the web",
    "basic": "one plain fact that a passage states; one call over the closest chunks",
}
"""What each method is good for, as it is described to whoever chooses."""


def auto_over(methods: Mapping[str, Search]) -> Search:
    """Return the search that chooses among ``methods``; it reads all that any of them reads."""
    reads = {table.name: table for method in methods.values() for table in method.reads}
    asks = {task.name: task for method in methods.values() for task in method.asks} | {
        choose_method.name: choose_method
    }

    def auto_search(call: SearchCall) -> Answer:
        choice = choose(call, methods)
        answer = _run(methods[choice.method], call)
        if not answer.supported and choice.method == "basic" and _may_want_the_whole(call.question):
            choice = Choice(method="global", reason="no passage says it, and it may be asked of the whole")
            call.trace.step("method", f"global, because {choice.reason}", method="global", reason=choice.reason)
            answer = _run(methods["global"], call)
        return replace(answer, method=f"{choice.method} (auto, because {choice.reason})")

    text = "Pick the method that fits the question, say which and why, and answer by it."
    return Search("auto_search", text, auto_search, tuple(reads.values()), tuple(asks.values()), tuple(reads.values()))


def _run(search: Search, call: SearchCall) -> Answer:
    """Return the answer of a search, which is given the tables that it declares."""
    return search.run(replace(call, tables={table.name: call.tables[table.name] for table in search.tables}))


def _may_want_the_whole(question: Question) -> bool:
    """Return whether a question names nothing but problems, decisions and the like, or persons, places or firms."""
    if not {*question.kinds} <= MAY_BE_WHOLE:
        return False
    asked = matter_asked(question.text, question.language, bare=True)
    return bool(asked or entities_asked(question.text, question.language, bare=True))


def _usable(methods: Mapping[str, Search]) -> Mapping[str, Search]:
    """Return the methods that can run here: LangGraph is not needed by those that are left."""
    return {name: method for name, method in methods.items() if has_langgraph() or name not in RUN_ON_IT}


def choose(call: SearchCall, methods: Mapping[str, Search]) -> Choice:
    """Return the method for a question; when the model fails to choose, the rules do, and that is reported."""
    question = call.question
    summarised = asked_summary(question.text)
    documents = find_summarised(question, call.tables) if summarised else []
    versions = find_versions(question, call.tables)
    if (
        versions or documents or find_dates(summarised)
    ):  # of a day that no document is of, the whole corpus says nothing
        summary = f"a summary of {documents[0].title if documents else summarised}"
        wanted = f"what changed, as {versions[0].title} has it" if versions else summary
        choice = Choice(method="basic", reason=f"it asks for {wanted}")
        call.trace.step("method", f"basic, because {choice.reason}", method="basic", reason=choice.reason, by="rules")
        return choice
    names = tuple(one.title for one in proper_names(question.entities))
    shown = tuple(MethodShown(name, GOOD_FOR.get(name, method.help)) for name, method in _usable(methods).items())
    request = QuestionToPlace("method", question.text, shown, names, question)
    choice, by, _ = request_one(choose_method, request, call.language)
    if choice.method != "basic" and (table := _table_asked(call)):
        choice = Choice(method="basic", reason=f"it asks for rows of {table}")
    description = f"{choice.method}, because {choice.reason}"
    call.trace.step("method", description, method=choice.method, reason=choice.reason, by=by)
    return choice


def _table_asked(call: SearchCall) -> str:
    """Return the title of the table of which a question asks for rows, which no report holds; empty where it asks for none."""
    question = call.question
    asked = asked_rows(question.text, question.language)
    if not asked or question.follows is None:
        return ""
    near = [*read_chunks(question.follows, call.tables), *read_closest(call)]
    rows = find_rows(asked, question.language, near, call.tables)
    return rows.title if rows else ""
