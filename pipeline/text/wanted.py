"""What a question wants: its names and words, what each weighs, the kind of thing that would answer it, and how much of that
a statement meets. Statistics only: no model reads the question."""

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from pipeline.text.dates import find_dates
from pipeline.text.near_words import agreement, base, bases
from pipeline.text.scripts import UNSPACED, language_of, words_of
from pipeline.text.words import listed

MET = 0.6
"""Share of a name's weight from which a text speaks of the one who bears it: "the Duke of Alençon" of "Jean II, Duke of
Alençon", but "Charles VI" not of "Charles VII"."""
HEADING = 0.7
"""What a word counts that stands only in the heading above a statement, which says what the whole is about."""
_LIGHT = 0.5
"""What an ordinal or an adverb of time weighs against a noun or verb: it tells apart, but is often said otherwise."""

_WORD = re.compile(rf"[{UNSPACED}]+|(?:(?![{UNSPACED}])[^\W_])+(?:['’‐‑-](?:(?![{UNSPACED}])[^\W_])+)*")
_JOINTS = re.compile("['’‐‑-]")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_POSSESSIVE = re.compile(r"['’]s?$")
_BETWEEN = listed("of the de du des la le les von van der den zu zum di da del do dos das al el bin ibn y")
_ORDER = listed(
    "first second third fourth fifth sixth last early earlier earliest late later latest oldest youngest elder younger older",
    "best never only",
)
_ASKING = listed(
    "happen happened happens tell describe explain list mention mentioned name named call called give given know known say",
    "said located situated corpus text document documents take place year date kind sort type many much did",
)
PERSON, PLACE, DATE, NUMBER = "PERSON", "PLACE", "DATE", "NUMBER"
_KINDS = (
    (NUMBER, r"how (?:many|much|old|tall|far|big|large)|wie viele?|combien|cuánt[oa]s?|сколько|多少|几|いくつ"),
    (
        DATE,
        r"when|(?:what|which|in what|in which) (?:year|date|day|month|century)|how long ago|wann|quand|cuándo|когда|何时|哪年|いつ",
    ),
    (
        PLACE,
        r"where|(?:what|which|in what|in which) (?:city|town|place|country|village|river|region)|wo|où|dónde|где|哪里|どこ",
    ),
    (PERSON, r"who|whom|whose|wer|wen|wem|qui|quién(?:es)?|кто|кого|谁|誰|だれ"),
)
_ASKED = [(kind, re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)) for kind, words in _KINDS]
_OTHER = re.compile(r"(?<!\w)(?:which|what|why|how|welche[rsnm]?|was|warum|quel(?:le)?s?|pourquoi|qué|cuál|что|почему)(?!\w)", re.I)
_YES_OR_NO = re.compile(r"\s*(?:did|do|does|is|are|was|were|has|have|had|can|could|will|would|should)\b", re.IGNORECASE)
_DIGITS = re.compile(r"\d")
_NUMBERS = listed("two three four five six seven eight nine ten eleven twelve dozen hundred thousand million half twice")


class Term(NamedTuple):
    """A word that an answer should speak of. ``name`` numbers the name it belongs to, from 1; 0 where it is no name."""

    base: str
    name: int
    share: float
    """What it weighs against a word that stands alone, 0 to 1."""


class Wanted(NamedTuple):
    """A question as statements are measured by it; ``kind`` is PERSON, PLACE, DATE, NUMBER, or empty."""

    terms: tuple[Term, ...]
    weights: tuple[float, ...]
    kind: str

    def met(self, text: str) -> tuple[float, ...]:
        """Return for each term how far a text speaks of it, 0 to 1."""
        return self.met_by(frozenset(bases(text)))

    def met_by(self, found: Collection[str]) -> tuple[float, ...]:
        """Return the same for the bases of a text."""
        return tuple(
            1.0 if term.base in found else max((agreement(term.base, other) for other in found), default=0.0)
            for term in self.terms
        )

    def met_under(self, statement: str, heading: str) -> tuple[float, ...]:
        """Return for each term how far a statement under a heading speaks of it; the heading counts by HEADING."""
        own = self.met(statement)
        if not heading:
            return own
        return tuple(max(o, HEADING * h) for o, h in zip(own, self.met(heading), strict=True))

    def closeness(self, statement: str, heading: str = "") -> float:
        """Return which share of the question's weight a statement meets, 0 to 1."""
        return self.share(self.met_under(statement, heading))

    def share(self, met: Sequence[float]) -> float:
        """Return the weight of what is met as a share of the whole, 0 to 1."""
        total = sum(self.weights)
        return sum(w * m for w, m in zip(self.weights, met, strict=True)) / total if total else 0.0

    def missing(self, met: Sequence[float]) -> list[int]:
        """Return the numbers of the names that are not met."""
        missing = []
        for name in sorted({term.name for term in self.terms} - {0}):
            parts = [i for i, term in enumerate(self.terms) if term.name == name]
            whole = sum(self.weights[i] for i in parts)
            if sum(self.weights[i] * met[i] for i in parts) < MET * whole:
                missing.append(name)
        return missing


def want(question: str) -> Wanted:
    """Read a question; every term weighs its share until ``weighed`` sets it against a corpus."""
    language = language_of(question)
    function = words_of(language).function
    names = _names(question, function) if language != "de" else []  # German capitalises every noun
    terms: dict[str, Term] = {}
    for number, parts in enumerate(names, 1):
        for part in parts:
            terms.setdefault(part, Term(part, number, 1 / len(parts)))
    for word in _WORD.findall(question):
        for term in _terms(word, function):
            terms.setdefault(term.base, term)
    kept = tuple(terms.values())
    return Wanted(kept, tuple(term.share for term in kept), kind_of(question))


def weighed(wanted: Wanted, frequencies: Mapping[str, int], n: int) -> Wanted:
    """Set the weights by how rare each term is: ``frequencies`` counts the statements, of ``n``, that meet it.

    A name weighs as much as the rarest of its words, shared out among them, so that a long name is not worth more.
    """
    rarity = [math.log(1 + n / max(frequencies.get(term.base, 0), 1)) for term in wanted.terms]
    weights = []
    for term, rare in zip(wanted.terms, rarity, strict=True):
        if not term.name:
            weights.append(rare * term.share)
            continue
        fellows = [r for other, r in zip(wanted.terms, rarity, strict=True) if other.name == term.name]
        weights.append(max(fellows) * rare / sum(fellows))
    return wanted._replace(weights=tuple(round(weight, 6) for weight in weights))


def kind_of(question: str) -> str:
    """Return which kind of thing would answer a question, by the first word that asks; empty for yes or no."""
    if _YES_OR_NO.match(question):
        return ""
    found = [(match.start(), -len(match[0]), kind) for kind, pattern in _ASKED if (match := pattern.search(question))]
    found += [(match.start(), -len(match[0]), "") for match in _OTHER.finditer(question)]
    return min(found, default=(0, 0, ""))[2]


def holds(kind: str, text: str) -> bool:
    """Return whether a text holds a date or a number, where one is wanted; names are not told apart here."""
    if kind == DATE:
        return bool(find_dates(text))
    return bool(_DIGITS.search(text)) or not _NUMBERS.isdisjoint(text.casefold().split())


def names_in(text: str) -> list[str]:
    """Return the capitalised names of a text as written, in order, each once; a first word counts where it has a second."""
    return list(dict.fromkeys(name for name, _ in _runs(text, words_of(language_of(text)).function)))


def _names(question: str, function: Collection[str]) -> list[list[str]]:
    found = []
    for name, _ in _runs(question, function):
        parts = [base(word) for word in _words(name) if word.casefold() not in function]
        if parts:
            found.append(list(dict.fromkeys(parts)))
    return found


def _runs(text: str, function: Collection[str]) -> Iterable[tuple[str, int]]:
    """Yield runs of capitalised words, small connectors inside, with where they start."""
    run: list[re.Match[str]] = []
    between: list[re.Match[str]] = []
    for match in [*_WORD.finditer(text), None]:
        gap = match is not None and run and text[(between or run)[-1].end() : match.start()].strip(" -–") != ""
        if match is None or gap:
            yield from _closed(text, run)
            run, between = [], []
        if match is None:
            break
        word = match[0]
        if word[0].isupper() and not (not run and word.casefold() in function):
            run, between = [*run, *between, match], []
        elif run and (word in _BETWEEN or (word[0].isdigit() and not between)):
            between.append(match)
        else:
            yield from _closed(text, run)
            run, between = [], []


def _closed(text: str, run: Sequence[re.Match[str]]) -> Iterable[tuple[str, int]]:
    if run and any(len(match[0]) > 1 for match in run):
        yield _POSSESSIVE.sub("", text[run[0].start() : run[-1].end()]), run[0].start()


def _words(text: str) -> list[str]:
    return [part for word in _WORD.findall(text) for part in _JOINTS.split(word) if len(part) > 1 or part.isdigit()]


def _terms(word: str, function: Collection[str]) -> Iterable[Term]:
    lower = _POSSESSIVE.sub("", word).casefold()
    if _UNSPACED.match(word):
        yield from (Term(pair, 0, 1.0) for pair in bases(word) if len(pair) == 2)
    elif lower in _ORDER:
        yield Term(base(lower), 0, _LIGHT)
    elif lower not in function and lower not in _ASKING:
        yield from (Term(base(part), 0, 1.0) for part in _words(lower) if part not in function)
