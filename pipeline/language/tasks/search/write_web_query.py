"""What to type into a web search in order to answer a question that the corpus does not answer."""

import re
from dataclasses import dataclass

from pydantic import BaseModel, Field

from pipeline.base.task import Prompt, Request, Task
from pipeline.text.scripts import language_of, words_of


class Query(BaseModel):
    """A query."""

    query: str = Field(description="the query, a few words", min_length=1)


@dataclass(frozen=True)
class QuestionToSearch(Request):
    """A question."""

    question: str


def offline(request: QuestionToSearch) -> Query:
    """Return the question's words that carry meaning, in their order; the question itself where none does."""
    function = words_of(language_of(request.question)).function
    words = [
        word for word in re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", request.question) if word.casefold() not in function
    ]
    return Query(query=" ".join(dict.fromkeys(words)) or request.question)


SYSTEM = """You turn a question into a query for a web search: the few words that the pages with the answer are likely to
hold, in the language in which they are likely to be written."""

USER = """Question: {question}

Write the query."""

write_web_query = Task("write_web_query", Prompt(SYSTEM, USER), QuestionToSearch, Query, offline)
