"""Questions on the rows of a table: which has the most or the least of something, how many there are, and what they come to."""

import json
import re
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

from pipeline.text.keys import content_keys, key_of
from pipeline.text.tokenizer import words

Wanted = Literal["most", "least", "count", "sum", "mean"]


class RowQuestion(NamedTuple):
    """What is asked of the rows of a table: of a kind of column (money, date, duration, ...; empty where the question does not
    say), and the keys of all words that say something else: the table's name, its columns and cells."""

    wanted: Wanted
    column: str
    keys: frozenset[str]


def asked_rows(question: str, language: str) -> RowQuestion | None:
    """Return what a question in a language (ISO 639-1) asks of the rows of a table; None where it asks for something else."""
    known = _words(language)
    if known is None:
        return None
    said = question.casefold()
    counted = next((found[0] for form in known.counting if (found := form.search(said))), "")
    spoken = words(said.replace(counted, " ", 1) if counted else said)
    keys = [key_of(word, language) for word in spoken if word not in known.light]
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
    return RowQuestion(wanted, column, content_keys(said, language) & frozenset(keys) - used)


@cache
def columns_of(kind: str) -> frozenset[str]:
    """Return the words, in lower case, that columns of a kind are headed by."""
    return frozenset(_data()["columns"][kind])


class _Words(NamedTuple):
    counting: list[re.Pattern[str]]
    degrees: dict[str, Wanted]
    both: dict[str, tuple[Wanted, str]]
    of: dict[str, str]
    opposites: dict[str, str]
    totals: dict[str, Wanted]
    light: frozenset[str]


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
    return _Words(count, degrees, both, keyed("of"), keyed("opposite of"), totals, frozenset(data["light"]))


@cache
def _data() -> dict[str, dict[str, dict[str, str]]]:
    text = files("pipeline.text.question").joinpath("row_questions.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, dict[str, str]]] = {
        name: one for name, one in json.loads(text).items() if name != "about"
    }
    return found
