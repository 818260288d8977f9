"""How a finding of a report is read alone: the line that names it, and what explains it, without saying anything twice."""

import re
from collections.abc import Iterable

from pipeline.text.keys import content_keys, share_met
from pipeline.text.scripts import language_of
from pipeline.text.sentences import CLOSING_MARKS, END_MARKS

REPEATED = 0.8
"""Share of a summary line's words in what explains it from which on the line says nothing new."""
_CLOSED = re.compile(rf"[{END_MARKS}:][{CLOSING_MARKS}]*\Z")
_MARKED = re.compile(r"\b[^\W_a-z]\w*")


def finding_text(summary: str, explanation: str) -> str:
    """Return what a finding says: the explanation, behind the summary line unless it repeats that."""
    summary, explanation = summary.strip(), explanation.strip()
    if not explanation or not summary:
        return explanation or summary
    if repeats(explanation, summary):
        return explanation
    return f"{summary}{'' if is_closed(summary) else '.'} {explanation}"


def is_closed(text: str) -> bool:
    """Return whether a text ends as a sentence does, so that another one can follow it in the same line."""
    return bool(_CLOSED.search(text))


def _holds(text: str, words: str) -> bool:
    """Return whether words of a spaced script are in a text as they are, as those that a headline is cut from are."""
    start = text.find(words)
    end = start + len(words)
    return start >= 0 and not text[start - 1 : start].isalnum() and not text[end : end + 1].isalnum()


def repeats(text: str, line: str) -> bool:
    """Return whether a text has all names and numbers of a line and most of its words."""
    if line.isascii() and _holds(text, line):
        return True
    language = language_of(text)
    words = content_keys(line, language)
    if share_met(words, text, language) < REPEATED:
        return False
    marked = words & content_keys(" ".join(_MARKED.findall(line)), language)
    return not marked or share_met(marked, text, language) == 1


def report_markdown(title: str, summary: str, findings: Iterable[tuple[str, str]]) -> str:
    """Return the title, the summary and the findings of a report (their lines and explanations) as one text."""
    parts = [f"# {title}", summary]
    return "\n\n".join([*parts, *(f"## {line}\n\n{explanation}".rstrip() for line, explanation in findings)])
