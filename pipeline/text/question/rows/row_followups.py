"""Questions that go on from one that rows of a table answered: "and heating?", "how many of them are open", "per building".

What is made of such a question is one that can be asked by itself; whether a table understands it is seen there.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.question.rewriting import bracketed, elliptic
from pipeline.text.question.rewriting_words import SHORT
from pipeline.text.question.rows.row_bounds import WITHOUT_SPACES
from pipeline.text.question.rows.row_questions import RowQuestion, asked_rows, days_asked
from pipeline.text.question.rows.row_words import cell_keys, row_keys
from pipeline.text.scripts import token_spans

FRAGMENT = 6
"""Words of a question without a sentence of its own, at most."""
_END = re.compile(r"[?!.\s]*$")
_OPENED = re.compile(r"[?!.\s]*(?:\([^()]*\)\s*)?$")
"""What is behind the words of a question: its mark, and what it leant on, in brackets."""


class RowsLean(NamedTuple):
    """How a question leans on rows: ``rest`` is what it brings where it has no sentence of its own; empty where it asks of those
    rows: "how many of them"."""

    rest: str = ""


class SaidCondition(NamedTuple):
    """The words of a question that say a condition: where they are in it, and the column that this is of."""

    start: int
    end: int
    column: str


def leaning(question: str, language: str) -> RowsLean | None:
    """Return how a question in a language may lean on the rows that answered the one before it; None where it does not."""
    if language in WITHOUT_SPACES:
        return None
    bare = _END.sub("", question.strip())
    brought = elliptic(question)
    rest = _narrowing(bare if brought is None else brought, language)
    if QUESTIONS.compiled(SHORT).match(rest):
        return None
    if brought is not None or _is_fragment(bare, rest, language):
        return RowsLean(rest)
    asked = asked_rows(question, language)
    pointing = QUESTIONS.by_language("rows_pointing").get(language)
    points = bool(pointing) and re.search(_whole(pointing or ()), question, re.IGNORECASE) is not None
    bare_wish = any(one.wanted in ("most", "least") and not one.terms for one in asked)
    return RowsLean() if asked and (points or bare_wish) else None


def wish(question: str, language: str) -> list[RowQuestion]:
    """Return what a question wants of rows, without which ones."""
    return [
        RowQuestion(one.wanted, one.column, rows=one.rows, total=one.total, is_clear=one.is_clear)
        for one in asked_rows(question, language)
    ]


def says(question: str, column: str, said: str, language: str) -> SaidCondition | None:
    """Return the words of a question that say what a condition does, all of them in one piece; None where it has none, or has
    them in several places."""
    if whole := re.search(rf"(?<!\w){re.escape(said)}(?!\w)", question, re.IGNORECASE):
        return SaidCondition(*whole.span(), column)
    keys = cell_keys(said, language)
    spans = [*_tokens(question)]
    places = [n for n, (start, end) in enumerate(spans) if cell_keys(question[start:end], language) & keys]
    places = [n for n in places if row_keys(question[slice(*spans[n])], language)] or places
    if not places:
        return None
    between = [spans[n] for n in range(places[0], places[-1]) if n not in places]
    if any(row_keys(question[start:end], language) for start, end in between):
        return None
    return SaidCondition(spans[places[0]][0], spans[places[-1]][1], column)


def replaced(question: str, said: SaidCondition, rest: str, language: str) -> str:
    """Return a question with other words in the place of some: "in the hall" in that of "in the yard", and nothing twice."""
    places, articles = _placing(language), _articles(language)
    rest = _without_repeated(question[: said.start], rest)
    lead = [rest[start:end].lower() for start, end in _tokens(rest)]
    lead = lead[: next((n for n, word in enumerate(lead) if word not in places | articles), len(lead))]
    start = said.start
    if lead:
        small = articles if lead[0] in articles else places | articles
        start = _widened(question, start, small)
    after = next((question[a:b] for a, b in _tokens(question) if a >= said.end), "")
    if lead and start == said.start and row_keys(after, language) and "(" not in question[said.end :][:3]:
        rest = rest[[*_tokens(rest)][len(lead)][0] :] if len([*_tokens(rest)]) > len(lead) else rest
    return question[:start] + rest + question[said.end :]


def _without_repeated(before: str, rest: str) -> str:
    """Return words without the first of them that a text already ends with: "in the" of "in the hall" behind "how many in the"."""
    ends = [end for _, end in _tokens(rest)][:-1]
    common = (end for end in reversed(ends) if re.search(rf"(?<!\w){re.escape(rest[:end])}\s*$", before, re.IGNORECASE))
    return rest[next(common, 0) :].lstrip()


def appended(question: str, rest: str) -> str:
    """Return a question with more words at its end, before its mark and what it leant on."""
    end = _OPENED.search(question)
    at = end.start() if end else len(question)
    return f"{question[:at]} {rest}{question[at:]}"


def opens_small(rest: str, language: str) -> bool:
    """Return whether words begin with one that joins them to others: "in march", "per building"."""
    if re.match(_whole(_of("rows_per", language)), rest, re.IGNORECASE):
        return True
    first = next(_tokens(rest), None)
    return first is not None and not row_keys(rest[slice(*first)], language)


def of_those(
    question: str, before: str, said: Sequence[SaidCondition], named: Collection[str], language: str
) -> Iterator[str]:
    """Yield a question on the rows of the one before with what these have in common behind it, the plainest form first; ``named``
    are the keys of what the table is called."""
    spans = sorted({(one.start, one.end) for one in said})
    words = [before[_widened(before, start, _in_month(language)) : end] for start, end in spans]
    free = [
        before[start:end]
        for start, end in _tokens(before)
        if not any(a <= start < b for a, b in spans) and row_keys(before[start:end], language) & set(named)
    ]
    if free and words:
        yield bracketed(question, f"{free[0]}: {', '.join(words)}")
    if words or free:
        yield bracketed(question, ", ".join(words or free[:1]))
    opening = re.match(_whole((*_of("rows_count", language), *_of("rows_list", language))), before, re.IGNORECASE)
    if opening:
        yield bracketed(question, before[opening.end() :])
    yield bracketed(question, before)


def _narrowing(rest: str, language: str) -> str:
    """Return what is behind "only the", without "ones"."""
    only, ones = _of("rows_only", language), _of("rows_ones", language)
    bare = re.sub(rf"^{_whole(only)}\s+", "", rest, flags=re.IGNORECASE) if only else rest
    return re.sub(rf"\s+{_whole(ones)}$", "", bare, flags=re.IGNORECASE) if ones else bare


def _is_fragment(bare: str, rest: str, language: str) -> bool:
    """Return whether a question has no sentence of its own: "only the closed ones", "per building", "in march"."""
    if len(bare.split()) > FRAGMENT or asked_rows(bare, language):
        return False
    if rest != bare or re.match(_whole(_of("rows_per", language)), bare, re.IGNORECASE):
        return True
    days = days_asked(bare, language) if re.match(_whole(_of("rows_in_month", language)), bare, re.IGNORECASE) else None
    return days is not None and bare.endswith(days.said)


def _widened(text: str, start: int, small: Collection[str]) -> int:
    """Return where the small words begin that are before a place of a text, the place itself where there are none."""
    for begin, end in reversed([one for one in _tokens(text) if one[1] <= start]):
        if text[begin:end].lower() not in small or text[end:start].strip():
            break
        start = begin
    return start


def _tokens(text: str) -> Iterator[tuple[int, int]]:
    tokens = token_spans(text)
    return zip(tokens.starts, tokens.ends, strict=True)


def _of(head: str, language: str) -> tuple[str, ...]:
    return QUESTIONS.by_language(head).get(language, ())


def _whole(forms: Sequence[str]) -> str:
    return rf"(?<!\w)(?:{'|'.join(forms) or '(?!)'})(?!\w)"


@cache
def _placing(language: str) -> frozenset[str]:
    return frozenset(_of("placing", language)) | _in_month(language)


@cache
def _in_month(language: str) -> frozenset[str]:
    return frozenset(word for form in _of("rows_in_month", language) for word in form.split())


@cache
def _articles(language: str) -> frozenset[str]:
    return frozenset(_of("articles", language)) | frozenset(_of("rows_articles", language))
