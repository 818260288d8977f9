"""What a question wants: its names and words, what each weighs, the kind of thing that would answer it, and how much of that
a statement meets. Statistics only: no model reads the question."""

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from pipeline.text.dates import find_dates
from pipeline.text.lexicon.words import listed
from pipeline.text.near_words import base, bases, best_agreements, is_word
from pipeline.text.scripts import UNSPACED, language_of, words_of

MET = 0.7
"""Share of a name's weight from which a text speaks of the one who bears it: "the Duke of Alençon" of "Jean II, Duke of
Alençon", but "Charles VI" not of "Charles VII"."""
HEADING = 0.7
"""What a word counts that stands only in the heading above a statement, which says what the whole is about."""
BY_FORM = 0.9
"""What the parts of a name count that a text gives in another form."""
_LIGHT = 0.5
"""What ordinals, adverbs of time and nouns for anybody weigh against other words: they are often said otherwise."""

_WORD = re.compile(rf"[{UNSPACED}]+|(?:(?![{UNSPACED}])[^\W_])+(?:['’‐‑-](?:(?![{UNSPACED}])[^\W_])+)*")
_JOINTS = re.compile("['’‐‑-]")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_POSSESSIVE = re.compile(r"['’]s?$")
_BETWEEN = listed("of the de du des la le les von van der den zu zum di da del do dos das al el bin ibn y")
_OFTEN = listed(
    "first second third fourth fifth sixth last early earlier earliest late later latest recently oldest youngest elder",
    "younger older",
    "best never only man woman person hold held use used",
)
_ASKING = listed(
    "happen happened happens tell describe explain list mention mentioned name named call called give given know known say",
    "said located situated corpus text document documents take place year date kind sort type many much did",
)
PERSON, PLACE, DATE, NUMBER, CAUSE = "PERSON", "PLACE", "DATE", "NUMBER", "CAUSE"
_KINDS = (
    (NUMBER, r"how (?:many|much|old|tall|far|big|large)|wie viele?|combien|cuánt[oa]s?|сколько|多少|几|いくつ"),
    (
        DATE,
        r"when|(?:what|which|in what|in which) (?:year|date|day|month|century)|how long|wann|quand|cuándo|когда|何时|哪年|いつ",
    ),
    (
        PLACE,
        r"where|(?:what|which|in what|in which) (?:city|town|place|country|village|river|region)|wo|où|dónde|где|哪里|どこ",
    ),
    (PERSON, r"who|whom|whose|wer|wen|wem|qui|quién(?:es)?|кто|кого|谁|誰|だれ"),
    (CAUSE, r"why|how come|warum|weshalb|pourquoi|por qué|почему|为什么|なぜ"),
)
_ASKED = [(kind, re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)) for kind, words in _KINDS]
_OTHER = re.compile(r"(?<!\w)(?:which|what|how|welche[rsnm]?|was|quel(?:le)?s?|qué|cuál|что)(?!\w)", re.I)
_YES_OR_NO = re.compile(r"\s*(?:did|do|does|is|are|was|were|has|have|had|can|could|will|would|should)\b", re.IGNORECASE)
_SEVERAL = re.compile(r"\b(?:or|and|both|same|oder|und|beide|ou|et|o|y|ambos|или|и|оба)\b|还是|和|と", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
_DIGITS = re.compile(r"\d")
_NUMBERS = listed(
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen",
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety dozen hundred thousand million billion half twice",
)
_CAUSES = re.compile(
    r"\b(?:because|since|so that|in order to|for (?:fear|want|lack)|want of|lack(?:ed|s)?|due to|owing to|caused?|reasons?|led to"
    r"|therefore|thus|weil|denn|da|parce que|car|porque|потому что|так как)\b|因为|ため|ので",
    re.IGNORECASE,
)


class Term(NamedTuple):
    """A word that an answer should speak of. ``name`` numbers the name it belongs to, from 1; 0 where it is no name."""

    word: str
    """As the question writes it."""
    base: str
    name: int
    share: float
    """What it weighs against a word that stands alone, 0 to 1."""


class Wanted(NamedTuple):
    """A question as statements are measured by it: its terms in the order of the question; ``kind`` is PERSON, PLACE, DATE, NUMBER, CAUSE, or empty."""

    terms: tuple[Term, ...]
    weights: tuple[float, ...]
    kind: str
    forms: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """Other forms of names, by the number of the name, as bases."""
    several: bool = False
    """Whether it asks of several named things (X or Y, both X and Y), which no single statement need connect."""

    def met(self, text: str) -> tuple[float, ...]:
        """Return for each term how far a text speaks of it, 0 to 1; all of a name whose other form the text holds."""
        found = frozenset(bases(text))
        met = best_agreements([term.base for term in self.terms], found)
        named = {name for name, form in self.forms if found.issuperset(form)}
        if not named:
            return met
        return tuple(max(m, BY_FORM) if t.name in named else m for t, m in zip(self.terms, met, strict=True))

    def met_under(self, statement: str, heading: str) -> tuple[float, ...]:
        """Return for each term how far a statement under a heading speaks of it; the heading counts by HEADING."""
        own = self.met(statement)
        return self.under(own, heading) if heading else own

    def under(self, own: Sequence[float], heading: str) -> tuple[float, ...]:
        """Return what a statement meets that meets ``own`` by itself and is under a heading."""
        return tuple(max(o, HEADING * h) for o, h in zip(own, self.met(heading), strict=True))

    def closeness(self, statement: str, heading: str = "") -> float:
        """Return which share of the question's weight a statement meets, 0 to 1."""
        return self.share(self.met_under(statement, heading))

    def share(self, met: Sequence[float]) -> float:
        """Return the weight of what is met as a share of the whole, 0 to 1.

        Where several things are asked about, those that are not spoken of are left out: what says all that is asked of
        one of them says all that can be asked of a statement.
        """
        named = self.named(met) if self.several else frozenset()
        kept = [not (self.several and t.name and t.name not in (named or {1})) for t in self.terms]
        total = sum(weight for weight, keep in zip(self.weights, kept, strict=True) if keep)
        told = sum(w * m for w, m, keep in zip(self.weights, met, kept, strict=True) if keep)
        return told / total if total else 0.0

    @property
    def names(self) -> frozenset[int]:
        """The numbers of the names."""
        return frozenset(term.name for term in self.terms if term.name)

    def named(self, met: Sequence[float]) -> frozenset[int]:
        """Return the numbers of the names that are met."""
        found = set()
        for name in self.names:
            parts = [i for i, term in enumerate(self.terms) if term.name == name]
            if sum(self.weights[i] * met[i] for i in parts) >= MET * sum(self.weights[i] for i in parts):
                found.add(name)
        return frozenset(found)


def want(question: str, known: Mapping[str, Sequence[str]] | None = None) -> Wanted:
    """Read a question; every term weighs its share until ``weighed`` sets it against a corpus.

    ``known`` holds names that are in the question, in any case, each with other forms of it.
    """
    known = known or {}
    language = question_language(question)
    function = words_of(language).function
    names = _names(question, function, known, language)
    terms: dict[str, Term] = {}
    for number, parts in enumerate(names, 1):
        for part in parts:
            terms.setdefault(base(part), Term(part, base(part), number, 1 / len(parts)))
    for word in _WORD.findall(question):
        for term in _terms(word, function):
            terms.setdefault(term.base, term)
    written = question.casefold()
    kept = tuple(sorted(terms.values(), key=lambda term: written.find(term.word.casefold())))
    weights = tuple(term.share for term in kept)
    several = len(names) > 1 and bool(_SEVERAL.search(question))
    return Wanted(kept, weights, kind_of(question), _other_forms(known, kept, function), several)


def weighed(wanted: Wanted, frequencies: Mapping[str, int], n: int) -> Wanted:
    """Set the weights by how rare each term is: ``frequencies`` counts the statements, of ``n``, that meet it.

    A name weighs as much as the rarest of its words, shared out among them, so that a long name is not worth more.
    """
    rarity = [math.log(1 + max(n, 1) / max(frequencies.get(term.base, 0), 1)) for term in wanted.terms]
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
    """Return whether a text holds a date, a number that is no date, or a cause; names are not distinguished here."""
    if kind == CAUSE:
        return bool(_CAUSES.search(text))
    dates = find_dates(text)
    if kind == DATE or not dates:
        return bool(dates) or (kind == NUMBER and _has_number(text))
    ends = [0, *(date.end for date in dates)]
    starts = [*(date.start for date in dates), len(text)]
    return any(_has_number(text[end:start]) for end, start in zip(ends, starts, strict=True))


def _has_number(text: str) -> bool:
    return bool(_DIGITS.search(text)) or not _NUMBERS.isdisjoint(text.casefold().split())


def names_in(text: str) -> list[str]:
    """Return the capitalised names of a text as written, in order, each once; a first word counts where it has a second."""
    return list(dict.fromkeys(name for name, _ in _runs(text, words_of(language_of(text)).function)))


def question_language(question: str) -> str:
    """Return the language of a question told without its names, which may be foreign; English where it is not told."""
    rest = question
    for name, _ in _runs(question, ()):
        rest = rest.replace(name, " ")
    code = language_of(rest)
    return "en" if code == "und" and question.isascii() else code


def _names(
    question: str, function: Collection[str], known: Mapping[str, Sequence[str]], language: str
) -> list[list[str]]:
    """Return the words of each name: known ones, what else is capitalised where that says something, and years."""
    written = [*known]
    if language != "de":  # where every noun is capitalised
        inside = {word.casefold() for name in known for word in _words(name)}
        runs = (name for name, _ in _runs(question, {*function, *_ASKING}))
        written += [name for name in runs if not inside.intersection(word.casefold() for word in _words(name))]
    written += [year for year in _YEAR.findall(question) if not any(year in name for name in written)]
    found = []
    for name in written:
        parts = [word for word in _words(name) if word.casefold() not in function and word.casefold() not in _BETWEEN]
        if parts:
            found.append(list(dict.fromkeys(parts)))
    return found


def _other_forms(
    known: Mapping[str, Sequence[str]], terms: Sequence[Term], function: Collection[str]
) -> tuple[tuple[int, tuple[str, ...]], ...]:
    numbers = {term.base: term.name for term in terms if term.name}
    found = []
    for name, forms in known.items():
        number = next((numbers[base(word)] for word in _words(name) if base(word) in numbers), 0)
        for form in forms:
            parts = tuple(base(word) for word in _words(form) if word.casefold() not in {*function, *_BETWEEN})
            if parts and number and form != name:
                found.append((number, parts))
    return tuple(found)


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
    return [part for word in _WORD.findall(text) for part in _JOINTS.split(word) if part and is_word(part)]


def _terms(word: str, function: Collection[str]) -> Iterable[Term]:
    lower = _POSSESSIVE.sub("", word).casefold()
    if _UNSPACED.match(word):
        yield from (Term(pair, pair, 0, 1.0) for pair in bases(word) if len(pair) == 2)
    elif lower in _OFTEN:
        yield Term(lower, base(lower), 0, _LIGHT)
    elif lower not in function and lower not in _ASKING:
        parts = (part for part in _words(lower) if part not in function and part not in _BETWEEN)
        yield from (Term(part, base(part), 0, 1.0) for part in parts)
