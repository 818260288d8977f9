"""Questions on the rows of a table: which has the most or the least of something, how many there are, and what they come to."""

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from pipeline.text.keys import key_of
from pipeline.text.lexicon.questions.question_words import QUESTIONS
from pipeline.text.question.rows.row_bounds import DATE, LIMIT, WITHOUT_SPACES, Days, Limit, RowBounds, bounds_of
from pipeline.text.question.rows.row_words import (
    ABOVE,
    BELOW,
    DENIED,
    PER,
    RowWords,
    Wanted,
    characters_of,
    row_keys,
    row_words,
)
from pipeline.text.tokenizer import words

SHORT = 3
"""Letters of a word that says no more than that there are rows, "all", and is no cell."""
PHRASE, LONGEST_PHRASE = 8, 14
"""Words that are typed to find rows, at most, and characters of a script without spaces."""
QUARTER = -1
"""In place of a number of characters, of which none say the quarter of a day."""
_SIGNS = re.compile(f"([{DATE}{LIMIT}{DENIED}{PER}{ABOVE}{BELOW}])")
_DIGITS = re.compile("[1-9][0-9]?")
_BEFORE_DEGREE = 3
"""Words behind an ordinal of which one says most or least: "le deuxième paiement le plus élevé" has more between."""
_FIGURES: tuple[Wanted, ...] = ("count", "sum")
"""What may be asked of each of some groups by no word for it."""


class AskedWord(NamedTuple):
    """A word of a question that a table has to explain."""

    key: str
    written: str
    """The word in lower case; empty in scripts without spaces."""
    denied: bool = False
    per: bool = False
    """Whether it names that of which each is to have a figure of its own."""
    dated: bool = False
    """Whether a date is said of it: "closed in May"."""
    either: bool = False
    """Whether it is beside "or"."""
    counted: bool = False
    """Whether it is behind a number that bounds: "over 8 metres"."""
    behind: str = ""
    """The key of the word before it."""
    than: str = ""
    """ABOVE or BELOW where another column is compared with the one that it names: "below the minimum"."""


class RowQuestion(NamedTuple):
    """What is asked of the rows of a table: of a kind of column (money, date, duration, ...; empty where the question does not
    say), and all words that say something else: the table's name, its columns and cells."""

    wanted: Wanted
    column: str = ""
    terms: tuple[AskedWord, ...] = ()
    small: tuple[AskedWord, ...] = ()
    """Small words, "on" or "out", which a table need not explain, unless one is by itself a cell or the head of a column."""
    days: Days | None = None
    limit: Limit | None = None
    rows: int = 1
    """How many rows with the most or the least."""
    rank: int = 1
    """Which of them it is alone, in their order: 2 for the second largest."""
    total: Wanted | None = None
    """What each cell of a column is to have the most or the least of: a sum or a mean of its rows; None for one row's figure."""
    said: str = ""
    """The whole question in lower case."""
    asks_who: bool = False
    mean: str = ""
    """The word that asks for a mean, which may be a cell."""
    part: str = ""
    """The short form of a quarter or half of a year that is read as a cell or a head: "q2"."""
    names_rows: bool = False
    """Whether it says "rows", or "entries"."""
    is_clear: bool = True
    """False where it compares or denies in a way in which no table is looked up: no rows are an answer then."""

    @property
    def is_of_payments(self) -> bool:
        """Whether it asks what was paid or earned in all, of whatever list says so."""
        return self.column == "money" and "sum" in (self.wanted, self.total)

    @property
    def keys(self) -> frozenset[str]:
        """The keys of all words that the table has to explain."""
        return frozenset(term.key for term in self.terms)


def asked_rows(question: str, language: str) -> list[RowQuestion]:
    """Return what a question in a language (ISO 639-1) may ask of the rows of a table, the likelier reading first; nothing where
    it asks for something else."""
    return _readings(question, language, is_phrase=False)


def asked_phrase(question: str, language: str) -> list[RowQuestion]:
    """Return the same of a question that is put as a few words, as one types them to find rows: "open orders in the library"; nothing
    where it is not."""
    if language in WITHOUT_SPACES:
        asks = ("?", "？", *QUESTIONS.by_language("rows_asking").get(language, ()))
        is_short = len(question) <= LONGEST_PHRASE and not any(word in question for word in asks)
        return _readings(question, language, is_phrase=True) if is_short else []
    spoken = words(bounds_of(question, language).text.casefold())
    opening = QUESTIONS.set_of("opening") | QUESTIONS.set_of("interrogatives")
    is_phrase = "?" not in question and 1 < len(spoken) <= PHRASE and spoken[0] not in opening
    return _readings(question, language, is_phrase=True) if is_phrase else []


def _readings(question: str, language: str, is_phrase: bool) -> list[RowQuestion]:
    known = row_words(language)
    if known is None:
        return []
    asks_who = bool(QUESTIONS.pattern("asks_person", language).match(question.lstrip("¿ ")))
    readings = []
    every = dict.fromkeys(bounds_of(question, language, are_cells) for are_cells in (True, False))
    for bounds, said in ((one, text) for one in every for text in _compared(one.text.casefold(), known)):
        if language in WITHOUT_SPACES:
            found = _asked_without_spaces(said, known, bounds, is_phrase)
        else:
            said, rank = _ranked(said, known, language)
            found = _asked(said, question, language, known, bounds, is_phrase)
            if rank > 1:
                found = [one._replace(rank=rank) for one in found if one.wanted in ("most", "least") and one.rows == 1]
        is_clear = bounds.is_clear and not known.unless.search(known.excluding.sub(" ", said))
        names_rows = not known.records.isdisjoint(words(said))
        found = [one._replace(said=question.casefold(), part=bounds.part) for one in found]
        found = [one._replace(asks_who=asks_who, names_rows=names_rows) for one in found]
        readings += [one if is_clear else one._replace(is_clear=False) for one in found]
    return readings


def asked_cell(question: str, language: str) -> list[RowQuestion]:
    """Return a question that asks for nothing of the rows of a table as one for a cell, which a row and a column that it names may be
    of: "What is the revenue of the North?"; of a phone number also as one for a phone. Nothing in a language that is not known,
    or without spaces."""
    known = row_words(language)
    if known is None or language in WITHOUT_SPACES:
        return []
    bounds = bounds_of(question, language, are_cells=True)
    if known.unless.search(bounds.text.casefold()) or known.denied.search(question.casefold()):
        return []
    spoken = _spoken(bounds.text.casefold())
    keys = ["" if word in known.light else key_of(word, language) for word in spoken]
    bare = ["" if word in known.numbering else key for word, key in zip(spoken, keys, strict=True)]
    found = []
    for said in (keys, bare) if bare != keys else (keys,):
        terms, small, is_clear = _terms(spoken, said, (), language, known)
        if is_clear and bounds.is_clear and terms:
            found.append(RowQuestion("cell", "", terms, small, bounds.days, bounds.limit, part=bounds.part))
    return found


def asks_of_all_rows(asked: Iterable[RowQuestion]) -> bool:
    """Return whether a few rows of a table are no answer to a question: where it counts, adds up, denies, compares, gives a date or
    wants several; one row may say what the most or the latest is."""
    return any(
        one.wanted in ("count", "sum", "mean")
        or one.rows > 1
        or not one.is_clear
        or one.days
        or one.limit
        or any(term.denied or term.than for term in one.terms)
        for one in asked
    )


def days_asked(question: str, language: str) -> Days | None:
    """Return the days that a question on rows names, the first of several."""
    return bounds_of(question, language).days if row_words(language) else None


def asks_for_one_row(asked: Iterable[RowQuestion]) -> bool:
    """Return whether a question asks for what has the most or the least of something: several rows are no answer to it."""
    return any(one.wanted in ("most", "least") for one in asked)


class _Wish(NamedTuple):
    """What the words of a question want, and the places of those that say so."""

    wanted: Wanted | None
    column: str
    total: Wanted | None
    rows: int
    used: frozenset[int]
    totals: frozenset[int]
    is_clear: bool


def _spoken(said: str) -> list[str]:
    """Return the words of a question, and the signs that stand in it for a date or for other words, in its order."""
    return [word for part in _SIGNS.split(said) for word in ([part] if _SIGNS.match(part) else words(part))]


def _asked(
    said: str, question: str, language: str, known: RowWords, bounds: RowBounds, is_phrase: bool
) -> list[RowQuestion]:
    listing = known.listing.match(said.lstrip())
    said = said.lstrip()[listing.end() :] if listing else said
    said, n_most = known.spent_most.subn(" ", said)
    is_of_payments = not known.payments.isdisjoint(words(said))
    said, n_spent = known.spent.subn(" ", said)
    counted = next((found[0] for form in known.counting if (found := form.search(said))), "")
    said = said.replace(counted, " ", 1) if counted else said
    said = known.spending.sub(" ", said) if n_spent else said
    said = known.per.sub(f" {PER} ", known.denied.sub(f" {DENIED} ", said))
    said = known.per_both.sub(rf"\g<0> {PER} ", said)
    spoken = _spoken(said)
    light = [word in known.light and before not in (PER, DENIED) for before, word in pairwise(["", *spoken])]
    # "which month"
    light[:2] = [one and word not in known.periods for one, word in zip(light[:2], spoken, strict=False)]
    keys = ["" if is_light else key_of(word, language) for is_light, word in zip(light, spoken, strict=True)]
    wish = _wish(spoken, keys, known, language)
    if wish.total == "mean" and QUESTIONS.pattern("asks_definition", language).search(question):
        wish = wish._replace(total=None)  # "What does the alarm DOOR mean?"
    is_list = listing or is_phrase or bounds.limit or (bounds.days and bounds.days.is_bounded)
    is_list = is_list or ABOVE in said or BELOW in said
    if n_most:
        wish = wish._replace(wanted="most", column="money", total="sum")
    wanted = wish.wanted or ("count" if counted else wish.total or ("sum" if n_spent else "list" if is_list else None))
    is_ranking = wanted in ("most", "least")

    def reading(column: str, total: Wanted | None, used: Collection[int]) -> list[RowQuestion]:
        terms, small, is_clear = _terms(spoken, keys, used, language, known)
        is_clear &= wish.is_clear and (is_ranking or not wish.rows)
        if n_spent and is_of_payments and DENIED not in said:  # "still to be paid" is of what is not
            small += tuple(AskedWord(key, "") for key in sorted({key_of(word, language) for word in known.payments}))
        asked = RowQuestion(
            wanted or "list", column, terms, small, bounds.days, bounds.limit, wish.rows or 1, total=total
        )
        return [asked._replace(is_clear=is_clear)] if wanted else []

    if is_phrase and wanted == "list" and PER in said:  # "orders per month", "amount per month"
        used = wish.used | wish.totals
        return [one._replace(wanted=kind) for kind in _FIGURES for one in reading(wish.column, None, used)]
    if n_most:
        return reading("money", "sum", wish.used | wish.totals)
    if not is_ranking and wanted != "count":
        readings = reading(wish.column or ("money" if n_spent else ""), None, wish.used | wish.totals)
        if wish.total == "mean" and not n_spent and wanted == "mean":  # priority "media" is a cell
            as_cell = [one._replace(wanted="list") for one in reading(wish.column, None, wish.used)]
            readings = [*(one._replace(mean=spoken[min(wish.totals)]) for one in readings), *as_cell]
        return readings
    readings = reading(wish.column, None, wish.used)
    if wish.total == "sum" or (wish.total and is_ranking):  # the highest total; how many in total
        readings += reading("", wish.total if is_ranking else None, wish.used | wish.totals)
    return readings


def _compared(said: str, known: RowWords) -> Iterable[str]:
    """Return a question with signs in place of the words that may compare with a column, and, if there are any, as it is: "nach" in
    "nach Kunde" does not."""
    signed = said
    for form, sign in known.compared:
        signed = form.sub(f" {sign} ", signed)
    return dict.fromkeys((signed, said))


def _ranked(said: str, known: RowWords, language: str) -> tuple[str, int]:
    """Return a question without the ordinal that is before what says most or least, "second cheapest", or the beginning of it,
    "zweitgrößte", and its number; 1 where there is none."""

    def is_degree(word: str) -> bool:
        key = key_of(word, language)
        return (key in known.both or key in known.degrees) and known.is_degree(word)

    found = [*re.finditer(r"\w+(?:-\w+)*", said)]
    for place, one in enumerate(found):
        for rank, forms in enumerate(known.ordinals, 2):
            after = [other[0] for other in found[place + 1 : place + 1 + _BEFORE_DEGREE]]
            if one[0] in forms and any(map(is_degree, after)):
                return f"{said[: one.start()]}{said[one.end() :].lstrip()}", rank
            rest = next((one[0].removeprefix(form) for form in forms if one[0].startswith(form)), "")
            if is_degree(rest):
                return f"{said[: one.start()]}{rest}{said[one.end() :]}", rank
    return said, 1


def _wish(spoken: Sequence[str], keys: Sequence[str], known: RowWords, language: str) -> _Wish:
    wanted: Wanted | None = None
    total: Wanted | None = None
    totals, used = set[int](), set[int]()
    column, rows, is_clear, is_compared = "", 0, True, False
    for place, key in enumerate(keys):
        if is_compared and row_keys(spoken[place], language):  # "below the minimum" asks for no least
            is_compared = False
            continue
        is_compared |= spoken[place] in (ABOVE, BELOW)
        after = keys[place + 1] if place + 1 < len(keys) else ""
        if key in known.both and known.is_degree(spoken[place]):
            wanted, column = known.both[key]
        elif key in known.degrees and known.is_degree(spoken[place]):
            wanted = known.degrees[key]
            column = known.of.get(after, known.opposites.get(after, ""))
            if after in known.opposites:
                wanted = "least" if wanted == "most" else "most"
            used |= {place + 1} if after in known.of or after in known.opposites else set()
        elif key in known.totals:
            total = total or known.totals[key]
            totals.add(place)
            continue
        elif number := _number(spoken, place, known, language):
            is_clear &= not rows
            rows = number
        else:
            continue
        used.add(place)
    return _Wish(wanted, column, total, rows, frozenset(used), frozenset(totals), is_clear)


def _number(spoken: Sequence[str], place: int, known: RowWords, language: str) -> int:
    """Return the number of rows that a word gives, 0 where it gives none: digits do so where they are behind no noun."""
    word = spoken[place]
    if word in known.numbers:
        return known.numbers[word]
    before = spoken[place - 1] if place else ""
    bare = not before or not row_keys(before, language) or key_of(before, language) in known.degrees
    return int(word) if _DIGITS.fullmatch(word) and bare else 0


def _terms(
    spoken: Sequence[str], keys: Sequence[str], used: Collection[int], language: str, known: RowWords
) -> tuple[tuple[AskedWord, ...], tuple[AskedWord, ...], bool]:
    """Return the words that a table has to explain, the small ones, and whether it is clear what is denied and has a figure each."""
    terms: list[AskedWord] = []
    small: list[AskedWord] = []
    sign, at_date, at_limit, at_or, n_denied = "", -1, -1, -1, 0
    is_clear = True
    for place, word in enumerate(spoken):
        if word in (DENIED, PER, ABOVE, BELOW):
            n_denied += word == DENIED
            is_clear &= not sign or sign == word == PER
            sign = word
        elif word == LIMIT:
            at_limit = place
        elif word == DATE:
            is_clear &= sign != DENIED
            if terms:
                terms[-1] = terms[-1]._replace(dated=True)
            at_date = place
        elif word in known.either:
            terms[-1:] = [term._replace(either=True) for term in terms[-1:]]
            at_or = len(terms)
        elif keys[place] and place not in used:
            says = row_keys(word, language) or ({keys[place]} if word in known.telling else ())
            for key in sorted(says):
                dated, counted = at_date == place - 1 >= 0, at_limit == place - 1 >= 0
                of = (sign == DENIED, sign == PER, dated, at_or == len(terms), counted)
                than = sign if sign in (ABOVE, BELOW) else ""
                terms.append(AskedWord(key, word, *of, behind=keys[place - 1] if place else "", than=than))
                sign = ""
            if not says and len(word) > 1:
                small.append(AskedWord(keys[place], word, sign == DENIED))
        elif not keys[place] and len(word) > SHORT:  # a state may be "hoch"
            small.append(AskedWord(key_of(word, language), word, sign == DENIED))
    return tuple(terms), tuple(small), is_clear and not sign and n_denied < 2


def _asked_without_spaces(said: str, known: RowWords, bounds: RowBounds, is_phrase: bool) -> list[RowQuestion]:
    said = said.replace(DATE, " ").replace(LIMIT, " ")
    wishes = list[tuple[Wanted, str]]()
    for phrase, wish in known.phrases:
        said, n = phrase.subn(" ", said)
        wishes += [wish] * bool(n)
    groups = list[AskedWord]()
    for form in known.per_group:
        if found := form.search(said):
            groups.append(AskedWord("", found["group"].strip(), per=True))
            start, end = found.span("group")
            said = f"{said[: found.start()]} {said[start:end]} {said[found.end() :]}"
    ranking = next((wish for wish in wishes if wish[0] in ("most", "least")), None)
    column = ranking[1] if ranking else "money" if ("sum", "money") in wishes and ("sum", "") not in wishes else ""
    total: Wanted | None = next((kind for kind, _ in wishes if kind in ("sum", "mean")), None)
    others: list[Wanted] = [kind for kind, _ in wishes if kind in ("count", "list")]
    is_list = is_phrase or bounds.limit or (bounds.days and bounds.days.is_bounded)
    wanted = ranking[0] if ranking else total or (others[0] if others else "list" if is_list else None)
    if wanted is None:
        return []
    terms = (*groups, *(AskedWord(key, "") for key in sorted(characters_of(said, known))))
    asked = RowQuestion(wanted, column, terms, days=bounds.days, limit=bounds.limit, is_clear=len(groups) < 2)
    if groups and wanted == "list":
        return [asked._replace(wanted=kind) for kind in _FIGURES]
    return [asked._replace(total=total), asked] if ranking and total else [asked]


def counted_by(asked: RowQuestion, language: str) -> frozenset[str]:
    """Return the keys of what a question counts or lists: its first words that are right behind each other, "safety boats", but for one of
    a month or year."""
    known = row_words(language)
    periods = known.periods if known else frozenset[str]()
    terms = [term for term in asked.terms if term.written not in periods]
    apart = next((at for at, (one, other) in enumerate(pairwise(terms), 1) if other.behind != one.key), len(terms))
    return frozenset(term.key for term in terms[:apart])


def period_of(asked: RowQuestion, language: str) -> tuple[str, int] | None:
    """Return the word for the months, quarters or years of which a question asks something, and how many characters of a day (ISO 8601)
    say which one that is, or QUARTER; None where it names none."""
    for head, size in (("rows_months", len("2024-05")), ("rows_years", len("2024")), ("rows_each_quarter", QUARTER)):
        forms = [word for line in QUESTIONS.by_language(head).get(language, ()) for word in line.split()]
        if language in WITHOUT_SPACES:
            if any(term.per and _names_group(term, form) for term in asked.terms for form in forms):
                return forms[0], size
        elif asked.keys & {key for form in forms for key in row_keys(form.casefold(), language)}:
            return forms[0], size
    return None


def _names_group(term: AskedWord, name: str) -> bool:
    """Return whether what stands beside a word for each, in a script without spaces, begins or ends with a name."""
    return term.written.startswith(name.casefold()) or term.written.endswith(name.casefold())


def group_of(term: AskedWord, names: Iterable[str]) -> str:
    """Return the longest of some names that stands beside a word for each, in a script without spaces; empty where none does."""
    return max((name for name in names if name and _names_group(term, name)), key=len, default="")
