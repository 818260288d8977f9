"""The kinds of thing that questions ask for, by cues in thirteen languages, and how a text shows that it holds one."""

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from pipeline.text.dates import find_dates
from pipeline.text.keys import TOKEN, content_keys, key_of
from pipeline.text.question.names import names_in
from pipeline.text.scripts import HIRAGANA, UNSPACED

LONGEST_PERSON = 7
"""Characters that a person's name in an unspaced script has fewer than."""

_UNSPACED = re.compile(f"[{UNSPACED}]")
_SHORT_CUES = frozenset({"date", "duration", "person", "cause", "money"})


def kinds_of(question: str) -> tuple[str, ...]:
    """Return the kinds that a question asks for, the one whose cue is first before others, of equals the longest."""
    found = []
    for order, (kind, pattern) in enumerate(_patterns()):
        match = pattern.search(question)
        if match:
            found.append((match.start() if not _UNSPACED.match(match[0]) else 0, -len(match[0]), order, kind))
    kinds = [kind for *_, kind in sorted(found)]
    if _yes_or_no().match(question) and kinds and sorted(found)[0][0] > 0:
        kinds = []
    return tuple(dict.fromkeys(kinds))


def cue_words(question: str) -> list[str]:
    """Return the words of the cues by which a question asks for a time, a sum, a person or a cause, which answers do not repeat."""
    found: list[str] = []
    for kind, pattern in _patterns():
        match = pattern.search(question)
        if match and kind in _SHORT_CUES:
            found += TOKEN.findall(match[0])
    return found


def function_of_unspaced() -> frozenset[str]:
    """Return the characters of unspaced scripts that say nothing by themselves."""
    return frozenset(_cues()["function_of_unspaced"])


def longest_unspaced(question: str) -> list[str]:
    """Return the longest stretch of a question that is in an unspaced script and says something; none where it has none."""
    function = re.escape("".join(sorted(function_of_unspaced())))
    found = re.findall(f"(?:(?![{function}{HIRAGANA}])[{UNSPACED}]){{2,}}", question)
    return [max(found, key=len)] if found else []


def shows(kind: str, text: str, question: str, people: frozenset[str]) -> float:
    """Return how surely a text holds the kind of thing that is asked for, 0 to 1; what the question itself says is none."""
    match kind:
        case "number" | "money" | "duration" | "date":
            return _shows_number(kind, text, question)
        case "person":
            asked = question.casefold()
            if _names_person(text, people, asked):
                return 1.0
            others = [name for name in names_in(text) if name.casefold() not in asked]
            return 0.6 if any(not text.startswith(name) or " " in name for name in others) else 0.0
        case "cause":
            return float(bool(_cause().search(text)))
        case "place":
            asked = question.casefold()
            return 0.6 if any(name.casefold() not in asked for name in names_in(text)) else 0.0
    return 0.0


def _names_person(text: str, people: frozenset[str], asked: str) -> bool:
    """Return whether a text names a known person whom the question does not."""
    if any(name in people and name.casefold() not in asked for name in names_in(text)):
        return True
    runs = re.findall(f"[{UNSPACED}・·]{{2,}}", text)
    parts = {run[i : i + size] for run in runs for size in range(2, LONGEST_PERSON) for i in range(len(run) - size + 1)}
    return any(part in people and part not in asked for part in parts)


def _shows_number(kind: str, text: str, question: str) -> float:
    asked = set(re.findall(r"\d+", question))
    dates = find_dates(text)
    digits = [match for match in re.finditer(r"\d+(?:[.,]\d+)*", text) if match[0] not in asked]
    written = bool(_number_words().search(text))
    if kind == "date":
        return (
            1.0 if dates or (re.search(r"[曜年月日号點点时時]", text) and digits) else 0.5 if digits or written else 0.0
        )
    if not digits and not written:
        return 0.0
    inside = [(date.start, date.end) for date in dates]
    bare = written or any(not any(a <= match.start() < b for a, b in inside) for match in digits)
    if kind == "number":
        return 1.0 if bare else 0.3
    units = _units(kind)
    return 1.0 if units.search(text) else 0.4 if bare else 0.2


@cache
def _cues() -> dict[str, Any]:
    text = files("pipeline.text.question").joinpath("question_kinds.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((kind, _joined(cues)) for kind, cues in _cues()["asks"].items())


def _joined(cues: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern of cues; those in spaced scripts are at the bounds of words."""
    spaced = [cue for cue in cues if not _UNSPACED.search(cue)]
    unspaced = [cue for cue in cues if _UNSPACED.search(cue)]
    parts = [rf"(?<!\w)(?:{'|'.join(spaced)})(?!\w)"] if spaced else []
    return re.compile("|".join([*parts, *unspaced]), re.IGNORECASE)


@cache
def _cause() -> re.Pattern[str]:
    return _joined(_cues()["cause"])


@cache
def _units(kind: str) -> re.Pattern[str]:
    cues = _cues()["units_of_time" if kind == "duration" else "money_units"]
    marks = [cue for cue in cues if not cue[0].isalpha()]
    words = _joined([cue for cue in cues if cue not in marks])
    return re.compile("|".join([words.pattern, *marks]), re.IGNORECASE)


@cache
def _number_words() -> re.Pattern[str]:
    return _joined(_cues()["numbers"])


@cache
def _yes_or_no() -> re.Pattern[str]:
    return re.compile("|".join(_cues()["yes_or_no"]), re.IGNORECASE)


def refers_back(text: str) -> bool:
    """Return whether a sentence opens with a word that needs the one before it: a pronoun, "therefore"."""
    return bool(_back().match(text.lstrip(" \t\"'“„«»*_-([")))


@cache
def _back() -> re.Pattern[str]:
    return _joined(_cues()["refers_back"])


def offers_choice(question: str) -> bool:
    """Return whether a question sets things against each other: X or Y."""
    return bool(_either().search(question))


def asks_of_several(question: str) -> bool:
    """Return whether a question may ask the same of several things: X or Y, both X and Y."""
    return bool(_several().search(question))


@cache
def _either() -> re.Pattern[str]:
    return _joined(_cues()["either"])


@cache
def _several() -> re.Pattern[str]:
    return _joined([*_cues()["either"], *_cues()["several"]])


def asked_keys(question: str, language: str) -> frozenset[str]:
    """Return the keys of the words of a question that say something, in a language, without those that ask for the whole
    ("main themes") instead of naming something; empty where it asks for nothing else."""
    return content_keys(_whole_unspaced().sub(" ", question), language) - _whole(language)


@cache
def _whole(language: str) -> frozenset[str]:
    return frozenset(key_of(word, language) for word in _cues()["whole"])


@cache
def _whole_unspaced() -> re.Pattern[str]:
    return re.compile("|".join(_cues()["whole_unspaced"]))
