"""Questions on the rows of a table: which has the most or the least of something, how many there are, and what they come to."""

import json
import re
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

from pipeline.text.keys import content_keys, key_of, keys_of
from pipeline.text.scripts import is_unspaced
from pipeline.text.tokenizer import words

Wanted = Literal["most", "least", "count", "sum", "mean"]
WITHOUT_SPACES = frozenset({"zh", "ja"})
"""Languages in which words are found as parts of a question, and rows are compared with it character by character."""
SEVERAL = {"level": ("level", "money", "height"), "size": ("size", "money")}
"""Kinds of columns that may be meant where the question's word says no more than high or large."""


class RowQuestion(NamedTuple):
    """What is asked of the rows of a table: of a kind of column (money, date, duration, ...; empty where the question does not
    say), and the keys of all words that say something else: the table's name, its columns and cells."""

    wanted: Wanted
    column: str
    keys: frozenset[str]


def asked_rows(question: str, language: str) -> RowQuestion | None:
    """Return what a question in a language (ISO 639-1) asks of the rows of a table; None where it asks for something else, denies
    or compares: "not paid", "more than three", "the second highest"."""
    known = _words(language)
    if known is None:
        return None
    said = question.casefold()
    if known.unless.search(said):
        return None
    if language in WITHOUT_SPACES:
        return _asked_without_spaces(said, known)
    counted = next((found[0] for form in known.counting if (found := form.search(said))), "")
    spoken = words(said.replace(counted, " ", 1) if counted else said)
    spoken = [word for word in spoken if word not in known.light]
    keys = [key_of(word, language) for word in spoken]
    wanted: Wanted | None = "count" if counted else None
    column, used = "", set[str]()
    for place, key in enumerate(keys):
        if key in known.both:
            wanted, column = known.both[key]
        elif key in known.degrees:
            wanted = known.degrees[key]
            after = keys[place + 1] if place + 1 < len(keys) else ""
            column = known.of.get(after, known.opposites.get(after, ""))
            if after in known.opposites:
                wanted = "least" if wanted == "most" else "most"
            used |= {after} if after in known.of or after in known.opposites else set()
        elif key in known.totals and wanted is None:
            wanted = known.totals[key]
        else:
            continue
        used.add(key)
    if wanted is None:
        return None
    left = " ".join(word for word, key in zip(spoken, keys, strict=True) if key not in used)
    return RowQuestion(wanted, column, row_keys(left, language))


def _asked_without_spaces(said: str, known: "_Words") -> RowQuestion | None:
    wanted: Wanted | None = None
    column = ""
    for phrase in sorted(known.phrases, key=len, reverse=True):
        if phrase in said:
            said = said.replace(phrase, " ")
            if wanted is None or (known.phrases[phrase][0] in ("most", "least") and wanted not in ("most", "least")):
                wanted, column = known.phrases[phrase]
    return RowQuestion(wanted, column, _characters(said, known)) if wanted else None


def row_keys(text: str, language: str) -> frozenset[str]:
    """Return the keys by which a title, a column or a cell of a table is compared with a question: stems of stems, since
    short forms of Russian keep an ending of the long ones."""
    known = _words(language) if language in WITHOUT_SPACES else None
    if known:
        return _characters(text.casefold(), known)
    return frozenset(key_of(key, language) for key in content_keys(text.casefold(), language))


def _characters(text: str, known: "_Words") -> frozenset[str]:
    for phrase in sorted(known.light, key=len, reverse=True):
        text = text.replace(phrase, " ")
    return frozenset(key for key in keys_of(text, "und") if len(key) == 1 or not is_unspaced(key))


def is_column_of(name: str, kind: str) -> bool:
    """Return whether a column is headed as those of a kind are."""
    own = {word.lower() for word in words(name)}
    return any(head in own or (is_unspaced(head) and head in name) for head in _heads(kind))


@cache
def _heads(kind: str) -> frozenset[str]:
    return frozenset(head for one in SEVERAL.get(kind, (kind,)) for head in _data()["columns"][one])


class _Words(NamedTuple):
    counting: list[re.Pattern[str]]
    degrees: dict[str, Wanted]
    both: dict[str, tuple[Wanted, str]]
    of: dict[str, str]
    opposites: dict[str, str]
    totals: dict[str, Wanted]
    light: frozenset[str]
    unless: re.Pattern[str]
    phrases: dict[str, tuple[Wanted, str]]
    """All of them by what is wanted of which kind of column, as they are found in scripts without spaces."""


@cache
def _words(language: str) -> _Words | None:
    data = _data().get(language)
    if data is None or language == "columns":
        return None

    def keyed(name: str) -> dict[str, str]:
        return {key_of(word, language): kind for word, kind in data[name].items()}

    degrees: dict[str, Wanted] = {key_of(word, language): "most" for word in data["most"]}
    degrees |= {key_of(word, language): "least" for word in data["least"]}
    both: dict[str, tuple[Wanted, str]] = {word: ("most", kind) for word, kind in keyed("most of").items()}
    both |= {word: ("least", kind) for word, kind in keyed("least of").items()}
    totals: dict[str, Wanted] = {key_of(word, language): "sum" for word in data["sum"]}
    totals |= {key_of(word, language): "mean" for word in data["mean"]}
    count = [re.compile(rf"\b{re.escape(form)}\b") for form in data["count"]]
    wanted: tuple[Wanted, ...] = ("most", "least", "count", "sum", "mean")
    phrases = {phrase: (kind, "") for kind in wanted for phrase in data[kind]}
    phrases |= {word: ("most", kind) for word, kind in data["most of"].items()}
    phrases |= {word: ("least", kind) for word, kind in data["least of"].items()}
    light = frozenset(data["light"])
    unless = "|".join(data["unless"])
    denied = re.compile(unless if language in WITHOUT_SPACES else rf"\b(?:{unless})(?:\b|(?<=\d))")
    return _Words(count, degrees, both, keyed("of"), keyed("opposite of"), totals, light, denied, phrases)


@cache
def _data() -> dict[str, dict[str, dict[str, str]]]:
    text = files("pipeline.text.question").joinpath("row_questions.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, dict[str, str]]] = {
        name: one for name, one in json.loads(text).items() if name != "about"
    }
    return found
