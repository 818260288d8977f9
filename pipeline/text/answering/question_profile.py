"""What a question asks for, as sentences are chosen by it: its kinds, and its terms with what each weighs."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from pipeline.text.dates import find_dates
from pipeline.text.near_words import regular
from pipeline.text.question.terms import names_in, question_language, want
from pipeline.text.scripts import HIRAGANA, LANGUAGES, UNSPACED, words_of
from pipeline.text.stems import stem

PARTLY, INSIDE = 0.8, 0.6
"""How much of a term a word meets that begins as it does, and one that it is a part of: a compound."""
ALONE, KANA = 0.5, 0.3
"""What a single character and a pair in hiragana weigh against another pair of an unspaced script."""
UNHELD = 1.6
"""What a pair of characters weighs that is in no passage: often the end of one word and the beginning of the next."""
ALIKE = 0.75
"""Share of the keys of two texts that both have where they say nearly the same."""
LONGEST_PERSON = 7
"""Characters that a person's name in an unspaced script has fewer than."""
LEAST_PART = 5
"""Letters of a term that may be part of another word."""

_TOKEN = re.compile(rf"[{UNSPACED}]+|(?:(?![{UNSPACED}])[^\W_])+")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_HIRAGANA = re.compile(f"[{HIRAGANA}]+")
_DIGIT = re.compile(r"\d|[一二三四五六七八九十百千万億两〇]+(?=[^\W\d_])")


class Sought(NamedTuple):
    """A term of a question: ``key`` is its stem, or one or two characters of an unspaced script. ``name`` numbers the
    name that it belongs to, from 1; 0 where it belongs to none."""

    word: str
    key: str
    name: int
    weight: float


class Profile(NamedTuple):
    """A question as sentences are measured by it. ``kinds`` are those it asks for, the surest first."""

    question: str
    language: str
    kinds: tuple[str, ...]
    terms: tuple[Sought, ...]

    @property
    def kind(self) -> str:
        """The surest kind, empty where no cue tells one."""
        return self.kinds[0] if self.kinds else ""

    @property
    def names(self) -> frozenset[int]:
        """The numbers of its names."""
        return frozenset(term.name for term in self.terms if term.name)

    def met(self, keys: frozenset[str]) -> tuple[float, ...]:
        """Return for each term how far some keys of a text meet it, 0 to 1."""
        return tuple(_meets(term.key, keys) for term in self.terms)

    def share(self, met: Sequence[float]) -> float:
        """Return the share of the question's weight that is met, 0 to 1."""
        total = sum(term.weight for term in self.terms)
        return sum(term.weight * m for term, m in zip(self.terms, met, strict=True)) / total if total else 0.0

    def named(self, met: Sequence[float], least: float = 0.6) -> frozenset[int]:
        """Return the numbers of the names of which at least a share of their weight is met."""
        found = set()
        for name in self.names:
            parts = [(t.weight, m) for t, m in zip(self.terms, met, strict=True) if t.name == name]
            if sum(w * m for w, m in parts) >= least * sum(w for w, _ in parts):
                found.add(name)
        return frozenset(found)


def profile(
    question: str, known: Mapping[str, Sequence[str]], rarity: Callable[[str], float], corpus_language: str = "und"
) -> Profile:
    """Read a question. ``known`` holds names in it that the index knows; ``rarity`` is ln(1 + N / passages with a word),
    and 0 where the word is in none. ``corpus_language`` decides where the question's words do not tell its language.
    """
    language = _language(question, corpus_language)
    function = words_of(language).function
    asked = want(question, dict.fromkeys(known, ()))
    terms = [
        term
        for term in asked.terms
        if not _UNSPACED.match(term.word) and (term.name or term.word.casefold() not in function)
    ]
    terms = [term for term in terms if term.word.casefold() not in function or term.word[:1].isupper()]
    cue = {word.casefold() for word in _cue_words(question)}
    sought = [
        Sought(term.word, _key(term.word, language), term.name, 0.0)
        for term in terms
        if not (term.word.casefold() in cue or (term.word.casefold() in function and question.startswith(term.word)))
    ]
    weights = _weights(sought, rarity)
    found = [one._replace(weight=weight) for one, weight in zip(sought, weights, strict=True)]
    found += _unspaced_terms(question, known, rarity, len(asked.names))
    return Profile(question, language, kinds_of(question), tuple(found))


def _language(question: str, corpus_language: str) -> str:
    """Return the language most of whose function words a question holds; that of the corpus before others."""
    told = question_language(question)
    written = {word.casefold() for word in _TOKEN.findall(question)}
    if _UNSPACED.search(question) or not written:
        return told
    counts = {code: len(written & words.function) for code, words in LANGUAGES.items()}
    return (
        max(counts, key=lambda code: (counts[code], code == corpus_language, code == told))
        if any(counts.values())
        else told
    )


def _cue_words(question: str) -> list[str]:
    """Return the words of the cues by which a question asks for a number, a time or a person, which answers do not repeat."""
    found: list[str] = []
    for kind, pattern in _patterns():
        match = pattern.search(question)
        if match and kind in _SHORT_CUES:
            found += _TOKEN.findall(match[0])
    return found


_SHORT_CUES = frozenset({"date", "duration", "person", "cause"})


def _weights(sought: Sequence[Sought], rarity: Callable[[str], float]) -> list[float]:
    """A name weighs as much as its rarest word, shared out among its words; a word that is in no passage as much as the
    middle of the others, unless it is a name's."""
    rare = [rarity(one.word) for one in sought]
    known = sorted(value for value in rare if value)
    middle = known[len(known) // 2] if known else 1.0
    highest = max(known, default=1.0)
    values = [value or (highest if one.name else middle) for one, value in zip(sought, rare, strict=True)]
    weights = []
    for one, value in zip(sought, values, strict=True):
        fellows = [v for other, v in zip(sought, values, strict=True) if one.name and other.name == one.name]
        weights.append(max(fellows) * value / sum(fellows) if fellows else value)
    return weights


def _unspaced_terms(
    question: str, known: Iterable[str], rarity: Callable[[str], float], n_names: int
) -> Iterable[Sought]:
    names = [name for name in known if _UNSPACED.search(name)]
    function = set(_cues()["function_of_unspaced"])
    found: dict[str, Sought] = {}
    for number, name in enumerate(names, n_names + 1):
        for key in _pairs(name):
            found.setdefault(key, Sought(name, key, number, rarity(key) or 1.0))
    for name in names:
        question = question.replace(name, " ")
    for run in re.findall(f"[{UNSPACED}]+", question):
        for segment in re.split(f"([{HIRAGANA}]+)|([{re.escape(''.join(sorted(function)))}])", run):
            if not segment or segment in function:
                continue
            kana = bool(_HIRAGANA.fullmatch(segment))
            keys = _pairs(segment) if len(segment) > 1 else [] if kana else [segment]
            for key in keys:
                if kana and set(key) & function:
                    continue
                share = KANA if kana else ALONE if len(key) < 2 else 1.0
                found.setdefault(key, Sought(key, key, 0, share * (rarity(key) or UNHELD)))
    return found.values()


def _pairs(text: str) -> list[str]:
    return [text[i : i + 2] for i in range(len(text) - 1)] or [text]


def _key(word: str, language: str) -> str:
    return stem(regular(word) if language == "en" else word, language)


@lru_cache(maxsize=20_000)
def keys_of(text: str, language: str) -> frozenset[str]:
    """Return the keys of a text: stems of its words in a language, characters and pairs of those of unspaced scripts."""
    found: set[str] = set()
    for token in _TOKEN.findall(text):
        if _UNSPACED.match(token):
            found.update(token)
            found.update(_pairs(token))
        else:
            found.add(_key(token, language))
    return frozenset(found)


def alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether two texts say nearly the same, by their keys: form letters, repeated tickets."""
    return len(one & other) >= ALIKE * len(one | other)


@lru_cache(maxsize=100_000)
def _meets(key: str, keys: frozenset[str]) -> float:
    if key in keys:
        return 1.0
    if len(key) < LEAST_PART or _UNSPACED.match(key) or key.isdigit():
        return 0.0
    best = 0.0
    for other in keys:
        if len(other) < LEAST_PART - 1 or other[0].isdigit():
            continue
        shorter = min(len(key), len(other))
        if key[:shorter] == other[:shorter]:
            best = max(best, PARTLY)
        elif (shorter > LEAST_PART and key[:6] == other[:6]) or (
            len(other) >= LEAST_PART and (key in other or other in key)
        ):
            best = max(best, INSIDE)
    return best


# --- Kinds ------------------------------------------------------------------------------------------------------------


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


def shows(kind: str, text: str, profile: Profile, people: frozenset[str]) -> float:
    """Return how surely a text holds the kind of thing that is asked for, 0 to 1; what the question itself says is none."""
    match kind:
        case "number" | "money" | "duration" | "date":
            return _shows_number(kind, text, profile)
        case "person":
            asked = profile.question.casefold()
            if _names_person(text, people, asked):
                return 1.0
            others = [name for name in names_in(text) if name.casefold() not in asked]
            return 0.6 if any(not text.startswith(name) or " " in name for name in others) else 0.0
        case "cause":
            return float(bool(_cause().search(text)))
        case "place":
            asked = profile.question.casefold()
            return 0.6 if any(name.casefold() not in asked for name in names_in(text)) else 0.0
    return 0.0


def _names_person(text: str, people: frozenset[str], asked: str) -> bool:
    """Return whether a text names a known person whom the question does not."""
    if any(name in people and name.casefold() not in asked for name in names_in(text)):
        return True
    runs = re.findall(f"[{UNSPACED}・·]{{2,}}", text)
    parts = {run[i : i + size] for run in runs for size in range(2, LONGEST_PERSON) for i in range(len(run) - size + 1)}
    return any(part in people and part not in asked for part in parts)


def _shows_number(kind: str, text: str, profile: Profile) -> float:
    asked = set(re.findall(r"\d+", profile.question))
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
    text = files("pipeline.text.answering").joinpath("question_kinds.json").read_text(encoding="utf-8")
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


@cache
def _either() -> re.Pattern[str]:
    return _joined(_cues()["either"])
