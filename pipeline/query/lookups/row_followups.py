"""Follow-up questions on the rows of a table, put so that they keep what these rows were taken by, or have something else in its
place; what no table understands so is looked up in none."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pipeline.base.store import Rows
from pipeline.query.answer import Answer
from pipeline.query.evidence.cited_context import Chunk, read_chunks
from pipeline.query.evidence.entity_linker import read
from pipeline.query.lookups.row_conditions import RowCondition
from pipeline.query.lookups.rows import RowsFound, find_rows
from pipeline.retrieval.chunk_search import Finder
from pipeline.text.question.rewriting import bracketed
from pipeline.text.question.rows.row_followups import (
    RowsLean,
    appended,
    leaning,
    of_those,
    opens_small,
    replaced,
    says,
    wish,
)
from pipeline.text.question.rows.row_questions import asked_cell, asked_rows
from pipeline.text.question.rows.row_words import cell_keys, row_keys


class RowFollowUp(NamedTuple):
    """A question on rows as it is understood after others: the chunks of the rows that it follows, whose table is the first to be
    looked at; none where no table is to be, as it is not clear which rows are meant."""

    question: str
    chunks: tuple[str, ...] = ()


class _Before(NamedTuple):
    """A question that rows answered, with these."""

    question: str
    language: str
    found: RowsFound
    chunks: Sequence[Chunk]


class _Meaning(NamedTuple):
    """What a question may mean; ``replaced`` is the column of which it names another cell than the one before did."""

    text: str
    replaced: str | None = None


@dataclass(frozen=True)
class RowFollowUps:
    """Understands questions after one that rows of a table answered."""

    tables: Mapping[str, Rows]
    finder: Finder
    n_chunks: int

    def of(self, question: str, before: str, answer: str | Answer, otherwise: str) -> RowFollowUp | None:
        """Return how a question is understood after one that stands alone and its answer, ``otherwise`` being how it would be
        without rows; None where it does not lean on rows."""
        language = self._language(before)
        lean = leaning(question, language)
        if lean is None:
            return None
        answered = self._before(before, answer, language)
        if answered is None:
            return None
        for candidate in _candidates(question, lean, answered):
            if self._is_understood(candidate, lean, answered, question):
                return RowFollowUp(candidate.text, tuple(chunk.id for chunk in answered.chunks))
        is_standalone = lean.rest and otherwise not in (question, bracketed(question, before))
        return None if is_standalone else RowFollowUp(bracketed(question, before))

    def _language(self, question: str) -> str:
        return read(question, self.tables["entities"], self.finder).language

    def _before(self, question: str, answer: str | Answer, language: str) -> _Before | None:
        asked = asked_rows(question, language) or asked_cell(question, language)
        if not asked:
            return None
        ids: list[str] = []
        if not isinstance(answer, str):
            steps = (one.data for one in answer.steps if one.name == "rows")
            of_rows = next(steps, None)
            if of_rows is None:
                return None
            ids = [*of_rows["chunks"]]
            asked_as = (str(one.data["question"]) for one in answer.steps if one.name == "spelling")
            question = next(asked_as, question)
            asked = asked_rows(question, language) or asked_cell(question, language)
        ids = ids or [hit.chunk_id for hit in self.finder.find([question], self.n_chunks)[0]]
        chunks = read_chunks(ids, self.tables)
        found = find_rows(asked, language, chunks, self.tables)
        if found is None:
            return None
        kept = {row.document_id for row in found.rows}
        own = [chunk for chunk in chunks if chunk.document_id in kept][:1]
        return _Before(question, language, found, own or chunks)

    def _is_understood(self, candidate: "_Meaning", lean: RowsLean, before: _Before, question: str) -> bool:
        """Return whether the same table understands a question, and takes from it what it took from the one before, but for one
        condition that has another in its place, and what is new."""
        language = self._language(candidate.text)
        asked = asked_rows(candidate.text, language)
        wanted = (
            (wish(lean.rest, language) or wish(before.question, language)) if lean.rest else wish(question, language)
        )
        if not asked or language != before.language or wish(candidate.text, language) != wanted:
            return False
        found = find_rows(asked, language, before.chunks, self.tables)
        if found is None or (found.title, found.n_all) != (before.found.title, before.found.n_all):
            return False
        old, new = _conditions(before.found, bool(lean.rest)), _conditions(found, bool(lean.rest))
        if old.keys() - new.keys():
            return False
        changed = [name for name in old if old[name] != new[name]]
        return not changed or (changed == [candidate.replaced] and _is_replaced(old[changed[0]], new[changed[0]]))


def _is_replaced(old: Sequence[RowCondition], new: Sequence[RowCondition]) -> bool:
    """Return whether a condition has another in its place that says nothing of what it said."""
    if len(old) != 1 or len(new) != 1 or old[0].denied or new[0].denied:
        return False
    return {*old[0].said.split(", ")}.isdisjoint(new[0].said.split(", "))


def _conditions(found: RowsFound, without_best: bool) -> dict[str, list[RowCondition]]:
    """Return the conditions of rows by their column: not that a column has something, nor, where that is not wanted, those that are
    the result of a question, the cells with the most."""
    conditions: dict[str, list[RowCondition]] = {}
    for one in found.conditions:
        is_best = any(figure.startswith(f"{one.said.split(', ')[0]}: ") for figure in found.figures)
        if (one.said or one.denied) and not (without_best and is_best):
            conditions.setdefault(one.column, []).append(one)
    return conditions


def _candidates(question: str, lean: RowsLean, before: _Before) -> Iterator[_Meaning]:
    """Yield what a question may mean after another, the plainest first."""
    language, asked = before.language, before.question
    conditions = [one for some in _conditions(before.found, bool(lean.rest)).values() for one in some]
    said = [found for one in conditions if (found := says(asked, one.column, one.said, language))]
    if not lean.rest:
        if any(one.wanted in ("most", "least") for one in wish(asked, language)) and not before.found.is_count:
            return  # what these few rows have in common others may have as well
        yield from map(_Meaning, of_those(question, asked, said, _named(before), language))
        return
    for one in said:
        yield _Meaning(replaced(asked, one, lean.rest, language), one.column)
    forms = [appended(asked, lean.rest), bracketed(question, asked)]
    yield from map(_Meaning, forms if opens_small(lean.rest, language) else reversed(forms))


def _named(before: _Before) -> frozenset[str]:
    """Return the keys of what the rows of a question are called: the words of their table's title that it has, or, where it asks for
    none of their figures, of columns without conditions."""
    language, found = before.language, before.found
    title = row_keys(found.title, language) & row_keys(before.question, language)
    bounded = {one.column for one in found.conditions}
    heads = (
        {name for row in found.rows[:1] for name in row.cells if name and name not in bounded}
        if not found.total
        else ()
    )
    return title or frozenset[str]().union(*(cell_keys(name, language) for name in heads))
