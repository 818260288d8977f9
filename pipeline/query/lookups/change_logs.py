"""Change logs among the documents, and the versions that their headings name."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pipeline.base.store import Rows
from pipeline.query.lookups.meant_documents import names_of
from pipeline.text.answering.markup import stretches
from pipeline.text.lexicon.questions.question_words import QUESTIONS

CHANGE_LOGS = 20
"""Documents that are read for their versions, at most."""
SEVERAL = 2
"""Versions that the headings of a change log have, at least."""
_NUMBER = r"(?:<<version_nouns>>\s)?v?(?P<number>\d+(?:\.\d+)+)(?![\w.])"
_HEADING = rf"(?im)^(?:[ \t]*(?:#+[ \t]*|\*\*)\[?{_NUMBER}[^\n]*|\[?{_NUMBER.replace('number', 'underlined')}[^\n]*(?=\n(?:={{3,}}|-{{3,}}|~{{3,}})[ \t]*$))"
"""A heading of a change log, with a mark before it or underlined."""
_NAMED = r"(?i)(?<![^\W_])<<change_logs>>(?![^\W_])"


class Version(NamedTuple):
    """A version of a change log: its number, its heading, and the span of what is below that in the text of the document."""

    number: str
    heading: str
    start: int
    end: int


def change_logs(tables: Mapping[str, Rows]) -> dict[str, Mapping[str, Any]]:
    """Return the change logs by their ids, rows with ``id``, ``title``, ``source`` and ``text``: documents called so with the headings
    of several versions."""
    return tables["documents"].derived(_change_logs)


def _change_logs(documents: Rows) -> dict[str, Mapping[str, Any]]:
    titled = documents.table(["id", "title", "source"]).to_pylist()
    named = [one["id"] for one in titled if QUESTIONS.compiled(_NAMED).search(names_of(one))]
    rows = documents.by_id(named[:CHANGE_LOGS], ["id", "title", "source", "text"])
    return {id: row for id, row in rows.items() if len({one.number for one in versions_of(row["text"])}) >= SEVERAL}


def versions_of(text: str) -> list[Version]:
    """Return the versions of a change log in its order."""
    found = [*QUESTIONS.compiled(_HEADING).finditer(text)]
    code = [one for one in stretches(text) if one.part == "code"] if found else []
    found = [
        match for match in found if match["underlined"] or not any(one.start <= match.start() < one.end for one in code)
    ]
    ends = [*(match.start() for match in found[1:]), *([len(text)] if found else ())]
    return [
        Version(match["number"] or match["underlined"], match[0].strip("#*[] \t"), match.end(), end)
        for match, end in zip(found, ends, strict=True)
    ]


def as_parts(version: str) -> list[int]:
    """Return the numbers of a version, by which versions are compared."""
    return [int(part) for part in version.split(".")]


def versions_between(versions: Sequence[Version], bounds: Sequence[str]) -> list[Version]:
    """Return the versions behind the first bound up to the second one, where that is given: both must be versions of the change log.
    Without bounds all of them."""
    parts = [as_parts(one.number) for one in versions]
    if not all(any(_is_of(number, as_parts(bound)) for number in parts) for bound in bounds):
        return []
    behind = [_ordered(number) > _ordered(as_parts(bounds[0])) if bounds else True for number in parts]
    until = [
        len(bounds) < SEVERAL or number <= as_parts(bounds[1]) or _is_of(number, as_parts(bounds[1]))
        for number in parts
    ]
    return [one for one, after, before in zip(versions, behind, until, strict=True) if after and before]


def _is_of(number: Sequence[int], bound: Sequence[int]) -> bool:
    """Return whether a version is another one or one of its corrections: 2.1.3 is of 2.1."""
    return number[: len(bound)] == bound


def _ordered(number: Sequence[int]) -> list[int]:
    """Return the numbers of a version without the zeros at its end: 2.0 is 2.0.0."""
    last = max((place for place, one in enumerate(number, 1) if one), default=0)
    return [*number[:last]]
