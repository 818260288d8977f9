"""What words say of the rows of a table, by language: what a question wants of them, by which keys it is compared with titles, columns and
cells, and which kinds of columns there are."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Literal, NamedTuple

from pipeline.text.keys import content_keys, key_of, keys_of
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.lexicon.words import union
from pipeline.text.question.rows.row_bounds import DATE, OF_KIND, WITHOUT_SPACES
from pipeline.text.scripts import is_unspaced
from pipeline.text.tokenizer import words

Wanted = Literal["most", "least", "count", "sum", "mean", "list", "cell"]
SEVERAL = {"level": ("level", "money", "height"), "size": ("size", "money")}
"""Kinds of columns that may be meant where the question's word says no more than high or large."""

DENIED, PER = "\ue001", "\ue002"
"""What stands in a question for words that deny, or ask for one figure each of, what follows."""
ABOVE, BELOW = "\ue004", "\ue005"
"""What stands in it for words that compare with another column: over budget, below the minimum."""


class RowWords(NamedTuple):
    """The words of a language by which its questions ask of rows; each is the head "rows_..." of its data file, ready to be looked up."""

    counting: list[re.Pattern[str]]
    degrees: dict[str, Wanted]
    both: dict[str, tuple[Wanted, str]]
    of: dict[str, str]
    opposites: dict[str, str]
    totals: dict[str, Wanted]
    numbers: dict[str, int]
    ordinals: list[tuple[str, ...]]
    light: frozenset[str]
    records: frozenset[str]
    numbering: frozenset[str]
    telling: frozenset[str]
    either: frozenset[str]
    periods: frozenset[str]
    unless: re.Pattern[str]
    denied: re.Pattern[str]
    excluding: re.Pattern[str]
    """Those of them that say which rows are left out: "except"."""
    listing: re.Pattern[str]
    spent: re.Pattern[str]
    spent_most: re.Pattern[str]
    payments: frozenset[str]
    superlatives: tuple[str, ...]
    """How words must begin that say most or least; empty where any of their forms does."""
    spending: re.Pattern[str]
    per: re.Pattern[str]
    per_both: re.Pattern[str]
    """What is before the second of two of which each is to have a figure: none is given of both."""
    compared: list[tuple[re.Pattern[str], str]]
    """What compares with a column that is named behind it, and the sign for that; nothing in scripts without spaces."""
    phrases: list[tuple[re.Pattern[str], tuple[Wanted, str]]]
    """What finds all of them in scripts without spaces, longer ones first, and what is wanted of which kind of column."""
    per_group: list[re.Pattern[str]]
    """What finds a word for each there, and what stands beside it."""

    def is_degree(self, word: str) -> bool:
        """Return whether a word of the stem of one that says most or least says so itself."""
        return not self.superlatives or word.startswith(self.superlatives)


@cache
def row_words(language: str) -> RowWords | None:
    """Return the words of a language (ISO 639-1); None for one that has no list."""
    if language not in QUESTIONS.by_language("rows_count"):
        return None

    def said(name: str) -> tuple[str, ...]:
        return QUESTIONS.by_language(f"rows_{name}").get(language, ())

    def by_kind(name: str) -> dict[str, str]:
        lines = (line.partition(": ") for line in said(name))
        return {word: kind for kind, _, some in lines for word in some.split()}

    def keyed(name: str) -> dict[str, str]:
        return {key_of(word, language): kind for word, kind in by_kind(name).items()}

    def comparing(*names: str) -> re.Pattern[str]:
        lines = (OF_KIND.sub("", line) for name in names for line in said(name) if "<" not in line)
        return re.compile(rf"(?<!\w)(?:{'|'.join(lines) or '(?!)'})(?!\w)(?!\s*[\d{DATE}])")

    def forms(name: str) -> str:
        return "|".join(said(name)).replace("<date>", DATE) or "(?!)"

    degrees: dict[str, Wanted] = {key_of(word, language): "most" for word in said("most")}
    degrees |= {key_of(word, language): "least" for word in said("least")}
    both: dict[str, tuple[Wanted, str]] = {word: ("most", kind) for word, kind in keyed("most_of").items()}
    both |= {word: ("least", kind) for word, kind in keyed("least_of").items()}
    totals: dict[str, Wanted] = {key_of(word, language): "sum" for word in said("sum")}
    totals |= {key_of(word, language): "mean" for word in said("mean")}
    numbers = {form: number for number, some in enumerate(said("numbers"), 2) for form in some.split()}
    wanted: tuple[Wanted, ...] = ("most", "least", "count", "sum", "mean", "list")
    forms_of_degree = [*said("most"), *said("least"), *by_kind("most_of"), *by_kind("least_of")]
    written = {word.rstrip("enrsm") or word for form in forms_of_degree for word in form.split()}
    superlatives = tuple(sorted(written)) if language == "de" else ()  # "neu" is a state, "neueste" a wish
    phrases = {phrase: (kind, "") for kind in wanted for phrase in said(kind)}
    phrases |= {word: ("most", kind) for word, kind in by_kind("most_of").items()}
    phrases |= {word: ("least", kind) for word, kind in by_kind("least_of").items()}
    unspaced = language in WITHOUT_SPACES
    phrases |= dict.fromkeys(said("spent"), ("sum", "money"))
    whole = "(?:{})" if unspaced else r"(?<!\w)(?:{})(?:(?!\w)|(?<=\d))"
    return RowWords(
        counting=[re.compile(rf"\b{form}\b") for form in said("count")],
        degrees=degrees,
        both=both,
        of=keyed("of"),
        opposites=keyed("opposites"),
        totals=totals,
        numbers=numbers,
        ordinals=[tuple(forms.split()) for forms in said("ordinals")],
        light=frozenset((*said("light"), *said("records"))),
        records=frozenset(said("records")),
        numbering=frozenset(said("numbering")),
        telling=frozenset(said("telling")),
        either=frozenset(said("or")),
        periods=frozenset(
            form.casefold() for name in ("months", "years") for line in said(name) for form in line.split()
        ),
        unless=re.compile(whole.format(forms("unless"))),
        denied=re.compile(whole.format("|".join((forms("excluding"), forms("denied"))))),
        excluding=re.compile(whole.format(forms("excluding"))),
        listing=re.compile(whole.format(forms("list"))),
        spent=re.compile(whole.format(forms("spent"))),
        payments=frozenset(word for line in said("payments") for word in line.split()),
        superlatives=superlatives,
        spent_most=re.compile(whole.format(forms("spent_most"))),
        spending=re.compile(whole.format(forms("spending").replace(" ", "|"))),
        per=re.compile(whole.format(forms("per"))),
        per_both=re.compile(rf"{PER}\s+\w+\s+(?:{forms('and')})\s"),
        compared=[] if unspaced else [(comparing("above", "after"), ABOVE), (comparing("below", "before"), BELOW)],
        phrases=[(re.compile(one), phrases[one]) for one in sorted(phrases, key=len, reverse=True)] if unspaced else [],
        per_group=[re.compile(form.replace("<group>", "(?P<group>[^\\s的のはがを]+)")) for form in said("per_group")],
    )


@cache
def ledger_keys(language: str) -> frozenset[str]:
    """Return the keys of what lists of payments are called in a language."""
    return union(row_keys(word, language) for word in QUESTIONS.by_language("rows_ledgers").get(language, ()))


def row_keys(text: str, language: str) -> frozenset[str]:
    """Return the keys by which a title, a column or a cell of a table is compared with a question: stems of stems, since
    short forms of Russian keep an ending of the long ones."""
    known = row_words(language) if language in WITHOUT_SPACES else None
    if known:
        return characters_of(text.casefold(), known)
    return frozenset(key_of(key, language) for key in content_keys(text.casefold(), language))


def cell_keys(text: str, language: str) -> frozenset[str]:
    """Return the same of a title, a column or a cell, of one that holds nothing but small words all of these: "done", "on"."""
    return row_keys(text, language) or frozenset(key_of(word, language) for word in words(text.casefold()))


def is_total(cell: str) -> bool:
    """Return whether a cell says that its row is what those above it come to."""
    return cell.casefold().strip(" *_:.") in QUESTIONS.set_of("total_rows")


def characters_of(text: str, known: RowWords) -> frozenset[str]:
    """Return the characters of a text in a script without spaces, and its other words, without what says nothing of rows."""
    for phrase in sorted(known.light, key=len, reverse=True):
        text = text.replace(phrase, " ")
    return frozenset(key for key in keys_of(text, "und") if len(key) == 1 or not is_unspaced(key))


def is_column_of(name: str, kind: str) -> bool:
    """Return whether a column is headed as those of a kind are."""
    own = {word.lower() for word in words(name)}
    return any(head in own or (is_unspaced(head) and head in name) for head in _heads(kind))


def is_unknown(cell: str) -> bool:
    """Return whether a cell says that it is not known, or does not apply: "tbc", "n/a"."""
    return bool(QUESTIONS.pattern("cells_neither").fullmatch(cell.strip()))


def truth_of(cells: Iterable[str]) -> dict[str, bool] | None:
    """Return which cells of a column affirm what it is headed by and which deny it, without those that say that it is not known or
    does not apply; None where another does neither, and where there are none."""
    true, false = map(QUESTIONS.set_of, ("cells_true", "cells_false"))
    found = {cell: cell.casefold() in true for cell in {*cells} if cell.strip() and not is_unknown(cell)}
    return found if found and all(yes or cell.casefold() in false for cell, yes in found.items()) else None


@cache
def _heads(kind: str) -> frozenset[str]:
    kinds = SEVERAL.get(kind, (kind,))
    return union(QUESTIONS.set_of(f"columns_{one}") for one in (*kinds, *(("spent",) if "money" in kinds else ())))
